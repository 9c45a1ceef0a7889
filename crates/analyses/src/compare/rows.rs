//! The rows of a comparison: laws are matched, then each is run under every formulation and structure.
use super::Compare;
use super::matching::{MATCHED, Match, match_law};
use super::overlay;
use super::point::{Point, Target};
use super::protocol::Protocol;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use stickslip_data::{Outcome, Table, Value, short};
use stickslip_dynamics::pressing;
use stickslip_laws::{Event, Given, Normal, Press};
use stickslip_model::{Alternatives, Contact, Context, Model, Output, Replacement};

/// A law as it is compared.
pub struct Matched {
    /// Its name.
    pub law: String,
    /// What it is beside the scenario's own.
    pub role: Role,
    /// Its table as a scenario would hold it.
    pub friction: Option<Value>,
    /// The largest relative miss; None where nothing could be asked.
    pub residual: Option<f64>,
    /// What it missed, in words.
    pub missed: Vec<String>,
    /// Parameters that were changed from its example.
    pub changed: Vec<&'static str>,
    /// What is put into the scenario.
    put: Vec<(String, Replacement)>,
}

/// What a law is beside the scenario's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is that law.
    Own,
    /// Matched to it.
    Matched,
    /// Not as closely as the protocol wants.
    Unmatched,
    /// With the parameters of its table.
    Given,
    /// It can't stand in this scenario.
    Refused,
}

impl Role {
    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Role::Own => "own",
            Role::Matched => "matched",
            Role::Unmatched => "unmatched",
            Role::Given => "given",
            Role::Refused => "refused",
        }
    }
}

/// A law under a formulation, on a structure.
pub struct Row {
    /// Index of its law.
    pub law: usize,
    /// Kind of its formulation.
    pub formulation: String,
    /// Name of its structure.
    pub structure: String,
    /// The answer, or why there is none.
    pub outcome: Result<Outcome, String>,
}

/// All of a comparison.
pub struct Done {
    /// The laws, the scenario's own first.
    pub laws: Vec<Matched>,
    /// Their rows, law after law.
    pub rows: Vec<Row>,
    /// The motions of the first formulation and structure over each other, where each is one.
    pub overlay: Option<Table>,
    /// What was taken for granted.
    pub notes: Vec<String>,
}

/// Runs a comparison.
pub fn work(compare: &Compare, model: &Model, context: &Context) -> Result<Done, String> {
    let all = context.alternatives.ok_or("this run knows no scenario in which a law could be replaced")?;
    let contacts = compare.contacts(model).map_err(|e| e.message)?;
    let contact = &model.contacts[contacts[0]];
    let paths: Vec<String> = contacts.iter().map(|i| model.contact_key(*i, "friction")).collect();
    let mut notes = vec![];
    let bare = bare(all, &[])?;
    let asked = compare.laws.iter().any(|law| law.given || law.name != contact.friction_law);
    let mut protocol = compare.asked(model).filter(|_| asked && !contact.friction.claims().unsteady);
    let load = load(&bare.contacts[contacts[0]], protocol.as_ref());
    let own = Point::new(&bare.contacts[contacts[0]], load, model.seed)?;
    let mut targets = vec![];
    if let Some(asked) = &mut protocol {
        if compare.protocol.is_none() {
            // A hold that nobody asked for is left out where the own law has no answer to it.
            if let Some(hold) = asked.hold
                && let Err(why) = own.peak(asked.speeds[0], hold)
            {
                notes.push(format!("laws are not matched after a hold: {why}"));
                asked.hold = None;
            }
        }
        targets = wanted(asked, &own, contact.friction_law)?;
        notes.push(format!("laws are matched under {} N to: {}", short(load, 6), in_words(&targets)));
    }
    let step = AtomicUsize::new(0);
    let count = compare.laws.len() + rows_of(compare) * (compare.laws.len() + 1);
    let tick = || {
        let done = step.fetch_add(1, Ordering::Relaxed) + 1;
        context.report(done as f64 / count as f64);
    };
    let question =
        Question { all, context, paths: &paths, contact: contacts[0], load, seed: model.seed, targets: &targets };
    let mut laws = vec![Matched {
        law: contact.friction_law.into(),
        role: Role::Own,
        friction: None,
        residual: Some(0.0),
        missed: vec![],
        changed: vec![],
        put: vec![],
    }];
    let others: Vec<usize> = (0..compare.laws.len())
        .filter(|i| compare.laws[*i].given || compare.laws[*i].name != contact.friction_law)
        .collect();
    let found: Vec<Matched> = others
        .par_iter()
        .map(|i| {
            let listed = &compare.laws[*i];
            let matched = match listed.given {
                true => question.given(&listed.name, *i),
                false => question.matched(&listed.name, protocol.as_ref()),
            };
            tick();
            matched
        })
        .collect();
    laws.extend(found);
    let mut places = vec![];
    for law in 0..laws.len() {
        for formulation in 0..compare.formulations.len().max(1) {
            places.extend((0..=compare.structures.len()).map(|structure| (law, formulation, structure)));
        }
    }
    let run = |&(law, formulation, structure): &(usize, usize, usize)| {
        let row = row(compare, model, (&laws[law], law), (formulation, structure), (all, context));
        tick();
        row
    };
    let rows: Vec<(Row, Option<Value>)> = places.par_iter().map(run).collect();
    for (row, written) in &rows {
        let law = &mut laws[row.law];
        law.friction = law.friction.take().or_else(|| written.clone());
    }
    let mut rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    let overlay = overlay::overlay(&laws, &rows);
    // Motions are long, and what is left of them is the overlay.
    rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok()).for_each(|outcome| outcome.tables.clear());
    for row in &rows {
        if let (Err(why), Role::Matched | Role::Unmatched | Role::Given) = (&row.outcome, laws[row.law].role)
            && rows.iter().filter(|r| r.law == row.law).all(|r| r.outcome.is_err())
        {
            laws[row.law].role = Role::Refused;
            laws[row.law].missed.push(why.clone());
        }
    }
    Ok(Done { laws, rows, overlay, notes })
}

fn rows_of(compare: &Compare) -> usize {
    compare.formulations.len().max(1) * (compare.structures.len() + 1)
}

/// The model without a formulation: its laws are bare.
fn bare(all: &dyn Alternatives, put: &[(String, Replacement)]) -> Result<Model, String> {
    let mut with = vec![("formulation".to_string(), Replacement::Absent)];
    with.extend(put.iter().cloned());
    all.model(&with).map_err(|e| e.message)
}

/// The normal force under which laws are matched: given, else that of the contact as it stands, else one.
fn load(contact: &Contact, protocol: Option<&Protocol>) -> f64 {
    if let Some(normal) = protocol.and_then(|p| p.normal) {
        return normal;
    }
    let mut at = Press::new(contact.gap, 0.0);
    (at.given, at.mass, at.area) = (contact.given.value(0.0), contact.mass, contact.area);
    let mut z: Vec<f64> = contact.normal.states().iter().map(|s| s.start).collect();
    contact.normal.on(Event::Load { from: 0.0, to: 0.0 }, &at, &mut z);
    let mut answer = [Normal::none()];
    contact.normal.respond(&[at], &z, &mut answer);
    match answer[0] {
        Normal::Force { load, .. } if pressing(load) > 0.0 => load * contact.loads.first().copied().unwrap_or(1.0),
        _ => 1.0,
    }
}

/// What the own law answers to the protocol.
fn wanted(protocol: &Protocol, own: &Point, law: &str) -> Result<Vec<(Target, f64)>, String> {
    let one = |target: Target| {
        let answer = match &target {
            Target::Stiffness => protocol.stiffness.ok_or("no stiffness is asked for".to_string()),
            other => other.of(own).and_then(|x| x.ok_or_else(|| "it has none".into())),
        };
        match answer {
            Ok(x) if x.is_finite() && x != 0.0 => Ok((target, x)),
            Ok(x) => Err(format!("the {} of `{law}` is {x}: nothing can be matched to it", target.words())),
            Err(why) => Err(format!("the {} of `{law}` can't be had: {why}", target.words())),
        }
    };
    Target::all(protocol).into_iter().map(one).collect()
}

fn in_words(targets: &[(Target, f64)]) -> String {
    targets.iter().map(|(target, x)| format!("{} {}", target.words(), short(*x, 6))).collect::<Vec<_>>().join("; ")
}

/// What is asked of every law.
struct Question<'a> {
    all: &'a dyn Alternatives,
    context: &'a Context<'a>,
    paths: &'a [String],
    contact: usize,
    load: f64,
    seed: u64,
    targets: &'a [(Target, f64)],
}

impl Question<'_> {
    fn refused(&self, law: &str, put: Vec<(String, Replacement)>, why: String) -> Matched {
        let (law, friction) = (law.to_string(), None);
        Matched { law, role: Role::Refused, friction, residual: None, missed: vec![why], changed: vec![], put }
    }

    /// A law with its parameters given.
    fn given(&self, law: &str, i: usize) -> Matched {
        let copy = |path: &String| (path.clone(), Replacement::Copy(format!("analysis.laws[{i}]"), "law"));
        let put: Vec<(String, Replacement)> = self.paths.iter().map(copy).collect();
        self.checked(law, Role::Given, vec![], put)
    }

    /// A law that is matched.
    fn matched(&self, law: &str, protocol: Option<&Protocol>) -> Matched {
        let example = |path: &String| (path.clone(), Replacement::Example(law.into()));
        let mut put: Vec<(String, Replacement)> = self.paths.iter().map(example).collect();
        let bare = match bare(self.all, &put) {
            Ok(bare) => bare,
            Err(why) => return self.refused(law, put, why),
        };
        let Some(protocol) = protocol else { return self.refused(law, put, "there is nothing to match it to".into()) };
        let contact = &bare.contacts[self.contact];
        if contact.is_rigid() && protocol.normal.is_none() && !contact.friction.claims().load_linear {
            let why = "its friction is not proportional to the load, which is a reaction here: give match.normal";
            return self.refused(law, put, why.into());
        }
        let found: Result<Match, String> = self.all.example(law).and_then(|example| {
            let point = Point::new(contact, self.load, self.seed)?;
            match_law(&example, &point, (protocol, self.targets), self.context.stop)
        });
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                let mut law = self.checked(law, Role::Unmatched, vec![], put);
                law.missed.push(why);
                return law;
            }
        };
        for path in self.paths {
            for name in &found.changed {
                let value = match found.law.values.get(name) {
                    Some(Given::Number(x)) => Replacement::Number(*x),
                    Some(Given::List(list)) => Replacement::Numbers(list.clone()),
                    _ => continue,
                };
                put.push((format!("{path}.{name}"), value));
            }
        }
        self.checked(law, Role::Matched, found.changed, put)
    }

    /// The law as the scenario reads it, asked the protocol.
    fn checked(&self, law: &str, role: Role, changed: Vec<&'static str>, put: Vec<(String, Replacement)>) -> Matched {
        let bare = match bare(self.all, &put) {
            Ok(bare) => bare,
            Err(why) => return self.refused(law, put, why),
        };
        let mut matched =
            Matched { law: law.into(), role, friction: None, residual: None, missed: vec![], changed, put };
        let point = match Point::new(&bare.contacts[self.contact], self.load, self.seed) {
            Ok(point) => point,
            Err(why) => {
                matched.missed.push(why);
                return matched;
            }
        };
        let mut unknown = false;
        for (target, wanted) in self.targets {
            match target.of(&point) {
                Ok(Some(is)) => {
                    let miss = (is / wanted - 1.0).abs();
                    matched.residual = Some(matched.residual.unwrap_or(0.0).max(miss));
                    if miss.is_nan() || miss > MATCHED {
                        let percent = 100.0 * (is / wanted - 1.0);
                        let (is, wanted) = (short(is, 5), short(*wanted, 5));
                        let text = format!("{} is {is} instead of {wanted} ({percent:+.2} %)", target.words());
                        matched.missed.push(text);
                    }
                }
                Ok(None) => {}
                Err(why) => {
                    unknown = true;
                    matched.missed.push(format!("{}: {why}", target.words()));
                }
            }
        }
        if unknown {
            // A miss of unknown size is not the largest of the known ones.
            matched.residual = None;
        }
        if role == Role::Matched && !matched.missed.is_empty() {
            matched.role = Role::Unmatched;
        }
        matched
    }
}

/// One row, and the table of its law as the scenario holds it.
fn row(
    compare: &Compare,
    model: &Model,
    (law, index): (&Matched, usize),
    (formulation, structure): (usize, usize),
    (all, context): (&dyn Alternatives, &Context),
) -> (Row, Option<Value>) {
    let mut put = vec![];
    if let Some(structure) = structure.checked_sub(1) {
        put.push(("structure".to_string(), Replacement::Merge(format!("analysis.structures[{structure}]"))));
    }
    if !compare.formulations.is_empty() {
        put.push((
            "formulation".to_string(),
            Replacement::Copy(format!("analysis.formulations[{formulation}]"), "kind"),
        ));
    }
    put.extend(law.put.iter().cloned());
    let index_of_place = formulation + structure;
    let first = compare.contacts(model).ok().and_then(|list| list.first().copied()).unwrap_or(0);
    let path = model.contact_key(first, "friction");
    let mut written = None;
    let outcome = match law.role {
        Role::Refused => Err(law.missed.join("; ")),
        _ => all.scenario(&put).map_err(|e| e.message).map(|alternative| {
            written = alternative.written(&path);
            // Tables only where the motions are to be seen over each other.
            let brief = context.output.brief || index_of_place > 0;
            let output = Output { probes: context.output.probes.clone(), brief, ..Output::default() };
            let inner = Context { stop: context.stop, output, ..Context::default() };
            alternative.run(&inner)
        }),
    };
    let formulation = match compare.formulations.get(formulation) {
        Some(kind) => kind.to_string(),
        None => model.formulation.name().into(),
    };
    let structure = match structure.checked_sub(1) {
        Some(i) => compare.structures[i].clone(),
        None => match all.written("structure.kind") {
            Some(Value::Text(kind)) => kind,
            _ => String::new(),
        },
    };
    (Row { law: index, formulation, structure, outcome }, written)
}
