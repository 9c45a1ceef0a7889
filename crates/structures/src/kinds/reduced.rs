//! A body, or matrices from files, reduced to its contacts and some modes.
//!
//! R. R. Craig and M. C. C. Bampton, AIAA J. 6 (1968) 1313.
use super::body;
use crate::{Ask, Keys, Loading, Loads, Reduction, Refused, Structure};
use std::sync::Arc;
use stickslip_mesh::matrix_file;
use stickslip_solve::component_modes::{self, Reduced};
use stickslip_solve::sparse::Matrix;

pub const NAME: &str = "reduced";
pub const ABOUT: &str = "A body reduced to the boundaries of its contacts, in full, and to its lowest modes with these boundaries \
fixed (Craig and Bampton); it serves every analysis.

`body` is the table of a \"body\" without its `kind`. The displacements of the contacts' boundaries stay as they are; inside, \
u = Phi eta + Psi u_b. The static response to the body's loads is added as a vector for each. \
More modes bring it nearer to the full body: compare two numbers of them. Results are read by place, as those \
of a body.

In place of `body`, `stiffness`, `mass` and `damping` name files of symmetric matrices in SI units (Matrix Market, or NumPy's .npy), \
and `interface` lists the unknowns, from 1, that stay as they are: coordinates u1, u5, .. A contact's `tangent` and \
`normal_direction` are rows on these alone.";

/// Modes unless a number is given.
const MODES: f64 = 20.0;
/// Most coordinates: matrices are full.
const MOST: usize = 2_000;

/// Of matrices the interface and the modes; of a body what drives are asked for before they are refused, forces along x and y.
pub fn size(keys: &mut dyn Keys) -> Result<usize, Refused> {
    if keys.has_table("body") || !keys.has("stiffness") {
        return Ok(2);
    }
    Ok(modes(keys)? + interface(keys)?.len())
}

fn modes(keys: &mut dyn Keys) -> Result<usize, Refused> {
    keys.count(Ask::new("modes", "1", "Modes with the contacts' boundaries fixed").or(MODES).min(0.0))
}

fn interface(keys: &mut dyn Keys) -> Result<Vec<f64>, Refused> {
    keys.list(Ask::new("interface", "1", "Unknowns of the matrices, from 1, that stay as they are").min(1.0))
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    if !keys.has_table("body") && keys.has("stiffness") {
        return of_matrices(keys, loading);
    }
    let modes = modes(keys)?;
    let on = keys.contact_boundaries();
    let mut made = None;
    let given = keys.table("body", "The body: a table of the kind \"body\"", &mut |keys| {
        made = Some(body::parts(keys, loading)?);
        Ok(())
    })?;
    let Some((mut body, parts)) = made.filter(|_| given) else {
        let e = keys.refuse("body", "scenario::missing", "a reduced body needs `body`".into());
        let expected = "the table of a body: { mesh, thickness, material, .. }";
        return Err(e.expected(expected).hint("stickslip explain body"));
    };
    let whole = |e: stickslip_mesh::Refused| keys.refuse("body", "body::mesh", e.to_string());
    let mut interface: Vec<u32> = vec![];
    // A boundary that the mesh does not have is refused where the contact is read.
    for name in on.iter().filter(|name| body.mesh.boundaries.contains_key(*name)) {
        for node in body.mesh.boundary_nodes(name).map_err(whole)? {
            interface.extend((0..2).filter_map(|axis| body.numbering.unknown(node, axis)));
        }
    }
    interface.sort_unstable();
    interface.dedup();
    let (inside, count) = (body.numbering.len() - interface.len(), interface.len() + modes);
    few(keys, modes, inside, interface.len())?;
    let [mass, _, stiffness] = parts.matrices(&body).map_err(whole)?;
    let places = body.numbering.places(&body.mesh);
    let refused = |e: component_modes::Refused| {
        keys.refuse("body", "reduced::refused", format!("the body can't be reduced: {e}"))
    };
    let mut reduced = Reduced::new(&stiffness, &mass, &interface, modes, Some(&places)).map_err(|e| {
        let e = refused(e);
        e.hint("a body without supports needs a contact boundary of several nodes that holds it")
    })?;
    let forces: Vec<&[f64]> = parts.shapes.iter().map(|shape| &shape.forces[..]).collect();
    let of_loads = reduced.add_forces(&mass, &forces).map_err(refused)?;
    let count = count + of_loads;
    let mass = reduced.project(&mass).map_err(refused)?;
    let [of_mass, of_stiffness] = parts.damping;
    let damping = mass.iter().zip(reduced.stiffness()).map(|(m, k)| of_mass * m + of_stiffness * k).collect();
    let mut shapes = vec![];
    for shape in &parts.shapes {
        let forces = reduced.force(&shape.forces).map_err(refused)?;
        shapes.push(body::Shape { forces, signal: shape.signal.clone() });
    }
    let loads = Loads(body::combined(count, &shapes));
    let stiffness = reduced.stiffness().to_vec();
    let mut numbers = vec![None; body.numbering.len()];
    interface.iter().zip(0..).for_each(|(j, k)| numbers[*j as usize] = Some(k));
    body.interface = Some(numbers);
    body.reduction = Some(Arc::new(Reduction::new(reduced, interface.len())));
    let unknowns: Vec<usize> = interface.iter().map(|j| *j as usize).collect();
    let mut structure = Structure { mass, damping, stiffness, ..body::named(body, &unknowns, parts) };
    structure.loads = loads;
    structure.base.resize(count, 0.0);
    structure.coordinates.extend((1..=modes).map(|k| format!("mode{k}")));
    structure.coordinates.extend((1..=of_loads).map(|k| format!("load{k}")));
    structure.rates = structure.coordinates.clone();
    Ok(structure)
}

/// Refuses more modes than there are unknowns inside, and more coordinates than full matrices serve.
fn few(keys: &dyn Keys, modes: usize, inside: usize, interface: usize) -> Result<(), Refused> {
    if modes > inside {
        let message = format!("`modes` = {modes}, where {inside} unknowns are beside the contacts");
        let e = keys.refuse("modes", "reduced::modes", message);
        return Err(e.expected(format!("a whole number of at most {inside}")));
    }
    if interface + modes > MOST {
        let message = format!("{interface} coordinates of the contacts and {modes} modes; at most {MOST} together");
        let e = keys.refuse("modes", "reduced::too-large", message);
        return Err(e.hint("a coarser mesh along the contact, or kind = \"body\""));
    }
    Ok(())
}

/// A structure from matrices in files.
fn of_matrices(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let modes = modes(keys)?;
    let list = interface(keys)?;
    let stiffness = matrix(keys, "stiffness", "File of the stiffness, N/m: Matrix Market or .npy")?;
    let mass = matrix(keys, "mass", "File of the mass, kg")?;
    let damping = match keys.has("damping") {
        true => Some(matrix(keys, "damping", "File of the damping, N s/m")?),
        false => None,
    };
    if loading.base.is_some() {
        let what = "a reduced structure can't be pulled: it has no driver";
        return Err(keys.refuse("stiffness", "drive::not-served", what.into()));
    }
    let (n, count) = (stiffness.n(), list.len() + modes);
    for (key, matrix) in [("mass", Some(&mass)), ("damping", damping.as_ref())] {
        if let Some(matrix) = matrix.filter(|matrix| matrix.n() != n) {
            let message = format!("`{key}` has {} rows, and `stiffness` has {n}", matrix.n());
            return Err(keys.refuse(key, "reduced::size", message).expected(format!("a matrix of {n} rows")));
        }
    }
    let whole = |x: &f64| (x.fract() == 0.0 && *x >= 1.0 && *x <= n as f64).then(|| *x as u32 - 1);
    let unknowns: Option<Vec<u32>> = list.iter().map(whole).collect();
    let Some(unknowns) = unknowns else {
        let e = keys.refuse("interface", "reduced::interface", "an entry of `interface` is no unknown".into());
        return Err(e.expected(format!("whole numbers from 1 to {n}, each once")));
    };
    few(keys, modes, n.saturating_sub(unknowns.len()), unknowns.len())?;
    let refused = |e: component_modes::Refused| {
        let key = if matches!(e, component_modes::Refused::Interface { .. }) { "interface" } else { "stiffness" };
        keys.refuse(key, "reduced::refused", format!("the matrices can't be reduced: {e}"))
    };
    let mut reduced = Reduced::new(&stiffness, &mass, &unknowns, modes, None).map_err(refused)?;
    let full_mass = reduced.project(&mass).map_err(refused)?;
    if !stickslip_solve::dense::positive_definite(count, &full_mass) {
        let e = keys.refuse("mass", "reduced::mass", "the mass is not positive: some motion has no inertia".into());
        return Err(e.expected("a positive definite matrix, kg"));
    }
    let damping = match damping {
        None => vec![0.0; count * count],
        Some(damping) => {
            damping.symmetric(SYMMETRIC).map_err(|e| keys.refuse("damping", "reduced::refused", e.to_string()))?;
            reduced.project(&damping).map_err(refused)?
        }
    };
    let names = list.iter().map(|k| format!("u{k}")).chain((1..=modes).map(|k| format!("mode{k}")));
    let coordinates: Vec<String> = names.collect();
    Ok(Structure {
        rates: coordinates.clone(),
        coordinates,
        mass: full_mass,
        damping,
        stiffness: reduced.stiffness().to_vec(),
        orientation: 1.0,
        base: vec![0.0; count],
        physical: Some(list.len()),
        ..Structure::default()
    })
}

/// An entry may differ from its mirror by this part of the largest one.
const SYMMETRIC: f64 = 1e-9;

fn matrix(keys: &mut dyn Keys, key: &str, about: &str) -> Result<Matrix, Refused> {
    let bytes = keys.bytes(key, about)?;
    matrix_file::read(&bytes).map_err(|e| {
        let hint = "scipy.io.mmwrite writes a sparse matrix, numpy.save a full one";
        keys.refuse(key, "reduced::matrix", format!("`{key}` can't be read: {e}")).hint(hint)
    })
}
