//! Compare: the same question under other friction laws, formulations and structures.
mod conclusion;
mod matching;
mod overlay;
mod point;
mod protocol;
mod report;
mod rows;
mod unknowns;

use protocol::Protocol;
use stickslip_data::{Outcome, Status};
use stickslip_model::Model;
use stickslip_model::nested;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Formulation};
use stickslip_structures::{Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "compare",
    about: "Does the conclusion survive another friction law, another formulation, another structure?

Each law is matched to the scenario's own by a protocol: the same steady friction at `speeds`, the same peak after `hold` at
rest (a slide at the first speed), the same `stiffness` in stick where the law has one. Without `match` the speeds are a tenth
of the drive's speed and that speed, and the hold is 1 s. A law given as a table with parameters is taken as it is. The
search changes as few parameters as the protocol needs, from the law's example; what a law misses stands in `matched`. One
that misses the protocol is compared all the same and marked `unmatched`; one that can't stand in this scenario is marked
`refused`, with the reason.

Every law is then run under every formulation and structure. The first row is the scenario's own law under the first
formulation, and what the others are compared with.

[analysis]
kind = \"compare\"
laws = [\"coulomb\", \"lugre\", \"rate-state\"]
match = { speeds = [\"1 mm/s\", \"1 cm/s\"], hold = \"10 s\" }
each = { kind = \"transient\", duration = \"30 s\" }
collect = [\"regime\", \"amplitude_pp\", \"period\"]",
    answers: &[
        Answer::value("agree", "1", "Part of the other laws of which every row has the regime of the first row."),
        Answer::value("agree.<name>", "1", "The same for a word or a yes that is collected."),
        Answer::value("spread.<name>", "1", "Largest over smallest size; none where one is 0 or the signs differ."),
        Answer::value("conclusion", "", "What survives and what depends on the law, in a sentence."),
        Answer::value("survives", "", "What every law agrees on: regime, words, numbers within `tolerance`."),
        Answer::value("depends", "", "What depends on the law."),
        Answer::value("unmatched", "", "Laws that miss the protocol, or can't stand here."),
        Answer::value(
            "matched",
            "",
            "Each law: its table as a scenario would hold it, the largest relative miss, what it missed.",
        ),
        Answer::table("comparison", "A row for each law, formulation and structure: status, regime, what is collected."),
    ],
    read,
};

/// Part by which a number may differ and survive.
const TOLERANCE: f64 = 0.1;
/// Most laws, formulations or structures.
const MOST: usize = 64;

/// A law that is compared.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Whether its parameters are given: then it is not matched.
    pub given: bool,
}

/// Laws, formulations and structures side by side.
pub struct Compare {
    laws: Vec<Listed>,
    /// Kinds, where they are given.
    formulations: Vec<&'static str>,
    /// Names of further structures.
    structures: Vec<String>,
    protocol: Option<Protocol>,
    each: Box<dyn Analysis>,
    collect: Vec<String>,
    /// The contact whose law is replaced, where it is named.
    contact: Option<String>,
    tolerance: f64,
}

fn read(keys: &mut dyn Keys, kinds: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut laws: Vec<Listed> = vec![];
    let found =
        keys.kinds("laws", "law", "Friction laws: names, which are matched, or tables with parameters", &mut |k| {
            let law = k.friction_law()?;
            if law.alone && laws.iter().any(|l| !l.given && l.name == law.name) && !law.name.is_empty() {
                let e = k.refuse("law", "analysis::twice", format!("the law \"{}\" stands twice", law.name));
                return Err(e.expected("each law once, or with parameters of its own"));
            }
            laws.push(Listed { name: law.name, given: !law.alone });
            Ok(())
        })?;
    if !found || laws.is_empty() || laws.len() > MOST {
        let e = keys.refuse("laws", "scenario::missing", format!("a comparison of {} laws", laws.len()));
        let e = e.expected(format!("a list of 1 to {MOST} friction laws"));
        return Err(e.hint("`stickslip laws` lists them"));
    }
    let mut formulations = vec![];
    keys.kinds("formulations", "kind", "Formulations; that of the scenario by default", &mut |k| {
        formulations.push(Formulation::read(k)?.name());
        Ok(())
    })?;
    let mut structures = vec![];
    keys.tables("structures", "Further structures, laid over that of the scenario, each with a `name`", &mut |k| {
        let number = structures.len() + 2;
        let kind = k.text("kind", "Kind of structure; that of the scenario by default")?;
        let name = k.text("name", "What it is called in the table")?;
        k.unread();
        structures.push(name.or(kind).unwrap_or_else(|| format!("structure {number}")));
        Ok(())
    })?;
    let protocol = Protocol::read(keys)?;
    let (each, answers) = nested::read(keys, kinds, "each")?;
    let collect = keys.texts("collect", "Results to compare")?.unwrap_or_else(|| vec!["regime".into()]);
    for name in &collect {
        nested::known(keys, "collect", name, answers)?;
    }
    let contact = keys.text("contact", "Contact whose law is replaced; all of them by default")?;
    let about = "Part by which a number may differ and still survive another law";
    let tolerance = keys.number(Ask::new("tolerance", "1", about).or(TOLERANCE).min(0.0))?;
    Ok(Box::new(Compare { laws, formulations, structures, protocol, each, collect, contact, tolerance }))
}

impl Compare {
    /// Numbers of the contacts whose law is replaced.
    fn contacts(&self, model: &Model) -> Result<Vec<usize>, Refused> {
        let all = &model.contacts;
        let Some(first) = all.first() else {
            return Err(Refused::new("contact", "analysis::not-served", "there is no contact whose law could change"));
        };
        let names = || all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
        if let Some(name) = &self.contact {
            return match all.iter().position(|c| c.name == *name) {
                Some(i) => Ok(vec![i]),
                None => {
                    let e = Refused::new(
                        "analysis.contact",
                        "analysis::unknown-name",
                        format!("there is no contact `{name}`"),
                    );
                    Err(e.expected(format!("one of {}", names())))
                }
            };
        }
        if all.iter().any(|c| c.friction_law != first.friction_law) {
            let e = Refused::new("analysis.kind", "analysis::not-served", "the contacts have different friction laws");
            return Err(e.hint(format!("name the one whose law is replaced: `contact`, one of {}", names())));
        }
        Ok((0..all.len()).collect())
    }

    /// What laws are matched to; None where none has to be.
    fn asked(&self, model: &Model) -> Option<Protocol> {
        self.protocol.clone().or_else(|| Protocol::usual(model))
    }
}

impl Analysis for Compare {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(e) = self.each.refuse(model) {
            return Some(e);
        }
        let contacts = match self.contacts(model) {
            Ok(contacts) => contacts,
            Err(e) => return Some(e),
        };
        let contact = &model.contacts[contacts[0]];
        let matched = self.laws.iter().any(|law| !law.given && law.name != contact.friction_law);
        let Some(protocol) = self.asked(model).filter(|_| matched) else {
            let text = "laws are matched at speeds, and this scenario has no speed of its own";
            let e = Refused::new("analysis.match", "scenario::missing", text);
            return matched.then(|| {
                e.expected("match = { speeds = [..] }")
                    .hint("for instance match = { speeds = [\"1 mm/s\", \"1 cm/s\"] }")
            });
        };
        if protocol.speeds.is_empty() {
            let e = Refused::new("analysis.match", "scenario::missing", "`match` needs `speeds`");
            return Some(e.expected("speeds of steady sliding, such as speeds = [\"1 mm/s\", \"1 cm/s\"]"));
        }
        let claims = contact.friction.claims();
        if claims.unsteady {
            let text =
                format!("the law `{}` has no steady sliding to which others could be matched", contact.friction_law);
            let e = Refused::new(model.contact_key(contacts[0], "friction.law"), "analysis::not-served", text);
            return Some(e.hint("give the other laws as tables with their parameters"));
        }
        if contact.is_rigid() && protocol.normal.is_none() && !claims.load_linear {
            let text = format!(
                "the friction of `{}` is not proportional to its load, which is a reaction here",
                contact.friction_law
            );
            let e = Refused::new("analysis.match", "analysis::missing", text);
            return Some(e.hint("give the load of the match: match = { .., normal = \"10 N\" }"));
        }
        None
    }

    fn units(&self, model: &Model) -> Vec<(String, String)> {
        self.each.units(model).into_iter().map(|(key, unit)| (format!("each.{key}"), unit)).collect()
    }

    fn quantities(&self, model: &Model) -> Option<Vec<String>> {
        self.each.quantities(model)
    }

    fn ends(&self, model: &Model) -> Option<f64> {
        self.each.ends(model)
    }

    fn varies(&self) -> Vec<(String, f64)> {
        self.each.varies()
    }

    fn starts_at(&self) -> Vec<String> {
        self.each.starts_at()
    }

    fn replaces(&self) -> Vec<(String, String)> {
        let one = |i: usize| ("structure".to_string(), format!("analysis.structures[{i}]"));
        (0..self.structures.len()).map(one).collect()
    }

    fn needs_scenario(&self) -> bool {
        true
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        match rows::work(self, model, context) {
            Ok(done) => report::report(self, &done, &mut out),
            Err(why) => out.worsen(Status::Failed, why),
        }
        if context.stopped() {
            out.worsen(Status::Partial, "stopped before its end");
        }
        out
    }
}
