//! Every way a formula can be wrong.
use std::ops::Range;
use stickslip_formula::{Formula, FormulaError, Symbol};
use stickslip_units::{Dimension, unit};

fn error(text: &str, expected: &str) -> FormulaError {
    let symbols = [
        Symbol::new("t", Dimension::TIME),
        Symbol::new("x", Dimension::LENGTH),
        Symbol::new("mu_s", Dimension::NONE),
        Symbol::new("n", Dimension::NONE),
    ];
    match Formula::parse(text, &symbols, &unit(expected).unwrap()) {
        Err(e) => e,
        Ok(f) => panic!("`{text}` is read as {f:?}"),
    }
}

fn assert_error(text: &str, message: &str, at: Range<usize>, suggestion: Option<&str>) {
    let e = error(text, "m");
    assert_eq!((e.message.as_str(), e.at, e.suggestion.as_deref()), (message, at, suggestion), "{text}");
}

fn no_function(name: &str) -> String {
    format!("unknown function `{name}`; there are sin cos exp ln sqrt abs tanh atan asinh step min max")
}

#[test]
fn wrong_names_come_with_the_nearest() {
    assert_error("1 + mu_k", "unknown symbol `mu_k`", 4..8, Some("mu_s"));
    assert_error("1 + zeta", "unknown symbol `zeta`", 4..8, None);
    assert_error("2*sim(t)", &no_function("sim"), 2..5, Some("sin"));
    assert_error("frobnicate(t)", &no_function("frobnicate"), 0..10, None);
    assert_error("log(t)", &no_function("log"), 0..3, Some("ln"));
    assert_error("3 Mpa * t", "unknown unit `Mpa`", 2..5, Some("MPa"));
    assert_error("(3 Mpa) * t", "unknown unit `Mpa`", 3..6, Some("MPa"));
    assert_error("pi(2)", &no_function("pi"), 0..2, None);
}

#[test]
fn wrong_syntax_is_pointed_at() {
    assert_error("", "the formula is empty", 0..0, None);
    assert_error("  ", "the formula is empty", 0..2, None);
    assert_error("1 +", "expected a number, a symbol or a function, found the end", 3..3, None);
    assert_error("1 + * 2", "expected a number, a symbol or a function, found `*`", 4..5, None);
    assert_error("2 t", "an operator is missing before `t`", 2..3, None);
    assert_error("2 sin(t)", "an operator is missing before `sin`", 2..5, None);
    assert_error("t 2", "an operator is missing before `2`", 2..3, None);
    assert_error("t m", "the unit `m` must follow a number", 2..3, None);
    assert_error("2 (t)", "an operator is missing before `(`", 2..3, None);
    assert_error("(t", "expected `)`, found the end", 2..2, None);
    assert_error("t)", "expected an operator, found `)`", 1..2, None);
    assert_error("t ** 2", "`**` is no operator", 2..4, Some("^"));
    assert_error("t $ 2", "expected an operator, found `$`", 2..3, None);
    assert_error("x(t)", "`x` is not a function", 0..1, None);
    assert_error("sin", "`sin` is a function and needs an argument", 0..3, None);
    assert_error("sin()", "`sin` takes one argument, found 0", 0..5, None);
    assert_error("1 + sin(t, x)", "`sin` takes one argument, found 2", 4..13, None);
    assert_error("min(t)", "`min` takes two arguments, found 1", 0..6, None);
    assert_error("1e999", "the number is too large", 0..5, None);
    assert_error("3 m^x", "`x` in an exponent is neither a number nor a parameter", 4..5, None);
    assert_error("3 kg/m s", "`kg/m s` can be read in two ways", 2..8, Some("kg/(m s)"));
    assert_error(
        "3 m / s * t",
        "`s` is no symbol here; as a unit it must follow a number, `/` without spaces",
        6..7,
        None,
    );
}

#[test]
fn wrong_constants_are_refused_before_the_run() {
    assert_error("x + 1/0", "`1/0` is not a finite number", 4..7, None);
    assert_error("ln(-1) * x", "`ln(-1)` is not a finite number", 0..6, None);
    assert_error("(-2)^t", "`(-2)` is negative and cannot have an exponent that varies", 0..6, None);
}

#[test]
fn wrong_dimensions_are_named() {
    assert_error("x + 3 N", "`x` has the dimension `m` and `3 N` has `kg m s^-2`: they cannot be added", 0..7, None);
    assert_error(
        "x - (3 N)",
        "`x` has the dimension `m` and `(3 N)` has `kg m s^-2`: they cannot be subtracted",
        0..9,
        None,
    );
    assert_error(
        "min(x, t*1 K)",
        "`x` has the dimension `m` and `t*1 K` has `s K`: they cannot be compared",
        0..13,
        None,
    );
    assert_error("3 m * sin(t)", "`sin` needs a pure number, but `t` has the dimension `s`", 10..11, None);
    assert_error("3 m * 2^x", "an exponent must be a pure number, but `x` has the dimension `m`", 8..9, None);
    assert_error("3 m * x^n", "`x` has the dimension `m`: its exponent `n` must be a constant", 8..9, None);
    assert_error("x + 1 + 2 mm", "`x` has the dimension `m` and `1` has `1`: they cannot be added", 0..5, None);
    assert_error("2 mm * t", "the result has the wrong dimension: expected the dimension `m`, found `m s`", 0..8, None);
    let long = format!("({}) + 3 N", "x + ".repeat(30) + "x");
    assert!(error(&long, "m").message.contains("x +...` has the dimension `m`"));
}

#[test]
fn sizes_are_limited() {
    assert!(error(&"t".repeat(10_001), "m").message.contains("longer than"));
    for open in ["(", "-", "+", "sin(", "2^", "min(1,", "t^-("] {
        assert!(error(&open.repeat(1500), "m").message.contains("nests deeper"), "{open}");
    }
    assert!(error(&("t".to_string() + &"+t".repeat(4000)), "m").message.contains("operations"));
}

#[test]
fn errors_display_with_their_suggestion() {
    assert_eq!(error("mu_S", "m").to_string(), "unknown symbol `mu_S`; did you mean `mu_s`?");
    assert_eq!(error("sin", "m").to_string(), "`sin` is a function and needs an argument");
}
