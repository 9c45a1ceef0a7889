//! All levels, all frequencies: each motion from the one before.
use super::drive::Drive;
use super::response::Response;
use super::settle::{Search, settle};
use super::{FrequencyResponse, Method, balanced, peak, report};
use stickslip_data::{Outcome, Status};
use stickslip_model::{Context, Model};

/// The place of a peak is located to this part of the range between the rows beside it and of its own value.
const LOCATED: f64 = 2e-8;

/// The largest response along the frequency.
pub struct Peak {
    pub amplitude: f64,
    pub omega: f64,
    /// Whether it is at an end of the frequencies.
    pub at_end: bool,
}

/// The responses of one level.
#[derive(Default)]
pub struct LevelRows {
    pub rows: Vec<Response>,
    pub folds: Vec<f64>,
    pub peak: Option<Peak>,
}

/// Answers the question.
pub fn run(analysis: &FrequencyResponse, model: &Model, context: &Context) -> Outcome {
    let mut out = Outcome::default();
    let paths: Vec<&str> =
        analysis.frequency.iter().chain(&analysis.levels).map(|axis| axis.parameter.as_str()).collect();
    let lens = if paths.is_empty() { None } else { Some(context.lens(&paths)) };
    let model_at = |place: f64, level: Option<f64>| -> Result<Model, String> {
        let mut at = vec![];
        if analysis.frequency.is_some() {
            at.push(place);
        }
        at.extend(level);
        match &lens {
            None => Ok(model.clone()),
            Some(Ok(lens)) => lens.unasked(&at),
            Some(Err(e)) => Err(e.clone()),
        }
    };
    let places = analysis.frequency.as_ref().map_or(vec![0.0], |axis| axis.values.clone());
    let levels: Vec<Option<f64>> =
        analysis.levels.as_ref().map_or(vec![None], |axis| axis.values.iter().copied().map(Some).collect());
    let mut all = vec![];
    for (k, level) in levels.iter().enumerate() {
        let progress = |part: f64| context.report((k as f64 + part) / levels.len() as f64);
        let at = |place: f64| {
            let model = model_at(place, *level)?;
            match stickslip_model::Analysis::refuse(analysis, &model) {
                Some(e) => Err(e.message),
                None => Ok(model),
            }
        };
        let mut found = match analysis.method {
            Some(Method::HarmonicBalance) => balance_level(analysis, &at, &places, context, &mut out),
            _ => settle_level(analysis, &at, &places, (context, &progress), &mut out),
        };
        found.rows.iter_mut().for_each(|row| row.level = *level);
        for row in &found.rows {
            if let Some(doubt) = &row.doubt {
                out.worsen(Status::Untrusted, format!("at {:.9e} rad/s: {doubt}", row.omega));
            }
            if row.open_energy > 1e-6 {
                let text =
                    format!("at {:.9e} rad/s the energy of a period is open by {:.1e}", row.omega, row.open_energy);
                out.worsen(Status::Untrusted, text);
            }
        }
        all.push(found);
        if context.stopped() {
            out.worsen(Status::Partial, "stopped before its end");
            break;
        }
    }
    report::report(analysis, model, context, &all, &mut out);
    out
}

/// A motion at one place, from one near by or from rest.
fn one(
    analysis: &FrequencyResponse,
    model: &Model,
    place: f64,
    near: Option<&[f64]>,
    any: bool,
) -> Result<Response, String> {
    let drive = Drive::of(model)?;
    let search = Search { method: analysis.method_for(model), rtol: analysis.rtol, any };
    let settled = settle(model, drive.period, near, search)?;
    let asked = (analysis.coordinate(model), analysis.balancing.harmonics, analysis.rtol);
    let found = Response::of(model, drive, &settled.start, asked, settled.periods)?;
    let stable = settled.stable();
    Ok(Response { place, radius: settled.radius, stable, doubt: settled.doubt, ..found })
}

fn settle_level(
    analysis: &FrequencyResponse,
    model_at: &dyn Fn(f64) -> Result<Model, String>,
    places: &[f64],
    (context, progress): (&Context, &dyn Fn(f64)),
    out: &mut Outcome,
) -> LevelRows {
    let mut found = LevelRows::default();
    let mut near: Option<Vec<f64>> = None;
    for (k, place) in places.iter().enumerate() {
        progress(k as f64 / places.len() as f64);
        if context.stopped() {
            break;
        }
        // Where the last motion does not lead to one, the start of the scenario may.
        let tried = model_at(*place).and_then(|model| {
            let from = near.as_deref();
            one(analysis, &model, *place, from, false).or_else(|e| match from {
                Some(_) => one(analysis, &model, *place, None, false),
                None => Err(e),
            })
        });
        match tried {
            Ok(row) => {
                near = (row.periods == 1).then(|| row.start.clone());
                found.rows.push(row);
            }
            Err(e) => {
                near = None;
                let status = if places.len() == 1 { Status::Failed } else { Status::Partial };
                out.worsen(status, if places.len() == 1 { e } else { format!("no response at {place:.9e}: {e}") });
            }
        }
    }
    let rows = &found.rows;
    let peak = locate(rows, |place, row| {
        let model = model_at(place)?;
        one(analysis, &model, place, Some(&row.start), false)
    });
    found.peak = noted(peak, out);
    found
}

fn balance_level(
    analysis: &FrequencyResponse,
    model_at: &dyn Fn(f64) -> Result<Model, String>,
    places: &[f64],
    context: &Context,
    out: &mut Outcome,
) -> LevelRows {
    let mut found = LevelRows::default();
    if places.len() == 1 {
        match model_at(places[0]).and_then(|model| balanced::all(analysis, &model, None)) {
            Ok(rows) => found.rows = rows,
            Err(e) => out.worsen(Status::Failed, e),
        }
        return found;
    }
    match balanced::curve(analysis, model_at, places, &|| context.stopped()) {
        Ok((rows, folds, why)) => {
            found.rows = rows.into_iter().map(|(place, row)| Response { place, ..row }).collect();
            let omega = |place: &f64| model_at(*place).and_then(|m| Drive::of(&m)).map(|d| d.omega());
            found.folds = folds.iter().filter_map(|place| omega(place).ok()).collect();
            if let Some(why) = why {
                out.worsen(Status::Partial, why);
            }
        }
        Err(e) => out.worsen(Status::Failed, e),
    }
    let peak = locate(&found.rows, |place, row| {
        let model = model_at(place)?;
        balanced::near(analysis, &model, &row.factors, false).map(|found| Response { place, ..found })
    });
    found.peak = noted(peak, out);
    found
}

fn noted(peak: Option<Result<Peak, String>>, out: &mut Outcome) -> Option<Peak> {
    match peak? {
        Ok(peak) => Some(peak),
        Err(e) => {
            out.worsen(Status::Untrusted, format!("the peak was not located: {e}"));
            None
        }
    }
}

/// The peak between the rows beside the largest.
fn locate(rows: &[Response], at: impl Fn(f64, &Response) -> Result<Response, String>) -> Option<Result<Peak, String>> {
    if rows.len() < 2 {
        return None;
    }
    let top = (0..rows.len()).max_by(|a, b| rows[*a].amplitude.total_cmp(&rows[*b].amplitude))?;
    let row = &rows[top];
    if top == 0 || top + 1 == rows.len() {
        return Some(Ok(Peak { amplitude: row.amplitude, omega: row.omega, at_end: true }));
    }
    let (a, b) = (rows[top - 1].place, rows[top + 1].place);
    // A curve that turns back beside its largest row has its peak there.
    if (row.place - a) * (b - row.place) <= 0.0 {
        return Some(Ok(Peak { amplitude: row.amplitude, omega: row.omega, at_end: true }));
    }
    let mut last = row.clone();
    let value = |place: f64| -> Result<f64, String> {
        last = at(place, &last)?;
        Ok(last.amplitude)
    };
    let (low, high) = (a.min(b), a.max(b));
    let tolerance = LOCATED * row.place.abs().max(high - low);
    let found = peak::largest(value, (low, high), (row.place, row.amplitude), tolerance);
    Some(found.and_then(|(place, amplitude)| Ok(Peak { amplitude, omega: at(place, row)?.omega, at_end: false })))
}
