//! A contact formula at given inputs.
use super::{Column, pick};
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_formulas::{Formula, formulas};
use stickslip_laws::nearest;
use stickslip_model::Context;
use stickslip_structures::{ANY_UNIT, Ask, Keys, Refused};

/// A formula, and what it is given: a list for each input, empty for its default.
#[derive(Clone)]
pub struct Called {
    formula: &'static Formula,
    lists: Vec<Vec<f64>>,
}

impl Called {
    /// The formula of that name with its inputs.
    pub fn read(name: &str, keys: &mut dyn Keys) -> Result<Called, Refused> {
        let formula = formulas().iter().find(|f| f.name == name);
        let mut lists = vec![vec![]; formula.map_or(0, |f| f.inputs.len())];
        // Inputs are asked for before an unknown formula is refused: what may be written does not depend on its name.
        keys.named("inputs", "Inputs of the formula, each a number or a list", &mut |key, k| {
            let Some(formula) = formula else { return k.list(Ask::new(key, ANY_UNIT, "")).map(drop) };
            let Some(i) = formula.inputs.iter().position(|input| input.name == key) else {
                let names: Vec<&str> = formula.inputs.iter().map(|i| i.name).collect();
                let message = format!("`{}` has no input `{key}`", formula.name);
                let e =
                    k.refuse(key, "analysis::unknown-name", message).expected(format!("one of {}", names.join(", ")));
                let near = nearest(key, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
                return Err(e.hint(
                    near.unwrap_or_else(|| format!("`stickslip explain {}` lists what they are", formula.name)),
                ));
            };
            lists[i] = k.list(formula.inputs[i].ask())?;
            Ok(())
        })?;
        let Some(formula) = formula else {
            let e =
                keys.refuse("function", "analysis::unknown-function", format!("unknown contact formula \"{name}\""));
            let names: Vec<&str> = formulas().iter().map(|f| f.name).collect();
            let near = nearest(name, names.iter().copied()).map(|n| format!("did you mean \"{n}\"?"));
            let e = e.expected(format!("one of {}", names.join(", ")));
            return Err(e.hint(near.unwrap_or_else(|| "`stickslip explain` lists them".into())));
        };
        for (input, list) in formula.inputs.iter().zip(&lists) {
            if list.is_empty() && input.ask().default.is_none() {
                let message = format!("the input `{}` of `{}` is missing", input.name, formula.name);
                let e = keys.refuse(&format!("inputs.{}", input.name), "analysis::missing", message);
                return Err(e.expected(format!("{}: {}, {}", input.name, input.about, input.ask().expected())));
            }
        }
        Ok(Called { formula, lists })
    }

    fn rows(&self) -> usize {
        self.lists.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }

    /// Lists of different lengths.
    pub fn refuse(&self) -> Option<Refused> {
        let rows = self.rows();
        let (input, list) =
            self.formula.inputs.iter().zip(&self.lists).find(|(_, l)| l.len() > 1 && l.len() != rows)?;
        let text = format!("`{}` has {} entries, another input {rows}", input.name, list.len());
        Some(Refused::new(format!("analysis.inputs.{}", input.name), "analysis::shape", text))
    }

    /// Units that follow from another input; none where that is a list.
    pub fn units(&self) -> Vec<(String, String)> {
        let one = |input: &stickslip_formulas::Input| {
            let (base, exponent) = input.power?;
            let i = self.formula.inputs.iter().position(|other| other.name == exponent)?;
            let [power] = self.lists[i][..] else { return None };
            Some((format!("inputs.{}", input.name), format!("{base}^{power}")))
        };
        self.formula.inputs.iter().filter_map(one).collect()
    }

    /// All outputs, a list each.
    pub fn run(&self, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let outputs = self.formula.outputs;
        let mut columns: Vec<Column> = outputs.iter().map(|o| (o.name.into(), o.unit.into(), vec![])).collect();
        for k in 0..self.rows() {
            let given = |(input, list): (&stickslip_formulas::Input, &Vec<f64>)| {
                pick(list, k, input.ask().default.unwrap_or(f64::NAN))
            };
            let x: Vec<f64> = self.formula.inputs.iter().zip(&self.lists).map(given).collect();
            let answer = (self.formula.compute)(&x).and_then(|all| {
                let wrong = outputs.iter().zip(&all).find(|(_, y)| !y.is_finite());
                wrong.map_or(Ok(all.clone()), |(o, y)| Err(format!("`{}` = {y} at these inputs", o.name)))
            });
            match answer {
                Ok(all) => columns.iter_mut().zip(all).for_each(|(column, y)| column.2.push(y)),
                Err(reason) => {
                    let row = if self.rows() > 1 { format!(" (entry {k} of the inputs)") } else { String::new() };
                    out.worsen(Status::Failed, format!("{}: {reason}{row}", self.formula.name));
                    return out;
                }
            }
        }
        if self.rows() > 1 && !context.output.brief {
            let mut table = Table::new("evaluate");
            for (input, list) in self.formula.inputs.iter().zip(&self.lists).filter(|(_, l)| l.len() > 1) {
                table.push(input.name, if input.unit == ANY_UNIT { "" } else { input.unit }, list.clone());
            }
            for (name, unit, list) in
                columns.iter().filter(|c| table.column(&c.0).is_none()).cloned().collect::<Vec<_>>()
            {
                table.push(name, unit, list);
            }
            out.tables.push(table);
        }
        for (name, unit, list) in columns {
            out.set(&name, Value::List(list), &unit);
        }
        out
    }
}

impl std::fmt::Debug for Called {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Called").field("function", &self.formula.name).field("lists", &self.lists).finish()
    }
}
