//! Events: transitions between modes, impacts, and what a guard stopped.

use crate::value::number;
use crate::{DataError, Table, Word};
use serde_json::{Map, Value as Json, json};
use std::fmt;

/// What sort of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A contact changed its mode.
    Transition,
    /// A contact closed with a jump of the velocities.
    Impact,
    /// A limit of the run was reached.
    Guard,
}

impl EventKind {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Transition => "transition",
            EventKind::Impact => "impact",
            EventKind::Guard => "guard",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One event. Its lists follow the coordinates named by the outcome, or are empty where they have no meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time (s).
    pub t: f64,
    /// The contact, empty for an event of the whole model.
    pub contact: Word,
    /// What sort.
    pub kind: EventKind,
    /// Mode before.
    pub from: Word,
    /// Mode after.
    pub to: Word,
    /// Coordinates at the event.
    pub coordinates: Vec<f64>,
    /// Rates just before.
    pub rates_before: Vec<f64>,
    /// Rates just after.
    pub rates_after: Vec<f64>,
    /// Friction over normal force; 0 for a contact that is open on both sides of the event.
    pub friction: f64,
}

/// A list by coordinate; a value without a name gets its index, so that none is lost.
fn named(names: &[String], values: &[f64]) -> Json {
    let pairs = values.iter().enumerate().map(|(i, &x)| {
        let name = names.get(i).cloned().unwrap_or_else(|| i.to_string());
        (name, number(x))
    });
    Json::Object(pairs.collect::<Map<String, Json>>())
}

impl Event {
    /// The event in JSON, its lists by coordinate.
    pub fn to_json(&self, names: &[String]) -> Json {
        json!({
            "t": number(self.t),
            "contact": self.contact,
            "kind": self.kind.as_str(),
            "from": self.from,
            "to": self.to,
            "coordinates": named(names, &self.coordinates),
            "rates_before": named(names, &self.rates_before),
            "rates_after": named(names, &self.rates_after),
            "friction": number(self.friction),
        })
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        let lists = [&self.coordinates, &self.rates_before, &self.rates_after];
        self.t.is_finite() && self.friction.is_finite() && lists.into_iter().flatten().all(|x| x.is_finite())
    }
}

/// A list of events, kept small: words once, numbers together. A long run has many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    entries: Vec<Entry>,
    numbers: Vec<f64>,
    words: Vec<Word>,
    /// How many have been left out.
    left_out: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    t: f64,
    friction: f64,
    kind: EventKind,
    /// Contact, from and to, in the list of words.
    words: [u16; 3],
    /// Coordinates, rates before and rates after: how many numbers of each.
    lengths: [u16; 3],
}

impl Events {
    /// Adds an event.
    pub fn push(&mut self, e: Event) {
        let lists = [&e.coordinates[..], &e.rates_before, &e.rates_after];
        self.note(e.t, e.kind, [e.contact.clone(), e.from.clone(), e.to.clone()], lists, e.friction);
    }

    /// Adds an event from its parts: contact, from and to; coordinates, rates before and rates after.
    pub fn note(&mut self, t: f64, kind: EventKind, words: [Word; 3], lists: [&[f64]; 3], friction: f64) {
        let words = words.map(|w| {
            // The same static word lies in the same place: its letters need not be compared.
            let same = |x: &Word| (x.as_ptr() == w.as_ptr() && x.len() == w.len()) || *x == w;
            let known = self.words.iter().position(same).unwrap_or_else(|| {
                self.words.push(w);
                self.words.len() - 1
            });
            known as u16
        });
        let lengths = lists.map(|l| l.len() as u16);
        lists.iter().for_each(|l| self.numbers.extend_from_slice(l));
        self.entries.push(Entry { t, friction, kind, words, lengths });
    }

    /// Leaves out events in the middle of the list, so that no more than so many are left: the first and the last ones.
    pub fn keep(&mut self, most: usize) {
        let gone = self.entries.len().saturating_sub(most);
        if gone == 0 {
            return;
        }
        let first = most / 2;
        let numbers = |entries: &[Entry]| entries.iter().flat_map(|e| e.lengths).map(usize::from).sum::<usize>();
        let begin = numbers(&self.entries[..first]);
        let end = begin + numbers(&self.entries[first..first + gone]);
        self.numbers.drain(begin..end);
        self.entries.drain(first..first + gone);
        self.left_out += gone;
    }

    /// How many events have been left out of the list.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Makes room for so many events, each with so many numbers in its lists.
    pub fn reserve(&mut self, events: usize, numbers: usize) {
        self.entries.reserve(events);
        self.numbers.reserve(events * numbers);
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The events in order.
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        let mut rest = &self.numbers[..];
        self.entries.iter().map(move |e| {
            let mut take = |n: u16| {
                let (list, after) = rest.split_at(n as usize);
                rest = after;
                list.to_vec()
            };
            let word = |i: usize| self.words[e.words[i] as usize].clone();
            Event {
                t: e.t,
                contact: word(0),
                kind: e.kind,
                from: word(1),
                to: word(2),
                coordinates: take(e.lengths[0]),
                rates_before: take(e.lengths[1]),
                rates_after: take(e.lengths[2]),
                friction: e.friction,
            }
        })
    }

    /// All events, in order.
    pub fn to_vec(&self) -> Vec<Event> {
        self.iter().collect()
    }

    /// The first event.
    pub fn first(&self) -> Option<Event> {
        self.iter().next()
    }

    /// The last event.
    pub fn last(&self) -> Option<Event> {
        self.iter().last()
    }

    /// The time of the first event with a number that is not finite.
    pub fn not_finite(&self) -> Option<f64> {
        let fine = self.numbers.iter().all(|x| x.is_finite());
        let all = fine && self.entries.iter().all(|e| e.t.is_finite() && e.friction.is_finite());
        if all { None } else { self.iter().find(|e| !e.is_finite()).map(|e| e.t) }
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(iter: I) -> Self {
        let mut events = Events::default();
        iter.into_iter().for_each(|e| events.push(e));
        events
    }
}

/// The events as a table `events`: a column per coordinate in each list, `coordinates.x`, `rates_before.x`,
/// `rates_after.x`. A list that is empty in every event has no columns.
pub fn events_table(events: &[Event], names: &[String]) -> Result<Table, DataError> {
    type List = (&'static str, fn(&Event) -> &Vec<f64>);
    const LISTS: [List; 3] = [
        ("coordinates", |e| &e.coordinates),
        ("rates_before", |e| &e.rates_before),
        ("rates_after", |e| &e.rates_after),
    ];
    let text = |get: fn(&Event) -> &str| events.iter().map(|e| get(e).to_owned()).collect::<Vec<_>>();

    let mut table = Table::new("events");
    table.push("t", "s", events.iter().map(|e| e.t).collect::<Vec<_>>());
    table.push("contact", "", text(|e| &e.contact));
    table.push("kind", "", text(|e| e.kind.as_str()));
    table.push("from", "", text(|e| &e.from));
    table.push("to", "", text(|e| &e.to));
    for (list, get) in LISTS {
        if events.iter().all(|e| get(e).is_empty()) {
            continue;
        }
        if let Some(e) = events.iter().find(|e| get(e).len() != names.len()) {
            return Err(DataError::EventShape { t: e.t, list, expected: names.len(), found: get(e).len() });
        }
        for (i, name) in names.iter().enumerate() {
            table.push(format!("{list}.{name}"), "", events.iter().map(|e| get(e)[i]).collect::<Vec<_>>());
        }
    }
    table.push("friction", "1", events.iter().map(|e| e.friction).collect::<Vec<_>>());
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(coordinates: Vec<f64>) -> Event {
        Event {
            t: 1.5,
            contact: "pad".into(),
            kind: EventKind::Impact,
            from: "open".into(),
            to: "slip+".into(),
            coordinates,
            rates_before: vec![],
            rates_after: vec![],
            friction: 0.25,
        }
    }

    #[test]
    fn table_has_a_column_per_coordinate_and_none_for_empty_lists() {
        let table = events_table(&[event(vec![1.0, 2.0])], &["x".into(), "y".into()]).unwrap();
        let names: Vec<_> = table.columns.iter().map(|c| c.name.as_str()).collect();
        let expected = ["t", "contact", "kind", "from", "to", "coordinates.x", "coordinates.y", "friction"];
        assert_eq!(names, expected);
        assert_eq!(table.column("coordinates.y").unwrap().values.floats().unwrap(), [2.0]);
        assert_eq!(table.column("kind").unwrap().values.texts().unwrap(), ["impact"]);
    }

    #[test]
    fn an_event_of_another_shape_is_refused() {
        let events = [event(vec![1.0, 2.0]), event(vec![1.0])];
        let error = events_table(&events, &["x".into(), "y".into()]).unwrap_err();
        assert!(matches!(error, DataError::EventShape { list: "coordinates", expected: 2, found: 1, .. }));
    }

    #[test]
    fn json_names_the_coordinates() {
        let json = event(vec![1.0, f64::NAN, 3.0]).to_json(&["x".into(), "y".into()]);
        let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = ["t", "contact", "kind", "from", "to", "coordinates", "rates_before", "rates_after", "friction"];
        assert_eq!(keys, expected);
        assert_eq!(json["coordinates"], json!({ "x": 1.0, "y": null, "2": 3.0 }));
    }
}
