//! Why there is no way on, in words.
use super::choose::{Found, Standing};
use super::system::Problem;
use stickslip_laws::Mode;

/// Says when, after which state, where each contact stands, and what was tried.
pub fn lost(problem: &Problem, t: f64, modes: &[Mode], standings: &[Standing], found: &Found) -> String {
    let state = problem.state(modes);
    let free: Vec<(usize, &Standing)> = standings.iter().enumerate().filter(|(_, s)| s.options().len() > 1).collect();
    let place = |(i, s): &(usize, &Standing)| match problem.points[*i].name.as_str() {
        "" => format!("the contact is {}", s.words()),
        name => format!("contact {name} is {}", s.words()),
    };
    let places: Vec<String> = free.iter().map(place).collect();
    let places = if places.is_empty() { "no contact may change".into() } else { places.join(", ") };
    let names = |list: &[Vec<Mode>]| list.iter().map(|m| problem.state(m)).collect::<Vec<_>>().join(", ");
    if found.held.len() > 1 {
        let held: Vec<Vec<Mode>> = found.held.iter().map(|c| c.modes.clone()).collect();
        return format!("the solution is not unique at t = {t} s after {state} ({places}): {} all hold", names(&held));
    }
    let singular = match found.singular.is_empty() {
        true => String::new(),
        false => format!("; the reactions are not determined in {}", names(&found.singular)),
    };
    let tried = |(_, s): &(usize, &Standing)| s.options().iter().map(|m| m.name()).collect::<Vec<_>>().join(", ");
    let tried: Vec<String> = free.iter().map(tried).collect();
    let tried = if tried.is_empty() { state.clone() } else { tried.join(" with ") };
    format!("no continuous solution leads on at t = {t} s after {state} ({places}): none of {tried} holds{singular}")
}
