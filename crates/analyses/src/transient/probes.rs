//! Probes: quantities at given times, or over the settled part.
use super::between::{beyond_line, turning_point, velocity_extreme};
use super::settled::{Settled, rows_between};
use super::trace::Trace;
use crate::analysis::{Over, Probe};
use crate::dynamics::Dynamics;
use crate::model::Model;
use stickslip_data::{Outcome, Status, Value};
use stickslip_laws::nearest;

/// A quantity of a row, with its unit, and what is known between rows.
type Quantity<'a> = (Box<dyn Fn(usize) -> f64 + 'a>, &'a str, Between);

/// What is known of a quantity between rows.
#[derive(Clone, Copy)]
enum Between {
    /// Coordinate j: its rate and acceleration.
    Coordinate(usize),
    /// Rate j: its own rate.
    Rate(usize),
    /// Nothing: rows only.
    Nothing,
}

impl Between {
    /// The extreme between rows i - 1 and i, and when, if there is one.
    fn extreme(self, trace: &Trace, dynamics: &Dynamics, i: usize) -> Option<(f64, f64)> {
        match self {
            Between::Coordinate(j) => {
                (trace.dq(i - 1, j) * trace.dq(i, j) < 0.0).then(|| turning_point(trace, dynamics, i, j))
            }
            Between::Rate(j) => velocity_extreme(trace, dynamics, i, j),
            Between::Nothing => None,
        }
    }
}

/// Reports all probes.
pub fn report(probes: &[Probe], trace: &Trace, dynamics: &Dynamics, settled: &Settled, out: &mut Outcome) {
    for probe in probes {
        let name = format!("probe.{}", probe.quantity);
        let (get, unit, between) = match quantity(probe, trace, dynamics) {
            Ok(found) => found,
            Err(reason) => {
                out.worsen(Status::Failed, reason);
                continue;
            }
        };
        let end = trace.t(trace.len() - 1);
        let (rows, window) = match &probe.over {
            Over::Times(times) => {
                // The run stepped onto every one of these times: see `times`.
                let at = |t: &f64| {
                    let rows = rows_between(trace, *t, *t);
                    (trace.t(rows.end - 1) == *t).then(|| get(rows.end - 1))
                };
                let values: Option<Vec<f64>> = times.iter().map(at).collect();
                match values {
                    Some(list) => out.set(&name, Value::List(list), unit),
                    None => {
                        let text = format!(
                            "`{name}` asks for a time outside of the run, which ended at {end:.6e} s, or between its fixed steps"
                        );
                        out.worsen(Status::Untrusted, text);
                    }
                }
                continue;
            }
            Over::Settled => (settled.rows(), settled.window),
            Over::Run => (0..trace.len(), (0.0, end)),
        };
        let (mut hi, mut lo, mut sum) = (f64::NEG_INFINITY, f64::INFINITY, 0.0);
        for i in rows.clone() {
            (hi, lo) = (hi.max(get(i)), lo.min(get(i)));
            if i > rows.start {
                sum += 0.5 * (get(i - 1) + get(i)) * trace.span(i);
                if let Between::Coordinate(j) = between {
                    sum += beyond_line(trace, dynamics, i, j);
                }
            }
        }
        // A window of whole cycles begins and ends on maxima, which lie between rows.
        for i in rows.start.max(1)..(rows.end + 1).min(trace.len()) {
            if let Some((t, x)) = between.extreme(trace, dynamics, i)
                && t >= window.0
                && t <= window.1
            {
                (hi, lo) = (hi.max(x), lo.min(x));
            }
        }
        let length = trace.t(rows.end - 1) - trace.t(rows.start);
        out.set(format!("{name}.max"), Value::Number(hi), unit);
        out.set(format!("{name}.min"), Value::Number(lo), unit);
        out.set(format!("{name}.mean"), Value::Number(if length > 0.0 { sum / length } else { lo }), unit);
    }
}

/// All times at which something is asked.
pub fn times(probes: &[Probe]) -> Vec<f64> {
    let lists = probes.iter().filter_map(|p| if let Over::Times(t) = &p.over { Some(t) } else { None });
    let mut all: Vec<f64> = lists.flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

fn quantity<'a>(probe: &Probe, trace: &'a Trace, dynamics: &Dynamics<'a>) -> Result<Quantity<'a>, String> {
    let s = &dynamics.model.structure;
    let name = probe.quantity.as_str();
    if let Some(j) = s.coordinates.iter().position(|c| c == name) {
        return Ok((Box::new(move |i| trace.q(i, j)), s.unit(j), Between::Coordinate(j)));
    }
    if let Some(rate) = name.strip_prefix("rate.")
        && let Some(j) = s.rates.iter().position(|c| c == rate)
    {
        return Ok((Box::new(move |i| trace.v(i, j)), s.rate_unit(j), Between::Rate(j)));
    }
    let wanted = probe.contact.as_deref();
    for (p, site) in dynamics.sites.iter().enumerate() {
        let contact = &dynamics.model.contacts[site.contact];
        if wanted.is_some_and(|w| w != contact.name) {
            continue;
        }
        match name {
            "friction" => return Ok((Box::new(move |i| trace.coefficient(i, p)), "1", Between::Nothing)),
            "friction_force" => return Ok((Box::new(move |i| trace.friction(i, p)), "N", Between::Nothing)),
            "normal_force" => return Ok((Box::new(move |i| trace.load(i, p)), "N", Between::Nothing)),
            "slip_velocity" => return Ok((Box::new(move |i| trace.slip(i, p)), "m/s", Between::Nothing)),
            "friction_force_2" if site.tangent.len() > 1 => {
                return Ok((Box::new(move |i| trace.frictions(i, p)[1]), "N", Between::Nothing));
            }
            "slip_velocity_2" if site.tangent.len() > 1 => {
                return Ok((Box::new(move |i| trace.slips(i, p)[1]), "m/s", Between::Nothing));
            }
            _ => {}
        }
        if let Some((z, state)) = site.states_of(contact).find(|(_, s)| name.strip_prefix("state.") == Some(&s.name)) {
            let unit = state.unit.as_ref();
            return Ok((Box::new(move |i| trace.z(i, z)), unit, Between::Nothing));
        }
    }
    let names = names(dynamics.model);
    let near = nearest(name, names.iter().map(String::as_str)).map(|n| format!("; did you mean `{n}`?"));
    Err(format!("there is no quantity `{name}` to probe{}", near.unwrap_or_default()))
}

/// All quantities that can be probed.
pub fn names(model: &Model) -> Vec<String> {
    let s = &model.structure;
    let mut names: Vec<String> = s.coordinates.clone();
    names.extend(s.rates.iter().map(|r| format!("rate.{r}")));
    if !model.contacts.is_empty() {
        names.extend(["friction", "friction_force", "normal_force", "slip_velocity"].map(String::from));
    }
    if model.contacts.iter().flat_map(|c| &c.places).any(|place| place.tangent.len() > 1) {
        names.extend(["friction_force_2", "slip_velocity_2"].map(String::from));
    }
    let states = model.contacts.iter().flat_map(|c| c.friction.states().iter().chain(c.normal.states()));
    names.extend(states.map(|s| format!("state.{}", s.name)));
    names
}
