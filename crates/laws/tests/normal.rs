//! Normal laws: the suite, and closed forms.
use stickslip_laws::conformance::{NormalSample, normal_findings};
use stickslip_laws::{
    Event, Given, Kind, Mode, Normal, NormalFace, NormalGroup, NormalKind, NormalLaw, Press, Values, normal_kinds,
};
use stickslip_real::{Dual, Real};

fn samples(kind: &str) -> Vec<NormalSample> {
    let new = NormalSample::new;
    let rough = |name, heights: &str| {
        let s = new(name, 0.5e-6).from_gap(2e-6).set("heights", heights).set("sigma", 0.5e-6).set("R", 50e-6);
        s.set("density", 2e9).set("E", 1.137e11).set("H", 2e9)
    };
    let sphere = |name| new(name, 10e-6).set("E", 1e11).set("R", 0.01);
    match kind {
        "constant" => vec![new("force", 1e-6).set("force", 3.0)],
        "weight" | "prescribed" | "rigid" => vec![new("plain", 1e-6)],
        "power" => vec![
            new("square", 1e-6).set("c", 1e18).set("m", 2.0),
            new("damped", 1e-6).set("c", 1e15).set("m", 1.5).set("b", 1e15).set("l", 1.5),
            new("offset", 1e-6).set("c", 1e18).set("m", 2.0).set("offset", 0.3e-6),
            new("early", 1e-6).set("c", 1e18).set("m", 2.0).set("offset", -0.3e-6),
        ],
        "linear" => vec![new("plain", 1e-6).set("k", 1e12), new("damped", 1e-6).set("k", 1e12).set("d", 20.0)],
        "exponential-pressure" => vec![new("plain", 1e-6).from_gap(1e-6).set("p_0", 1e6).set("B", 2e6)],
        "elastic-plastic" => vec![
            new("square", 1e-6).set("c", 1e18).set("m", 2.0).set("r", 0.6),
            new("linear", 1e-6).set("c", 1e12).set("m", 1.0).set("r", 0.5),
        ],
        "greenwood-williamson" => vec![rough("exponential", "exponential"), rough("gaussian", "gaussian")],
        "tsukizoe-hisakado" => vec![new("plain", 1e-6).from_gap(2e-6).set("sigma", 0.5e-6).set("H", 2e9)],
        "bush-gibson-thomas" => {
            let s = new("plain", 0.2e-6).from_gap(1e-6).set("sigma", 0.5e-6).set("slope", 0.1);
            vec![s.set("E", 1.137e11).set("h_0", 1e-6)]
        }
        "hertz" => vec![sphere("point"), sphere("line").set("contact", "line").set("length", 0.02)],
        "jkr" => vec![new("soft", 2e-6).from_gap(0.2e-6).set("E", 1e7).set("R", 1e-3).set("w", 0.05)],
        "dmt" => vec![new("hard", 0.3e-9).set("E", 5e10).set("R", 1e-8).set("w", 0.05)],
        "anderson-ferri" => vec![new("plain", 1e-6).set("F_0", 0.2).set("F_1", 0.1).set("F_2", 0.05)],
        _ => vec![],
    }
}

#[test]
fn every_normal_law_conforms() {
    for kind in normal_kinds() {
        let samples = samples(kind.name);
        assert!(!samples.is_empty(), "no samples for `{}`", kind.name);
        let found: Vec<String> = normal_findings(kind, &samples).iter().take(5).map(|f| format!("  {f}")).collect();
        assert!(found.is_empty(), "law `{}` does not conform:\n{}", kind.name, found.join("\n"));
    }
}

fn build(name: &str, given: &[(&str, Given)]) -> Box<dyn NormalGroup> {
    let kind = normal_kinds().iter().find(|k| k.name == name).unwrap();
    let given: Vec<_> = given.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    kind.build(&Values::resolve(kind.params, kind.one_of, &given).unwrap()).unwrap()
}

/// Force, area and stored energy at an approach.
fn at(group: &dyn NormalGroup, approach: f64, z: &[f64]) -> (f64, f64, f64) {
    let mut out = [Normal::none()];
    NormalFace::<f64>::respond(group, &[Press::new(-approach, 0.0)], z, &mut out);
    let Normal::Force { n, area, stored, .. } = out[0] else { panic!("a force") };
    (n, area, stored)
}

fn close(x: f64, expected: f64, relative: f64) {
    assert!((x - expected).abs() <= relative * expected.abs(), "{x:e} instead of {expected:e}");
}

/// Snap-in at -4/3, pull-off at -5/6 of pi w R, the least force -3/2 of it; and the radius at zero load.
#[test]
fn an_adhesive_sphere_has_its_known_forces() {
    let (e, r, w) = (1e7, 1e-3, 0.05);
    let jkr = build("jkr", &[("E", e.into()), ("R", r.into()), ("w", w.into())]);
    let unit = std::f64::consts::PI * w * r;
    let reach = 0.75 * (std::f64::consts::PI.powi(2) * w * w * r / (e * e)).cbrt();
    assert_eq!(at(&*jkr, 0.0, &[0.0]).0, 0.0);
    close(at(&*jkr, 0.0, &[1.0]).0, -4.0 / 3.0 * unit, 1e-12);
    close(at(&*jkr, -reach, &[1.0]).0, -5.0 / 6.0 * unit, 1e-4);
    let least = (0..4000).map(|k| at(&*jkr, reach * (k as f64 / 2000.0 - 1.0), &[1.0]).0).fold(0.0, f64::min);
    close(least, -1.5 * unit, 1e-6);
    // Force zero at x^(3/2) = 6: a^3 = 9 pi w R^2/(2 E).
    let x = 6f64.powf(2.0 / 3.0);
    let (n, area, _) = at(&*jkr, reach * (x * x - 4.0 * x.sqrt()) / 3.0, &[1.0]);
    assert!(n.abs() < 1e-12 * unit);
    let radius = (9.0 * std::f64::consts::PI * w * r * r / (2.0 * e)).cbrt();
    close(area, std::f64::consts::PI * radius * radius, 1e-12);
    // Events: it touches, holds beyond zero gap, and lets go at the reach.
    let mut z = [0.0];
    assert_eq!(jkr.touch(&Press::new(0.5 * reach, 0.0), &z), Some(-0.5 * reach));
    jkr.on(Event::Enter(Mode::Stick), &Press::new(0.0, -1.0), &mut z);
    assert_eq!(z, [1.0]);
    assert!(jkr.touch(&Press::new(reach, 0.0), &z).is_some_and(|touch| touch.abs() < 1e-12 * reach));
    jkr.on(Event::Enter(Mode::Open), &Press::new(reach, 1.0), &mut z);
    assert_eq!(z, [0.0]);
}

/// First loading is softer: after it the joint is elastic with what stays, and on reaching the greatest approach again it
/// yields on.
#[test]
fn a_joint_is_stiffer_after_its_first_loading() {
    let joint = build("elastic-plastic", &[("c", 1e18.into()), ("m", 2.0.into()), ("r", 0.6.into())]);
    close(at(&*joint, 1e-6, &[0.0]).0, 1e6, 1e-12);
    let mut z = [0.0];
    joint.on(Event::Guard(0), &Press::new(-2e-6, 0.0), &mut z);
    assert_eq!(z, [2e-6]);
    close(at(&*joint, 2e-6, &z).0, 4e6, 1e-12);
    close(at(&*joint, 1.6e-6, &z).0, 1e6, 1e-12);
    assert_eq!(at(&*joint, 1.2e-6, &z).0, 0.0);
    close(at(&*joint, 3e-6, &z).0, 9e6, 1e-12);
    let work: f64 = (0..2000).map(|k| at(&*joint, (k as f64 + 0.5) * 1e-9, &[0.0]).0 * 1e-9).sum();
    let back = at(&*joint, 2e-6, &z).2;
    assert!(back < work && back > 0.3 * work, "{back:e} of {work:e}");
}

/// Half width of a line contact from its load, and the approach from that.
#[test]
fn a_line_contact_has_the_half_width_of_its_load() {
    let line =
        build("hertz", &[("contact", "line".into()), ("E", 1e11.into()), ("R", 0.01.into()), ("length", 2.0.into())]);
    let b: f64 = 1e-4;
    let a = b * b / 0.04 * (2.0 * (0.04 / b).ln() - 1.0);
    let (n, area, _) = at(&*line, a, &[]);
    close(n, std::f64::consts::PI * 1e11 * b * b * 2.0 / 0.04, 1e-12);
    close(area, 2.0 * b * 2.0, 1e-12);
}

/// A spring whose answer is no number between a tenth and nine tenths of the way; `what` is lost: the force (1), the area
/// (2) or the energy (3).
#[derive(Clone, Debug, Kind)]
#[kind("hollow", claims = "memoryless passive elastic traction")]
struct Hollow<S = f64> {
    /// What is lost.
    #[param(unit = "1")]
    what: S,
}

impl<S: Real> NormalLaw<S> for Hollow<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let a = (-at.gap).pos();
        let lost = |what: f64| {
            let inside = S::both(S::lit(0.1e-6).lt(a), a.lt(S::lit(0.9e-6)));
            let this = S::both(S::lit(what - 0.5).lt(self.what), self.what.lt(S::lit(what + 0.5)));
            S::select(S::both(inside, this), S::lit(f64::NAN), S::zero())
        };
        let force = at.area * a * 1e12;
        Normal::force(force + lost(1.0), at.touching(a) + lost(2.0)).storing(force * a * 0.5 + lost(3.0))
    }
}

/// Answers that are no numbers inside of the range are found, by every check that looks at them.
#[test]
fn a_normal_law_with_holes_is_found() {
    let kind = NormalKind::of::<Hollow<f64>, Hollow<Dual<4>>>();
    let checks = |what: f64| -> Vec<&str> {
        let mut all: Vec<&str> = normal_findings(&kind, &[NormalSample::new("hollow", 1e-6).set("what", what)])
            .iter()
            .map(|f| f.check)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    assert!(checks(0.0).is_empty(), "{:?}", checks(0.0));
    assert_eq!(checks(1.0), ["finite", "pull", "sign", "stored", "tangent"]);
    assert_eq!(checks(2.0), ["finite", "sign"]);
    assert_eq!(checks(3.0), ["finite", "stored"]);
}
