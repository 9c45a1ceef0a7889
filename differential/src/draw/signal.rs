//! Functions of time, in every form that a scenario can write.
use crate::item::{Item, formula, number, plain, table, word};
use crate::random::Random;

/// What a function of time is drawn around.
#[derive(Clone, Copy)]
pub struct Course<'a> {
    /// Its unit.
    pub unit: &'a str,
    /// Its size: a force near what stick holds, a speed at which the law is at work.
    pub size: f64,
    /// Natural time of the model, s.
    pub time: f64,
    /// Length of the run, s.
    pub duration: f64,
}

/// Names of the forms.
pub const FORMS: [&str; 7] = ["constant", "sine", "ramp", "points", "pulse", "sum", "formula"];

/// A function of time, and the name of its form.
pub fn draw_signal(course: Course, random: &Random) -> (Item, &'static str) {
    let form = *random.of(&FORMS);
    (in_form(form, course, random), form)
}

/// An amplitude: often close to the size itself, where events are most delicate.
fn amplitude(course: Course, random: &Random) -> f64 {
    let factor = if random.chance(0.3) { random.between(0.97, 1.05) } else { random.factor(0.4, 4.0) };
    course.size * factor * random.sign()
}

/// A time of the run at which something happens.
fn instant(course: Course, random: &Random) -> f64 {
    (course.duration * random.between(0.05, 0.8) * 1e3 / course.duration).round() * 1e-3 * course.duration
}

fn omega(course: Course, random: &Random) -> f64 {
    random.factor(0.2, 6.0) / course.time
}

/// A function of time in one form.
pub fn in_form(form: &str, course: Course, random: &Random) -> Item {
    let unit = course.unit;
    let a = amplitude(course, random);
    match form {
        "constant" => number(a, unit),
        "sine" => {
            let mut sine = vec![("amplitude".to_string(), number(a, unit))];
            sine.push(match random.one_in(2) {
                true => ("omega".into(), number(omega(course, random), "rad/s")),
                false => ("frequency".into(), number(omega(course, random) / std::f64::consts::TAU, "Hz")),
            });
            if random.one_in(3) {
                sine.push(("phase".into(), number(random.between(-3.0, 3.0), "rad")));
            }
            if random.one_in(3) {
                sine.push(("mean".into(), number(a * random.between(-1.0, 1.0), unit)));
            }
            table([("sine", Item::Table(sine))])
        }
        "ramp" => {
            let mut ramp = vec![];
            if random.one_in(2) {
                ramp.push(("at".to_string(), number(instant(course, random), "s")));
            }
            if random.one_in(3) {
                ramp.push(("rate".into(), number(a / course.duration * random.factor(0.5, 3.0), &format!("{unit}/s"))));
            } else {
                ramp.push(("to".into(), number(a, unit)));
                ramp.push(("duration".into(), number(course.duration * random.factor(0.003, 0.8), "s")));
            }
            table([("ramp", Item::Table(ramp))])
        }
        "points" => {
            let count = 2 + random.below(5);
            let mut t = if random.one_in(2) { instant(course, random) } else { 0.0 };
            let mut points = vec![];
            for k in 0..count {
                let x = if k == 0 || random.one_in(4) { 0.0 } else { amplitude(course, random) };
                points.push(Item::List(vec![number(t, "s"), number(x, unit)]));
                t += course.duration * random.factor(0.002, 0.4);
            }
            table([("points", Item::List(points))])
        }
        "pulse" => {
            let shape = *random.of(&["half-sine", "rectangle", "triangle", "haversine"]);
            let duration = course.time * random.factor(0.01, 3.0);
            let pulse = table([
                ("shape", word(shape)),
                ("at", number(instant(course, random), "s")),
                ("duration", number(duration, "s")),
                // A short blow is a strong one.
                ("peak", number(a * (course.time / duration).clamp(1.0, 30.0), unit)),
            ]);
            table([("pulse", pulse)])
        }
        "sum" => {
            let parts = ["constant", "sine", "ramp", "points", "pulse", "formula"];
            let one = |random: &Random| {
                in_form(parts[random.below(parts.len())], Course { size: 0.6 * course.size, ..course }, random)
            };
            table([("sum", Item::List(vec![one(random), one(random)]))])
        }
        _ => written(course, random),
    }
}

/// A formula in t.
fn written(course: Course, random: &Random) -> Item {
    let a = (amplitude(course, random), course.unit);
    let w = (omega(course, random), "rad/s");
    let at = (instant(course, random), "s");
    let width = (course.time * random.factor(0.01, 1.0), "s");
    let strong = (a.0 * (course.time / width.0).clamp(1.0, 30.0), course.unit);
    let low = (0.6 * a.0.abs(), course.unit);
    match random.below(15) {
        0 => formula("{}*exp(-((t-{})/{})^2)", &[strong, at, width]),
        1 => formula("{}*(0.5+0.5*tanh((t-{})/{}))", &[a, at, width]),
        2 => formula("{}/(1+exp(-(t-{})/{}))", &[a, at, width]),
        3 => formula("{}*sin({}*t)", &[a, w]),
        4 => formula("{}*abs(sin({}*t))", &[a, w]),
        5 => formula("{}*max(0,sin({}*t))", &[a, w]),
        6 => formula("{}*sin({}*t)^{}", &[a, w, (3.0 + 2.0 * random.below(10) as f64, "1")]),
        7 => formula("{}*step(t-{})", &[a, at]),
        8 => formula("{}*(step(t-{})-step(t-{}))", &[strong, at, (at.0 + width.0, "s")]),
        9 => formula("min({},max(-{},{}*sin({}*t)))", &[low, low, a, w]),
        10 => formula("{}*max(0,1-abs(t-{})/{})", &[strong, at, width]),
        11 => formula("{}*max(0,t-{})/{}", &[a, at, (course.duration, "s")]),
        12 => {
            formula("{}*sin({}*t)*exp(-t/{})", &[(2.0 * a.0, a.1), w, (course.duration * random.factor(0.1, 1.0), "s")])
        }
        13 => formula("{}*(2/pi)*atan({}*sin({}*t))", &[a, (random.factor(1.0, 50.0), "1"), w]),
        _ => formula("{}*abs(2*(t/{}-{})-1)", &[a, (course.duration, "s"), (random.between(0.0, 0.5), "1")]),
    }
}

/// The number zero, for coordinates on which nothing acts.
pub fn nothing(unit: &str) -> Item {
    if unit == "1" { plain(0.0) } else { number(0.0, unit) }
}
