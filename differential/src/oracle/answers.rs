//! Answers of analyses that follow no motion know no units either: with other sizes of mass, length and time, written in other
//! units, every value is the same but for these.
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::dimension::Scale;
use crate::draw::{Scene, Wish};
use crate::item::{Item, Writing, document, number, plain, table, word};
use crate::random::Random;
use stickslip::analyses::formulas;
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// Values are the same to this part of the largest of their list.
const SAME: f64 = 1e-7;
/// What is smaller than this part of its natural size is zero to rounding.
const ROUNDING: f64 = 1e-11;
/// Everything is compared by the view.
const LIMITS: Limits = Limits { motion: 1.0, results: None, regime: true };

const fn oracle(name: &'static str, wish: fn(&Random) -> Wish, twin: fn(&Scene) -> Option<Twin>) -> Oracle {
    Oracle { name, wish, twin, limits: LIMITS, may_be_chaos: false }
}

/// The spectrum of steady sliding.
pub const STABILITY: Oracle = oracle("rescaled spectrum", |_| steady(), spectrum);
/// A law at given inputs.
pub const EVALUATE: Oracle = oracle("rescaled law", |_| Wish { normal: |k| k.name == "constant", ..steady() }, law);
/// A contact formula.
pub const FUNCTION: Oracle = oracle("rescaled contact formula", |_| Wish::simple(), function);
/// Elements through a loading curve.
pub const CALIBRATE: Oracle = oracle("rescaled calibration", |_| Wish::simple(), calibrate);
/// A profile.
pub const ROUGHNESS: Oracle = oracle("rescaled profile", |_| Wish::simple(), roughness);
/// A path of rigid contacts without mass.
pub const QUASI_STATIC: Oracle = oracle("rescaled quasi-static path", |_| Wish::simple(), quasi_static);

/// Sliding over a surface that moves steadily.
fn steady() -> Wish {
    let drive = |k: &stickslip::structures::DriveKind| k.name == "belt";
    Wish {
        drive,
        formulation: |f| matches!(f, "exact" | "regularised"),
        drives: false,
        start: false,
        ..Wish::default()
    }
}

/// A scenario against itself with other sizes of mass, length and time, in other units.
fn rescaled(scene: &Scene, root: Item, of_scene: bool) -> Twin {
    let random = Random::new(scene.seed);
    let factor = || random.factor(1e-2, 1e2);
    let scale = Scale { mass: factor(), length: factor(), time: factor() };
    let left = Request { text: document(&root, Writing::Bare), ..Request::default() };
    let text = document(&root.rescaled(&scale), Writing::Small);
    let twin = Twin::texts(scene, Request { text, ..Request::default() });
    let natural = if of_scene { scene.scale } else { Scale::ONE };
    let view =
        move |left: &Outcome, right: &Outcome| same_but_for((&scale, &natural), left, right).map(|()| right.clone());
    Twin { left, view: Box::new(view), of_scene, ..twin }
}

/// Every number of the first outcome in the second.
fn same_but_for((scale, natural): (&Scale, &Scale), left: &Outcome, right: &Outcome) -> Result<(), String> {
    for (name, quantity) in &left.values {
        let Some(other) = right.value(name) else { return Err(format!("`{name}` is missing in the second")) };
        let (Some(a), Some(b)) = (numbers(&quantity.value), numbers(&other.value)) else { continue };
        let size = |scale: &Scale| if quantity.unit.is_empty() { 1.0 } else { scale.of(&quantity.unit) };
        let b: Vec<f64> = b.iter().map(|x| x / size(scale)).collect();
        let largest = a.iter().chain(&b).filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
        let least = (SAME * largest).max(ROUNDING * size(natural));
        let alike = |(x, y): (&f64, &f64)| x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= least;
        if a.len() != b.len() || !a.iter().zip(&b).all(alike) {
            return Err(format!("{name}: {a:?} and {b:?} {}", quantity.unit));
        }
    }
    Ok(())
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Number(x) => Some(vec![*x]),
        Value::Count(n) => Some(vec![*n as f64]),
        Value::List(list) => Some(list.clone()),
        Value::Rows(rows) => Some(rows.concat()),
        _ => None,
    }
}

fn spectrum(scene: &Scene) -> Option<Twin> {
    let Item::Number(velocity, _) = scene.root.get("drive.velocity")? else { return None };
    if velocity.abs() < 0.05 * scene.scale.of("m/s") {
        return None;
    }
    let mut root = scene.root.clone();
    root.set("analysis", table([("kind", word("stability"))]));
    root.remove("output");
    let twin = rescaled(scene, root, true);
    // Eigenvalues at one real part or in pairs may change places: their sums and products do not.
    let view = twin.view;
    let sorted = |outcome: &Outcome| {
        let mut outcome = outcome.clone();
        // Of several modes that grow alike either may come first.
        outcome.values.retain(|(n, _)| n != "omega");
        if let Some((_, q)) = outcome.values.iter_mut().find(|(n, _)| n == "eigenvalues")
            && let Value::Rows(rows) = &mut q.value
        {
            let (re, im): (f64, f64) = rows.iter().fold((0.0, 0.0), |(s, m), r| (s + r[0], m.max(r[1].abs())));
            let largest = rows.iter().map(|r| r[0].hypot(r[1])).fold(0.0, f64::max);
            q.value = Value::List(vec![re, im, largest]);
        }
        outcome
    };
    Some(Twin { view: Box::new(move |left, right| view(&sorted(left), &sorted(right))), ..twin })
}

fn law(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let mut root = scene.root.clone();
    root.remove("drive");
    root.remove("output");
    root.remove("formulation");
    let speed = scene.scale.of("m/s");
    let speeds = (0..5).map(|_| number(random.sign() * speed * random.factor(1e-3, 1e2), "m/s"));
    let mut inputs = table([("velocity", Item::List(speeds.collect()))]);
    let steady = random.one_in(2);
    if steady {
        inputs.set("states", word("steady"));
    }
    root.set("analysis", table([("kind", word("evaluate")), ("inputs", inputs)]));
    let twin = rescaled(scene, root, true);
    let view = twin.view;
    // Elements in steady sliding are on their limits, where slopes have two sides.
    let sloped = move |outcome: &Outcome| {
        let mut outcome = outcome.clone();
        outcome.values.retain(|(n, _)| !(steady && n.starts_with("tangent.")));
        outcome
    };
    Some(Twin { view: Box::new(move |left, right| view(&sloped(left), &sloped(right))), ..twin })
}

/// A structure that nothing is asked of.
fn point() -> Item {
    table([("structure", table([("kind", word("point"))]))])
}

/// Draws of inputs before a formula is given up: some have no answer, as where a contact slides as a whole.
const DRAWS: usize = 40;

fn function(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let formula = random.of(formulas());
    // An input whose unit depends on another can't be rescaled by its declaration alone.
    if formula.inputs.iter().any(|i| i.power.is_some()) {
        return None;
    }
    let drawn = || -> Vec<f64> {
        let one = |input: &stickslip::analyses::Input| {
            let ask = input.ask();
            let low = ask.min.or(ask.above).unwrap_or(0.0);
            match (ask.default, ask.max) {
                (Some(default), _) if random.one_in(2) => default,
                (_, Some(high)) => random.between(low + 0.05 * (high - low), low + 0.6 * (high - low)),
                _ => low + random.factor(0.1, 3.0),
            }
        };
        formula.inputs.iter().map(one).collect()
    };
    let values = (0..DRAWS).map(|_| drawn()).find(|x| (formula.compute)(x).is_ok())?;
    let named = formula.inputs.iter().zip(values).map(|(input, x)| (input.name.to_string(), number(x, input.unit)));
    let inputs = Item::Table(named.collect());
    let mut root = Item::Table(vec![]);
    let asked = [("kind", word("evaluate")), ("function", word(formula.name)), ("inputs", inputs)];
    root.set("analysis", table(asked));
    Some(rescaled(scene, root, false))
}

fn calibrate(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let mut root = point();
    // A concave curve: slopes that fall.
    let (mut x, mut force, mut slope) = (0.0, 0.0, random.factor(0.5, 5.0));
    let (mut displacements, mut forces) = (vec![], vec![]);
    for _ in 0..3 + random.below(6) {
        let step = random.factor(0.05, 1.0);
        x += step;
        force += slope * step;
        slope *= random.between(0.3, 0.95);
        displacements.push(number(x, "m"));
        forces.push(number(force, "N"));
    }
    root.set(
        "analysis",
        table([
            ("kind", word("calibrate")),
            ("displacement", Item::List(displacements)),
            ("force", Item::List(forces)),
        ]),
    );
    Some(rescaled(scene, root, false))
}

fn roughness(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let step = random.factor(0.1, 1.0);
    let mut generate = table([
        ("sigma", number(random.factor(0.1, 2.0), "m")),
        ("step", number(step, "m")),
        ("points", plain(f64::from(1 << (8 + random.below(4))))),
    ]);
    let spectrum = *random.of(&["gaussian", "exponential", "self-affine"]);
    generate.set("spectrum", word(spectrum));
    if spectrum == "self-affine" {
        generate.set("longest", number(step * random.factor(30.0, 100.0), "m"));
        generate.set("shortest", number(step * random.factor(3.0, 8.0), "m"));
        generate.set("hurst", plain(random.between(0.3, 0.95)));
    } else {
        generate.set("correlation_length", number(step * random.factor(4.0, 20.0), "m"));
    }
    let mut root = point();
    root.set("seed", plain(random.below(1000) as f64));
    root.set("analysis", table([("kind", word("roughness")), ("generate", generate)]));
    Some(rescaled(scene, root, false))
}

/// Two masses' worth of stiffness and one rigid contact along a path of loads, as Klarbring's.
fn quasi_static(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let (a, b) = (random.factor(0.5, 2.0), random.factor(0.5, 3.0));
    let c = random.between(-0.9, 0.9) * (a * b).sqrt();
    let row = |x: [f64; 2], unit: &str| Item::List(x.iter().map(|x| number(*x, unit)).collect());
    let mut root = table([(
        "structure",
        table([
            ("kind", word("lumped")),
            ("mass", Item::List(vec![row([1.0, 0.0], "kg"), row([0.0, 1.0], "kg")])),
            ("stiffness", Item::List(vec![row([a, c], "N/m"), row([c, b], "N/m")])),
        ]),
    )]);
    root.set(
        "contact",
        table([
            ("tangent", row([1.0, 0.0], "1")),
            ("normal_direction", row([0.0, 1.0], "1")),
            ("gap", number(0.0, "m")),
            ("normal", table([("law", word("rigid")), ("restitution", plain(0.0))])),
            ("friction", table([("law", word("coulomb")), ("mu", plain(random.factor(0.05, 1.5)))])),
        ]),
    );
    let mut t = 0.0;
    let points = (0..3 + random.below(5)).map(|k| {
        let load = if k == 0 { [0.0, 0.0] } else { [random.between(-20.0, 20.0), random.between(-20.0, 5.0)] };
        let point = Item::List(vec![number(t, "s"), row(load, "N")]);
        t += random.factor(0.3, 3.0);
        point
    });
    root.set("drive", table([("kind", word("force")), ("force", table([("points", Item::List(points.collect()))]))]));
    root.set("analysis", table([("kind", word("quasi-static"))]));
    Some(rescaled(scene, root, false))
}
