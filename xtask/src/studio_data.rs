//! What the page of the studio knows: the schema, a sentence or more on each kind, scenarios to open.
use crate::program::Program;
use crate::{Files, read};
use serde_json::{Value as Json, json};
use std::path::Path;

const PAGE: &str = "crates/studio/page";

/// The files, compact: they are sent at every start of the page.
pub fn files(program: &Program, entries: &[Json], root: &Path) -> Result<Files, String> {
    let schema = program.json(&["schema"])?;
    let about = |e: &Json| json!({ "of": e["of"], "name": e["name"], "about": e["about"] });
    let catalogue: Vec<Json> = entries.iter().map(about).collect();
    let file = |name: &str, json: &Json| (Path::new(PAGE).join(name), json.to_string().into_bytes());
    Ok(Files::from([
        file("schema.json", &schema),
        file("catalogue.json", &Json::Array(catalogue)),
        file("scenarios.json", &Json::Array(scenarios(root)?)),
    ]))
}

/// Scenarios with the text files beside them that they name; the first one first.
fn scenarios(root: &Path) -> Result<Vec<Json>, String> {
    let folder = root.join("scenarios");
    let entries = folder.read_dir().map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut names: Vec<String> = entries.flatten().filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort_by_key(|name| (name != "first.toml", name.clone()));
    let others: Vec<&String> = names.iter().filter(|n| n.ends_with(".csv") || n.ends_with(".toml")).collect();
    let mut out = vec![];
    for name in names.iter().filter(|n| n.ends_with(".toml")) {
        let text = read(&folder.join(name))?;
        let title =
            text.lines().find_map(|l| l.strip_prefix("title = ")).unwrap_or("").trim().trim_matches('"').to_owned();
        let mut files = serde_json::Map::new();
        for other in others.iter().filter(|o| text.contains(&format!("\"{o}\""))) {
            let content = read(&folder.join(other))?;
            // Records of tens of thousands of rows stay where they are.
            if content.len() < 20_000 {
                files.insert((*other).clone(), content.into());
            }
        }
        out.push(json!({ "name": name.trim_end_matches(".toml"), "title": title, "text": text, "files": files }));
    }
    Ok(out)
}
