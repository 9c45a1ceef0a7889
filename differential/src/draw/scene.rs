//! A drawn scenario.
use crate::dimension::Scale;
use crate::item::{Item, Writing, document};

/// A scenario, and what is known about it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The scenario.
    pub root: Item,
    /// Its natural units.
    pub scale: Scale,
    /// What it is made of: a category and a name.
    pub kinds: Vec<(&'static str, String)>,
    /// Choices that an oracle makes follow from it.
    pub seed: u64,
    /// When the run ends, s.
    pub end: f64,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the rates.
    pub rates: Vec<String>,
}

impl Scene {
    /// As text.
    pub fn text(&self) -> String {
        document(&self.root, Writing::Bare)
    }

    /// Whether a drive gives the load of the contacts.
    pub fn drives_load(&self) -> bool {
        self.root.get("drive").is_some_and(|d| d.written(Writing::Bare).contains("normal ="))
    }

    /// The names of the kinds of a category.
    pub fn names(&self, category: &str) -> Vec<&str> {
        self.kinds.iter().filter(|(c, _)| *c == category).map(|(_, n)| n.as_str()).collect()
    }
}
