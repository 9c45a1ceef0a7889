//! What a fit leaves: values, tables, and the scenario with the fitted numbers.
use crate::posterior::Posterior;
use crate::predict::own_unknowns::times_of;
use crate::report::advice::sentence;
use crate::report::profile::{Ends, Lack};
use crate::report::residuals::autocorrelation;
use crate::report::uncertainty::Known;
use crate::report::verdict::Verdict;
use crate::report::warnings::{exchangeable, implausible, resembles};
use crate::report::{fitted, methods, prediction};
use crate::search::objective::{Answer, Objective};
use crate::search::searches::together;
use crate::unknowns::Unknown;
use stickslip_data::{Outcome, Status, Table, Value, beside_error, short};
use stickslip_solve::least_squares::Found;
use stickslip_solve::statistics::chi_square_above;

/// Residuals whose size chance would bring about less often than this are not those of the noise that was given.
const UNLIKELY: f64 = 1e-3;
/// Residuals so many times as large as the noise that was given are no longer a matter of its size.
const FAR_TOO_LARGE: f64 = 3.0;

/// Reports the best fit.
pub fn report(
    objective: &mut Objective,
    best: &Found,
    known: &Known,
    (profiles, posterior): (Option<&[Ends]>, Option<&Posterior>),
    verdict: &Verdict,
    out: &mut Outcome,
) -> Result<(), String> {
    let unknowns = objective.unknowns;
    // Whether derivatives are exact where it matters, and how the search got there.
    let search = std::mem::take(&mut objective.differences);
    let answers = objective.afresh(|objective| objective.answers(&best.x, true))?;
    let model = objective.context.model_at(&objective.settings(&best.x))?;
    let units = units(objective, best, known);
    let mut list = vec![];
    let mut sentences = vec![];
    for (k, unknown) in unknowns.iter().enumerate() {
        let u = best.x[k];
        let value = unknown.outer(u);
        let mut record = vec![
            ("parameter".to_string(), Value::Text(unknown.path.clone())),
            ("value".into(), Value::Number(value)),
            ("unit".into(), Value::Text(units[k].clone())),
        ];
        if known.errors[k].is_finite() {
            record.push(("stderr".into(), Value::Number(known.errors[k] * unknown.by(u))));
            record.push(("ci95".into(), Value::List(known.interval(unknown, k, u).to_vec())));
        }
        match profiles.map(|p| &p[k]) {
            Some([Ok(low), Ok(high)]) => {
                record.push(("profile95".into(), Value::List(vec![unknown.outer(*low), unknown.outer(*high)])));
            }
            Some(ends) => {
                let text = open_profile(ends);
                out.health.warnings.push(format!("`{}` has no profile interval: {text}", unknown.path));
                record.push(("profile95_why".into(), Value::Text(text)));
            }
            None => {}
        }
        if let Some(posterior) = posterior {
            let [median, low, high] = posterior.summary[k];
            record.push(("posterior_median".into(), Value::Number(median)));
            record.push(("posterior95".into(), Value::List(vec![low, high])));
        }
        record.push(("identifiable".into(), Value::Flag(known.identifiable[k])));
        let [low, high] = unknown.bounds();
        if u <= low || u >= high {
            let unit = if units[k] == "1" { "" } else { &units[k] };
            let text = format!("`{}` ended on its bound {} {unit}", unknown.path, short(value, 7));
            let why = "the bound, and not the data, gave its value; widen `between`, or fix it";
            out.worsen(Status::Untrusted, format!("{}: {why}", text.trim_end()));
        }
        if !known.identifiable[k] {
            let text = sentence(k, known, unknowns, &objective.fit.records, &model);
            record.push(("why".into(), Value::Text(text.clone())));
            if !sentences.contains(&text) {
                sentences.push(text);
            }
        }
        list.push(record);
    }
    out.set("parameters", Value::Records(list), "");
    for ((unknown, u), unit) in unknowns.iter().zip(&best.x).zip(&units) {
        out.set(format!("parameter.{}", unknown.path), Value::Number(unknown.outer(*u)), unit);
    }
    let told: Vec<usize> = (0..unknowns.len()).filter(|k| known.errors[*k].is_finite()).collect();
    let row = |i: &usize| told.iter().map(|j| known.correlation[*i][*j]).collect();
    out.set("correlation", Value::Rows(told.iter().map(row).collect()), "1");
    out.set("correlation_of", Value::Texts(told.iter().map(|k| unknowns[*k].path.clone()).collect()), "");
    if !sentences.is_empty() {
        out.health.warnings.extend(sentences.iter().cloned());
        out.set("not_identifiable", Value::Texts(sentences), "");
    }
    let several = answers.len() > 1;
    let mut sizes = vec![];
    for (i, ((values, _), record)) in answers.iter().zip(&objective.fit.records).enumerate() {
        let residuals: Vec<f64> = record.values.iter().zip(values).map(|(data, model)| data - model).collect();
        sizes.push((residuals.iter().map(|r| r * r).sum::<f64>() / residuals.len() as f64).sqrt());
        let (name, unit) = record.observed;
        let mut table = Table::new(if several { format!("fit-{}", i + 1) } else { "fit".into() });
        table.push(record.along.0, record.along.1, record.x.clone());
        table.push(format!("{name}.data"), unit, record.values.clone());
        table.push(format!("{name}.model"), unit, values.clone());
        table.push(format!("{name}.residual"), unit, residuals.clone());
        out.tables.push(table);
        let correlations = if several { format!("autocorrelation-{}", i + 1) } else { "autocorrelation".into() };
        out.tables.extend(autocorrelation(correlations, &residuals, &known.noise[i]));
        if let Some((rows, block)) = record.averaged {
            let used = values.len();
            let note = format!("`{}`: {rows} rows were averaged in blocks of {block}: {used} are fitted", record.name);
            out.health.notes.push(note);
        }
        implausible(record, values, &model, out);
        if let Some(part) = together(&residuals) {
            resembles(record, values, &times_of(record, &model).unwrap_or_default(), out);
            let noise = &known.noise[i];
            let counted = match noise.effective < record.values.len() as f64 {
                true => format!(
                    "{} rows count as {} independent ones, and the intervals say so",
                    record.values.len(),
                    short(noise.effective, 3)
                ),
                false => "the intervals do not know it".into(),
            };
            out.health.warnings.push(format!(
                "`{}`: neighbouring residuals go together (correlation {part:.2}): the noise is correlated or the model \
                 misses something; {counted}",
                record.name
            ));
        }
    }
    let effective: f64 = known.noise.iter().map(|n| n.effective).sum();
    out.set("effective_n", Value::Number(effective), "1");
    let neighbours: Vec<f64> = known.noise.iter().map(|n| n.rho).collect();
    out.set("noise_rho", if several { Value::List(neighbours) } else { Value::Number(neighbours[0]) }, "1");
    let measured: Vec<&str> = objective.fit.records.iter().map(|r| r.observed.1).collect();
    let unit = if measured.iter().all(|u| *u == measured[0]) { measured[0] } else { "" };
    prediction::report(objective, best, known, &sizes, out);
    out.set("residual_rms", if several { Value::List(sizes) } else { Value::Number(sizes[0]) }, unit);
    if let Some(posterior) = posterior {
        posterior.report(unknowns, &units, out);
    }
    out.set("runs", Value::Count(objective.runs as u64), "1");
    out.set("runs_with_derivatives", Value::Count(objective.sensed as u64), "1");
    out.set("starts", Value::Count(verdict.searches.begun as u64), "1");
    out.set("starts_agree", Value::Count(verdict.agree as u64), "1");
    goodness(objective, &answers, known, out);
    out.health.steps = (objective.runs + objective.sensed) as u64;
    let here = &objective.differences;
    out.health.notes.push(match (here.is_empty(), &objective.ways) {
        (false, _) => {
            let why = here.words().join("; ");
            format!("motions or paths were differentiated as a whole, by differences: not exact ({why})")
        }
        (true, Ok(_)) => "derivatives by dual numbers through the law and the integrator".into(),
        (true, Err(_)) => "derivatives of every step of the motion; equations differentiated to order six".into(),
    });
    if here.is_empty() && !search.is_empty() {
        let why = search.words().join("; ");
        out.health.notes.push(format!("elsewhere the search had to make do with differences of whole runs ({why})"));
    }
    exchangeable(objective, &best.x, &answers, out);
    let law = model.contacts.first().map(|c| c.friction_law);
    methods::write(objective, known, (law, verdict.agree), out);
    fitted::write(objective, &objective.settings(&best.x), out);
    Ok(())
}

/// The unit of each parameter. Exponents in it that are fitted too have the digits that the data determine.
fn units(objective: &Objective, best: &Found, known: &Known) -> Vec<String> {
    let mut settings = objective.settings(&best.x);
    for (k, (_, x)) in settings.iter_mut().enumerate() {
        let error = known.errors[k] * objective.unknowns[k].by(best.x[k]);
        *x = beside_error(*x, error).parse().unwrap_or(*x);
    }
    let unit = |k: &Unknown| match k.own {
        Some(_) => k.unit.clone(),
        None => objective.context.unit_at(&k.path, &settings),
    };
    objective.unknowns.iter().map(unit).collect()
}

/// Which noise the intervals are of; where it is given, whether the residuals are of its size.
fn goodness(objective: &Objective, answers: &[Answer], known: &Known, out: &mut Outcome) {
    out.set("noise", Value::Text(if known.given { "given" } else { "residuals" }.into()), "");
    out.set("freedom", Value::Count(known.freedom as u64), "1");
    let records = &objective.fit.records;
    let mut chi2 = 0.0;
    for (record, (values, _)) in records.iter().zip(answers) {
        let Some(sigma) = &record.sigma else { return };
        let off = record.values.iter().zip(values).zip(sigma);
        chi2 += off.map(|((data, model), sigma)| ((data - model) / sigma).powi(2)).sum::<f64>();
    }
    let above = chi_square_above(chi2, known.freedom);
    out.set("chi2", Value::Number(chi2), "1");
    out.set("goodness", Value::Number(above), "1");
    let factor = (chi2 / known.freedom).sqrt();
    if !(UNLIKELY..=1.0 - UNLIKELY).contains(&above) {
        let said = match above < UNLIKELY {
            true => "the model or `sigma` is wrong, so the intervals are too narrow",
            false => "`sigma` is too large, and so are the intervals",
        };
        let text = format!("residuals are {factor:.2} x `sigma`: {said}");
        match factor > FAR_TOO_LARGE {
            true => out.worsen(Status::Untrusted, text),
            false => out.health.warnings.push(text),
        }
    }
}

fn open_profile(ends: &Ends) -> String {
    let why = |end: &Result<f64, Lack>| match end {
        Ok(_) => None,
        Err(Lack::Open(why)) => Some(why.clone()),
        Err(Lack::Better(_)) => Some("a better fit lies there".into()),
    };
    match [why(&ends[0]), why(&ends[1])] {
        [Some(low), Some(high)] if low == high => format!("neither end was found: {low}"),
        [Some(low), Some(high)] => format!("neither end was found: below, {low}; above, {high}"),
        [Some(low), None] => format!("its lower end was not found: {low}"),
        [None, Some(high)] => format!("its upper end was not found: {high}"),
        [None, None] => String::new(),
    }
}
