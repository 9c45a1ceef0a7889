//! The same model with other values of some parameters, without reading the scenario again.
//!
//! A lens is made once for a list of paths and asked for many values: by maps, thresholds, continuation, fits.
//!
//! ```no_run
//! # fn f(context: &stickslip_model::Context) -> Result<(), String> {
//! let lens = context.lens(&["structure.stiffness", "contact.friction.mu"])?;
//! let softer = lens.at(&[900.0, 0.3])?;
//! # Ok(()) }
//! ```
//! It gives the model that [`Context::model_at`] gives at the same settings, to the last bit: the code that made the model
//! from its numbers makes it again from the numbers as they were read, with the new ones in their places. Where a path
//! enters in another way, each model is read from the text.
use crate::analysis::Context;
use crate::model::Model;
use stickslip_data::Outcome;
use stickslip_structures::Refused;

/// Who makes models with other parameters. A function from settings to a model is one, without lenses.
pub trait Varying: Sync {
    /// The model with these numbers at these paths.
    fn vary(&self, settings: &[(&str, f64)]) -> Result<Model, Refused>;
    /// The answer of the scenario with these settings, `path=value` as on the command line, in it.
    fn rerun(&self, _settings: &[String], _context: &Context) -> Result<Outcome, Refused> {
        Err(Refused::new("", "scenario::varied", "this run can't change the scenario"))
    }
    /// What gives models with other numbers at these paths faster than that.
    fn patches<'s>(&'s self, _paths: &[&str]) -> Option<Box<dyn Patches + 's>> {
        None
    }
}

impl<F: Fn(&[(&str, f64)]) -> Result<Model, Refused> + Sync> Varying for F {
    fn vary(&self, settings: &[(&str, f64)]) -> Result<Model, Refused> {
        self(settings)
    }
}

/// Models that differ in the values at given paths.
pub trait Patches: Sync {
    /// The model with these values, in the order of the paths; `asked`: as far as the analysis serves it.
    fn model(&self, values: &[f64], asked: bool) -> Result<Model, Refused>;
    /// Whether one had to be read from the text, but for the first and for those compared with it.
    fn reads_text(&self) -> bool;
}

/// The model as a function of the values at some paths; made by [`Context::lens`].
pub struct Lens<'a> {
    vary: &'a dyn Varying,
    paths: Vec<String>,
    patches: Option<Box<dyn Patches + 'a>>,
}

impl<'a> Context<'a> {
    /// The model as a function of the numbers at these paths, in the units in which the analysis was given them, else in SI.
    pub fn lens(&self, paths: &[&str]) -> Result<Lens<'a>, String> {
        let vary = self.vary.ok_or("this run can't vary parameters")?;
        Ok(Lens { vary, paths: paths.iter().map(|p| p.to_string()).collect(), patches: vary.patches(paths) })
    }
}

impl Lens<'_> {
    /// The model with these values, in the order of the paths; refused where the analysis of the run does not serve it.
    pub fn at(&self, values: &[f64]) -> Result<Model, String> {
        self.model(values, true)
    }

    /// The same, but nobody has asked the analysis whether it serves this model: for iterations, of which the last is asked
    /// for by [`Lens::at`].
    pub fn unasked(&self, values: &[f64]) -> Result<Model, String> {
        self.model(values, false)
    }

    /// Whether a model had to be read from the text, but for the first and for those compared with it.
    pub fn reads_text(&self) -> bool {
        self.patches.as_ref().is_none_or(|p| p.reads_text())
    }

    fn model(&self, values: &[f64], asked: bool) -> Result<Model, String> {
        if values.len() != self.paths.len() {
            return Err(format!("{} values for {} parameters", values.len(), self.paths.len()));
        }
        let found = match &self.patches {
            Some(patches) => patches.model(values, asked),
            None => {
                let settings: Vec<_> = self.paths.iter().map(String::as_str).zip(values.iter().copied()).collect();
                self.vary.vary(&settings)
            }
        };
        found.map_err(|e| e.message)
    }
}
