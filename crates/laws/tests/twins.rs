//! A law written as a formula answers as its twin of the catalogue does, with the same tangents.
#[allow(dead_code)]
mod samples;

use samples::written;
use stickslip_laws::conformance::Sample;
use stickslip_laws::{ContactGroup, Face, Friction, Given, LawError, Mode, Scale, Slide, Values, friction_kinds};
use stickslip_real::Dual;

/// Agreement of value and tangents, relative.
const TWIN: f64 = 1e-12;

fn build(name: &str, given: &[(String, Given)], directions: usize) -> Result<Box<dyn ContactGroup>, LawError> {
    let kind = friction_kinds().iter().find(|k| k.name == name).unwrap();
    let values = Values::resolve(kind.params, kind.one_of, given)?;
    kind.build(&[values], 1, directions)
}

fn given(all: &[(&str, f64)]) -> Vec<(String, Given)> {
    all.iter().map(|(k, x)| (k.to_string(), (*x).into())).collect()
}

/// Velocity, load and first state are the directions of the tangent.
fn respond(group: &dyn ContactGroup, v: f64, n: f64, z: &[f64]) -> Vec<Dual<4>> {
    let mut at = Slide::new([Dual::variable(v, 0), Dual::constant(0.0)], Dual::variable(n, 1));
    at.mode = Mode::slipping(v);
    let z: Vec<Dual<4>> = z.iter().enumerate().map(|(i, x)| Dual::variable(*x, 2 + i)).collect();
    let mut dz = vec![Dual::constant(0.0); z.len()];
    let mut out = [Friction::Force([Dual::constant(0.0); 2])];
    Face::<Dual<4>>::respond(group, &[at], &z, &mut dz, &mut out);
    let head = match out[0] {
        Friction::Cone { hold, strength } => [hold, strength],
        Friction::Force(f) => f,
    };
    head.into_iter().chain(dz).collect()
}

fn same(sample: Sample, twin: (&str, &[(&str, f64)]), n: f64, states: &[f64]) {
    let written = build("formula", sample.given(), 1).unwrap();
    let twin = build(twin.0, &given(twin.1), 1).unwrap();
    assert_eq!(written.states().len(), twin.states().len());
    let states: Vec<Vec<f64>> =
        if twin.states().is_empty() { vec![vec![]] } else { states.iter().map(|z| vec![*z]).collect() };
    for v in [0.0, 1e-20, 1e-12, 1e-9, 1e-6, 1e-5, 1e-3, 0.02, 1.0].into_iter().flat_map(|v| [v, -v]) {
        for n in [0.0, 1e-9, n, 2.0 * n] {
            for z in &states {
                let (a, b) = (respond(&*written, v, n, z), respond(&*twin, v, n, z));
                for (i, (a, b)) in a.iter().zip(&b).enumerate() {
                    let numbers = |d: &Dual<4>| [d.re, d.eps[0], d.eps[1], d.eps[2]];
                    for (k, (x, y)) in numbers(a).into_iter().zip(numbers(b)).enumerate() {
                        // A rate whose terms cancel is known to the rounding of its inputs.
                        let inputs = (v * b.eps[0]).abs() + z.first().map_or(0.0, |z| (z * b.eps[2]).abs());
                        let rounding = if k == 0 { 4.0 * f64::EPSILON * inputs } else { 0.0 };
                        let close = (x - y).abs() <= TWIN * (x.abs() + y.abs()) + rounding;
                        assert!(close, "v = {v:e}, N = {n:e}, z = {z:?}: output {i}, part {k}: {x:e} instead of {y:e}");
                    }
                }
            }
        }
    }
}

fn sample() -> Sample {
    Sample::new("twin", 1.0, 1.0, 1.0)
}

#[test]
fn a_written_stribeck_law_is_its_twin() {
    let numbers = [("mu_k", 0.3), ("mu_s", 0.5), ("v_s", 0.02)];
    same(written::stribeck(sample(), written::STRIBECK), ("stribeck", &numbers), 10.0, &[]);
    let viscous = [&numbers[..], &[("viscous", 20.0)]].concat();
    same(written::stribeck(sample(), written::VISCOUS), ("stribeck", &viscous), 10.0, &[]);
}

#[test]
fn written_bristles_are_their_twin() {
    let numbers = [("mu_c", 1.0), ("mu_s", 1.5), ("v_s", 1e-3), ("sigma_0", 1e5), ("sigma_1", 300.0), ("sigma_2", 0.4)];
    same(written::lugre(sample()), ("lugre", &numbers), 2.0, &[0.0, 1e-9, -1e-6, 1.49e-5, -1.49e-5]);
}

/// Contacts older than 1e4 s are smooth below 1e-30 m/s: there the law of the catalogue is smoothed on that scale.
#[test]
fn written_ageing_contacts_are_their_twin() {
    let numbers = [("mu_0", 0.369), ("a", 0.011), ("b", 0.025), ("v_0", 1e-6), ("d_c", 0.9e-6), ("eta", 14.0)];
    same(written::paper(sample()), ("rate-state", &numbers), 11.8, &[1e-12, 1e-3, 0.9, 0.18, 1e4]);
    let group = build("formula", written::paper(sample()).given(), 2).unwrap();
    let twin = build("rate-state", &given(&numbers), 2).unwrap();
    assert!(matches!((group.velocity_scale(), twin.velocity_scale()), (Scale::Asinh(_), Scale::Asinh(_))));
    assert_eq!(group.states()[0].scale, twin.states()[0].scale);
}

/// Claims are found in what is written.
#[test]
fn claims_follow_from_the_formulas() {
    let claims = |sample: Sample| build("formula", sample.given(), 1).unwrap().claims();
    let c = claims(sample().set("strength", "0.3").set("hold", "0.4"));
    assert!(c.memoryless && c.rate_independent && c.load_linear && c.set_valued && c.odd && c.passive);
    let c = claims(sample().set("strength", "0.3 + 0.01*sin(t)").set("hold", "0.4"));
    assert!(!c.rate_independent && c.memoryless);
    let c = claims(written::lugre(sample()));
    assert!(c.odd && c.passive_if && !c.passive && !c.set_valued && !c.memoryless);
    let c = claims(sample().set("force", "0.3*tanh(v/0.01) + 0.01"));
    assert!(!c.odd && !c.positive_speed);
    assert!(claims(sample().set("force", "0.6 + 0.01*ln(v)")).positive_speed);
}

#[test]
fn a_force_that_does_not_reverse_has_no_plane() {
    let refused = |sample: Sample| build("formula", sample.given(), 2).err().unwrap();
    let e = refused(written::lugre(sample()));
    assert_eq!((e.code, e.param.as_str()), ("directions", "force"));
    assert_eq!(refused(sample().set("force", "0.1 + tanh(v)")).code, "directions");
    assert!(build("formula", sample().set("force", "tanh(v)").given(), 2).is_ok());
}
