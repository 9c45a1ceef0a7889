//! Everything that a scenario may name, as entries to list and to explain.
use crate::explain::language;
use crate::explain::states::states;
use crate::questions::{Form, Question, asked, asked_with};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use stickslip::analyses::{Answer, FORMULATION_ABOUTS, FORMULATIONS, Formulation, analysis_kinds, formulas};
use stickslip::laws::{Claims, Param, Preset, Shape, friction_kinds, normal_kinds};
use stickslip::structures::{
    ANY_UNIT, ControlKind, Loading, Plant, control_kinds, drive_kinds, read_control, structure_kinds,
};

/// One kind.
pub struct Entry {
    /// What it is a kind of.
    pub of: &'static str,
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is, with its equations.
    pub about: String,
    /// Its keys.
    pub keys: Vec<Key>,
    /// Keys of which exactly one must be given.
    pub one_of: &'static [&'static str],
    /// Largest number of tangential directions, for friction laws.
    pub directions: Option<usize>,
    /// Promises, for laws.
    pub claims: Option<Claims>,
    /// Where it comes from.
    pub reference: &'static str,
    /// What an analysis gives.
    pub answers: &'static [Answer],
    /// The example of a law, as a scenario has it.
    pub usage: Option<String>,
}

/// One key of a kind.
pub struct Key {
    /// The key, with those above it.
    pub name: String,
    /// What it is.
    pub about: String,
    /// SI unit.
    pub unit: String,
    /// Default, in SI.
    pub default: String,
    /// What is expected.
    pub expected: String,
}

impl Entry {
    /// The first line of what it is.
    pub fn first_line(&self) -> &str {
        self.about.lines().next().unwrap_or_default()
    }

    /// All of it.
    pub fn json(&self) -> Json {
        let key = |k: &Key| json!({ "name": k.name, "unit": k.unit, "default": k.default, "expected": k.expected, "about": k.about });
        let answer = |a: &Answer| json!({ "name": a.name, "unit": a.unit, "about": a.about, "is_table": a.table });
        json!({
            "of": self.of,
            "name": self.name,
            "about": self.about,
            "parameters": self.keys.iter().map(key).collect::<Vec<_>>(),
            "states": states(self).iter().map(|s| json!({ "name": s.name, "unit": s.unit, "about": s.about })).collect::<Vec<_>>(),
            "one_of": self.one_of,
            "directions": self.directions,
            "claims": self.claims.map(|c| c.names()),
            "meanings": self.claims.map(|c| c.told().collect::<BTreeMap<_, _>>()),
            "reference": self.reference,
            "usage": self.usage,
            "results": self.answers.iter().map(answer).collect::<Vec<_>>(),
        })
    }
}

/// The friction and normal laws.
pub fn laws() -> Vec<Entry> {
    let friction = friction_kinds().iter().map(|k| Entry {
        of: "friction law",
        name: k.name,
        about: k.about.into(),
        keys: params(k.params),
        one_of: k.one_of,
        directions: Some(k.directions),
        claims: Some(k.claims),
        reference: k.reference,
        answers: &[],
        usage: stickslip::usage(k),
    });
    let normal = normal_kinds().iter().map(|k| Entry {
        of: "normal law",
        name: k.name,
        about: k.about.into(),
        keys: params(k.params),
        one_of: k.one_of,
        directions: None,
        claims: Some(k.claims),
        reference: k.reference,
        answers: &[],
        usage: stickslip::normal_usage(k),
    });
    friction.chain(normal).collect()
}

/// Everything.
pub fn entries() -> Vec<Entry> {
    let plain = |of: &'static str, name: &'static str, about: &str, questions: Vec<Question>| {
        let mut keys = vec![];
        rows("", &questions, &mut keys);
        Entry {
            of,
            name,
            about: about.into(),
            keys,
            one_of: &[],
            directions: None,
            claims: None,
            reference: "",
            answers: &[],
            usage: None,
        }
    };
    let mut all = laws();
    for k in structure_kinds() {
        all.push(plain("structure", k.name, k.about, structure_keys(k)));
    }
    for k in drive_kinds() {
        all.push(plain("drive", k.name, k.about, drive_keys(k)));
    }
    for k in control_kinds() {
        all.push(plain("controller", k.name, k.about, control_keys(k)));
    }
    for (i, name) in FORMULATIONS.iter().enumerate() {
        let mut questions = asked_with(Some(("kind", i)), |keys| Formulation::read(keys).map(drop));
        questions.retain(|q| q.key != "kind");
        all.push(plain("formulation", name, FORMULATION_ABOUTS[i], questions));
    }
    for k in analysis_kinds() {
        let entry = plain("analysis", k.name, k.about, asked(|keys| (k.read)(keys, analysis_kinds()).map(drop)));
        all.push(Entry { answers: k.answers, ..entry });
    }
    for f in formulas() {
        let key = |input: &stickslip::analyses::Input| {
            let ask = input.ask();
            Key {
                name: input.name.into(),
                about: input.about.into(),
                unit: input.unit.into(),
                default: ask.default.map(|x| x.to_string()).unwrap_or_default(),
                expected: ask.expected().replace("(unit *)", "(its unit depends on the exponent)"),
            }
        };
        let entry = plain("contact formula", f.name, f.about, vec![]);
        let keys = f.inputs.iter().map(key).collect();
        all.push(Entry { keys, answers: f.outputs, reference: f.reference, ..entry });
    }
    all.extend(language::pages());
    all
}

/// The keys of a structure.
pub fn structure_keys(kind: &stickslip::structures::StructureKind) -> Vec<Question> {
    asked(|keys| (kind.read)(keys, &Loading::default()).map(drop))
}

/// The keys of a drive.
pub fn drive_keys(kind: &stickslip::structures::DriveKind) -> Vec<Question> {
    asked(|keys| kind.add(keys, 1, &mut Loading::default()))
}

/// The keys of a controller.
pub fn control_keys(kind: &ControlKind) -> Vec<Question> {
    asked(|keys| read_control(kind, keys, &Plant::any()).map(drop))
}

/// What a scenario may give; not what it hands on by itself.
fn params(all: &[Param]) -> Vec<Key> {
    all.iter().filter(|p| !matches!(p.shape, Shape::Inherited)).map(param).collect()
}

fn param(p: &Param) -> Key {
    let default = match p.preset {
        Preset::Required => String::new(),
        Preset::Absent => "none".into(),
        Preset::Number(x) => x.to_string(),
        Preset::Word(word) => format!("\"{word}\""),
        Preset::Same(name) => name.into(),
    };
    let expected = match p.shape {
        Shape::Shorthand(sets) => format!("{}; sets {}", p.expected(), sets.join(" and ")),
        _ => p.expected(),
    };
    let unit = if matches!(p.shape, Shape::Choice(_) | Shape::Law) { String::new() } else { p.unit.into() };
    Key { name: p.name.into(), about: p.about.into(), unit, default, expected }
}

/// Questions as rows, those inside tables with the key of the table before theirs.
fn rows(above: &str, questions: &[Question], out: &mut Vec<Key>) {
    for q in questions {
        let name = format!("{above}{}", q.key);
        let expected: Vec<String> = q.forms.iter().map(|form| expected(form, q)).collect();
        out.push(Key {
            name: name.clone(),
            about: q.about.clone(),
            unit: q.unit.clone().filter(|u| u != ANY_UNIT).unwrap_or_default(),
            default: q.default.clone().unwrap_or_default(),
            expected: expected.join("; or ").replace("(unit *)", "(unit of what varies)"),
        });
        for form in &q.forms {
            match form {
                Form::Table(inner) => rows(&format!("{name}."), inner, out),
                Form::Tables(inner) | Form::Kinds(inner) => rows(&format!("{name}[]."), inner, out),
                _ => {}
            }
        }
    }
}

fn expected(form: &Form, q: &Question) -> String {
    let number = || q.expected.clone().unwrap_or_else(|| "a number".into());
    let unit = q.unit.as_deref().unwrap_or("1");
    match form {
        Form::Number => number(),
        Form::Signal => format!("a function of time (unit {unit})"),
        Form::Signals => format!("functions of time (unit {unit}), one for each direction"),
        Form::List => format!("numbers (unit {unit})"),
        Form::Matrix => format!("rows of numbers (unit {unit})"),
        Form::Choice(words) => format!("one of {}", words.join(", ")),
        Form::Text => "a text".into(),
        Form::Texts => "a list of texts".into(),
        Form::Flag => "true or false".into(),
        Form::Table(_) => "a table".into(),
        Form::Tables(_) => "a list of tables".into(),
        Form::Kinds(_) => "a list of names or tables".into(),
        Form::Law => "a friction law".into(),
        Form::Open => "its own form".into(),
        Form::Named => "a table of names and numbers".into(),
        Form::Analysis => "a table with the `kind` and the keys of an analysis".into(),
    }
}
