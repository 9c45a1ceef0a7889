//! A mesh from the cells of a file: lines are found again as sides of elements.
use super::{BadFile, Cell, File, Shape};
use crate::{Element, Mesh, Side};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Elements beside a side.
enum Beside {
    One(Side),
    Two,
}

/// Coordinates across the plane may differ by this part of the mesh's extent.
const FLAT: f64 = 1e-9;

pub fn mesh(file: File, unit: f64) -> Result<Mesh, BadFile> {
    let bad = |reason: String| BadFile { at: None, reason };
    let mut mesh = Mesh::default();
    let mut numbers = vec![u32::MAX; file.nodes.len()];
    let mut heights = [f64::INFINITY, f64::NEG_INFINITY];
    let mut materials: Vec<i64> = vec![];
    let mut twins: HashMap<[u32; 4], usize> = HashMap::new();
    for Cell { shape, nodes, groups } in &file.cells {
        let Shape::Area(kind) = *shape else { continue };
        let groups = &file.groups[*groups as usize];
        let mut corners = [u32::MAX; 4];
        corners[..kind.corners()].copy_from_slice(&nodes[..kind.corners()]);
        corners.sort_unstable();
        let twice = twins.insert(corners, mesh.elements.len()).is_some();
        if twice || groups.len() > 1 {
            let reason = "an element is given twice, or is in two physical groups: which material is it of?";
            return Err(bad(reason.into()));
        }
        // Group 0 is that of elements without one.
        let group = groups.first().copied().unwrap_or(0);
        let material = materials.iter().position(|own| *own == group).unwrap_or_else(|| {
            materials.push(group);
            materials.len() - 1
        });
        let material =
            u16::try_from(material).map_err(|_| bad("more than 65536 physical groups of surfaces".into()))?;
        let mut own = [0; crate::element::MOST_NODES];
        for (own, node) in own.iter_mut().zip(&nodes[..kind.nodes()]) {
            let number = &mut numbers[*node as usize];
            if *number == u32::MAX {
                *number = mesh.nodes.len() as u32;
                let [x, y, z] = file.nodes[*node as usize].map(|x| x * unit);
                mesh.nodes.push([x, y]);
                heights = [heights[0].min(z), heights[1].max(z)];
            }
            *own = *number;
        }
        mesh.elements.extend(Element::new(kind, &own[..kind.nodes()], material));
    }
    if mesh.elements.is_empty() {
        return Err(bad("the file has no triangles or quadrilaterals; a plane mesh is needed".into()));
    }
    if heights[1] - heights[0] > FLAT * mesh.extent() {
        let [low, high] = heights.map(|z| z / unit);
        return Err(bad(format!("the mesh is not plane: z is from {low} to {high}")));
    }
    mesh.check()?;
    let name = |dimension: i64, group: i64| match file.names.get(&(dimension, group)) {
        Some(name) => name.clone(),
        None if group == 0 => String::new(),
        None => group.to_string(),
    };
    mesh.materials = materials.iter().map(|group| name(2, *group)).collect();
    let sides = sides(&mesh).ok_or_else(|| bad("three elements share a side".into()))?;
    for Cell { shape, nodes, groups } in file.cells.iter().filter(|cell| cell.shape == Shape::Line) {
        debug_assert!(*shape == Shape::Line);
        let ends = [0, 1].map(|k| numbers[nodes[k] as usize]);
        for group in &file.groups[*groups as usize] {
            let name = name(1, *group);
            match sides.get(&key(ends)) {
                Some(Beside::One(side)) => mesh.boundaries.entry(name).or_default().push(*side),
                _ if mesh.inner_lines.contains(&name) => {}
                _ => mesh.inner_lines.push(name),
            }
        }
    }
    // A curve is a boundary as a whole, or not at all.
    let inner = &mesh.inner_lines;
    mesh.boundaries.retain(|name, _| !inner.contains(name));
    for sides in mesh.boundaries.values_mut() {
        sides.sort_unstable();
        sides.dedup();
    }
    Ok(mesh)
}

fn key(ends: [u32; 2]) -> [u32; 2] {
    [ends[0].min(ends[1]), ends[0].max(ends[1])]
}

/// All sides by their ends; None where more than two elements have one.
fn sides(mesh: &Mesh) -> Option<HashMap<[u32; 2], Beside>> {
    let mut sides = HashMap::new();
    for (e, element) in mesh.elements.iter().enumerate() {
        for side in 0..element.kind.corners() as u8 {
            let (nodes, _) = element.side(side);
            match sides.entry(key([nodes[0], nodes[1]])) {
                Entry::Vacant(entry) => {
                    entry.insert(Beside::One(Side { element: e as u32, side }));
                }
                Entry::Occupied(mut entry) => match entry.get() {
                    Beside::One(_) => {
                        entry.insert(Beside::Two);
                    }
                    Beside::Two => return None,
                },
            }
        }
    }
    Some(sides)
}
