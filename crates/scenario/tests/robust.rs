//! Whatever the text, the answer is a model or diagnostics, never a panic.
mod common;
use common::*;
use proptest::prelude::*;
use stickslip_scenario::{Catalogue, Scenario};

/// Pieces that mean something in a scenario.
const PIECES: [&str; 48] = [
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    "'",
    ",",
    ".",
    "\n",
    " ",
    "#",
    "nan",
    "inf",
    "-1",
    "1e999",
    "0",
    "true",
    "t",
    "law",
    "kind",
    "[[contact]]\n",
    "[[drive]]\n",
    "[[case]]\n",
    "name = \"pad\"\n",
    "set = { \"structure.mass\" = 2 }\n",
    "include = \"s.toml\"\n",
    "\"5 mm/s\"",
    "\"sin(t)\"",
    "[[1, 2], [3]]",
    "{ points = [[0, [1, 2]], [1, 2]] }",
    "{ sine = { amplitude = [1, 2], omega = 1 } }",
    "{ ramp = { rate = 1 } }",
    "{ sum = [] }",
    "{ table = \"x\" }",
    "structure",
    "directions = 2\n",
    "start.rates.x = 1\n",
    "states = [{ b = 1 }]",
    "pressure = 1",
    "area = 0\n",
    "[output]\nprobes = [{ quantity = \"state.z\" }]\n",
    "[parameters]\nt = 1\n",
    "é",
    "\u{1b}[31m",
    "1979-05-27",
    "{ unload = 2 }",
    "velocity = [1, 2, 3]\n",
];

fn try_all(text: &str, sets: &[String]) {
    for catalogue in [catalogue(), Catalogue::default()] {
        match Scenario::from_text("s.toml", text, sets).map(|s| s.with_catalogue(catalogue)) {
            Err(all) => drop(all.to_string()),
            Ok(scenario) => match scenario.prepare() {
                Err(all) => assert!(!all.to_string().is_empty()),
                Ok(all) => all.iter().for_each(|p| drop(p.spec.to_string())),
            },
        }
    }
}

fn cut(text: &str, part: f64) -> usize {
    let mut i = (part * text.len() as f64) as usize;
    while !text.is_char_boundary(i) {
        i -= 1;
    }
    i
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in any::<String>(), set in any::<String>()) {
        try_all(&text, &[]);
        try_all(BELT, std::slice::from_ref(&set));
        try_all(BELT, &[format!("{set}=1"), format!("structure.mass={set}"), format!("drive.velocity={set}")]);
    }

    #[test]
    fn pieces_in_any_order_are_answered(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        try_all(&pieces.concat(), &[]);
        try_all(&format!("{BELT}{}", pieces.concat()), &[]);
    }

    #[test]
    fn damaged_scenarios_are_answered(
        which in 0usize..3,
        edits in prop::collection::vec((0.0..1.0f64, 0usize..12, prop::sample::select(&PIECES[..])), 1..6),
    ) {
        let mut text = [BELT, POINT, LUMPED][which].to_string();
        for (part, length, piece) in edits {
            let start = cut(&text, part);
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, piece);
        }
        try_all(&text, &[]);
    }

    #[test]
    fn values_of_any_kind_are_answered(
        which in 0usize..3,
        line in 0usize..20,
        value in prop::sample::select(&PIECES[..]),
    ) {
        let text = [BELT, POINT, LUMPED][which];
        let changed: Vec<String> = text.lines().enumerate().map(|(i, l)| match l.split_once('=') {
            Some((key, _)) if i == line => format!("{key} = {value}"),
            _ => l.to_string(),
        }).collect();
        try_all(&changed.join("\n"), &[]);
    }

    #[test]
    fn tables_of_numbers_are_read_as_they_were_written(
        rows in prop::collection::vec((0.0..1e3f64, -1e6..1e6f64), 1..30),
        separator in prop::sample::select(&[", ", ";", "\t", "  "][..]),
        header in any::<bool>(),
    ) {
        let mut rows = rows;
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let lines = rows.iter().map(|(t, v)| format!("{t:e}{separator}{v:e}\n"));
        let first = if header { format!("t[s]{separator}v[m/s]\n") } else { String::new() };
        let spec = with_table(&(first + &lines.collect::<String>())).expect("a table in order");
        let expected: Vec<Vec<f64>> = rows.iter().map(|(t, v)| vec![*t, *v]).collect();
        prop_assert_eq!(&spec["drive"]["velocity"]["points"], &serde_json::json!(expected));
    }

    #[test]
    fn tables_of_anything_are_answered(
        pieces in prop::collection::vec(prop::sample::select(&FIELDS[..]), 0..60),
        text in any::<String>(),
    ) {
        let _ = with_table(&pieces.concat());
        let _ = with_table(&text);
    }
}

/// Pieces that mean something in a table of numbers.
const FIELDS: [&str; 20] = [
    "0", "1", "-2.5e3", "1e999", "nan", "inf", "", ",", ";", "\t", " ", "\n", "\r\n", "t [s]", "v [mm/s]", "[", "]",
    "#", "\u{feff}", "é",
];

/// The resolved scenario of a belt whose velocity is read from a file with this text; None where it is refused.
fn with_table(text: &str) -> Option<serde_json::Value> {
    let folder =
        std::env::temp_dir().join(format!("stickslip-tables-{}-{:?}", std::process::id(), std::thread::current().id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("v.csv"), text).unwrap();
    let belt = BELT.replace("velocity = \"5 mm/s\"", "velocity = { table = \"v.csv\" }");
    let scenario = Scenario::from_text_in(&folder, "s.toml", &belt, &[]).unwrap().with_catalogue(catalogue());
    let prepared = scenario.prepare();
    std::fs::remove_dir_all(&folder).unwrap();
    match prepared {
        Ok(mut cases) => Some(cases.remove(0).spec),
        Err(all) => {
            assert!(!all.to_string().is_empty());
            None
        }
    }
}
