//! Friction laws, drawn from their own declarations: the example varied within the declared ranges.
use crate::dimension::{Scale, si};
use crate::item::{Item, number, plain, table, word};
use crate::random::Random;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::OnceLock;
use stickslip::laws::{Bound, FrictionKind, Param, Preset, Shape, Side, friction_kinds};
use stickslip::prelude::{Context, Scenario};
use stickslip::units::{Dimension, quantity, unit, unit_with};

/// Where a law is at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nominal {
    /// Normal force N, or pressure.
    pub load: f64,
    /// Largest friction in a slide.
    pub force: f64,
    /// m/s.
    pub speed: f64,
    /// m.
    pub slip: f64,
}

impl Nominal {
    /// Units in which its numbers are about one.
    pub fn scale(&self) -> Scale {
        let time = self.slip / self.speed;
        Scale { mass: self.force * time * time / self.slip, length: self.slip, time }
    }
}

/// Where a kind is at work, measured once on its example.
pub fn nominal(kind: &FrictionKind) -> Nominal {
    static ALL: OnceLock<HashMap<&'static str, Nominal>> = OnceLock::new();
    let all = ALL.get_or_init(|| friction_kinds().iter().map(|k| (k.name, measured(k))).collect());
    all.get(kind.name).copied().unwrap_or_else(|| measured(kind))
}

fn measured(kind: &FrictionKind) -> Nominal {
    let Some(example) = kind.example else { return Nominal { load: 1.0, force: 0.3, speed: 0.1, slip: 0.01 } };
    let given = if kind.claims.traction { "pressure" } else { "force" };
    let text = format!(
        "structure = {{ kind = 'point' }}\ndrive = {{ kind = 'program', steps = [{{ slide = {:?}, velocity = {:?} }}] }}\n\
         analysis = {{ kind = 'hysteresis', rtol = 1e-5, max_steps = 20000 }}\n[contact]\n\
         normal = {{ law = 'constant', {given} = {:?} }}\nfriction = {{ law = '{}', {} }}\n",
        10.0 * example.slip,
        example.speed,
        example.load,
        kind.name,
        example.parameters,
    );
    let run = Scenario::from_text("nominal", &text, &[]).and_then(|s| s.run(&Context::default()));
    let force = run.ok().and_then(|run| run.plain()?.number("force_max")).filter(|f| f.is_finite() && *f > 0.0);
    let force = force.unwrap_or(0.3 * example.load);
    Nominal { load: example.load, force, speed: example.speed, slip: example.slip }
}

/// A law and where it is at work.
pub struct DrawnLaw {
    /// The table in a scenario.
    pub item: Item,
    /// Its kind.
    pub kind: &'static FrictionKind,
    /// Where it is at work.
    pub nominal: Nominal,
    /// Names of all kinds in it.
    pub names: Vec<&'static str>,
}

/// The parameters of an example, and those of them that are exponents in units of others.
pub fn example(params: &'static [Param], text: &str) -> (toml::Table, HashMap<&'static str, f64>) {
    let given: toml::Table = format!("x = {{ {text} }}").parse().unwrap_or_default();
    let given = given.get("x").and_then(|x| x.as_table()).cloned().unwrap_or_default();
    let exponents = exponents(params, &given);
    (given, exponents)
}

/// The parameters of a kind other than laws inside it: those of the example varied, some of the others added.
/// `wraps`: sizes come from the law inside.
pub fn parameters(
    (params, one_of): (&'static [Param], &[&str]),
    text: &str,
    wraps: bool,
    scale: &Scale,
    item: &mut Item,
    random: &Random,
) {
    let (given, exponents) = example(params, text);
    for p in params.iter().filter(|p| p.shape != Shape::Law) {
        let found = unit_with(p.unit, &|name| exponents.get(name).copied()).map_or(Dimension::NONE, |u| u.dimension);
        let unit = if found.angle != 0.0 { p.unit.to_string() } else { si(found) };
        let drawn = match given.get(p.name) {
            Some(value) => vary(p, value, &unit, (!exponents.contains_key(p.name)).then_some(wraps), scale, random),
            // A default with a unit is written out: in other units it would be another number.
            None if exponents.contains_key(p.name) => None,
            None if matches!(p.preset, Preset::Number(x) if x != 0.0 && unit != "1") || random.chance(0.2) => {
                optional(p, one_of, &unit, scale, random)
            }
            None => None,
        };
        if let Some(value) = drawn {
            item.set(p.name, value);
        }
    }
    keep_in_range(params, item, random);
}

/// Draws a law of a kind; laws inside it are chosen by `inner`.
pub fn draw_law(kind: &'static FrictionKind, inner: &dyn Fn(&FrictionKind) -> bool, random: &Random) -> DrawnLaw {
    let mut drawn =
        DrawnLaw { item: table([("law", word(kind.name))]), kind, nominal: nominal(kind), names: vec![kind.name] };
    let text = kind.example.map_or("", |e| e.parameters);
    let (given, _) = example(kind.params, text);
    // Laws inside come first: they say where the whole is at work.
    for p in kind.params.iter().filter(|p| p.shape == Shape::Law) {
        let law = match given.get(p.name).and_then(|x| x.as_table()) {
            Some(t) if random.chance(0.3) => t.get("law").and_then(|l| l.as_str()).and_then(FrictionKind::named),
            _ => None,
        };
        let kinds: Vec<&'static FrictionKind> = friction_kinds().iter().filter(|k| inner(k)).collect();
        let law = law.unwrap_or_else(|| *random.of(&kinds));
        let law = draw_law(law, &|k| inner(k) && !has_law(k), random);
        drawn.nominal = law.nominal;
        drawn.names.extend(&law.names);
        drawn.item.set(p.name, law.item);
    }
    let scale = drawn.nominal.scale();
    parameters((kind.params, kind.one_of), text, has_law(kind), &scale, &mut drawn.item, random);
    drawn
}

/// Whether a law holds others.
pub fn has_law(kind: &FrictionKind) -> bool {
    kind.params.iter().any(|p| p.shape == Shape::Law)
}

/// Parameters that are exponents in units of others: they are not varied, or the others would change by orders.
fn exponents(params: &[Param], given: &toml::Table) -> HashMap<&'static str, f64> {
    let written = |name: &str| given.get(name).and_then(|x| x.as_float().or(x.as_integer().map(|i| i as f64)));
    let value = |p: &Param| match p.preset {
        Preset::Number(x) => written(p.name).unwrap_or(x),
        Preset::Same(other) => written(p.name).or(written(other)).unwrap_or(1.0),
        _ => written(p.name).unwrap_or(1.0),
    };
    let named = |p: &&Param| {
        params.iter().any(|q| {
            let used = Cell::new(false);
            let _ = unit_with(q.unit, &|name| {
                used.set(used.get() || name == p.name);
                Some(1.0)
            });
            used.get()
        })
    };
    params.iter().filter(named).map(|p| (p.name, value(p))).collect()
}

/// A value of the example, varied. `free`: None keeps it, Some(true) takes its size from the law inside.
fn vary(
    p: &Param,
    value: &toml::Value,
    unit: &str,
    free: Option<bool>,
    scale: &Scale,
    random: &Random,
) -> Option<Item> {
    let vary_number = |x: f64| match free {
        None => x,
        Some(true) if unit != "1" => scale.of(unit) * random.factor(0.03, 0.5),
        _ if random.chance(0.25) || p.preset == Preset::Absent => x,
        _ => x * random.factor(0.5, 2.0),
    };
    Some(match (&p.shape, value) {
        (Shape::Choice(words), _) => word(words[random.below(words.len())]),
        (Shape::Number | Shape::Shorthand(_) | Shape::List, toml::Value::Array(list)) => {
            Item::List(list.iter().filter_map(quantity_of).map(|(x, _)| number(vary_number(x), unit)).collect())
        }
        (Shape::Number | Shape::Shorthand(_) | Shape::List, value) => {
            let (x, _) = quantity_of(value)?;
            // Whole numbers count something.
            let whole = free.is_some() && unit == "1" && x.fract() == 0.0 && x > 1.0;
            number(
                if whole { (x * 0.5 + random.below(x as usize + 1) as f64).floor().max(1.0) } else { vary_number(x) },
                unit,
            )
        }
        (_, value) => as_written(value, random),
    })
}

/// A value without a declared unit, such as the parameters of a formula: its own unit, varied a little.
fn as_written(value: &toml::Value, random: &Random) -> Item {
    match value {
        toml::Value::Table(t) => Item::Table(t.iter().map(|(k, v)| (k.clone(), as_written(v, random))).collect()),
        toml::Value::Array(list) => Item::List(list.iter().map(|v| as_written(v, random)).collect()),
        toml::Value::Boolean(yes) => Item::Flag(*yes),
        value => match quantity_of(value) {
            Some((x, unit)) => number(x * random.factor(0.9, 1.1), &unit),
            None => word(value.as_str().unwrap_or_default()),
        },
    }
}

/// A number with or without a unit, in SI, and its unit.
fn quantity_of(value: &toml::Value) -> Option<(f64, String)> {
    match value {
        toml::Value::Integer(i) => Some((*i as f64, "1".into())),
        toml::Value::Float(x) => Some((*x, "1".into())),
        toml::Value::String(text) => {
            let q = quantity(text).ok()?;
            // Cycles stay cycles: a bare number of a key in Hz counts them.
            if text.ends_with("Hz") {
                return Some((unit("Hz").ok().and_then(|hz| q.expect(&hz).ok())?, "Hz".into()));
            }
            Some((q.value, si(q.dimension)))
        }
        _ => None,
    }
}

/// A parameter that the example leaves out.
fn optional(p: &Param, one_of: &[&str], unit: &str, scale: &Scale, random: &Random) -> Option<Item> {
    if one_of.contains(&p.name) || p.column.is_some() {
        return None;
    }
    match (p.shape, p.preset) {
        (Shape::Choice(words), _) => Some(word(words[random.below(words.len())])),
        (Shape::Number, Preset::Number(0.0)) => {
            let size = if unit == "1" { 0.3 } else { scale.of(unit) };
            Some(number(size * random.factor(0.03, 0.5), unit))
        }
        (Shape::Number, Preset::Number(x)) => Some(number(x * random.factor(0.6, 1.6), unit)),
        (Shape::Number, Preset::Required) => Some(plain(0.3)),
        _ => None,
    }
}

/// Moves numbers into their ranges, also those that compare two parameters.
fn keep_in_range(params: &[Param], item: &mut Item, random: &Random) {
    for p in params {
        for Bound { side, limit } in p.bounds {
            let part = random.between(0.02, 0.5);
            let limits: Vec<f64> = match limit {
                Preset::Number(x) => vec![*x],
                Preset::Same(other) => numbers(item.get(other)),
                _ => continue,
            };
            let Some(value) = item.get_mut(p.name) else { continue };
            let mut i = 0;
            value.each_number(&mut |x, _| {
                let Some(&limit) = limits.get(i).or(limits.last()) else { return };
                i += 1;
                *x = match side {
                    Side::Min => x.max(limit),
                    Side::Max => x.min(limit),
                    Side::Above if *x <= limit => limit + part * limit.abs().max(0.1),
                    Side::Below if *x >= limit => limit - part * limit.abs().max(0.1),
                    _ => *x,
                };
            });
        }
    }
}

fn numbers(item: Option<&Item>) -> Vec<f64> {
    let mut all = vec![];
    if let Some(item) = item {
        item.clone().each_number(&mut |x, _| all.push(*x));
    }
    all
}
