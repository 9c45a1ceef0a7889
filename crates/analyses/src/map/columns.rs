//! What is kept of all points, sixteen bytes a value.
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use stickslip_data::{Cell, Finished, Quantity, Status, Value, Values, Word};

/// Words of a column that one byte can tell apart.
const FEW: usize = 256;

/// The points so far, whatever the order in which they came.
pub struct Kept {
    /// The number of the first of them.
    first: usize,
    /// None until a point is done.
    status: Vec<Option<Status>>,
    /// Point by point.
    cells: Vec<Packed>,
    columns: usize,
    /// Unit of each column, from the first point that has one.
    units: Vec<Option<(usize, Word)>>,
    words: Vec<Word>,
    codes: HashMap<Word, u32>,
    /// Lists, by place in `cells`.
    lists: BTreeMap<usize, Vec<f64>>,
    /// The first point that is not ok, and why.
    pub first_bad: Option<(usize, String)>,
}

#[derive(Clone, Copy)]
enum Packed {
    Missing,
    Number(f64),
    Word(u32),
}

impl Kept {
    /// Room for these points with so many values each.
    pub fn new(points: &Range<usize>, columns: usize) -> Kept {
        let count = points.len();
        Kept {
            first: points.start,
            status: vec![None; count],
            cells: vec![Packed::Missing; count * columns],
            columns,
            units: vec![None; columns],
            words: vec![],
            codes: HashMap::new(),
            lists: BTreeMap::new(),
            first_bad: None,
        }
    }

    /// Takes a point that has a place here and is not here yet; a point of another map is an error.
    pub fn put(&mut self, point: Finished) -> Result<(), String> {
        let Finished { index, status, reason, cells } = point;
        if cells.len() != self.columns {
            return Err(format!("point {index} has {} values, a point of this map {}", cells.len(), self.columns));
        }
        let Some(place) = index.checked_sub(self.first).filter(|i| self.status.get(*i).is_some_and(Option::is_none))
        else {
            return Ok(());
        };
        self.status[place] = Some(status);
        if status != Status::Ok && self.first_bad.as_ref().is_none_or(|(first, _)| index < *first) {
            self.first_bad = Some((index, reason.unwrap_or_else(|| status.to_string())));
        }
        for (k, cell) in cells.into_iter().enumerate() {
            let (packed, unit) = match cell {
                Cell::Missing => continue,
                Cell::Number(x, unit) => (Packed::Number(x), unit),
                Cell::Word(word, unit) => (Packed::Word(self.code(word)), unit),
                Cell::Numbers(list, unit) => {
                    self.lists.insert(index * self.columns + k, list);
                    (Packed::Missing, unit)
                }
            };
            self.cells[place * self.columns + k] = packed;
            if self.units[k].as_ref().is_none_or(|(first, _)| index < *first) {
                self.units[k] = Some((index, unit));
            }
        }
        Ok(())
    }

    fn code(&mut self, word: Word) -> u32 {
        if let Some(code) = self.codes.get(&word) {
            return *code;
        }
        let code = self.words.len() as u32;
        self.words.push(word.clone());
        self.codes.insert(word, code);
        code
    }

    /// Whether each point is done.
    pub fn done(&self) -> Vec<bool> {
        self.status.iter().map(Option::is_some).collect()
    }

    /// Numbers and status of the points that are done, in their order.
    pub fn finished(&self) -> impl Iterator<Item = (usize, Status)> + '_ {
        self.status.iter().enumerate().filter_map(|(i, s)| Some((self.first + i, (*s)?)))
    }

    /// The unit of a column.
    pub fn unit(&self, column: usize) -> &str {
        self.units[column].as_ref().map_or("", |(_, unit)| unit)
    }

    /// The lists of a column, each with the number of its point; None where it holds none.
    pub fn lists(&self, column: usize) -> Option<Vec<(usize, &[f64])>> {
        let own = self.lists.iter().filter(|(place, _)| *place % self.columns == column);
        let all: Vec<_> = own.map(|(place, list)| (place / self.columns, list.as_slice())).collect();
        (!all.is_empty()).then_some(all)
    }

    /// A column of the points that are done; of words also the part of the points that has each.
    pub fn column(&self, column: usize) -> (Values, BTreeMap<&str, f64>) {
        let cells = || self.finished().map(|(i, _)| self.cells[(i - self.first) * self.columns + column]);
        if !cells().any(|c| matches!(c, Packed::Word(_))) {
            let number = |cell| if let Packed::Number(x) = cell { x } else { f64::NAN };
            return (Values::Float(cells().map(number).collect()), BTreeMap::new());
        }
        // Words in alphabetic order, the empty one first: nothing depends on which point was done first.
        let mut counts: BTreeMap<&str, usize> = BTreeMap::from([("", 0)]);
        let word = |cell| if let Packed::Word(code) = cell { self.words[code as usize].as_ref() } else { "" };
        cells().for_each(|cell| *counts.entry(word(cell)).or_default() += 1);
        let all = counts.values().sum::<usize>() as f64;
        let parts = counts.iter().filter(|(w, _)| !w.is_empty()).map(|(w, n)| (*w, *n as f64 / all)).collect();
        if counts.len() > FEW {
            return (Values::Text(cells().map(|c| Word::from(word(c).to_string())).collect()), parts);
        }
        let list: Vec<&str> = counts.keys().copied().collect();
        let place = |w: &str| list.binary_search(&w).unwrap_or(0) as u8;
        let places: Vec<u8> = self.words.iter().map(|w| place(w)).collect();
        let code = |cell| if let Packed::Word(code) = cell { places[code as usize] } else { 0 };
        let codes = cells().map(code).collect();
        (Values::Coded { codes, words: list.into_iter().map(|w| Word::from(w.to_string())).collect() }, parts)
    }
}

/// A value as it is kept; why it can't be, unless it is one number or word, or a list that has a table of its own.
pub fn cell(quantity: &Quantity, listed: bool) -> Result<Cell, String> {
    let unit: Word = quantity.unit.clone().into();
    Ok(match &quantity.value {
        Value::Text(text) => Cell::Word(text.clone().into(), unit),
        Value::Texts(list) => Cell::Word(list.join(", ").into(), unit),
        Value::Flag(flag) => Cell::Word(if *flag { "true" } else { "false" }.into(), unit),
        Value::Number(x) => Cell::Number(*x, unit),
        Value::Count(n) => Cell::Number(*n as f64, unit),
        Value::List(list) if listed => Cell::Numbers(list.clone(), unit),
        Value::List(list) => match list.as_slice() {
            [] => Cell::Missing,
            [one] => Cell::Number(*one, unit),
            all => return Err(format!("has {} entries: collect one of them, by its index in brackets", all.len())),
        },
        Value::Rows(_) | Value::Records(_) | Value::Record(_) => {
            return Err("is a table: it does not fit into a column".into());
        }
    })
}
