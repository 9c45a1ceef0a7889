//! Files that a scenario may read: those in its folder or below.
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The folder of a scenario; None for a text that has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder(pub Option<PathBuf>);

impl Folder {
    /// Where `name` leads from `from`, if that lies in the folder or below. The error is a code and a sentence.
    pub fn find(&self, from: Option<&Path>, name: &str) -> Result<PathBuf, (&'static str, String)> {
        let outside = |why: &str| Err(("scenario::outside", format!("`{name}` {why}")));
        let Some(root) = &self.0 else {
            return outside("can't be read: this scenario has no folder");
        };
        let relative = Path::new(name);
        if name.is_empty() || name.contains('\0') {
            return Err(("scenario::file", format!("{name:?} is not a file name")));
        }
        let absolute = relative.is_absolute()
            || relative.components().any(|c| matches!(c, Component::Prefix(_) | Component::RootDir));
        if absolute {
            return outside("is an absolute path; files lie in the scenario's folder or below");
        }
        let start = from.unwrap_or(root);
        // Where the including file lies below the folder, `..` may lead up to the folder but no further.
        let mut depth = start.strip_prefix(root).map_or(0, |p| p.components().count()) as isize;
        for part in relative.components() {
            match part {
                Component::ParentDir => depth -= 1,
                Component::Normal(_) => depth += 1,
                _ => {}
            }
            if depth < 0 {
                return outside("leaves the scenario's folder");
            }
        }
        let path = start.join(relative);
        // A link may lead anywhere.
        let real = |p: &Path| p.canonicalize();
        match (real(&path), real(root)) {
            (Ok(file), Ok(root)) if file.starts_with(&root) => Ok(path),
            (Ok(_), Ok(_)) => outside("leads out of the scenario's folder"),
            (Err(e), _) | (_, Err(e)) => Err(("scenario::file", format!("`{name}` can't be read: {e}"))),
        }
    }
}

/// The text of a file. The error is a code and a sentence.
pub(crate) fn read(path: &Path) -> Result<String, (&'static str, String)> {
    let shown = path.display();
    let failed = |e: std::io::Error| ("scenario::file", format!("`{shown}` can't be read: {e}"));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(("scenario::file", format!("`{shown}` is a folder")));
    }
    let mut bytes = vec![];
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(("scenario::too-large", format!("`{shown}` is larger than {} MB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let line = e.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
        ("scenario::encoding", format!("`{shown}` is not UTF-8 text: line {line} holds other bytes"))
    })
}
