//! A plane elastic body, meshed with finite elements.
mod material;
mod meshing;
mod parts;

use crate::{Ask, Body, Group, Keys, Loading, Loads, Refused, Signal, Structure, Whole};
use parts::Load;
use std::sync::Arc;
use stickslip_mesh::{Assembler, Mesh, Numbering, Plane, Section};
use stickslip_solve::sparse::Matrix;

pub const NAME: &str = "body";
pub const ABOUT: &str = "A plane elastic body, meshed with finite elements; its contacts lie on its boundaries: `contact.on = \"top\"`.

M u'' + C u' + K u = loads + contact tractions, small displacements. A rectangle's origin is its lower left corner, and its \
boundaries are left, right, bottom, top; `weight` acts along -y. Elements q4, q8, q9, t3, t6; full integration: q4 and t3 lock in \
bending, take q8, q9 or t6 there. Damping is `mass` M + `stiffness` K. Results are read by place: \
`output.probes = [{ quantity = \"u.x\", point = [\"8 cm\", \"2 cm\"] }]`, also u.y, rate.u.x, stress.xx, stress.yy, stress.xy, and \
pressure, shear on a contact.";

/// Bodies of more unknowns have sparse matrices: what does not serve these refuses them.
pub const MOST_FULL: usize = 600;

/// A load whose work on a motion is below this part of the sizes of its terms is in balance there.
const BALANCED: f64 = 1e-9;

/// What drives are asked for before they are refused: forces along x and y.
pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(2)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let (body, parts) = parts(keys, loading)?;
    match body.numbering.len() > MOST_FULL {
        true => sparse(body, parts).map_err(|e| keys.refuse("mesh", "body::mesh", e.to_string())),
        false => Ok(full(body, parts)),
    }
}

/// A body, and what acts on its unknowns.
pub(super) fn parts(keys: &mut dyn Keys, loading: &Loading) -> Result<(Body, Parts), Refused> {
    // All keys are asked for before any answer is refused.
    let mut wrong = vec![];
    let mut mesh = meshing::read(keys, &mut wrong)?;
    let planes = ["plane-strain", "plane-stress"];
    let plane = match keys.choice("model", &planes, false, "What happens across the plane")? {
        0 => Plane::Strain,
        _ => Plane::Stress,
    };
    let thickness = keys.number(Ask::new("thickness", "m", "Thickness across the plane").above(0.0))?;
    let materials = material::read(keys, &mesh, plane, &mut wrong)?;
    let springs = parts::springs(keys, &mut mesh, &mut wrong)?;
    let held = parts::supports(keys, &mesh, &mut wrong)?;
    let tractions = parts::loads(keys, &mesh, thickness, &mut wrong)?;
    let lumped = keys.choice("mass", &["consistent", "lumped"], false, "Mass matrix of the elements")? == 1;
    let weight = keys.number(Ask::new("weight", "N", "Weight of the whole body, along -y").or(0.0).min(0.0))?;
    let gravity = keys.number(Ask::new("gravity", "m/s^2", "Acceleration of gravity, along -y").or(0.0).min(0.0))?;
    let (mut of_mass, mut of_stiffness) = (0.0, 0.0);
    keys.table("damping", "Rayleigh's damping: parts of mass and stiffness", &mut |keys| {
        of_mass = keys.number(Ask::new("mass", "1/s", "Part of the mass").or(0.0).min(0.0))?;
        of_stiffness = keys.number(Ask::new("stiffness", "s", "Part of the stiffness").or(0.0).min(0.0))?;
        Ok(())
    })?;
    if weight != 0.0 && gravity != 0.0 {
        wrong.push(keys.refuse("gravity", "scenario::conflict", "`weight` and `gravity` are both given".into()));
    }
    if held.iter().all(|held| *held) && !mesh.nodes.is_empty() {
        wrong.push(keys.refuse("supports", "body::supports", "every displacement is held: nothing can move".into()));
    }
    if loading.base.is_some() || !loading.forces.is_empty() || !loading.impulses.is_empty() {
        let what =
            "a body is driven by a belt, by its `loads` or by its weight: it has no named coordinates to pull at";
        let e = keys.refuse("mesh", "drive::not-served", what.into());
        wrong.push(e.hint("give `structure.loads = [{ on = .., traction = [.., ..] }]`"));
    }
    if let Some(first) = wrong.into_iter().next() {
        return Err(first);
    }
    let section = Section { plane, thickness, materials };
    let made = Made::new(&mesh, &section, &held, lumped);
    let Made { numbering, stiffness, mass, node_masses } =
        made.map_err(|e| keys.refuse("mesh", "body::mesh", e.to_string()))?;
    let total_mass: f64 = node_masses.iter().sum();
    if total_mass.is_nan() || total_mass <= 0.0 {
        let e = keys.refuse("material", "body::mass", "the body has no mass".into());
        return Err(e.expected("a density above 0"));
    }
    let pull = gravity + weight / total_mass;
    let shapes = shapes(&numbering, tractions, |node| -pull * node_masses[node]);
    let parts = Parts {
        loads: combined(numbering.len(), &shapes),
        shapes,
        springs: on_unknowns(&numbering, &springs),
        stiffness,
        damping: [of_mass, of_stiffness],
    };
    let ahead = if loading.surface.is_some() { 1.0 } else { -1.0 };
    let body = Body { mesh, section, numbering, mass, total_mass, ahead, interface: None, reduction: None };
    Ok((body, parts))
}

/// What acts on the unknowns of a body.
pub(super) struct Parts {
    stiffness: Matrix,
    springs: Vec<(usize, f64)>,
    /// Rayleigh's parts of mass and stiffness.
    pub damping: [f64; 2],
    pub loads: Vec<Signal>,
    /// The same, by the functions of time that they follow.
    pub shapes: Vec<Shape>,
}

impl Parts {
    /// Mass, damping and stiffness on one pattern.
    pub fn matrices(&self, body: &Body) -> Result<[Matrix; 3], stickslip_mesh::Refused> {
        let n = body.numbering.len();
        let mut on_diagonal = vec![0.0; n];
        self.springs.iter().for_each(|(j, k)| on_diagonal[*j] += k);
        let (zero, springs) = (Matrix::Diagonal(vec![0.0; n]), Matrix::Diagonal(on_diagonal));
        let pattern = Matrix::shared_pattern(&[&self.stiffness, &body.mass])?;
        let on_pattern = |terms: [(f64, &Matrix); 3]| -> Result<Matrix, stickslip_mesh::Refused> {
            let mut values = vec![];
            Matrix::sum(terms, &pattern, &mut values)?;
            Ok(Matrix::sparse(&pattern, values)?)
        };
        let stiffness = on_pattern([(1.0, &self.stiffness), (1.0, &springs), (0.0, &zero)])?;
        let mass = on_pattern([(1.0, &body.mass), (0.0, &zero), (0.0, &zero)])?;
        let [of_mass, of_stiffness] = self.damping;
        let damping = on_pattern([(of_mass, &mass), (of_stiffness, &stiffness), (0.0, &zero)])?;
        Ok([mass, damping, stiffness])
    }
}

/// A structure with full matrices.
fn full(body: Body, parts: Parts) -> Structure {
    let n = body.numbering.len();
    let (mass, mut stiffness) = (body.mass.full(), parts.stiffness.full());
    parts.springs.iter().for_each(|(j, k)| stiffness[j * (n + 1)] += k);
    let [of_mass, of_stiffness] = parts.damping;
    let damping = mass.iter().zip(&stiffness).map(|(m, k)| of_mass * m + of_stiffness * k).collect();
    let all: Vec<usize> = (0..n).collect();
    Structure { mass, damping, stiffness, ..named(body, &all, parts) }
}

/// A structure whose coordinates are those of the boundaries, before sparse matrices of all unknowns.
fn sparse(mut body: Body, parts: Parts) -> Result<Structure, stickslip_mesh::Refused> {
    let n = body.numbering.len();
    let mut edge = vec![false; n];
    for name in body.boundaries() {
        for node in body.mesh.boundary_nodes(&name)? {
            (0..2).filter_map(|axis| body.numbering.unknown(node, axis)).for_each(|j| edge[j as usize] = true);
        }
    }
    let interface: Vec<usize> = (0..n).filter(|j| edge[*j]).collect();
    let mut places = vec![None; n];
    interface.iter().enumerate().for_each(|(k, j)| places[*j] = Some(k as u32));
    body.interface = Some(places);
    let [mass, damping, stiffness] = parts.matrices(&body)?;
    let whole = Whole {
        mass,
        damping,
        stiffness,
        loads: parts.loads.clone(),
        interface: interface.iter().map(|j| *j as u32).collect(),
        places: body.numbering.places(&body.mesh),
    };
    Ok(Structure { whole: Some(Arc::new(whole)), ..named(body, &interface, parts) })
}

/// A structure without matrices, whose coordinates are these unknowns.
pub(super) fn named(body: Body, unknowns: &[usize], parts: Parts) -> Structure {
    let displacements = body.numbering.displacements();
    let names: Vec<String> = unknowns.iter().map(|j| name(&displacements[*j])).collect();
    let group = |(axis, name): (u32, &str)| Group {
        name: name.into(),
        members: (0..unknowns.len()).filter(|k| displacements[unknowns[*k]] % 2 == axis).collect(),
    };
    let groups = [(0, "x"), (1, "y")].into_iter().map(group).collect();
    let sprung: Vec<usize> = parts.springs.iter().map(|(j, _)| *j).collect();
    Structure {
        rates: names.clone(),
        coordinates: names,
        orientation: 1.0,
        base: vec![0.0; unknowns.len()],
        groups,
        loose: body.free_motions(&sprung).iter().any(|motion| works(&parts.loads, motion)),
        loads: Loads(parts.loads),
        body: Some(Arc::new(body)),
        ..Structure::default()
    }
}

/// Springs of nodes on their unknowns.
fn on_unknowns(numbering: &Numbering, springs: &[(u32, [f64; 2])]) -> Vec<(usize, f64)> {
    let each = springs.iter().flat_map(|(node, k)| (0..2).map(move |axis| (*node, axis, k[axis])));
    let stiff = each.filter(|(_, _, k)| *k > 0.0);
    stiff.filter_map(|(node, axis, k)| Some((numbering.unknown(node, axis)? as usize, k))).collect()
}

/// The name of a displacement: its axis, and its node from 1.
pub(super) fn name(displacement: &u32) -> String {
    format!("{}{}", if displacement.is_multiple_of(2) { "x" } else { "y" }, displacement / 2 + 1)
}

/// Matrices of a mesh.
struct Made {
    numbering: Numbering,
    stiffness: Matrix,
    mass: Matrix,
    /// Mass of each node as gravity sees it.
    node_masses: Vec<f64>,
}

impl Made {
    fn new(mesh: &Mesh, section: &Section, held: &[bool], lumped: bool) -> Result<Made, stickslip_mesh::Refused> {
        let numbering = Numbering::without(mesh, held)?;
        let [stiffness, consistent] = Assembler::new(mesh, &numbering, &[])?.matrices(mesh, section)?;
        let mass = match lumped {
            true => {
                let masses = mesh.lumped_mass(section)?;
                Matrix::Diagonal(numbering.displacements().iter().map(|d| masses[*d as usize / 2]).collect())
            }
            false => consistent,
        };
        Ok(Made { node_masses: mesh.node_masses(section)?, stiffness, numbering, mass })
    }
}

/// Forces on the unknowns that follow one function of time.
pub(super) struct Shape {
    pub forces: Vec<f64>,
    pub signal: Signal,
}

/// Weights and tractions.
fn shapes(numbering: &Numbering, tractions: Vec<Load>, weight: impl Fn(usize) -> f64) -> Vec<Shape> {
    let vertical = |d: &u32| if d % 2 == 1 { weight(*d as usize / 2) } else { 0.0 };
    let weights = numbering.displacements().iter().map(vertical).collect();
    let mut shapes = vec![Shape { forces: weights, signal: Signal::Constant(1.0) }];
    for Load { areas, traction } in tractions {
        for (axis, signal) in traction.into_iter().enumerate() {
            let mut forces = vec![0.0; numbering.len()];
            for (node, area) in &areas {
                numbering.unknown(*node, axis).into_iter().for_each(|j| forces[j as usize] += area);
            }
            shapes.push(Shape { forces, signal });
        }
    }
    shapes
}

/// Forces as functions of time, each of them.
pub(super) fn combined(count: usize, shapes: &[Shape]) -> Vec<Signal> {
    let mut loads = vec![Signal::ZERO; count];
    for Shape { forces, signal } in shapes {
        for (load, force) in loads.iter_mut().zip(forces).filter(|(_, force)| **force != 0.0) {
            let more = match signal {
                Signal::Constant(x) => Signal::Constant(force * x),
                other => other.clone().times(*force),
            };
            *load = match (std::mem::replace(load, Signal::ZERO), more) {
                (Signal::Constant(x), Signal::Constant(more)) => Signal::Constant(x + more),
                (Signal::Constant(x), more) => more.plus(x),
                (other, more) => Signal::Sum(vec![other, more]),
            };
        }
    }
    loads
}

/// Whether loads do work on a motion, at the start or, as far as they stay, at all times.
fn works(loads: &[Signal], motion: &[f64]) -> bool {
    let (mut sum, mut size) = (0.0f64, 0.0f64);
    for (load, x) in loads.iter().zip(motion) {
        let work = load.value(0.0) * x;
        sum += work;
        size += work.abs();
    }
    sum.abs() > BALANCED * size
}
