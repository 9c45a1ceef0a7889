//! A plane elastic body, meshed with finite elements.
use crate::{Ask, Body, Group, Keys, Loading, Loads, Refused, Signal, Structure};
use std::sync::Arc;
use stickslip_mesh::{Assembler, Kind, Material, Mesh, Numbering, Plane, Section};
use stickslip_solve::sparse::Matrix;

pub const NAME: &str = "body";
pub const ABOUT: &str = "A plane elastic body, meshed with finite elements; its contacts lie on its boundaries: `contact.on = \"top\"`.

M u'' + C u' + K u = loads + contact tractions, small displacements. A rectangle's origin is its lower left corner, and its \
boundaries are left, right, bottom, top; `weight` acts along -y. Elements q4, q8, q9, t3, t6; full integration: q4 and t3 lock in \
bending, take q8, q9 or t6 there. Damping is `mass` M + `stiffness` K. Results are read by place: \
`output.probes = [{ quantity = \"u.x\", point = [\"8 cm\", \"2 cm\"] }]`, also u.y, rate.u.x, stress.xx, stress.yy, stress.xy, and \
pressure, shear on a contact.";

/// A load that does less work than this part of its size on a motion that nothing holds is in balance there.
const BALANCED: f64 = 1e-9;

/// Forces on a body are its loads; this is what drives are asked for before they are refused.
pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(2)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let (mut mesh, own_names) = read_mesh(keys)?;
    let plane = match keys.choice("model", &["plane-strain", "plane-stress"], false, "What happens across the plane")? {
        0 => Plane::Strain,
        _ => Plane::Stress,
    };
    let thickness = keys.number(Ask::new("thickness", "m", "Thickness across the plane").above(0.0))?;
    let materials = read_materials(keys, &mesh, plane, &own_names)?;
    let section = Section { plane, thickness, materials };
    let springs = read_springs(keys, &mut mesh)?;
    let held = read_supports(keys, &mesh)?;
    let numbering = Numbering::without(&mesh, &held).map_err(|e| keys.refuse("supports", "body::supports", e.to_string()))?;
    if numbering.is_empty() {
        return Err(keys.refuse("supports", "body::supports", "every displacement is held: nothing can move".into()));
    }
    let lumped = keys.choice("mass", &["consistent", "lumped"], false, "Mass matrix of the elements")? == 1;
    let refused = |keys: &dyn Keys, e: stickslip_mesh::Refused| keys.refuse("mesh", "body::mesh", e.to_string());
    let assembler = Assembler::new(&mesh, &numbering, &[]).map_err(|e| refused(keys, e))?;
    let [stiffness, mass] = assembler.matrices(&mesh, &section).map_err(|e| refused(keys, e))?;
    let node_masses = mesh.node_masses(&section).map_err(|e| refused(keys, e))?;
    let total_mass: f64 = node_masses.iter().sum();
    if total_mass.is_nan() || total_mass <= 0.0 {
        let e = keys.refuse("material", "body::mass", "the body has no mass".into());
        return Err(e.expected("a density above 0"));
    }
    let mass = match lumped {
        true => {
            let masses = mesh.lumped_mass(&section).map_err(|e| refused(keys, e))?;
            Matrix::Diagonal(numbering.displacements().iter().map(|d| masses[*d as usize / 2]).collect())
        }
        false => mass,
    };
    let n = numbering.len();
    let mut loads = vec![Signal::ZERO; n];
    // Weight first: most bodies have nothing else.
    let weight = keys.number(Ask::new("weight", "N", "Weight of the whole body, along -y").or(0.0).min(0.0))?;
    let gravity = keys.number(Ask::new("gravity", "m/s^2", "Acceleration of gravity, along -y").or(0.0).min(0.0))?;
    if weight != 0.0 && gravity != 0.0 {
        return Err(keys.refuse("gravity", "scenario::conflict", "`weight` and `gravity` are both given".into()));
    }
    let pull = gravity + weight / total_mass;
    for (j, d) in numbering.displacements().iter().enumerate().filter(|(_, d)| *d % 2 == 1) {
        loads[j] = Signal::Constant(-pull * node_masses[*d as usize / 2]);
    }
    read_tractions(keys, &mesh, thickness, &numbering, &mut loads)?;
    let (mut of_mass, mut of_stiffness) = (0.0, 0.0);
    keys.table("damping", "Rayleigh's damping: parts of mass and stiffness", &mut |keys| {
        of_mass = keys.number(Ask::new("mass", "1/s", "Part of the mass").or(0.0).min(0.0))?;
        of_stiffness = keys.number(Ask::new("stiffness", "s", "Part of the stiffness").or(0.0).min(0.0))?;
        Ok(())
    })?;
    if loading.base.is_some() || !loading.forces.is_empty() || !loading.impulses.is_empty() {
        let what = "a body is driven by a belt, by its own `loads` or by `weight`: it has no named coordinates to pull at";
        let e = keys.refuse("mesh", "drive::not-served", what.into());
        return Err(e.hint("give `structure.loads = [{ on = .., traction = [.., ..] }]`"));
    }
    let mut stiffness = stiffness.full();
    let mut sprung = vec![];
    for (node, k) in &springs {
        for (axis, k) in k.iter().enumerate().filter(|(_, k)| **k > 0.0) {
            if let Some(j) = numbering.unknown(*node, axis) {
                stiffness[j as usize * (n + 1)] += k;
                sprung.push(j as usize);
            }
        }
    }
    let full_mass = mass.full();
    let damping: Vec<f64> = full_mass.iter().zip(&stiffness).map(|(m, k)| of_mass * m + of_stiffness * k).collect();
    let ahead = if loading.surface.is_some() { 1.0 } else { -1.0 };
    let name = |d: &u32| format!("{}{}", if d % 2 == 0 { "x" } else { "y" }, d / 2 + 1);
    let names: Vec<String> = numbering.displacements().iter().map(name).collect();
    let group = |(axis, name): (u32, &str)| Group {
        name: name.into(),
        members: (0..n).filter(|j| numbering.displacements()[*j] % 2 == axis).collect(),
    };
    let groups = [(0, "x"), (1, "y")].into_iter().map(group).collect();
    let body = Body { mesh, section, numbering, mass, total_mass, ahead };
    let loose = body.free_motions(&sprung).iter().any(|motion| works(&loads, motion));
    Ok(Structure {
        rates: names.clone(),
        coordinates: names,
        mass: full_mass,
        damping,
        stiffness,
        orientation: 1.0,
        base: vec![0.0; n],
        loads: Loads(loads),
        groups,
        loose,
        body: Some(Arc::new(body)),
        ..Structure::default()
    })
}

/// Whether loads do work on a motion: now, or at any time.
fn works(loads: &[Signal], motion: &[f64]) -> bool {
    let of = |value: &dyn Fn(&Signal) -> f64| {
        let (mut sum, mut size) = (0.0f64, 0.0f64);
        for (load, x) in loads.iter().zip(motion) {
            let work = value(load) * x;
            sum += work;
            size += work.abs();
        }
        sum.abs() > BALANCED * size
    };
    let constant = |load: &Signal| if load.is_constant() { load.value(0.0) } else { 0.0 };
    of(&constant)
}

/// The mesh, and the names of its materials.
fn read_mesh(keys: &mut dyn Keys) -> Result<(Mesh, Vec<String>), Refused> {
    let mut found = None;
    let given = keys.table("mesh", "A rectangle divided evenly, or a file of Gmsh", &mut |keys| {
        found = Some(if keys.has("file") { from_file(keys)? } else { rectangle(keys)? });
        Ok(())
    })?;
    match found {
        Some(mesh) if given => Ok((mesh.materials.clone(), mesh)).map(|(names, mesh)| (mesh, names)),
        _ => {
            let e = keys.refuse("mesh", "scenario::missing", "a body needs `mesh`".into());
            let e = e.expected("a table: { rectangle, divisions, element }, or { file, unit }");
            Err(e.hint("for instance mesh = { rectangle = [\"16 cm\", \"2 cm\"], divisions = [8, 2], element = \"q9\" }"))
        }
    }
}

fn rectangle(keys: &mut dyn Keys) -> Result<Mesh, Refused> {
    let size = keys.list(Ask::new("rectangle", "m", "Width and height").above(0.0))?;
    let divisions = keys.list(Ask::new("divisions", "1", "Elements along width and height").min(1.0))?;
    let words = ["q9", "q8", "q4", "t6", "t3"];
    let element = keys.choice("element", &words, false, "Kind of element")?;
    let [width, height] = size[..] else {
        let message = format!("`rectangle` has {} entries", size.len());
        return Err(keys.refuse("rectangle", "scenario::shape", message).expected("two lengths, width and height"));
    };
    let [columns, rows] = divisions[..] else {
        let message = format!("`divisions` has {} entries", divisions.len());
        return Err(keys.refuse("divisions", "scenario::shape", message).expected("two whole numbers"));
    };
    if columns.fract() != 0.0 || rows.fract() != 0.0 {
        let message = format!("`divisions` = [{columns}, {rows}] are no whole numbers");
        return Err(keys.refuse("divisions", "scenario::out-of-range", message).expected("two whole numbers, at least 1"));
    }
    let kind = Kind::named(words[element]).unwrap_or(Kind::Q9);
    Mesh::rectangle([width, height], [columns as usize, rows as usize], kind).map_err(|e| {
        let code = if let stickslip_mesh::Refused::TooLarge { .. } = e { "body::too-large" } else { "body::mesh" };
        keys.refuse("divisions", code, e.to_string())
    })
}

fn from_file(keys: &mut dyn Keys) -> Result<Mesh, Refused> {
    Err(keys.refuse("file", "body::mesh", "meshes from files are not served yet".into()))
}

/// The material of each number that elements have.
fn read_materials(
    keys: &mut dyn Keys,
    mesh: &Mesh,
    plane: Plane,
    names: &[String],
) -> Result<Vec<Material>, Refused> {
    let mut all: Vec<(Option<String>, Material)> = vec![];
    let mut one = |keys: &mut dyn Keys| {
        let on = if names.len() > 1 || keys.has("on") { keys.text("on", "Name of the mesh's material")? } else { None };
        all.push((on, read_material(keys, plane)?));
        Ok(())
    };
    keys.tables("material", "Material; several, each with `on`, where the mesh has several", &mut one)?;
    let count = 1 + mesh.elements.iter().map(|e| usize::from(e.material)).max().unwrap_or(0);
    match (&all[..], count) {
        ([], _) => {
            let e = keys.refuse("material", "scenario::missing", "a body needs `material`".into());
            Err(e.expected("a table: { young, poisson, density }"))
        }
        ([(None, material)], _) => Ok(vec![*material; count]),
        _ => (0..count)
            .map(|k| {
                let name = names.get(k).cloned().unwrap_or_default();
                let found = all.iter().find(|(on, _)| on.as_deref() == Some(&name));
                found.map(|(_, material)| *material).ok_or_else(|| {
                    keys.refuse("material", "body::material", format!("no material is given for `{name}` of the mesh"))
                        .expected(format!("a material with `on` for each of {}", names.join(", ")))
                })
            })
            .collect(),
    }
}

fn read_material(keys: &mut dyn Keys, plane: Plane) -> Result<Material, Refused> {
    let young = keys.number(Ask::new("young", "Pa", "Young's modulus").above(0.0))?;
    let poisson = keys.number(Ask::new("poisson", "1", "Poisson's ratio").above(-1.0).max(0.5))?;
    let density = keys.number(Ask::new("density", "kg/m^3", "Density").min(0.0))?;
    let material = Material { young, poisson, density };
    match material.check(plane) {
        Ok(()) => Ok(material),
        Err(e) => Err(keys
            .refuse("poisson", "scenario::out-of-range", e.to_string())
            .hint("an incompressible body needs another formulation; 0.49 is nearly that")),
    }
}

/// Springs at nodes. The first one's node becomes the first of the mesh: its displacement is what a motion's statistics are of.
fn read_springs(keys: &mut dyn Keys, mesh: &mut Mesh) -> Result<Vec<(u32, [f64; 2])>, Refused> {
    let mut springs: Vec<(u32, [f64; 2])> = vec![];
    keys.tables("springs", "Springs between the body and the ground, at a place or spread over a boundary", &mut |keys| {
        let mut k = [0.0; 2];
        keys.table("stiffness", "Stiffness along x and y", &mut |keys| {
            for (k, axis) in k.iter_mut().zip(["x", "y"]) {
                *k = keys.number(Ask::new(axis, "N/m", "Along this axis").or(0.0).min(0.0))?;
            }
            Ok(())
        })?;
        if keys.has("at") {
            let at = keys.list(Ask::new("at", "m", "The place, x and y, of a node"))?;
            let [x, y] = at[..] else {
                let message = format!("`at` has {} entries", at.len());
                return Err(keys.refuse("at", "scenario::shape", message).expected("two lengths, x and y"));
            };
            let node = mesh.node_at([x, y]).map_err(|e| keys.refuse("at", "body::no-node", e.to_string()))?;
            springs.push((node, k));
            return Ok(());
        }
        let on = boundary(keys, "on", mesh)?;
        let areas = mesh.boundary_areas(&on, 1.0).map_err(|e| keys.refuse("on", "body::mesh", e.to_string()))?;
        let whole: f64 = areas.iter().map(|(_, area)| area).sum();
        springs.extend(areas.iter().map(|(node, area)| (*node, k.map(|k| k * area / whole))));
        Ok(())
    })?;
    if let Some(first) = springs.first().map(|(node, _)| *node) {
        exchange(mesh, 0, first);
        for (node, _) in &mut springs {
            *node = match *node {
                0 => first,
                k if k == first => 0,
                k => k,
            };
        }
    }
    Ok(springs)
}

/// Gives two nodes each other's number.
fn exchange(mesh: &mut Mesh, a: u32, b: u32) {
    if a == b {
        return;
    }
    mesh.nodes.swap(a as usize, b as usize);
    for element in &mut mesh.elements {
        if element.nodes().iter().any(|k| *k == a || *k == b) {
            let other = |k: &u32| if *k == a { b } else if *k == b { a } else { *k };
            let nodes: Vec<u32> = element.nodes().iter().map(other).collect();
            if let Some(new) = stickslip_mesh::Element::new(element.kind, &nodes, element.material) {
                *element = new;
            }
        }
    }
}

/// The name of a boundary of the mesh.
fn boundary(keys: &mut dyn Keys, key: &str, mesh: &Mesh) -> Result<String, Refused> {
    let names: Vec<&str> = mesh.boundaries.keys().map(String::as_str).collect();
    let known = format!("one of {}", names.join(", "));
    match keys.text(key, "Boundary")? {
        None => Err(keys.refuse(key, "scenario::missing", format!("`{key}` is missing")).expected(known)),
        Some(name) if names.contains(&name.as_str()) => Ok(name),
        Some(name) => {
            let e = keys.refuse(key, "body::unknown-boundary", format!("the mesh has no boundary `{name}`"));
            Err(e.expected(known))
        }
    }
}

/// Which displacements are held.
fn read_supports(keys: &mut dyn Keys, mesh: &Mesh) -> Result<Vec<bool>, Refused> {
    let mut held = vec![false; mesh.unknowns()];
    keys.tables("supports", "Boundaries or nodes whose displacements are held", &mut |keys| {
        let nodes = if keys.has("at") {
            let at = keys.list(Ask::new("at", "m", "The place, x and y, of a node"))?;
            let [x, y] = at[..] else {
                let message = format!("`at` has {} entries", at.len());
                return Err(keys.refuse("at", "scenario::shape", message).expected("two lengths, x and y"));
            };
            vec![mesh.node_at([x, y]).map_err(|e| keys.refuse("at", "body::no-node", e.to_string()))?]
        } else {
            let on = boundary(keys, "on", mesh)?;
            mesh.boundary_nodes(&on).map_err(|e| keys.refuse("on", "body::mesh", e.to_string()))?
        };
        let axes = keys.texts("fix", "Axes along which it is held: x, y")?.unwrap_or_default();
        if axes.is_empty() {
            return Err(keys.refuse("fix", "scenario::missing", "a support needs `fix`".into()).expected("[\"x\"], [\"y\"] or both"));
        }
        for axis in axes {
            let axis = match axis.as_str() {
                "x" => 0,
                "y" => 1,
                other => {
                    let e = keys.refuse("fix", "scenario::choice", format!("`fix` has \"{other}\""));
                    return Err(e.expected("\"x\" or \"y\""));
                }
            };
            nodes.iter().for_each(|node| held[2 * *node as usize + axis] = true);
        }
        Ok(())
    })?;
    Ok(held)
}

/// Adds tractions on boundaries.
fn read_tractions(
    keys: &mut dyn Keys,
    mesh: &Mesh,
    thickness: f64,
    numbering: &Numbering,
    loads: &mut [Signal],
) -> Result<(), Refused> {
    keys.tables("loads", "Tractions on boundaries, functions of time", &mut |keys| {
        let on = boundary(keys, "on", mesh)?;
        let traction = keys.signals(Ask::new("traction", "Pa", "Force per area along x and y"), 2)?;
        let areas = mesh.boundary_areas(&on, thickness).map_err(|e| keys.refuse("on", "body::mesh", e.to_string()))?;
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
        Ok(())
    })?;
    Ok(())
}
