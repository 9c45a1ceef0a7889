//! The program `stickslip`, which knows everything that is to be written down.
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program, built.
pub struct Program {
    executable: PathBuf,
}

impl Program {
    /// Builds it in the development profile, as tests do.
    pub fn build(root: &Path) -> Result<Program, String> {
        let output = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "stickslip-cli", "--message-format", "json-render-diagnostics"])
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        if !output.status.success() {
            return Err("the program can't be built".into());
        }
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        let built = messages.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
        let executable = built.rev().find_map(|m| m["executable"].as_str().map(PathBuf::from));
        Ok(Program { executable: executable.ok_or("cargo names no executable")? })
    }

    /// What it prints.
    pub fn text(&self, args: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.executable).args(args).output().map_err(|e| format!("stickslip: {e}"))?;
        if !output.status.success() {
            return Err(format!("stickslip {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr)));
        }
        String::from_utf8(output.stdout).map_err(|e| e.to_string())
    }

    /// What it prints, as JSON.
    pub fn json(&self, args: &[&str]) -> Result<Json, String> {
        serde_json::from_str(&self.text(args)?).map_err(|e| format!("stickslip {}: {e}", args.join(" ")))
    }

    /// The signature of a law as SVG.
    pub fn signature(&self, law: &str) -> Result<Vec<u8>, String> {
        let file = std::env::temp_dir().join(format!("stickslip-{}-{law}.svg", std::process::id()));
        let name = file.to_string_lossy().into_owned();
        self.text(&["explain", law, "--plot", &name])?;
        let bytes = std::fs::read(&file).map_err(|e| format!("`{name}`: {e}"))?;
        std::fs::remove_file(&file).map_err(|e| format!("`{name}`: {e}"))?;
        Ok(bytes)
    }
}
