//! An archive of the program for people without a compiler: one static, stripped file, completions and a man page.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The target of a static program, and what links the C library into it.
const TARGET: &str = "x86_64-unknown-linux-gnu";
const STATIC: &str = "-C target-feature=+crt-static -C strip=symbols";
const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "powershell"];
/// Files that go along.
const BESIDE: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Starts of which the shortest counts.
const STARTS: usize = 20;

/// Builds and packs; the archive.
pub fn dist(root: &Path) -> Result<PathBuf, String> {
    let built = root.join("target/dist/build");
    run(Command::new("cargo")
        .current_dir(root)
        .args(["build", "--release", "--package", "stickslip-cli", "--target", TARGET, "--target-dir"])
        .arg(&built)
        .env("RUSTFLAGS", STATIC))?;
    pack(root, &built.join(TARGET).join("release/stickslip"))
}

/// Packs a program that is built.
pub fn pack(root: &Path, program: &Path) -> Result<PathBuf, String> {
    let version = said(program, &["--version"])?;
    let version = version.split_whitespace().last().unwrap_or("0").to_string();
    let name = format!("stickslip-{version}-{TARGET}");
    let folder = root.join("target/dist").join(&name);
    let io = |e: std::io::Error| e.to_string();
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(io)?;
    }
    std::fs::create_dir_all(folder.join("completions")).map_err(io)?;
    std::fs::create_dir_all(folder.join("man/man1")).map_err(io)?;
    std::fs::copy(program, folder.join("stickslip")).map_err(io)?;
    for file in BESIDE {
        std::fs::copy(root.join(file), folder.join(file)).map_err(io)?;
    }
    for shell in SHELLS {
        let text = said(program, &["completions", shell])?;
        std::fs::write(folder.join("completions").join(format!("stickslip.{shell}")), text).map_err(io)?;
    }
    let help = said(program, &["--help"])?;
    let mut parts = vec![(String::new(), help.clone())];
    for command in commands(&help) {
        let text = said(program, &[&command, "--help"])?;
        parts.push((command, text));
    }
    std::fs::write(folder.join("man/man1/stickslip.1"), man_page(&version, &parts)).map_err(io)?;
    let archive = root.join("target/dist").join(format!("{name}.tar.gz"));
    let parent = root.join("target/dist");
    run(Command::new("tar").arg("-C").arg(&parent).arg("-czf").arg(&archive).arg(&name))?;
    let size = |path: &Path| std::fs::metadata(path).map(|m| m.len() as f64 / 1e6).map_err(io);
    println!("program {:.1} MB, archive {:.1} MB, start {:.1} ms", size(program)?, size(&archive)?, start(program)?);
    Ok(archive)
}

/// The shortest time of a start, ms.
fn start(program: &Path) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for _ in 0..STARTS {
        let begin = Instant::now();
        said(program, &["--version"])?;
        least = least.min(begin.elapsed().as_secs_f64() * 1e3);
    }
    Ok(least)
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

fn said(program: &Path, words: &[&str]) -> Result<String, String> {
    let out = Command::new(program).args(words).output().map_err(|e| format!("{}: {e}", program.display()))?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(format!("{} {}: {}", program.display(), words.join(" "), out.status)),
    }
}

/// The commands that a help lists.
fn commands(help: &str) -> Vec<String> {
    let list = help.split("Commands:").nth(1).unwrap_or_default();
    let lines = list.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(String::from).collect()
}

/// The helps of the program and its commands as a page of the manual.
fn man_page(version: &str, parts: &[(String, String)]) -> String {
    let mut page = format!(
        ".TH STICKSLIP 1 \"\" \"stickslip {version}\"\n.SH NAME\nstickslip \\- a laboratory for dynamic friction\n"
    );
    for (command, help) in parts {
        let head = if command.is_empty() { "DESCRIPTION".into() } else { command.to_uppercase() };
        page.push_str(&format!(".SH {head}\n.nf\n"));
        for line in help.lines() {
            // A line that begins with a dot or a quote would be a request.
            let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
            page.push_str(&format!("{guard}{}\n", line.replace('\\', "\\e").replace('-', "\\-")));
        }
        page.push_str(".fi\n");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_off_the_help_and_stand_in_the_page() {
        let help = "A laboratory\n\nCommands:\n  run      Run\n           a scenario\n  new      Print\n  help     Print this\n\nOptions:\n  -h\n";
        assert_eq!(commands(help), ["run", "new"]);
        let page = man_page("1.0", &[(String::new(), ".dot --flag".into()), ("run".into(), "Run".into())]);
        assert!(page.contains("\\&.dot \\-\\-flag\n") && page.contains(".SH RUN\n"));
    }
}
