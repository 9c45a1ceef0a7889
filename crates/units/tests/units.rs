//! Named units, quantities and errors.
use std::f64::consts::PI;
use stickslip_units::{Dimension, Unit, quantity, unit, unit_prefix, unit_with};

fn si(text: &str) -> f64 {
    quantity(text).unwrap_or_else(|e| panic!("{text}: {e}")).value
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 4.0 * f64::EPSILON * b.abs(), "{a} {b}");
}

#[test]
fn quantities_have_their_si_values() {
    for (text, value) in [
        ("100 N/cm", 1e4),
        ("1e13 kg cm^-3.5 s^-2", 1e13 * 100f64.powf(3.5)),
        ("1 N/(cm kg)", 100.0),
        ("1000 MPa/mm", 1e12),
        ("100 1/mm", 1e5),
        ("100/mm", 1e5),
        ("9.81 m/s^2", 9.81),
        ("2 Pa s", 2.0),
        ("2 cP", 2e-3),
        ("3", 3.0),
        ("3 1", 3.0),
        ("5 %", 0.05),
        ("5%", 0.05),
        ("180 deg", PI),
        ("180\u{b0}", PI),
        ("0.9um", 0.9e-6),
        ("0.9 \u{b5}m", 0.9e-6),
        ("0.9 \u{3bc}m", 0.9e-6),
        ("5 um/s", 5e-6),
        ("-1e-3 m", -1e-3),
        ("+2 mm", 2e-3),
        ("2 N*m", 2.0),
        ("2 N\u{b7}m", 2.0),
        ("2 N \u{22c5} m", 2.0),
        ("124188.375 kg cm^2", 12.4188375),
        ("450e3 kg cm/s^2", 4500.0),
        ("1 N/cm/s", 100.0),
        ("1 m/s*kg", 1.0),
        ("4 m^(1/2)", 4.0),
        ("4 cm^(1/2)", 0.4),
        ("4 (m s)^2 / kg", 4.0),
        ("1 dyn", 1e-5),
        ("1 erg", 1e-7),
        ("3erg", 3e-7),
        ("2 min", 120.0),
        ("1 ms", 1e-3),
        ("1 Ms", 1e6),
        ("1 mm", 1e-3),
        ("1 Mm", 1e6),
        ("1 dam", 10.0),
        ("1 daN", 10.0),
        ("1 dag", 1e-2),
        ("1 g", 1e-3),
        ("1 kg", 1.0),
        ("1 t", 1e3),
        ("1 L", 1e-3),
        ("1 mL", 1e-6),
        ("36 km/h", 10.0),
        ("1 day", 86400.0),
        ("1 bar", 1e5),
        ("1 atm", 101325.0),
        ("1 kgf", 9.80665),
        ("1 g0", 9.80665),
        ("1 lbf", 4.4482216152605),
        ("1 psi", 6894.757293168361),
        ("1 in", 0.0254),
        ("1 ft", 0.3048),
        ("1 K", 1.0),
        ("1 eV", 1.602176634e-19),
        ("60 rpm", 2.0 * PI),
        ("1 mHz", 1e-3),
    ] {
        close(si(text), value);
    }
}

#[test]
fn decimal_prefixes_round_once() {
    assert_eq!(si("5 um/s"), 5e-6);
    assert_eq!(si("0.7 mm"), 0.7e-3);
    assert_eq!(si("4.35 MPa"), 4.35e6);
    assert_eq!(si("0.08 cm/s"), 0.08e-2);
}

#[test]
fn dimensions_of_derived_units_agree() {
    for (a, b) in [
        ("N", "kg m/s^2"),
        ("Pa", "N/m^2"),
        ("J", "N m"),
        ("W", "J/s"),
        ("V", "W/A"),
        ("C", "A s"),
        ("P", "Pa s"),
        ("psi", "lbf/in^2"),
        ("St", "m^2/s"),
        ("gf", "dyn"),
    ] {
        assert_eq!(unit(a).unwrap().dimension, unit(b).unwrap().dimension, "{a} {b}");
    }
    for one in ["", " ", "1", "%", "m/m"] {
        assert_eq!(unit(one).unwrap().dimension, Dimension::NONE, "{one:?}");
    }
}

#[test]
fn a_quantity_of_another_dimension_is_refused() {
    let wrong = quantity("3 N").unwrap().expect(&unit("m").unwrap()).unwrap_err();
    assert_eq!(wrong.to_string(), "expected the dimension `m`, found `kg m s^-2`");
    assert!(quantity("3").unwrap().expect(&unit("m").unwrap()).is_err());
}

#[test]
fn cycles_and_radians_are_told_apart() {
    let expect = |text: &str, as_unit: &str| quantity(text).unwrap().expect(&unit(as_unit).unwrap()).unwrap();
    close(expect("1 rad/s", "Hz"), 0.5 / PI);
    close(expect("50 Hz", "rad/s"), 100.0 * PI);
    close(expect("50 Hz", "Hz"), 50.0);
    close(expect("2 kHz", "Hz"), 2000.0);
    close(expect("60 rpm", "Hz"), 1.0);
    close(expect("60 rpm", "rad/s"), 2.0 * PI);
    assert_eq!(expect("7 1/s", "Hz"), 7.0);
    assert_eq!(expect("7 1/s", "rad/s"), 7.0);
    close(expect("180 deg", "1"), PI);
    close(expect("180 deg", "rad"), PI);
    assert_eq!(expect("0.5", "rad"), 0.5);
    close(expect("1 N m/deg", "N m/rad"), 180.0 / PI);
    assert_eq!(expect("3 N m", "N m/rad"), 3.0);
    close(expect("2 N/Hz", "N/Hz"), 2.0);
    close(expect("2 N/Hz", "N s/rad"), 1.0 / PI);
    // Where neither is asked for, a number of Hz is a number of 1/s.
    assert_eq!(expect("50 Hz", "1/s"), 50.0);
    assert_eq!(expect("2 mm Hz", "m/s"), 2e-3);
    assert_eq!(expect("1/Hz", "s"), 1.0);
}

#[test]
fn numbers_are_counted_in_any_unit() {
    let number = |text: &str, of: &str| quantity(text).unwrap().number_of(&unit(of).unwrap()).unwrap();
    close(number("1 m", "mm"), 1000.0);
    close(number("2 kHz", "kHz"), 2.0);
    close(number("2 kHz", "rpm"), 120e3);
    close(number("120 rpm", "Hz"), 2.0);
    close(number("7 rad/s", "deg/s"), 7.0 * 180.0 / PI);
    close(number("90 deg", "deg"), 90.0);
}

#[test]
fn exponents_may_hold_parameters() {
    let parameter = |name: &str| match name {
        "m" => Some(2.5),
        "n" => Some(2.0),
        _ => None,
    };
    let with = |text: &str| unit_with(text, &parameter);
    assert_eq!(with("Pa/m^m"), unit("Pa/m^2.5"));
    assert_eq!(with("kg m^-(m+1)"), unit("kg m^-3.5"));
    assert_eq!(with("m^((m - 1) * -n / 2)"), unit("m^-1.5"));
    assert_eq!(with("s^+n"), unit("s^2"));
    let error = with("Pa/m^q").unwrap_err();
    assert_eq!((error.message.as_str(), error.at), ("`q` in an exponent is neither a number nor a parameter", 5..6));
    assert!(with("m^(1/0)").unwrap_err().message.starts_with("the exponent is inf"));
}

#[test]
fn errors_say_what_where_and_what_instead() {
    for (text, message, at, suggestion) in [
        ("3 Nm/s", "unknown unit `Nm`", 2..4, Some("N m")),
        ("3 N/ss", "unknown unit `ss`", 4..6, Some("s")),
        ("3 Mpa", "unknown unit `Mpa`", 2..5, Some("MPa")),
        ("3 m2", "unknown unit `m2`", 2..4, Some("m^2")),
        ("3 kg/m s", "`kg/m s` can be read in two ways", 2..8, Some("kg/(m s)")),
        ("3 J/kg/m K", "`J/kg/m K` can be read in two ways", 2..10, None),
        ("m", "expected a number, found `m`", 0..1, None),
        ("", "expected a number, found the end", 0..0, None),
        ("3 m^", "expected an exponent, found the end", 4..4, None),
        ("3 m**2", "expected a unit, found `*`", 4..5, None),
        ("3 (m", "expected `)`, found the end", 4..4, None),
        ("3 m)", "expected the end of the unit, found `)`", 3..4, None),
        ("3 4", "expected a unit, found `4`", 2..3, None),
        ("3 m^1/2", "expected a unit, found `2`", 6..7, None),
        ("3 m^101", "the exponent is 101, beyond the limit of 100", 4..7, None),
        ("3 (m^50)^50", "the unit is out of range", 2..11, None),
        ("1e999 m", "the value is too large", 0..5, None),
    ] {
        let error = quantity(text).unwrap_err();
        assert_eq!(
            (error.message.as_str(), error.at.clone(), error.suggestion.as_deref()),
            (message, at, suggestion),
            "{text}"
        );
    }
    assert_eq!(unit("Nm").unwrap_err().to_string(), "unknown unit `Nm`; did you mean `N m`?");
    assert!(unit(&"(".repeat(900)).unwrap_err().message.contains("nest"));
    assert!(unit(&"m ".repeat(900)).unwrap_err().message.contains("longer"));
}

#[test]
fn within_a_formula_a_unit_ends_where_the_formula_goes_on() {
    let taken = |name: &str| ["x", "t"].contains(&name);
    for (text, read, same) in [
        (" MPa * sin(t)", 4, "MPa"),
        (" rad/s * t", 6, "rad/s"),
        (" m / x", 2, "m"),
        (" m/x", 2, "m"),
        (" m / s", 2, "m"),
        (" N m*x", 4, "N m"),
        (" N*m*x", 4, "N m"),
        (" N/(cm kg) * x", 10, "N/(cm kg)"),
        (" N/(cm x)", 2, "N"),
        (" N/(1 + x)", 2, "N"),
        (" kg cm^-1 s^-2 * 2", 14, "kg cm^-1 s^-2"),
        ("%", 1, "%"),
        ("/s*t", 2, "1/s"),
        (" 1/s * t", 4, "1/s"),
        (" min * t", 4, "min"),
        (" s t", 2, "s"),
        (" m^2-x", 4, "m^2"),
    ] {
        let found = unit_prefix(text, &taken).unwrap();
        assert_eq!(found, Some((unit(same).unwrap(), read)), "{text}");
    }
    for text in [
        "",
        " x",
        " t",
        " min(x, 2)",
        " min (x, 2)",
        " sin(x)",
        " + 2",
        "*m",
        " * m",
        " /s",
        " 1/x",
        " 12/s",
        "/t",
        " q",
    ] {
        assert_eq!(unit_prefix(text, &taken), Ok(None), "{text}");
    }
    assert!(unit_prefix(" m^x", &taken).is_err());
}

#[test]
fn units_multiply_like_their_dimensions() {
    let force = unit("N").unwrap();
    assert_eq!(force / unit("cm").unwrap(), unit("N/cm").unwrap());
    assert_eq!(Unit::si(force.dimension), force);
}
