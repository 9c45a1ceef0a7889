//! Random numbers that follow from a seed and are the same everywhere: SplitMix64.

/// The step of the stream: an odd number from the golden section. Seeds that differ by multiples of it do not meet.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// All bits of a number depend on all bits of another.
pub fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The number of the stream that comes after state `x`.
pub fn mix(x: u64) -> u64 {
    scramble(x.wrapping_add(STEP))
}

/// A number in [0, 1) for a place in the stream of a seed, entered anywhere.
pub fn uniform(seed: u64, counter: u64) -> f64 {
    part(mix(mix(seed).wrapping_add(counter.wrapping_mul(STEP))))
}

/// Bits as a number in [0, 1).
pub fn part(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The stream from a state on.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next bits.
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// The next number in [0, 1).
    pub fn even(&mut self) -> f64 {
        part(self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::{SplitMix64, uniform};

    /// The published sequence of seed 1234567.
    #[test]
    fn the_stream_is_that_of_splitmix64() {
        let mut random = SplitMix64(1_234_567);
        for bits in [6_457_827_717_110_365_317u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423] {
            assert_eq!(random.bits(), bits);
        }
        assert!((0..1000).all(|k| (0.0..1.0).contains(&uniform(7, k))));
    }
}
