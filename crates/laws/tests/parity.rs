//! Closed forms and independent numbers of the papers.
use stickslip_laws::friction::{LuGre, RateState};
use stickslip_laws::{
    Choice, Event, Face, Friction, Given, Kind, Law, Scale, Slide, Values, friction_kinds, normal_kinds,
};
use stickslip_laws::{Normal, NormalFace, Press};
use stickslip_real::Dual;

fn values(name: &str, given: &[(&str, Given)]) -> Values {
    let kind = friction_kinds().iter().find(|k| k.name == name).unwrap();
    let given: Vec<_> = given.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    Values::resolve(kind.params, kind.one_of, &given).unwrap()
}

/// Lim & Chen's paper on paper.
fn paper() -> RateState {
    #[rustfmt::skip]
    let p = RateState {
        form: Choice(0), evolution: Choice(0), mu_0: 0.369, a: 0.011, b: vec![0.025], v_0: 1e-6, d_c: vec![0.9e-6],
        eta: 14.0, alpha: 0.0,
    };
    p
}

fn law(p: RateState) -> <RateState as Kind<f64>>::Law {
    p.into()
}

fn force<L: Law<f64, 1>>(law: &L, v: f64, n: f64, z: &[f64]) -> (f64, Vec<f64>) {
    let mut dz = vec![0.0; z.len()];
    match law.respond(&Slide::new([v], n), z, &mut dz) {
        Friction::Force([f]) => (f, dz),
        Friction::Cone { .. } => panic!("a force"),
    }
}

fn close(x: f64, expected: f64, relative: f64) {
    assert!((x - expected).abs() <= relative * expected.abs(), "{x:e} instead of {expected:e}");
}

#[test]
fn rate_state_has_the_friction_of_lim_and_chen() {
    let law = law(paper());
    for (v, mu) in
        [(1e-8, 0.43347252260383323), (1e-6, 0.369014), (1e-3, 0.28629142609425007), (0.1, 1.607819043490417)]
    {
        let (f, dz) = force(&law, v, 1.0, &[0.9e-6 / v]);
        close(f, mu, 1e-9);
        assert!(dz[0].abs() < 1e-15);
        close(force(&law, -v, 1.0, &[0.9e-6 / v]).0, -mu, 1e-9);
    }
    close(force(&law, 1e-20, 1.0, &[1.0]).0, 0.01750208680391995, 1e-8);
    close(force(&law, 1e-3, 1.0, &[0.9e-3]).0, 0.28629142609425007, 1e-8);
    assert_eq!(force(&law, 0.0, 1.0, &[1.0]), (0.0, vec![1.0]));
}

/// Trap 7: exp(mu_0/a) overflows by far, and the law is its logarithm down to 1e-20 m/s, with its slope.
#[test]
fn rate_state_does_not_overflow() {
    let p = RateState { a: 3e-4, b: vec![4e-4], eta: 0.0, ..paper() };
    let smooth = law(p.clone());
    let log = law(RateState { form: Choice(1), ..p.clone() });
    for v in [1e-20, 1e-12, 1e-6, 1.0] {
        close(force(&smooth, v, 1.0, &[0.1]).0, force(&log, v, 1.0, &[0.1]).0, 1e-14);
    }
    let dual: <RateState<Dual<4>> as Kind<Dual<4>>>::Law = {
        let lift = Dual::<4>::constant;
        #[rustfmt::skip]
        let p = RateState {
            form: p.form, evolution: p.evolution, mu_0: lift(p.mu_0), a: lift(p.a), b: vec![lift(p.b[0])],
            v_0: lift(p.v_0), d_c: vec![lift(p.d_c[0])], eta: lift(0.0), alpha: lift(0.0),
        };
        p.into()
    };
    let mut dz = [Dual::constant(0.0)];
    let at = Slide::new([Dual::variable(1e-20, 0)], Dual::constant(1.0));
    let Friction::Force([f]) = dual.respond(&at, &[Dual::variable(0.1, 1)], &mut dz) else { panic!("a force") };
    close(f.eps[0], 3e-4 / 1e-20, 1e-12);
    close(f.eps[1], 4e-4 / 0.1, 1e-12);
    assert_eq!(Law::<f64, 1>::velocity_scale(&smooth), Scale::Asinh(1e-30));
}

/// Through all expansions of the inverse hyperbolic sine, and where one takes over from the other.
#[test]
fn rate_state_is_an_asinh_at_every_speed() {
    let p = RateState { eta: 0.0, ..paper() };
    let (a, phi) = (p.a, 0.9);
    let c = 2.0 * p.v_0 * (-(p.mu_0 + p.b[0] * (p.v_0 * phi / p.d_c[0]).ln()) / a).exp();
    let law = law(p);
    for k in -60..=420 {
        // ln(2 v/c) from -6 to 42.
        let x = 0.5 * (k as f64 * 0.1).exp();
        close(force(&law, x * c, 1.0, &[phi]).0, a * x.asinh(), 1e-13);
    }
}

/// Two directions: the tangent at rest is the slope of the asinh, the same in every direction.
#[test]
fn rate_state_has_its_slope_at_rest_in_two_directions() {
    let values = values(
        "rate-state",
        &[
            ("mu_0", 0.369.into()),
            ("a", 0.011.into()),
            ("b", 0.025.into()),
            ("v_0", 1e-6.into()),
            ("d_c", 0.9e-6.into()),
        ],
    );
    let kind = friction_kinds().iter().find(|k| k.name == "rate-state").unwrap();
    let group = kind.build(&[values], 1, 2).unwrap();
    let c = Dual::<4>::constant;
    let at = Slide::new([Dual::variable(0.0, 0), Dual::variable(0.0, 1)], c(2.0));
    let (mut dz, mut out) = ([c(0.0)], [Friction::Force([c(0.0); 2])]);
    Face::<Dual<4>>::respond(&*group, &[at], &[c(0.9)], &mut dz, &mut out);
    let Friction::Force(f) = out[0] else { panic!("a force") };
    let slope = 2.0 * 0.011 / 2e-6 * (0.369f64 / 0.011).exp();
    for i in 0..2 {
        for j in 0..2 {
            assert!((f[i].eps[j] - if i == j { slope } else { 0.0 }).abs() <= 1e-12 * slope);
        }
    }
}

/// Linker & Dieterich: mu falls by alpha ln(N2/N1) at once, whatever the number of states; a ramp does the same.
#[test]
fn a_load_step_lowers_the_coefficient_by_alpha_times_its_logarithm() {
    let p = RateState { b: vec![0.02, 0.005], d_c: vec![1e-6, 2e-5], alpha: 0.2, eta: 0.0, ..paper() };
    let law = law(p);
    let names: Vec<_> = Law::<f64, 1>::states(&law).into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["phi_1", "phi_2"]);
    let (v, before) = (1e-6, [1.0, 20.0]);
    let mut after = before;
    law.on(Event::Load { from: 10.0, to: 12.0 }, &Slide::new([v], 12.0), &mut after);
    let drop = force(&law, v, 1.0, &before).0 - force(&law, v, 1.0, &after).0;
    close(drop, 0.2 * 1.2f64.ln(), 1e-12);
    let mut dz = [0.0; 2];
    law.respond(&Slide::new([0.0], 10.0).with_load_rate(1e6), &before, &mut dz);
    close((dz[0] - 1.0) / before[0], -0.2 / 0.025 * 1e5, 1e-9);
}

#[test]
fn states_may_be_given_as_lists_of_equal_length() {
    let kind = friction_kinds().iter().find(|k| k.name == "rate-state").unwrap();
    let given = |d_c: Given| {
        let all = [("mu_0", 0.6.into()), ("a", 0.01.into()), ("b", [0.01, 0.02].into()), ("v_0", 1e-6.into())];
        let mut all: Vec<(String, Given)> = all.into_iter().map(|(k, v)| (k.to_string(), v)).collect();
        all.push(("d_c".into(), d_c));
        Values::resolve(kind.params, kind.one_of, &all)
    };
    assert!(given([1e-6, 2e-6].into()).is_ok() && given(1e-6.into()).is_ok());
    assert_eq!(given([1e-6, 2e-6, 3e-6].into()).unwrap_err().code, "shape");
    assert_eq!(kind.params.iter().filter(|p| p.column == Some("states")).count(), 2);
}

/// Berger: sigma_0 = 1e5, sigma_1 = sqrt(1e5), sigma_2 = 0.4, mu 1 to 1.5, v_s = 1e-3, N = 1.
#[test]
fn lugre_has_its_steady_friction_and_its_first_slide() {
    #[rustfmt::skip]
    let law = LuGre {
        mu_c: 1.0, mu_s: 1.5, v_s: 1e-3, sigma_0: 1e5, sigma_1: 1e5f64.sqrt(), sigma_2: 0.4, alpha: 2.0,
    };
    let g = |v: f64| 1.0 + 0.5 * (-(v / 1e-3) * (v / 1e-3)).exp();
    for (v, expected) in [(1e-4, 1.495064916874584), (1e-3, 1.1843397205857211)] {
        close(force(&law, v, 1.0, &[g(v) / 1e5]).0, expected, 1e-9);
    }
    for (v, t, expected) in [(1e-4, 0.05, 0.44765395190875296), (1e-3, 0.01, 0.8114725618135308)] {
        let z = g(v) / 1e5 * (1.0 - (-1e5 * v * t / g(v)).exp());
        close(force(&law, v, 1.0, &[z]).0, expected, 1e-7);
    }
    close(force(&law, 0.0, 1.0, &[1e-9]).0, 1e5 * 1e-9, 1e-9);
}

fn normal(name: &str, given: &[(&str, Given)], at: Press<f64>) -> (f64, f64) {
    let kind = normal_kinds().iter().find(|k| k.name == name).unwrap();
    let given: Vec<_> = given.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    let group = kind.build(&Values::resolve(kind.params, kind.one_of, &given).unwrap()).unwrap();
    let mut out = [Normal::none()];
    NormalFace::<f64>::respond(&*group, &[at], &[], &mut out);
    let slopes = Press::new(Dual::<4>::variable(at.gap, 0), Dual::variable(at.gap_rate, 1));
    let mut dual = [Normal::none()];
    NormalFace::<Dual<4>>::respond(&*group, &[slopes], &[], &mut dual);
    match (out[0], dual[0]) {
        (Normal::Force { n, stored, .. }, Normal::Force { n: d, .. }) => {
            assert!(d.eps.iter().all(|e| e.is_finite()), "{name}");
            (n, stored)
        }
        _ => panic!("a force"),
    }
}

/// The load that friction follows.
fn load(given: &[(&str, Given)], at: Press<f64>) -> f64 {
    let kind = normal_kinds().iter().find(|k| k.name == "power").unwrap();
    let given: Vec<_> = given.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    let group = kind.build(&Values::resolve(kind.params, kind.one_of, &given).unwrap()).unwrap();
    let mut out = [Normal::none()];
    NormalFace::<f64>::respond(&*group, &[at], &[], &mut out);
    let [Normal::Force { load, .. }] = out else { panic!("a force") };
    load
}

#[test]
fn friction_follows_the_elastic_pressure_or_all_of_it() {
    let given = [("c", Given::from(1e6)), ("m", 1.0.into()), ("b", 1e5.into())];
    let all = [given.as_slice(), &[("friction_follows", "all".into())]].concat();
    for rate in [-1.0, 0.0, 1.0, 20.0] {
        let at = Press::new(-1e-3, rate);
        close(load(&given, at), 1e3, 1e-13);
        assert_eq!(load(&all, at), normal("power", &all, at).0);
    }
}

#[test]
fn normal_laws_give_their_forces() {
    let mut at = Press::new(-2e-3, 0.0);
    (at.mass, at.given, at.area) = (1.2, 30.0, 0.5);
    assert_eq!(normal("weight", &[], at).0, 1.2 * 9.80665);
    assert_eq!(normal("prescribed", &[], at).0, 30.0);
    assert_eq!(normal("prescribed", &[("of", "pressure".into())], at).0, 15.0);
    at.given = -1.0;
    assert_eq!(normal("prescribed", &[], at).0, 0.0);
    let (n, stored) = normal("power", &[("c", 1e6.into()), ("m", 2.5.into())], at);
    close(n, 0.5 * 1e6 * 2e-3f64.powf(2.5), 1e-13);
    close(stored, 0.5 * 1e6 * 2e-3f64.powf(3.5) / 3.5, 1e-13);
}

/// The damping of an opening contact cannot pull, an open one has no force, and first contact has its slope.
#[test]
fn the_power_law_never_pulls() {
    let given = [("c", 1e6.into()), ("m", 1.0.into()), ("b", 1e5.into())];
    close(normal("power", &given, Press::new(-1e-3, -1.0)).0, 1e3 + 1e2, 1e-13);
    assert_eq!(normal("power", &given, Press::new(-1e-3, 20.0)).0, 0.0);
    assert_eq!(normal("power", &given, Press::new(1e-3, -20.0)), (0.0, 0.0));
    assert_eq!(normal("power", &given, Press::new(0.0, 0.0)).0, 0.0);
}
