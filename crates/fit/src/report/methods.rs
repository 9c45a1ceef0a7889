//! A paragraph of methods, to be pasted into a paper.
use crate::report::uncertainty::{Intervals, Known};
use crate::search::loss::Loss;
use crate::search::objective::Objective;
use stickslip_data::{Outcome, short};

/// The file.
const NAME: &str = "methods.txt";

/// Writes it.
pub fn write(objective: &Objective, known: &Known, (law, agree): (Option<&str>, usize), out: &mut Outcome) {
    let fit = objective.fit;
    let rows: usize = fit.records.iter().map(|r| r.values.len()).sum();
    let effective: f64 = known.noise.iter().map(|n| n.effective).sum();
    let names: Vec<&str> = objective.unknowns.iter().map(|k| k.path.as_str()).collect();
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let law = law.map_or(String::new(), |law| format!(" with the friction law \"{law}\""));
    let mut text = format!(
        "Parameters ({}) were fitted to {} ({rows} values) by bounded least squares (Levenberg and Marquardt) on the model \
         integrated in time{law}, with Stickslip {}. ",
        names.join(", "),
        plural(fit.records.len(), "record"),
        env!("CARGO_PKG_VERSION")
    );
    text += match fit.loss {
        Loss::Squares => "",
        Loss::Huber => "Residuals beyond 1.345 standard deviations count linearly (Huber's loss). ",
        Loss::Cauchy => "Residuals beyond 2.385 standard deviations count logarithmically (Cauchy's loss). ",
    };
    text += match objective.differences.is_empty() {
        true => {
            "Derivatives in the parameters are those of every step of the integrator, obtained by automatic \
             differentiation of the law. "
        }
        false => "Derivatives in the parameters are differences of whole runs. ",
    };
    text += &format!("{} ended at the best fit. ", plural(agree, "search").replace("searchs", "searches"));
    text += match (fit.intervals, known.given) {
        (Intervals::White, _) => "95 % intervals take the values for independent. ".to_string(),
        (Intervals::Bootstrap, _) => "95 % intervals come from a moving-block bootstrap of the residuals. ".into(),
        (Intervals::Autocorrelation, given) => format!(
            "95 % intervals allow for correlated noise: the covariance of the estimate is that of least squares under \
             first-order autoregressive and white noise, averaged over the restricted likelihood of its correlation{}; the \
             values count as {} independent ones. ",
            if given { ", with the stated standard deviation" } else { "" },
            short(effective, 3)
        ),
    }
    .as_str();
    out.files.push((NAME.into(), format!("{}\n", text.trim_end())));
}
