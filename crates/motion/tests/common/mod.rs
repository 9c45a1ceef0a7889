//! Contacts put together by hand.
use stickslip_laws::{Given, Values, friction_kinds, normal_kinds};
use stickslip_model::Contact;
use stickslip_structures::{Place, Signal};

/// A contact at one place under a constant load.
pub fn contact(law: &str, params: &[(&str, f64)], load: f64, place: &Place) -> Contact {
    let given: Vec<_> = params.iter().map(|(k, x)| (k.to_string(), Given::Number(*x))).collect();
    let kind = friction_kinds().iter().find(|k| k.name == law).unwrap();
    let values = Values::resolve(kind.params, kind.one_of, &given).unwrap();
    let normal = normal_kinds().iter().find(|k| k.name == "constant").unwrap();
    let load = Values::resolve(normal.params, normal.one_of, &[("force".into(), Given::Number(load))]).unwrap();
    Contact {
        name: String::new(),
        places: vec![place.clone()],
        gap: 0.0,
        area: 1.0,
        per_area: false,
        mass: 1.0,
        loads: vec![],
        given: Signal::ZERO,
        normal: normal.build(&load).unwrap(),
        normal_law: normal.name,
        friction: kind.build(&[values], 1, place.tangent.len()).unwrap(),
        friction_law: kind.name,
    }
}
