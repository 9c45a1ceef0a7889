//! What single pictures must show: the line of stability, true shapes, every case.

use std::f64::consts::{FRAC_PI_2, TAU};
use stickslip_data::{Dataset, Outcome, Provenance, Table, Value};
use stickslip_report::{Figure, figures, html};

fn of(tables: Vec<Table>) -> Dataset {
    Dataset::single(Outcome { tables, ..Outcome::default() }, Provenance::default())
}

fn named<'a>(all: &'a [Figure], name: &str) -> &'a Figure {
    let known: Vec<&str> = all.iter().map(|f| f.name.as_str()).collect();
    all.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no {name} among {known:?}"))
}

/// A block that goes to and fro, without stick.
fn to_and_fro(end: f64) -> Table {
    let t: Vec<f64> = (0..=2000).map(|i| end * i as f64 / 2000.0).collect();
    let mut table = Table::new("series");
    let wave = |phase: f64| t.iter().map(|t| (t + phase).sin()).collect::<Vec<f64>>();
    table.push("t", "s", t.clone());
    table.push("x", "m", wave(0.0));
    table.push("rate.x", "m/s", wave(FRAC_PI_2));
    table.push("slip_velocity", "m/s", wave(FRAC_PI_2));
    table.push("normal_force", "N", vec![1.0; t.len()]);
    table.push("friction_force", "N", wave(FRAC_PI_2));
    table
}

#[test]
fn eigenvalues_come_first_with_zero_and_the_critical_values() {
    let mut table = Table::new("along");
    let mu: Vec<f64> = (0..9).map(|i| 0.1 * i as f64).collect();
    table.push("contact.friction.mu", "1", mu.clone());
    table.push("growth_rate", "1/s", mu.iter().map(|m| m - 0.4).collect::<Vec<_>>());
    table.push("omega", "rad/s", mu.clone());
    table.push("equilibrium.x", "m", mu.clone());
    for name in ["re_1", "re_2"] {
        table.push(name, "1/s", mu.iter().map(|m| m - 0.4).collect::<Vec<_>>());
    }
    table.push("im_1", "1/s", mu.clone());
    let mut run = of(vec![table]);
    run.cases[0].1.set("critical", Value::List(vec![0.4]), "1");
    let svg = named(&figures(&run), "along").svg();
    let place = |text: &str| svg.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("real parts") < place("imaginary parts") && place("imaginary parts") < place("equilibrium.x"));
    assert!(!svg.contains("growth_rate") && !svg.contains("omega"), "the eigenvalues show them");
    assert_eq!(svg.matches("stroke-dasharray").count(), 3, "the critical value goes through every panel");
    assert!(svg.contains(">0.4</text>"));
}

/// Ends of the axes over the sides of the box.
fn lengths(page: &str, figure: &str) -> [f64; 2] {
    let panel = page.split("<g class=\"panel\"").find(|p| p.contains(&format!("url(#{figure}-1)"))).expect("a panel");
    let data = |key: &str| -> Vec<f64> {
        let from = panel.find(&format!("data-{key}=\"")).expect("data") + key.len() + 7;
        panel[from..].split('"').next().unwrap().split(' ').map(|x| x.parse().unwrap()).collect()
    };
    let (area, x, y) = (data("box"), data("x"), data("y"));
    [(x[1] - x[0]) / area[2], (y[1] - y[0]) / area[3]]
}

#[test]
fn a_path_in_the_plane_keeps_its_shape() {
    let round: Vec<f64> = (0..200).map(|i| 0.0314 * i as f64).collect();
    let list = |f: fn(f64) -> f64, size: f64| round.iter().map(|a| size * f(*a)).collect::<Vec<f64>>();
    let mut path = Table::new("path");
    path.push("t", "s", round.clone());
    path.push("slip", "m", list(f64::cos, 2e-3));
    path.push("slip_2", "m", list(f64::sin, 0.7e-3));
    path.push("friction", "1", list(f64::cos, 0.3));
    path.push("friction_force", "N", list(f64::cos, 3.0));
    path.push("friction_force_2", "N", list(f64::sin, 3.0));
    let run = of(vec![path]);
    let page = html(&run, &run.summary(&[]));
    for figure in ["path-plane", "force-plane"] {
        let [across, up] = lengths(&page, figure);
        assert!((across / up - 1.0).abs() < 1e-3, "{figure}: {across} across, {up} upwards");
    }
    let svg = named(&figures(&run), "path-plane").svg();
    assert!(svg.contains("slip (mm)") && svg.contains("second slip (mm)"), "one unit for both");
}

#[test]
fn a_case_that_ends_earlier_shows_its_last_cycles_too() {
    let case = |name: &str, end: f64| {
        let mut outcome = Outcome { tables: vec![to_and_fro(end)], ..Outcome::default() };
        outcome.set("period", Value::Number(TAU), "s");
        (name.to_owned(), outcome)
    };
    let run = Dataset {
        cases: vec![case("long", 250.0), case("shorter", 200.0), case("short", 100.0)],
        ..Dataset::default()
    };
    let all = figures(&run);
    // Six cycles of a circle, of which each piece is drawn once: long paths for all three.
    let phase = named(&all, "phase-plane").svg();
    let longest = phase.split("<path d=\"").skip(1).filter(|p| p.len() > 1500).count();
    assert_eq!(longest, 3, "{phase:.300}");
    let last = named(&all, "series-last").svg();
    assert!(last.contains(">shorter</text>") && !last.contains(">short</text>"), "what ended long before is not named");
}

#[test]
fn nothing_but_zeros_has_no_panel() {
    let mut table = to_and_fro(10.0);
    for column in table.columns.iter_mut().filter(|c| ["slip_velocity", "friction_force"].contains(&c.name.as_str())) {
        column.values = vec![0.0; 2001].into();
    }
    let all = figures(&of(vec![table]));
    let svg = named(&all, "series").svg();
    assert!(svg.contains("x (m)") && !svg.contains("slip velocity") && !svg.contains("friction coefficient"));
    assert!(all.iter().all(|f| f.name != "friction-velocity"));
}

#[test]
fn a_contact_in_the_plane_shows_sizes_and_its_path() {
    let mut table = to_and_fro(6.0);
    let t = table.column("t").and_then(|c| c.values.floats()).unwrap().to_vec();
    let wave = |f: fn(f64) -> f64| t.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    table.columns.insert(2, {
        let mut second = Table::new("y");
        second.push("y", "m", wave(f64::cos));
        second.columns.remove(0)
    });
    table.push("rate.y", "m/s", wave(f64::sin));
    table.push("slip_velocity_2", "m/s", wave(f64::sin));
    table.push("friction_force_2", "N", wave(f64::sin));
    let all = figures(&of(vec![table]));
    let svg = named(&all, "series").svg();
    assert!(svg.contains("slip speed"), "its size has no sign");
    assert!(named(&all, "plane").svg().contains("Path in the plane"));
}

#[test]
fn cycles_are_counted_by_whole_numbers() {
    let mut table = Table::new("cycles");
    table.push("cycle", "1", vec![1.0, 2.0, 3.0]);
    table.push("t", "s", vec![0.0, 1.0, 2.0]);
    // What a solver leaves is no change.
    table.push("force_max", "N", vec![6.0, 6.0 + 2e-7, 6.0]);
    let svg = named(&figures(&of(vec![table])), "cycles").svg();
    assert!(svg.contains(">2</text>") && !svg.contains(">1.5</text>") && !svg.contains("time"));
    assert!(svg.contains("force_max (N)"), "no difference is drawn");
}
