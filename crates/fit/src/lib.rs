//! Fit: parameters of laws and structures from measurements, with their uncertainty.
mod posterior;
mod predict;
pub use predict::forward;
mod records;
mod report;
mod requirements;
mod search;
mod unknowns;

use crate::posterior::{Posterior, Sampling};
use crate::predict::own_unknowns::times_of;
use crate::predict::samples::MOST_STEPS;
use crate::records::Record;
use crate::report::profile::{self, Lack};
use crate::report::ranking::rank;
use crate::report::table;
use crate::report::uncertainty::Intervals;
use crate::report::verdict::Verdict;
use crate::search::loss::Loss;
use crate::search::objective::Objective;
use crate::search::searches;
use crate::search::searches::Seeker;
use crate::unknowns::{Unknown, Wanted};
use stickslip_data::{Outcome, Status};
use stickslip_model::Model;
use stickslip_model::nested;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_motion::Transient;
use stickslip_solve::least_squares::{End, Search};
use stickslip_structures::{Ask, Keys, LawEntry, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "fit",
    about: "Parameters of laws and structures from measurements, with honest uncertainty.

Bounded least squares (Levenberg and Marquardt) from several starts. Derivatives are exact: dual numbers go through the law
and every step of the integrator, events included. Each parameter comes with its standard error, a 95 % interval and whether
these data tell it at all. Bounds are those of the law unless `between` narrows them. See the guide, `A law from
measurements`.

records = [{ of = \"velocity-step\", file = \"step.csv\", columns = { time = \"t\", friction = \"mu\" } }]
parameters = [{ parameter = \"contact.friction.a\" }, { parameter = \"contact.friction.b\" }]",
    answers: &[
    Answer::value(
        "parameters",
        "",
        "Each parameter with `value`, `stderr`, `ci95`, `identifiable`; `profile95` if asked, or why it has none.",
    ),
    Answer::value("parameter.<path>", "", "Its value alone."),
    Answer::value("correlation", "1", "Correlations of the parameters that the data tell, row after row."),
    Answer::value("correlation_of", "", "Their paths."),
    Answer::value("effective_n", "1", "Number of independent values that determine a mean as well as these rows."),
    Answer::value("noise_rho", "1", "Correlation of neighbours in the noise; a list with several records."),
    Answer::value("residual_rms", "", "Root mean square of the residuals; a list with several records."),
    Answer::value("noise", "", "Where intervals take the noise from: `given`, as `sigma`, or `residuals`."),
    Answer::value("chi2", "1", "Sum of the squares of residuals over their `sigma`, where every record has one."),
    Answer::value("freedom", "1", "Values beyond the parameters."),
    Answer::value("goodness", "1", "Probability of a larger `chi2` if model and `sigma` are right."),
    Answer::value(
        "not_identifiable",
        "",
        "A sentence for each parameter, or set of them, that these data do not tell.",
    ),
    Answer::value("runs", "1", "Forward runs of the model without derivatives."),
    Answer::value("runs_with_derivatives", "1", "Forward runs with derivatives in all parameters."),
    Answer::value("starts", "1", "Searches that were begun."),
    Answer::value("starts_agree", "1", "How many of them ended at the best fit."),
    Answer::value("bic", "1", "Bayesian information criterion, with the effective number of values."),
    Answer::value("aicc", "1", "Akaike's criterion for short records, with the effective number of values."),
    Answer::value("determined", "1", "Number of combinations of parameters that the records determine."),
    Answer::value("held_out", "", "Error of predicting windows that were left out, root mean square."),
    Answer::value("best_law", "", "The first of the ranking."),
    Answer::value("r_hat", "1", "Of each parameter: all variance of the chains over that within them, as a root."),
    Answer::value("effective_samples", "1", "Of each parameter: independent draws that would tell a mean as well."),
    Answer::table("ranking", "The laws by their BIC: with AICc and the error of predicting windows left out."),
    Answer::table("posterior", "Draws of the parameters, with the chain and the logarithm of the likelihood."),
    Answer::table("autocorrelation", "Correlation of the residuals over the lag, and that of the noise."),
    Answer::table("autocorrelation-<number>", "The same for each of several records."),
    Answer::table("fit", "Measured, model and residual along the record."),
    Answer::table("fit-<number>", "The same for each of several records."),
],
    read,
};

/// Relative tolerance of a motion unless given.
const RTOL: f64 = 1e-9;
/// Evaluations of one search.
const MOST: f64 = 200.0;
/// Most parameters.
const MOST_PARAMETERS: usize = 40;
/// A step of the search changes a parameter by a factor of two at most: far steps end in other regimes.
const REACH: f64 = 0.7;
/// The search ends where a step changes nothing beyond this.
const NEAR: f64 = 1e-10;
/// Refits with the noise that the last one left in each record.
const MOST_WEIGHINGS: usize = 4;
/// Refits from better places that profiles found.
const MOST_PROFILES: usize = 3;

/// Parameters from measurements.
pub struct Fit {
    records: Vec<Record>,
    parameters: Vec<Wanted>,
    each: Option<Box<dyn Analysis>>,
    loss: Loss,
    starts: Option<usize>,
    most: usize,
    /// Most steps of one motion.
    motion_steps: usize,
    profile: bool,
    intervals: Intervals,
    /// Laws that are ranked beside the scenario's own.
    laws: Vec<LawEntry>,
    posterior: Option<Sampling>,
    rtol: f64,
}

fn read(keys: &mut dyn Keys, kinds: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut parameters = vec![];
    keys.tables("parameters", "What is fitted: paths, with `start` and `between` if wanted", &mut |k| {
        parameters.push(Wanted::read(k)?);
        Ok(())
    })?;
    if parameters.is_empty() || parameters.len() > MOST_PARAMETERS {
        let e = keys.refuse("parameters", "fit::parameters", format!("{} parameters", parameters.len()));
        let e = e.expected(format!("a list of 1 to {MOST_PARAMETERS} tables"));
        return Err(e.hint("for instance parameters = [{ parameter = \"contact.friction.mu\" }]"));
    }
    if let Some(twice) = (1..parameters.len()).find(|i| parameters[..*i].iter().any(|p| p.path == parameters[*i].path))
    {
        let path = &parameters[twice].path;
        return Err(keys.refuse("parameters", "fit::parameters", format!("`{path}` stands twice")));
    }
    let mut records = vec![];
    keys.tables("records", "Measurements: files with columns", &mut |k| {
        records.push(Record::read(k)?);
        Ok(())
    })?;
    let rows: usize = records.iter().map(|r| r.values.len()).sum();
    let unknown = parameters.len() + records.iter().map(|r| r.own.len()).sum::<usize>();
    if rows <= unknown {
        let message = format!("{rows} values for {unknown} parameters");
        let e = keys.refuse("records", "fit::too-few", message);
        return Err(e.expected("more values than parameters").hint("give a longer record, or fit fewer parameters"));
    }
    let loss = match keys.choice("loss", &["squares", "huber", "cauchy"], false, "How large residuals count")? {
        0 => Loss::Squares,
        1 => Loss::Huber,
        _ => Loss::Cauchy,
    };
    let about = "Searches from different starts; else three, and more where these leave doubt";
    let starts = match keys.has("starts") {
        true => Some(keys.count(Ask::new("starts", "1", about).min(1.0).max(1000.0))?),
        false => None,
    };
    let most = keys.count(Ask::new("most", "1", "Most evaluations of a search").or(MOST).min(1.0).max(1e6))?;
    let about = "Most steps of one motion: parameters under which it takes more have no answer";
    let steps = Ask::new("motion_steps", "1", about).or(MOST_STEPS as f64).min(10.0).max(1e9);
    let motion_steps = keys.count(steps)?;
    let profile = keys.flag("profile", "Intervals by profile likelihood too")?;
    let about = "Where intervals take the correlation of the noise from";
    let intervals = match keys.choice("intervals", &["autocorrelation", "bootstrap", "white"], false, about)? {
        0 => Intervals::Autocorrelation,
        1 => Intervals::Bootstrap,
        _ => Intervals::White,
    };
    let ranked = keys.has("laws");
    let laws = keys.law_entries("laws", "Friction laws that are fitted too, and ranked with the scenario's own")?;
    let posterior = Sampling::read(keys)?;
    let each = match keys.has_table("each") {
        true => Some(nested::read(keys, kinds, "each")?.0),
        false => None,
    };
    let own = each.as_deref().and_then(|e| (e as &dyn std::any::Any).downcast_ref::<Transient>()).map(|t| t.rtol);
    let ask = Ask::new("rtol", "1", "Relative tolerance of the motions").or(own.unwrap_or(RTOL));
    let rtol = keys.number(ask.min(1e-13).max(1e-2))?;
    // One of several laws that are ranked: what goes beyond the fit is left out.
    let posterior = posterior.filter(|_| !(ranked && laws.is_empty()));
    Ok(Box::new(Fit {
        records,
        parameters,
        each,
        loss,
        starts,
        most,
        motion_steps,
        profile,
        intervals,
        laws,
        posterior,
        rtol,
    }))
}

impl Analysis for Fit {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if !self.laws.is_empty() && model.contacts.len() != 1 {
            let text = format!("`laws` ranks the laws of one contact, and there are {}", model.contacts.len());
            return Some(Refused::new("analysis.laws", "fit::laws", text));
        }
        self.records.iter().enumerate().find_map(|(i, record)| requirements::refuse(self, i, record, model))
    }

    fn varies(&self) -> Vec<(String, f64)> {
        self.parameters.iter().filter_map(|p| Some((p.path.clone(), p.start.or(p.between.map(|b| b[0]))?))).collect()
    }

    fn starts_at(&self) -> Vec<String> {
        let own = self.parameters.iter().filter(|p| p.start.is_none() && p.between.is_none());
        own.map(|p| p.path.clone()).collect()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        out.health.notes.extend(self.records.iter().flat_map(|record| record.notes.iter().cloned()));
        match self.search(model.seed, context, &mut out) {
            Ok(()) => {}
            Err(why) => out.worsen(Status::Failed, why),
        }
        if let ([contact], false) = (&model.contacts[..], self.laws.is_empty()) {
            rank(self, contact.friction_law, context, &mut out);
        }
        out
    }
}

impl Fit {
    /// A fit to one record, all else as it is unless given.
    fn of(record: Record, rtol: f64) -> Fit {
        Fit {
            records: vec![record],
            parameters: vec![],
            each: None,
            loss: Loss::Squares,
            starts: None,
            most: MOST as usize,
            motion_steps: MOST_STEPS,
            profile: false,
            intervals: Intervals::Autocorrelation,
            laws: vec![],
            posterior: None,
            rtol,
        }
    }

    /// Numbers of the scenario, then those of single records.
    fn unknowns(&self, context: &Context) -> Result<Vec<Unknown>, String> {
        let mut all: Vec<Unknown> =
            self.parameters.iter().map(|p| Unknown::new(p, context)).collect::<Result<_, _>>()?;
        let settings: Vec<(String, f64)> = all.iter().map(|k| (k.path.clone(), k.start)).collect();
        for (i, record) in self.records.iter().enumerate().filter(|(_, record)| !record.own.is_empty()) {
            let settings: Vec<(&str, f64)> = settings.iter().map(|(path, x)| (path.as_str(), *x)).collect();
            let model = context.model_at(&settings)?;
            let times = times_of(record, &model)?;
            for own in &record.own {
                all.push(Unknown::of_record(i, *own, record, &times, &model)?);
            }
        }
        Ok(all)
    }

    fn search(&self, seed: u64, context: &Context, out: &mut Outcome) -> Result<(), String> {
        let unknowns = self.unknowns(context)?;
        let mut objective = Objective::new(self, context, &unknowns);
        if let Some(why) = objective.never_met() {
            return Err(why);
        }
        let search = Search {
            lower: unknowns.iter().map(|k| k.bounds()[0]).collect(),
            upper: unknowns.iter().map(|k| k.bounds()[1]).collect(),
            most: self.most,
            reach: REACH,
            near: NEAR,
        };
        let mut seeker = Seeker { fit: self, objective: &mut objective, search: &search, seed };
        let mut searches = seeker.all();
        let Some(mut best) = searches.found.first().cloned() else {
            let why = objective.trouble.unwrap_or_else(|| "stopped before its start".into());
            return Err(format!("the model has no answer at any start: {why}"));
        };
        let lost = || "the model has no answer at the best fit".to_string();
        let mut known = seeker.known(&best).ok_or_else(lost)?;
        let mut weighings = 0;
        while weighings < MOST_WEIGHINGS && seeker.reweigh(&best) {
            weighings += 1;
            best = seeker.run_from(&best.x).ok_or_else(lost)?;
            known = seeker.known(&best).ok_or_else(lost)?;
        }
        if weighings > 0 {
            // The other searches ended under other weights.
            seeker.again(&mut searches);
            let better = searches.found.first().filter(|f| f.look.cost() < best.look.cost()).map(|f| f.x.clone());
            if let Some(x) = better {
                best = seeker.run_from(&x).ok_or_else(lost)?;
                known = seeker.known(&best).ok_or_else(lost)?;
            }
        }
        let mut profiles: Option<Vec<profile::Ends>> = None;
        for turn in 0..if self.profile { MOST_PROFILES } else { 0 } {
            let one = |objective: &mut Objective, k| profile::interval(objective, &search, &best, &known, k);
            let all = |objective: &mut Objective| (0..unknowns.len()).map(|k| one(objective, k)).collect();
            let ends: Vec<profile::Ends> = seeker.objective.afresh(all);
            let better = ends.iter().flatten().find_map(|e| match e {
                Err(Lack::Better(x)) => Some(x.clone()),
                _ => None,
            });
            profiles = Some(ends);
            let Some(x) = better else { break };
            if turn + 1 == MOST_PROFILES {
                out.worsen(Status::Untrusted, "the profiles go on finding better fits");
                break;
            }
            out.health.notes.push("a profile found a better fit, and the search went on from there".into());
            best = seeker.run_from(&x).ok_or_else(lost)?;
            known = seeker.known(&best).ok_or_else(lost)?;
        }
        let (agree, misfit) = (searches::agreeing(&searches, &best, &known), seeker.misfit(&best));
        if let Some(record) = misfit.filter(|m| m.is_systematic()).and_then(|_| seeker.against()) {
            let text =
                format!("at the scenario's own values the model goes against `{record}`: is its sign the other one?");
            out.health.warnings.push(text);
        }
        let verdict = Verdict { agree, misfit, searches: &searches };
        verdict.tell(&best, &known, &unknowns, self.starts, out);
        match best.end {
            End::Converged | End::Stopped => {}
            End::Exhausted => {
                out.worsen(Status::Untrusted, format!("the search did not converge in {} evaluations", self.most));
            }
            End::Stuck => {
                let why = seeker.objective.trouble.clone().unwrap_or_else(|| "its slopes are no numbers".into());
                let text = format!("the search ended where the model has no answer, not at a least cost: {why}");
                out.worsen(Status::Untrusted, text);
            }
        }
        if context.stopped() {
            out.worsen(Status::Partial, "stopped before its end");
        }
        let sampled = self
            .posterior
            .map(|sampling| Posterior::sample((self, sampling), context, &objective, (&best, &known), seed));
        let posterior = match sampled {
            Some(Ok(posterior)) => Some(posterior),
            Some(Err(why)) => {
                out.worsen(Status::Untrusted, why);
                None
            }
            None => None,
        };
        table::report(&mut objective, &best, &known, (profiles.as_deref(), posterior.as_ref()), &verdict, out)
    }
}
