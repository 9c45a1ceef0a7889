//! Names of what a controller is connected to.
use crate::{Keys, Refused};

/// One name.
pub fn one(keys: &mut dyn Keys, key: &str, about: &str) -> Result<String, Refused> {
    keys.text(key, about)?.ok_or_else(|| missing(keys, key, "a name, such as \"x\""))
}

/// One name or several; `any`: of a reading without a model.
pub fn several(keys: &mut dyn Keys, key: &str, about: &str, any: bool) -> Result<Vec<String>, Refused> {
    let names = keys.texts(key, about)?.unwrap_or_default();
    if names.is_empty() && any {
        return Ok(vec!["x".into()]);
    }
    if names.is_empty() { Err(missing(keys, key, "names, such as [\"x\", \"rate.x\"]")) } else { Ok(names) }
}

fn missing(keys: &dyn Keys, key: &str, expected: &str) -> Refused {
    keys.refuse(key, "scenario::missing", format!("a controller needs `{key}`")).expected(format!("{key}: {expected}"))
}
