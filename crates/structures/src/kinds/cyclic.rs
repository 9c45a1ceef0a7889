//! Sectors in a ring, each coupled to its neighbours: a bladed disc.
use crate::{Ask, Keys, Loading, Place, Refused, Structure};
use std::f64::consts::TAU;
use stickslip_real::random::SplitMix64;

pub const NAME: &str = "cyclic";
pub const ABOUT: &str = "Equal sectors in a ring, each a system of masses, dampers and springs, coupled to its neighbours: a bladed disc.

M q_j'' + C q_j' + (1 + s g_j) K q_j + kc (2 q_j - q_(j-1) - q_(j+1)) at `coupled` = F_j(t) + contact forces,   j = 1 .. sectors
Coordinates are those of a sector with its number: `x1`, `x2`, .. `mistuning` changes the stiffness of each sector by the part s g_j,
`spread` s and normal numbers g_j of mean 0 and variance 1 that follow from `seed`, or by `deviations` that are given. One contact is
given for all sectors; each has its own point, at the coordinate `slips`, which slips on the ground, or on that of the next sector with
`against` = \"neighbour\". The drive `force` with `engine_order` n goes round the ring n times.";

/// Most coordinates: the matrices of a structure are kept whole.
const MOST: usize = 1000;
const MOST_SECTORS: f64 = 1000.0;

/// A sector.
#[derive(Default)]
struct Sector {
    mass: Vec<Vec<f64>>,
    damping: Vec<Vec<f64>>,
    stiffness: Vec<Vec<f64>>,
    names: Vec<String>,
}

fn sectors(keys: &mut dyn Keys) -> Result<usize, Refused> {
    keys.count(Ask::new("sectors", "1", "Number of sectors").min(1.0).max(MOST_SECTORS))
}

/// A square matrix, or the one number of a sector with one coordinate.
fn matrix(keys: &mut dyn Keys, ask: Ask, size: Option<usize>) -> Result<Vec<Vec<f64>>, Refused> {
    let key = ask.key;
    if let (Ok(x), None | Some(1)) = (keys.number(ask), size) {
        return Ok(vec![vec![x]]);
    }
    let m = keys.matrix(ask, size.unwrap_or(0))?;
    let n = size.unwrap_or(m.len());
    if n == 0 || m.len() != n || m.iter().any(|row| row.len() != n) {
        let message = format!("`{key}` is not a {n} x {n} matrix");
        return Err(keys.refuse(key, "structure::shape", message).expected(format!("{n} rows of {n} numbers")));
    }
    if let Some((i, j)) = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).find(|(i, j)| m[*i][*j] != m[*j][*i]) {
        let message = format!("`{key}` is not symmetric: [{i}][{j}] = {}, [{j}][{i}] = {}", m[i][j], m[j][i]);
        return Err(keys.refuse(key, "structure::not-symmetric", message));
    }
    Ok(m)
}

fn sector(keys: &mut dyn Keys) -> Result<Sector, Refused> {
    let mut found: Option<Sector> = None;
    keys.table("sector", "One sector by itself", &mut |k| {
        let mass = matrix(k, Ask::new("mass", "kg", "Mass matrix of a sector, or its one mass"), None)?;
        let n = mass.len();
        let stiffness = matrix(k, Ask::new("stiffness", "N/m", "Stiffness of a sector"), Some(n))?;
        let damping = match k.has("damping") {
            true => matrix(k, Ask::new("damping", "N s/m", "Damping of a sector"), Some(n))?,
            false => vec![vec![0.0; n]; n],
        };
        let names = k.texts("coordinates", "Names of the coordinates of a sector; x, or q1_, q2_, .. by default")?;
        let names = names.unwrap_or_else(|| match n {
            1 => vec!["x".into()],
            _ => (1..=n).map(|i| format!("q{i}_")).collect(),
        });
        if names.len() != n || (0..n).any(|i| names[..i].contains(&names[i])) {
            let message = format!("{} names for {n} coordinates", names.len());
            let e = k.refuse("coordinates", "structure::shape", message);
            return Err(e.expected(format!("{n} different names")));
        }
        found = Some(Sector { mass, damping, stiffness, names });
        Ok(())
    })?;
    found.ok_or_else(|| {
        let e = keys.refuse("sector", "scenario::missing", "`sector` is missing".into());
        e.expected("a table, such as { mass = \"1 kg\", stiffness = \"1 N/m\" }")
    })
}

pub fn size(keys: &mut dyn Keys) -> Result<usize, Refused> {
    let count = sectors(keys)?;
    Ok(count * sector(keys)?.mass.len())
}

/// One of the coordinates of a sector by its name.
fn one_of(keys: &dyn Keys, key: &str, name: Option<String>, names: &[String], usual: usize) -> Result<usize, Refused> {
    let Some(name) = name else { return Ok(usual) };
    names.iter().position(|n| *n == name).ok_or_else(|| {
        let e = keys.refuse(key, "structure::unknown", format!("a sector has no coordinate `{name}`"));
        e.expected(format!("one of {}", names.join(", ")))
    })
}

/// How much stiffer each sector is, as a part of its stiffness.
fn mistuning(keys: &mut dyn Keys, count: usize) -> Result<Vec<f64>, Refused> {
    let mut deviations = vec![0.0; count];
    keys.table("mistuning", "How the sectors differ in their stiffness", &mut |k| {
        if k.has("deviations") {
            deviations = k.list(Ask::new("deviations", "1", "Part by which each sector is stiffer").above(-1.0))?;
            if deviations.len() != count {
                let message = format!("`deviations` has {} entries for {count} sectors", deviations.len());
                return Err(k.refuse("deviations", "structure::shape", message).expected(format!("{count} numbers")));
            }
            return Ok(());
        }
        let spread =
            k.number(Ask::new("spread", "1", "Standard deviation, as a part of the stiffness").min(0.0).max(0.3))?;
        let seed = k.count(Ask::new("seed", "1", "Seed of the random numbers").or(0.0).min(0.0).max(9e15))?;
        let mut random = SplitMix64(seed as u64);
        for deviation in &mut deviations {
            let (u, v) = (1.0 - random.even(), random.even());
            *deviation = spread * (-2.0 * u.ln()).sqrt() * (TAU * v).cos();
        }
        if let Some(x) = deviations.iter().find(|x| **x <= -1.0) {
            let message = format!("a sector would have {} of its stiffness", 1.0 + x);
            return Err(k
                .refuse("spread", "structure::out-of-range", message)
                .hint("lower `spread`, or take another seed"));
        }
        Ok(())
    })?;
    Ok(deviations)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let count = sectors(keys)?;
    let own = sector(keys)?;
    let (m, n) = (own.mass.len(), count * own.mass.len());
    if n > MOST {
        let e = keys.refuse("sectors", "structure::out-of-range", format!("{count} sectors have {n} coordinates"));
        return Err(e.expected(format!("at most {MOST} coordinates")));
    }
    let coupling =
        keys.number(Ask::new("coupling", "N/m", "Stiffness between neighbouring sectors").or(0.0).min(0.0))?;
    let ask = Ask::new("coupling_damping", "N s/m", "Damping between neighbouring sectors").or(0.0).min(0.0);
    let coupling_damping = keys.number(ask)?;
    let coupled = keys.text("coupled", "Coordinate of a sector that is coupled; the first by default")?;
    let slips = keys.text("slips", "Coordinate of a sector that slips; the last by default")?;
    let against = keys.choice("against", &["ground", "neighbour"], false, "What it slips on")?;
    let deviations = mistuning(keys, count)?;
    let coupled = one_of(keys, "coupled", coupled, &own.names, 0)?;
    let slips = one_of(keys, "slips", slips, &own.names, m - 1)?;
    if loading.base.is_some() {
        let e =
            keys.refuse("sectors", "drive::not-served", "a ring of sectors can't be pulled: it has no driver".into());
        return Err(e.hint("use drive kind \"force\", with an `engine_order`, \"base\" or \"belt\""));
    }
    if against == 1 && count < 2 {
        let e = keys.refuse("against", "structure::shape", "one sector has no neighbour".into());
        return Err(e.expected("ground"));
    }
    let whole = |of: &[Vec<f64>], part: &dyn Fn(usize) -> f64, between: f64| {
        let mut all = vec![0.0; n * n];
        for j in 0..count {
            for (a, row) in of.iter().enumerate() {
                for (b, x) in row.iter().enumerate() {
                    all[(j * m + a) * n + j * m + b] += x * part(j);
                }
            }
            // Two sectors meet once, one meets nobody.
            let next = (j + 1) % count;
            if next == j || (count == 2 && j == 1) {
                continue;
            }
            let (a, b) = (j * m + coupled, next * m + coupled);
            for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                all[row * n + column] += sign * between;
            }
        }
        all
    };
    let on_belt = loading.surface.is_some();
    let (ahead, surface) = if on_belt { (-1.0, 1.0) } else { (1.0, -1.0) };
    let place = |j: usize| {
        let mut row = vec![0.0; n];
        row[j * m + slips] = ahead;
        if against == 1 {
            row[(j + 1) % count * m + slips] -= ahead;
        }
        Place { tangent: vec![row], surface: if against == 1 { 0.0 } else { surface }, ..Place::default() }
    };
    let pairs = if against == 1 && count == 2 { 1 } else { count };
    let names: Vec<String> = (1..=count).flat_map(|j| own.names.iter().map(move |name| format!("{name}{j}"))).collect();
    Ok(Structure {
        rates: names.clone(),
        coordinates: names,
        mass: whole(&own.mass, &|_| 1.0, 0.0),
        damping: whole(&own.damping, &|_| 1.0, coupling_damping),
        stiffness: whole(&own.stiffness, &|j| 1.0 + deviations[j], coupling),
        orientation: 1.0,
        base: vec![0.0; n],
        places: (0..pairs).map(place).collect(),
        ..Structure::default()
    })
}
