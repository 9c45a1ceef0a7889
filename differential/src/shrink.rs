//! Makes a scenario small while its pair disagrees.
use crate::draw::Scene;
use crate::item::Item;
use std::time::{Duration, Instant};

/// Longest time for one scenario.
const PATIENCE: Duration = Duration::from_secs(8);

/// The simplest scenario found that still disagrees: keys are left out, functions of time become simpler, numbers rounder.
pub fn shrink(mut scene: Scene, disagrees: impl Fn(&Scene) -> bool) -> Scene {
    let start = Instant::now();
    loop {
        let mut changed = false;
        for change in changes(&scene.root) {
            if start.elapsed() > PATIENCE {
                return scene;
            }
            let mut smaller = scene.clone();
            change.apply(&mut smaller.root);
            if smaller.root != scene.root && disagrees(&smaller) {
                scene = smaller;
                changed = true;
            }
        }
        if !changed {
            return scene;
        }
    }
}

/// One simplification.
enum Change {
    /// Leaves a key or an entry out.
    Remove(String),
    /// Puts the first part of a sum in its place.
    First(String),
    /// A number with one digit.
    Round(String),
}

impl Change {
    fn apply(&self, root: &mut Item) {
        match self {
            Change::Remove(path) => root.remove(path),
            Change::First(path) => {
                if let Some(Item::List(parts)) = root.get(&format!("{path}.sum"))
                    && let Some(first) = parts.first().cloned()
                {
                    root.set(path, first);
                }
            }
            Change::Round(path) => {
                if let Some(item) = root.get_mut(path) {
                    item.each_number(&mut |x, _| *x = rounded(*x));
                }
            }
        }
    }
}

/// To one digit.
fn rounded(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() { x } else { format!("{x:.0e}").parse().unwrap_or(x) }
}

/// All simplifications, the largest first.
fn changes(root: &Item) -> Vec<Change> {
    let mut found = vec![];
    let mut rounds = vec![];
    collect(root, "", &mut found, &mut rounds);
    found.extend(rounds);
    found
}

fn collect(item: &Item, path: &str, found: &mut Vec<Change>, rounds: &mut Vec<Change>) {
    let below = |key: &str| if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
    match item {
        Item::Table(entries) => {
            if item.get("sum").is_some() {
                found.push(Change::First(path.into()));
            }
            // What a table needs is refused when it is left out, and then comes back.
            for (key, inner) in entries.iter().filter(|(k, _)| !matches!(k.as_str(), "kind" | "law")) {
                found.push(Change::Remove(below(key)));
                collect(inner, &below(key), found, rounds);
            }
        }
        Item::List(list) => {
            for (i, inner) in list.iter().enumerate().rev() {
                found.push(Change::Remove(below(&i.to_string())));
                collect(inner, &below(&i.to_string()), found, rounds);
            }
        }
        Item::Number(x, _) if rounded(*x) != *x => rounds.push(Change::Round(path.into())),
        Item::Formula(..) => rounds.push(Change::Round(path.into())),
        _ => {}
    }
}
