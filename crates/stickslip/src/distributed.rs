//! Maps on several machines: a range of points as a pure function of bytes, and the results from ranges that came back.
//!
//! Whoever distributes sends [`Range::to_bytes`] to a worker, which answers [`points`]; [`Gathered`] takes the answers in any
//! order. No point depends on another: the table has the same bytes as that of a run on one machine.
use serde_json::{Value as Json, json};
use std::ops;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use stickslip_data::{DataError, Dataset, Finished, Recorder, Records, points_from_bytes, points_to_bytes};
use stickslip_model::Context;
use stickslip_scenario::{Diagnostics, Prepared, Scenario};

/// Points of a case of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Name of the scenario.
    pub name: String,
    /// The scenario.
    pub text: String,
    /// Folder of the files that it names.
    pub folder: Option<PathBuf>,
    /// Number of the case.
    pub case: usize,
    /// Numbers of the points.
    pub points: ops::Range<usize>,
}

/// Why points could not be computed at all.
#[derive(Clone, Debug)]
pub enum RangeError {
    /// The bytes are no range.
    NoRange(String),
    /// The scenario is wrong on this machine: a file may be missing.
    Wrong(Diagnostics),
}

impl std::fmt::Display for RangeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RangeError::NoRange(why) => write!(f, "no range of points: {why}"),
            RangeError::Wrong(all) => write!(f, "{all}"),
        }
    }
}

impl std::error::Error for RangeError {}

impl Range {
    /// As bytes for a worker.
    pub fn to_bytes(&self) -> Vec<u8> {
        let folder = self.folder.as_ref().map(|f| f.display().to_string());
        let Range { name, text, case, points, .. } = self;
        let json = json!({
            "name": name, "text": text, "folder": folder, "case": case, "from": points.start, "to": points.end,
        });
        json.to_string().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Range, RangeError> {
        let json: Json = serde_json::from_slice(bytes).map_err(|e| RangeError::NoRange(e.to_string()))?;
        let none = |key: &str| RangeError::NoRange(format!("`{key}` is missing"));
        let word = |key: &str| json[key].as_str().map(String::from).ok_or_else(|| none(key));
        let number = |key: &str| json[key].as_u64().map(|n| n as usize).ok_or_else(|| none(key));
        Ok(Range {
            name: word("name")?,
            text: word("text")?,
            folder: json["folder"].as_str().map(PathBuf::from),
            case: number("case")?,
            points: number("from")?..number("to")?,
        })
    }
}

/// What a worker has done.
#[derive(Default)]
struct Done(Mutex<Vec<Finished>>);

impl Recorder for Done {
    fn known(&self, _: usize, _: &mut dyn FnMut(Finished)) -> Result<(), DataError> {
        Ok(())
    }

    fn record(&self, _: usize, points: &[Finished]) -> Result<(), DataError> {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).extend_from_slice(points);
        Ok(())
    }
}

/// Computes the points of a range, given as bytes; the answer is bytes for [`Gathered::add`]. It depends on its argument alone,
/// and on the files that the scenario names.
pub fn points(range: &[u8]) -> Result<Vec<u8>, RangeError> {
    let range = Range::from_bytes(range)?;
    let scenario = match &range.folder {
        Some(folder) => Scenario::from_text_in(folder, &range.name, &range.text, &[]),
        None => Scenario::from_text(&range.name, &range.text, &[]),
    };
    let (cases, scenario) = scenario.and_then(|s| Ok((s.prepare()?, s))).map_err(RangeError::Wrong)?;
    if range.case >= cases.len() {
        return Err(RangeError::NoRange(format!("there is no case {}", range.case)));
    }
    let done = Done::default();
    let context = Context { recorder: Some(&done), points: Some(range.points.clone()), ..Context::default() };
    scenario.run_case(&cases, range.case, &context);
    let mut points = done.0.into_inner().unwrap_or_else(|e| e.into_inner());
    points.sort_by_key(|p| p.index);
    Ok(points_to_bytes(range.case, &points))
}

/// Points of a map that come back from workers, on their way to one result.
pub struct Gathered {
    /// The grid of each case, none for one that is no map.
    grids: Vec<[usize; 2]>,
    /// Points by case and number.
    points: Mutex<Vec<Vec<Option<Finished>>>>,
    /// Where they are recorded as they come.
    records: Option<Records>,
    /// How many an earlier run had done.
    resumed: Vec<usize>,
    /// Set while a result is made from too few points: none is computed here.
    halt: AtomicBool,
}

impl Gathered {
    /// Room for all points of these cases; points that an earlier run recorded are there at once.
    pub fn new(cases: &[Prepared], records: Option<Records>) -> Result<Gathered, String> {
        let grids: Vec<[usize; 2]> = cases.iter().map(|c| c.analysis.grid()).collect();
        let mut points: Vec<Vec<Option<Finished>>> = grids.iter().map(|[count, _]| vec![None; *count]).collect();
        let mut resumed = vec![0; grids.len()];
        if let Some(records) = &records {
            for (case, [_, columns]) in grids.iter().enumerate() {
                let mut wrong = None;
                let read = records.known(case, &mut |point| match put(&mut points[case], point, *columns) {
                    Ok(new) => resumed[case] += usize::from(new),
                    Err(why) => wrong = Some(why),
                });
                read.map_err(|e| e.to_string())?;
                wrong.map_or(Ok(()), Err)?;
            }
        }
        Ok(Gathered { grids, points: Mutex::new(points), records, resumed, halt: AtomicBool::new(false) })
    }

    /// Ranges of points that nobody has done, by case.
    pub fn missing(&self) -> Vec<(usize, ops::Range<usize>)> {
        let points = self.points.lock().unwrap_or_else(|e| e.into_inner());
        let mut all: Vec<(usize, ops::Range<usize>)> = vec![];
        for (case, list) in points.iter().enumerate() {
            for i in (0..list.len()).filter(|i| list[*i].is_none()) {
                match all.last_mut() {
                    Some((of, range)) if *of == case && range.end == i => range.end = i + 1,
                    _ => all.push((case, i..i + 1)),
                }
            }
        }
        all
    }

    /// Takes the answer of a worker: how many points are new.
    pub fn add(&self, bytes: &[u8]) -> Result<usize, String> {
        let (case, list) = points_from_bytes(bytes).ok_or("the answer of a worker is torn")?;
        let [_, columns] = *self.grids.get(case).ok_or("the answer of a worker is of another map")?;
        let mut points = self.points.lock().unwrap_or_else(|e| e.into_inner());
        let mut fresh = vec![];
        for point in list {
            if put(&mut points[case], point.clone(), columns)? {
                fresh.push(point);
            }
        }
        if let Some(records) = self.records.as_ref().filter(|_| !fresh.is_empty()) {
            records.record(case, &fresh).map_err(|e| e.to_string())?;
        }
        Ok(fresh.len())
    }

    /// The results from the points that are there: partial where some are missing. Cases that are no map are run here.
    pub fn run(&self, scenario: &Scenario, cases: &[Prepared]) -> Dataset {
        self.halt.store(false, Ordering::Relaxed);
        let context = Context { recorder: Some(self), stop: Some(&self.halt), ..Context::default() };
        let mut dataset = scenario.run_prepared(cases, &context);
        for ((_, outcome), resumed) in dataset.cases.iter_mut().zip(&self.resumed) {
            outcome.health.resumed = *resumed as u64;
        }
        dataset
    }

    /// The records, to be closed.
    pub fn into_records(self) -> Option<Records> {
        self.records
    }
}

/// Puts a point in its place; whether it is new.
fn put(points: &mut [Option<Finished>], point: Finished, columns: usize) -> Result<bool, String> {
    if point.cells.len() != columns || point.index >= points.len() {
        let (cells, index) = (point.cells.len(), point.index);
        return Err(format!("point {index} with {cells} values is of another map: this one has {columns} each"));
    }
    let place = &mut points[point.index];
    let new = place.is_none();
    if new {
        *place = Some(point);
    }
    Ok(new)
}

impl Recorder for Gathered {
    fn known(&self, case: usize, show: &mut dyn FnMut(Finished)) -> Result<(), DataError> {
        let points = self.points.lock().unwrap_or_else(|e| e.into_inner());
        points[case].iter().flatten().for_each(|p| show(p.clone()));
        self.halt.fetch_or(points[case].iter().any(Option::is_none), Ordering::Relaxed);
        Ok(())
    }

    fn record(&self, _: usize, _: &[Finished]) -> Result<(), DataError> {
        Ok(())
    }
}
