//! What the model says of a record, with derivatives: in the most exact way that serves.
use crate::predict::lost::Lost;
use crate::predict::paths::{Paths, gives_motion};
use crate::predict::samples::{Asked, Samples, follow, not_served};
use crate::predict::static_records::{approach, steady_curve};
use crate::records::{Of, Record};
use crate::search::objective::{Answer, Objective};
use std::sync::Arc;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::initial;
use stickslip_model::{Model, StartState};
use stickslip_motion::Duals;
use stickslip_motion::{About, STENCIL};
use stickslip_motion::{Derivatives, Quantity};

/// A motion that takes so many times the steps of another is of a regime that the record does not show; but for those that
/// take few.
const MANY_TIMES: usize = 20;
const FEW_STEPS: usize = 5_000;

impl Objective<'_> {
    /// Why a record can't be met whatever the parameters are, where that is known before the search.
    pub(crate) fn never_met(&self) -> Option<String> {
        let settings: Vec<(&str, f64)> = self.unknowns.iter().map(|k| (k.path.as_str(), k.start)).collect();
        if settings.iter().any(|(path, _)| path.starts_with("drive")) {
            return None;
        }
        let model = self.context.model_at(&settings).ok()?;
        let records = self.fit.records.iter().filter(|r| r.of() == Of::Path);
        let mut paths = records.map(|record| Paths { fit: self.fit, record, context: self.context });
        paths.find_map(|paths| paths.never_met(&model))
    }

    /// What the model says of one record.
    pub(crate) fn answer(
        &mut self,
        (i, record): (usize, &Record),
        model: &Model,
        settings: &[(&str, f64)],
        slopes: bool,
        about: &mut Option<Vec<About>>,
    ) -> Result<Answer, String> {
        // A program on a structure is a motion too.
        let moves = record.of() == Of::Path && !model.structure.is_empty() && record.along.0 == "time";
        let why = if record.of() == Of::Motion || (moves && record.moved.is_none() && self.fit.each.is_none()) {
            let quantity = quantity(record, model).ok_or("the model has no such quantity")?;
            let model = driven(model, record);
            let served = *self.served[i].get_or_insert_with(|| not_served(&model, quantity));
            match served {
                None => return self.motion((i, record), quantity, &model, settings, slopes, about),
                Some(why) => Some(why),
            }
        } else {
            None
        };
        if matches!(record.of(), Of::Motion | Of::Path) {
            return self.path((i, record, why), &driven(model, record), settings, slopes, about);
        }
        let value = |model: &Model| match record.of() {
            Of::SteadyCurve => steady_curve(record, model),
            _ => approach(record, model),
        };
        let values = value(model)?;
        let all = if slopes { self.differences(settings, about, values.len(), value)? } else { vec![] };
        Ok((values, all))
    }

    /// Derivatives of what is known by value only.
    fn differences(
        &self,
        settings: &[(&str, f64)],
        about: &mut Option<Vec<About>>,
        rows: usize,
        value: impl Fn(&Model) -> Result<Vec<f64>, String>,
    ) -> Result<Vec<f64>, String> {
        let count = settings.len();
        let mut all = vec![0.0; rows * count];
        for (p, about) in self.neighbours(settings, about)?.iter().enumerate() {
            for (near, (_, weight)) in about.models.iter().zip(STENCIL) {
                for (i, x) in value(near)?.into_iter().enumerate() {
                    all[i * count + p] += weight * x / about.step;
                }
            }
        }
        Ok(all)
    }

    /// A path through a program, or a motion that is run as a whole.
    fn path(
        &mut self,
        (i, record, why): (usize, &Record, Option<&'static str>),
        model: &Model,
        settings: &[(&str, f64)],
        slopes: bool,
        about: &mut Option<Vec<About>>,
    ) -> Result<Answer, String> {
        let paths = Paths { fit: self.fit, record, context: self.context };
        let times = match &self.passes[i] {
            Some(times) => times.clone(),
            None => paths.times(model)?,
        };
        let moves = settings.iter().any(|(path, _)| path.starts_with("drive"));
        if !moves && model.loading.program.as_ref().is_none_or(gives_motion) && self.passes[i].is_none() {
            self.passes[i] = Some(times.clone());
        }
        if !slopes {
            return Ok((paths.values(model, &times)?, vec![]));
        }
        let (why, known) = match (why.or_else(|| paths.not_carried(model)), self.duals(model)) {
            (Some(why), _) => (Lost::from(why), None),
            (None, Err(why)) => (Lost::from(why), None),
            (None, Ok(duals)) => {
                let start = self.start_slopes((record, model), settings, about)?;
                let (values, slopes) = paths.slopes(model, &times, duals, start)?;
                match slopes {
                    Ok(slopes) => return Ok((values, slopes)),
                    Err(why) => (why, Some(values)),
                }
            }
        };
        let values = known.map_or_else(|| paths.values(model, &times), Ok)?;
        let value = |model: &Model| {
            let model = driven(model, record);
            let times = match &self.passes[i] {
                Some(times) => times.clone(),
                None => paths.times(&model)?,
            };
            paths.values(&model, &times)
        };
        let all = self.differences(settings, about, values.len(), value)?;
        self.differences.note(why);
        Ok((values, all))
    }

    /// The laws with derivatives, where dual numbers serve; or why they do not.
    fn duals(&self, model: &Model) -> Result<Duals, String> {
        let ways = self.ways.as_ref().map_err(Clone::clone)?;
        Duals::new(model, ways).ok_or_else(|| "a law without derivatives in its numbers".into())
    }

    fn motion(
        &mut self,
        (i, record): (usize, &Record),
        quantity: Quantity,
        model: &Model,
        settings: &[(&str, f64)],
        slopes: bool,
        about: &mut Option<Vec<About>>,
    ) -> Result<Answer, String> {
        let limit = self.fit.motion_steps;
        let most = self.fewest[i].map_or(limit, |few| (MANY_TIMES * few).max(FEW_STEPS).min(limit));
        let asked = Asked { times: &record.x, quantity, rtol: self.fit.rtol, most };
        if !slopes {
            let samples = follow(model, &asked, None, None).map_err(|e| e.to_string())?;
            return Ok(self.taken(i, samples));
        }
        // Where the law is smooth its balance gives steady sliding.
        let smooth = model.contacts.iter().all(|c| !c.friction.claims().set_valued);
        let steady = model.start.state == StartState::SteadySliding && smooth;
        let followed = match self.duals(model) {
            Ok(duals) => {
                let start = if steady { None } else { Some(self.start_slopes((record, model), settings, about)?) };
                follow(model, &asked, Some(&mut Derivatives::Dual(&duals)), start)
            }
            Err(_) => {
                let start = self.start_slopes((record, model), settings, about)?;
                let near = driven_all(self.neighbours(settings, about)?, record);
                let mut sense = Derivatives::neighbours(&near).ok_or("the mass matrix is singular")?;
                follow(model, &asked, Some(&mut sense), Some(start))
            }
        };
        let why = match followed {
            Ok(samples) => return Ok(self.taken(i, samples)),
            Err(why) => why,
        };
        // The motion itself may be known all the same.
        let plain = |model: &Model| follow(model, &asked, None, None).map_err(|e| e.to_string());
        let (values, _) = plain(model).map(|samples| self.taken(i, samples))?;
        let value = |model: &Model| plain(&driven(model, record)).map(|samples| samples.values);
        let all = self.differences(settings, about, values.len(), value)?;
        self.differences.note(why);
        Ok((values, all))
    }

    fn taken(&mut self, record: usize, samples: Samples) -> Answer {
        let fewest = &mut self.fewest[record];
        *fewest = Some(fewest.map_or(samples.steps, |few| few.min(samples.steps)));
        (samples.values, samples.slopes)
    }

    /// Models about the present one, made once for an evaluation.
    fn neighbours<'n>(
        &self,
        settings: &[(&str, f64)],
        about: &'n mut Option<Vec<About>>,
    ) -> Result<&'n [About], String> {
        if about.is_none() {
            let lens = self.lens.as_ref().map_err(String::clone)?;
            let one = |k: usize| About::new(settings, k, self.unknowns[k].between, lens);
            *about = Some((0..settings.len()).map(one).collect::<Result<_, _>>()?);
        }
        Ok(about.as_deref().unwrap_or_default())
    }

    /// Derivatives of the unknowns at the start.
    fn start_slopes(
        &self,
        (record, model): (&Record, &Model),
        settings: &[(&str, f64)],
        about: &mut Option<Vec<About>>,
    ) -> Result<Vec<f64>, String> {
        let m = Dynamics::new(model).map_or(0, |d| d.dim());
        let mut out = vec![0.0; m * settings.len()];
        if m == 0 {
            return Ok(out);
        }
        let near = driven_all(self.neighbours(settings, about)?, record);
        let mut sense = Derivatives::neighbours(&near).ok_or("the mass matrix is singular")?;
        sense.of_start(|dynamics| initial(dynamics).ok(), &mut out).ok_or("the start is not known")?;
        Ok(out)
    }
}

/// What a record observes in a motion.
pub fn quantity(record: &Record, model: &Model) -> Option<Quantity> {
    let moves = !model.structure.is_empty();
    match record.observed.0 {
        "friction" => (!model.contacts.is_empty()).then_some(Quantity::Friction),
        "force" => (!model.contacts.is_empty()).then_some(Quantity::Force),
        "displacement" => moves.then_some(Quantity::Coordinate(0)),
        "velocity" => moves.then_some(Quantity::Rate(0)),
        _ => None,
    }
}

/// Neighbouring models under the drive of a record.
fn driven_all(near: &[About], record: &Record) -> Vec<About> {
    let one = |a: &About| About { models: a.models.iter().map(|m| driven(m, record)).collect(), step: a.step };
    near.iter().map(one).collect()
}

/// The model under the drive of a record, where that has one.
fn driven(model: &Model, record: &Record) -> Model {
    let mut model = model.clone();
    if let Some(drive) = &record.drive {
        let mut loading = (*model.loading).clone();
        match loading.surface.is_some() {
            true => loading.surface = Some(drive.clone()),
            false => loading.base = Some(drive.clone()),
        }
        model.loading = Arc::new(loading);
    }
    model
}
