//! Stability of steady sliding: eigenvalues of the linearised model, all law states included.
mod along;
use stickslip_data::{Outcome, Status, Value};
use stickslip_dynamics::start::{evaluated, steady_sliding};
use stickslip_dynamics::{Dynamics, Variables};
use stickslip_model::Model;
use stickslip_model::axis::Axis;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_solve::eigen::eigenvalues;
use stickslip_structures::{Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "stability",
    about: "Eigenvalues of the model linearised about steady sliding, with all law states.

Alone: `eigenvalues`, `stable`, `growth_rate`, the equilibrium. `along` a parameter: a table, and `critical`, the values
at which stability changes, located to 1e-9.

[analysis]
kind = \"stability\"
along = { parameter = \"drive.velocity\", from = \"0.05 m/s\", to = \"0.7 m/s\", points = 40 }",
    answers: &[
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
    ],
    read,
};

/// A real part below this part of its eigenvalue is rounding. Eigenvalues that meet are known to the root of the
/// machine's precision only, but their real parts rise like a root too: within 1e-12 of the parameter they are beyond it.
const NEUTRAL: f64 = 1e-11;

/// Stability of steady sliding.
#[derive(Clone, Debug, Default)]
pub struct Stability {
    along: Option<Axis>,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
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
    /// Contacts without a normal force.
    unloaded: Vec<usize>,
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
    let m = dynamics.dim();
    evaluated(&mut dynamics, &y, &modes, &mut vec![0.0; m])?;
    let loaded = |c: usize| dynamics.sites.iter().zip(&dynamics.at).any(|(s, at)| s.contact == c && at.load > 0.0);
    let unloaded = (0..model.contacts.len()).filter(|c| !loaded(*c)).collect();
    let variables = Variables::of(&dynamics);
    let mut jac = vec![0.0; m * m];
    variables.jacobian_at(&mut dynamics, &y, &modes, &mut jac);
    let (m, jac) = without_frozen(&dynamics, &jac);
    let values = eigenvalues(m, &jac)
        .ok_or_else(|| Refused::new("analysis", "analysis::no-spectrum", "the eigenvalues did not converge"))?;
    Ok(Spectrum { coordinates: y[..dynamics.n].to_vec(), values: ordered(values), unloaded })
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

/// Why a model has no steady sliding whose disturbances obey linear equations, before any work.
pub(crate) fn refuse_unsteady(model: &Model) -> Option<Refused> {
    let refuse = |key: &str, text: &str| Some(Refused::new(key, "analysis::not-served", text));
    if model.structure.is_empty() {
        return refuse("structure.kind", "a point has no motion of its own whose stability could be asked");
    }
    if !model.loading.forces.iter().all(|f| f.is_constant()) {
        return refuse("drive", "steady sliding needs forces that do not change in time");
    }
    if let Some(i) = model.contacts.iter().position(|c| !c.normal.states().is_empty()) {
        let text = format!(
            "the normal law `{}` remembers: what it answers near steady sliding is not one law",
            model.contacts[i].normal_law
        );
        return refuse(&model.contact_key(i, "normal.law"), &text);
    }
    if !model.loading.impulses.is_empty() {
        return refuse("drive", "steady sliding needs a drive without blows");
    }
    if !model.loading.profile.iter().all(|h| h.is_constant()) {
        return refuse("drive", "steady sliding needs a surface that stays at its height");
    }
    if model.loading.program.is_some() {
        return refuse("drive.kind", "steady sliding needs a drive that goes on: a program has an end");
    }
    let moving = model.loading.base.iter().chain(&model.loading.surface).all(|s| s.is_constant());
    if !moving {
        return refuse("drive.velocity", "steady sliding needs a velocity that does not change in time");
    }
    if let Some(i) = model.contacts.iter().position(|c| !c.given.is_constant()) {
        return refuse(&model.contact_key(i, "normal"), "steady sliding needs a load that does not change in time");
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        if let Some(e) = model.refuse_area(i) {
            return Some(e);
        }
        if contact.is_rigid() {
            return refuse(&model.contact_key(i, "normal"), "steady sliding on a rigid contact is not linearised here");
        }
        let claims = contact.friction.claims();
        let moved = !contact.normal.claims().fixed_load;
        let unfit = [
            (claims.load_rate && moved, "reads the rate of a load that depends on the motion"),
            (contact.friction.coupling().is_some() && moved, "couples points whose loads depend on the motion"),
            (claims.stepped, "has no rate form"),
            (claims.history, "needs history"),
            (claims.position, "reads positions"),
            (claims.random, "has a random part"),
            (claims.acceleration, "switches with the sign of the acceleration, which steady sliding has not"),
        ];
        for (claimed, what) in unfit {
            if claimed {
                let text = format!("the law `{}` {what}: it can't be linearised here", contact.friction_law);
                return refuse(&model.contact_key(i, "friction.law"), &text);
            }
        }
    }
    None
}

impl Analysis for Stability {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        // Along a parameter each point speaks for itself.
        let alone = || if self.along.is_some() { None } else { spectrum(model).err() };
        refuse_unsteady(model).or_else(alone)
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
            Some(axis) => along::follow(axis, model, context, &mut out),
        }
        out
    }
}

/// What friction that nothing presses on means for the answer; `at`: the part of the points of which that is said.
pub(crate) fn unloaded(model: &Model, contact: usize, at: &str) -> String {
    let name = match model.contacts[contact].name.as_str() {
        "" => "the contact".into(),
        name => format!("the contact `{name}`"),
    };
    format!(
        "{name} has no normal force in steady sliding{at}: its friction does nothing there, and the spectrum is that of the \
         structure without it; give it a load"
    )
}

fn report(s: &Spectrum, model: &Model, out: &mut Outcome) {
    out.health.warnings.extend(s.unloaded.iter().map(|c| unloaded(model, *c, "")));
    out.set("eigenvalues", Value::Rows(s.values.iter().map(|v| v.to_vec()).collect()), "1/s");
    out.set("stable", Value::Flag(s.course() < 0), "");
    out.set("growth_rate", Value::Number(s.growth_rate()), "1/s");
    out.set("omega", Value::Number(s.frequency()), "rad/s");
    for (i, (name, q)) in model.structure.coordinates.iter().zip(&s.coordinates).enumerate() {
        out.set(format!("equilibrium.{name}"), Value::Number(*q), model.structure.unit(i));
    }
    let regime = match s.course() {
        1 => "unstable",
        0 => "neutral",
        _ => "steady-sliding",
    };
    out.regime = Some(regime.into());
}
