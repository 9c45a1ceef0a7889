//! A block on a spring: pulled through it, on a belt, or under a force.
use crate::{Ask, Keys, Loading, Place, Refused, Structure};

pub const NAME: &str = "spring-block";
pub const ABOUT: &str = "A block held by a spring and a damper in parallel.

pulled:      m v' = k e + c e' - f(v),        e' = V - v        coordinate `elongation`, rate `velocity`
on a belt:   m x'' + c x' + k x = f(V - x')                     coordinate `x`
forced:      m x'' + c x' + k x = F(t) - f(x')                  coordinate `x`

`stiffness_cubic` adds k_3 x^3 (k_3 e^3) to the force of the spring.
With `rotation = true` it is a disc on a shaft: `mass` in kg m^2, `stiffness` in N m/rad, coordinate `twist` (rate `spin`) where it is
pulled, else `theta`; the contact slips at `radius` from the axis.
A `stiffness` in 1/m is per normal load: the spring changes friction over load by so much per metre. `mass = 0` is a block without
inertia: the balance of forces gives its velocity, under a law for which that is unique.";

/// Unit of a stiffness per normal load.
const PER_LOAD: &str = "1/m";

pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(1)
}

pub fn read(keys: &mut dyn Keys, loading: &Loading) -> Result<Structure, Refused> {
    let turns = keys.flag("rotation", "A disc on a shaft in place of a block on a spring")?;
    let units = if turns { ["kg m^2", "N m/rad", "N m s/rad", "N m/rad^3"] } else { ["kg", "N/m", "N s/m", "N/m^3"] };
    let about = "Mass of the block, or its moment of inertia; 0 for a block without inertia";
    let mass = keys.number(Ask::new("mass", units[0], about).min(0.0))?;
    let per_load = !turns && keys.measures("stiffness", PER_LOAD)?;
    let unit = if per_load { PER_LOAD } else { units[1] };
    let stiffness = keys.number(Ask::new("stiffness", unit, "Stiffness of the spring").min(0.0))?;
    let about = "Damping, in parallel with the spring";
    let damping = keys.number(Ask::new("damping", units[2], about).or(0.0).min(0.0))?;
    let about = "Force of the spring that grows with the cube of its stretch";
    let cubic = keys.number(Ask::new("stiffness_cubic", units[3], about).or(0.0))?;
    let about = "Distance of the contact from the axis";
    let radius = match turns || keys.has("radius") {
        true => keys.number(Ask::new("radius", "m", about).or(1.0).above(0.0))?,
        false => 1.0,
    };
    if !turns && radius != 1.0 {
        let e = keys.refuse("radius", "structure::conflict", "`radius` is that of a disc".into());
        return Err(e.hint("add rotation = true, or leave `radius` out"));
    }
    let pulled = loading.base.is_some();
    if pulled && loading.surface.is_some() {
        let e =
            keys.refuse("stiffness", "drive::conflict", "a block can't be pulled and carried by a belt at once".into());
        return Err(
            e.hint("the two are one motion seen from two frames: keep one drive and give it the relative velocity")
        );
    }
    if pulled && stiffness == 0.0 && damping == 0.0 {
        let e = keys.refuse(
            "stiffness",
            "structure::out-of-range",
            "a pulled block needs a spring: `stiffness` = 0".into(),
        );
        let e = e.expected("a number (unit N/m), above 0");
        return Err(e.hint("try --set structure.stiffness=\"100 N/m\", or drive kind \"force\""));
    }
    let on_belt = loading.surface.is_some();
    let [coordinate, rate] = match (turns, pulled) {
        (false, true) => ["elongation", "velocity"],
        (false, false) => ["x", "x"],
        (true, true) => ["twist", "spin"],
        (true, false) => ["theta", "theta"],
    };
    Ok(Structure {
        coordinates: vec![coordinate.into()],
        rates: vec![rate.into()],
        angles: if turns { vec![true] } else { vec![] },
        mass: vec![mass],
        per_load,
        damping: vec![damping],
        stiffness: vec![stiffness],
        cubic: if cubic == 0.0 { vec![] } else { vec![cubic] },
        orientation: if pulled { -1.0 } else { 1.0 },
        base: vec![if pulled { 1.0 } else { 0.0 }],
        // On a belt the slip velocity is the belt's ahead of the block: positive friction drags the block along.
        places: vec![Place {
            tangent: vec![vec![if on_belt { -radius } else { radius }]],
            surface: if on_belt { 1.0 } else { -1.0 },
            ..Place::default()
        }],
        ..Structure::default()
    })
}
