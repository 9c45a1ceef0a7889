//! Residuals of all records and their derivatives: what the search looks at.
use crate::Fit;
use crate::predict::lost::Troubles;
use crate::search::loss::{Loss, sigmas};
use crate::unknowns::Unknown;
use stickslip_dynamics::ParameterEntry;
use stickslip_model::{Context, Lens};
use stickslip_motion::About;
use stickslip_motion::ways;
use stickslip_solve::least_squares::{Look, Problem};

/// The problem of the search.
pub struct Objective<'a> {
    pub fit: &'a Fit,
    pub context: &'a Context<'a>,
    /// The model as a function of the unknowns.
    pub lens: Result<Lens<'a>, String>,
    pub unknowns: &'a [Unknown],
    /// How many of them are numbers of the scenario: these come first, then those of single records.
    pub shared: usize,
    /// How each parameter enters; or why dual numbers do not serve.
    pub ways: Result<Vec<ParameterEntry>, String>,
    /// Standard deviation of each value of each record.
    pub sigmas: Vec<Vec<f64>>,
    /// Forward runs, without and with derivatives.
    pub runs: usize,
    pub sensed: usize,
    /// Why the model had no answer the last time it had none.
    pub trouble: Option<String>,
    /// Why motions or paths had to be differentiated as a whole.
    pub differences: Troubles,
    /// Why motions of each record can't be followed step by step, if so; known after the first evaluation.
    pub served: Vec<Option<Option<&'static str>>>,
    /// Fewest steps that a motion of each record took.
    pub fewest: Vec<Option<usize>>,
    /// When the program of each record passes its rows, where that does not depend on the parameters.
    pub passes: Vec<Option<Vec<f64>>>,
    /// Receives the evaluations so far.
    pub told: usize,
}

/// Values of the model at a record, and their derivatives in each parameter, row after row.
pub type Answer = (Vec<f64>, Vec<f64>);

impl<'a> Objective<'a> {
    /// The problem of a fit, before any evaluation.
    pub fn new(fit: &'a Fit, context: &'a Context<'a>, unknowns: &'a [Unknown]) -> Objective<'a> {
        let numbers: Vec<&Unknown> = unknowns.iter().filter(|k| k.own.is_none()).collect();
        let settings: Vec<(&str, f64)> = numbers.iter().map(|k| (k.path.as_str(), k.start)).collect();
        let bounds: Vec<[f64; 2]> = numbers.iter().map(|k| k.between).collect();
        let records = fit.records.len();
        Objective {
            fit,
            context,
            lens: context.lens(&settings.iter().map(|(path, _)| *path).collect::<Vec<_>>()),
            unknowns,
            shared: numbers.len(),
            ways: ways(&settings, &bounds, context),
            sigmas: fit.records.iter().map(|r| sigmas(r, fit.loss)).collect(),
            runs: 0,
            sensed: 0,
            trouble: None,
            differences: Troubles::default(),
            served: vec![None; records],
            fewest: vec![None; records],
            passes: vec![None; records],
            told: 0,
        }
    }

    /// Numbers of the scenario, in SI.
    pub fn settings(&self, u: &[f64]) -> Vec<(&'a str, f64)> {
        self.unknowns[..self.shared].iter().zip(u).map(|(k, u)| (k.path.as_str(), k.outer(*u))).collect()
    }

    /// What the model says of every record; derivatives where wanted.
    pub fn answers(&mut self, u: &[f64], slopes: bool) -> Result<Vec<Answer>, String> {
        let settings = self.settings(u);
        let values: Vec<f64> = settings.iter().map(|(_, x)| *x).collect();
        let model = self.lens.as_ref().map_err(String::clone)?.at(&values)?;
        match slopes {
            true => self.sensed += 1,
            false => self.runs += 1,
        }
        let mut about: Option<Vec<About>> = None;
        let fit = self.fit;
        let each = fit.records.iter().enumerate();
        each.map(|(i, record)| self.answer_with_own((i, record), (&model, &settings), u, slopes, &mut about)).collect()
    }

    /// Residuals, without the loss.
    pub fn residuals(&self, answers: &[Answer]) -> Vec<f64> {
        let mut all = vec![];
        for ((record, (values, _)), sigma) in self.fit.records.iter().zip(answers).zip(&self.sigmas) {
            let one = |(i, x): (usize, &f64)| (x - record.values[i]) * record.factor(i) / sigma[i];
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
                let factor = slope * record.factor(i) / sigma[i];
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
