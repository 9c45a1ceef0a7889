//! Stability of steady sliding: eigenvalues of the linearised model, all law states included.
mod along;
mod along_modes;
mod delay;
mod fields;
mod held;
mod large;
mod modes;
mod near;
mod observing;
mod periodic;

use near::Nearby;
use observing::Observing;
use stickslip_data::{Outcome, Status, Value};
use stickslip_dynamics::start::{evaluated, steady_sliding};
use stickslip_dynamics::{Dynamics, Linearised, Variables};
use stickslip_laws::Mode;
use stickslip_model::Model;
use stickslip_model::axis::Axis;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_solve::eigen::eigenvalues;
use stickslip_structures::{Keys, Loading, Refused, Signal};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "stability",
    about: "Eigenvalues of the model linearised about steady sliding, with all law states.

Under drives or loads that repeat: Floquet multipliers of the motion that repeats with them; `critical` is then where the
spectral radius passes 1. A law with a lag has infinitely many eigenvalues: the rightmost are given, each a root of the characteristic equation.

Alone: `eigenvalues`, `stable`, `growth_rate`, the equilibrium, the table `modes`; `sensitivity = [\"contact.friction.mu\"]` asks for
derivatives of the eigenvalues in parameters. `along` a parameter: a table, and `critical`, the values
at which stability changes, located to 1e-9.

`near` a frequency the `count` nearest eigenvalues with positive frequency alone are found, as a large body needs it; `along` a
parameter these modes are followed by their shapes, and `critical` is of them alone.

[analysis]
kind = \"stability\"
along = { parameter = \"drive.velocity\", from = \"0.05 m/s\", to = \"0.7 m/s\", points = 40 }",
    answers: &[
        Answer::value("frequency", "Hz", "Of each eigenvalue, with `near`."),
        Answer::value("damping_ratio", "1", "-Re/|lambda| of each, with `near`."),
        Answer::value("loss_factor", "1", "-2 Re/|Im| of each, with `near`: what squeal programs print as damping ratio."),
        Answer::value("residual", "1", "Of each mode, over the sizes of its terms, with `near`."),
        Answer::value("probe.<quantity>", "", "A probed quantity of a body in steady sliding."),
        Answer::value("eigenvalues", "1/s", "Pairs of real and imaginary parts, the most unstable first."),
        Answer::value("multipliers", "1", "Under loads that repeat: Floquet multipliers, pairs of real and imaginary parts."),
        Answer::value("spectral_radius", "1", "The largest of their sizes: above 1 a disturbance grows from period to period."),
        Answer::value("period", "s", "Period of the loads."),
        Answer::value("stable", "", "Whether all real parts are negative, or all multipliers below 1."),
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
        Answer::value(
            "sensitivity.<path>",
            "",
            "Derivative of each eigenvalue in a parameter, in SI: pairs of real and imaginary parts, in the order of `eigenvalues`.",
        ),
        Answer::table(
            "modes",
            "A row an eigenvalue: its rates, frequency, damping_ratio -Re/|lambda|, loss_factor -2 Re/|Im|, and the shape over \
             the coordinates, the largest of which is 1.",
        ),
        Answer::table(
            "along",
            "A row a point: the parameter, growth rate, equilibrium, all eigenvalues. With `near` a row a point and mode: the \
             mode's number, rates, frequency, and `likeness`, the square of the cosine between its shape and that at the point \
             before.",
        ),
    ],
    read,
};

/// A real part below this part of its eigenvalue is rounding. Eigenvalues that meet are known to the root of the
/// machine's precision only, but their real parts rise like a root too: within 1e-12 of the parameter they are beyond it.
const NEUTRAL: f64 = 1e-11;
/// The same of a meshed body, whose fastest modes leave the slow ones fewer digits: growth rises like a root where modes meet, and
/// is beyond this within 1e-12 of the parameter.
const NEUTRAL_OF_BODY: f64 = 1e-7;
/// Under loads that repeat: the orbit is closed to 1e-9, and its multipliers are known no better.
const NEUTRAL_UNDER_PERIOD: f64 = 1e-8;

/// A motion of a body as a whole that nothing holds has an eigenvalue of zero, twice: known to the root of the machine's precision
/// of the largest eigenvalue.
const AT_REST_OF_BODY: f64 = 3e-7;

/// Stability of steady sliding.
#[derive(Clone, Debug, Default)]
pub struct Stability {
    along: Option<Axis>,
    near: Option<Nearby>,
    /// Paths in which derivatives of the eigenvalues are asked for.
    sensitivity: Vec<String>,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut along = None;
    keys.table("along", "A parameter that varies", &mut |k| {
        along = Some(Axis::read(k)?);
        Ok(())
    })?;
    let sensitivity = keys.texts("sensitivity", "Paths of parameters: derivatives of the eigenvalues in each")?;
    let near = Nearby::read(keys)?;
    if near.is_some() && sensitivity.is_some() {
        let text = "derivatives are those of all eigenvalues: not of those near a frequency".into();
        return Err(keys.refuse("sensitivity", "analysis::not-served", text).hint("take out `near`"));
    }
    if along.is_some() && sensitivity.is_some() {
        let text = "derivatives are those at the scenario's own parameters: not along another".into();
        return Err(keys.refuse("sensitivity", "analysis::not-served", text).hint("take out `along`"));
    }
    Ok(Box::new(Stability { along, near, sensitivity: sensitivity.unwrap_or_default() }))
}

/// Steady sliding and its spectrum.
struct Spectrum {
    coordinates: Vec<f64>,
    /// All unknowns, and the modes of the points.
    unknowns: Vec<f64>,
    /// Displacements of a large body.
    whole: Vec<f64>,
    modes: Vec<Mode>,
    /// The model, where it is one along a parameter.
    model: Option<Model>,
    /// Real parts below this part of the eigenvalue are rounding.
    neutral: f64,
    /// Matrices of the motion about it, of a body without states.
    linearised: Option<Linearised>,
    values: Vec<[f64; 2]>,
    /// Contacts without a normal force.
    unloaded: Vec<usize>,
    /// The linear equations; none where the past has a part in them, or loads that repeat.
    system: Option<System>,
    /// Under loads that repeat: the period, and the multipliers, of which `values` are the exponents.
    multipliers: Option<(f64, Vec<[f64; 2]>)>,
}

/// x' = A x about steady sliding, in the variables in which the laws are smooth.
struct System {
    /// Which unknowns it has; coordinates are the first of them.
    unknowns: Vec<usize>,
    /// A, row after row.
    matrix: Vec<f64>,
}

impl Spectrum {
    /// One without anything.
    fn bare_of(neutral: f64) -> Spectrum {
        Spectrum {
            coordinates: vec![],
            unknowns: vec![],
            whole: vec![],
            modes: vec![],
            model: None,
            neutral,
            linearised: None,
            values: vec![],
            unloaded: vec![],
            system: None,
            multipliers: None,
        }
    }

    fn growth_rate(&self) -> f64 {
        self.values.first().map_or(f64::NAN, |v| v[0])
    }

    /// 1 where disturbances grow, -1 where all decay, 0 where some do neither.
    fn course(&self) -> i8 {
        let size = self.values.first().map_or(0.0, |v| v[0].hypot(v[1]));
        match self.growth_rate() {
            g if g > self.neutral * size => 1,
            g if g < -self.neutral * size => -1,
            _ => 0,
        }
    }

    /// By how much the motion that grows fastest does so in a period of the loads.
    fn spectral_radius(&self) -> Option<f64> {
        self.multipliers.as_ref().map(|(_, all)| all.first().map_or(0.0, |v| v[0].hypot(v[1])))
    }

    /// Frequency of the pair that grows fastest.
    fn frequency(&self) -> f64 {
        self.values.first().map_or(f64::NAN, |v| v[1].abs())
    }
}

fn spectrum(model: &Model) -> Result<Spectrum, Refused> {
    spectrum_of(model, false)
}

/// The same; `near`: only modes near a frequency are asked for, and the matrices are enough.
fn spectrum_of(model: &Model, near: bool) -> Result<Spectrum, Refused> {
    if model.contacts.iter().any(|c| c.is_rigid()) {
        let (coordinates, values) = held::spectrum(model)?;
        return Ok(Spectrum { coordinates, values, ..Spectrum::bare_of(NEUTRAL) });
    }
    if let Some(whole) = &model.structure.whole {
        return large::about_sliding(model, whole);
    }
    if near && model.structure.len() > near::MOST_FULL && is_steady(model) && large::serves(model) {
        let model = large::sparse(model)?;
        return model
            .structure
            .whole
            .as_ref()
            .map_or_else(|| about_sliding(&model, near), |whole| large::about_sliding(&model, whole));
    }
    match model.period().filter(|_| !is_steady(model)) {
        Some(period) => under_period(model, period),
        None => about_sliding(model, near),
    }
}

/// Whether drives and loads do not change in time.
fn is_steady(model: &Model) -> bool {
    let Loading { forces, base, surface, profile, shake, .. } = &*model.loading;
    let shaken = shake.as_ref().map(|s| &s.acceleration);
    let drives =
        forces.iter().chain(shaken).chain(base).chain(surface).chain(profile).chain(model.loading.references());
    drives.chain(model.contacts.iter().map(|c| &c.given)).all(Signal::is_constant)
}

/// The spectrum of the motion that repeats with the loads: exponents in place of eigenvalues.
fn under_period(model: &Model, period: f64) -> Result<Spectrum, Refused> {
    let orbit = periodic::orbit(model, period)?;
    let growth = |v: &[f64; 2]| v[0].hypot(v[1]).ln();
    let known = |g: f64| if g.abs() <= NEUTRAL_UNDER_PERIOD { 0.0 } else { g };
    let exponent = |v: &[f64; 2]| [known(growth(v)) / period, v[1].atan2(v[0]) / period];
    // What stick forgets has no exponent.
    let values = orbit.multipliers.iter().filter(|v| v[0] != 0.0 || v[1] != 0.0).map(exponent).collect();
    Ok(Spectrum {
        coordinates: orbit.start[..model.structure.len()].to_vec(),
        values: ordered(values, NEUTRAL),
        multipliers: Some((period, orbit.multipliers)),
        ..Spectrum::bare_of(NEUTRAL)
    })
}

fn about_sliding(model: &Model, near: bool) -> Result<Spectrum, Refused> {
    let mut dynamics = Dynamics::new(model)
        .ok_or_else(|| Refused::new("structure.mass", "structure::singular", "the mass matrix is singular"))?;
    let (y, modes) = steady_sliding(&mut dynamics)?;
    let m = dynamics.dim();
    evaluated(&mut dynamics, &y, &modes, &mut vec![0.0; m])?;
    if dynamics.settle_controls(0.0, &y, &vec![0.0; m]) {
        let text = "in steady sliding the output of a controller is clipped: nothing is linear about that";
        let e = Refused::new("control", "analysis::not-served", text);
        return Err(e.hint("raise `saturation`, or leave it out"));
    }
    let loaded = |c: usize| dynamics.sites.iter().zip(&dynamics.at).any(|(s, at)| s.contact == c && at.load > 0.0);
    let unloaded = (0..model.contacts.len()).filter(|c| !loaded(*c)).collect();
    let late = dynamics.history.is_some() || !dynamics.controls.late().is_empty();
    let (values, system) = match late {
        true => (delay::roots(&mut dynamics, &y, &modes)?, None),
        false if near && model.structure.body.is_some() && dynamics.nz == 0 => (vec![], None),
        false => {
            let mut jac = vec![0.0; m * m];
            Variables::of(&dynamics).jacobian_at(&mut dynamics, &y, &modes, &mut jac);
            let unknowns = moving(&dynamics, &[&jac]);
            let matrix = part(m, &jac, &unknowns);
            (eigenvalues(unknowns.len(), &matrix).ok_or_else(not_settled)?, Some(System { unknowns, matrix }))
        }
    };
    let body = model.structure.body.is_some();
    let mut values = values;
    if body {
        let most = values.iter().map(|v| v[0].hypot(v[1])).fold(0.0, f64::max);
        for value in values.iter_mut().filter(|v| v[0].hypot(v[1]) <= AT_REST_OF_BODY * most) {
            *value = [0.0; 2];
        }
    }
    let neutral = if body { NEUTRAL_OF_BODY } else { NEUTRAL };
    let linearised = (body && dynamics.nz == 0).then(|| {
        evaluated(&mut dynamics, &y, &modes, &mut vec![0.0; m])?;
        Ok(dynamics.linearised(&y, &modes))
    });
    Ok(Spectrum {
        coordinates: y[..dynamics.n].to_vec(),
        modes,
        model: body.then(|| model.clone()),
        linearised: linearised.transpose()?,
        values: ordered(values, neutral),
        unknowns: y,
        unloaded,
        system,
        ..Spectrum::bare_of(neutral)
    })
}

fn not_settled() -> Refused {
    Refused::new("analysis", "analysis::no-spectrum", "the eigenvalues did not converge")
}

/// The unknowns without states that do not move in slip whatever happens: clocks that stand, what was latched.
fn moving(dynamics: &Dynamics, matrices: &[&[f64]]) -> Vec<usize> {
    let m = dynamics.dim();
    let reads = |k: usize| matrices.iter().any(|matrix| matrix[k * m..(k + 1) * m].iter().any(|x| *x != 0.0));
    (0..m).filter(|k| *k < 2 * dynamics.n || reads(*k)).collect()
}

/// Rows and columns of a matrix.
fn part(m: usize, matrix: &[f64], kept: &[usize]) -> Vec<f64> {
    kept.iter().flat_map(|i| kept.iter().map(move |j| matrix[i * m + j])).collect()
}

/// The most unstable first; neutral ones, whose real parts are rounding, by their frequency, the highest first.
fn ordered(mut values: Vec<[f64; 2]>, neutral: f64) -> Vec<[f64; 2]> {
    let level = |v: &[f64; 2]| if v[0].abs() <= neutral * v[0].hypot(v[1]) { 0.0 } else { v[0] };
    values.sort_by(|a, b| level(b).total_cmp(&level(a)).then(b[1].total_cmp(&a[1])));
    values
}

/// Why a model has no steady sliding whose disturbances obey linear equations, before any work.
pub(crate) fn refuse_unsteady(model: &Model) -> Option<Refused> {
    if let Some(e) = refuse_not_linear(model, false) {
        return Some(e);
    }
    if let Some(i) = model.loading.controls.iter().position(|control| control.delay > 0.0) {
        let key = model.loading.control_key(i, "delay");
        return Some(Refused::new(key, "analysis::not-served", "a controller that is late reads the past"));
    }
    let late = model.contacts.iter().position(|c| c.friction.lag().is_some())?;
    let text = format!("the law `{}` reads the past", model.contacts[late].friction_law);
    Some(Refused::new(model.contact_key(late, "friction.law"), "analysis::not-served", text))
}

/// Why the disturbances of a model obey no linear equations; those of loads that repeat have coefficients that do, where they
/// are served.
fn refuse_not_linear(model: &Model, repeating: bool) -> Option<Refused> {
    let refuse = |key: &str, text: &str| Some(Refused::new(key, "analysis::not-served", text));
    if model.structure.is_empty() {
        return refuse("structure.kind", "a point has no motion of its own whose stability could be asked");
    }
    let repeats = repeating && model.period().is_some();
    let of_whole = model.structure.whole.iter().flat_map(|whole| &whole.loads);
    if !of_whole.clone().all(|load| load.is_constant()) {
        return refuse("structure.loads", "steady sliding of so large a body needs loads that do not change in time");
    }
    let refuse_time = |key: &str, text: &str| {
        let or = if repeating { ", or that repeats" } else { "" };
        let e = Refused::new(key, "analysis::not-served", format!("steady sliding needs {text}{or}"));
        let hint = "where a function repeats without showing it, give `drive.period`";
        Some(if repeating { e.hint(hint) } else { e })
    };
    let shaken = model.loading.shake.as_ref().is_some_and(|s| !s.acceleration.is_constant());
    if !repeats && (shaken || !model.loading.forces.iter().all(|f| f.is_constant())) {
        return refuse_time("drive", "a force that does not change in time");
    }
    if let Some(i) = model.loading.controls.iter().position(|control| control.sampling.is_some()) {
        let text = "a controller that samples has no linear equations in continuous time: its poles are those of a map";
        let e = refuse(&model.loading.control_key(i, "sampling"), text);
        return e.map(|e| e.hint("leave `sampling` out, and give half of it as `delay`"));
    }
    if !repeats && !model.loading.references().all(Signal::is_constant) {
        return refuse_time("control", "a reference that does not change in time");
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
    if !repeats && !model.loading.profile.iter().all(|h| h.is_constant()) {
        return refuse_time("drive", "a surface that stays at its height");
    }
    if model.loading.program.is_some() {
        return refuse("drive.kind", "steady sliding needs a drive that goes on: a program has an end");
    }
    let moving = model.loading.base.iter().chain(&model.loading.surface).all(|s| s.is_constant());
    if !repeats && !moving {
        return refuse_time("drive.velocity", "a velocity that does not change in time");
    }
    if let Some(i) = model.contacts.iter().position(|c| !repeats && !c.given.is_constant()) {
        return refuse_time(&model.contact_key(i, "normal"), "a load that does not change in time");
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        if let Some(e) = model.refuse_area(i) {
            return Some(e);
        }
        if contact.is_rigid() && !repeating {
            return refuse(&model.contact_key(i, "normal"), "steady sliding on a rigid contact is not linearised here");
        }
        if contact.is_rigid() && (model.period().is_some() || contact.friction.lag().is_some()) {
            let text = "a rigid contact is held closed under steady loads and laws of the present alone";
            return refuse(&model.contact_key(i, "normal"), text);
        }
        let claims = contact.friction.claims();
        let moved = !contact.normal.claims().fixed_load;
        let unfit = [
            (claims.load_rate && moved, "reads the rate of a load that depends on the motion"),
            (contact.friction.coupling().is_some() && moved, "couples points whose loads depend on the motion"),
            (claims.stepped, "has no rate form"),
            (claims.history && contact.friction.directions() > 1, "reads the past in two directions"),
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
        let refuse = |key: &str, text: &str| Some(Refused::new(key, "analysis::not-served", text));
        if let (false, Some(c)) =
            (self.sensitivity.is_empty(), model.contacts.iter().position(|c| c.friction.lag().is_some()))
        {
            let text = "derivatives of eigenvalues under a law with a lag are not there yet";
            return refuse(&model.contact_key(c, "friction.law"), text);
        }
        if !self.sensitivity.is_empty() && model.loading.controls.iter().any(|control| control.delay > 0.0) {
            return refuse(
                "analysis.sensitivity",
                "derivatives of eigenvalues under a late controller are not there yet",
            );
        }
        if let (false, Some(c)) = (self.sensitivity.is_empty(), model.contacts.iter().position(|c| c.is_rigid())) {
            let text = "derivatives of eigenvalues of rigid contacts are not there yet";
            return refuse(&model.contact_key(c, "normal.law"), text);
        }
        if !self.sensitivity.is_empty() && !is_steady(model) {
            return refuse("analysis.sensitivity", "derivatives of multipliers are not there yet");
        }
        // Along a parameter each point speaks for itself.
        let alone = || {
            if self.along.is_some() || model.structure.whole.is_some() {
                None
            } else {
                spectrum_of(model, self.near.is_some()).err()
            }
        };
        refuse_not_linear(model, true).or_else(alone)
    }

    fn serves_large_bodies(&self) -> bool {
        self.near.is_some()
    }

    fn varies(&self) -> Vec<(String, f64)> {
        self.along.iter().map(|a| (a.parameter.clone(), a.values[0])).collect()
    }

    fn starts_at(&self) -> Vec<String> {
        self.sensitivity.clone()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        match &self.along {
            None => match spectrum_of(model, self.near.is_some()) {
                Ok(s) => {
                    report(&s, model, &mut out);
                    if model.structure.body.is_some() {
                        observing::report(model, &context.output.probes, &s, &mut out);
                    }
                    if context.output.fields {
                        fields::state(model, &s, &mut out);
                    }
                    if let Some(near) = self.near {
                        let found = report_near(near, &s, &mut out);
                        if context.output.fields {
                            fields::modes(model, &found, &mut out);
                        }
                        return out;
                    }
                    modes::report(&s, model, (&self.sensitivity, context), &mut out);
                }
                Err(e) => out.worsen(Status::Failed, e.message),
            },
            Some(axis) => match self.near {
                Some(near) => along_modes::follow(axis, near, model, context, &mut out),
                None => along::follow(axis, model, context, &mut out),
            },
        }
        out
    }
}

/// Values of the modes near a frequency in place of all; the modes.
fn report_near(near: Nearby, s: &Spectrum, out: &mut Outcome) -> Vec<modes::Shape> {
    let found = match near.nearest(s) {
        Err(e) => {
            out.worsen(Status::Failed, e.message);
            return vec![];
        }
        Ok(found) => found,
    };
    near::report(&found, s, out);
    if found.len() < near.count {
        let text = format!("{} of {} modes were found near the frequency", found.len(), near.count);
        out.health.warnings.push(text);
    }
    let values = ordered(found.iter().map(|m| m.value).collect(), s.neutral);
    let own = Spectrum { values, ..Spectrum::bare_of(s.neutral) };
    report_course(&own, out);
    out.tables.push(modes::near_table(&found));
    found
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
    let rows = |values: &[[f64; 2]]| Value::Rows(values.iter().map(|v| v.to_vec()).collect());
    match &s.multipliers {
        None if s.values.is_empty() => {}
        None => out.set("eigenvalues", rows(&s.values), "1/s"),
        Some((period, multipliers)) => {
            out.set("multipliers", rows(multipliers), "1");
            out.set("spectral_radius", Value::Number(s.spectral_radius().unwrap_or(f64::NAN)), "1");
            out.set("period", Value::Number(*period), "s");
        }
    }
    report_course(s, out);
    for (i, (name, q)) in model.structure.listed().iter().zip(&s.coordinates).enumerate() {
        out.set(format!("equilibrium.{name}"), Value::Number(*q), model.structure.unit(i));
    }
}

/// Whether it is stable, and what grows fastest.
fn report_course(s: &Spectrum, out: &mut Outcome) {
    out.set("stable", Value::Flag(s.course() < 0), "");
    out.set("growth_rate", Value::Number(s.growth_rate()), "1/s");
    out.set("omega", Value::Number(s.frequency()), "rad/s");
    let regime = match s.course() {
        1 => "unstable",
        0 => "neutral",
        _ => "steady-sliding",
    };
    out.regime = Some(regime.into());
}
