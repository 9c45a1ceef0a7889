//! Probes: quantities at given times, or over the settled part.
use crate::answers::row_extrema::{beyond_line, turning_point, velocity_extreme};
use crate::answers::statistics::{Settled, rows_between};
use crate::observers::extrema::{Extrema, Quantity};
use crate::observers::trace::Trace;
use stickslip_data::{Outcome, Status, Value};
use stickslip_dynamics::{AtSite, Controls, Dynamics, Instant};
use stickslip_laws::nearest;
use stickslip_model::Model;
use stickslip_model::{Over, Probe};

/// The motion at the times that probes ask for. Steps do not end there: what is asked for changes nothing.
#[derive(Default)]
pub struct Instants {
    /// Rising.
    times: Vec<f64>,
    /// Unknowns and contact points at the first of them.
    found: Vec<(Vec<f64>, Vec<AtSite>)>,
}

impl Instants {
    /// Those of rising times that come after the start.
    pub fn after(start: f64, mut times: Vec<f64>) -> Instants {
        times.retain(|t| *t > start);
        Instants { times, found: vec![] }
    }

    /// Times that the motion has not reached yet.
    pub fn ahead(&self) -> &[f64] {
        &self.times[self.found.len()..]
    }

    /// The first of them.
    pub fn next(&self) -> Option<f64> {
        self.ahead().first().copied()
    }

    /// The motion at the next time.
    pub fn note(&mut self, y: &[f64], at: &[AtSite]) {
        self.found.push((y.to_vec(), at.to_vec()));
    }

    /// The motion has come to the time `now`, and all that happens then has happened.
    pub fn arrive(&mut self, now: f64, y: &[f64], at: &[AtSite]) {
        while self.next().is_some_and(|next| next <= now) {
            self.note(y, at);
        }
    }

    /// The motion at the times that were reached, in their order.
    pub fn found(&self) -> &[(Vec<f64>, Vec<AtSite>)] {
        &self.found
    }

    /// The motion at a time, if it was asked for and reached.
    pub fn at(&self, t: f64) -> Option<&(Vec<f64>, Vec<AtSite>)> {
        self.found.get(self.times.binary_search_by(|time| time.total_cmp(&t)).ok()?)
    }
}

/// Reports all probes.
pub fn report(
    probes: &[Probe],
    instants: &Instants,
    trace: &Trace,
    dynamics: &Dynamics,
    extrema: &Extrema,
    settled: &Settled,
    out: &mut Outcome,
) {
    for probe in probes {
        let name = probe.value_name();
        if dynamics.model.structure.body.is_some() {
            if let Err(reason) = report_seen(probe, instants, trace, dynamics, settled, out) {
                out.worsen(Status::Failed, reason);
            }
            continue;
        }
        let (quantity, unit) = match quantity(probe, dynamics) {
            Ok(found) => found,
            Err(reason) => {
                out.worsen(Status::Failed, reason);
                continue;
            }
        };
        let get = |i: usize| quantity.of_row(trace, dynamics, i);
        let end = trace.t(trace.len() - 1);
        let (rows, window) = match &probe.over {
            Over::Times(times) => {
                let at = |t: &f64| {
                    if let Some((y, at)) = instants.at(*t) {
                        return Some(quantity.value(dynamics, (*t, y), at));
                    }
                    // Schemes with steps of their own end some of them there.
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
            Over::Settled => (settled.rows_of_half(), settled.half),
            Over::Run => (0..trace.len(), (0.0, end)),
        };
        // Means are those of whole cycles.
        let whole = if probe.over == Over::Settled { settled.rows() } else { rows.clone() };
        let mut sum = 0.0;
        for i in whole.start + 1..whole.end {
            sum += 0.5 * (get(i - 1) + get(i)) * trace.span(i);
            if let Quantity::Coordinate(j) = quantity {
                sum += beyond_line(trace, dynamics, i, j);
            }
        }
        let (mut hi, mut lo) = (f64::NEG_INFINITY, f64::INFINITY);
        let between = extrema.of_quantity(quantity, window).chain(settled.at_ends(quantity, window));
        for x in rows.clone().map(get).chain(between) {
            (hi, lo) = (hi.max(x), lo.min(x));
        }
        // Steps of fixed length tell nothing of what lies between them but rates at their ends.
        let steps = rows.start.max(1)..if extrema.observed() { 0 } else { (rows.end + 1).min(trace.len()) };
        for (t, x) in steps.filter_map(|i| extreme(quantity, trace, dynamics, i)) {
            if t >= window.0 && t <= window.1 {
                (hi, lo) = (hi.max(x), lo.min(x));
            }
        }
        let length = trace.t(whole.end - 1) - trace.t(whole.start);
        out.set(format!("{name}.max"), Value::Number(hi), unit);
        out.set(format!("{name}.min"), Value::Number(lo), unit);
        out.set(format!("{name}.mean"), Value::Number(if length > 0.0 { sum / length } else { lo }), unit);
    }
}

/// Reports what a probe finds in a body: at times, or over rows.
fn report_seen(
    probe: &Probe,
    instants: &Instants,
    trace: &Trace,
    dynamics: &Dynamics,
    settled: &Settled,
    out: &mut Outcome,
) -> Result<(), String> {
    let (seen, unit) = dynamics.seen(probe)?;
    let name = probe.value_name();
    let points = dynamics.sites.len();
    let modes = |i: usize| (0..points).map(|p| trace.mode(i, p)).collect::<Vec<_>>();
    let of_row = |i: usize| {
        let forces = |p: usize| [trace.load(i, p), trace.frictions(i, p)[0]];
        let y = trace.unknowns(i);
        dynamics.value_of(&seen, Instant { t: trace.t(i), y: &y, whole: &[], modes: &modes(i) }, &forces)
    };
    let end = trace.t(trace.len() - 1);
    let (rows, whole) = match &probe.over {
        Over::Times(times) => {
            let at = |t: &f64| {
                let rows = rows_between(trace, *t, *t);
                if let Some((y, at)) = instants.at(*t) {
                    let forces = |p: usize| [at[p].n, at[p].f[0]];
                    let now = Instant { t: *t, y, whole: &[], modes: &modes(rows.end - 1) };
                    return Some(dynamics.value_of(&seen, now, &forces));
                }
                (trace.t(rows.end - 1) == *t).then(|| of_row(rows.end - 1))
            };
            return match times.iter().map(at).collect::<Option<Vec<f64>>>() {
                Some(list) => {
                    out.set(name, Value::List(list), unit);
                    Ok(())
                }
                None => {
                    let text = format!("`{name}` asks for a time outside of the run, which ended at {end:.6e} s");
                    out.worsen(Status::Untrusted, text);
                    Ok(())
                }
            };
        }
        Over::Settled => (settled.rows_of_half(), settled.rows()),
        Over::Run => (0..trace.len(), 0..trace.len()),
    };
    let values: Vec<f64> = rows.clone().map(of_row).collect();
    let (hi, lo) = values.iter().fold((f64::NEG_INFINITY, f64::INFINITY), |(hi, lo), x| (hi.max(*x), lo.min(*x)));
    let at = |i: usize| values.get(i - rows.start).copied().unwrap_or_else(|| of_row(i));
    if let Some(frequency) = frequency(trace, &values, rows.start, 0.5 * (hi + lo)) {
        out.set(format!("{name}.frequency"), Value::Number(frequency), "Hz");
    }
    let sum: f64 = (whole.start + 1..whole.end).map(|i| 0.5 * (at(i - 1) + at(i)) * trace.span(i)).sum();
    let length = trace.t(whole.end - 1) - trace.t(whole.start);
    out.set(format!("{name}.max"), Value::Number(hi), unit);
    out.set(format!("{name}.min"), Value::Number(lo), unit);
    out.set(format!("{name}.mean"), Value::Number(if length > 0.0 { sum / length } else { lo }), unit);
    Ok(())
}

/// Rising passages of the middle between the extremes, per time; none of fewer than three.
fn frequency(trace: &Trace, values: &[f64], first: usize, middle: f64) -> Option<f64> {
    let rises = values.windows(2).enumerate().filter(|(_, pair)| pair[0] < middle && pair[1] >= middle);
    let when = |(k, pair): (usize, &[f64])| {
        let (t0, t1) = (trace.t(first + k), trace.t(first + k + 1));
        t0 + (t1 - t0) * (middle - pair[0]) / (pair[1] - pair[0])
    };
    let times: Vec<f64> = rises.map(when).collect();
    match times[..] {
        [begin, .., end] if times.len() > 2 && end > begin => Some((times.len() - 1) as f64 / (end - begin)),
        _ => None,
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

/// The extreme of a coordinate or a rate between rows i - 1 and i, and when, if there is one.
fn extreme(quantity: Quantity, trace: &Trace, dynamics: &Dynamics, i: usize) -> Option<(f64, f64)> {
    match quantity {
        Quantity::Coordinate(j) if trace.dq(i - 1, j) * trace.dq(i, j) < 0.0 => {
            Some(turning_point(trace, dynamics, i, j))
        }
        Quantity::Rate(j) => velocity_extreme(trace, dynamics, i, j),
        _ => None,
    }
}

/// What a probe asks for, and its unit.
pub fn quantity<'a>(probe: &Probe, dynamics: &Dynamics<'a>) -> Result<(Quantity, &'a str), String> {
    let s = &dynamics.model.structure;
    let name = probe.quantity.as_str();
    if let Some(j) = s.coordinates.iter().position(|c| c == name) {
        return Ok((Quantity::Coordinate(j), s.unit(j)));
    }
    if let Some(rate) = name.strip_prefix("rate.")
        && let Some(j) = s.rates.iter().position(|c| c == rate)
    {
        return Ok((Quantity::Rate(j), s.rate_unit(j)));
    }
    let first = dynamics.controls.unknowns().start;
    for (k, (known, unit)) in dynamics.controls.names().into_iter().enumerate() {
        if name == known {
            return Ok((Quantity::State(first - 2 * dynamics.n + k), unit_of(&unit)));
        }
    }
    let wanted = probe.contact.as_deref();
    for (p, site) in dynamics.sites.iter().enumerate() {
        let contact = &dynamics.model.contacts[site.contact];
        if wanted.is_some_and(|w| w != contact.name) {
            continue;
        }
        match name {
            "friction" => return Ok((Quantity::Friction(p), "1")),
            "friction_force" => return Ok((Quantity::FrictionForce(p, 0), "N")),
            "normal_force" => return Ok((Quantity::Load(p), "N")),
            "slip_velocity" => return Ok((Quantity::Slip(p, 0), "m/s")),
            "friction_force_2" if site.tangent.len() > 1 => return Ok((Quantity::FrictionForce(p, 1), "N")),
            "slip_velocity_2" if site.tangent.len() > 1 => return Ok((Quantity::Slip(p, 1), "m/s")),
            _ => {}
        }
        if let Some((z, state)) = site.states_of(contact).find(|(_, s)| name.strip_prefix("state.") == Some(&s.name)) {
            return Ok((Quantity::State(z), state.unit.as_ref()));
        }
    }
    let names = names(dynamics.model);
    let near = nearest(name, names.iter().map(String::as_str)).map(|n| format!("; did you mean `{n}`?"));
    Err(format!("there is no quantity `{name}` to probe{}", near.unwrap_or_default()))
}

/// The unit of a controller's state: those there are.
fn unit_of(unit: &str) -> &'static str {
    ["m s", "rad s", "m", "rad", "N", "m/s s", "rad/s s"].into_iter().find(|known| *known == unit).unwrap_or("")
}

/// All quantities that can be probed.
pub fn names(model: &Model) -> Vec<String> {
    let s = &model.structure;
    if s.body.is_some() {
        return stickslip_structures::Body::observables();
    }
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
    names.extend(Controls::new(model, 0).names().into_iter().map(|(name, _)| name));
    names
}
