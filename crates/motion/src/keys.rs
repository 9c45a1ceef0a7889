//! The keys of a transient.
use crate::{Duration, Family, Scheme, Transient};
use stickslip_model::{Analysis, AnalysisKind};
use stickslip_structures::{Ask, Keys, Refused};

/// Relative tolerance unless given: an energy balance to six digits, event times to eight.
const RTOL: f64 = 1e-8;
/// The same for methods of order 2, which take a hundred times the steps at that tolerance.
const DIRECT_RTOL: f64 = 1e-5;
/// Schemes, in the order of [`Scheme`].
const SCHEMES: [&str; 5] = ["exact", "as-printed", "newmark", "hht", "central-difference"];
/// The alpha of Hilber, Hughes and Taylor unless given.
const ALPHA: f64 = -0.1;
/// Tightest tolerance: beyond it rounding rules.
const TIGHTEST: f64 = 1e-13;
const LOOSEST: f64 = 1e-2;
/// Steps before a run is given up unless the user says otherwise: about a minute of work.
pub(crate) const MOST_STEPS: f64 = 1e8;

/// Most steps of a fixed size: months of work.
pub(crate) const MOST_FIXED_STEPS: f64 = 1e12;

pub(crate) fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let duration = read_duration(keys)?;
    let mut rtol = RTOL;
    let scheme = match keys.choice("scheme", &SCHEMES, false, "How time advances")? {
        0 if keys.has("step") => {
            fixed_step(keys, duration)?;
            let e = keys.refuse("step", "analysis::not-served", "steps of the exact scheme are not fixed".into());
            return Err(e.hint("leave out `step`: steps are then chosen for the tolerance `rtol`"));
        }
        0 => Scheme::Exact,
        1 => Scheme::AsPrinted { step: fixed_step(keys, duration)? },
        k => {
            let family = match k {
                2 => Family::Newmark,
                3 => {
                    let about = "Numerical damping of what the step does not resolve: none at 0, most at -1/3";
                    Family::Hht(keys.number(Ask::new("alpha", "1", about).or(ALPHA).min(-1.0 / 3.0).max(0.0))?)
                }
                _ => Family::Central,
            };
            rtol = DIRECT_RTOL;
            // A step that is not given is chosen for the tolerance.
            let step = if keys.has("step") { Some(fixed_step(keys, duration)?) } else { None };
            Scheme::Direct { family, step }
        }
    };
    Ok(Box::new(Transient {
        scheme,
        duration,
        rtol: keys.number(Ask::new("rtol", "1", "Relative tolerance").or(rtol).min(TIGHTEST).max(LOOSEST))?,
        limit: keys.number(Ask::new("limit", "m", "A coordinate beyond this has diverged").or(1e9).above(0.0))?,
        max_steps: keys
            .number(Ask::new("max_steps", "1", "Most steps before the run is given up").or(MOST_STEPS).min(1.0))?
            as u64,
    }))
}

/// A step of fixed length, unless it makes too many of them.
fn fixed_step(keys: &mut dyn Keys, duration: Duration) -> Result<f64, Refused> {
    let step = keys.number(Ask::new("step", "s", "Length of a step of a scheme with fixed steps").above(0.0))?;
    if let Duration::Time(t) = duration
        && t / step > MOST_FIXED_STEPS
    {
        let message = format!("a run of {t} s takes {:.3e} steps of {step:e} s", t / step);
        let e = keys.refuse("step", "analysis::too-long", message);
        let least = t / MOST_FIXED_STEPS;
        let e = e.expected(format!("at most {MOST_FIXED_STEPS:e} steps: a step of {least:e} s or more"));
        return Err(e.hint(format!("try --set analysis.step={:e}", t / 1e4)));
    }
    Ok(step)
}

fn read_duration(keys: &mut dyn Keys) -> Result<Duration, Refused> {
    if !keys.has_table("duration") {
        return Ok(Duration::Time(keys.number(Ask::new("duration", "s", "How long the run lasts").above(0.0))?));
    }
    let mut duration = None;
    keys.table("duration", "Counted in cycles or loads", &mut |d| {
        duration = Some(if d.has("loads") {
            Duration::Loads(d.number(Ask::new("loads", "1", "Loading times of the spring").above(0.0))?)
        } else {
            Duration::Cycles(d.number(Ask::new("cycles", "1", "Completed cycles of the motion").above(0.0))?)
        });
        Ok(())
    })?;
    duration.ok_or_else(|| keys.refuse("duration", "scenario::missing", "`duration` is missing".into()))
}
