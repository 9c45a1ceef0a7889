//! Forces on the coordinates.
use crate::{Ask, Keys, Loading, Refused, Signal};

pub const NAME: &str = "force";
pub const ABOUT: &str = "A force on each coordinate, as functions of time.";

pub fn read(keys: &mut dyn Keys, size: usize, loading: &mut Loading) -> Result<(), Refused> {
    let forces = keys.signals(Ask::new("force", "N", "Force on each coordinate"), size)?;
    if loading.forces.is_empty() {
        loading.forces = forces;
        return Ok(());
    }
    for (old, new) in loading.forces.iter_mut().zip(forces) {
        *old = Signal::Sum(vec![old.clone(), new]);
    }
    Ok(())
}
