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
    leaves: Vec<(usize, Option<usize>, Leaf)>,
    /// A table that is read again, where the law depends on a varied number in another way.
    text: Option<Text>,
}

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
        Some(LawNotes {
            params: law.params,
            one_of: law.one_of,
            given,
            values: values.clone(),
            leaves: if simple { leaves } else { vec![] },
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
        let mut given = self.given.clone();
        for (place, entry, leaf) in &self.leaves {
            let x = with.number(leaf)?;
            match (&mut given[*place].1, entry) {
                (Given::Number(old), None) => *old = x,
                (Given::List(list), Some(i)) => *list.get_mut(*i)? = x,
                _ => return None,
            }
        }
        Values::resolve(self.params, self.one_of, &given).ok()
    }
}
