//! Where a run keeps its results, so that an unfinished map goes on and no other one is touched.
use std::path::Path;
use stickslip_data::{
    DataError, Dataset, MARKER, Manifest, Records, check_folder, data_files, write_dataset_in_place, write_dataset_with,
};
use stickslip_report::write_report;
use stickslip_scenario::{Prepared, provenance};

/// Why a folder does not take the results of a run.
#[derive(Debug)]
pub enum StoreError {
    /// The files.
    Data(DataError),
    /// It holds points or results of another scenario, or of another version of the program.
    Foreign(String),
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::Data(e) => write!(f, "{e}"),
            StoreError::Foreign(folder) => write!(f, "`{folder}` is of another scenario"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<DataError> for StoreError {
    fn from(e: DataError) -> StoreError {
        StoreError::Data(e)
    }
}

impl StoreError {
    /// A stable name.
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::Data(e) => e.code(),
            StoreError::Foreign(_) => "store::changed",
        }
    }

    /// What one can do.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            StoreError::Data(e) => e.hint(),
            StoreError::Foreign(_) => Some("choose another folder, or remove this one"),
        }
    }
}

/// What says whose points a run records.
pub fn manifest(scenario: &Path, sets: &[String], cases: &[Prepared]) -> Manifest {
    let from = provenance(cases);
    // A later `resume` may be asked for from anywhere.
    let path = scenario.canonicalize().unwrap_or_else(|_| scenario.to_path_buf());
    Manifest { spec: from.spec, version: from.version, scenario: path.display().to_string(), sets: sets.to_vec() }
}

/// Opens a folder for the results of these cases: goes on where the points of the same map stand in it, and refuses a folder
/// of another scenario without a change to it. Records are for maps alone.
pub fn open(scenario: &Path, cases: &[Prepared], folder: &Path) -> Result<Option<Records>, StoreError> {
    check_folder(folder)?;
    let manifest = manifest(scenario, &[], cases);
    let foreign = || StoreError::Foreign(folder.display().to_string());
    let summary = std::fs::read_to_string(folder.join("summary.json")).ok();
    let summary: Option<serde_json::Value> = summary.and_then(|text| serde_json::from_str(&text).ok());
    let found = Records::of(folder)?;
    if let Some(found) = &found {
        if (&found.spec, &found.version) != (&manifest.spec, &manifest.version) {
            return Err(foreign());
        }
    } else if folder.join(MARKER).is_file() && summary.is_some_and(|s| s["provenance"]["spec"] != manifest.spec) {
        return Err(foreign());
    }
    if !cases.iter().any(|case| case.analysis.records()) {
        return Ok(None);
    }
    if found.is_some() {
        let records = Records::resume(folder, &manifest)?;
        return records.map(Some).ok_or_else(foreign);
    }
    Ok(Some(Records::begin(folder, &manifest)?))
}

/// Writes the results with their report; where every point stands in a table, its records go.
pub fn write(dataset: &Dataset, folder: &Path, records: Option<Records>, done: bool) -> Result<Vec<String>, DataError> {
    let report = write_report(dataset, &data_files(dataset)?);
    let files = match &records {
        Some(_) => write_dataset_in_place(dataset, folder, &report)?,
        None => write_dataset_with(dataset, folder, &report)?,
    };
    records.filter(|_| done).map_or(Ok(()), Records::finish)?;
    Ok(files)
}
