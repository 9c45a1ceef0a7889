//! The same quantities in other units are the same scenario, to the last bit.
use super::{Oracle, Request, Twin};
use crate::compare::SAME;
use crate::dimension::in_other_units;
use crate::draw::{Scene, Wish};
use crate::item::{Writing, document};

/// On a structure.
pub const ORACLE: Oracle = Oracle { name: "units", wish: |_| Wish::default(), twin, limits: SAME, may_be_chaos: false };

/// A law alone.
pub const POINT: Oracle = Oracle { name: "units of a point", wish: |_| Wish::point(), ..ORACLE };

fn twin(scene: &Scene) -> Option<Twin> {
    let writing = if scene.seed.is_multiple_of(3) { Writing::Si } else { Writing::Small };
    let right = Request { text: document(&scene.root, writing), ..Request::default() };
    // In other units a number is that number but for rounding: the first scenario has what the second comes to.
    let mut first = scene.clone();
    first.root.each_number(&mut |x, unit| *x = as_read(*x, unit, writing));
    Some(Twin::texts(&first, right))
}

/// A number as the product reads it when it is written so.
fn as_read(x: f64, unit: &str, writing: Writing) -> f64 {
    let other = in_other_units(x, unit).filter(|_| writing == Writing::Small && unit != "1");
    let read = other.and_then(|(x, unit)| stickslip::units::quantity(&format!("{x:?} {unit}")).ok());
    read.map_or(x, |quantity| quantity.value)
}
