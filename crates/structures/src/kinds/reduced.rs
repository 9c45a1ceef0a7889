//! A body reduced to its contacts and some modes.
//!
//! R. R. Craig and M. C. C. Bampton, AIAA J. 6 (1968) 1313.
use super::body;
use crate::{Ask, Keys, Loading, Loads, Reduction, Refused, Structure};
use std::sync::Arc;
use stickslip_solve::component_modes::{self, Reduced};

pub const NAME: &str = "reduced";
pub const ABOUT: &str = "A body reduced to the boundaries of its contacts, in full, and to its lowest modes with these boundaries \
fixed (Craig and Bampton); it serves every analysis.

`body` is the table of a \"body\" without its `kind`. The displacements of the contacts' boundaries stay as they are; inside, \
u = Phi eta + Psi u_b. More modes bring it nearer to the full body: compare two numbers of them. Results are read by place, as those \
of a body.";

/// Modes unless a number is given.
const MODES: f64 = 20.0;
/// Most coordinates: matrices are full.
const MOST: usize = 2_000;

/// What drives are asked for before they are refused: forces along x and y.
pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(2)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let modes = keys.count(Ask::new("modes", "1", "Modes with the contacts' boundaries fixed").or(MODES).min(0.0))?;
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
    if modes > inside {
        let message = format!("`modes` = {modes}, and the body has {inside} unknowns beside its contacts");
        let e = keys.refuse("modes", "reduced::modes", message);
        return Err(e.expected(format!("a whole number of at most {inside}")));
    }
    if count > MOST {
        let message =
            format!("{} coordinates of the contacts and {modes} modes; at most {MOST} together", interface.len());
        let e = keys.refuse("modes", "reduced::too-large", message);
        return Err(e.hint("a coarser mesh along the contact, or kind = \"body\""));
    }
    let [mass, _, stiffness] = parts.matrices(&body).map_err(whole)?;
    let places = body.numbering.places(&body.mesh);
    let refused = |e: component_modes::Refused| {
        keys.refuse("body", "reduced::refused", format!("the body can't be reduced: {e}"))
    };
    let mut reduced = Reduced::new(&stiffness, &mass, &interface, modes, Some(&places)).map_err(|e| {
        let e = refused(e);
        e.hint("a body without supports needs a contact boundary of several nodes that holds it")
    })?;
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
    structure.rates = structure.coordinates.clone();
    Ok(structure)
}
