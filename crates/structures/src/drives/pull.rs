//! A driver that pulls through the spring.
use crate::{Ask, Keys, Loading, Refused};

pub const NAME: &str = "pull";
pub const ABOUT: &str = "The far end of the spring moves at a velocity that may change in time.";

pub fn read(keys: &mut dyn Keys, _: usize, loading: &mut Loading) -> Result<(), Refused> {
    // The far end of a spring that is twisted turns.
    let ask = |unit| Ask::new("velocity", unit, "Velocity of the driver; rad/s where it turns");
    let velocity = keys.signal(ask("m/s")).or_else(|e| keys.signal(ask("rad/s")).map_err(|_| e))?;
    Loading::add(&mut loading.base, velocity);
    Ok(())
}
