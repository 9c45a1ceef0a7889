//! Models with other numbers, made without reading the text again.
//!
//! A reading of the text is recorded: what each kind was answered when it asked for its keys, and where among the answers
//! the varied paths lead. The kinds then read the same answers again with other numbers in these places. So the code that
//! makes a model from numbers, with its checks, is the only one; nothing states a second time which parameter enters where.
//! What this can't serve, or refuses, is read from the text: it knows what to say.
mod contact;
mod law;
mod notes;
mod record;
mod recorded;
mod replay;

pub(crate) use contact::ContactNotes;
pub(crate) use law::LawNotes;
pub(crate) use notes::Notes;
pub(crate) use record::{Answer, Answered, Record, Source, source};
pub(crate) use recorded::Recorded;

use crate::build::Prepared;
use crate::scenario::Scenario;
use crate::text::document::Case;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use stickslip_model::{Model, Patches, difference};
use stickslip_structures::Refused;

/// The models of a case at some paths.
pub(crate) struct CaseLens<'a> {
    pub scenario: &'a Scenario,
    pub case: &'a Case,
    pub prepared: &'a Prepared,
    pub paths: Vec<String>,
    /// What the first reading recorded; None where it can't be used.
    recorded: OnceLock<(Vec<f64>, Option<Recorded<'a>>)>,
    /// For each path: with another number there, the text gave the same as what was recorded.
    verified: Vec<AtomicBool>,
    /// It did not: what was recorded is not used any more.
    distrusted: AtomicBool,
    /// There were numbers at which only the text could tell, and it had a model.
    missed: AtomicBool,
}

impl<'a> CaseLens<'a> {
    pub fn new(scenario: &'a Scenario, case: &'a Case, prepared: &'a Prepared, paths: &[&str]) -> CaseLens<'a> {
        CaseLens {
            scenario,
            case,
            prepared,
            paths: paths.iter().map(|p| p.to_string()).collect(),
            recorded: OnceLock::new(),
            verified: paths.iter().map(|_| AtomicBool::new(false)).collect(),
            distrusted: AtomicBool::new(false),
            missed: AtomicBool::new(false),
        }
    }

    fn settings<'s>(&'s self, values: &[f64]) -> Vec<(&'s str, f64)> {
        self.paths.iter().map(String::as_str).zip(values.iter().copied()).collect()
    }

    /// The model as the text has it.
    fn read(&self, values: &[f64], asked: bool) -> Result<Model, Refused> {
        let lens = self.recorded.get().is_none();
        let found = self.scenario.vary_recorded(self.case, &self.settings(values), self.prepared, lens, asked);
        let (model, _, recorded) = found.map_err(|all| crate::running::first(&all))?;
        if lens {
            let _ = self.recorded.set((values.to_vec(), recorded));
        }
        Ok(model)
    }

    /// The model, as far as the analysis serves it where that is asked.
    fn asked(&self, model: Model, asked: bool) -> Result<Model, Refused> {
        match asked.then(|| self.prepared.analysis.refuse(&model)).flatten() {
            Some(refused) => Err(Refused::new("", "scenario::varied", refused.message)),
            None => Ok(model),
        }
    }
}

impl Patches for CaseLens<'_> {
    fn model(&self, values: &[f64], asked: bool) -> Result<Model, Refused> {
        if let Some(model) = crate::running::started(self.prepared, &self.settings(values)) {
            return self.asked(model, asked);
        }
        let (first, recorded) = match self.recorded.get() {
            Some((first, Some(recorded))) if !self.distrusted.load(Ordering::Relaxed) => (first, recorded),
            _ => return self.read(values, asked),
        };
        let Some(model) = recorded.model(values) else {
            let own = self.read(values, asked);
            self.missed.fetch_or(own.is_ok(), Ordering::Relaxed);
            return own;
        };
        let changed = |i: &usize| values[*i] != first[*i] && !self.verified[*i].load(Ordering::Relaxed);
        let unverified: Vec<usize> = (0..values.len()).filter(changed).collect();
        if !unverified.is_empty() {
            let own = self.read(values, asked)?;
            match difference(&own, &model) {
                None => unverified.iter().for_each(|i| self.verified[*i].store(true, Ordering::Relaxed)),
                Some(_) => self.distrusted.store(true, Ordering::Relaxed),
            }
            return Ok(own);
        }
        self.asked(model, asked)
    }

    fn reads_text(&self) -> bool {
        let served = matches!(self.recorded.get(), Some((_, Some(_))));
        !served || self.distrusted.load(Ordering::Relaxed) || self.missed.load(Ordering::Relaxed)
    }
}
