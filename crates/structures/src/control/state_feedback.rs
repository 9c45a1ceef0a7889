//! Feedback of measured quantities by constant gains.
use super::{Acts, Channel, Control, Plant};
use crate::{Keys, Refused, Signal};

pub const NAME: &str = "state-feedback";
pub const ABOUT: &str = "Forces from measured coordinates and rates, by constant gains.

u = gains (reference - of)   on `on`, a row of gains for each entry of `on`; `reference` is zero where it is not given.";

pub fn read(keys: &mut dyn Keys, plant: &Plant) -> Result<Control, Refused> {
    let names = super::names::several(keys, "of", "What is measured: coordinates and `rate.<name>`", plant.is_any())?;
    let of = names.iter().map(|name| plant.measured(keys, "of", name)).collect::<Result<Vec<_>, _>>()?;
    let names = super::names::several(
        keys,
        "on",
        "What the forces act on: coordinates, or `contact.<name>.normal`",
        plant.is_any(),
    )?;
    let on = names.iter().map(|name| plant.acts(keys, "on", name)).collect::<Result<Vec<Acts>, _>>()?;
    let units: Vec<&str> = of.iter().map(|of| plant.unit(*of)).collect();
    let about = "What each measured quantity should be";
    let reference = match keys.has("reference") || keys.has_table("reference") {
        // Quantities of several units are read one by one.
        true => keys.signals_of("reference", about, &units)?,
        false => vec![Signal::ZERO; of.len()],
    };
    let unit = |row: usize, column: usize, _: usize| match (on.get(row), of.get(column)) {
        (Some(on), Some(of)) => plant.gain_unit(*on, *of, 0),
        _ => "1".into(),
    };
    let gains = keys.rows("gains", "Force over each measured quantity, a row for each entry of `on`", &unit)?;
    if gains.len() != on.len() || gains.iter().any(|row| row.len() != of.len()) {
        let text = format!("`gains` does not have {} x {} numbers", on.len(), of.len());
        let e = keys.refuse("gains", "control::shape", text);
        return Err(e.expected(format!(
            "{} rows (one for each of `on`) of {} numbers (one for each of `of`)",
            on.len(),
            of.len()
        )));
    }
    let channels = of.into_iter().zip(reference).map(|(measured, reference)| Channel { measured, reference });
    let d: Vec<f64> = gains.into_iter().flatten().collect();
    Ok(Control { channels: channels.collect(), on, e: vec![0.0; d.len()], d, ..Control::default() })
}
