//! Laws in power series: slopes are those of dual numbers, and higher terms those of differences of slopes.
mod samples;
use samples::samples;
use stickslip_laws::*;
use stickslip_real::{Dual, Real, Series};

/// Difference along a direction, as a part of each quantity.
const STEP: f64 = 1e-4;

/// What a law answers, forces and rates, at a point of a line through (v, n, z).
fn along(group: &dyn ContactGroup, sample_at: &[f64], d: &[f64], s: f64) -> Option<Vec<[f64; 2]>> {
    let at = |k: usize| Dual::<4> { re: sample_at[k] + s * d[k], eps: [d[k], 0.0, 0.0, 0.0] };
    let z: Vec<Dual<4>> = (2..sample_at.len()).map(at).collect();
    let slide = Slide::new([at(0), Dual::constant(0.0)], at(1));
    let mut dz = z.clone();
    let mut out = [Friction::Force([Dual::constant(0.0); 2])];
    group.respond(&[slide], &z, &mut dz, &mut out);
    let force = match out[0] {
        Friction::Force(f) => f[0],
        Friction::Cone { strength, .. } => strength,
    };
    let all: Vec<[f64; 2]> = [force].iter().chain(&dz).map(|x| [x.re, x.eps[0]]).collect();
    all.iter().flatten().all(|x| x.is_finite()).then_some(all)
}

#[test]
fn every_law_has_a_jet_and_it_agrees_with_differences_of_slopes() {
    let mut compared = 0;
    for kind in friction_kinds() {
        for sample in samples(kind.name) {
            let Ok(values) = Values::resolve(kind.params, kind.one_of, sample.given()) else { continue };
            let Ok(group) = kind.build(&[values], 1, 1) else { continue };
            let Some(example) = kind.example else { continue };
            let jet = group.jet().unwrap_or_else(|| panic!("{} has no jet", kind.name));
            let mut place = vec![example.speed, example.load];
            place.extend(group.states().iter().map(|s| if s.start != 0.0 { 1.1 * s.start } else { 0.0 }));
            let d: Vec<f64> = place.iter().enumerate().map(|(k, x)| x * (0.3 + 0.2 * k as f64)).collect();
            let look = |s: f64| along(&*group, &place, &d, s);
            let (Some(low), Some(here), Some(high)) = (look(-STEP), look(0.0), look(STEP)) else { continue };
            let at = |k: usize| Series::<4>([place[k], d[k], 0.0, 0.0]);
            let z: Vec<Cubic> = (2..place.len()).map(at).collect();
            let slide = Slide::new([at(0), Cubic::zero()], at(1));
            let mut dz = z.clone();
            let mut out = [Friction::Force([Cubic::zero(); 2])];
            jet.respond(&[slide], &z, &mut dz, &mut out);
            let force = match out[0] {
                Friction::Force(f) => f[0],
                Friction::Cone { strength, .. } => strength,
            };
            for (i, c) in [force].iter().chain(&dz).enumerate() {
                let size = here[i][0].abs().max(here[i][1].abs()).max(1e-300);
                assert!((c.0[0] - here[i][0]).abs() <= 1e-12 * size, "{} {i}: value", kind.name);
                assert!((c.0[1] - here[i][1]).abs() <= 1e-11 * size, "{} {i}: {} {:?}", kind.name, c.0[1], here[i]);
                let second = (high[i][1] - low[i][1]) / (4.0 * STEP);
                let third = (high[i][1] - 2.0 * here[i][1] + low[i][1]) / (6.0 * STEP * STEP);
                let most = size.max(second.abs()).max(third.abs());
                // A kink between the two places has differences of its own.
                if (high[i][1] - here[i][1]).abs() > 0.2 * size || most > 1e4 * size {
                    continue;
                }
                assert!((c.0[2] - second).abs() <= 1e-5 * most, "{} {i}: {} {second}", kind.name, c.0[2]);
                compared += 1;
                assert!((c.0[3] - third).abs() <= 1e-4 * most, "{} {i}: {} {third}", kind.name, c.0[3]);
            }
        }
    }
    assert!(compared > 30, "only {compared} answers were compared");
}
