//! The figures of Hashiguchi & Ozaki against independent numbers; mm, MPa and s as in the paper.
use super::*;

/// Parameters of Figs 3 to 5 with M = 0.3, in mm, MPa and s: the law knows no unit.
fn fig3() -> Subloading {
    #[rustfmt::skip]
    let law = Subloading {
        surface: Choice(0), M: 0.3, F_s: 100.0, F_k: 30.0, kappa: 1000.0, m: 1.0, eta: 10.0, n: 2.0, u: 100.0,
        alpha_t: 100.0, F_0: 100.0,
    };
    law
}

/// Runge-Kutta of order 4; the kinks at the switch cost accuracy only where they are crossed.
fn integrate<const D: usize>(
    law: &Subloading,
    z: &mut [f64],
    duration: f64,
    steps: usize,
    at: impl Fn(f64) -> Slide<f64, D>,
    mut see: impl FnMut(f64, &[f64]),
) {
    let (h, k) = (duration / steps as f64, z.len());
    let rate = |t: f64, z: &[f64]| {
        let mut dz = vec![0.0; k];
        law.respond(&at(t), z, &mut dz);
        dz
    };
    let moved = |z: &[f64], d: &[f64], h: f64| z.iter().zip(d).map(|(z, d)| z + h * d).collect::<Vec<_>>();
    for i in 0..steps {
        let t = i as f64 * h;
        let k1 = rate(t, z);
        let k2 = rate(t + h / 2.0, &moved(z, &k1, h / 2.0));
        let k3 = rate(t + h / 2.0, &moved(z, &k2, h / 2.0));
        let k4 = rate(t + h, &moved(z, &k3, h));
        for j in 0..k {
            z[j] += h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
        }
        see(t + h, z);
    }
}

/// Slides a distance; answers the largest f_t/f_n and F there.
fn slide(law: &Subloading, n: f64, z: &mut [f64], v: f64, distance: f64, steps: usize) -> (f64, f64) {
    let mut peak = (0.0, 0.0);
    integrate::<1>(
        law,
        z,
        distance / v,
        steps,
        |_| Slide::new([v], n),
        |_, z| {
            if z[0] / n > peak.0 {
                peak = (z[0] / n, z[1]);
            }
        },
    );
    peak
}

/// [u_t, f_t/f_n, F] at v = 0.01 mm/s.
#[test]
fn first_sliding_follows_fig_3() {
    let law = fig3();
    let mut z = [0.0, 100.0];
    let mut at = 0.0;
    for (x, mu, size) in [
        (0.005, 0.04993859236921278, 99.98567303960034),
        (0.01, 0.09974737266308781, 99.9410791130777),
        (0.03, 0.2968199923813544, 99.26218165791158),
        (0.05, 0.4803716161051623, 95.57729324596976),
        (0.08, 0.5673658610634836, 63.246544638415855),
        (0.1, 0.5310653467236305, 48.15584949049942),
        (0.15, 0.5043362020265617, 41.087100854019944),
        (0.4, 0.5021595025779348, 40.589001321291484),
    ] {
        slide(&law, 10.0, &mut z, 0.01, x - at, ((x - at) / 2e-5) as usize + 1);
        at = x;
        assert!((z[0] / 10.0 - mu).abs() < 1e-5 && (z[1] - size).abs() < 1e-3, "{x}: {z:?}");
    }
}

/// [v, peak, F at the peak, steady F, steady f_t/f_n]: both fall with speed.
#[test]
fn peaks_and_steady_friction_fall_with_speed() {
    let law = fig3();
    for (v, peak, at_peak, size, steady) in [
        (0.001, 0.5848100361407633, 73.09823373585212, 65.56763427748037, 0.5817984859311441),
        (0.01, 0.5770366582600805, 74.80816245706679, 40.58900056249106, 0.5021594992273546),
        (0.1, 0.5763461590633197, 74.9021980654967, 31.41132202395066, 0.4538997638347323),
        (10.0, 0.5762708469484907, 74.91212854434191, 30.014693829239445, 0.4447902352254174),
    ] {
        let mut z = [0.0, 100.0];
        let first = slide(&law, 10.0, &mut z, v, 1.0, 60_000);
        assert!((first.0 - peak).abs() < 1e-5 && (first.1 - at_peak).abs() < 2e-2, "{v}: {first:?}");
        assert!((z[1] - size).abs() < 1e-5 && (z[0] / 10.0 - steady).abs() < 1e-7, "{v}: {z:?}");
    }
}

#[test]
fn a_larger_u_gives_a_higher_peak() {
    for (u, peak) in [(10.0, 0.5021594989096381), (50.0, 0.544260757922802), (1000.0, 0.6302265416150601)] {
        let law = Subloading { u, ..fig3() };
        let (mu, _) = slide(&law, 10.0, &mut [0.0, 100.0], 0.01, 2.0, 200_000);
        assert!((mu - peak).abs() < 2e-5, "{u}: {mu}");
    }
}

/// [rest, F after it, second peak]: slide 1 mm, unload at once, rest, slide again (Fig 5); F alone recovers at rest.
#[test]
fn friction_recovers_at_rest() {
    let law = fig3();
    for (rest, size, peak) in [
        (1.0, 43.92072626293948, 0.5181135256149008),
        (10.0, 62.73092845089477, 0.5352906964861448),
        (100.0, 91.44069384982751, 0.566745002125629),
        (200.0, 95.38813246523607, 0.5714394892283019),
    ] {
        let mut z = [0.0, 100.0];
        slide(&law, 10.0, &mut z, 0.01, 1.0, 50_000);
        z[0] = 0.0;
        integrate::<1>(&law, &mut z, rest, 2000, |_| Slide::new([0.0], 10.0), |_, _| ());
        assert!(z[0] == 0.0 && (z[1] - size).abs() < 1e-4, "{rest}: {z:?}");
        let (mu, _) = slide(&law, 10.0, &mut z, 0.01, 1.0, 50_000);
        assert!((mu - peak).abs() < 1e-5, "{rest}: {mu}");
    }
}

#[rustfmt::skip]
fn fig6() -> Subloading {
    Subloading {
        M: 0.28, F_s: 120.0, F_k: 25.0, kappa: 3000.0, m: 2.0, eta: 0.1, u: 1500.0, alpha_t: 1e4, F_0: 120.0, ..fig3()
    }
}

#[rustfmt::skip]
fn fig7() -> Subloading {
    Subloading {
        M: 0.16, F_s: 1200.0, F_k: 200.0, kappa: 1e4, m: 2.0, eta: 230.0, u: 3000.0, alpha_t: 1e4, F_0: 1200.0, ..fig3()
    }
}

/// Figs 6 and 7: [f_t/f_n, F] at the first peak.
#[test]
fn first_peaks_of_figs_6_and_7() {
    let (mu, size) = slide(&fig6(), 10.0, &mut [0.0, 120.0], 2e-4, 0.01, 20_000);
    assert!((mu - 0.5684201354947414).abs() < 1e-5 && (size - 89.42091205159886).abs() < 0.05, "{mu} {size}");
    let (mu, size) = slide(&fig7(), 138.0, &mut [0.0, 1200.0], 0.1, 1.0, 100_000);
    assert!((mu - 0.3169289187664429).abs() < 1e-5 && (size - 1035.1202084803651).abs() < 1.0, "{mu} {size}");
}

/// [rest, F after it, second peak]. Fig 6: the traction stays during the rest; Fig 7: it is taken off.
#[test]
fn recovery_of_figs_6_and_7() {
    for (rest, size, peak) in
        [(10.0, 32.98162757808634, 0.43199783004147), (400.0, 49.57825527042544, 0.48458929915450727)]
    {
        let mut z = [0.0, 120.0];
        slide(&fig6(), 10.0, &mut z, 2e-4, 0.1, 100_000);
        let held = z[0];
        integrate::<1>(&fig6(), &mut z, rest, 4000, |_| Slide::new([0.0], 10.0), |_, _| ());
        assert!(z[0] == held && (z[1] - size).abs() < 1e-4, "{rest}: {z:?}");
        let (mu, _) = slide(&fig6(), 10.0, &mut z, 2e-4, 0.02, 40_000);
        assert!((mu - peak).abs() < 1e-5, "{rest}: {mu}");
    }
    for (rest, size, peak) in
        [(1.0, 393.3224833104732, 0.22852229290872236), (100.0, 1141.3563780010056, 0.31364570875148684)]
    {
        let mut z = [0.0, 1200.0];
        slide(&fig7(), 138.0, &mut z, 0.1, 1.0, 100_000);
        z[0] = 0.0;
        integrate::<1>(&fig7(), &mut z, rest, 4000, |_| Slide::new([0.0], 138.0), |_, _| ());
        assert!((z[1] - size).abs() < 1e-3, "{rest}: {z:?}");
        let (mu, _) = slide(&fig7(), 138.0, &mut z, 0.1, 0.2, 40_000);
        assert!((mu - peak).abs() < 1e-5, "{rest}: {mu}");
    }
}

/// Two directions: straight, and turning at 0.1 rad/s for 40 s.
#[test]
fn traction_turns_with_the_slip() {
    let law = fig3();
    let mut z = [0.0, 0.0, 100.0];
    integrate::<2>(&law, &mut z, 20.0, 20_000, |_| Slide::new([0.01, 0.0], 10.0), |_, _| ());
    assert!((z[0] - 5.023099445087448).abs() < 1e-5 && z[1] == 0.0 && (z[2] - 40.623097982875635).abs() < 1e-3);
    let mut z = [0.0, 0.0, 100.0];
    let turning = |t: f64| Slide::new([0.01 * (0.1 * t).cos(), 0.01 * (0.1 * t).sin()], 10.0);
    integrate::<2>(&law, &mut z, 40.0, 40_000, turning, |_, _| ());
    assert!((z[0] + 4.8050337731049035).abs() < 2e-4 && (z[1] + 1.6288345838234295).abs() < 2e-4, "{z:?}");
    assert!((z[2] - 41.790362088131864).abs() < 5e-3);
}

/// The pressure grows by 0.1 MPa/s during sliding.
#[test]
fn growing_pressure_enters_the_consistency_condition() {
    let mut z = [0.0, 100.0];
    let at = |t: f64| Slide::new([0.01], 10.0 + 0.1 * t).with_load_rate(0.1);
    integrate::<1>(&fig3(), &mut z, 30.0, 60_000, at, |_, _| ());
    assert!((z[0] - 5.8982218305943634).abs() < 2e-4 && (z[1] - 40.79553571692716).abs() < 5e-3, "{z:?}");
}

#[test]
fn the_ratio_without_traction_is_pressure_over_size() {
    assert_eq!(fig3().ratio(10.0, 0.0, 100.0), 0.1);
}

/// u = 100 is stable up to M = 1.456 (fast limit); beyond, the law refuses.
#[test]
fn snap_back_is_reported_and_not_integrated() {
    let law = Subloading { M: 3.0, kappa: 3000.0, ..fig3() };
    let mut z = [0.0, 100.0];
    slide(&law, 10.0, &mut z, 10.0, 2.0, 100_000);
    assert!(z[0].is_nan());
    let at = Slide::new([1.0], 10.0);
    let beyond = [law.shape().limit(3.0, 10.0, 95.0), 95.0];
    let mut dz = [0.0; 2];
    law.respond(&at, &beyond, &mut dz);
    assert!(dz[0].is_nan() && Law::<f64, 1>::fault(&law, &at, &beyond).unwrap().starts_with("snap-back"));
    assert_eq!(Law::<f64, 1>::fault(&fig3(), &at, &[1.0, 95.0]), None);
}
