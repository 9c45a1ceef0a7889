//! The motion in even steps of time, in place of the rows of the integrator.
use crate::observers::extrema::Quantity;
use crate::observers::probes::Instants;
use crate::observers::trace::Trace;
use stickslip_data::{Table, Word};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;

/// A last instant that is nearer to the end than this part of a step is the end.
const AT_END: f64 = 1e-9;

/// The instants of a run up to `end`.
pub fn times(step: f64, end: f64) -> Vec<f64> {
    let count = (end / step + AT_END).floor() as usize;
    (0..=count).map(|k| (k as f64 * step).min(end)).collect()
}

/// All columns of a motion at these instants, as far as it came; none where steps of fixed length pass between them.
pub fn table(step: f64, instants: &Instants, trace: &Trace, dynamics: &Dynamics) -> Option<Table> {
    let reached = trace.t(trace.len() - 1);
    let times: Vec<f64> = times(step, reached);
    let known = |t: &f64| *t == 0.0 || instants.at(*t).is_some();
    if !times.iter().all(known) {
        return None;
    }
    let value = |quantity: Quantity, t: f64| match instants.at(t) {
        Some((y, at)) => quantity.value(dynamics, (t, y), at),
        None => quantity.of_row(trace, dynamics, 0),
    };
    let mut table = Table::new("series");
    let mut push = |name: String, unit: &str, quantity: Quantity| {
        table.push(name, unit, times.iter().map(|t| value(quantity, *t)).collect::<Vec<f64>>());
    };
    let structure = &dynamics.model.structure;
    for (j, name) in structure.coordinates.iter().enumerate() {
        push(name.clone(), structure.unit(j), Quantity::Coordinate(j));
    }
    for (j, name) in structure.rates.iter().enumerate() {
        push(format!("rate.{name}"), structure.rate_unit(j), Quantity::Rate(j));
    }
    let mut modes: Vec<(String, Vec<Word>)> = vec![];
    for (p, site) in dynamics.sites.iter().enumerate() {
        let contact = &dynamics.model.contacts[site.contact];
        let prefix = contact.prefix(site.point);
        for (z, state) in site.states_of(contact) {
            push(format!("{prefix}state.{}", state.name), &state.unit, Quantity::State(z));
        }
        push(format!("{prefix}slip_velocity"), "m/s", Quantity::Slip(p, 0));
        push(format!("{prefix}normal_force"), "N", Quantity::Load(p));
        push(format!("{prefix}friction_force"), "N", Quantity::FrictionForce(p, 0));
        if site.tangent.len() > 1 {
            push(format!("{prefix}slip_velocity_2"), "m/s", Quantity::Slip(p, 1));
            push(format!("{prefix}friction_force_2"), "N", Quantity::FrictionForce(p, 1));
        }
        let word = |t: &f64| {
            let open = instants.at(*t).is_some_and(|(_, at)| at[p].gap > 0.0) && site.normal.is_some();
            let mode = match value(Quantity::Slip(p, 0), *t) {
                _ if open => Mode::Open,
                0.0 => Mode::Stick,
                v => Mode::slipping(v),
            };
            Word::from(mode.name())
        };
        modes.push((format!("{prefix}mode"), times.iter().map(word).collect()));
    }
    for (name, words) in modes {
        table.push(name, "", words);
    }
    table.columns.insert(0, stickslip_data::Column { name: "t".into(), unit: "s".into(), values: times.into() });
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn steps_end_with_the_run() {
        assert_eq!(times(0.1, 0.3).len(), 4);
        assert_eq!(times(0.1, 0.35), [0.0, 0.1, 0.2, 0.1 * 3.0]);
        assert_eq!(*times(0.1, 0.7).last().unwrap(), 0.7);
    }
}
