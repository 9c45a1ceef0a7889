//! Stability of steady sliding: eigenvalues of the linearised model, all law states included.
use crate::analysis::{Analysis, Answer, Context};
use crate::axis::Axis;
use crate::dynamics::{Dynamics, Variables};
use crate::model::Model;
use crate::start::{NO_EQUILIBRIUM, steady_sliding};
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_solve::eigen::eigenvalues;
use stickslip_structures::{Keys, Refused, Structure};

pub const NAME: &str = "stability";
pub const ABOUT: &str = "Eigenvalues of the model linearised about steady sliding, with all law states.

Alone: `eigenvalues`, `stable`, `growth_rate`, the equilibrium. `along` a parameter: a table, and `critical`, the values
at which stability changes, located to 1e-9.

[analysis]
kind = \"stability\"
along = { parameter = \"drive.velocity\", from = \"0.05 m/s\", to = \"0.7 m/s\", points = 40 }";
pub const ANSWERS: &[Answer] = &[
    Answer::value("eigenvalues", "1/s", "Pairs of real and imaginary parts, the most unstable first."),
    Answer::value("stable", "", "Whether all real parts are negative."),
    Answer::value("growth_rate", "1/s", "Largest real part."),
    Answer::value("omega", "rad/s", "Imaginary part of that eigenvalue."),
    Answer::value("equilibrium.<coordinate>", "m", "Where steady sliding is."),
    Answer::value("critical", "", "Values of the parameter at which stability changes, with `along`."),
    Answer::value("critical_omega", "rad/s", "Imaginary parts there."),
    Answer::value(
        "equilibrium_lost",
        "",
        "Value of the parameter at which steady sliding ceases to exist, with `along`.",
    ),
    Answer::value("unstable_fraction", "1", "Part of the points that is unstable."),
    Answer::table("along", "A row a point: the parameter, growth rate, equilibrium, all eigenvalues."),
];

/// A critical value is located to this part of itself.
const LOCATED: f64 = 1e-10;
/// Bisections and secants to locate one.
const MOST_STEPS: usize = 200;
/// A real part below this part of its eigenvalue is rounding. Eigenvalues that meet are known to the root of the
/// machine's precision only, but their real parts rise like a root too: within 1e-12 of the parameter they are beyond it.
const NEUTRAL: f64 = 1e-11;
/// Ratios of growth rates agree to this part where growth is a power of the distance.
const POWER: f64 = 0.02;
/// Where steady sliding ceases to exist is located to this part.
const LOST: f64 = 1e-6;

/// Stability of steady sliding.
#[derive(Clone, Debug, Default)]
pub struct Stability {
    along: Option<Axis>,
}

pub fn read(keys: &mut dyn Keys) -> Result<Box<dyn Analysis>, Refused> {
    let mut along = None;
    keys.table("along", "A parameter that varies", &mut |k| {
        along = Some(Axis::read(k)?);
        Ok(())
    })?;
    Ok(Box::new(Stability { along }))
}

/// Steady sliding and its spectrum.
struct Spectrum {
    coordinates: Vec<f64>,
    values: Vec<[f64; 2]>,
}

impl Spectrum {
    fn growth_rate(&self) -> f64 {
        self.values.first().map_or(f64::NAN, |v| v[0])
    }

    /// 1 where disturbances grow, -1 where all decay, 0 where some do neither.
    fn course(&self) -> i8 {
        let size = self.values.first().map_or(0.0, |v| v[0].hypot(v[1]));
        match self.growth_rate() {
            g if g > NEUTRAL * size => 1,
            g if g < -NEUTRAL * size => -1,
            _ => 0,
        }
    }

    /// Frequency of the pair that grows fastest.
    fn frequency(&self) -> f64 {
        self.values.first().map_or(f64::NAN, |v| v[1].abs())
    }
}

fn spectrum(model: &Model) -> Result<Spectrum, Refused> {
    let mut dynamics = Dynamics::new(model)
        .ok_or_else(|| Refused::new("structure.mass", "structure::singular", "the mass matrix is singular"))?;
    let (y, modes) = steady_sliding(&mut dynamics)?;
    let variables = Variables::of(&dynamics);
    let m = dynamics.dim();
    let mut jac = vec![0.0; m * m];
    variables.jacobian_at(&mut dynamics, &y, &modes, &mut jac);
    let (m, jac) = without_frozen(&dynamics, &jac);
    let values = eigenvalues(m, &jac)
        .ok_or_else(|| Refused::new("analysis", "analysis::no-spectrum", "the eigenvalues did not converge"))?;
    Ok(Spectrum { coordinates: y[..dynamics.n].to_vec(), values: ordered(values) })
}

/// The Jacobian without states that do not move in slip whatever happens: clocks that stand, what was latched.
fn without_frozen(dynamics: &Dynamics, jac: &[f64]) -> (usize, Vec<f64>) {
    let m = dynamics.dim();
    let moves = |k: &usize| *k < 2 * dynamics.n || jac[k * m..(k + 1) * m].iter().any(|x| *x != 0.0);
    let kept: Vec<usize> = (0..m).filter(moves).collect();
    let entries = kept.iter().flat_map(|i| kept.iter().map(move |j| jac[i * m + j]));
    (kept.len(), entries.collect())
}

/// The most unstable first; neutral ones, whose real parts are rounding, by their frequency, the highest first.
fn ordered(mut values: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let level = |v: &[f64; 2]| if v[0].abs() <= NEUTRAL * v[0].hypot(v[1]) { 0.0 } else { v[0] };
    values.sort_by(|a, b| level(b).total_cmp(&level(a)).then(b[1].total_cmp(&a[1])));
    values
}

impl Analysis for Stability {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let refuse = |key: &str, text: &str| Some(Refused::new(key, "analysis::not-served", text));
        if model.structure.is_empty() {
            return refuse("structure.kind", "a point has no motion of its own whose stability could be asked");
        }
        if !model.loading.forces.iter().all(|f| f.is_constant()) {
            return refuse("drive", "steady sliding needs forces that do not change in time");
        }
        if !model.loading.impulses.is_empty() {
            return refuse("drive", "steady sliding needs a drive without blows");
        }
        if !model.loading.profile.iter().all(|h| h.is_constant()) {
            return refuse("drive", "steady sliding needs a surface that stays at its height");
        }
        let moving = model.loading.base.iter().chain(&model.loading.surface).all(|s| s.is_constant());
        if !moving {
            return refuse("drive.velocity", "steady sliding needs a velocity that does not change in time");
        }
        if model.contacts.iter().any(|c| !c.given.is_constant()) {
            return refuse("contact.normal", "steady sliding needs a load that does not change in time");
        }
        for contact in model.contacts.iter() {
            if contact.friction.claims().approach && contact.normal.claims().fixed_load {
                let text = format!(
                    "the law `{}` reads the approach or the real area, which the normal law `{}` does not know",
                    contact.friction_law, contact.normal_law
                );
                return refuse("contact.normal.law", &text);
            }
            if contact.is_rigid() {
                return refuse("contact.normal", "steady sliding on a rigid contact is not linearised here");
            }
            let claims = contact.friction.claims();
            let unfit = [
                (claims.stepped, "has no rate form"),
                (claims.history, "needs history"),
                (claims.random, "has a random part"),
                (claims.acceleration, "switches with the sign of the acceleration, which steady sliding has not"),
            ];
            for (claimed, what) in unfit {
                if claimed {
                    let text = format!("the law `{}` {what}: it can't be linearised here", contact.friction_law);
                    return refuse("contact.friction.law", &text);
                }
            }
        }
        // Along a parameter each point speaks for itself.
        if self.along.is_some() { None } else { spectrum(model).err() }
    }

    fn varies(&self) -> Vec<(String, f64)> {
        self.along.iter().map(|a| (a.parameter.clone(), a.values[0])).collect()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        match &self.along {
            None => match spectrum(model) {
                Ok(s) => report(&s, model, &mut out),
                Err(e) => out.worsen(Status::Failed, e.message),
            },
            Some(axis) => self.follow(axis, &model.structure, context, &mut out),
        }
        out
    }
}

fn report(s: &Spectrum, model: &Model, out: &mut Outcome) {
    out.set("eigenvalues", Value::Rows(s.values.iter().map(|v| v.to_vec()).collect()), "1/s");
    out.set("stable", Value::Flag(s.growth_rate() < 0.0), "");
    out.set("growth_rate", Value::Number(s.growth_rate()), "1/s");
    out.set("omega", Value::Number(s.frequency()), "rad/s");
    for (i, (name, q)) in model.structure.coordinates.iter().zip(&s.coordinates).enumerate() {
        out.set(format!("equilibrium.{name}"), Value::Number(*q), model.structure.unit(i));
    }
    let regime = match s.course() {
        1 => "unstable",
        0 if s.growth_rate() >= 0.0 => "neutral",
        _ => "steady-sliding",
    };
    out.regime = Some(regime.into());
}

impl Stability {
    fn follow(&self, axis: &Axis, structure: &Structure, context: &Context, out: &mut Outcome) {
        // An equilibrium that does not exist is told from everything else that may go wrong.
        let whether = |x: f64| -> Result<Spectrum, (bool, String)> {
            let model = context.model_at(&[(&axis.parameter, x)]).map_err(|e| (false, e))?;
            spectrum(&model).map_err(|e| (e.code == NO_EQUILIBRIUM, e.message))
        };
        let at = |x: f64| whether(x).map_err(|(_, text)| text);
        let mut rows: Vec<(f64, Spectrum)> = vec![];
        let mut lost: Option<String> = None;
        let mut last: Option<(f64, bool)> = None;
        let mut ends: Option<[f64; 2]> = None;
        for (i, &x) in axis.values.iter().enumerate() {
            context.report(i as f64 / axis.values.len() as f64);
            if context.stopped() {
                out.worsen(Status::Partial, "stopped before its end");
                break;
            }
            let found = whether(x);
            let exists = !matches!(found, Err((true, _)));
            if let Some((before, existed)) = last.replace((x, exists))
                && existed != exists
            {
                ends.get_or_insert(if exists { [x, before] } else { [before, x] });
            }
            match found {
                Ok(s) => rows.push((x, s)),
                Err((_, e)) => {
                    lost.get_or_insert(format!("no spectrum at {} = {x:.6e}: {e}", axis.parameter));
                }
            }
        }
        if let Some([mut exists, mut gone]) = ends {
            while (gone - exists).abs() > LOST * gone.abs().max(exists.abs()) {
                let x = 0.5 * (exists + gone);
                if matches!(whether(x), Err((true, _))) { gone = x } else { exists = x }
            }
            out.set("equilibrium_lost", Value::Number(exists), context.unit_of(&axis.parameter));
            lost = Some(format!("the equilibrium is lost at {} = {exists:.6}", axis.parameter));
        }
        let Some((_, first)) = rows.first() else {
            out.worsen(Status::Failed, lost.unwrap_or_else(|| "no point has a spectrum".into()));
            return;
        };
        // Steady sliding may cease to exist along the way: that is an answer, told as such.
        out.health.warnings.extend(lost);
        let pairs = first.values.len();
        let (mut critical, mut omega) = (vec![], vec![]);
        for w in rows.windows(2) {
            let (a, b) = (w[0].1.course(), w[1].1.course());
            if (a == 1) != (b == 1) {
                let ends = [w[0].0, w[1].0];
                let found = match a * b {
                    0 => set_in(&at, if a == 1 { [ends[1], ends[0]] } else { ends }),
                    _ => locate(&at, ends, [w[0].1.growth_rate(), w[1].1.growth_rate()]),
                };
                match found {
                    Ok((x, s)) => {
                        critical.push(x);
                        omega.push(s.frequency());
                    }
                    Err(e) => out.worsen(Status::Failed, e),
                }
            }
        }
        let mut table = Table::new("along");
        let column = |get: &dyn Fn(&Spectrum) -> f64| rows.iter().map(|(_, s)| get(s)).collect::<Vec<f64>>();
        table.push(
            axis.parameter.clone(),
            context.unit_of(&axis.parameter),
            rows.iter().map(|(x, _)| *x).collect::<Vec<f64>>(),
        );
        table.push("growth_rate", "1/s", column(&|s| s.growth_rate()));
        table.push("omega", "rad/s", column(&|s| s.frequency()));
        for (j, name) in structure.coordinates.iter().enumerate() {
            table.push(format!("equilibrium.{name}"), structure.unit(j), column(&|s| s.coordinates[j]));
        }
        for k in 0..pairs {
            table.push(format!("re_{}", k + 1), "1/s", column(&|s| s.values.get(k).map_or(f64::NAN, |v| v[0])));
            table.push(format!("im_{}", k + 1), "rad/s", column(&|s| s.values.get(k).map_or(f64::NAN, |v| v[1])));
        }
        out.tables.push(table);
        out.set("critical", Value::List(critical), context.unit_of(&axis.parameter));
        out.set("critical_omega", Value::List(omega), "rad/s");
        let unstable = rows.iter().filter(|(_, s)| s.course() == 1).count();
        out.set("unstable_fraction", Value::Number(unstable as f64 / rows.len() as f64), "1");
    }
}

/// Where growth sets in between a point where some disturbance neither grows nor decays and one where it grows: there
/// the growth rate rises like a root, and bisection alone is safe.
fn set_in(at: &dyn Fn(f64) -> Result<Spectrum, String>, [mut a, mut b]: [f64; 2]) -> Result<(f64, Spectrum), String> {
    let (start, end) = (a, b);
    while (b - a).abs() > LOCATED * a.abs().max(b.abs()) {
        let x = 0.5 * (a + b);
        if at(x)?.course() == 1 { b = x } else { a = x }
    }
    // Growth as a power of the distance from the neutral end, linear or steeper, sets in there: what was found is where
    // it emerges from rounding.
    let distance = b - start;
    if 8.0 * distance.abs() < (end - start).abs() {
        let growth = |k: f64| Ok::<f64, String>(at(start + k * distance)?.growth_rate());
        let (one, two) = (growth(4.0)? / growth(2.0)?, growth(8.0)? / growth(4.0)?);
        if one > 1.9 && (two / one - 1.0).abs() < POWER {
            return Ok((start, at(start)?));
        }
    }
    Ok((b, at(b)?))
}

/// Where the growth rate vanishes between two points of opposite sign: regula falsi (Illinois), then bisection.
fn locate(
    at: &dyn Fn(f64) -> Result<Spectrum, String>,
    [mut a, mut b]: [f64; 2],
    [mut fa, mut fb]: [f64; 2],
) -> Result<(f64, Spectrum), String> {
    for step in 0..MOST_STEPS {
        let secant = b - fb * (b - a) / (fb - fa);
        let inside = secant > a.min(b) && secant < a.max(b);
        // Every fourth step halves: one end must not stay for ever.
        let x = if inside && step % 4 != 3 { secant } else { 0.5 * (a + b) };
        let s = at(x)?;
        let f = s.growth_rate();
        if f == 0.0 || (b - a).abs() <= LOCATED * x.abs() {
            return Ok((x, s));
        }
        if f * fa < 0.0 {
            (b, fb) = (x, f);
            fa *= 0.5;
        } else {
            (a, fa) = (x, f);
            fb *= 0.5;
        }
    }
    Err("a critical value could not be located".into())
}
