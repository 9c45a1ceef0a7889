//! Forces on the coordinates.
use crate::{Ask, Keys, Loading, Refused, Signal};
use std::f64::consts::TAU;

pub const NAME: &str = "force";
pub const ABOUT: &str = "A force on each coordinate, as functions of time.

`engine_order` = n makes it travel round a ring of sectors: `force` is that on the coordinates of the first sector, which sector j of N
feels earlier by (j - 1) n/N of its period.";

pub fn read(keys: &mut dyn Keys, size: usize, loading: &mut Loading) -> Result<(), Refused> {
    let about = "Times that the force goes round the ring, against the order of the sectors";
    let order = match keys.has("engine_order") {
        true => Some(keys.count(Ask::new("engine_order", "1", about).min(0.0).max(1e6))?),
        false => None,
    };
    let forces = match order {
        None => given(keys, size)?,
        Some(order) => travelling(given(keys, 0)?, order, size).map_err(|(key, text)| {
            let e = keys.refuse(key, "drive::engine-order", text);
            e.hint("give the force on one sector as a sine: force = { sine = { amplitude = 1, omega = \"omega\" } }")
        })?,
    };
    if loading.forces.is_empty() {
        loading.forces = forces;
        return Ok(());
    }
    for (old, new) in loading.forces.iter_mut().zip(forces) {
        *old = Signal::Sum(vec![old.clone(), new]);
    }
    Ok(())
}

/// Forces, or moments where coordinates turn.
fn given(keys: &mut dyn Keys, count: usize) -> Result<Vec<Signal>, Refused> {
    let ask = |unit| Ask::new("force", unit, "Force on each coordinate; a moment where it turns");
    keys.signals(ask("N"), count).or_else(|e| keys.signals(ask("N m"), count).map_err(|_| e))
}

/// The forces on all sectors, from those on the coordinates of the first.
fn travelling(first: Vec<Signal>, order: usize, size: usize) -> Result<Vec<Signal>, (&'static str, String)> {
    let m = first.len();
    if m == 0 || !size.is_multiple_of(m) {
        return Err(("force", format!("{m} forces on a sector do not fit {size} coordinates")));
    }
    let count = size / m;
    let later = |(signal, j): (&Signal, usize)| -> Result<Signal, (&'static str, String)> {
        if signal.is_constant() {
            return Ok(signal.clone());
        }
        let turns = (order * j % count) as f64 / count as f64;
        if let Signal::Sine { amplitude, omega, phase } = signal {
            return Ok(Signal::Sine { amplitude: *amplitude, omega: *omega, phase: phase + TAU * turns });
        }
        let period = signal.period().filter(|period| *period > 0.0);
        let period = period.ok_or(("engine_order", "a force that travels round a ring needs a period".to_string()))?;
        Ok(if turns == 0.0 { signal.clone() } else { Signal::Shifted(-turns * period, Box::new(signal.clone())) })
    };
    (0..count).flat_map(|j| first.iter().map(move |signal| (signal, j))).map(later).collect()
}
