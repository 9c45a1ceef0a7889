//! Friction laws in a list: names, which take the parameters of their example, or tables.
use crate::catalogue::find;
use crate::context::Reading;
use crate::text::document::Setting;
use crate::text::tree::{Node, Value};
use crate::text::words;
use stickslip_structures::{LawEntry, Refused};
use stickslip_units::quantity;

/// An entry, and the words in its table that are no numbers.
pub type Entry = (LawEntry, Vec<String>);

/// Reads one entry of a list.
pub fn entry(reading: &Reading, node: &Node, path: &str) -> Result<Entry, Refused> {
    let what = ("law::unknown", "friction law");
    let kinds = &reading.catalogue.frictions;
    let (law, given, table) = match &node.value {
        Value::Text(law) => {
            let kind = find(kinds, |k| k.name, law, path.into(), what)?;
            let parameters = kind.example.map_or("", |e| e.parameters);
            let text = format!("law={{ law = '{law}', {parameters} }}").replace(",  }", " }");
            let setting = Setting::parse(&text, reading.folder).ok();
            let table = setting.and_then(|s| s.value.as_table().cloned());
            let none = || Refused::new(path, "law::no-example", format!("`{law}` has no example: give it as a table"));
            (law.clone(), false, table.ok_or_else(none)?)
        }
        Value::Table(table) => {
            let missing = || Refused::new(path, "scenario::missing", "`law` is missing").expected("a friction law");
            let law = table.text("law").ok_or_else(missing)?.to_string();
            find(kinds, |k| k.name, &law, format!("{path}.law"), what)?;
            (law, true, table.clone())
        }
        _ => {
            let e = Refused::new(path, "scenario::shape", format!("this is {}", node.what()));
            return Err(e.expected("the name of a friction law, or a table with a `law`"));
        }
    };
    let is_number = |node: &Node| match &node.value {
        Value::Number(_) => true,
        Value::Text(text) => quantity(text).is_ok(),
        _ => false,
    };
    let numbers = table.0.iter().filter(|e| e.key != "law" && is_number(&e.node)).map(|e| e.key.clone()).collect();
    let words = table.0.iter().filter(|e| e.key != "law" && !is_number(&e.node));
    let words = words.filter_map(|e| Some(format!("{} = {}", e.key, e.node.as_text()?))).collect();
    let text = words::inline(&table);
    let keys = table.0.iter().filter(|e| e.key != "law").map(|e| (e.key.clone(), words::value(&e.node))).collect();
    Ok((LawEntry { label: law.clone(), law, given, table: text, keys, numbers }, words))
}

/// Entries of one name with the words that tell them apart.
pub fn distinguished(mut all: Vec<Entry>) -> Vec<Entry> {
    let names: Vec<String> = all.iter().map(|(entry, _)| entry.law.clone()).collect();
    for (entry, words) in &mut all {
        if names.iter().filter(|name| **name == entry.law).count() > 1 && !words.is_empty() {
            entry.label = format!("{} ({})", entry.law, words.join(", "));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_of_one_name_are_told_apart_by_their_words() {
        let one = |words: &[&str]| {
            let entry = LawEntry { label: "a".into(), law: "a".into(), ..LawEntry::default() };
            (entry, words.iter().map(|w| w.to_string()).collect::<Vec<_>>())
        };
        let all = distinguished(vec![one(&["evolution = slip"]), one(&[])]);
        assert_eq!([&all[0].0.label, &all[1].0.label], ["a (evolution = slip)", "a"]);
    }
}
