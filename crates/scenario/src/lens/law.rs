//! The parameters of a law with other numbers.
use super::notes::{Leaf, Notes};
use super::replay::With;
use crate::context::Reading;
use crate::read::law::LawTable;
use crate::text::tree::{Table, Value};
use stickslip_laws::{Given, Param, Shape, Values};
use stickslip_units::unit;

/// A law as it was read.
#[derive(Clone)]
pub(crate) struct LawNotes {
    params: &'static [Param],
    one_of: &'static [&'static str],
    /// As given, before defaults are filled in.
    given: Vec<(String, Given)>,
    values: Values,
    /// Entries of `given`, and of a list among them, that are varied numbers.
    leaves: Vec<Place>,
    /// The same for `values`, where it is known what defaults make of them.
    resolved: Option<Vec<Place>>,
    /// A table that is read again, where the law depends on a varied number in another way.
    text: Option<Text>,
}

/// An entry of a list of values, an entry of a list in it, and what stands there.
type Place = (usize, Option<usize>, Leaf);

#[derive(Clone)]
struct Text {
    table: Table,
    path: String,
    fill: Option<(&'static str, &'static str)>,
    others: Vec<&'static str>,
}

impl LawNotes {
    /// Notes how a law was read; formulas were evaluated for it since `before`.
    pub fn new(
        notes: &Notes,
        law: &LawTable,
        values: &Values,
        others: &[&'static str],
        before: usize,
    ) -> Option<LawNotes> {
        let given = law.given(others).ok()?;
        let formulas = notes.record_since(before) && notes.of_parameters();
        let (mut leaves, mut simple) = (vec![], !formulas);
        for entry in law.table.0.iter().filter(|e| !others.contains(&e.key.as_str())) {
            let inside = notes.inside(&entry.node);
            if inside.is_empty() {
                continue;
            }
            notes.place(&inside);
            let param = law.params.iter().find(|p| p.name == entry.key);
            let place = given.iter().position(|(name, _)| *name == entry.key);
            let found = param.zip(place).and_then(|(param, place)| {
                let number = matches!(param.shape, Shape::Number | Shape::List | Shape::Shorthand(_));
                let expected = law.reading.units(&law.unit(param).ok().filter(|_| number)?, "").ok()?;
                let leaf = |varied| Leaf { varied, expected: expected.iter().map(|(unit, _)| *unit).collect() };
                let own = notes.leaf(&entry.node).map(|varied| (place, None, leaf(varied)));
                let list = if let Value::List(list) = &entry.node.value { list.as_slice() } else { &[] };
                let each = list.iter().enumerate();
                let entries = each.filter_map(|(i, n)| Some((place, Some(i), leaf(notes.leaf(n)?))));
                Some(own.into_iter().chain(entries).collect::<Vec<_>>())
            });
            match found.filter(|found| found.len() == inside.len()) {
                Some(found) => leaves.extend(found),
                None => simple = false,
            }
        }
        // A varied exponent changes the units of others.
        simple &= leaves.is_empty() || law.params.iter().all(|p| unit(p.unit).is_ok());
        let text =
            || Text { table: law.table.clone(), path: law.path.clone(), fill: law.fill, others: others.to_vec() };
        let leaves = if simple { leaves } else { vec![] };
        Some(LawNotes {
            resolved: resolved(law, &given, values, &leaves),
            params: law.params,
            one_of: law.one_of,
            given,
            values: values.clone(),
            leaves,
            text: (!simple).then(text),
        })
    }

    pub fn varies(&self) -> bool {
        self.text.is_some() || !self.leaves.is_empty()
    }

    /// The values of the law.
    pub fn values(&self, with: &With) -> Option<Values> {
        if let Some(Text { table, path, fill, others }) = &self.text {
            let table = with.table(table);
            let reading: Reading = with.reading();
            let (params, one_of, path) = (self.params, self.one_of, path.clone());
            let law = LawTable { reading: &reading, table: &table, path, params, one_of, fill: *fill, depth: 0 };
            return law.read(others).ok().map(|(values, _)| values);
        }
        if self.leaves.is_empty() {
            return Some(self.values.clone());
        }
        if let Some(resolved) = &self.resolved {
            let mut values = self.values.clone();
            for (place, entry, leaf) in resolved {
                put(&mut values.0.get_mut(*place)?.1, *entry, with.number(leaf)?)?;
            }
            return values.check(self.params).is_ok().then_some(values);
        }
        let mut given = self.given.clone();
        for (place, entry, leaf) in &self.leaves {
            put(&mut given.get_mut(*place)?.1, *entry, with.number(leaf)?)?;
        }
        Values::resolve(self.params, self.one_of, &given).ok()
    }
}

fn put(given: &mut Given, entry: Option<usize>, x: f64) -> Option<()> {
    match (given, entry) {
        (Given::Number(old), None) => *old = x,
        (Given::List(list), Some(i)) => *list.get_mut(i)? = x,
        _ => return None,
    }
    Some(())
}

/// Parts of a number by which it is moved to see where it goes.
const NEAR: [f64; 4] = [1e-9, -1e-9, 1e-3, -1e-3];

/// Where the varied numbers go when defaults are filled in: these copy numbers and do nothing else with them.
fn resolved(law: &LawTable, given: &[(String, Given)], values: &Values, leaves: &[Place]) -> Option<Vec<Place>> {
    let mut found = vec![];
    for (place, entry, leaf) in leaves {
        let old = *numbers(&given[*place].1).get(entry.unwrap_or(0))?;
        let moved = NEAR.iter().find_map(|part| {
            let x = if old == 0.0 { *part } else { old * (1.0 + part) };
            let mut given = given.to_vec();
            put(&mut given[*place].1, *entry, x)?;
            Some((x, Values::resolve(law.params, law.one_of, &given).ok()?))
        });
        let (x, moved) = moved?;
        for (k, ((_, a), (_, b))) in values.0.iter().zip(&moved.0).enumerate().filter(|(_, (a, b))| a != b) {
            let (own, new) = (numbers(a), numbers(b));
            let goes = |i: &usize| own[*i] != new[*i];
            let places: Vec<usize> = (0..own.len().min(new.len())).filter(goes).collect();
            if own.len() != new.len() || places.is_empty() || places.iter().any(|i| new[*i] != x) {
                return None;
            }
            let list = matches!(a, Given::List(_));
            found.extend(places.into_iter().map(|i| (k, list.then_some(i), leaf.clone())));
        }
    }
    Some(found)
}

fn numbers(given: &Given) -> &[f64] {
    match given {
        Given::Number(x) => std::slice::from_ref(x),
        Given::List(list) => list,
        _ => &[],
    }
}
