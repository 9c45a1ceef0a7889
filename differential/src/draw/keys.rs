//! Keys that a kind reads while its table is being drawn: each question is answered at random within its range, in the
//! natural units of the model, and the answer is noted. So every kind that can read its table can be drawn.
use super::signal::{Course, draw_signal};
use crate::dimension::Scale;
use crate::item::{Item, number};
use crate::random::Random;
use std::cell::RefCell;
use stickslip::structures::{Ask, Column, Columns, Keys, Refused, Signal};

/// What the answers are drawn around.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Natural units of the model.
    pub scale: Scale,
    /// Length of the run, s.
    pub duration: f64,
    /// The load of the contact, N.
    pub load: f64,
    /// Coordinates of the structure: lists have one entry for each.
    pub size: usize,
}

/// What is noted while a table is drawn.
#[derive(Default)]
pub struct Noted {
    /// Keys and answers.
    pub entries: Vec<(String, Item)>,
    /// Forms of the functions of time in it.
    pub forms: Vec<&'static str>,
}

/// Keys without a document.
pub struct Drawing<'r> {
    random: &'r Random,
    around: Around,
    /// The answers.
    pub noted: Noted,
    /// What was said about keys being there.
    said: RefCell<Vec<(String, bool)>>,
}

impl<'r> Drawing<'r> {
    /// Nothing asked yet.
    pub fn new(random: &'r Random, around: Around) -> Self {
        Drawing { random, around, noted: Noted::default(), said: RefCell::default() }
    }

    fn note(&mut self, key: &str, item: Item) {
        match self.noted.entries.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = item,
            None => self.noted.entries.push((key.into(), item)),
        }
    }

    fn known(&self, key: &str) -> Option<&Item> {
        self.noted.entries.iter().find(|(k, _)| k == key).map(|(_, i)| i)
    }

    /// Whether an optional key is given; a key that was said to be there is.
    fn leaves_out(&self, ask: &Ask) -> bool {
        // A structure without springs has no equilibrium.
        let spring = matches!(ask.unit, "N/m" | "N m/rad");
        ask.default.is_some() && !spring && !self.said(ask.key) && self.random.one_in(2)
    }

    fn said(&self, key: &str) -> bool {
        self.said.borrow().iter().any(|(k, yes)| k == key && *yes)
    }

    fn draw(&self, ask: &Ask) -> f64 {
        let random = self.random;
        let x = match ask.unit {
            // A number that starts at one counts something.
            "1" if ask.min.is_some_and(|m| m >= 1.0) || ask.above == Some(0.0) && ask.max.is_some() => {
                1.0 + random.below(3) as f64
            }
            "1" if ask.max.is_some_and(|m| m <= 1.0) => {
                random.between(ask.min.or(ask.above).unwrap_or(0.0), ask.max.unwrap_or(1.0))
            }
            "1" => random.between(0.05, 0.5),
            // Without inertia no force above what the law holds can be borne.
            "N" if self.around.size == 0 => 0.1 * self.around.scale.of("N") * random.factor(0.3, 1.0),
            // Optional forces that resist are small ones: a run is to move.
            unit if ask.default == Some(0.0) => self.around.scale.of(unit) * random.factor(0.01, 0.3),
            unit => self.around.scale.of(unit) * random.factor(0.4, 2.5),
        };
        let signed = ask.min.is_none() && ask.above.is_none() && ask.unit != "1";
        let x = if signed { x * random.sign() } else { x };
        let x = ask.min.map_or(x, |m| x.max(m));
        let x = ask.max.map_or(x, |m| x.min(m));
        if ask.above.is_some_and(|a| x <= a) { ask.above.unwrap_or(0.0) + self.around.scale.of(ask.unit) } else { x }
    }

    fn function(&mut self, ask: &Ask) -> Item {
        // A load never pulls; without inertia no force above what the law holds can be borne.
        let size = match ask.key {
            "normal" => 0.2 * self.around.load,
            "force" if self.around.size == 0 => 0.12 * self.around.scale.of(ask.unit),
            _ => self.around.scale.of(ask.unit),
        };
        let course = Course { unit: ask.unit, size, time: self.around.scale.time, duration: self.around.duration };
        let (item, form) = draw_signal(course, self.random);
        self.noted.forms.push(form);
        if ask.key == "normal" {
            let mut part = item;
            part.each_number(&mut |x, unit| {
                if unit == ask.unit {
                    *x = x.clamp(-0.4 * self.around.load, 0.4 * self.around.load);
                }
            });
            let load = number(self.around.load, ask.unit);
            return Item::Table(vec![("sum".into(), Item::List(vec![load, part]))]);
        }
        item
    }

    fn inside(&self) -> Drawing<'r> {
        Drawing::new(self.random, self.around)
    }
}

impl Keys for Drawing<'_> {
    fn number(&mut self, ask: Ask) -> Result<f64, Refused> {
        if let Some(Item::Number(x, _)) = self.known(ask.key) {
            return Ok(*x);
        }
        if self.leaves_out(&ask) {
            return Ok(ask.default.unwrap_or(0.0));
        }
        let x = self.draw(&ask);
        self.note(ask.key, number(x, ask.unit));
        Ok(x)
    }

    fn signal(&mut self, ask: Ask) -> Result<Signal, Refused> {
        let item = self.function(&ask);
        self.note(ask.key, item);
        Ok(Signal::Constant(self.around.scale.of(ask.unit)))
    }

    fn signals(&mut self, ask: Ask, count: usize) -> Result<Vec<Signal>, Refused> {
        let items: Vec<Item> = (0..count.max(1)).map(|_| self.function(&ask)).collect();
        self.note(ask.key, Item::List(items));
        Ok(vec![Signal::Constant(self.around.scale.of(ask.unit)); count.max(1)])
    }

    fn list(&mut self, ask: Ask) -> Result<Vec<f64>, Refused> {
        if self.leaves_out(&ask) {
            return Ok(vec![]);
        }
        let list: Vec<f64> = match ask.unit {
            "s" => vec![self.around.duration * self.random.between(0.0, 0.8)],
            _ => (0..self.around.size.max(1)).map(|_| self.draw(&ask)).collect(),
        };
        self.note(ask.key, Item::List(list.iter().map(|x| number(*x, ask.unit)).collect()));
        Ok(list)
    }

    fn matrix(&mut self, ask: Ask, size: usize) -> Result<Vec<Vec<f64>>, Refused> {
        if let Some(Item::List(rows)) = self.known(ask.key) {
            let row = |r: &Item| (0..rows.len()).map(|j| r.number(&j.to_string()).unwrap_or(0.0)).collect();
            return Ok(rows.iter().map(row).collect());
        }
        let size = if size == 0 { 1 + self.random.below(3) } else { size };
        if self.leaves_out(&ask) && ask.unit != "N/m" {
            return Ok(vec![vec![0.0; size]; size]);
        }
        let unit = self.around.scale.of(ask.unit) * if ask.unit == "N s/m" { 0.1 } else { 1.0 };
        let random = self.random;
        let mut m = vec![vec![0.0; size]; size];
        for i in 0..size {
            m[i][i] += unit * random.factor(0.5, 2.0);
            // Springs between neighbours; masses are lumped.
            if i > 0 && ask.unit != "kg" {
                let c = unit * random.factor(0.2, 1.0);
                m[i][i] += c;
                m[i - 1][i - 1] += c;
                m[i][i - 1] -= c;
                m[i - 1][i] -= c;
            }
        }
        let row = |r: &Vec<f64>| Item::List(r.iter().map(|x| number(*x, ask.unit)).collect());
        self.note(ask.key, Item::List(m.iter().map(row).collect()));
        Ok(m)
    }

    fn choice(&mut self, key: &str, words: &[&str], required: bool, _: &str) -> Result<usize, Refused> {
        if let Some(Item::Word(word)) = self.known(key) {
            return Ok(words.iter().position(|w| w == word).unwrap_or(0));
        }
        if !required && self.random.one_in(2) {
            return Ok(0);
        }
        let index = self.random.below(words.len());
        self.note(key, Item::Word(words[index].into()));
        Ok(index)
    }

    fn text(&mut self, _: &str, _: &str) -> Result<Option<String>, Refused> {
        Ok(None)
    }

    fn texts(&mut self, _: &str, _: &str) -> Result<Option<Vec<String>>, Refused> {
        Ok(None)
    }

    fn flag(&mut self, key: &str, _: &str) -> Result<bool, Refused> {
        let yes = self.said(key);
        if yes {
            self.note(key, Item::Flag(true));
        }
        Ok(yes)
    }

    fn table(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        if self.random.one_in(6) {
            return Ok(false);
        }
        let mut inner = self.inside();
        read(&mut inner)?;
        self.noted.forms.extend(inner.noted.forms);
        self.note(key, Item::Table(inner.noted.entries));
        Ok(true)
    }

    fn tables(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let mut list = vec![];
        let count = 1 + self.random.below(4);
        for _ in 0..8 * count {
            // A table that answers nothing the kind can use is drawn again.
            let mut inner = self.inside();
            if read(&mut inner).is_ok() {
                self.noted.forms.extend(inner.noted.forms);
                list.push(Item::Table(inner.noted.entries));
            }
            if list.len() == count {
                break;
            }
        }
        self.note(key, Item::List(list));
        Ok(true)
    }

    fn named(
        &mut self,
        _: &str,
        _: &str,
        _: &mut dyn FnMut(&str, &mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        Ok(false)
    }

    fn columns(&mut self, key: &str, _: &str, _: &[Column]) -> Result<Columns, Refused> {
        Err(self.refuse(key, "draw::no-files", "no files here".into()))
    }

    fn bytes(&mut self, key: &str, _: &str) -> Result<Vec<u8>, Refused> {
        Err(self.refuse(key, "draw::no-files", "no files here".into()))
    }

    fn contact_boundaries(&mut self) -> Vec<String> {
        vec![]
    }

    fn has(&self, key: &str) -> bool {
        if let Some((_, yes)) = self.said.borrow().iter().find(|(k, _)| k == key) {
            return *yes;
        }
        let yes = self.random.one_in(if key == "spin" { 20 } else { 4 });
        self.said.borrow_mut().push((key.into(), yes));
        yes
    }

    fn has_table(&self, key: &str) -> bool {
        // A function of time may be either: one answer for both.
        self.has(key)
    }

    fn refuse(&self, key: &str, code: &'static str, message: String) -> Refused {
        Refused::new(key, code, message)
    }
}
