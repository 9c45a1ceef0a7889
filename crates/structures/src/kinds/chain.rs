//! Blocks in a row, coupled by springs: Burridge and Knopoff's model.
use crate::{Ask, Keys, Loading, Place, Refused, Structure};

pub const NAME: &str = "chain";
pub const ABOUT: &str = "Blocks in a row, each coupled to its neighbours by springs and held by a spring of its own.

pulled:      m v_i' = k e_i + c e_i' + kc (2 e_i - e_(i-1) - e_(i+1)) - f(v_i),   e_i' = V - v_i
             coordinates `elongation1`, `elongation2`, .., rates `velocity1`, ..
on a belt:   m x_i'' + c x_i' + k x_i + kc (2 x_i - x_(i-1) - x_(i+1)) = f(V - x_i')
             coordinates `x1`, `x2`, ..; under forces likewise

Both ends are free. One contact is given for all blocks; every block has its own point of it. `contact.loads` gives each the
part of the contact's load that rests on it: a list, or a formula in i, 1 for the first.
R. Burridge and L. Knopoff, Bull. Seism. Soc. Am. 57 (1967) 341.";

/// Most blocks: the matrices of a structure are kept whole.
const MOST_BLOCKS: f64 = 2000.0;

pub fn size(keys: &mut dyn Keys) -> Result<usize, Refused> {
    let blocks = keys.number(Ask::new("blocks", "1", "Number of blocks").min(1.0).max(MOST_BLOCKS))?;
    if blocks.fract() != 0.0 {
        let e = keys.refuse("blocks", "structure::out-of-range", format!("`blocks` = {blocks} is no whole number"));
        return Err(e.expected(format!("a whole number from 1 to {MOST_BLOCKS}")));
    }
    Ok(blocks as usize)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let n = size(keys)?;
    let mass = keys.number(Ask::new("mass", "kg", "Mass of a block").above(0.0))?;
    let coupling = keys.number(Ask::new("coupling", "N/m", "Stiffness of the spring between neighbours").min(0.0))?;
    let ask = Ask::new("coupling_damping", "N s/m", "Damping between neighbours").or(0.0).min(0.0);
    let coupling_damping = keys.number(ask)?;
    let ask = Ask::new("stiffness", "N/m", "Stiffness of the spring from each block to the driver, or the ground");
    let stiffness = keys.number(ask.min(0.0))?;
    let ask = Ask::new("damping", "N s/m", "Damping, in parallel with that spring").or(0.0).min(0.0);
    let damping = keys.number(ask)?;
    let pulled = loading.base.is_some();
    if pulled && loading.surface.is_some() {
        let text = "a chain can't be pulled and carried by a belt at once";
        let e = keys.refuse("stiffness", "drive::conflict", text.into());
        let hint = "the two are one motion seen from two frames: keep one drive and give it the relative velocity";
        return Err(e.hint(hint));
    }
    if pulled && stiffness == 0.0 && damping == 0.0 {
        let text = "a pulled chain needs springs to its driver: `stiffness` = 0";
        let e = keys.refuse("stiffness", "structure::out-of-range", text.into());
        let e = e.expected("a number (unit N/m), above 0");
        return Err(e.hint("try --set structure.stiffness=\"100 N/m\", or drive kind \"force\""));
    }
    let on_belt = loading.surface.is_some();
    let named = |name: &str| -> Vec<String> { (1..=n).map(|i| format!("{name}{i}")).collect() };
    let place = |i: usize| {
        let mut row = vec![0.0; n];
        // On a belt the slip velocity is the belt's ahead of the block: positive friction drags the block along.
        row[i] = if on_belt { -1.0 } else { 1.0 };
        Place { tangent: vec![row], surface: if on_belt { 1.0 } else { -1.0 }, ..Place::default() }
    };
    Ok(Structure {
        coordinates: named(if pulled { "elongation" } else { "x" }),
        rates: named(if pulled { "velocity" } else { "x" }),
        mass: banded(n, mass, 0.0),
        damping: banded(n, damping, coupling_damping),
        stiffness: banded(n, stiffness, coupling),
        orientation: if pulled { -1.0 } else { 1.0 },
        base: vec![if pulled { 1.0 } else { 0.0 }; n],
        places: (0..n).map(place).collect(),
        ..Structure::default()
    })
}

/// Each block's own part on the diagonal, and what couples neighbours.
fn banded(n: usize, own: f64, coupling: f64) -> Vec<f64> {
    let mut m = vec![0.0; n * n];
    (0..n).for_each(|i| m[i * n + i] = own);
    for i in 1..n {
        m[(i - 1) * n + i - 1] += coupling;
        m[i * n + i] += coupling;
        m[(i - 1) * n + i] -= coupling;
        m[i * n + i - 1] -= coupling;
    }
    m
}
