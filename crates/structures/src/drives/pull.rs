//! A driver that pulls through the spring.
use crate::{Ask, Keys, Loading, Refused};

pub const NAME: &str = "pull";
pub const ABOUT: &str = "The far end of the spring moves at a velocity that may change in time.";

pub fn read(keys: &mut dyn Keys, _: usize, loading: &mut Loading) -> Result<(), Refused> {
    let velocity = keys.signal(Ask::new("velocity", "m/s", "Velocity of the driver"))?;
    Loading::add(&mut loading.base, velocity);
    Ok(())
}
