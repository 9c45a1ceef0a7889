//! Springs, supports and loads of a body: what acts on its boundaries or at its nodes beside contacts.
use crate::{Ask, Keys, Refused, Signal};
use stickslip_mesh::{Element, Mesh};

/// A traction on a boundary: nodes with their areas, and functions of time along x and y.
pub struct Load {
    pub areas: Vec<(u32, f64)>,
    pub traction: Vec<Signal>,
}

/// Nodes with their stiffnesses along x and y. The first one's node becomes the first of the mesh: the statistics of a motion
/// are those of the first coordinate.
pub fn springs(
    keys: &mut dyn Keys,
    mesh: &mut Mesh,
    wrong: &mut Vec<Refused>,
) -> Result<Vec<(u32, [f64; 2])>, Refused> {
    let mut springs: Vec<(u32, [f64; 2])> = vec![];
    let about = "Springs between the body and the ground, at a node or spread over a boundary";
    keys.tables("springs", about, &mut |keys| {
        let mut k = [0.0; 2];
        keys.table("stiffness", "Stiffness along x and y", &mut |keys| {
            for (k, axis) in k.iter_mut().zip(["x", "y"]) {
                *k = keys.number(Ask::new(axis, "N/m", "Along this axis").or(0.0).min(0.0))?;
            }
            Ok(())
        })?;
        match place(keys, mesh)? {
            Ok(Place::Node(node)) => springs.push((node, k)),
            Ok(Place::Boundary(on)) => {
                let areas = mesh.boundary_areas(&on, 1.0).unwrap_or_default();
                let whole: f64 = areas.iter().map(|(_, area)| area).sum();
                springs.extend(areas.iter().map(|(node, area)| (*node, k.map(|k| k * area / whole))));
            }
            Err(e) => wrong.push(e),
        }
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
    for element in mesh.elements.iter_mut().filter(|e| e.nodes().iter().any(|k| *k == a || *k == b)) {
        let other = |k: &u32| match *k {
            k if k == a => b,
            k if k == b => a,
            k => k,
        };
        let nodes: Vec<u32> = element.nodes().iter().map(other).collect();
        if let Some(new) = Element::new(element.kind, &nodes, element.material) {
            *element = new;
        }
    }
}

/// Which displacements are held.
pub fn supports(keys: &mut dyn Keys, mesh: &Mesh, wrong: &mut Vec<Refused>) -> Result<Vec<bool>, Refused> {
    let mut held = vec![false; mesh.unknowns()];
    keys.tables("supports", "Boundaries or nodes whose displacements are held", &mut |keys| {
        let place = place(keys, mesh)?;
        let axes = keys.texts("fix", "Axes along which it is held: x, y")?.unwrap_or_default();
        let expected = "[\"x\"], [\"y\"], or both";
        if axes.is_empty() {
            let e = keys.refuse("fix", "scenario::missing", "a support needs `fix`".into());
            wrong.push(e.expected(expected));
        }
        let nodes = match place {
            Ok(Place::Node(node)) => vec![node],
            Ok(Place::Boundary(on)) => mesh.boundary_nodes(&on).unwrap_or_default(),
            Err(e) => {
                wrong.push(e);
                vec![]
            }
        };
        for axis in axes {
            match ["x", "y"].iter().position(|name| *name == axis) {
                Some(axis) => nodes.iter().for_each(|node| held[2 * *node as usize + axis] = true),
                None => {
                    let e = keys.refuse("fix", "scenario::choice", format!("`fix` has \"{axis}\""));
                    wrong.push(e.expected(expected));
                }
            }
        }
        Ok(())
    })?;
    Ok(held)
}

/// Tractions on boundaries.
pub fn loads(keys: &mut dyn Keys, mesh: &Mesh, thickness: f64, wrong: &mut Vec<Refused>) -> Result<Vec<Load>, Refused> {
    let mut loads = vec![];
    keys.tables("loads", "Tractions on boundaries, functions of time", &mut |keys| {
        let on = boundary(keys, mesh)?;
        let traction = keys.signals(Ask::new("traction", "Pa", "Force per area along x and y"), 2)?;
        match on {
            Ok(on) => loads.push(Load { areas: mesh.boundary_areas(&on, thickness).unwrap_or_default(), traction }),
            Err(e) => wrong.push(e),
        }
        Ok(())
    })?;
    Ok(loads)
}

/// Where something acts.
enum Place {
    Node(u32),
    Boundary(String),
}

/// A node by its place, or a boundary by its name; or why there is none.
fn place(keys: &mut dyn Keys, mesh: &Mesh) -> Result<Result<Place, Refused>, Refused> {
    if !keys.has("at") {
        return Ok(boundary(keys, mesh)?.map(Place::Boundary));
    }
    let at = keys.list(Ask::new("at", "m", "Place of a node, x and y"))?;
    let [x, y] = at[..] else {
        let message = format!("`at` has {} entries", at.len());
        return Ok(Err(keys.refuse("at", "scenario::shape", message).expected("two lengths, x and y")));
    };
    Ok(mesh.node_at([x, y]).map(Place::Node).map_err(|e| keys.refuse("at", "body::no-node", e.to_string())))
}

/// The name of a boundary of the mesh; or why there is none.
fn boundary(keys: &mut dyn Keys, mesh: &Mesh) -> Result<Result<String, Refused>, Refused> {
    let names: Vec<&str> = mesh.boundaries.keys().map(String::as_str).collect();
    let known = format!("one of {}", names.join(", "));
    Ok(match keys.text("on", "Boundary of the mesh")? {
        None => Err(keys.refuse("on", "scenario::missing", "`on` is missing".into()).expected(known)),
        Some(name) if names.contains(&name.as_str()) => Ok(name),
        Some(name) => {
            let e = keys.refuse("on", "body::unknown-boundary", format!("the mesh has no boundary `{name}`"));
            Err(e.expected(known))
        }
    })
}
