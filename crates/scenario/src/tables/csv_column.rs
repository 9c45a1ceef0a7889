//! A column that is taken from a file: its place, and its unit from all that gives one.
use crate::context::Reading;
use crate::tables::column_heading::{Heading, UnitInHeading, number, place};
use crate::tables::csv_header::{Head, unit_text};
use crate::text::paths;
use stickslip_structures::{Column, Refused};
use stickslip_units::{Unit, nearest, unit};

/// A column that is wanted: its place in a line, its unit and the one that is expected.
pub(crate) struct Taken {
    /// Its place.
    pub place: usize,
    units: Option<(Unit, Unit)>,
    /// Its name, where nothing gives its unit and that matters.
    pub plain: Option<String>,
}

impl Taken {
    /// A number of the column in SI.
    pub fn si(&self, x: f64) -> Result<f64, String> {
        let Some((given, expected)) = &self.units else { return Ok(x) };
        given.of(x).expect(expected).map_err(|e| e.to_string())
    }
}

/// Takes columns from a file.
pub(crate) struct Taker<'a> {
    /// The scenario.
    pub reading: &'a Reading<'a>,
    /// The file.
    pub file: &'a str,
    /// The table that names the file.
    pub table: &'a str,
    /// What stands before the numbers of the file.
    pub head: &'a Head,
}

impl Taker<'_> {
    /// Takes a column.
    pub fn column(&self, wanted: &Column) -> Result<Taken, Refused> {
        let headings: Vec<Heading> = self.head.headings.iter().map(|h| Heading::new(h)).collect();
        let found = match headings.is_empty() {
            true => number(&wanted.heading).filter(|n| *n <= self.head.width).map(|n| n - 1).ok_or(0),
            false => place(&headings, &wanted.heading),
        };
        let place = found.map_err(|count| self.not_there(wanted, &headings, count))?;
        let heading = headings.get(place);
        let expected = self.reading.units(wanted.unit, &self.at(wanted))?.into_iter().next().map(|(unit, _)| unit);
        let Some(expected) = expected else { return Ok(Taken { place, units: None, plain: None }) };
        let given = self.unit(wanted, heading, place, &expected)?;
        let plain = given.is_none() && !expected.same(&Unit::ONE);
        let plain =
            plain.then(|| heading.map_or_else(|| format!("column {}", place + 1), |h| format!("`{}`", h.whole)));
        let taken = Taken { place, units: given.map(|given| (given, expected)), plain };
        taken.si(1.0).map_err(|e| self.wrong(wanted, e))?;
        Ok(taken)
    }

    /// The unit from the scenario, the header and the line of units, which must not differ.
    fn unit(
        &self,
        wanted: &Column,
        heading: Option<&Heading>,
        place: usize,
        expected: &Unit,
    ) -> Result<Option<Unit>, Refused> {
        let asked = Heading::new(&wanted.heading);
        let whole = heading.is_some_and(|h| h.whole == asked.whole || h.name == asked.whole);
        let own = match asked.told.filter(|_| !whole) {
            Some(told) => Some((told.unit().map_err(|e| self.wrong(wanted, e.to_string()))?, told.text())),
            None => None,
        };
        let told = match heading.and_then(|h| Some((h, h.told?))) {
            Some((heading, told)) => self.told(wanted, heading, told, own.map(|o| o.0), expected)?,
            None => None,
        };
        let below = match self.head.units.as_ref().map(|(line, fields)| (line, unit_text(&fields[place]))) {
            Some((_, "")) | None => None,
            Some((line, text)) => {
                let wrong = |e| self.wrong(wanted, format!("line {line} has words, and `{text}` is no unit: {e}"));
                Some((unit(text).map_err(wrong)?, text))
            }
        };
        let told = told.map(|(unit, text)| (unit, text, "its heading"));
        let below = below.map(|(unit, text)| (unit, text, "the line of units"));
        let own = own.map(|(unit, text)| (unit, text, "`columns`"));
        let all: Vec<_> = [told, below, own].into_iter().flatten().collect();
        let one = |text: &str| if text.is_empty() { "1".to_string() } else { text.to_string() };
        if let Some(other) = all.iter().find(|other| !other.0.same(&all[0].0)) {
            let (a, b) = (one(all[0].1), one(other.1));
            let text = format!(
                "`{}`: the unit of `{}` is {a} in {}, {b} in {}",
                self.file,
                self.named(wanted),
                all[0].2,
                other.2
            );
            let e = Refused::new(self.at(wanted), "scenario::unit-conflict", text).expected("one unit");
            return Err(e.hint(format!("mend the one that is wrong: numbers in {a} are not numbers in {b}")));
        }
        if let (Some(heading), true) = (heading, all.is_empty())
            && let Some(word) = heading.hidden(expected)
        {
            let text = format!("`{}`: `{}` may say that it is in {word}", self.file, heading.whole);
            return Err(self.say(wanted, heading, text, &[word, wanted.unit]));
        }
        Ok(all.first().map(|(unit, ..)| *unit))
    }

    /// The unit that a heading gives; none where it is a part of the name instead.
    fn told<'h>(
        &self,
        wanted: &Column,
        heading: &Heading<'h>,
        told: UnitInHeading<'h>,
        own: Option<Unit>,
        expected: &Unit,
    ) -> Result<Option<(Unit, &'h str)>, Refused> {
        let brackets = matches!(told, UnitInHeading::Brackets(_));
        let ratio = matches!(told, UnitInHeading::Slash(_)) && expected.dimension.same_kind(&Unit::ONE.dimension);
        match told.unit() {
            // A remark or a ratio, as the scenario says.
            Ok(unit) if !brackets && own.is_some_and(|own| !own.dimension.same_kind(&unit.dimension)) => Ok(None),
            Ok(unit) if !brackets && !unit.dimension.same_kind(&expected.dimension) => {
                let text = format!("`{}`: `{}` is in {}, it seems", self.file, heading.whole, told.text());
                Err(self.say(wanted, heading, text, &[wanted.unit]))
            }
            Ok(unit) => Ok(Some((unit, told.text()))),
            Err(_) if own.is_some() || ratio => Ok(None),
            Err(e) => {
                let text = format!("`{}`: the unit of `{}`: {e}", self.file, heading.whole);
                Err(self.say(wanted, heading, text, &[wanted.unit]))
            }
        }
    }

    /// A heading that does not tell clearly which unit the column has.
    fn say(&self, wanted: &Column, heading: &Heading, text: String, units: &[&str]) -> Refused {
        let name = if matches!(heading.told, Some(UnitInHeading::Brackets(_))) { heading.name } else { heading.whole };
        let ways: Vec<String> = units.iter().map(|unit| format!("{} = \"{name} [{unit}]\"", wanted.role)).collect();
        let e = Refused::new(self.at(wanted), "scenario::unit", text).expected(format!("a unit of {}", wanted.role));
        e.hint(format!("say its unit in `columns`: {}, for instance", ways.join(" or ")))
    }

    fn not_there(&self, wanted: &Column, headings: &[Heading], count: usize) -> Refused {
        let (file, name, role) = (self.file, self.named(wanted), wanted.role);
        let known = match headings.is_empty() {
            true => format!("a number from 1 to {}: the file has no header", self.head.width),
            false => format!("one of {}", headings.iter().map(|h| h.name).collect::<Vec<_>>().join(", ")),
        };
        if count > 1 {
            let e = Refused::new(self.at(wanted), "scenario::column", format!("`{file}` has {count} columns `{name}`"));
            let e = e.expected("one of them");
            return e.hint(format!("give all of its heading, or its number: {role} = \"2\", for instance"));
        }
        let e = Refused::new(self.at(wanted), "scenario::column", format!("`{file}` has no column `{name}`"));
        let e = e.expected(known);
        match nearest(name, headings.iter().map(|h| h.name)) {
            Some(near) => e.hint(format!("did you mean `{near}`?")),
            None => e.hint(format!("name the column that holds it: columns = {{ {role} = \"...\" }}")),
        }
    }

    fn wrong(&self, wanted: &Column, e: String) -> Refused {
        let text = format!("`{}`: column `{}`: {e}", self.file, self.named(wanted));
        Refused::new(self.at(wanted), "scenario::dimension", text).expected(format!("the unit {}", wanted.unit))
    }

    /// The name of a column as it is asked for, without a unit in brackets.
    fn named<'c>(&self, wanted: &'c Column) -> &'c str {
        let heading = Heading::new(&wanted.heading);
        if matches!(heading.told, Some(UnitInHeading::Brackets(_))) { heading.name } else { heading.whole }
    }

    /// Where the column is named, or else its file.
    fn at(&self, wanted: &Column) -> String {
        let named = format!("{}.columns.{}", self.table, wanted.role);
        match paths::node(self.reading.root, &named).is_some() {
            true => named,
            false => format!("{}.file", self.table),
        }
    }
}
