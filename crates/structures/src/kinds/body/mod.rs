//! A plane elastic body, meshed with finite elements.
mod material;
mod meshing;
mod parts;

use crate::{Ask, Body, Group, Keys, Loading, Loads, Refused, Signal, Structure};
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

/// A load whose work on a motion is below this part of the sizes of its terms is in balance there.
const BALANCED: f64 = 1e-9;

/// What drives are asked for before they are refused: forces along x and y.
pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(2)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
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
        let what = "a body is driven by a belt, by its `loads` or by its weight: it has no named coordinates to pull at";
        let e = keys.refuse("mesh", "drive::not-served", what.into());
        wrong.push(e.hint("give `structure.loads = [{ on = .., traction = [.., ..] }]`"));
    }
    if let Some(first) = wrong.into_iter().next() {
        return Err(first);
    }
    let section = Section { plane, thickness, materials };
    let made = Made::new(&mesh, &section, &held, lumped);
    let Made { numbering, mut stiffness, mass, node_masses } =
        made.map_err(|e| keys.refuse("mesh", "body::mesh", e.to_string()))?;
    let total_mass: f64 = node_masses.iter().sum();
    if total_mass.is_nan() || total_mass <= 0.0 {
        let e = keys.refuse("material", "body::mass", "the body has no mass".into());
        return Err(e.expected("a density above 0"));
    }
    let n = numbering.len();
    let mut sprung = vec![];
    for (node, k) in &springs {
        for (axis, k) in k.iter().enumerate().filter(|(_, k)| **k > 0.0) {
            if let Some(j) = numbering.unknown(*node, axis) {
                stiffness[j as usize * (n + 1)] += k;
                sprung.push(j as usize);
            }
        }
    }
    let pull = gravity + weight / total_mass;
    let loads = all_loads(&numbering, &tractions, |node| -pull * node_masses[node]);
    let full_mass = mass.full();
    let damping = full_mass.iter().zip(&stiffness).map(|(m, k)| of_mass * m + of_stiffness * k).collect();
    let names: Vec<String> = numbering.displacements().iter().map(name).collect();
    let group = |(axis, name): (u32, &str)| Group {
        name: name.into(),
        members: (0..n).filter(|j| numbering.displacements()[*j] % 2 == axis).collect(),
    };
    let groups = [(0, "x"), (1, "y")].into_iter().map(group).collect();
    let ahead = if loading.surface.is_some() { 1.0 } else { -1.0 };
    let body = Body { mesh, section, numbering, mass, total_mass, ahead };
    Ok(Structure {
        rates: names.clone(),
        coordinates: names,
        mass: full_mass,
        damping,
        stiffness,
        orientation: 1.0,
        base: vec![0.0; n],
        groups,
        loose: body.free_motions(&sprung).iter().any(|motion| works(&loads, motion)),
        loads: Loads(loads),
        body: Some(Arc::new(body)),
        ..Structure::default()
    })
}

/// The name of a displacement: its axis, and its node from 1.
fn name(displacement: &u32) -> String {
    format!("{}{}", if displacement % 2 == 0 { "x" } else { "y" }, displacement / 2 + 1)
}

/// Matrices of a mesh.
struct Made {
    numbering: Numbering,
    stiffness: Vec<f64>,
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
        Ok(Made { node_masses: mesh.node_masses(section)?, stiffness: stiffness.full(), numbering, mass })
    }
}

/// Weights and tractions as functions of time on each coordinate.
fn all_loads(numbering: &Numbering, tractions: &[Load], weight: impl Fn(usize) -> f64) -> Vec<Signal> {
    let vertical = |d: &u32| Signal::Constant(if d % 2 == 1 { weight(*d as usize / 2) } else { 0.0 });
    let mut loads: Vec<Signal> = numbering.displacements().iter().map(vertical).collect();
    for Load { areas, traction } in tractions {
        for (axis, signal) in traction.iter().enumerate() {
            if matches!(signal, Signal::Constant(x) if *x == 0.0) {
                continue;
            }
            for (node, area) in areas.iter().filter(|(_, area)| *area != 0.0) {
                let Some(j) = numbering.unknown(*node, axis) else { continue };
                let more = signal.clone().times(*area);
                let load = &mut loads[j as usize];
                *load = match std::mem::replace(load, Signal::ZERO) {
                    Signal::Constant(x) => more.plus(x),
                    other => Signal::Sum(vec![other, more]),
                };
            }
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
