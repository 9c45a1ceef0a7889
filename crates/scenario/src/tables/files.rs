//! Files that a scenario may read: those in its folder or below.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use stickslip_units::nearest;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;
/// Largest file of any form, in bytes: a mesh of some million nodes.
const LARGEST_BINARY: u64 = 512 << 20;
/// Longest line of a file of numbers, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// Files by their paths from the folder that they are read as, for programs without a disk: a page in a browser.
pub type FilesInMemory = BTreeMap<PathBuf, Vec<u8>>;

/// The folder of a scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder {
    /// Where it lies; None for a text that has none. Empty for files in memory.
    root: Option<PathBuf>,
    memory: Option<Arc<FilesInMemory>>,
}

impl Folder {
    /// A folder on the disk, or none.
    pub fn on_disk(root: Option<PathBuf>) -> Folder {
        Folder { root, memory: None }
    }

    /// Files that are given, before those of a folder on the disk where there is one.
    pub fn in_memory(files: FilesInMemory, root: Option<PathBuf>) -> Folder {
        Folder { root: Some(root.unwrap_or_default()), memory: Some(Arc::new(files)) }
    }

    /// A file that is given.
    fn given(&self, path: &Path) -> Option<&[u8]> {
        let below = path.strip_prefix(self.root.as_ref()?).ok()?;
        self.memory.as_ref()?.get(&without_turns(below)).map(Vec::as_slice)
    }

    /// Where it lies.
    pub fn root(&self) -> Option<&PathBuf> {
        self.root.as_ref()
    }

    /// Where `name` leads from `from`, if that lies in the folder or below. The error is a code and a sentence.
    pub fn find(&self, from: Option<&Path>, name: &str) -> Result<PathBuf, (&'static str, String)> {
        let outside = |why: &str| Err(("scenario::outside", format!("`{name}` {why}")));
        let Some(root) = &self.root else {
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
        if self.given(&path).is_some() {
            return Ok(path);
        }
        if self.memory.is_some() && root.as_os_str().is_empty() {
            return Err(("scenario::file", format!("`{name}` can't be read: there is no such file")));
        }
        // A link may lead anywhere.
        let real = |p: &Path| p.canonicalize();
        match (real(&path), real(root)) {
            (Ok(file), Ok(root)) if file.starts_with(&root) => Ok(path),
            (Ok(_), Ok(_)) => outside("leads out of the scenario's folder"),
            (Err(e), _) | (_, Err(e)) => Err(("scenario::file", format!("`{name}` can't be read: {e}"))),
        }
    }
}

/// A path without `.` and `..`, for files that no disk resolves.
fn without_turns(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::Normal(name) => out.push(name),
            _ => {}
        }
    }
    out
}

/// What is expected of a file that a scenario names, and what one can do where it is not so.
pub(crate) fn advice(code: &str, name: &str, from: Option<&Path>) -> (Option<String>, Option<String>) {
    let path = from.unwrap_or(Path::new(".")).join(name);
    let hint = match (code, path.file_name().and_then(|f| f.to_str())) {
        ("scenario::outside", Some(file)) => Some(format!("copy it beside the scenario and write \"{file}\"")),
        ("scenario::outside", None) => None,
        // Shown as one would write it.
        _ => way_out(&path, code).map(|hint| match from.and_then(|f| f.to_str()).filter(|f| !f.is_empty()) {
            Some(folder) => hint.replace(&format!("{folder}/"), ""),
            None => hint,
        }),
    };
    let expected = matches!(code, "scenario::outside" | "scenario::file");
    (expected.then(|| "a file in the scenario's folder or below".into()), hint)
}

/// What one can do about a file that can't be read: another one beside it may be meant.
pub(crate) fn way_out(path: &Path, code: &str) -> Option<String> {
    if code == "scenario::encoding" {
        return Some("save the file as UTF-8".into());
    }
    if path.is_dir() {
        return Some("name a file in it".into());
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = folder.read_dir().ok().filter(|_| !path.exists())?;
    let names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    let near = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(format!("did you mean `{}`?", path.with_file_name(near).display()))
}

/// A file that is not UTF-8 as it can be shown, and where the first other byte stands in that.
pub(crate) fn first_bad_byte(path: &Path) -> Option<(String, usize)> {
    let mut bytes = vec![];
    File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let at = std::str::from_utf8(&bytes).err()?.valid_up_to();
    Some((String::from_utf8_lossy(&bytes).into_owned(), at))
}

impl Folder {
    /// Whether a file is small enough to be kept as text.
    pub fn is_small(&self, path: &Path) -> bool {
        match self.given(path) {
            Some(bytes) => bytes.len() as u64 <= LARGEST,
            None => path.metadata().is_ok_and(|m| m.len() <= LARGEST),
        }
    }

    /// The lines of a file of numbers, one after the other: such files may be longer than is kept as text. The error of a
    /// file is a code and a sentence; what the visitor refuses ends the reading.
    pub fn lines<E>(
        &self,
        path: &Path,
        visit: impl FnMut(usize, &str) -> Result<(), E>,
    ) -> Result<Result<(), E>, (&'static str, String)> {
        match self.given(path) {
            Some(bytes) => each_line(path, bytes, visit),
            None => each_line(path, BufReader::with_capacity(1 << 16, open(path, "a file")?), visit),
        }
    }

    /// The bytes of a file of any form. The error is a code and a sentence.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, (&'static str, String)> {
        if let Some(bytes) = self.given(path) {
            return Ok(bytes.to_vec());
        }
        let shown = path.display();
        let failed = |e: std::io::Error| ("scenario::file", format!("`{shown}` can't be read: {e}"));
        let mut bytes = vec![];
        open(path, "a file")?.take(LARGEST_BINARY + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LARGEST_BINARY {
            let most = LARGEST_BINARY >> 20;
            return Err(("scenario::too-large", format!("`{shown}` is larger than {most} MB")));
        }
        Ok(bytes)
    }

    /// The text of a file. The error is a code and a sentence.
    pub fn read(&self, path: &Path) -> Result<String, (&'static str, String)> {
        match self.given(path) {
            Some(bytes) => whole(path, bytes),
            None => read(path),
        }
    }
}

/// A file that is none of the folders.
fn open(path: &Path, expected: &str) -> Result<File, (&'static str, String)> {
    let shown = path.display();
    let failed = |e: std::io::Error| ("scenario::file", format!("`{shown}` can't be read: {e}"));
    let file = File::open(path).map_err(failed)?;
    match file.metadata().map_err(failed)?.is_dir() {
        true => Err(("scenario::file", format!("`{shown}` is a folder, not {expected}"))),
        false => Ok(file),
    }
}

fn each_line<E>(
    path: &Path,
    mut reader: impl BufRead,
    mut visit: impl FnMut(usize, &str) -> Result<(), E>,
) -> Result<Result<(), E>, (&'static str, String)> {
    let shown = path.display();
    let failed = |e: std::io::Error| ("scenario::file", format!("`{shown}` can't be read: {e}"));
    let mut bytes = vec![];
    for number in 1.. {
        bytes.clear();
        let read = (&mut reader).take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes).map_err(failed)?;
        if read == 0 {
            break;
        }
        if read as u64 > LONGEST_LINE {
            return Err((
                "scenario::too-large",
                format!("`{shown}`: line {number} is longer than {LONGEST_LINE} bytes"),
            ));
        }
        let Ok(line) = std::str::from_utf8(&bytes) else {
            let message = format!("`{shown}` is not UTF-8 text: line {number} holds other bytes");
            return Err(("scenario::encoding", message));
        };
        if let Err(e) = visit(number, line) {
            return Ok(Err(e));
        }
    }
    Ok(Ok(()))
}

/// The text of a file on the disk. The error is a code and a sentence.
pub(crate) fn read(path: &Path) -> Result<String, (&'static str, String)> {
    whole(path, open(path, "a scenario")?)
}

fn whole(path: &Path, from: impl Read) -> Result<String, (&'static str, String)> {
    let shown = path.display();
    let mut bytes = vec![];
    let failed = |e: std::io::Error| ("scenario::file", format!("`{shown}` can't be read: {e}"));
    from.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(("scenario::too-large", format!("`{shown}` is larger than {} MB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let line = e.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
        ("scenario::encoding", format!("`{shown}` is not UTF-8 text: line {line} holds other bytes"))
    })
}
