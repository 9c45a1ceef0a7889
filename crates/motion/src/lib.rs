//! Transient: the motion in time, with its events, its energy ledger and its regime.
mod answers;
mod clock;
mod keys;
mod lanes;
mod march;
mod observers;
mod parts;
mod requirements;
mod steppers;
mod transition;

pub use crate::answers::fields::{ModeShape, mode_files, state_file};
pub use crate::answers::period::{PeriodAsk, PeriodMotion, is_exact, period_end, period_motion};
pub use crate::answers::row_extrema::Polynomial;
pub use crate::clock::Clock;
use crate::keys::read;
use crate::keys::{MOST_FIXED_STEPS, MOST_STEPS};
pub use crate::lanes::run_with as run_in_lanes;
pub use crate::march::{FADED, Motion};
pub use crate::observers::extrema::{Dense, Nodes, Passed};
use crate::observers::probes;
pub use crate::observers::sensitivity::derivatives::{Derivatives, Neighbours, Quantity};
pub use crate::observers::sensitivity::event_tangent::{Duals, GRAZED, Limit, Place, same, shift};
pub use crate::observers::sensitivity::flow::{
    FlowEnd, FlowStart, Parameters, Seeds, Until, flow, follow, is_seen, not_followed,
};
pub use crate::observers::sensitivity::lost::Lost;
pub use crate::observers::sensitivity::parameter_entry::ways;
pub use crate::observers::sensitivity::section::Section;
pub use crate::observers::sensitivity::stencil::{About, STENCIL};
pub use crate::observers::sensitivity::tangent::{Taken, Tangent};
pub use crate::observers::sensitivity::{FlowCause, FlowEvent, Samples};
pub use crate::observers::trace::Trace;
pub use crate::observers::watcher::Watcher;
pub use crate::parts::{Halt, Part, not_in_parts};
pub use crate::steppers::newmark::Family;
pub use crate::steppers::radau::{Adaptive, Found};
pub use crate::steppers::series::from_known_zero;
pub use crate::steppers::stages::Inside;
pub use crate::steppers::step_limits::{SERIES_RADIANS, StepLimits, close_span, floor_of, next_knot, series_span};
use crate::steppers::{moreau_jean, newmark};
pub use crate::transition::modes::{Cause, speed_jumps};
use stickslip_data::{Outcome, Status};
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::{initial, steady_states};
use stickslip_laws::{Friction, Mode, Slide};
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Run};
use stickslip_solve::dense::positive_definite;
use stickslip_structures::Refused;

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "transient",
    about: "The motion in time: event-driven and exact for set-valued laws, adaptive and L-stable for the others.

Modes that are linear are propagated by their power series to machine precision; others by Radau IIA of order 5 or 9,
which steps exactly onto each event. Near an equilibrium, where nothing outside tells the time and no event can happen, smooth
motions follow the linear flow about it in closed form. Energy is balanced term by term.",
    answers: &[
    Answer::value(
        "amplitude_pp",
        "m",
        "Peak to peak over the settled part: elongation of a pulled block, else the first coordinate.",
    ),
    Answer::value("maxima", "m", "Where a map collects them: maxima of the first coordinate in the settled part, in time."),
    Answer::value("minima", "m", "Likewise its minima."),
    Answer::value("period", "s", "Length of a settled cycle."),
    Answer::value("frequency", "Hz", "Cycles per second."),
    Answer::value(
        "stick_fraction",
        "1",
        "Part of the time in stick; of the inner element for laws that have one; a list with several contacts.",
    ),
    Answer::value("open_fraction", "1", "Part of the time in which a contact that can open is open."),
    Answer::value("speed_max", "m/s", "Largest speed of the first coordinate."),
    Answer::value("friction_max", "1", "Largest friction force over normal force; a list with several contacts."),
    Answer::value("friction_min", "1", "Smallest friction force over normal force."),
    Answer::value("friction_mean", "1", "Mean friction force over normal force."),
    Answer::value("spring_force_mean", "N", "Mean force of the spring, with one coordinate."),
    Answer::value("normal_force_max", "N", "Largest normal force."),
    Answer::value("approach_max", "m", "Largest approach of the surfaces, under a normal law that reads it."),
    Answer::value("control.<n>.force_max", "N", "Largest force of a controller, n from 1, over the settled part."),
    Answer::value("control.<n>.saturated_fraction", "1", "Part of the time in which its output is clipped."),
    Answer::value("dissipation", "J", "Work taken by friction in a settled cycle, at all contacts together."),
    Answer::value("state_changes", "1", "Changes of mode over the whole run."),
    Answer::value("state_changes_positive", "1", "Those into a mode that lasts."),
    Answer::value("mode_first", "", "Mode at the start, of each contact."),
    Answer::value("mode_last", "", "Mode at the end, of each contact."),
    Answer::value(
        "creep",
        "1",
        "Mean slip speed in what should be stick over the drive's, with cases of other formulations.",
    ),
    Answer::value("period_error", "1", "Period over that of the exact case, minus 1, with such cases."),
    Answer::value("amplitude_error", "1", "Amplitude over that of the exact case, minus 1, with such cases."),
    Answer::value(
        "step_ratio",
        "1",
        "Steps taken over those without cuts, where their length is given: T'/T of Oden and Martins.",
    ),
    Answer::value("energy_residual", "1", "What the energy balance leaves open, over its largest term."),
    Answer::value("probe.<quantity>", "", "A probed quantity at the times given: a list."),
    Answer::value("probe.<quantity>.max", "", "Its largest value, with `over`."),
    Answer::value("probe.<quantity>.min", "", "Its smallest value."),
    Answer::value("probe.<quantity>.mean", "", "Its mean over time."),
    Answer::value(
        "probe.<quantity>.frequency",
        "Hz",
        "Of a body: passages of the middle between its extremes per time.",
    ),
    Answer::table("series", "The motion: t, coordinates, rates, slip velocity, forces, states, mode."),
    Answer::table("spectrum", "Power density over the frequency, with `output.spectra`; gain, phase and coherence of two."),
    Answer::table("spectrum-<number>", "The same for each of several spectra."),
    Answer::table("events", "Every change of mode: t, contact, from, to, coordinates, rates before and after."),
],
    read,
};

/// How long a run lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Duration {
    /// A time, s.
    Time(f64),
    /// Completed cycles of the motion.
    Cycles(f64),
    /// Times the drive needs to load the spring to the steady friction force.
    Loads(f64),
}

/// How time advances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// Events exactly in time; power series where the modes are linear, else adaptive steps.
    Exact,
    /// As published for such models: explicit Euler with the tests of Cho and Barber's Appendix A for rigid contacts,
    /// Oden and Martins' central difference for smooth models.
    AsPrinted {
        /// Length of each step, s.
        step: f64,
    },
    /// Direct integration by a method of Newmark's family.
    Direct {
        /// The method.
        family: Family,
        /// Length of each step, s; None: under error control.
        step: Option<f64>,
    },
}

/// The motion in time.
#[derive(Clone, Debug)]
pub struct Transient {
    /// How time advances.
    pub scheme: Scheme,
    /// How long.
    pub duration: Duration,
    /// Relative tolerance.
    pub rtol: f64,
    /// A coordinate beyond this has diverged; m.
    pub limit: f64,
    /// Most steps.
    pub max_steps: u64,
}

impl Analysis for Transient {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(refused) = self.refuse_shape(model) {
            return Some(refused);
        }
        self.begin(model, &mut Dynamics::new(model)?).err()
    }

    fn quantities(&self, model: &Model) -> Option<Vec<String>> {
        Some(probes::names(model))
    }

    fn ends(&self, _: &Model) -> Option<f64> {
        if let Duration::Time(t) = self.duration { Some(t) } else { None }
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let failed = |reason: String| Outcome { status: Status::Failed, reason: Some(reason), ..Outcome::default() };
        let Some(mut dynamics) = Dynamics::new(model) else { return failed("the mass matrix is singular".into()) };
        let start = initial(&mut dynamics).and_then(|y| Ok((self.end(model, &y)?, y)));
        match start {
            Err(e) => failed(e.message),
            Ok((end, y)) => self.run_from(dynamics, y, end, context),
        }
    }

    fn run_served(&self, model: &Model, context: &Context) -> Result<Outcome, Refused> {
        if let Some(refused) = self.refuse_shape(model) {
            return Err(refused);
        }
        let Some(mut dynamics) = Dynamics::new(model) else { return Ok(self.run(model, context)) };
        let (end, y) = self.begin(model, &mut dynamics)?;
        Ok(self.run_from(dynamics, y, end, context))
    }

    fn batch_width(&self, model: &Model) -> usize {
        lanes::batch_width(&Run { analysis: self, model, context: Context::default() })
    }

    /// Smooth models walk in lanes.
    fn run_batch(&self, runs: &[Run]) -> Vec<Option<Outcome>> {
        lanes::run(runs)
    }
}

impl Transient {
    /// What it does not serve that shows before the motion is set up.
    fn refuse_shape(&self, model: &Model) -> Option<Refused> {
        let n = model.structure.len();
        if n == 0 {
            let e = Refused::new("structure.kind", "analysis::not-served", "a point has no motion of its own");
            return Some(e.hint("use analysis kind \"hysteresis\" for a point under a program"));
        }
        if !positive_definite(n, &model.structure.mass) {
            let e =
                Refused::new("structure.mass", "structure::not-positive", "the mass matrix is not positive definite");
            return Some(e.expected("a symmetric matrix with positive eigenvalues"));
        }
        if let Some(e) = requirements::refuse(model) {
            return Some(e);
        }
        if !model.structure.cubic.is_empty() && !model.loading.releases.is_empty() {
            let text = "a driver that goes back at once is served on springs that are linear";
            return Some(Refused::new("structure.stiffness_cubic", "analysis::not-served", text));
        }
        // A cycle takes a step at the very least.
        if let Duration::Cycles(n) = self.duration
            && n > self.max_steps as f64
        {
            let message = format!("{n:e} cycles take more than {n:e} steps");
            let e = Refused::new("analysis.duration.cycles", "analysis::too-long", message);
            let e = e.expected(format!("at most {:e} cycles, as many as `max_steps`", self.max_steps as f64));
            return Some(e.hint("try --set analysis.duration.cycles=1000"));
        }
        None
    }

    /// The end of the run, and where it starts; or why it can't be run.
    fn begin(&self, model: &Model, dynamics: &mut Dynamics) -> Result<((f64, f64), Vec<f64>), Refused> {
        let y = initial(dynamics)?;
        let end = self.end(model, &y)?;
        requirements::refuse_loads(dynamics)?;
        requirements::refuse_start(dynamics, &y)?;
        requirements::refuse_scheme(dynamics, self.scheme, end.0)?;
        newmark::refuse(dynamics, self.scheme, &y)?;
        requirements::refuse_lags(model, end.0, self.max_steps)?;
        requirements::controls::refuse_run(model, self.scheme, end.0, self.max_steps)?;
        moreau_jean::refuse(model, self, end.0)?;
        Ok((end, y))
    }

    fn run_from(&self, dynamics: Dynamics, y: Vec<f64>, end: (f64, f64), context: &Context) -> Outcome {
        let (model, again) = (dynamics.model, y.clone());
        let found = Motion::new(dynamics, self, y).run(end, context);
        found.unwrap_or_else(|| match Dynamics::new(model) {
            Some(dynamics) => Motion::new(dynamics, self, again).in_full(end, context),
            None => {
                let reason = Some("the mass matrix is singular".into());
                Outcome { status: Status::Failed, reason, ..Outcome::default() }
            }
        })
    }

    /// Motion in time by the exact scheme at a tolerance; the duration is left to the caller.
    pub fn plain(rtol: f64) -> Transient {
        let duration = Duration::Time(1.0);
        Transient { scheme: Scheme::Exact, duration, rtol, limit: 1e9, max_steps: MOST_STEPS as u64 }
    }

    /// The end of the run: a time and a number of cycles, one of which is infinite.
    pub fn end(&self, model: &Model, y: &[f64]) -> Result<(f64, f64), Refused> {
        match self.duration {
            Duration::Time(t) => Ok((t, f64::INFINITY)),
            Duration::Cycles(n) => match model.loading.period() {
                Some(period) if period > 0.0 => Ok((n * period, f64::INFINITY)),
                _ => Ok((f64::INFINITY, n)),
            },
            Duration::Loads(n) => Ok((n * loading_time(model, y)?, f64::INFINITY)),
        }
    }
}

/// Steady friction force at the drive speed over stiffness times drive speed.
fn loading_time(model: &Model, y: &[f64]) -> Result<f64, Refused> {
    let refuse = |text: &str| Refused::new("analysis.duration", "analysis::not-served", text);
    let speed = model.loading.speed().filter(|v| *v > 0.0);
    let speed = speed.ok_or_else(|| refuse("`loads` needs a belt or a pull with a velocity"))?;
    // The springs that a motion of all blocks of a chain would load.
    let stiffness = match model.structure.places.len() {
        0 | 1 => model.structure.stiffness[0],
        _ => model.structure.stiffness.iter().sum(),
    };
    if stiffness <= 0.0 || model.contacts.is_empty() {
        return Err(refuse("`loads` needs a spring and a contact"));
    }
    let mut dynamics = Dynamics::new(model).ok_or_else(|| refuse("the mass matrix is singular"))?;
    let modes = vec![Mode::Forward; dynamics.sites.len()];
    let mut dy = vec![0.0; dynamics.dim()];
    // All slip: there is no reaction that could be in trouble.
    let _ = dynamics.evaluate(0.0, y, &modes, &mut dy);
    let mut force = 0.0;
    for (i, site) in dynamics.sites.iter().enumerate() {
        let contact = &model.contacts[site.contact];
        let area = site.traction_area.unwrap_or(1.0);
        let slide = Slide::new([speed, 0.0], dynamics.load_read(i));
        let mut z: Vec<f64> = contact.friction.states().iter().map(|s| s.start).collect();
        steady_states(model, site.contact, &slide, &mut z)?;
        let mut answer = [Friction::Cone { hold: 0.0, strength: 0.0 }];
        let mut dz = vec![0.0; z.len()];
        contact.friction.respond(&[slide], &z, &mut dz, &mut answer);
        force += area
            * match answer[0] {
                Friction::Cone { strength, .. } => strength,
                Friction::Force(f) => f[0].abs(),
            };
    }
    Ok(force / (stiffness * speed))
}
