//! A moving surface.
use crate::{Ask, Keys, Loading, Refused};

pub const NAME: &str = "belt";
pub const ABOUT: &str = "The surface moves under the structure at a velocity that may change in time.";

pub fn read(keys: &mut dyn Keys, _: usize, loading: &mut Loading) -> Result<(), Refused> {
    let velocity = keys.signal(Ask::new("velocity", "m/s", "Velocity of the surface"))?;
    Loading::add(&mut loading.surface, velocity);
    Ok(())
}
