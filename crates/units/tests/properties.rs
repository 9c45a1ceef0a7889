//! What holds for every text and every exponent.
use proptest::prelude::*;
use stickslip_units::{Dimension, nearest, number_prefix, quantity, unit, unit_prefix, unit_with};

const NAMES: [&str; 14] = ["m", "kg", "s", "K", "A", "N", "MPa", "um", "Hz", "deg", "%", "lbf", "cP", "kV"];

/// Texts made of the pieces of units, which get further than arbitrary ones.
fn near_unit() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(NAMES.to_vec()).prop_map(str::to_string),
        proptest::sample::select(vec![
            " ", "*", "/", "^", "(", ")", "-", "+", ".", "1", "2.5", "e", "\u{b7}", "\u{b5}"
        ])
        .prop_map(str::to_string),
        "[a-z]{1,2}",
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn never_panics(text: &str) {
    let errors = [
        unit(text).err(),
        unit_with(text, &|name| (name.len() == 1).then_some(0.5)).err(),
        quantity(text).err(),
        unit_prefix(text, &|name| name == "x").err(),
    ];
    for error in errors.into_iter().flatten() {
        // The range can be cut out of the text to be shown.
        assert!(text.get(error.at.clone()).is_some(), "{text:?} {error:?}");
    }
    let _ = number_prefix(text);
    let _ = nearest(text, NAMES);
}

fn power() -> impl Strategy<Value = f64> {
    (-60i32..=60).prop_map(|n| n as f64 / 12.0)
}

fn dimension() -> impl Strategy<Value = Dimension> {
    [power(), power(), power(), power(), power(), power(), power()].prop_map(|p| Dimension {
        length: p[0],
        mass: p[1],
        time: p[2],
        temperature: p[3],
        current: p[4],
        angle: p[5],
        cycles: p[6],
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
        never_panics(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in proptest::collection::vec(any::<char>(), 0..40)) {
        never_panics(&text.into_iter().collect::<String>());
    }

    #[test]
    fn texts_like_units_are_read_or_refused(text in near_unit()) {
        never_panics(&text);
    }

    #[test]
    fn the_display_of_a_dimension_is_a_unit_of_it(d in dimension()) {
        let read = unit(&d.to_string()).unwrap();
        prop_assert_eq!(read.dimension, d);
        prop_assert_eq!(read.scale, 1.0);
    }

    #[test]
    fn a_unit_and_the_display_of_its_dimension_agree(text in near_unit()) {
        if let Ok(u) = unit(&text) {
            prop_assert_eq!(unit(&u.dimension.to_string()).unwrap().dimension, u.dimension);
        }
    }

    #[test]
    fn exponents_follow_their_algebra(a in dimension(), b in dimension(), p in power(), q in power()) {
        prop_assert_eq!(a.pow(p) * a.pow(q), a.pow(p + q));
        prop_assert_eq!((a * b).pow(p), a.pow(p) * b.pow(p));
        prop_assert_eq!(a * b / b, a);
        prop_assert_eq!(a.pow(p).pow(q), a.pow(p * q));
        prop_assert_eq!(a / a, Dimension::NONE);
    }

    #[test]
    fn a_power_of_a_unit_is_the_power_of_its_scale(name in proptest::sample::select(NAMES.to_vec()), p in power()) {
        let (base, raised) = (unit(name).unwrap(), unit(&format!("{name}^{p}")).unwrap());
        prop_assert!((raised.scale / base.scale.powf(p) - 1.0).abs() < 1e-12);
        prop_assert_eq!(raised.dimension, base.dimension.pow(p));
    }
}
