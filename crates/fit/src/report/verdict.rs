//! Whether the searches of a fit can be believed.
use crate::report::uncertainty::Known;
use crate::search::searches::{Misfit, Searches, rival, same};
use crate::unknowns::Unknown;
use stickslip_data::{Outcome, Status};
use stickslip_solve::least_squares::{End, Found};

/// Whether the searches can be believed.
pub struct Verdict<'s> {
    /// How many ended at the best place.
    pub agree: usize,
    /// What is left of the data, unless it is white or of the size that was given.
    pub misfit: Option<Misfit>,
    /// All of them.
    pub searches: &'s Searches,
}

impl Verdict<'_> {
    /// Says what is in doubt.
    pub fn tell(&self, best: &Found, known: &Known, unknowns: &[Unknown], asked: Option<usize>, out: &mut Outcome) {
        let (begun, ended) = (self.searches.begun, self.searches.found.len());
        let other = rival(self.searches, best, known);
        if let Some(other) = other {
            let values: Vec<String> =
                unknowns.iter().zip(&other.x).map(|(k, u)| format!("{} = {:.4e}", k.path, k.outer(*u))).collect();
            out.worsen(Status::Untrusted, format!("other parameters fit as well: {}", values.join(", ")));
        }
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        let alone = self.agree < 2 && (begun > 1 || self.misfit.is_some_and(|m| m.is_systematic()));
        match self.misfit {
            Some(misfit) if misfit.is_wrong() => {
                let text = format!(
                    "the best fit leaves {} of the spread of the records, {:.0} times what changes from row to row, and \
                     that is no noise: it is not the model of these data, or a better fit was not found. Check signs, \
                     units, the zero of time and of sensors and what is held fixed; narrow `between`, or start nearer",
                    percent(misfit.left),
                    misfit.smooth
                );
                out.worsen(Status::Untrusted, text);
            }
            Some(_) if alone => {
                let hint = if asked.is_some() { "; leave out `starts`, and more are tried" } else { "" };
                let text = format!(
                    "{} of {begun} searches ended at the best fit, and what it leaves is no noise: there may be a better \
                     one{hint}",
                    self.agree
                );
                out.worsen(Status::Untrusted, text);
            }
            Some(misfit) if misfit.is_systematic() => out.health.warnings.push(format!(
                "the best fit leaves {} of the spread of the records, {:.0} times what changes from row to row: the model \
                 misses something, such as a trend, an offset or a dead time of the record, or what is held fixed",
                percent(misfit.left),
                misfit.smooth
            )),
            _ => {}
        }
        let told = |f: &Found| same(f, best, known) || other.is_some_and(|other| std::ptr::eq(other, f));
        let ways = [
            (End::Converged, "ended elsewhere, at a larger cost"),
            (End::Exhausted, "were broken off"),
            (End::Stuck, "ended where the model has no answer"),
            (End::Stopped, "were stopped"),
        ];
        for (end, how) in ways {
            let count = self.searches.found.iter().filter(|f| f.end == end && !told(f)).count();
            if count > 0 {
                out.health.notes.push(format!("{count} of {begun} searches {how}"));
            }
        }
        if ended < begun {
            let text = format!("{} of {begun} searches found no start at which the model has an answer", begun - ended);
            out.health.warnings.push(text);
        }
    }
}
