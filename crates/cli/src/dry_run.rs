//! Keys without a document: every question is noted and answered with a default or any value in its range.
use crate::questions::{Form, Question, merge};
use crate::resolved::number;
use std::cell::RefCell;
use std::rc::Rc;
use stickslip::analyses::analysis_kinds;
use stickslip::structures::{Ask, Column, Columns, Keys, NamedLaw, Refused, Signal};

/// What any further key is called.
pub const OPEN: &str = "..";

/// One way through the answers: which was given at each fork, and out of how many.
#[derive(Default)]
pub struct Way {
    /// The answers and their counts.
    pub taken: Vec<(usize, usize)>,
    /// The next fork.
    pub at: usize,
}

/// Keys without a document.
#[derive(Default)]
pub struct Dry {
    /// The way through the answers.
    pub way: Rc<RefCell<Way>>,
    /// A choice that is made already.
    pub fixed: Option<(&'static str, usize)>,
    /// What was asked.
    pub questions: Vec<Question>,
    /// What was said about keys being there, as a value and as a table.
    pub said: RefCell<Vec<(String, bool, bool)>>,
}

impl Dry {
    fn fork(&self, count: usize) -> usize {
        let mut way = self.way.borrow_mut();
        let at = way.at;
        way.at += 1;
        if way.taken.len() <= at {
            way.taken.push((0, count.max(1)));
        }
        way.taken[at].0
    }

    fn note(&mut self, key: &str, about: &str, form: Form, required: bool) -> &mut Question {
        let question = Question {
            key: key.into(),
            about: about.into(),
            unit: None,
            default: None,
            expected: None,
            forms: vec![form],
            needed: usize::from(required),
            required,
        };
        merge(&mut self.questions, vec![question], true);
        let at = self.questions.iter().position(|q| q.key == key).unwrap_or(0);
        &mut self.questions[at]
    }

    /// Notes a question for a number and answers it in its range.
    fn ask(&mut self, ask: &Ask, form: Form) -> f64 {
        let question = self.note(ask.key, ask.about, form, ask.default.is_none());
        question.unit = Some(ask.unit.into());
        question.default = ask.default.map(number);
        question.expected = Some(ask.expected());
        let least = ask.above.map_or(ask.min.unwrap_or(f64::NEG_INFINITY), |a| a + 1.0);
        ask.default.unwrap_or(1.0f64.max(least).min(ask.max.unwrap_or(f64::INFINITY)))
    }

    fn given(&self, key: &str, table: bool) -> bool {
        let known = self.said.borrow().iter().rfind(|(k, ..)| k == key).map(|(_, value, table)| (*value, *table));
        match (known, table) {
            (Some((value, _)), false) => value,
            (Some((_, true)), true) => true,
            _ => {
                // The plain form comes first: a value is there, a table is not.
                let yes = !known.is_some_and(|(value, _)| value) && self.fork(2) == usize::from(table);
                self.said.borrow_mut().push((key.into(), yes && !table, yes && table));
                yes
            }
        }
    }

    fn inner(&self) -> Dry {
        Dry { way: self.way.clone(), ..Dry::default() }
    }
}

impl Keys for Dry {
    fn number(&mut self, ask: Ask) -> Result<f64, Refused> {
        let x = self.ask(&ask, Form::Number);
        // A key that was looked for first may have another form: refuse this one once, to hear what is tried next.
        let looked_for = self.said.borrow().iter().any(|(key, value, _)| key == ask.key && *value);
        if looked_for && self.fork(2) == 1 {
            return Err(self.refuse(ask.key, "dry::other-form", "another form".into()));
        }
        Ok(x)
    }

    fn signal(&mut self, ask: Ask) -> Result<Signal, Refused> {
        Ok(Signal::Constant(self.ask(&ask, Form::Signal)))
    }

    fn signals(&mut self, ask: Ask, count: usize) -> Result<Vec<Signal>, Refused> {
        Ok(vec![Signal::Constant(self.ask(&ask, Form::Signals)); count.max(1)])
    }

    fn list(&mut self, ask: Ask) -> Result<Vec<f64>, Refused> {
        let x = self.ask(&ask, Form::List);
        Ok(vec![x, x + 1.0])
    }

    fn matrix(&mut self, ask: Ask, size: usize) -> Result<Vec<Vec<f64>>, Refused> {
        let x = self.ask(&ask, Form::Matrix);
        let size = size.max(1);
        Ok(vec![vec![x; size]; size])
    }

    fn choice(&mut self, key: &str, words: &[&str], required: bool, about: &str) -> Result<usize, Refused> {
        let form = Form::Choice(words.iter().map(|w| w.to_string()).collect());
        let default = words.first().filter(|_| !required).map(|w| w.to_string());
        self.note(key, about, form, required).default = default;
        match self.fixed {
            Some((fixed, index)) if fixed == key => Ok(index),
            _ => Ok(self.fork(words.len())),
        }
    }

    fn text(&mut self, key: &str, about: &str) -> Result<Option<String>, Refused> {
        self.note(key, about, Form::Text, false);
        Ok(Some(match key {
            // Where an analysis is asked for inside another, any will do, and so will any of its outcomes.
            "kind" => analysis_kinds().first().map_or("", |k| k.name).into(),
            "outcome" => "regime".into(),
            key => key.into(),
        }))
    }

    fn texts(&mut self, key: &str, about: &str) -> Result<Option<Vec<String>>, Refused> {
        self.note(key, about, Form::Texts, false);
        Ok(None)
    }

    fn flag(&mut self, key: &str, about: &str) -> Result<bool, Refused> {
        self.note(key, about, Form::Flag, false).default = Some("false".into());
        Ok(false)
    }

    fn table(
        &mut self,
        key: &str,
        about: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        if !self.given(key, true) {
            return Ok(false);
        }
        let mut inner = self.inner();
        let result = read(&mut inner);
        let nested = inner.questions.iter().any(|q| q.key == "kind");
        let form = if nested { Form::Analysis } else { Form::Table(inner.questions) };
        self.note(key, about, form, false);
        result.map(|()| true)
    }

    fn tables(
        &mut self,
        key: &str,
        about: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let mut inner = self.inner();
        let result = read(&mut inner);
        self.note(key, about, Form::Tables(inner.questions), false);
        result.map(|()| true)
    }

    fn kinds(
        &mut self,
        key: &str,
        _: &str,
        about: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let mut inner = self.inner();
        let result = read(&mut inner);
        self.note(key, about, Form::Kinds(inner.questions), false);
        result.map(|()| true)
    }

    fn friction_law(&mut self) -> Result<NamedLaw, Refused> {
        self.note("law", "Name of a friction law", Form::Law, true);
        Ok(NamedLaw { name: "law".into(), alone: true })
    }

    fn unread(&mut self) {
        self.note(OPEN, "Any other key of the kind", Form::Open, false);
    }

    fn named(
        &mut self,
        key: &str,
        about: &str,
        _: &mut dyn FnMut(&str, &mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        self.note(key, about, Form::Named, false);
        Ok(true)
    }

    fn columns(&mut self, key: &str, about: &str, wanted: &[Column]) -> Result<Columns, Refused> {
        self.note(key, about, Form::Text, true);
        // Rising in even steps: a record, a profile and a curve alike.
        Ok(Columns { values: vec![(1..=20).map(f64::from).collect(); wanted.len()], notes: vec![] })
    }

    fn bytes(&mut self, key: &str, about: &str) -> Result<Vec<u8>, Refused> {
        self.note(key, about, Form::Text, true);
        Ok(vec![])
    }

    fn contact_boundaries(&mut self) -> Vec<String> {
        vec![]
    }

    fn has(&self, key: &str) -> bool {
        self.given(key, false)
    }

    fn has_table(&self, key: &str) -> bool {
        self.given(key, true)
    }

    fn refuse(&self, key: &str, code: &'static str, message: String) -> Refused {
        Refused::new(key, code, message)
    }
}
