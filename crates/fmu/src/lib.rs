//! Scenarios as units of FMI 3.0 for co-simulation: <https://fmi-standard.org/docs/3.0/>.
//!
//! [`export`] packs a scenario, its description and this library itself, which holds the functions that importers call
//! ([`interface`]). Outputs carry the names of the series, parameters their paths in the scenario; all are in SI.
pub mod description;
mod instance;
pub mod interface;
mod zip;

use crate::description::{Description, identifier};
use crate::zip::Zip;
use std::path::{Path, PathBuf};
use stickslip::prelude::Scenario;
use stickslip::stepping::StepError;

/// Where the scenario lies in a unit.
pub(crate) const SCENARIO: &str = "scenario.toml";

/// Why a scenario can't be exported.
#[derive(Debug)]
pub enum ExportError {
    /// It does not go in steps.
    Step(StepError),
    /// It names files, which a unit does not hold.
    Files(String),
    /// The library of the importers' functions is not there.
    NoLibrary(Vec<PathBuf>),
    /// The files.
    Io(PathBuf, std::io::Error),
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExportError::Step(e) => write!(f, "{e}"),
            ExportError::Files(why) => write!(f, "a unit holds no files beside its scenario: {why}"),
            ExportError::NoLibrary(tried) => {
                let tried: Vec<String> = tried.iter().map(|p| format!("`{}`", p.display())).collect();
                write!(f, "the library of FMI functions is not there: tried {}", tried.join(", "))
            }
            ExportError::Io(path, e) => write!(f, "`{}`: {e}", path.display()),
        }
    }
}

impl std::error::Error for ExportError {}

/// Platform and ending of libraries in a unit, as FMI 3.0 names them.
pub fn platform() -> (String, &'static str) {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    (format!("{}-{system}", std::env::consts::ARCH), std::env::consts::DLL_SUFFIX)
}

/// Where the library lies: beside the program, or where cargo builds it.
pub fn library(program: &Path) -> Result<PathBuf, ExportError> {
    let name = format!("{}stickslip_fmu{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folder = program.parent().unwrap_or(Path::new(""));
    let tried = [folder.join(&name), folder.join("../lib").join(&name), folder.join("deps").join(&name)];
    match tried.iter().find(|p| p.is_file()) {
        Some(found) => Ok(found.clone()),
        None => Err(ExportError::NoLibrary(tried.to_vec())),
    }
}

/// Writes a scenario as a unit, with the library at that place.
pub fn export(scenario: &Scenario, library: &Path, out: &Path) -> Result<Description, ExportError> {
    // In the unit there is no folder.
    let alone = Scenario::from_text(scenario.name(), &scenario.text(), &[]);
    let alone = alone.and_then(|s| s.prepare().map(|_| s)).map_err(|e| match scenario.prepare() {
        Ok(_) => ExportError::Files(e.to_string()),
        Err(own) => ExportError::Step(StepError::Wrong(own)),
    })?;
    let description = Description::of(&alone).map_err(ExportError::Step)?;
    let code = std::fs::read(library).map_err(|e| ExportError::Io(library.into(), e))?;
    let (platform, ending) = platform();
    let mut zip = Zip::default();
    zip.add("modelDescription.xml", description.xml().as_bytes());
    zip.add(&format!("resources/{SCENARIO}"), alone.text().as_bytes());
    zip.add(&format!("binaries/{platform}/{}{ending}", identifier(alone.name())), &code);
    std::fs::write(out, zip.finish()).map_err(|e| ExportError::Io(out.into(), e))?;
    Ok(description)
}
