//! The report as files for the folder of a run.

use crate::figures;
use crate::pages::single;
use stickslip_data::Dataset;

/// Two pixels for each unit of the SVG.
const PNG_WIDTH: u32 = 1440;

/// Names and contents of `report.html` and of the plots, to pass to `stickslip_data::write_dataset_with`. `files` are
/// the names of the data files, relative to the same folder, to which the report links.
pub fn write_report(dataset: &Dataset, files: &[String]) -> Vec<(String, Vec<u8>)> {
    let figures = figures(dataset);
    let mut out = Vec::new();
    for figure in &figures {
        out.push((format!("plots/{}.svg", figure.name), figure.svg().into_bytes()));
        out.push((format!("plots/{}.png", figure.name), figure.png(PNG_WIDTH)));
    }
    let mut names: Vec<String> = files.to_vec();
    names.extend(out.iter().map(|(name, _)| name.clone()));
    let page = single::with(dataset, &dataset.summary(&names), &figures);
    out.insert(0, ("report.html".into(), page.into_bytes()));
    out
}
