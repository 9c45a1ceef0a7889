//! A case with other tables in it: another law, formulation or structure.
use crate::build::{Prepared, build_model};
use crate::catalogue::find;
use crate::read::law::LawTable;
use crate::read::reader::Reader;
use crate::running::first;
use crate::scenario::Scenario;
use crate::text::diagnostic::Diagnostics;
use crate::text::document::{self, Case, Setting};
use crate::text::paths::node;
use crate::text::tree::{Node, Table, Value};
use crate::units_at::axis_units::Units;
use stickslip_data::{Outcome, Value as Shown};
use stickslip_laws::GivenLaw;
use stickslip_model::{Alternative, Alternatives, Context, Model, Replacement, Replacements};
use stickslip_structures::Refused;

/// Alternatives of a case.
pub(crate) struct CaseAlternatives<'a> {
    pub scenario: &'a Scenario,
    pub case: &'a Case,
}

impl CaseAlternatives<'_> {
    fn put(&self, root: &mut Table, path: &str, with: &Replacement) -> Result<(), Diagnostics> {
        let folder = &self.scenario.folder;
        let there = |path: &str| node(&self.case.root, path).cloned();
        let set = |root: &mut Table, value: Value| Setting::new(path, "..", value, folder).apply(root);
        match with {
            Replacement::Absent => {
                root.remove(path);
                Ok(())
            }
            Replacement::Number(x) => set(root, Value::Number(*x)),
            Replacement::Numbers(list) => {
                let number = |x: &f64| Setting::new(path, &format!("{x}"), Value::Number(*x), folder).value;
                set(root, Value::List(list.iter().map(number).collect()))
            }
            Replacement::Example(law) => set(root, Value::Table(self.example_table(law)?)),
            Replacement::Copy(from, name) => match there(from) {
                Some(node) if node.as_table().is_some() => replace(root, path, node),
                Some(node) => {
                    let key_at = node.at.clone();
                    let entry = crate::text::tree::Entry { key: (*name).into(), key_at: key_at.clone(), node };
                    replace(root, path, Node { value: Value::Table(Table(vec![entry])), at: key_at })
                }
                None => Ok(()),
            },
            Replacement::Merge(from) => {
                let (Some(Node { value: Value::Table(mut over), .. }), Some(entry)) = (there(from), root.get_mut(path))
                else {
                    return Ok(());
                };
                // Its name belongs to the comparison.
                over.remove("name");
                if let Value::Table(old) = &mut entry.value {
                    match document::same_kind(old, &over) {
                        true => document::merge(old, over),
                        false => *old = over,
                    }
                }
                Ok(())
            }
        }
    }

    /// The example of a law as a table.
    fn example_table(&self, law: &str) -> Result<Table, Diagnostics> {
        let kinds = &self.scenario.catalogue.frictions;
        let parameters = kinds.iter().find(|k| k.name == law).and_then(|k| k.example).map_or("", |e| e.parameters);
        let text = format!("friction={{ law = '{law}', {parameters} }}").replace(",  }", " }");
        match Setting::parse(&text, &self.scenario.folder)?.value.value {
            Value::Table(table) => Ok(table),
            _ => Ok(Table::default()),
        }
    }

    /// Reads the model with a table of the analysis laid over another.
    pub fn check(&self, path: &str, from: String) -> Result<(), Diagnostics> {
        let mut case = self.case.clone();
        self.put(&mut case.root, path, &Replacement::Merge(from))?;
        build_model(self.scenario, &case, None, (None, &Units::new())).map(drop)
    }

    fn changed(&self, replacements: &Replacements) -> Result<Case, Refused> {
        let mut case = self.case.clone();
        for (path, with) in replacements {
            self.put(&mut case.root, path, with).map_err(|all| first(&all))?;
        }
        Ok(case)
    }
}

/// Puts a node at a path, whose places stay those of its own text.
fn replace(root: &mut Table, path: &str, node: Node) -> Result<(), Diagnostics> {
    let at = node.at.clone();
    crate::text::paths::assign(root, path, &at, node, false)
        .map_err(|(message, hint)| at.diagnostic("scenario::unknown-path", message).hint(hint).into())
}

impl Alternatives for CaseAlternatives<'_> {
    fn example(&self, law: &str) -> Result<GivenLaw, String> {
        let table = self.example_table(law).map_err(|all| first(&all).message)?;
        let root = Table::default();
        let Scenario { file, folder, catalogue, .. } = self.scenario;
        let reading = crate::context::Reading::new(&root, file, folder, catalogue);
        let what = ("law::unknown", "friction law");
        let kind = *find(&catalogue.frictions, |k| k.name, law, "law".into(), what).map_err(|e| e.message)?;
        let keys = Reader::new(&reading, &table, "friction".into());
        let law = LawTable {
            reading: &reading,
            table: keys.table,
            path: keys.path.clone(),
            params: kind.params,
            one_of: kind.one_of,
            fill: None,
            depth: 0,
        };
        let (values, _) = law.read(&[]).map_err(|e| e.message)?;
        Ok(GivenLaw { kind, values })
    }

    fn written(&self, path: &str) -> Option<Shown> {
        shown(node(&self.case.root, path)?)
    }

    fn model(&self, replacements: &Replacements) -> Result<Model, Refused> {
        let case = self.changed(replacements)?;
        let built = build_model(self.scenario, &case, None, (None, &Units::new()));
        built.map(|(model, ..)| model).map_err(|all| first(&all))
    }

    fn scenario(&self, replacements: &Replacements) -> Result<Box<dyn Alternative>, Refused> {
        let mut case = self.changed(replacements)?;
        if let Some(each) = node(&case.root, "analysis.each").cloned() {
            replace(&mut case.root, "analysis", each).map_err(|all| first(&all))?;
        }
        let scenario = self.scenario.with_case(case);
        let mut prepared = scenario.prepare().map_err(|all| first(&all))?;
        let none = || Refused::new("case", "scenario::missing", "there is no such case");
        let prepared = prepared.pop().ok_or_else(none)?;
        Ok(Box::new(Changed { scenario, prepared }))
    }
}

/// A case in which something is replaced, ready to run.
struct Changed {
    scenario: Scenario,
    prepared: Prepared,
}

impl Alternative for Changed {
    fn model(&self) -> &Model {
        &self.prepared.model
    }

    fn written(&self, path: &str) -> Option<Shown> {
        let root = &self.scenario.cases.first()?.root;
        // A list of one contact needs no index.
        let first = || node(root, &path.replacen("contact.", "contact[0].", 1));
        shown(node(root, path).or_else(first)?)
    }

    fn run(&self, context: &Context) -> Outcome {
        self.scenario.run_alternative(&self.prepared, context)
    }
}

/// A value as a result shows it.
fn shown(node: &Node) -> Option<Shown> {
    Some(match &node.value {
        Value::Text(text) => Shown::Text(text.clone()),
        Value::Number(x) => Shown::Number(*x),
        Value::Flag(flag) => Shown::Flag(*flag),
        Value::Date => return None,
        Value::Table(table) => Shown::Record(record(table)?),
        Value::List(list) => {
            let all: Vec<Shown> = list.iter().map(shown).collect::<Option<_>>()?;
            let numbers = all.iter().map(|v| if let Shown::Number(x) = v { Some(*x) } else { None });
            let texts = all.iter().map(|v| if let Shown::Text(x) = v { Some(x.clone()) } else { None });
            let rows = all.iter().map(|v| if let Shown::List(x) = v { Some(x.clone()) } else { None });
            let records = all.iter().map(|v| if let Shown::Record(x) = v { Some(x.clone()) } else { None });
            if let Some(numbers) = numbers.collect() {
                Shown::List(numbers)
            } else if let Some(texts) = texts.collect() {
                Shown::Texts(texts)
            } else if let Some(rows) = rows.collect() {
                Shown::Rows(rows)
            } else {
                Shown::Records(records.collect::<Option<_>>()?)
            }
        }
    })
}

fn record(table: &Table) -> Option<Vec<(String, Shown)>> {
    table.0.iter().map(|e| Some((e.key.clone(), shown(&e.node)?))).collect()
}
