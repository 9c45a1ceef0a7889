//! Values, derivatives and dimensions of formulas.
use std::f64::consts::PI;
use stickslip_formula::{Formula, Symbol};
use stickslip_real::{Dual, Real, Series};
use stickslip_units::{Dimension, Unit, unit};

const SPEED: Dimension = Dimension { length: 1.0, time: -1.0, ..Dimension::NONE };
const TURNING: Dimension = Dimension { angle: 1.0, time: -1.0, ..Dimension::NONE };

fn symbols() -> Vec<Symbol> {
    [("t", Dimension::TIME), ("x", Dimension::LENGTH), ("v", SPEED), ("mu", Dimension::NONE), ("omega", TURNING)]
        .map(|(name, dimension)| Symbol::new(name, dimension))
        .to_vec()
}

const AT: [f64; 5] = [2.0, 0.5, -3.0, 0.3, 1.5];

fn parse(text: &str, expected: &str) -> Formula {
    Formula::parse(text, &symbols(), &unit(expected).unwrap()).unwrap_or_else(|e| panic!("{text}: {e} {:?}", e.at))
}

fn value(text: &str, expected: &str) -> f64 {
    parse(text, expected).eval(&AT)
}

#[test]
fn numbers_and_operators_have_their_values() {
    for (text, exact) in [
        ("1 + 2*3", 7.0),
        ("2 - 3 - 4", -5.0),
        ("24 / 4 / 2", 3.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("- -2", 2.0),
        ("+2", 2.0),
        ("2*-3", -6.0),
        ("(1 + 2)*3", 9.0),
        ("1e-3", 1e-3),
        (".5 + 5.", 5.5),
        ("v^3", -27.0),
        ("v^-2", 1.0 / 9.0),
        ("v^0", 1.0),
        ("v^1", -3.0),
        ("t^10", 1024.0),
        ("t^2.5", 2f64.powf(2.5)),
        ("t^mu", 2f64.powf(0.3)),
        ("3^t", 9.0),
        ("3 - t", 1.0),
        ("t - 3", -1.0),
        ("3 / t", 1.5),
        ("t / 4", 0.5),
        ("\n t \t* 2 ", 4.0),
    ] {
        assert_eq!(value(text, "1"), exact, "{text}");
    }
}

#[test]
fn functions_have_their_values() {
    for (text, exact) in [
        ("sin(t)", 2f64.sin()),
        ("cos(pi)", -1.0),
        ("exp(mu)", 0.3f64.exp()),
        ("ln(t)", 2f64.ln()),
        ("sqrt(t)", 2f64.sqrt()),
        ("abs(v)", 3.0),
        ("tanh(x)", 0.5f64.tanh()),
        ("atan(x)", 0.5f64.atan()),
        ("asinh(x)", 0.5f64.asinh()),
        ("min(t, x)", 0.5),
        ("max(t, x)", 2.0),
        ("max(v, 0)", 0.0),
        ("min(1, t)", 1.0),
        ("step(v)", 0.0),
        ("step(t)", 1.0),
        ("step(t - 2)", 1.0),
        ("sin (t)", 2f64.sin()),
    ] {
        assert_eq!(value(text, "1"), exact, "{text}");
    }
}

#[test]
fn literals_carry_units() {
    for (text, expected, exact) in [
        ("30 MPa * sin(3e4 rad/s * t)", "Pa", 30e6 * 6e4f64.sin()),
        ("2 N/m * x", "N", 1.0),
        ("2 N/(cm kg) * x", "m/s^2", 100.0),
        ("3 m / x", "1", 6.0),
        ("3 m/x", "1", 6.0),
        ("3 mm", "m", 3e-3),
        ("3mm + x", "m", 0.503),
        ("90 deg", "1", 0.5 * PI),
        ("sin(90 deg)", "1", 1.0),
        ("sin(2*pi*50 Hz * 5 ms)", "1", 1.0),
        ("5 %", "1", 0.05),
        ("30e3 kg cm^-1 s^-2 * sin(3e4 rad/s * t)", "Pa", 3e6 * 6e4f64.sin()),
        ("2/s * t", "1", 4.0),
        ("2 1/s * t", "1", 4.0),
        ("x*1 m^-1", "1", 0.5),
        ("min(x, 3 mm)", "m", 3e-3),
        ("max(0, x - 3 mm)", "m", 0.497),
        ("0 + 3 m*mu^2", "m", 0.27),
        ("step(t - 1 s) * v", "m/s", -3.0),
        ("sqrt(4 m^2) + x", "m", 2.5),
        ("(x/2 m)^mu", "1", 0.25f64.powf(0.3)),
        ("x^2.5 * 1 N m^-2.5", "N", 0.5f64.powf(2.5)),
        ("2 min / t", "1", 60.0),
        ("abs(v) * 2 s", "m", 6.0),
        ("0 * 3 N", "m", 0.0),
    ] {
        let found = value(text, expected);
        assert!((found - exact).abs() <= 1e-14 * exact.abs().max(1.0), "{text}: {found} {exact}");
    }
}

/// No literal has a unit: the value is SI in whatever is expected, even where the symbols' dimensions disagree.
#[test]
fn without_units_nothing_is_checked() {
    assert_eq!(value("-0.99*t", "N"), -1.98);
    assert_eq!(value("t + x", "kg"), 2.5);
    assert_eq!(value("sin(omega*t)", "m"), 3f64.sin());
}

#[test]
fn frequencies_count_cycles_where_hz_is_expected() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-14 * b.abs(), "{a} {b}");
    near(value("2 * 25 Hz", "Hz"), 50.0);
    near(value("2 * 25 Hz", "rad/s"), 100.0 * PI);
    near(value("3 rad/s", "Hz"), 1.5 / PI);
    near(value("3/s", "Hz"), 3.0);
    near(value("3", "Hz"), 3.0);
    // A symbol in rad/s is known to be so without any literal that says it.
    near(value("2 * omega", "Hz"), 1.5 / PI);
}

/// A value in Hz counts cycles: f is 3 Hz, omega 1.5 rad/s, t is 2 s.
#[test]
fn a_symbol_in_hz_enters_formulas_as_cycles() {
    let symbols = [
        Symbol::new("f", unit("Hz").unwrap().dimension),
        Symbol::new("omega", unit("rad/s").unwrap().dimension),
        Symbol::new("t", Dimension::TIME),
        Symbol::new("k", Dimension::NONE),
    ];
    let read = |text: &str, expected: &str| Formula::parse(text, &symbols, &unit(expected).unwrap());
    let at = |text: &str, expected: &str| {
        read(text, expected).unwrap_or_else(|e| panic!("{text}: {e}")).eval(&[3.0, 1.5, 2.125, 0.25])
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-13 * b.abs().max(1.0), "{a} {b}");
    let right = (2.0 * PI * 3.0 * 2.125).sin();
    for text in [
        "sin(2*pi*f*t)",
        "sin(f*t*2*pi)",
        "sin(t*2*pi*f)",
        "sin(2*(pi*f)*t)",
        "sin(-(-2*pi)*t*f)",
        "sin(2*pi*(f*t + 1))",
        "sin(2*pi*3 Hz*t)",
        "sin(2*pi*3e-3 kHz*t)",
        "sin(6.283185307179586*f*t)",
        "sin(2*pi*f*t + 0*omega*t)",
        "1 N*sin(2*pi*f*t)/1 N",
    ] {
        near(at(text, "1"), right);
    }
    near(at("sin(4*pi*f*t)", "1"), (2.0 * PI * 6.0 * 2.125).sin());
    near(at("sin(omega*t)", "1"), (1.5f64 * 2.125).sin());
    near(at("sin(2*pi*omega/(2*pi)*t)", "1"), (1.5f64 * 2.125).sin());
    // A key that asks for a frequency converts.
    near(at("f", "Hz"), 3.0);
    near(at("f", "rad/s"), 6.0 * PI);
    near(at("2*pi*f", "rad/s"), 6.0 * PI);
    near(at("2*pi*f", "Hz"), 3.0);
    near(at("omega/(2*pi)", "Hz"), 0.75 / PI);
    near(at("omega", "Hz"), 0.75 / PI);
    near(at("2 mm*f", "m/s"), 6e-3);
    near(at("1/f", "s"), 1.0 / 3.0);
    near(at("exp(-f*t)", "1"), (-6.375f64).exp());
    for text in
        ["sin(f*t)", "cos(f*t + 0.25)", "sin(k*f*t)", "1 N*sin(50 Hz*t)/1 N", "t + sin(f*t)", "sin(omega/(2*pi)*t)"]
    {
        let e = read(text, "1").unwrap_err();
        assert!(e.message.contains("counts cycles") && e.suggestion.is_some(), "{text}: {e}");
    }
    assert!(read("f + omega", "rad/s").unwrap_err().message.contains("cannot be added"));
    assert!(read("sin(2*pi*omega*t)", "1").unwrap_err().message.contains("2 pi too many"));
}

#[test]
fn symbols_hide_units_of_their_name() {
    let m = [Symbol::new("m", Dimension::NONE), Symbol::new("min", Dimension::NONE)];
    let f = Formula::parse("2 N*m + min(m, min) * 1 N", &m, &unit("N").unwrap()).unwrap();
    assert_eq!(f.eval(&[3.0, 4.0]), 9.0);
}

#[test]
fn derivatives_agree_with_differences() {
    for text in [
        "sin(3*t) * exp(-x^2) + v^3",
        "t^2.5 / (1 + x) - 2^(x*t)",
        "(t + x)^(x + 1) + ln(t) * sqrt(x)",
        "tanh(v) + atan(v/x) - asinh(t*v) + cos(x)",
        "abs(v) * max(t, x) - min(v, 1) + step(v)",
        "v^-3 + 3/v - (-v)^7",
    ] {
        let f = parse(text, "1");
        let duals: [Dual<5>; 5] = std::array::from_fn(|i| Dual::variable(AT[i], i));
        let exact = f.eval(&duals);
        assert!((exact.re - f.eval(&AT)).abs() < 1e-14 * (1.0 + exact.re.abs()), "{text}");
        for i in 0..5 {
            let h = 1e-5;
            let (mut up, mut down) = (AT, AT);
            up[i] += h;
            down[i] -= h;
            let difference = (f.eval(&up) - f.eval(&down)) / (2.0 * h);
            assert!((difference - exact.eps[i]).abs() < 1e-7 * (1.0 + difference.abs()), "{text} {i}");
        }
    }
}

#[test]
fn a_series_sums_to_the_formula() {
    for text in ["sin(3*t) * exp(-t) + t^2", "ln(1 + t) / (1 + t^3)", "(t + 2)^1.5 - 2^t"] {
        let f = parse(text, "1");
        let at = |t: f64| f.eval(&[t, 0.0, 0.0, 0.0, 0.0]);
        let mut values = [Series::<24>::lit(0.0); 5];
        values[0] = Series::variable(0.2);
        let sum = f.eval(&values).at(0.1);
        assert!((sum - at(0.3)).abs() < 1e-13, "{text}: {sum} {}", at(0.3));
    }
    let square = Formula::parse("t^2", &symbols(), &unit("1").unwrap()).unwrap();
    assert_eq!(square.eval(&[Series::<4>::variable(0.0)]).0, [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn switches_are_the_arguments_that_change_sign() {
    let f = parse("abs(v) + min(t, x) * step(x - 1) - max(t, 3) + abs(-2)", "1");
    assert_eq!(f.switch_count(), 4);
    let mut switches = Vec::new();
    assert_eq!(f.eval_with_switches(&AT, &mut switches), f.eval(&AT));
    assert_eq!(switches, [-3.0, 1.5, -0.5, -1.0]);
}

#[test]
fn use_of_symbols_is_known() {
    let f = parse("2*t + x", "1");
    assert_eq!((0..5).map(|i| f.uses(i)).collect::<Vec<_>>(), [true, true, false, false, false]);
    assert!(!f.is_constant());
    let c = parse("2 * sin(pi/6)", "1");
    assert!(c.is_constant());
    assert_eq!(c.eval::<f64>(&[]), 2.0 * (PI / 6.0).sin());
    assert_eq!(f.text(), "2*t + x");
}

/// Heights of the stack below and above those kept without allocation.
#[test]
fn deep_formulas_evaluate() {
    for depth in [3, 10, 60, 70, 95] {
        let text = "t + t/(".repeat(depth) + "t" + &")".repeat(depth);
        let exact = (0..depth).fold(2.0, |inner, _| 2.0 + 2.0 / inner);
        assert_eq!(value(&text, "1"), exact, "{depth}");
    }
    let long = "t".to_string() + &" + t".repeat(1999);
    assert_eq!(value(&long, "1"), 4000.0);
}

fn shared_between_threads<T: Send + Sync + Clone + std::fmt::Debug>() {}

#[test]
fn formulas_can_be_shared() {
    shared_between_threads::<Formula>();
}

/// Numbers in the place of symbols: constants are folded, whole powers stay products, the others keep their places.
#[test]
fn symbols_may_become_numbers() {
    let names = ["x", "p", "a"].map(|n| Symbol::new(n, Dimension::NONE));
    let formula = Formula::parse("a*x^p + ln(a)", &names, &Unit::ONE).unwrap();
    let bound = formula.with(&[None, Some(3.0), Some(2.0)]).unwrap();
    assert!(bound.uses(0) && !bound.uses(1) && !bound.uses(2));
    assert!((bound.eval(&[-2.0]) - (-16.0 + 2f64.ln())).abs() < 1e-15);
    let e = formula.with(&[None, None, Some(0.0)]).unwrap_err();
    assert_eq!((e.at, e.message.as_str()), (8..13, "`ln(a)` is not a finite number"));
}

/// Units of the symbols count where that is asked for.
#[test]
fn a_formula_without_units_may_be_checked() {
    let symbols = [Symbol::new("v", Dimension::LENGTH / Dimension::TIME)];
    assert!(Formula::parse("0.3*exp(-v)", &symbols, &Unit::ONE).is_ok());
    let e = Formula::parse_checked("0.3*exp(-v)", &symbols, &Unit::ONE).unwrap_err();
    assert!(e.message.contains("dimension") && e.at == (8..10), "{e:?}");
    assert!(!Formula::parse_checked("0.3", &symbols, &Unit::ONE).unwrap().has_units());
}

#[test]
fn a_straight_line_is_seen() {
    let symbols = ["t", "a"].map(|name| Symbol::new(name, Dimension::NONE));
    let line = |text: &str| Formula::parse(text, &symbols, &Unit::ONE).unwrap().is_line(0);
    for text in ["3", "-0.7*t", "a^2*(1 - t)/sin(a) + 2*t", "abs(a) + t", "(2*t - 1)*min(a, 3)"] {
        assert!(line(text), "{text}");
    }
    for text in ["t*t", "t^2", "sin(t)", "abs(t)", "1/t", "min(t, a)", "a^t", "(1 + t)*(1 - t)"] {
        assert!(!line(text), "{text}");
    }
}
