//! A base that moves.
use crate::{Ask, Keys, Loading, Refused, Shake};

pub const NAME: &str = "base";
pub const ABOUT: &str = "The base moves: what holds the springs, and the surfaces of the contacts. Coordinates are those relative to it.

M q'' + C q' + K q = F(t) - M d a(t) + contact forces
One of `displacement`, `velocity` and `acceleration` of the base as a function of time; `direction` is the d, 1 for every
length and 0 for every angle unless given.";

/// A function and how many rates of it make an acceleration.
const GIVEN: [(&str, &str, &str, usize); 3] = [
    ("displacement", "m", "Displacement of the base", 2),
    ("velocity", "m/s", "Velocity of the base", 1),
    ("acceleration", "m/s^2", "Acceleration of the base", 0),
];

pub fn read(keys: &mut dyn Keys, size: usize, loading: &mut Loading) -> Result<(), Refused> {
    let direction = keys.list(Ask::new("direction", "1", "Part of the motion that each coordinate feels").or(1.0))?;
    let given: Vec<_> = GIVEN.iter().filter(|(key, ..)| keys.has(key) || keys.has_table(key)).collect();
    // Without any the first is reported as missing.
    let &&(key, unit, about, rates) = match given[..] {
        [] => &&GIVEN[0],
        [ref one] => one,
        [_, (second, ..), ..] => {
            let e = keys.refuse(second, "drive::conflict", "the motion of the base is given twice".into());
            return Err(e.expected("one of displacement, velocity, acceleration"));
        }
    };
    let mut signal = keys.signal(Ask::new(key, unit, about))?;
    if rates > 0 && signal.has_corners() {
        let text = format!("`{key}` has corners, at which the base would be struck");
        let e = keys.refuse(key, "drive::not-served", text);
        return Err(e.expected("a smooth function of time").hint("give `acceleration`, which may jump"));
    }
    (0..rates).for_each(|_| signal = signal.derivative());
    if loading.shake.is_some() {
        let e = keys.refuse("kind", "drive::conflict", "the base is moved twice".into());
        return Err(e.hint("add the two up in one function of time"));
    }
    if !direction.is_empty() && direction.len() != size {
        let message = format!("`direction` has {} entries for {size} coordinates", direction.len());
        return Err(keys.refuse("direction", "drive::shape", message).expected(format!("{size} numbers")));
    }
    loading.shake = Some(Shake { acceleration: signal, direction });
    Ok(())
}
