//! Any mass, damping and stiffness matrices.
use crate::{Ask, Keys, Loading, Refused, Structure};

pub const NAME: &str = "lumped";
pub const ABOUT: &str = "Any system of masses, dampers and springs: M q'' + C q' + K q = F(t) + contact forces.

The contacts say by their rows which combination of rates slips. Forces that follow the position and store nothing, as those of \
reduced brake models, stand in `circulatory`, which is added to K; those of spinning parts in `gyroscopic`, added to C.";

/// Entries that should be one agree to this part where they are typed.
const WRITTEN: f64 = 1e-9;
/// And to this part of the diagonal beside them where a program has assembled them: what it sums there rounds.
const ASSEMBLED: f64 = 1e-12;

pub fn size(keys: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(keys.matrix(Ask::new("mass", "kg", "Mass matrix, symmetric and positive definite"), 0)?.len())
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let mass = square(keys, Ask::new("mass", "kg", "Mass matrix, symmetric and positive definite"), None)?;
    let n = mass.len();
    let mut damping = square(keys, Ask::new("damping", "N s/m", "Damping matrix").or(0.0), Some(n))?;
    let mut stiffness = square(keys, Ask::new("stiffness", "N/m", "Stiffness matrix").or(0.0), Some(n))?;
    let circulatory = Ask::new("circulatory", "N/m", "Matrix of forces that follow the position, of any form").or(0.0);
    let circulatory = keys.has(circulatory.key).then(|| square(keys, circulatory, Some(n))).transpose()?;
    let gyroscopic = Ask::new("gyroscopic", "N s/m", "Matrix of forces across the velocity, antisymmetric").or(0.0);
    let gyroscopic = keys.has(gyroscopic.key).then(|| square(keys, gyroscopic, Some(n))).transpose()?;
    let names = keys.texts("coordinates", "Names of the coordinates; q1, q2, .. by default")?;
    let coordinates = names.unwrap_or_else(|| (1..=n).map(|i| format!("q{i}")).collect());
    if coordinates.len() != n {
        let message = format!("{} names for {n} coordinates", coordinates.len());
        return Err(keys.refuse("coordinates", "structure::shape", message).expected(format!("{n} names")));
    }
    let turning = keys
        .texts("angles", "Names of the coordinates that are angles, rad; the others are lengths")?
        .unwrap_or_default();
    if let Some(name) = turning.iter().find(|name| !coordinates.contains(name)) {
        let e = keys.refuse("angles", "structure::unknown", format!("there is no coordinate `{name}`"));
        return Err(e.expected(format!("some of {}", coordinates.join(", "))));
    }
    let angles = match turning.is_empty() {
        true => vec![],
        false => coordinates.iter().map(|name| turning.contains(name)).collect(),
    };
    for (i, name) in coordinates.iter().enumerate() {
        if coordinates[..i].contains(name) {
            return Err(keys.refuse(
                "coordinates",
                "structure::duplicate",
                format!("two coordinates are named `{name}`"),
            ));
        }
    }
    for (key, m) in [("mass", &mass), ("stiffness", &stiffness)] {
        for i in 0..n {
            for j in 0..i {
                let own = m[i][j].abs().max(m[j][i].abs());
                let beside = (m[i][i] * m[j][j]).abs().sqrt();
                if (m[i][j] - m[j][i]).abs() > f64::max(WRITTEN * own, ASSEMBLED * beside) {
                    let message =
                        format!("`{key}` is not symmetric: [{i}][{j}] = {}, [{j}][{i}] = {}", m[i][j], m[j][i]);
                    let e = keys.refuse(key, "structure::not-symmetric", message);
                    return Err(match key {
                        "stiffness" => e.hint("put forces that store nothing into `circulatory`, a matrix of any form"),
                        _ => e,
                    });
                }
            }
        }
    }
    if let Some(g) = &gyroscopic {
        for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            if (g[i][j] + g[j][i]).abs() > WRITTEN * g[i][j].abs().max(g[j][i].abs()) {
                let message =
                    format!("`gyroscopic` is not antisymmetric: [{i}][{j}] = {}, [{j}][{i}] = {}", g[i][j], g[j][i]);
                let e = keys.refuse("gyroscopic", "structure::not-antisymmetric", message);
                return Err(e
                    .expected("minus the number across the diagonal")
                    .hint("put what takes energy into `damping`"));
            }
            damping[i][j] += g[i][j];
            damping[j][i] -= g[i][j];
        }
    }
    let mut feeding = vec![];
    if let Some(c) = &circulatory {
        (0..n * n).for_each(|k| stiffness[k / n][k % n] += c[k / n][k % n]);
        feeding = (0..n * n).map(|k| 0.5 * (c[k / n][k % n] - c[k % n][k / n])).collect();
    }
    if loading.base.is_some() {
        let e = keys.refuse("mass", "drive::not-served", "a lumped structure can't be pulled: it has no driver".into());
        return Err(e.hint("use drive kind \"force\" or \"belt\", or structure \"spring-block\""));
    }
    let flat = |m: Vec<Vec<f64>>| m.into_iter().flatten().collect::<Vec<_>>();
    Ok(Structure {
        rates: coordinates.clone(),
        coordinates,
        angles,
        mass: flat(mass),
        damping: flat(damping),
        stiffness: flat(stiffness),
        circulatory: feeding,
        cubic: vec![],
        orientation: 1.0,
        base: vec![0.0; n],
        ..Structure::default()
    })
}

fn square(keys: &mut dyn Keys, ask: Ask, size: Option<usize>) -> Result<Vec<Vec<f64>>, Refused> {
    let key = ask.key;
    let m = keys.matrix(ask, size.unwrap_or(0))?;
    let n = size.unwrap_or(m.len());
    if n == 0 || m.len() != n || m.iter().any(|row| row.len() != n) {
        let message = format!("`{key}` is not a {n} x {n} matrix");
        return Err(keys.refuse(key, "structure::shape", message).expected(format!("{n} rows of {n} numbers")));
    }
    Ok(m)
}
