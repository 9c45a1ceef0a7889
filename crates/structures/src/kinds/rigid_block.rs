//! A rigid block that stands with its bottom edge on a surface.
use crate::{Ask, Edge, Keys, Loading, Place, Refused, Structure};

pub const NAME: &str = "rigid-block";
pub const ABOUT: &str = "A rigid block in plane motion, its bottom edge in distributed contact with a surface.

M x'' + C_x x' + K_x x = f,   M y'' + C_y y' + K_y y = W - N,   I theta'' + C_theta theta' + K_theta theta = f H/2 + S
The edge approaches the surface by a(s) = (y - s theta - gap)_+ at |s| <= L/2: N is the integral of the pressure over the
closed part, S that of s times it, and f the friction at the slip velocity V - x' - (H/2) theta'. Coordinates are those
of the centre of mass at mid-height: x, y (positive into the surface), theta (positive where friction of a surface that
moves forward tilts it).";

const COORDINATES: [&str; 3] = ["x", "y", "theta"];
const STIFFNESSES: [&str; 3] = ["N/m", "N/m", "N m/rad"];
const DAMPINGS: [&str; 3] = ["N s/m", "N s/m", "N m s/rad"];

pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(COORDINATES.len())
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let mass = keys.number(Ask::new("mass", "kg", "Mass of the block").above(0.0))?;
    let length = keys.number(Ask::new("length", "m", "Length of the bottom edge, along the slip").above(0.0))?;
    let height = keys.number(Ask::new("height", "m", "Height; the centre of mass is half as high").above(0.0))?;
    let width = keys.number(Ask::new("width", "m", "Width across the slip").above(0.0))?;
    let homogeneous = mass * (length * length + height * height) / 12.0;
    let about = "Moment of inertia about the centre of mass; that of a homogeneous block by default";
    let inertia = keys.number(Ask::new("inertia", "kg m^2", about).or(homogeneous).above(0.0))?;
    let weight = keys.number(Ask::new("weight", "N", "Weight, towards the surface").min(0.0))?;
    let stiffness = of_each(keys, "stiffness", "Springs at the centre of mass", &STIFFNESSES)?;
    let damping = of_each(keys, "damping", "Dampers at the centre of mass", &DAMPINGS)?;
    let about = "Damping as a part of the critical one of each coordinate alone, in frictionless equilibrium";
    let damping_ratio = of_each(keys, "damping_ratio", about, &["1"; 3])?;
    if loading.base.is_some() {
        let e = keys.refuse("mass", "drive::not-served", "a rigid block can't be pulled: its spring is fixed".into());
        return Err(e.hint("use drive kind \"belt\": the two are one motion seen from two frames"));
    }
    let diagonal = |d: [f64; 3]| (0..9).map(|k| if k % 4 == 0 { d[k / 4] } else { 0.0 }).collect::<Vec<f64>>();
    let names: Vec<String> = COORDINATES.map(String::from).to_vec();
    // On a belt the slip velocity is the belt's ahead of the block's bottom.
    let ahead = if loading.surface.is_some() { 1.0 } else { -1.0 };
    Ok(Structure {
        coordinates: names.clone(),
        rates: names,
        angles: vec![false, false, true],
        mass: diagonal([mass, mass, inertia]),
        per_load: false,
        damping: diagonal(damping),
        damping_ratio: if damping_ratio == [0.0; 3] { vec![] } else { damping_ratio.to_vec() },
        stiffness: diagonal(stiffness),
        circulatory: vec![],
        cubic: vec![],
        weight: vec![0.0, weight, 0.0],
        orientation: 1.0,
        base: vec![0.0; 3],
        places: vec![Place {
            tangent: vec![vec![-ahead, 0.0, -ahead * 0.5 * height]],
            normal: Some(vec![0.0, -1.0, 0.0]),
            surface: ahead,
            edge: Some(Edge { lever: vec![0.0, 0.0, 1.0], length, width }),
            ..Place::default()
        }],
        ..Structure::default()
    })
}

/// A number for each coordinate, at least zero; none of them is required.
fn of_each(keys: &mut dyn Keys, key: &str, about: &str, units: &[&str; 3]) -> Result<[f64; 3], Refused> {
    let mut found = [0.0; 3];
    keys.table(key, about, &mut |table| {
        for ((x, name), unit) in found.iter_mut().zip(COORDINATES).zip(units) {
            *x = table.number(Ask::new(name, unit, "Of this coordinate").or(0.0).min(0.0))?;
        }
        Ok(())
    })?;
    Ok(found)
}
