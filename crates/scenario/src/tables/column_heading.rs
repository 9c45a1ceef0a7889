//! The heading of a column: its name, and the unit that it gives.
use stickslip_units::{Unit, UnitError, unit};

/// How a heading gives its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnitInHeading<'h> {
    /// `t [ms]`.
    Brackets(&'h str),
    /// `t (ms)`: it may be a remark too.
    Parentheses(&'h str),
    /// `t / ms`: it may be a ratio too.
    Slash(&'h str),
}

impl<'h> UnitInHeading<'h> {
    /// As it is written.
    pub fn text(&self) -> &'h str {
        match self {
            UnitInHeading::Brackets(text) | UnitInHeading::Parentheses(text) | UnitInHeading::Slash(text) => text,
        }
    }

    /// The unit.
    pub fn unit(&self) -> Result<Unit, UnitError> {
        unit(self.text())
    }
}

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heading<'h> {
    /// All of it.
    pub whole: &'h str,
    /// Without the unit.
    pub name: &'h str,
    /// The unit that it gives.
    pub told: Option<UnitInHeading<'h>>,
}

impl<'h> Heading<'h> {
    /// Reads a heading.
    pub fn new(text: &'h str) -> Heading<'h> {
        let whole = text.trim();
        let (name, told) = match (whole.split_once('['), aside(whole), whole.split_once('/')) {
            (Some((name, rest)), ..) => {
                (name, Some(UnitInHeading::Brackets(rest.split(']').next().unwrap_or(rest).trim())))
            }
            (_, Some((name, inner)), _) => (name, Some(UnitInHeading::Parentheses(inner))),
            (.., Some((name, rest))) if !name.is_empty() && !rest.trim().is_empty() => {
                (name, Some(UnitInHeading::Slash(rest.trim())))
            }
            _ => (whole, None),
        };
        Heading { whole, name: name.trim().trim_end_matches('/').trim_end(), told }
    }

    /// A unit that its words may hold, as those of `F_kN` and `Force kN`, where taking it for SI would be wrong.
    pub fn hidden(&self, expected: &Unit) -> Option<&'h str> {
        let apart = |c: char| !c.is_alphanumeric() && !"%°²³^".contains(c);
        let words = self.name.split(apart).filter(|word| !word.is_empty());
        let other =
            |word: &&str| unit(word).is_ok_and(|u| u.dimension.same_kind(&expected.dimension) && !u.same(expected));
        words.skip(1).find(other)
    }
}

/// What stands in parentheses at the end, and what before them.
fn aside(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_suffix(')')?;
    let mut open = 1;
    let start = inner.char_indices().rev().find(|(_, c)| {
        open += i32::from(*c == ')') - i32::from(*c == '(');
        open == 0
    });
    let (start, _) = start?;
    let (name, inner) = (&text[..start], inner[start + 1..].trim());
    (!name.trim().is_empty() && !inner.is_empty()).then_some((name, inner))
}

/// The place of the column that is asked for among headings: by its number, all of its heading or its name. The error is
/// how many bear that name, if that is not one.
pub(crate) fn place(headings: &[Heading], asked: &str) -> Result<usize, usize> {
    let own = Heading::new(asked);
    let by =
        |is: &dyn Fn(&Heading) -> bool| -> Vec<usize> { (0..headings.len()).filter(|i| is(&headings[*i])).collect() };
    let ways: [&dyn Fn(&Heading) -> bool; 4] =
        [&|h| h.whole == own.whole, &|h| h.name == own.whole, &|h| h.whole == own.name, &|h| h.name == own.name];
    match ways.into_iter().map(by).find(|found| !found.is_empty()) {
        Some(found) if found.len() == 1 => Ok(found[0]),
        Some(found) => Err(found.len()),
        None => number(asked).filter(|n| *n <= headings.len()).map(|n| n - 1).ok_or(0),
    }
}

/// The number of a column, from 1, where it is asked for by that.
pub(crate) fn number(asked: &str) -> Option<usize> {
    Heading::new(asked).name.parse::<usize>().ok().filter(|n| *n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_in_three_ways() {
        let read = |text: &'static str| {
            let Heading { name, told, .. } = Heading::new(text);
            (name, told.map(|t| t.text()))
        };
        assert_eq!(read("t [ms]"), ("t", Some("ms")));
        assert_eq!(read("Time (ms)"), ("Time", Some("ms")));
        assert_eq!(read("v (mm/(s))"), ("v", Some("mm/(s)")));
        assert_eq!(read("f(t) (N)"), ("f(t)", Some("N")));
        assert_eq!(read("F / kN"), ("F", Some("kN")));
        assert_eq!(read("v/mm/s"), ("v", Some("mm/s")));
        assert_eq!(read("v / (mm/s)"), ("v", Some("mm/s")));
        assert_eq!(read("F/Fn [1]"), ("F/Fn", Some("1")));
        assert_eq!(read("mu"), ("mu", None));
    }

    #[test]
    fn words_may_hide_a_unit() {
        let hidden = |text: &'static str, si: &str| Heading::new(text).hidden(&unit(si).unwrap());
        assert_eq!(hidden("F_kN", "N"), Some("kN"));
        assert_eq!(hidden("Force kN", "N"), Some("kN"));
        assert_eq!(hidden("slip %", "1"), Some("%"));
        for (name, si) in [("F_N", "N"), ("t_s", "s"), ("mu_s", "1"), ("kN", "N"), ("x_2", "m"), ("F_max", "N")] {
            assert_eq!(hidden(name, si), None, "{name}");
        }
    }

    #[test]
    fn a_column_is_found_by_name_or_number() {
        let headings = ["t [ms]", "F (kN)", "F (N)", "u"].map(Heading::new);
        assert_eq!(place(&headings, "t"), Ok(0));
        assert_eq!(place(&headings, "t [s]"), Ok(0));
        assert_eq!(place(&headings, "F (N)"), Ok(2));
        assert_eq!(place(&headings, "F"), Err(2));
        assert_eq!(place(&headings, "F (N) [N]"), Ok(2));
        assert_eq!(place(&headings, "4 [mm]"), Ok(3));
        assert_eq!(place(&headings, "x"), Err(0));
    }
}
