//! Figures and reports of made-up datasets, whole.

use proptest::prelude::*;
use stickslip_data::{Dataset, Health, Ledger, Outcome, Provenance, Status, Table, Value};
use stickslip_report::{Figure, FigureError, figures, html, write_report, xy};

/// A block that sticks half of the time.
fn series(rows: usize, x: impl Fn(f64) -> f64) -> Table {
    let t: Vec<f64> = (0..rows).map(|i| i as f64 * 0.01).collect();
    let sticks = |t: &f64| t.fract() < 0.5;
    let mut table = Table::new("series");
    table.push("t", "s", t.clone());
    table.push("since_event", "s", t.clone());
    table.push("x", "m", t.iter().map(|t| x(*t)).collect::<Vec<_>>());
    table.push("rate.x", "m/s", t.iter().map(|t| x(*t) * 2.0).collect::<Vec<_>>());
    table.push("slip_velocity", "m/s", t.iter().map(|t| if sticks(t) { 0.0 } else { 1e-3 }).collect::<Vec<_>>());
    table.push("normal_force", "N", vec![10.0; rows]);
    table.push("friction_force", "N", t.iter().map(|t| 3.0 + t.sin()).collect::<Vec<_>>());
    let mode = |t: &f64| if sticks(t) { "stick".to_owned() } else { "slip+".to_owned() };
    table.push("mode", "", t.iter().map(mode).collect::<Vec<_>>());
    table
}

fn outcome(table: Table) -> Outcome {
    let ledger = Ledger { work_in: 3.0, stored: 1.0, friction: 1.5, damping: 0.5, ..Ledger::default() };
    let mut outcome = Outcome { tables: vec![table], ledger: Some(ledger), ..Outcome::default() };
    outcome.set("amplitude_pp", Value::Number(2.3e-4), "m");
    outcome
}

fn dataset(table: Table) -> Dataset {
    Dataset::single(outcome(table), Provenance::default())
}

fn names(figures: &[Figure]) -> Vec<&str> {
    figures.iter().map(|f| f.name.as_str()).collect()
}

/// Attributes hold numbers, every tag is closed and nothing is fetched from elsewhere.
fn sound(svg: &str) {
    for bad in ["NaN", "inf\"", "inf ", "Infinity"] {
        assert!(!svg.contains(bad), "{bad} in {svg:.2000}");
    }
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    assert_eq!(svg.matches("http").count(), 1, "only the name space");
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
}

#[test]
fn a_path_through_equilibria_shows_reactions_and_modes() {
    let mut table = series(500, |t| 1e-4 * t.sin());
    table.name = "path".into();
    let all = figures(&dataset(table));
    assert_eq!(names(&all), ["path", "energy"]);
    let svg = all[0].svg();
    sound(&svg);
    for label in ["x (\u{b5}m)", "normal force (N)", "friction force (N)", ">slip+</text>"] {
        assert!(svg.contains(label), "{label}");
    }
}

#[test]
fn stick_is_shaded_and_told_in_the_legend() {
    let all = figures(&dataset(series(500, |t| 1e-4 * t.sin())));
    assert_eq!(names(&all), ["series", "phase-plane", "friction-velocity", "modes", "energy"]);
    let svg = all[0].svg();
    assert!(svg.contains(">stick</text>") && svg.contains("f-stick"));
    for label in ["x (\u{b5}m)", "slip velocity (mm/s)", "friction coefficient", "time (s)"] {
        assert!(svg.contains(label), "{label}");
    }
}

#[test]
fn the_last_cycles_of_a_long_run_have_their_own_figure() {
    let mut run = dataset(series(20_000, |t| t.sin()));
    run.cases[0].1.set("period", Value::Number(1.0), "s");
    let all = figures(&run);
    assert_eq!(&names(&all)[..2], ["series", "series-last"]);
}

#[test]
fn a_law_that_creeps_is_shaded_by_its_speed_whatever_its_mode_says() {
    let mut table = series(300, |t| t);
    let slow: Vec<f64> = (0..300).map(|i| if i < 150 { 1e-6 } else { 1e-2 }).collect();
    for column in &mut table.columns {
        match column.name.as_str() {
            "slip_velocity" => column.values = slow.clone().into(),
            "mode" => column.values = vec!["stick".to_owned(); 300].into(),
            _ => {}
        }
    }
    let mut run = dataset(table);
    assert!(!figures(&run)[0].svg().contains("stick"), "no speed to compare with");
    run.provenance.spec = serde_json::json!({ "drive": { "velocity": { "value": 1e-3, "unit": "m/s" } } });
    assert!(figures(&run)[0].svg().contains("stick (slower than 1 % of the drive)"));
}

#[test]
fn cases_are_overlaid_and_named() {
    let cases = ["K = 1 N/m", "K < 2 & more"].map(|n| (n.to_owned(), outcome(series(300, |t| t.cos()))));
    let run = Dataset { cases: cases.into(), title: Some("<b>".into()), ..Dataset::default() };
    let all = figures(&run);
    all.iter().for_each(|f| sound(&f.svg()));
    assert!(all[0].svg().contains("K &lt; 2 &amp; more"));
    let page = html(&run, &run.summary(&[]));
    assert!(page.contains("<title>&lt;b&gt;</title>") && page.contains("K = 1 N/m"));
}

#[test]
fn odd_series_do_not_panic() {
    let odd: [fn(f64) -> f64; 7] = [
        |_| 0.0,
        |_| f64::NAN,
        |t| if t > 1.0 { f64::INFINITY } else { t },
        |t| 1e308 * t,
        |t| 1e-310 * t,
        |t| 1.0 + 1e-15 * t,
        |t| -1e300 * t,
    ];
    for x in odd {
        for rows in [0, 1, 2, 300] {
            for figure in figures(&dataset(series(rows, x))) {
                sound(&figure.svg());
                assert!(!figure.png(200).is_empty());
            }
        }
    }
    let nothing = Dataset::default();
    assert!(figures(&nothing).is_empty());
    assert!(html(&nothing, &nothing.summary(&[])).contains("no case was run"));
}

#[test]
fn a_million_rows_stay_small() {
    let run = dataset(series(1_000_000, |t| (700.0 * t).sin() * (0.01 * t).cos()));
    let files = write_report(&run, &["series.parquet".into()]);
    let page = &files[0];
    assert_eq!(page.0, "report.html");
    assert!(page.1.len() < 3_000_000);
    let svgs = files.iter().filter(|(name, _)| name.ends_with(".svg"));
    assert!(svgs.clone().count() > 3);
    svgs.for_each(|(_, content)| sound(std::str::from_utf8(content).unwrap()));
}

fn map(points: usize) -> Dataset {
    let mut table = Table::new("map");
    let grid = || (0..points).flat_map(|i| (0..points).map(move |j| (i as f64, j as f64)));
    table.push("drive.velocity", "m/s", grid().map(|(i, _)| 10f64.powf(i / 10.0 - 7.0)).collect::<Vec<_>>());
    table.push("structure.stiffness", "N/m", grid().map(|(_, j)| 100.0 + j).collect::<Vec<_>>());
    let amplitude = |(i, j): (f64, f64)| if i == 3.0 { f64::NAN } else { 1e-6 * (1.0 + i * j) };
    table.push("amplitude_pp", "m", grid().map(amplitude).collect::<Vec<_>>());
    table.push(
        "regime",
        "",
        grid().map(|(i, j)| if i > j { "stick-slip".to_owned() } else { "stuck".into() }).collect::<Vec<_>>(),
    );
    let outcome = Outcome { tables: vec![table], ..Outcome::default() };
    Dataset::single(outcome, Provenance::default())
}

#[test]
fn a_map_is_a_picture_for_every_value() {
    for points in [2, 30, 200] {
        let all = figures(&map(points));
        assert_eq!(names(&all), ["map-amplitude_pp", "map-regime"]);
        all.iter().for_each(|f| sound(&f.svg()));
        assert!(all[1].svg().contains("stick-slip"));
    }
}

#[test]
fn a_sweep_is_a_curve_for_every_value() {
    let mut table = Table::new("stability");
    table.push("contact.friction.mu", "1", vec![0.1, 0.2, 0.3]);
    table.push("growth_rate", "1/s", vec![-1.0, 0.0, 1.0]);
    let all = figures(&Dataset::single(Outcome { tables: vec![table], ..Outcome::default() }, Provenance::default()));
    assert_eq!(names(&all), ["stability"]);
    assert!(all[0].svg().contains("growth_rate (1/s)"));
}

#[test]
fn the_report_tells_what_cannot_be_trusted_and_fetches_nothing() {
    let mut run = dataset(series(100, f64::sin));
    run.cases[0].1.worsen(Status::Untrusted, "energy residual <2 %>");
    run.cases[0].1.health = Health { warnings: vec!["a & b".into()], ..Health::default() };
    let page = html(&run, &run.summary(&["series.parquet".into()]));
    assert!(page.contains("banner untrusted") && page.contains("energy residual &lt;2 %&gt;"));
    assert!(page.contains("a &amp; b") && page.contains("href=\"series.parquet\""));
    for outside in ["src=", "@import", "url(http", "href=\"http"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn xy_names_what_is_missing() {
    let table = series(5, f64::sin);
    assert!(matches!(xy(&table, "t", "y"), Err(FigureError::NoColumn { .. })));
    assert!(matches!(xy(&table, "t", "mode"), Err(FigureError::NotNumbers { .. })));
}

#[test]
fn a_small_figure_is_drawn_as_ever() {
    let mut table = Table::new("sweep");
    table.push("drive.velocity", "m/s", vec![1e-6, 2e-6, 3e-6]);
    table.push("amplitude_pp", "m", vec![2e-4, 1e-4, 0.0]);
    let svg = xy(&table, "drive.velocity", "amplitude_pp").unwrap().svg();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/xy.svg");
    if std::env::var_os("STICKSLIP_BLESS").is_some() {
        std::fs::write(path, &svg).unwrap();
    }
    assert_eq!(svg, std::fs::read_to_string(path).unwrap(), "STICKSLIP_BLESS=1 accepts the new drawing");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_two_columns_can_be_drawn(points in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..50)) {
        let mut table = Table::new("any");
        table.push("a", "m", points.iter().map(|p| p.0).collect::<Vec<_>>());
        table.push("b", "N", points.iter().map(|p| p.1).collect::<Vec<_>>());
        let figure = xy(&table, "a", "b").unwrap();
        sound(&figure.svg());
        prop_assert!(!figure.png(100).is_empty());
    }
}

/// Things with named values stand in a table of their own, what the warnings say is not said again.
#[test]
fn records_are_a_table_of_the_report() {
    let told = |path: &str, value: f64| {
        vec![
            ("parameter".to_string(), Value::Text(path.into())),
            ("value".into(), Value::Number(value)),
            ("unit".into(), Value::Text("N/m^2".into())),
            ("stderr".into(), Value::Number(2.4e5)),
            ("why".into(), Value::Text("nobody knows why".into())),
        ]
    };
    let mut outcome = Outcome::default();
    outcome.set("parameters", Value::Records(vec![told("a.b", -2.00134e7), told("a.c", 3e7)]), "");
    outcome.set("parameter.a.b", Value::Number(-2.00134e7), "N/m");
    outcome.health.warnings.push("nobody knows why".into());
    let dataset = Dataset::single(outcome, Provenance::default());
    let page = html(&dataset, &dataset.summary(&[]));
    let row =
        "<tr><td>a.b</td><td class=\"n\">\u{2212}2.001e7</td><td>N/m<sup>2</sup></td><td class=\"n\">240000</td></tr>";
    assert!(page.contains("<h3>parameters</h3>") && page.contains(row), "{page}");
    assert_eq!(page.matches("nobody knows why").count(), 1);
    assert!(!page.contains("parameter.a.b"));
}
