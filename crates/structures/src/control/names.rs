//! Names of what a controller is connected to.
use super::{Acts, Measured, Plant};
use crate::{Keys, Refused};

/// What a loop measures, and what it acts on.
pub fn ends(keys: &mut dyn Keys, plant: &Plant) -> Result<(Measured, Acts), Refused> {
    // Both are asked for before either is missed.
    let of = keys.text("of", "What is measured: a coordinate, or `rate.<name>`")?;
    let on = keys.text("on", "What the force acts on: a coordinate, or `contact.<name>.normal`")?;
    let of = of.ok_or_else(|| missing(keys, "of", "a name, such as \"x\""))?;
    let on = on.ok_or_else(|| missing(keys, "on", "a name, such as \"x\""))?;
    Ok((plant.measured(keys, "of", &of)?, plant.acts(keys, "on", &on)?))
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
