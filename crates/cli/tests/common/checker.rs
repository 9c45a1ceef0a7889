//! As much of JSON Schema as the schema of scenarios uses.
use serde_json::Value as Json;

/// What is wrong with a value, each with its place.
pub fn errors(root: &Json, schema: &Json, value: &Json, at: &str) -> Vec<String> {
    let mut wrong = vec![];
    let mut fail = |what: String| wrong.push(format!("{at}: {what}"));
    let fits = |schema: &Json| errors(root, schema, value, at).is_empty();
    let mut inner = vec![];
    for (word, rule) in schema.as_object().expect("a schema is an object") {
        let list = || rule.as_array().map_or(&[] as &[Json], |l| l);
        match word.as_str() {
            "$schema" | "$defs" | "title" | "description" | "then" | "properties" => {}
            "$ref" => inner.extend(errors(root, root.pointer(&rule.as_str().unwrap()[1..]).unwrap(), value, at)),
            "type" => {
                let names = if rule.is_array() { list() } else { std::slice::from_ref(rule) };
                if !names.iter().any(|t| is(value, t.as_str().unwrap())) {
                    fail(format!("{value} is not {rule}"));
                }
            }
            "const" if value != rule => fail(format!("{value} is not {rule}")),
            "enum" if !list().contains(value) => fail(format!("{value} is not in {rule}")),
            "const" | "enum" => {}
            "minimum" => assert_eq!(rule, 0),
            "required" => {
                for key in list().iter().filter(|k| value.get(k.as_str().unwrap()).is_none()) {
                    fail(format!("{key} is missing"));
                }
            }
            "additionalProperties" => {
                for (key, v) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(key).is_none() {
                        match rule {
                            Json::Bool(_) => fail(format!("unknown key {key}")),
                            rule => inner.extend(errors(root, rule, v, &format!("{at}.{key}"))),
                        }
                    }
                }
            }
            "items" => {
                for (i, v) in value.as_array().into_iter().flatten().enumerate() {
                    inner.extend(errors(root, rule, v, &format!("{at}[{i}]")));
                }
            }
            "anyOf" if !list().iter().any(fits) => fail(format!("{value} fits none of {rule}")),
            "anyOf" => {}
            "allOf" => list().iter().for_each(|s| inner.extend(errors(root, s, value, at))),
            "if" if fits(rule) => inner.extend(errors(root, &schema["then"], value, at)),
            "if" => {}
            other => panic!("the checker does not know `{other}`"),
        }
    }
    for (key, rule) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
        if let Some(v) = value.get(key) {
            inner.extend(errors(root, rule, v, &format!("{at}.{key}")));
        }
    }
    wrong.extend(inner);
    wrong
}

fn is(value: &Json, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        other => panic!("no type is named `{other}`"),
    }
}
