//! The materials of a body.
use crate::{Ask, Keys, Refused};
use stickslip_mesh::{Material, Mesh, Plane};

/// The material of each number that elements have.
pub fn read(
    keys: &mut dyn Keys,
    mesh: &Mesh,
    plane: Plane,
    wrong: &mut Vec<Refused>,
) -> Result<Vec<Material>, Refused> {
    let mut all: Vec<(Option<String>, Material)> = vec![];
    let about = "Material; several, each with `of`, where the mesh has several";
    keys.tables("material", about, &mut |keys| {
        let of = keys.text("of", "Name of the mesh's material that this is")?;
        let young = keys.number(Ask::new("young", "Pa", "Young's modulus").above(0.0))?;
        let poisson = keys.number(Ask::new("poisson", "1", "Poisson's ratio"))?;
        let density = keys.number(Ask::new("density", "kg/m^3", "Density").min(0.0))?;
        let material = Material { young, poisson, density };
        if let Err(e) = material.check(plane) {
            let e = keys.refuse("poisson", "scenario::out-of-range", e.to_string());
            let expected = if plane == Plane::Strain { "above -1 and below 0.5" } else { "above -1 and at most 0.5" };
            wrong.push(e.expected(format!("a number (unit 1), {expected}")));
        }
        all.push((of, material));
        Ok(())
    })?;
    let count = 1 + mesh.elements.iter().map(|e| usize::from(e.material)).max().unwrap_or(0);
    if let [(of, material)] = &all[..]
        && (of.is_none() || mesh.materials.is_empty())
    {
        return Ok(vec![*material; count]);
    }
    if all.is_empty() {
        let e = keys.refuse("material", "scenario::missing", "a body needs `material`".into());
        return Err(e.expected("a table: { young, poisson, density }"));
    }
    let mut materials = vec![];
    for k in 0..count {
        let name = mesh.materials.get(k).cloned().unwrap_or_default();
        match all.iter().find(|(of, _)| of.as_deref() == Some(&name)) {
            Some((_, material)) => materials.push(*material),
            None => {
                let message = format!("no material is given for `{name}` of the mesh");
                let e = keys.refuse("material", "body::material", message);
                wrong.push(e.expected(format!("a material with `of` for each of {}", mesh.materials.join(", "))));
            }
        }
    }
    Ok(materials)
}
