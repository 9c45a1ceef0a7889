//! Residuals of all records and their derivatives: what the search looks at.
use super::duals::Duals;
use super::flow::{Asked, MOST_STEPS, Samples, follow, not_served};
use super::others::{approach, steady_curve};
use super::paths::{Paths, gives_motion};
use super::plan::ways;
use super::records::{Of, Record};
use super::sense::{Quantity, Sense};
use super::stencil::{About, STENCIL};
use super::unknowns::Unknown;
use super::{Fit, sigmas};
use crate::analysis::Context;
use crate::dynamics::{Dynamics, Enters};
use crate::model::{Model, StartState};
use crate::start::initial;
use std::sync::Arc;
use stickslip_solve::least_squares::{Look, Problem};

/// Where large residuals begin, in standard deviations: 95 % as good as squares on normal noise.
const HUBER: f64 = 1.345;
const CAUCHY: f64 = 2.385;

/// How residuals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// By their squares.
    Squares,
    /// In proportion beyond 1.345 standard deviations.
    Huber,
    /// By a logarithm beyond 2.385 standard deviations.
    Cauchy,
}

impl Loss {
    /// Half the slope of the loss at `r`, and the slope of that: how a residual pulls.
    pub fn pull(self, r: f64) -> (f64, f64) {
        match self {
            Loss::Squares => (r, 1.0),
            Loss::Huber => (r.clamp(-HUBER, HUBER), f64::from(u8::from(r.abs() <= HUBER))),
            Loss::Cauchy => {
                let square = (r / CAUCHY).powi(2);
                (r / (1.0 + square), (1.0 - square) / (1.0 + square).powi(2))
            }
        }
    }

    /// The residual whose square is the loss of `r`, and its slope.
    pub fn of(self, r: f64) -> (f64, f64) {
        match self {
            Loss::Squares => (r, 1.0),
            Loss::Huber if r.abs() <= HUBER => (r, 1.0),
            Loss::Huber => {
                let k = HUBER;
                let size = (2.0 * k * r.abs() - k * k).sqrt();
                (size.copysign(r), k / size)
            }
            Loss::Cauchy => {
                let k = CAUCHY;
                let size = k * (r / k).powi(2).ln_1p().sqrt();
                let slope = if size > 0.0 { r.abs() / size / (1.0 + (r / k).powi(2)) } else { 1.0 };
                (size.copysign(r), slope)
            }
        }
    }
}

/// A motion that takes so many times the steps of another is of a regime that the record does not show; but for those that
/// take few.
const MANY_TIMES: usize = 20;
const FEW_STEPS: usize = 5_000;

/// The problem of the search.
pub struct Objective<'a> {
    pub fit: &'a Fit,
    pub context: &'a Context<'a>,
    pub unknowns: &'a [Unknown],
    /// How each parameter enters, where dual numbers serve.
    pub ways: Option<Vec<Enters>>,
    /// Standard deviation of each value of each record.
    pub sigmas: Vec<Vec<f64>>,
    /// Forward runs, without and with derivatives.
    pub runs: usize,
    pub sensed: usize,
    /// Why the model had no answer the last time it had none.
    pub trouble: Option<String>,
    /// Why motions or paths had to be differentiated as a whole.
    pub differences: Vec<String>,
    /// Why motions of each record can't be followed step by step, if so; known after the first evaluation.
    pub served: Vec<Option<Option<&'static str>>>,
    /// Fewest steps that a motion of each record took.
    pub fewest: Vec<Option<usize>>,
    /// When the program of each record passes its rows, where that does not depend on the parameters.
    pub passes: Vec<Option<Vec<f64>>>,
    /// Told the evaluations so far.
    pub told: usize,
}

/// Values of the model at a record, and their derivatives in each parameter, row after row.
pub type Answer = (Vec<f64>, Vec<f64>);

impl<'a> Objective<'a> {
    /// The problem of a fit, before any evaluation.
    pub fn new(fit: &'a Fit, context: &'a Context<'a>, unknowns: &'a [Unknown]) -> Objective<'a> {
        let settings: Vec<(&str, f64)> = unknowns.iter().map(|k| (k.path.as_str(), k.start)).collect();
        let bounds: Vec<[f64; 2]> = unknowns.iter().map(|k| k.between).collect();
        let records = fit.records.len();
        Objective {
            fit,
            context,
            unknowns,
            ways: ways(&settings, &bounds, context),
            sigmas: fit.records.iter().map(|r| sigmas(r, fit.loss)).collect(),
            runs: 0,
            sensed: 0,
            trouble: None,
            differences: vec![],
            served: vec![None; records],
            fewest: vec![None; records],
            passes: vec![None; records],
            told: 0,
        }
    }

    /// Parameters in SI.
    pub fn settings(&self, u: &[f64]) -> Vec<(&'a str, f64)> {
        self.unknowns.iter().zip(u).map(|(k, u)| (k.path.as_str(), k.outer(*u))).collect()
    }

    /// What the model says of every record; derivatives where wanted.
    pub fn answers(&mut self, u: &[f64], slopes: bool) -> Result<Vec<Answer>, String> {
        let settings = self.settings(u);
        let model = self.context.model_at(&settings)?;
        match slopes {
            true => self.sensed += 1,
            false => self.runs += 1,
        }
        let mut about: Option<Vec<About>> = None;
        let fit = self.fit;
        let each = fit.records.iter().enumerate();
        each.map(|(i, record)| self.answer((i, record), &model, &settings, slopes, &mut about)).collect()
    }

    fn answer(
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
                Some(why) => why,
            }
        } else {
            ""
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
        (i, record, why): (usize, &Record, &str),
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
            return Ok((paths.values(model, &times, None)?, vec![]));
        }
        let duals = self.ways.as_ref().and_then(|ways| Duals::new(model, ways));
        let why = match (paths.not_carried(model), duals) {
            (Some(_), _) if !why.is_empty() => why.to_string(),
            (Some(why), _) => why.to_string(),
            (None, None) => "a parameter that is none of the friction law, the load or the structure".into(),
            (None, Some(duals)) => {
                let start = self.start_slopes(record, settings, about)?;
                let (values, slopes) = paths.slopes(model, &times, duals, start)?;
                match slopes {
                    Ok(slopes) => return Ok((values, slopes)),
                    Err(why) => why,
                }
            }
        };
        let values = paths.values(model, &times, None)?;
        let value = |model: &Model| {
            let model = driven(model, record);
            let times = match &self.passes[i] {
                Some(times) => times.clone(),
                None => paths.times(&model)?,
            };
            paths.values(&model, &times, None)
        };
        let all = self.differences(settings, about, values.len(), value)?;
        self.say(why);
        Ok((values, all))
    }

    /// Notes why derivatives are not exact.
    fn say(&mut self, why: String) {
        if !self.differences.contains(&why) {
            self.differences.push(why);
        }
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
        let most = self.fewest[i].map_or(MOST_STEPS, |few| (MANY_TIMES * few).clamp(FEW_STEPS, MOST_STEPS));
        let asked = Asked { times: &record.x, quantity, rtol: self.fit.rtol, most };
        if !slopes {
            return follow(model, &asked, None, None).map(|samples| self.taken(i, samples));
        }
        let duals = self.ways.as_ref().and_then(|ways| Duals::new(model, ways));
        // Where the law is smooth its balance tells steady sliding.
        let smooth = model.contacts.iter().all(|c| !c.friction.claims().set_valued);
        let steady = model.start.state == StartState::SteadySliding && smooth;
        let followed = match duals {
            Some(duals) => {
                let start = if steady { None } else { Some(self.start_slopes(record, settings, about)?) };
                follow(model, &asked, Some(&mut Sense::Dual(duals)), start)
            }
            None => {
                let start = self.start_slopes(record, settings, about)?;
                let near = driven_all(self.neighbours(settings, about)?, record);
                let mut sense = Sense::neighbours(&near).ok_or("the mass matrix is singular")?;
                follow(model, &asked, Some(&mut sense), Some(start))
            }
        };
        let why = match followed {
            Ok(samples) => return Ok(self.taken(i, samples)),
            Err(why) => why,
        };
        // The motion itself may be known all the same.
        let (values, _) = follow(model, &asked, None, None).map(|samples| self.taken(i, samples))?;
        let value = |model: &Model| follow(&driven(model, record), &asked, None, None).map(|samples| samples.values);
        let all = self.differences(settings, about, values.len(), value)?;
        self.say(why);
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
            let one = |k: usize| About::new(settings, k, self.unknowns[k].between, self.context);
            *about = Some((0..settings.len()).map(one).collect::<Result<_, _>>()?);
        }
        Ok(about.as_deref().unwrap_or_default())
    }

    /// Derivatives of the unknowns at the start.
    fn start_slopes(
        &self,
        record: &Record,
        settings: &[(&str, f64)],
        about: &mut Option<Vec<About>>,
    ) -> Result<Vec<f64>, String> {
        let near = driven_all(self.neighbours(settings, about)?, record);
        let mut sense = Sense::neighbours(&near).ok_or("the mass matrix is singular")?;
        let m = near.first().and_then(|a| Dynamics::new(&a.models[0]).map(|d| d.dim())).unwrap_or(0);
        let mut out = vec![0.0; m * settings.len()];
        sense.of_start(|dynamics| initial(dynamics).ok(), &mut out).ok_or("the start is not known")?;
        Ok(out)
    }

    /// Residuals, without the loss.
    pub fn residuals(&self, answers: &[Answer]) -> Vec<f64> {
        let mut all = vec![];
        for ((record, (values, _)), sigma) in self.fit.records.iter().zip(answers).zip(&self.sigmas) {
            let one = |(i, x): (usize, &f64)| (x - record.values[i]) * record.weight / sigma[i];
            all.extend(values.iter().enumerate().map(one));
        }
        all
    }
}

impl Objective<'_> {
    /// Residuals and slopes under a loss.
    pub fn look_with(&mut self, u: &[f64], loss: Loss) -> Option<Look> {
        let answers = match self.answers(u, true) {
            Ok(answers) => answers,
            Err(why) => {
                self.trouble = Some(why);
                return None;
            }
        };
        let mut look = Look { residuals: self.residuals(&answers), jacobian: vec![] };
        let by: Vec<f64> = self.unknowns.iter().zip(u).map(|(k, u)| k.by(*u)).collect();
        let mut row = 0;
        for ((record, (values, slopes)), sigma) in self.fit.records.iter().zip(&answers).zip(&self.sigmas) {
            for i in 0..values.len() {
                let (residual, slope) = loss.of(look.residuals[row]);
                look.residuals[row] = residual;
                let factor = slope * record.weight / sigma[i];
                let slopes = &slopes[i * by.len()..(i + 1) * by.len()];
                look.jacobian.extend(slopes.iter().zip(&by).map(|(s, by)| s * by * factor));
                row += 1;
            }
        }
        let finite = look.residuals.iter().chain(&look.jacobian).all(|x| x.is_finite());
        if !finite {
            self.trouble = Some("the model's answer is not finite".into());
        }
        self.told += 1;
        self.context.report(1.0 - 1.0 / (1.0 + self.told as f64 / 20.0));
        finite.then_some(look)
    }
}

impl Problem for Objective<'_> {
    fn look(&mut self, u: &[f64]) -> Option<Look> {
        self.look_with(u, self.fit.loss)
    }

    fn stopped(&mut self) -> bool {
        self.context.stopped()
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
