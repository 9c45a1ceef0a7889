//! The constants of Radau IIA with three and five stages, orders 5 and 9.
//!
//! After E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., section IV.8: the stage equations
//! are decoupled by a fixed similarity transformation into one real and (S - 1)/2 complex systems. A wrong digit in that
//! transformation still converges, to the wrong answer: the tests check it against the method's defining conditions.

/// Radau IIA with `S` stages, an odd number.
#[derive(Debug)]
pub struct Tableau<const S: usize> {
    /// Stage times; the last is the end of the step.
    pub nodes: [f64; S],
    /// Quadrature weights: an integral along the step from values at the stages, of the order of the method.
    pub weights: [f64; S],
    /// Transformation from the eigenbasis of the inverse Runge-Kutta matrix: a real vector, then real and imaginary
    /// parts of one vector of each complex pair, all with the last component 1.
    pub from: [[f64; S]; S],
    /// Transformation to the eigenbasis.
    pub to: [[f64; S]; S],
    /// From the eigenbasis to the rates at the stages, in units of the step.
    pub slopes: [[f64; S]; S],
    /// The real eigenvalue.
    pub real: f64,
    /// Real and imaginary part of the complex ones: one of each pair.
    pub pairs: &'static [(f64, f64)],
    /// Weights of the error estimate, of order S.
    pub error: [f64; S],
}

impl<const S: usize> Tableau<S> {
    /// The Runge-Kutta matrix: integrals from the start to each stage, from values at the stages.
    pub fn matrix(&self) -> [[f64; S]; S] {
        // The inverse of the eigenvalues, block by block, between the two transformations.
        let mut inner = [[0.0; S]; S];
        for j in 0..S {
            inner[0][j] = self.to[0][j] / self.real;
            for (p, (alpha, beta)) in self.pairs.iter().enumerate() {
                let (u, v) = (self.to[2 * p + 1][j], self.to[2 * p + 2][j]);
                let square = alpha * alpha + beta * beta;
                inner[2 * p + 1][j] = (alpha * u - beta * v) / square;
                inner[2 * p + 2][j] = (beta * u + alpha * v) / square;
            }
        }
        let mut matrix = [[0.0; S]; S];
        for k in 0..S {
            for j in 0..S {
                matrix[k][j] = (0..S).map(|i| self.from[k][i] * inner[i][j]).sum();
            }
        }
        matrix
    }
}

/// The transformation from the eigenbasis times the eigenvalues.
const fn slopes<const S: usize>(from: &[[f64; S]; S], real: f64, pairs: &[(f64, f64)]) -> [[f64; S]; S] {
    let mut out = [[0.0; S]; S];
    let mut k = 0;
    while k < S {
        out[k][0] = from[k][0] * real;
        let mut p = 0;
        while p < pairs.len() {
            let ((alpha, beta), u, v) = (pairs[p], 2 * p + 1, 2 * p + 2);
            out[k][u] = from[k][u] * alpha - from[k][v] * beta;
            out[k][v] = from[k][u] * beta + from[k][v] * alpha;
            p += 1;
        }
        k += 1;
    }
    out
}

const FROM_5: [[f64; 3]; 3] = [
    [0.094_438_762_488_975_24, -0.141_255_295_020_954_2, 0.030_029_194_105_147_424],
    [0.250_213_122_965_333_3, 0.204_129_352_293_799_94, -0.382_942_112_757_261_9],
    [1.0, 1.0, 0.0],
];
const REAL_5: f64 = 3.637_834_252_744_496;
const PAIRS_5: &[(f64, f64)] = &[(2.681_082_873_627_752_3, 3.050_430_199_247_410_5)];

/// Order 5.
pub static ORDER_5: Tableau<3> = Tableau {
    nodes: [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0],
    weights: [0.376_403_062_700_467_25, 0.512_485_826_188_421_6, 0.111_111_111_111_111_1],
    from: FROM_5,
    to: [
        [4.178_718_591_551_905, 0.327_682_820_761_062_37, 0.523_376_445_499_449_5],
        [-4.178_718_591_551_905, -0.327_682_820_761_062_37, 0.476_623_554_500_550_44],
        [0.502_872_634_945_786_8, -2.571_926_949_855_605, 0.596_039_204_828_224_9],
    ],
    slopes: slopes(&FROM_5, REAL_5, PAIRS_5),
    real: REAL_5,
    pairs: PAIRS_5,
    error: [-10.048_809_399_827_416, 1.382_142_733_160_749, -0.333_333_333_333_333_3],
};

const FROM_9: [[f64; 5]; 5] = [
    [
        0.013_576_867_344_947_943,
        -0.011_478_515_255_229_515,
        0.014_019_858_892_875_41,
        -0.010_242_047_817_908_826,
        -0.047_673_877_290_295_72,
    ],
    [
        0.001_617_900_401_719_087_5,
        -0.007_668_830_749_180_163,
        -0.024_708_578_426_518_527,
        0.050_172_864_517_371_06,
        0.094_331_819_181_611_43,
    ],
    [
        0.079_157_853_347_447_21,
        0.019_398_463_998_828_95,
        -0.081_800_353_703_751_17,
        -0.230_539_534_043_417_95,
        -0.102_703_045_380_125_9,
    ],
    [
        0.412_256_082_680_461_43,
        0.407_601_171_280_199_07,
        -0.199_682_427_886_802_52,
        0.377_893_902_248_861_27,
        -0.466_744_130_332_494_34,
    ],
    [1.0, 1.0, 0.0, 1.0, 0.0],
];
const REAL_9: f64 = 6.286_704_751_729_276_5;
const PAIRS_9: &[(f64, f64)] =
    &[(5.700_953_298_671_79, 3.210_265_600_308_549_7), (3.655_694_325_463_572, 6.543_736_899_360_077)];

/// Order 9.
pub static ORDER_9: Tableau<5> = Tableau {
    nodes: [0.057_104_196_114_517_68, 0.276_843_013_638_123_8, 0.583_590_432_368_916_8, 0.860_240_135_656_219_5, 1.0],
    weights: [
        0.143_713_560_791_225_94,
        0.281_356_015_149_462_07,
        0.311_826_522_975_741_26,
        0.223_103_901_083_570_75,
        0.04,
    ],
    from: FROM_9,
    to: [
        [
            27.697_693_775_684_087,
            12.783_337_911_304_406,
            3.208_489_386_713_43,
            -0.951_490_412_248_916_2,
            0.741_550_496_025_989_7,
        ],
        [
            -33.041_880_213_519,
            -17.376_953_479_063_566,
            -0.172_129_063_254_005_57,
            -0.099_169_777_982_542_65,
            0.531_228_115_838_306_6,
        ],
        [
            8.611_443_979_875_292,
            -9.699_991_409_528_808,
            -1.914_728_639_696_874_3,
            -2.418_692_006_084_94,
            1.047_463_487_935_337_5,
        ],
        [
            5.344_186_437_834_912,
            4.593_615_567_759_161,
            -3.036_360_323_459_424_3,
            1.050_660_190_231_459,
            -0.272_778_611_864_296_25,
        ],
        [
            -3.748_059_807_439_805,
            3.984_965_736_343_885,
            1.044_415_641_608_018_8,
            -1.184_098_568_137_948_6,
            0.449_917_770_156_780_36,
        ],
    ],
    slopes: slopes(&FROM_9, REAL_9, PAIRS_9),
    real: REAL_9,
    pairs: PAIRS_9,
    error: [-27.780_933_944_064_64, 3.641_478_498_049_213, -1.252_547_721_169_118_7, 0.592_003_167_184_542_8, -0.2],
};
