//! Everything that reads text, and what counts as broken.
use crate::counting::peak_of;
use std::cell::RefCell;
use std::panic;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stickslip::formula::{Formula, Symbol};
use stickslip::prelude::Scenario;
use stickslip::units::{Dimension, number_prefix, quantity, unit, unit_prefix};

/// Longest time for one input.
pub const SLOWEST: Duration = Duration::from_secs(1);
/// Most memory in use at once for one input, in bytes.
pub const LARGEST: usize = 256 << 20;

/// A text, and who reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Who reads it.
    pub reader: Reader,
    /// The text.
    pub text: Vec<u8>,
}

/// Who reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A scenario: read, with everything that it refuses before any work.
    Scenario,
    /// A setting `path=value` on a scenario that is in order.
    Setting,
    /// A formula, as law and as function of time.
    Formula,
    /// A unit, and a number with one.
    Unit,
    /// A table of numbers that a drive or a law reads.
    Csv,
}

/// All of them.
pub const READERS: [Reader; 5] = [Reader::Scenario, Reader::Setting, Reader::Formula, Reader::Unit, Reader::Csv];

/// What an input did.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It was read or refused.
    Answered,
    /// It panicked: where, and with what words.
    Panicked(String),
    /// It took too long.
    Slow(Duration),
    /// It asked for too much memory, in bytes.
    Large(usize),
}

impl Verdict {
    /// Whether something is to be mended.
    pub fn is_bad(&self) -> bool {
        *self != Verdict::Answered
    }

    /// Whether both break in the same way, at the same place as far as it is known.
    pub fn same_place(&self, other: &Verdict) -> bool {
        match (self, other) {
            (Verdict::Panicked(a), Verdict::Panicked(b)) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics are noted instead of printed from now on.
pub fn quiet_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
        let words = info.payload_as_str().unwrap_or_default();
        PLACE.with(|p| *p.borrow_mut() = format!("{place}: {words}"));
    }));
}

/// Puts an input before its reader. What seems slow is tried once more: the machine may have been busy.
pub fn verdict(input: &Input) -> Verdict {
    match measured(input) {
        Verdict::Slow(_) => measured(input),
        other => other,
    }
}

fn measured(input: &Input) -> Verdict {
    let start = Instant::now();
    let (answer, bytes) = peak_of(|| panic::catch_unwind(|| read(input)));
    let took = start.elapsed();
    match answer {
        Err(_) => Verdict::Panicked(PLACE.with(|p| p.borrow().clone())),
        Ok(()) if took > SLOWEST => Verdict::Slow(took),
        Ok(()) if bytes > LARGEST => Verdict::Large(bytes),
        Ok(()) => Verdict::Answered,
    }
}

/// A scenario that is in order, with a function of time, a law of one's own and a parameter.
pub const SOUND: &str = include_str!("sound.toml");

fn read(input: &Input) {
    // A text that is not UTF-8 is refused before anything else looks at it.
    let text = String::from_utf8_lossy(&input.text);
    match input.reader {
        Reader::Scenario => prepare(Scenario::from_text_in(&folder(), "s.toml", &text, &[])),
        Reader::Setting => prepare(Scenario::from_text_in(&folder(), "s.toml", SOUND, &[text.into_owned()])),
        Reader::Unit => {
            for error in [unit(&text).err(), quantity(&text).err(), unit_prefix(&text, &|n| n == "x").err()] {
                assert!(error.is_none_or(|e| text.get(e.at).is_some()), "a place outside of the text");
            }
            let _ = number_prefix(&text);
        }
        Reader::Formula => {
            let symbols = [("t", "s"), ("v", "m/s"), ("mu", "1")]
                .map(|(name, text)| Symbol::new(name, unit(text).map_or(Dimension::NONE, |u| u.dimension)));
            for wanted in ["1", "m/s"] {
                match unit(wanted).map(|u| Formula::parse(&text, &symbols, &u)) {
                    Ok(Ok(formula)) => drop(formula.eval(&[0.5, 1e-3, 0.3])),
                    Ok(Err(e)) => assert!(text.get(e.at).is_some(), "a place outside of the text"),
                    Err(_) => {}
                }
            }
            let quoted = text.replace(['\\', '"', '\n', '\r'], " ");
            let set = format!("drive.velocity=\"{quoted}\"");
            prepare(Scenario::from_text("s.toml", SOUND, &[set]));
            let set = format!("contact.friction.strength=\"{quoted}\"");
            prepare(Scenario::from_text("s.toml", SOUND, &[set]));
        }
        Reader::Csv => {
            let file = folder().join("numbers.csv");
            if std::fs::write(&file, &input.text).is_ok() {
                let sets = ["drive.velocity={ table = \"numbers.csv\" }".to_string()];
                prepare(Scenario::from_text_in(&folder(), "s.toml", SOUND, &sets));
                let sets = ["contact.friction={ law = \"table\", table = \"numbers.csv\" }".to_string()];
                prepare(Scenario::from_text_in(&folder(), "s.toml", SOUND, &sets));
            }
        }
    }
}

fn prepare(scenario: Result<Scenario, stickslip::prelude::Diagnostics>) {
    match scenario.and_then(|s| s.prepare()) {
        Ok(cases) => cases.iter().for_each(|c| drop(c.spec.to_string())),
        Err(all) => assert!(!all.to_string().is_empty(), "a refusal without a word"),
    }
}

/// A folder of this process, for files that scenarios name.
fn folder() -> PathBuf {
    thread_local!(static FOLDER: PathBuf = {
        let thread = format!("{:?}", std::thread::current().id());
        let digits: String = thread.chars().filter(char::is_ascii_digit).collect();
        let path = std::env::temp_dir().join(format!("stickslip-fuzz-{}-{digits}", std::process::id()));
        let _ = std::fs::create_dir_all(&path);
        path
    });
    FOLDER.with(PathBuf::clone)
}

/// Removes the folder of this thread.
pub fn clean() {
    let _ = std::fs::remove_dir_all::<&Path>(&folder());
}
