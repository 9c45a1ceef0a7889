//! Runs the built program in a folder of its own.
#![allow(dead_code, missing_docs)]
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A scenario that is in order; wrong ones differ from it in one place.
pub const BELT: &str = r#"[structure]
kind = "spring-block"
mass = 1
stiffness = "100 N/m"

[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 }

[drive]
kind = "belt"
velocity = 0.01

[analysis]
kind = "transient"
duration = 5
"#;

/// A folder of its own for each test, removed at its end.
pub struct Folder(pub PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the program said, and its exit code.
pub struct Said {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("stickslip-door-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    /// A folder that holds `belt.toml` with this text.
    pub fn with(text: &str) -> Folder {
        let folder = Folder::new();
        folder.write("belt.toml", text.as_bytes());
        folder
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stickslip"));
        command.current_dir(&self.0).args(args).stdin(Stdio::null());
        command
    }

    pub fn stickslip(&self, args: &[&str]) -> Said {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Said { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Every file below, with its content.
    pub fn listing(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut all = BTreeMap::new();
        list(&self.0, &mut all);
        all
    }

    /// Refused: exit 2, these parts on stderr in this order, nothing on stdout, nothing written.
    pub fn refuses(&self, args: &[&str], parts: &[&str]) {
        let before = self.listing();
        let said = self.stickslip(args);
        let mut rest = said.stderr.as_str();
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => panic!("no {part:?}, in this order, in:\n{}", said.stderr),
            }
        }
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert_eq!(said.stdout, "");
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
        assert_eq!(self.listing(), before, "a refused request wrote something");
    }
}

fn list(folder: &Path, all: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, all);
            all.insert(path, None);
        } else {
            let content = fs::read(&path).unwrap();
            all.insert(path, Some(content));
        }
    }
}

/// A run of `belt.toml` with one part replaced is refused with these parts of a message.
pub fn refused(from: &str, to: &str, parts: &[&str]) {
    assert!(BELT.contains(from), "{from}");
    Folder::with(&BELT.replace(from, to)).refuses(&["run", "belt.toml"], parts);
}
