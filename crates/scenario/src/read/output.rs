//! What is to be reported.
use crate::build::Prepared;
use crate::catalogue::one_of;
use crate::read::reader::Reader;
use stickslip_data::short;
use stickslip_dynamics::Dynamics;
use stickslip_model::{Contact, Output, Over, Probe, Spectrum};
use stickslip_motion::Transient;
use stickslip_structures::{Ask, Keys, Refused, Structure};
use stickslip_units::nearest;

/// A time that is beyond the last instant by less than this part is that instant: the durations of steps are quotients and
/// sums.
const ROUNDING: f64 = 1e-12;

/// What `all_rows` asks for.
const ALL_ROWS: &str = "Write every row of the series and every event of a motion, however many there are; of more than \
200000 only the first and the last ones are written otherwise";

/// What `fields` asks for.
const FIELDS: &str = "Write VTU files for ParaView into the folder `fields`: displacement, velocity, stress, pressure and shear \
at the end of a transient or in steady sliding, and the modes that a spectrum near a frequency lists";

/// A quantity that is no column of a motion.
const COEFFICIENT: &str = "friction";

/// What `sampling` asks for, and the most rows that it gives.
const SAMPLING: &str = "Time between the rows of a motion's series, in place of the integrator's own instants";
const MOST_SAMPLES: f64 = 1e6;

/// Reads `[output]`.
pub(crate) fn read(keys: &mut Reader, structure: &Structure, contacts: &[Contact]) -> Result<Output, Refused> {
    let events = keys.flag("events", "List events in the summary")?;
    let all_rows = keys.flag("all_rows", ALL_ROWS)?;
    let fields = keys.flag("fields", FIELDS)?;
    if fields && structure.body.is_none() {
        let e = keys.refuse(
            "fields",
            "output::no-mesh",
            "`fields` are those of a mesh, and this structure has none".into(),
        );
        return Err(e.hint("fields are those of a \"body\" or a \"reduced\" one"));
    }
    let sampling = match keys.has("sampling") {
        true => Some(keys.number(Ask::new("sampling", "s", SAMPLING).above(0.0))?),
        false => None,
    };
    let mut output = Output { events, all_rows, fields, sampling, ..Output::default() };
    keys.tables("spectra", "Spectra of the settled part: `of` a quantity, and `from` another one", &mut |keys| {
        let Some(of) = keys.text("of", "Quantity whose power density is wanted")? else {
            let e = keys.refuse("of", "scenario::missing", "a spectrum needs `of`".into());
            return Err(e.expected("of: a coordinate, rate.<name>, friction_force, .."));
        };
        let from = keys.text("from", "Quantity that it answers: gives gain, phase and coherence too")?;
        output.spectra.push(Spectrum { of, from });
        Ok(())
    })?;
    if !output.spectra.is_empty() && output.sampling.is_none() {
        let e = keys.refuse("spectra", "output::sampling", "spectra are made of rows in even steps".into());
        return Err(e.expected("`sampling` beside `spectra`").hint("for instance sampling = \"1 ms\""));
    }
    keys.tables("probes", "Quantities to report", &mut |keys| {
        output.probes.push(probe(keys, structure, contacts)?);
        Ok(())
    })?;
    Ok(output)
}

fn probe(keys: &mut dyn Keys, structure: &Structure, contacts: &[Contact]) -> Result<Probe, Refused> {
    let quantity = keys.text("quantity", "What to report")?;
    let Some(quantity) = quantity else {
        let e = keys.refuse("quantity", "scenario::missing", "a probe needs `quantity`".into());
        return Err(e.expected("quantity: a coordinate, rate.<name>, state.<name>, friction, .."));
    };
    let contact = keys.text("contact", "Contact it belongs to")?;
    if let Some(name) = contact.as_ref().filter(|name| !contacts.iter().any(|c| c.name == **name)) {
        let e = keys.refuse("contact", "output::unknown-name", format!("there is no contact named `{name}`"));
        return Err(suggest(e, name, contacts.iter().map(|c| c.name.clone()).collect()));
    }
    let name = keys.text("name", "Name of its value, `probe.<name>`; that of the quantity by default")?;
    let point = match keys.has("point") {
        true => Some(place(keys, structure, &quantity)?),
        false => None,
    };
    // Names that the structure and the laws fix are known before the run; others are the analysis' own.
    let unknown = |keys: &dyn Keys, what: &str, name: &str, names: Vec<String>| {
        let e = keys.refuse("quantity", "output::unknown-name", format!("there is no {what} `{name}`"));
        Err(suggest(e, name, names))
    };
    if let Some(body) = &structure.body {
        body.observed(&quantity, point).map_err(|why| {
            let e = keys.refuse("quantity", "output::unknown-name", why);
            e.hint("for instance { quantity = \"u.x\", point = [\"8 cm\", \"2 cm\"] }")
        })?;
    } else if let Some(name) = quantity.strip_prefix("rate.")
        && !structure.rates.iter().any(|r| r == name)
    {
        return unknown(keys, "rate", name, structure.rates.clone());
    }
    if let Some(name) = quantity.strip_prefix("state.") {
        let asked = contacts.iter().filter(|c| contact.as_ref().is_none_or(|n| *n == c.name));
        let names: Vec<String> = asked
            .flat_map(|c| c.friction.states().iter().chain(c.normal.states()).map(move |s| (c, s)))
            .flat_map(|(c, s)| [s.name.clone(), format!("{}.{}", c.name, s.name)])
            .collect();
        if !names.iter().any(|n| n == name) {
            return unknown(keys, "state", name, names.into_iter().filter(|n| !n.starts_with('.')).collect());
        }
    }
    let over = match (keys.has("at"), keys.has("over")) {
        (true, true) => {
            return Err(keys.refuse("over", "scenario::conflict", "`at` and `over` are both given".into()));
        }
        (true, false) => Over::Times(keys.list(Ask::new("at", "s", "Times").min(0.0))?),
        _ => match keys.choice("over", &["settled", "run"], false, "Part of the run")? {
            0 => Over::Settled,
            _ => Over::Run,
        },
    };
    Ok(Probe { quantity, contact, over, point, name })
}

/// The place that a probe asks for.
fn place(keys: &mut dyn Keys, structure: &Structure, quantity: &str) -> Result<[f64; 2], Refused> {
    let point = keys.list(Ask::new("point", "m", "Place in a body, x and y"))?;
    let [x, y] = point[..] else {
        let message = format!("`point` has {} entries", point.len());
        return Err(keys.refuse("point", "scenario::shape", message).expected("two lengths, x and y"));
    };
    if structure.body.is_none() {
        let message =
            format!("`{quantity}` is asked for at a place, and this structure has none: its coordinates have names");
        return Err(keys.refuse("point", "output::no-place", message).hint("places are those of a \"body\""));
    }
    Ok([x, y])
}

/// What is wrong with the probes of a case: quantities that the analysis does not know, times that it does not reach.
pub(crate) fn wrong_probes(prepared: &Prepared) -> Vec<Refused> {
    let mut all = unknown_probes(prepared);
    all.extend(late_probes(prepared));
    if all.is_empty() {
        all.extend(misplaced_probes(prepared));
    }
    all.extend(wrong_sampling(prepared));
    all
}

/// Rows in even steps of a run whose end is not known, or more of them than anybody can use.
fn wrong_sampling(prepared: &Prepared) -> Option<Refused> {
    let step = prepared.output.sampling?;
    let refuse = |message: String| Refused::new("output.sampling", "output::sampling", message);
    let analysis: &dyn std::any::Any = &*prepared.analysis;
    let motion = analysis.is::<Transient>();
    let Some(end) = prepared.analysis.ends(&prepared.model).filter(|_| motion) else {
        let e = refuse("rows in even steps need a motion whose end is known".into());
        return Some(e.expected("a transient with a duration in seconds"));
    };
    if step > end {
        let e = refuse(format!("the run ends after {end} s, before the second row"));
        return Some(e.expected(format!("a time up to {end} s")));
    }
    (end / step > MOST_SAMPLES).then(|| {
        let e = refuse(format!("{:.1e} rows", end / step));
        e.expected(format!("at most {MOST_SAMPLES:e} rows: at least {:e} s", end / MOST_SAMPLES))
    })
}

/// Puts probes that lie beyond the last instant by rounding onto it: 0.3 mm at 0.01 mm/s do not take 30 s to the last digit.
pub(crate) fn meet_end(probes: &mut [Probe], end: Option<f64>) {
    let Some(end) = end else { return };
    for probe in probes {
        if let Over::Times(times) = &mut probe.over {
            times.iter_mut().filter(|t| **t > end && **t <= end * (1.0 + ROUNDING)).for_each(|t| *t = end);
        }
    }
}

/// Probes beyond the last instant.
fn late_probes(prepared: &Prepared) -> Vec<Refused> {
    let Some(end) = prepared.analysis.ends(&prepared.model) else { return vec![] };
    let late = |(i, probe): (usize, &Probe)| {
        let Over::Times(times) = &probe.over else { return None };
        let t = times.iter().find(|t| **t > end * (1.0 + ROUNDING))?;
        let end = short(end, 9);
        let message = format!("a probe asks for {t} s, and the run ends at {end} s");
        let e = Refused::new(format!("output.probes[{i}].at"), "output::too-late", message);
        Some(e.expected(format!("times from 0 to {end} s")))
    };
    prepared.output.probes.iter().enumerate().filter_map(late).collect()
}

/// Probes of a body at places where there is nothing to find.
fn misplaced_probes(prepared: &Prepared) -> Vec<Refused> {
    if prepared.model.structure.body.is_none() || prepared.output.probes.is_empty() {
        return vec![];
    }
    let Some(dynamics) = Dynamics::new(&prepared.model) else { return vec![] };
    let wrong = |(i, probe): (usize, &Probe)| {
        let why = dynamics.seen(probe).err()?;
        let e = Refused::new(format!("output.probes[{i}].point"), "output::no-place", why);
        Some(e.expected("a place on the boundary of a contact, for what a contact has"))
    };
    let own = prepared.output.probes.iter().enumerate();
    let twice = |(i, probe): (usize, &Probe)| {
        let name = probe.value_name();
        prepared.output.probes[..i].iter().any(|other| other.value_name() == name).then(|| {
            let e = Refused::new(
                format!("output.probes[{i}].name"),
                "output::duplicate",
                format!("two values are named `{name}`"),
            );
            e.hint("give the probe a `name` of its own")
        })
    };
    own.clone().filter_map(wrong).chain(own.filter_map(twice)).collect()
}

fn unknown_probes(prepared: &Prepared) -> Vec<Refused> {
    let Some(names) = prepared.analysis.quantities(&prepared.model) else { return vec![] };
    let unknown = |(i, probe): (usize, &Probe)| {
        let name = &probe.quantity;
        // What a body has at its places was looked up when the probe was read.
        let placed =
            prepared.model.structure.body.as_ref().is_some_and(|body| body.observed(name, probe.point).is_ok());
        (!names.contains(name) && !placed).then(|| {
            let message = format!("there is no quantity `{name}` to probe");
            suggest(
                Refused::new(format!("output.probes[{i}].quantity"), "output::unknown-name", message),
                name,
                names.clone(),
            )
        })
    };
    let mut all: Vec<Refused> = prepared.output.probes.iter().enumerate().filter_map(unknown).collect();
    // A coefficient is no column of the motion.
    let names: Vec<String> = names.iter().filter(|name| *name != COEFFICIENT).cloned().collect();
    for (i, spectrum) in prepared.output.spectra.iter().enumerate() {
        for (key, name) in [("of", Some(&spectrum.of)), ("from", spectrum.from.as_ref())] {
            if let Some(name) = name.filter(|name| !names.contains(name)) {
                let message = format!("there is no quantity `{name}` of which a spectrum could be made");
                let e = Refused::new(format!("output.spectra[{i}].{key}"), "output::unknown-name", message);
                all.push(suggest(e, name, names.clone()));
            }
        }
    }
    all
}

fn suggest(e: Refused, name: &str, names: Vec<String>) -> Refused {
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
    let hint = nearest(name, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
    let e = if names.is_empty() {
        e.expected("a coordinate, rate.<name> or friction: no law here has a state")
    } else {
        e.expected(one_of(&names))
    };
    Refused { hint, ..e }
}
