//! Tables and values of Hopf curves.
use super::follow::{Curve, Row};
use crate::sliding::Range;
use stickslip_data::{Outcome, Table, Value, Word};
use stickslip_model::Context;

/// Writes curves, Bautin points and ends.
pub fn report(ranges: &[Range; 2], curves: &[Curve], bautin: &[[f64; 2]], context: &Context, out: &mut Outcome) {
    let units = ranges.each_ref().map(|r| context.unit_of(&r.parameter));
    let values = |place: [f64; 2]| [ranges[0].value(place[0]), ranges[1].value(place[1])];
    let all = || curves.iter().flat_map(|c| &c.points);
    let column = |get: &dyn Fn(&Row) -> f64| all().map(get).collect::<Vec<f64>>();
    let form =
        |get: &dyn Fn(&crate::sliding::Criticality) -> f64| column(&|row| row.form.as_ref().map_or(f64::NAN, get));
    let mut table = Table::new("curve");
    for k in 0..2 {
        table.push(ranges[k].parameter.clone(), &*units[k], column(&|row| values(row.parameters())[k]));
    }
    table.push("omega", "rad/s", column(&|row| row.frequency().exp()));
    table.push("l1", "1", form(&|form| form.l1));
    let slope = |row: &Row| {
        let per_place = row.form.map_or(f64::NAN, |form| form.slope[1]);
        per_place / ranges[1].slope(row.parameters()[1])
    };
    table.push("amplitude_slope", slope_unit(&units[1]), column(&slope));
    table.push("kind", "", all().map(|row| Word::from(row.kind().word())).collect::<Vec<Word>>());
    let numbers = curves.iter().enumerate().flat_map(|(i, c)| c.points.iter().map(move |_| i as i64));
    table.push("segment", "", numbers.collect::<Vec<i64>>());
    out.tables.push(table);
    out.set("points", Value::Count(all().count() as u64), "");
    if all().next().is_some() {
        out.set(
            "omega_max",
            Value::Number(column(&|row| row.frequency().exp()).into_iter().fold(0.0, f64::max)),
            "rad/s",
        );
    }
    out.set("bautin", Value::Rows(bautin.iter().map(|place| values(*place).to_vec()).collect()), units.join(", "));
    let end = |end: &super::follow::End| {
        let [a, b] = values(end.at);
        vec![
            ("reason".to_string(), Value::Text(end.reason.into())),
            (ranges[0].parameter.clone(), Value::Number(a)),
            (ranges[1].parameter.clone(), Value::Number(b)),
            ("text".to_string(), Value::Text(end.text.clone())),
        ]
    };
    out.set("ends", Value::Records(curves.iter().flat_map(|c| &c.ends).map(end).collect()), "");
    let unknown = curves.iter().filter_map(|c| c.unknown.clone());
    out.health.warnings.extend(unknown.take(1));
}

/// The square of a length over a unit.
fn slope_unit(unit: &str) -> String {
    match unit {
        "" | "1" => "m^2".into(),
        unit => format!("m^2/({unit})"),
    }
}
