//! Blows on the coordinates.
use crate::{Ask, Impulse, Keys, Loading, Refused};

pub const NAME: &str = "impulse";
pub const ABOUT: &str = "A blow at a time, or the same at several: the momentum of each coordinate jumps.";

pub fn read(keys: &mut dyn Keys, size: usize, loading: &mut Loading) -> Result<(), Refused> {
    let momentum = keys.list(Ask::new("impulse", "N s", "Momentum given to each coordinate"))?;
    if momentum.len() != size {
        let message = format!("`impulse` has {} entries for {size} coordinates", momentum.len());
        let e = keys.refuse("impulse", "drive::shape", message);
        return Err(e.expected(format!("{size} numbers (unit N s)")));
    }
    let times = keys.list(Ask::new("at", "s", "When: one time, or a list").min(0.0))?;
    loading.impulses.extend(times.into_iter().map(|at| Impulse { at, momentum: momentum.clone() }));
    Ok(())
}
