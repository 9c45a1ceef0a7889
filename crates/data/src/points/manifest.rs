//! Which run recorded points belong to.

use super::block::checksum;
use crate::DataError;
use serde_json::{Value as Json, json};
use std::path::Path;

/// What says whose points these are, and how to go on with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The fully resolved scenario.
    pub spec: Json,
    /// Version of the program.
    pub version: String,
    /// The scenario file.
    pub scenario: String,
    /// Settings of the command line.
    pub sets: Vec<String>,
}

impl Manifest {
    /// Stands in every shard: points of another scenario or version are never taken for these.
    pub(super) fn fingerprint(&self) -> u64 {
        checksum(format!("{}\n{}", self.version, self.spec).as_bytes())
    }

    pub(super) fn to_json(&self) -> Json {
        json!({ "version": self.version, "scenario": self.scenario, "sets": self.sets, "spec": self.spec })
    }

    pub(super) fn read(path: &Path) -> Result<Option<Manifest>, DataError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(DataError::io(path)(e)),
        };
        let broken = |message: String| DataError::BadManifest { path: path.to_owned(), message };
        let json: Json = serde_json::from_str(&text).map_err(|e| broken(e.to_string()))?;
        let word = |key: &str| json[key].as_str().map(String::from).ok_or_else(|| broken(format!("no `{key}`")));
        let sets = json["sets"].as_array().into_iter().flatten().filter_map(|s| s.as_str().map(String::from)).collect();
        Ok(Some(Manifest { spec: json["spec"].clone(), version: word("version")?, scenario: word("scenario")?, sets }))
    }
}
