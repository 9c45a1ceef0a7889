//! The parameters that are fitted, of the scenario and of single records: their ranges, and the scale on which each is
//! searched.
use crate::predict::first_jump::first_jump;
use crate::records::{Own, Record};
use crate::search::loss::deviation;
use stickslip_model::Context;
use stickslip_model::Model;
use stickslip_model::axis::{BETWEEN_SI, between, path};
use stickslip_solve::statistics::Random;
use stickslip_structures::{ANY_UNIT, Ask, Keys, Refused};

/// Farthest from its start that a parameter without bounds is searched, as a factor.
const FAR: f64 = 1e6;
/// Further starts lie within this factor of the first.
const SPREAD: f64 = 10.0;
/// A start without an answer is replaced by places within about this factor.
const ABOUT: f64 = 2.0;

/// A parameter as it was asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its path.
    pub path: String,
    /// Bounds, where given.
    pub between: Option<[f64; 2]>,
    /// Start, where given.
    pub start: Option<f64>,
}

impl Wanted {
    /// Reads a parameter.
    pub fn read(keys: &mut dyn Keys) -> Result<Wanted, Refused> {
        let path = path(keys)?;
        let ends = match keys.has("between") {
            true => {
                let [a, b] = between(keys, BETWEEN_SI)?;
                Some([a.min(b), a.max(b)])
            }
            false => None,
        };
        let start = match keys.has("start") {
            true => Some(keys.number(Ask::new(
                "start",
                ANY_UNIT,
                "Where the search begins; else the scenario's own value",
            ))?),
            false => None,
        };
        if let (Some([a, b]), Some(x)) = (ends, start)
            && !(a..=b).contains(&x)
        {
            let e = keys.refuse("start", "fit::out-of-range", format!("the start {x} is not between {a} and {b}"));
            return Err(e.expected(format!("a number from {a} to {b}")));
        }
        Ok(Wanted { path, between: ends, start })
    }
}

/// A parameter on the scale of its search.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its path.
    pub path: String,
    /// Bounds in SI.
    pub between: [f64; 2],
    /// Where the search begins, in SI.
    pub start: f64,
    /// Searched by its logarithm.
    pub logarithmic: bool,
    /// The record that it belongs to, and what of it; None for a number of the scenario.
    pub own: Option<(usize, Own)>,
    /// Its unit, where the scenario does not know it.
    pub unit: String,
    size: f64,
}

/// Times are searched in parts of the record.
const PARTS: f64 = 20.0;
/// A model may start earlier than the record by this part of it.
const EARLIER: f64 = 0.05;
/// It starts no later than this.
const LATEST: f64 = 0.95;

impl Unknown {
    /// What a record has for itself; the model gives its drive.
    pub fn of_record(i: usize, own: Own, record: &Record, times: &[f64], model: &Model) -> Result<Unknown, String> {
        let spread = deviation(&record.values).max(f64::MIN_POSITIVE);
        let end = times.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
        let anywhere = [f64::NEG_INFINITY, f64::INFINITY];
        let observed = record.observed.1;
        let (unit, start, between, size) = match own {
            Own::Offset => (observed.to_string(), 0.0, anywhere, spread),
            Own::Trend => {
                let unit = if observed == "1" { "1/s".into() } else { format!("{observed}/s") };
                (unit, 0.0, anywhere, spread / end)
            }
            Own::DeadTime => ("s".into(), 0.0, [-EARLIER * end, LATEST * end], end / PARTS),
            Own::StepTime => {
                let drive = record.drive.as_ref().or(model.loading.base.as_ref()).or(model.loading.surface.as_ref());
                let jump = drive.and_then(|drive| first_jump(drive, end));
                let jump = jump
                    .ok_or_else(|| format!("`step_time` of `{}`: its drive has no jump up to {end} s", record.name))?;
                ("s".into(), jump.at, jump.between, end / PARTS)
            }
        };
        let path = format!("records[{i}].{}", own.key());
        Ok(Unknown { path, between, start, logarithmic: false, own: Some((i, own)), unit, size })
    }

    /// A parameter with what the scenario knows of it.
    pub fn new(wanted: &Wanted, context: &Context) -> Result<Unknown, String> {
        let known = context.number.and_then(|number| number(&wanted.path));
        let range = known.map_or([f64::NEG_INFINITY, f64::INFINITY], |k| k.between);
        let between = wanted.between.unwrap_or(range);
        let middle = || wanted.between.map(|[a, b]| if a > 0.0 { (a * b).sqrt() } else { 0.5 * (a + b) });
        let inside = |x: &f64| (between[0]..=between[1]).contains(x);
        let start = wanted.start.or(known.map(|k| k.value).filter(inside)).or_else(middle);
        let start = start.ok_or_else(|| format!("`{}` has no number to start from; give `start`", wanted.path))?;
        let logarithmic = between[0] >= 0.0 && start > 0.0;
        let size = if start != 0.0 { start.abs() } else { 1.0 };
        let (path, unit) = (wanted.path.clone(), String::new());
        Ok(Unknown { path, between, start, logarithmic, own: None, unit, size })
    }

    /// From SI to the scale of the search.
    pub fn inner(&self, x: f64) -> f64 {
        if self.logarithmic { x.ln() } else { x / self.size }
    }

    /// From the scale of the search to SI.
    pub fn outer(&self, u: f64) -> f64 {
        let x = if self.logarithmic { u.exp() } else { u * self.size };
        x.clamp(self.between[0], self.between[1])
    }

    /// Change in SI per change on the scale of the search.
    pub fn by(&self, u: f64) -> f64 {
        if self.logarithmic { u.exp() } else { self.size }
    }

    /// Bounds on the scale of the search.
    pub fn bounds(&self) -> [f64; 2] {
        let start = self.inner(self.start);
        let far = if self.logarithmic { FAR.ln() } else { FAR };
        let [low, high] = self.between;
        let low = if self.logarithmic && low <= 0.0 { start - far } else { self.inner(low).max(start - far) };
        [low, self.inner(high).min(start + far)]
    }

    /// A place about `u`, for one at which the model has no answer; the more were tried, the farther.
    pub fn near(&self, u: f64, tried: usize, random: &mut Random) -> f64 {
        let [low, high] = self.bounds();
        let reach = if self.logarithmic { ABOUT.ln() } else { 0.5 } * (0.5 + 0.2 * tried as f64);
        (u + reach * (2.0 * random.even() - 1.0)).clamp(low, high)
    }

    /// Another place to start from.
    pub fn another(&self, random: &mut Random) -> f64 {
        let [low, high] = self.bounds();
        let start = self.inner(self.start);
        let reach = if self.logarithmic { SPREAD.ln() } else { 1.0 };
        let (low, high) = (low.max(start - reach), high.min(start + reach));
        low + (high - low) * random.even()
    }
}
