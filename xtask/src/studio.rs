//! `studio`: the static page, with the engine built for the browser.
use crate::root;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// Module of the engine in what cargo builds, and beside the page.
const BUILT: &str = "stickslip_studio.wasm";
const SERVED: &str = "engine.wasm";

/// Writes the page to a folder. It works from any file server, below any path, without a network.
pub fn write(out: &Path) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let args =
        ["rustc", "--profile", "web", "--package", "stickslip-studio", "--crate-type", "cdylib", "--target", TARGET];
    let built = Command::new(cargo).args(args).current_dir(root()).status().map_err(|e| format!("cargo: {e}"))?;
    if !built.success() {
        return Err(format!("the engine was not built: rustup target add {TARGET}"));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), Into::into);
    let wasm = target.join(TARGET).join("web").join(BUILT);
    let page = root().join("crates/studio/page");
    copy(&page, out)?;
    std::fs::copy(&wasm, out.join(SERVED)).map_err(|e| format!("`{}`: {e}", wasm.display()))?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |path: &Path| {
        let shown = path.display().to_string();
        move |e: std::io::Error| format!("`{shown}`: {e}")
    };
    std::fs::create_dir_all(to).map_err(failed(to))?;
    for entry in from.read_dir().map_err(failed(from))? {
        let entry = entry.map_err(failed(from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        match source.is_dir() {
            true => copy(&source, &target)?,
            false => drop(std::fs::copy(&source, &target).map_err(failed(&source))?),
        }
    }
    Ok(())
}
