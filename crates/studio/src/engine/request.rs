//! A request as the page writes it.
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use stickslip::prelude::*;
use stickslip::scenario::FilesInMemory;

/// What is asked, of which text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// `check`, `run` or `report`.
    pub op: String,
    /// Name of the scenario's file, as messages show it.
    pub name: String,
    /// The scenario.
    pub text: String,
    /// Files that it may name: dropped onto the page.
    pub files: FilesInMemory,
    /// Whether figures are drawn; as it suits where it is None.
    pub figures: Option<bool>,
}

impl Request {
    /// Reads a request; the error is a sentence.
    pub fn read(bytes: &[u8]) -> Result<Request, String> {
        let json: Json = serde_json::from_slice(bytes).map_err(|e| format!("the request is not JSON: {e}"))?;
        let word = |key: &str| json[key].as_str().map(String::from);
        let op = word("op").unwrap_or_default();
        if !["check", "run", "report"].contains(&op.as_str()) {
            return Err(format!("unknown operation {op:?}"));
        }
        let files = json["files"].as_object().into_iter().flatten();
        let file = |(name, text): (&String, &Json)| {
            let text = text.as_str().ok_or_else(|| format!("the file {name:?} is no text"))?;
            Ok((PathBuf::from(name), text.as_bytes().to_vec()))
        };
        Ok(Request {
            op,
            name: word("name").unwrap_or_else(|| "scenario.toml".into()),
            text: word("text").ok_or("the request has no text")?,
            files: files.map(file).collect::<Result<_, String>>()?,
            figures: json["figures"].as_bool(),
        })
    }

    /// The scenario. Files of a folder may be named where there is one.
    pub fn scenario(&self, folder: Option<&Path>) -> Result<Scenario, Diagnostics> {
        Scenario::from_text_with(self.files.clone(), folder, &self.name, &self.text, &[])
    }
}
