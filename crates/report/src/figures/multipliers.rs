//! Floquet multipliers in the plane, with the unit circle: inside it disturbances fade.
use crate::draw::axis::Axis;
use crate::draw::colour::Ink;
use crate::draw::layout::dash;
use crate::draw::scene::Dash;
use crate::figures::parts::{Curve, Figure, Key, Layer, Panel};
use crate::figures::series::MOST_CASES;
use std::f64::consts::TAU;
use stickslip_data::{Dataset, Value};

/// Points of the circle.
const POINTS: usize = 181;

/// The multipliers of all cases that have some.
pub fn figure(dataset: &Dataset) -> Option<Figure> {
    let of = |value: &Value| match value {
        Value::Rows(rows) if !rows.is_empty() && rows.iter().all(|row| row.len() == 2) => Some(rows.clone()),
        _ => None,
    };
    let cases: Vec<_> = dataset
        .cases
        .iter()
        .filter_map(|(case, o)| Some((case, of(&o.value("multipliers")?.value)?)))
        .take(MOST_CASES)
        .collect();
    if cases.is_empty() {
        return None;
    }
    let angle = |k: usize| TAU * k as f64 / (POINTS - 1) as f64;
    let (x, y) = (0..POINTS).map(|k| (angle(k).cos(), angle(k).sin())).unzip();
    let circle = Curve { dash: Dash::Dashed, ..Curve::path(x, y, Ink::Faint) };
    let mut panel = Panel {
        x: Axis::new("real part", "1"),
        y: Axis::new("imaginary part", "1"),
        height: 380.0,
        equal: true,
        layers: vec![Layer::Curve(circle)],
        ..Panel::default()
    };
    for (i, (_, rows)) in cases.iter().enumerate() {
        for row in rows.iter().filter(|row| row.iter().all(|x| x.is_finite())) {
            let point = Curve { dots: true, ..Curve::path(vec![row[0]], vec![row[1]], Ink::Curve(i)) };
            panel.layers.push(Layer::Curve(point));
        }
    }
    if cases.len() > 1 {
        panel.keys = cases.iter().enumerate().map(|(i, (name, _))| Key::line(*name, Ink::Curve(i), dash(i))).collect();
    }
    Some(Figure::new("multipliers", "Multipliers and the unit circle", vec![panel]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_data::Outcome;

    #[test]
    fn every_multiplier_is_a_point_beside_the_circle() {
        let mut outcome = Outcome::default();
        outcome.set("multipliers", Value::Rows(vec![vec![1.0, 0.0], vec![-0.3, 0.2], vec![-0.3, -0.2]]), "1");
        let dataset = Dataset { cases: vec![(String::new(), outcome)], ..Dataset::default() };
        assert_eq!(figure(&dataset).unwrap().panels[0].layers.len(), 4);
        assert!(figure(&Dataset::default()).is_none());
    }
}
