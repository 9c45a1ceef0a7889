//! Tables: named columns with units.

use crate::DataError;

/// A word; one that is known when the program is built costs no room of its own.
pub type Word = std::borrow::Cow<'static, str>;

/// The values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN stands where a quantity is undefined.
    Float(Vec<f64>),
    /// Whole numbers.
    Int(Vec<i64>),
    /// Words, such as modes and regimes.
    Text(Vec<Word>),
    /// Words of a short list, one byte a row.
    Coded {
        /// Index into the words, row by row.
        codes: Vec<u8>,
        /// The words.
        words: Vec<Word>,
    },
}

impl Values {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Values::Float(v) => v.len(),
            Values::Int(v) => v.len(),
            Values::Text(v) => v.len(),
            Values::Coded { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of a `Float` column.
    pub fn floats(&self) -> Option<&[f64]> {
        match self {
            Values::Float(v) => Some(v),
            _ => None,
        }
    }

    /// The words of a column of words.
    pub fn texts(&self) -> Option<Vec<Word>> {
        match self {
            Values::Text(v) => Some(v.clone()),
            Values::Coded { codes, words } => Some(codes.iter().map(|c| words[*c as usize].clone()).collect()),
            _ => None,
        }
    }
}

impl From<Vec<f64>> for Values {
    fn from(v: Vec<f64>) -> Self {
        Values::Float(v)
    }
}

impl From<Vec<i64>> for Values {
    fn from(v: Vec<i64>) -> Self {
        Values::Int(v)
    }
}

impl From<Vec<Word>> for Values {
    fn from(v: Vec<Word>) -> Self {
        Values::Text(v)
    }
}

impl From<Vec<String>> for Values {
    fn from(v: Vec<String>) -> Self {
        Values::Text(v.into_iter().map(Word::from).collect())
    }
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, unique in its table.
    pub name: String,
    /// Unit in plain text: `m/s`, `1` for a ratio, empty where a unit has no meaning.
    pub unit: String,
    /// One value per row.
    pub values: Values,
}

/// Columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Name of the table, and of its file.
    pub name: String,
    /// The columns, in the order of the file.
    pub columns: Vec<Column>,
}

impl Table {
    /// A table without columns.
    pub fn new(name: impl Into<String>) -> Table {
        Table { name: name.into(), columns: Vec::new() }
    }

    /// Adds a column at the end.
    pub fn push(&mut self, name: impl Into<String>, unit: impl Into<String>, values: impl Into<Values>) {
        self.columns.push(Column { name: name.into(), unit: unit.into(), values: values.into() });
    }

    /// Number of rows: those of the first column, 0 without columns.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// Whether the table can stand in a file: columns of equal length and different names.
    pub fn check(&self) -> Result<(), DataError> {
        if self.columns.is_empty() {
            return Err(DataError::NoColumns { table: self.name.clone() });
        }
        let expected = self.len();
        for (i, column) in self.columns.iter().enumerate() {
            let found = column.values.len();
            if found != expected {
                let (table, column) = (self.name.clone(), column.name.clone());
                return Err(DataError::Ragged { table, column, expected, found });
            }
            if self.columns[..i].iter().any(|c| c.name == column.name) {
                return Err(DataError::DuplicateColumn { table: self.name.clone(), column: column.name.clone() });
            }
        }
        Ok(())
    }
}

/// A name without its number: `re` of `re_1`, and of `re`.
pub fn stem(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}
