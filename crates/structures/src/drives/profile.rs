//! A surface that rises and falls.
use crate::{Ask, Keys, Loading, Refused, Signal};
use std::f64::consts::TAU;

pub const NAME: &str = "profile";
pub const ABOUT: &str =
    "The surface rises and falls under the contacts: a rough profile that moves past, or a normal vibration.

Either `height` as a function of time, or the wave of a profile: height = amplitude sin(2 pi velocity t/wavelength).
All of a contact feels the same height: the wave is long against it. Contacts need a normal law that follows the gap.";

pub fn read(keys: &mut dyn Keys, _: usize, loading: &mut Loading) -> Result<(), Refused> {
    let height = if keys.has("wavelength") {
        let amplitude = keys.number(Ask::new("amplitude", "m", "Amplitude of the profile").min(0.0))?;
        let wavelength = keys.number(Ask::new("wavelength", "m", "Length of its wave").above(0.0))?;
        let velocity = keys.number(Ask::new("velocity", "m/s", "Velocity at which it moves past"))?;
        let phase = keys.number(Ask::new("phase", "rad", "Phase at the start").or(0.0))?;
        Signal::Sine { amplitude, omega: TAU * velocity / wavelength, phase }
    } else {
        keys.signal(Ask::new("height", "m", "Height of the surface"))?
    };
    Loading::add(&mut loading.profile, height);
    Ok(())
}
