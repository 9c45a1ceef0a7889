//! A dry reading of a kind: which keys it asks for, found by answering in every way and noting each question.
use crate::dry_run::{Dry, Way};
use std::cell::RefCell;
use std::rc::Rc;
use stickslip::structures::{Keys, Refused};

/// How a key may be given.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A number or a quantity.
    Number,
    /// A function of time.
    Signal,
    /// Functions of time, one or a list.
    Signals,
    /// Numbers, one or a list.
    List,
    /// Rows of numbers.
    Matrix,
    /// One of these words; the first is the default.
    Choice(Vec<String>),
    /// A text.
    Text,
    /// Texts, one or a list.
    Texts,
    /// True or false.
    Flag,
    /// A table with these keys.
    Table(Vec<Question>),
    /// A list of such tables.
    Tables(Vec<Question>),
    /// A list of names or such tables.
    Kinds(Vec<Question>),
    /// The name of a friction law, whose parameters stand beside it.
    Law,
    /// Any further key.
    Open,
    /// A table whose keys are the user's names.
    Named,
    /// A table that is an analysis in itself.
    Analysis,
}

/// What is asked under one key.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The key.
    pub key: String,
    /// What it is.
    pub about: String,
    /// Unit, where it is a number.
    pub unit: Option<String>,
    /// Default, in SI or as a word.
    pub default: Option<String>,
    /// Range in words, where it is a number.
    pub expected: Option<String>,
    /// Every way in which it may be given.
    pub forms: Vec<Form>,
    /// In how many complete readings it had to be there.
    pub needed: usize,
    /// Whether each complete reading needs it.
    pub required: bool,
}

/// Enough for every way through any kind; a reading takes microseconds.
const MOST_READINGS: usize = 20_000;

/// Every question of a reading, whatever is answered.
pub fn asked(read: impl FnMut(&mut dyn Keys) -> Result<(), Refused>) -> Vec<Question> {
    asked_with(None, read)
}

/// Every question of a reading in which a choice (key and index of the word) is fixed.
pub fn asked_with(
    fixed: Option<(&'static str, usize)>,
    mut read: impl FnMut(&mut dyn Keys) -> Result<(), Refused>,
) -> Vec<Question> {
    let mut found: Vec<Question> = vec![];
    let (mut complete, mut taken) = (0, vec![]);
    for _ in 0..MOST_READINGS {
        let way = Rc::new(RefCell::new(Way { taken, at: 0 }));
        let mut dry = Dry { way: way.clone(), fixed, ..Dry::default() };
        let whole = read(&mut dry).is_ok();
        complete += usize::from(whole);
        merge(&mut found, dry.questions, whole);
        taken = std::mem::take(&mut way.borrow_mut().taken);
        while taken.last().is_some_and(|(answer, count)| answer + 1 == *count) {
            taken.pop();
        }
        match taken.last_mut() {
            Some((answer, _)) => *answer += 1,
            None => break,
        }
    }
    for q in &mut found {
        q.required = complete > 0 && q.needed >= complete;
    }
    found
}

/// Adds questions to those known; only complete readings tell what is needed.
pub fn merge(found: &mut Vec<Question>, new: Vec<Question>, whole: bool) {
    for mut q in new {
        q.needed = if whole { q.needed } else { 0 };
        match found.iter_mut().find(|old| old.key == q.key) {
            None => found.push(q),
            Some(old) => {
                old.needed += q.needed;
                for form in q.forms {
                    join(&mut old.forms, form);
                }
                old.unit = old.unit.take().or(q.unit);
                old.expected = old.expected.take().or(q.expected);
            }
        }
    }
}

fn join(forms: &mut Vec<Form>, new: Form) {
    for old in forms.iter_mut() {
        match (old, &new) {
            (Form::Table(old), Form::Table(new))
            | (Form::Tables(old), Form::Tables(new))
            | (Form::Kinds(old), Form::Kinds(new)) => {
                return merge(old, new.clone(), true);
            }
            (old, new) if old == new => return,
            _ => {}
        }
    }
    forms.push(new);
}
