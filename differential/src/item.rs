//! A scenario as a tree in which every number knows its unit: it can be written, rescaled and rewritten in other units.
use crate::dimension::{Scale, in_other_units};
use std::fmt::Write;

/// A part of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A number in this unit, which is the SI unit that its key declares.
    Number(f64, String),
    /// A text.
    Word(String),
    /// A truth value.
    Flag(bool),
    /// A list.
    List(Vec<Item>),
    /// A table.
    Table(Vec<(String, Item)>),
    /// A formula: text around numbers with units.
    Formula(Vec<String>, Vec<(f64, String)>),
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// Bare numbers in SI.
    Bare,
    /// With their SI units.
    Si,
    /// In grams, millimetres and milliseconds.
    Small,
}

/// A number in this unit.
pub fn number(x: f64, unit: &str) -> Item {
    Item::Number(x, unit.into())
}

/// A number without a dimension.
pub fn plain(x: f64) -> Item {
    number(x, "1")
}

/// A word.
pub fn word(text: &str) -> Item {
    Item::Word(text.into())
}

/// A table.
pub fn table<const N: usize>(entries: [(&str, Item); N]) -> Item {
    Item::Table(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())
}

/// A formula; each `{}` of the template is a number with its unit.
pub fn formula(template: &str, numbers: &[(f64, &str)]) -> Item {
    let text = template.split("{}").map(String::from).collect();
    Item::Formula(text, numbers.iter().map(|(x, u)| (*x, u.to_string())).collect())
}

/// A key of a table or a place in a list.
fn step<'a>(item: &'a Item, key: &str) -> Option<&'a Item> {
    match item {
        Item::Table(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
        Item::List(list) => list.get(key.parse::<usize>().ok()?),
        _ => None,
    }
}

impl Item {
    /// What stands at a path: keys and places in lists, between dots.
    pub fn get(&self, path: &str) -> Option<&Item> {
        path.split('.').try_fold(self, step)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, path: &str) -> Option<&mut Item> {
        path.split('.').try_fold(self, |item, key| match item {
            Item::Table(entries) => entries.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v),
            Item::List(list) => list.get_mut(key.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The number at a path.
    pub fn number(&self, path: &str) -> Option<f64> {
        match self.get(path)? {
            Item::Number(x, _) => Some(*x),
            _ => None,
        }
    }

    /// The word at a path.
    pub fn word(&self, path: &str) -> Option<&str> {
        match self.get(path)? {
            Item::Word(text) => Some(text),
            _ => None,
        }
    }

    /// Puts something at a path; tables on the way are made.
    pub fn set(&mut self, path: &str, value: Item) {
        let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
        if let (Item::List(list), Ok(i)) = (&mut *self, first.parse::<usize>()) {
            if let Some(item) = list.get_mut(i) {
                match rest {
                    Some(rest) => item.set(rest, value),
                    None => *item = value,
                }
            }
            return;
        }
        if !matches!(self, Item::Table(_)) {
            *self = Item::Table(vec![]);
        }
        let Item::Table(entries) = self else { return };
        let at = entries.iter().position(|(k, _)| k == first).unwrap_or_else(|| {
            entries.push((first.into(), Item::Table(vec![])));
            entries.len() - 1
        });
        match rest {
            Some(rest) => entries[at].1.set(rest, value),
            None => entries[at].1 = value,
        }
    }

    /// Removes what stands at a path.
    pub fn remove(&mut self, path: &str) {
        let (parent, key) = match path.rsplit_once('.') {
            Some((above, key)) => (self.get_mut(above), key),
            None => (Some(self), path),
        };
        match parent {
            Some(Item::Table(entries)) => entries.retain(|(k, _)| k != key),
            Some(Item::List(list)) => {
                if let Some(i) = key.parse::<usize>().ok().filter(|i| *i < list.len()) {
                    list.remove(i);
                }
            }
            _ => {}
        }
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self, Item::Table(entries) if entries.is_empty())
            || matches!(self, Item::List(list) if list.is_empty())
    }

    /// Every number, those in formulas too, with its unit.
    pub fn each_number(&mut self, visit: &mut dyn FnMut(&mut f64, &str)) {
        match self {
            Item::Number(x, unit) => visit(x, unit),
            Item::Formula(_, numbers) => numbers.iter_mut().for_each(|(x, unit)| visit(x, unit)),
            Item::List(list) => list.iter_mut().for_each(|i| i.each_number(visit)),
            Item::Table(entries) => entries.iter_mut().for_each(|(_, i)| i.each_number(visit)),
            Item::Word(_) | Item::Flag(_) => {}
        }
    }

    /// As a traction: forces become what acts on a unit of area, of which there is so much; loads under `normal` are one
    /// already.
    pub fn per_area(&mut self, area: f64) {
        let put = |x: &mut f64, unit: &mut String| {
            if let Some(rest) = unit.strip_prefix('N').filter(|rest| rest.is_empty() || rest.starts_with(['/', ' '])) {
                (*x, *unit) = (*x / area, format!("Pa{rest}"));
            }
        };
        match self {
            Item::Number(x, unit) => put(x, unit),
            Item::Formula(_, numbers) => numbers.iter_mut().for_each(|(x, unit)| put(x, unit)),
            Item::List(list) => list.iter_mut().for_each(|i| i.per_area(area)),
            Item::Table(entries) => {
                entries.iter_mut().for_each(|(key, i)| i.per_area(if key == "normal" { 1.0 } else { area }))
            }
            Item::Word(_) | Item::Flag(_) => {}
        }
    }

    /// In other units of mass, length and time, as another scenario: every number is multiplied.
    pub fn rescaled(&self, scale: &Scale) -> Item {
        let mut item = self.clone();
        item.each_number(&mut |x, unit| *x *= scale.of(unit));
        item
    }

    /// As a value in TOML.
    pub fn written(&self, writing: Writing) -> String {
        match self {
            Item::Number(x, unit) => written(*x, unit, writing),
            Item::Word(text) => format!("{text:?}"),
            Item::Flag(yes) => yes.to_string(),
            Item::List(list) => {
                let parts: Vec<String> = list.iter().map(|i| i.written(writing)).collect();
                format!("[{}]", parts.join(", "))
            }
            Item::Table(entries) => {
                let parts: Vec<String> = entries.iter().map(|(k, i)| format!("{k} = {}", i.written(writing))).collect();
                format!("{{ {} }}", parts.join(", "))
            }
            Item::Formula(text, numbers) => {
                let mut all = text[0].clone();
                for ((x, unit), after) in numbers.iter().zip(&text[1..]) {
                    // One unit anywhere means that the whole formula is checked: all of its numbers have theirs then.
                    let number = match writing {
                        _ if unit == "1" => format!("{x:?}"),
                        Writing::Bare => format!("{x:?}"),
                        other => written(*x, unit, other).trim_matches('"').to_string(),
                    };
                    let _ = write!(all, "({number}){after}");
                }
                format!("{all:?}")
            }
        }
    }
}

fn written(x: f64, unit: &str, writing: Writing) -> String {
    match writing {
        _ if unit == "1" || unit.is_empty() => format!("{x:?}"),
        Writing::Bare => format!("{x:?}"),
        Writing::Si => format!("\"{x:?} {unit}\""),
        Writing::Small => match in_other_units(x, unit) {
            Some((x, unit)) => format!("\"{x:?} {unit}\""),
            None => format!("\"{x:?} {unit}\""),
        },
    }
}

/// A whole scenario: a line for each of its tables.
pub fn document(root: &Item, writing: Writing) -> String {
    let Item::Table(entries) = root else { return String::new() };
    entries.iter().map(|(k, i)| format!("{k} = {}\n", i.written(writing))).collect()
}
