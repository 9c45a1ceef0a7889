//! `schema`: a JSON Schema of scenario files, for editors. Made from the kinds themselves.
use crate::catalogue::{control_keys, drive_keys, structure_keys};
use crate::dry_run::OPEN;
use crate::output::data;
use crate::questions::{Form, Question, asked};
use serde_json::{Map, Value as Json, json};
use std::process::ExitCode;
use stickslip::analyses::{Formulation, analysis_kinds};
use stickslip::laws::{Param, Shape, friction_kinds, normal_kinds};
use stickslip::structures::{control_kinds, drive_kinds, structure_kinds};

/// Prints the schema.
pub fn schema() -> ExitCode {
    data(&format!("{:#}\n", document())).err().unwrap_or(ExitCode::SUCCESS)
}

/// Keys that are needed are reported in descriptions only: an included file may hold them.
fn document() -> Json {
    let several = |name: &str| {
        let one = reference(name);
        json!({ "anyOf": [one, { "type": "array", "items": one }] })
    };
    let formulation = asked(|keys| Formulation::read(keys).map(drop));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Stickslip scenario",
        "type": "object",
        "properties": {
            "include": { "type": "string", "description": "File to start from; this one wins" },
            "title": { "type": "string" },
            "seed": { "type": "integer", "minimum": 0, "description": "Seed of all random numbers" },
            "parameters": { "type": "object", "additionalProperties": reference("quantity") },
            "structure": reference("structure"),
            "contact": several("contact"),
            "drive": several("drive"),
            "control": several("control"),
            "start": reference("start"),
            "formulation": object(properties(&formulation)),
            "analysis": reference("analysis"),
            "output": reference("output"),
            "case": { "type": "array", "items": object(map(json!({
                "name": { "type": "string" },
                "set": { "type": "object", "description": "Values by path" },
            }))) },
        },
        "additionalProperties": false,
        "anyOf": [{ "required": ["include"] }, { "required": ["analysis"] }],
        "$defs": {
            "quantity": { "type": ["number", "string"], "description": "A number (SI), or a text with a unit" },
            "signal": { "type": ["number", "string", "object", "array"], "description": "A function of time" },
            "structure": kinds("kind", structure_kinds().iter().map(|k| {
                (k.name, k.about, properties(&structure_keys(k)))
            })),
            "drive": kinds("kind", drive_kinds().iter().map(|k| (k.name, k.about, properties(&drive_keys(k))))),
            "control": kinds("kind", control_kinds().iter().map(|k| (k.name, k.about, properties(&control_keys(k))))),
            "analysis": kinds("kind", analysis_kinds().iter().map(|k| {
                (k.name, k.about, properties(&asked(|keys| (k.read)(keys, analysis_kinds()).map(drop))))
            })),
            "friction": kinds("law", friction_kinds().iter().map(|k| (k.name, k.about, params(k.params)))),
            "normal": kinds("law", normal_kinds().iter().map(|k| {
                let mut keys = params(k.params);
                if k.claims.given {
                    keys.insert("force".into(), reference("signal"));
                    keys.insert("pressure".into(), reference("signal"));
                }
                (k.name, k.about, keys)
            })),
            "contact": contact(),
            "start": start(),
            "output": output(),
        },
    })
}

fn contact() -> Json {
    object(map(json!({
        "name": { "type": "string", "description": "Name; needed where there are several" },
        "tangent": { "type": "array", "description": "Row of the slip velocity on the rates" },
        "normal_direction": { "type": "array", "description": "Row of the gap on the coordinates" },
        "on": { "type": "string", "description": "Boundary of a body" },
        "quadrature": { "type": "string", "description": "Rule on a boundary: simpson, trapezoid, gauss-3, .." },
        "gap": reference("quantity"),
        "area": reference("quantity"),
        "mass": reference("quantity"),
        "directions": { "enum": [1, 2], "description": "Tangential directions" },
        "loads": {
            "description": "Part of the load that each point of a chain carries: a list, or a formula in i, 1 for the first",
            "anyOf": [reference("quantity"), { "type": "array", "items": reference("quantity") }],
        },
        "normal": reference("normal"),
        "friction": reference("friction"),
    })))
}

fn start() -> Json {
    let named = || json!({ "type": "object", "description": "Numbers by name" });
    let groups = || map(json!({ "values": named(), "rates": named(), "states": named() }));
    let mut keys = groups();
    keys.insert("state".into(), json!({ "enum": ["rest", "stuck", "steady-sliding", "static", "values"] }));
    keys.insert("scale".into(), object(groups()));
    keys.insert("add".into(), object(groups()));
    object(keys)
}

fn output() -> Json {
    let probe = object(map(json!({
        "quantity": { "type": "string", "description": "A coordinate, rate.<name>, state.<name>, friction, .." },
        "contact": { "type": "string" },
        "at": { "anyOf": [reference("quantity"), { "type": "array", "items": reference("quantity") }] },
        "over": { "enum": ["settled", "run"] },
        "point": { "type": "array", "items": reference("quantity"), "description": "Place in a body" },
        "name": { "type": "string", "description": "Name of the value" },
    })));
    object(map(json!({
        "events": { "type": "boolean" },
        "all_rows": { "type": "boolean" },
        "fields": { "type": "boolean" },
        "sampling": reference("quantity"),
        "spectra": { "type": "array", "items": object(map(json!({
            "of": { "type": "string", "description": "Quantity whose power density is wanted" },
            "from": { "type": "string", "description": "Quantity that it answers" },
        }))) },
        "probes": { "type": "array", "items": probe },
    })))
}

fn map(value: Json) -> Map<String, Json> {
    match value {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn object(properties: Map<String, Json>) -> Json {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// Tables that name their kind under `key`, and have the keys of that kind.
fn kinds(key: &str, all: impl Iterator<Item = (&'static str, &'static str, Map<String, Json>)>) -> Json {
    let (mut names, mut rules) = (vec![], vec![]);
    for (name, about, mut keys) in all {
        names.push(name);
        keys.insert(key.into(), json!({ "const": name, "description": about }));
        let is = json!({ "properties": { key: { "const": name } }, "required": [key] });
        rules.push(json!({ "if": is, "then": object(keys) }));
    }
    json!({ "type": "object", "properties": { key: { "enum": names } }, "allOf": rules })
}

/// A table with these keys; one of a friction law has those of the law.
fn table(keys: &[Question]) -> Json {
    let has = |form: Form| keys.iter().any(|q| q.forms.contains(&form));
    match (has(Form::Law), has(Form::Open)) {
        (true, _) => reference("friction"),
        (_, true) => {
            let mut properties = properties(keys);
            properties.remove(OPEN);
            json!({ "type": "object", "properties": properties })
        }
        _ => object(properties(keys)),
    }
}

fn properties(questions: &[Question]) -> Map<String, Json> {
    questions.iter().map(|q| (q.key.clone(), property(q))).collect()
}

fn property(q: &Question) -> Json {
    let mut forms: Vec<Json> = q.forms.iter().map(form).collect();
    let mut schema = match forms.len() {
        1 => map(forms.remove(0)),
        _ => map(json!({ "anyOf": forms })),
    };
    let mut about = q.about.clone();
    for part in [q.expected.clone(), q.default.as_ref().map(|d| format!("{d} by default"))].into_iter().flatten() {
        about = format!("{about}; {part}");
    }
    schema.insert("description".into(), json!(if q.required { format!("{about}; needed") } else { about }));
    Json::Object(schema)
}

fn form(form: &Form) -> Json {
    let list = |item: Json| json!({ "anyOf": [item, { "type": "array", "items": item }] });
    match form {
        Form::Number => reference("quantity"),
        Form::Signal | Form::Signals => reference("signal"),
        Form::List => list(reference("quantity")),
        Form::Matrix => json!({ "type": "array", "items": { "type": "array", "items": reference("quantity") } }),
        Form::Choice(words) => json!({ "enum": words }),
        Form::Text => json!({ "type": "string" }),
        Form::Texts => list(json!({ "type": "string" })),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Table(keys) => object(properties(keys)),
        Form::Tables(keys) => list(table(keys)),
        Form::Kinds(keys) => list(json!({ "anyOf": [{ "type": "string" }, table(keys)] })),
        Form::Law => json!({ "type": "string" }),
        Form::Open => json!({}),
        Form::Named => json!({ "type": "object" }),
        Form::Analysis => reference("analysis"),
    }
}

fn shape(shape: Shape) -> Json {
    match shape {
        Shape::Choice(words) => json!({ "enum": words }),
        Shape::List => form(&Form::List),
        Shape::Number | Shape::Shorthand(_) | Shape::Quantity => reference("quantity"),
        Shape::Text => json!({ "type": ["string", "number"] }),
        // A file, or its rows as a resolved scenario shows them.
        Shape::File(_) => json!({ "type": ["string", "array"] }),
        Shape::Rows(_) => json!({ "type": "array", "items": { "type": "array" } }),
        Shape::Named(value) => {
            let mut schema = map(json!({ "type": "object" }));
            schema.insert("additionalProperties".into(), self::shape(value.shape));
            Json::Object(schema)
        }
        Shape::Record(keys) => object(params(keys)),
        Shape::Inherited => json!({}),
        Shape::Law => reference("friction"),
    }
}

fn params(params: &[Param]) -> Map<String, Json> {
    let mut keys = Map::new();
    for p in params.iter().filter(|p| p.shape != Shape::Inherited) {
        let mut schema = map(shape(p.shape));
        schema.insert("description".into(), json!(format!("{} {}", p.about.trim_end(), p.expected())));
        keys.insert(p.name.into(), Json::Object(schema));
        if let Some(column) = p.column {
            keys.insert(column.into(), json!({ "type": "array", "items": { "type": "object" } }));
        }
    }
    keys
}
