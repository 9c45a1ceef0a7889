//! A point without inertia: the law itself.
use crate::{Keys, Loading, Place, Refused, Structure};

pub const NAME: &str = "point";
pub const ABOUT: &str = "A contact point without inertia, moved by a program: the law itself.";

pub fn size(_: &mut dyn Keys) -> Result<usize, Refused> {
    Ok(0)
}

pub fn read(_: &mut dyn Keys, _: &Loading) -> Result<Structure, Refused> {
    let place = Place { tangent: vec![vec![]], surface: 1.0, ..Place::default() };
    Ok(Structure { orientation: 1.0, places: vec![place], ..Structure::default() })
}
