//! A scenario turned into a comparison: its analysis becomes what is asked of each law.
use crate::scenario::Scenario;
use crate::text::diagnostic::Diagnostics;
use crate::text::document::Setting;
use crate::text::tree::{Entry, Node, Table, Value};

/// The analysis that compares laws, and the values that are compared where an analysis has them.
const COMPARE: &str = "compare";
const USUAL: [&str; 14] = [
    "amplitude_pp",
    "period",
    "friction_mean",
    "stable",
    "growth_rate",
    "peak.amplitude",
    "peak.omega",
    "threshold",
    "breakaway",
    "loop_area",
    "damping_ratio",
    "speed_max",
    "amplitude",
    "lag",
];
/// Most of them.
const MOST: usize = 2;
/// Time at rest of a protocol whose speeds alone are given.
const HOLD: &str = "1 s";

/// What is to be compared; texts as a scenario has them, such as "1 mm/s".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Friction laws by name.
    pub laws: Vec<String>,
    /// Speeds of steady sliding at which they are matched.
    pub speeds: Vec<String>,
    /// Time at rest before the peak to which they are matched.
    pub hold: Option<String>,
    /// Stiffness in stick to which they are matched.
    pub stiffness: Option<String>,
    /// Results that are compared.
    pub collect: Vec<String>,
}

impl Scenario {
    /// The comparison of laws under the analysis of this scenario, in every case. One that compares already keeps what is not
    /// given here.
    pub fn comparing(mut self, asked: &Comparison) -> Result<Scenario, Diagnostics> {
        for i in 0..self.cases.len() {
            let analysis = self.cases[i].root.get("analysis").and_then(Node::as_table);
            let own = analysis.and_then(|table| table.text("kind")).map(String::from);
            let compares = own.as_deref() == Some(COMPARE);
            let usual = if compares { vec![] } else { self.usual(own.as_deref()) };
            let Scenario { cases, folder, .. } = &mut self;
            let root = &mut cases[i].root;
            if !compares && let Some(entry) = root.remove("analysis") {
                let at = entry.key_at.clone();
                let text = Value::Text(COMPARE.into());
                let kind = Entry { key: "kind".into(), key_at: at.clone(), node: Node { value: text, at: at.clone() } };
                let each = Entry { key: "each".into(), key_at: at.clone(), node: entry.node };
                let node = Node { value: Value::Table(Table(vec![kind, each])), at: at.clone() };
                root.put(Entry { key: "analysis".into(), key_at: at, node });
            }
            let mut set = |key: &str, value: String| -> Result<(), Diagnostics> {
                Setting::parse(&format!("analysis.{key}={value}"), folder)?.apply(root)
            };
            if !asked.laws.is_empty() {
                set("laws", list(&asked.laws))?;
            }
            if let Some(protocol) = protocol(asked) {
                set("match", protocol)?;
            }
            match &asked.collect[..] {
                [] if usual.is_empty() => {}
                [] => set("collect", list(&usual))?,
                given => set("collect", list(given))?,
            }
        }
        Ok(self)
    }

    /// What is compared of an analysis unless it is said.
    fn usual(&self, kind: Option<&str>) -> Vec<String> {
        let kinds = &self.catalogue.analyses;
        let answers = kinds.iter().find(|k| Some(k.name) == kind).map_or(&[][..], |k| k.answers);
        let known = USUAL.iter().filter(|name| answers.iter().any(|a| !a.table && a.name == **name));
        std::iter::once("regime").chain(known.copied()).take(MOST + 1).map(String::from).collect()
    }
}

fn list(all: &[String]) -> String {
    let quoted: Vec<String> = all.iter().map(|text| format!("\"{}\"", text.trim().replace('"', ""))).collect();
    format!("[{}]", quoted.join(", "))
}

/// The protocol as a table; None where nothing of it is given.
fn protocol(asked: &Comparison) -> Option<String> {
    if asked.speeds.is_empty() {
        return None;
    }
    let mut keys = vec![format!("speeds = {}", list(&asked.speeds))];
    keys.push(format!("hold = \"{}\"", asked.hold.as_deref().unwrap_or(HOLD)));
    keys.extend(asked.stiffness.as_ref().map(|k| format!("stiffness = \"{k}\"")));
    Some(format!("{{ {} }}", keys.join(", ")))
}
