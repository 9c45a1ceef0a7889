//! What holds for every text and every tree.
use proptest::prelude::*;
use stickslip_formula::{Formula, Symbol};
use stickslip_real::Real;
use stickslip_units::{Dimension, unit};

/// An expression as a tree, evaluated directly.
#[derive(Clone, Debug)]
enum Tree {
    Number(f64),
    Symbol(usize),
    Call(&'static str, Box<Tree>),
    Pair(&'static str, Box<Tree>, Box<Tree>),
    Neg(Box<Tree>),
    Binary(char, Box<Tree>, Box<Tree>),
}

const NAMES: [&str; 3] = ["x", "y_1", "m"];

fn eval<S: Real>(tree: &Tree, at: &[S]) -> S {
    match tree {
        Tree::Number(x) => S::lit(*x),
        Tree::Symbol(i) => at[*i],
        Tree::Neg(a) => -eval(a, at),
        Tree::Call(name, a) => {
            let x = eval(a, at);
            match *name {
                "sin" => x.sin(),
                "cos" => x.cos(),
                "exp" => x.exp(),
                "ln" => x.ln(),
                "sqrt" => x.sqrt(),
                "abs" => x.abs(),
                "tanh" => x.tanh(),
                "atan" => x.atan(),
                "asinh" => x.asinh(),
                _ => S::select(x.lt(S::zero()), S::zero(), S::lit(1.0)),
            }
        }
        Tree::Pair(name, a, b) => {
            let (a, b) = (eval(a, at), eval(b, at));
            if *name == "min" { a.min(b) } else { a.max(b) }
        }
        Tree::Binary(op, a, b) => {
            let x = eval(a, at);
            match (op, &**b) {
                ('^', Tree::Number(2.0)) if !constant(a) => x * x,
                ('^', Tree::Number(3.0)) if !constant(a) => x * (x * x),
                ('^', Tree::Number(1.0)) => x,
                ('^', Tree::Number(p)) => x.powf(*p),
                ('+', b) => x + eval(b, at),
                ('-', b) => x - eval(b, at),
                ('*', b) => x * eval(b, at),
                ('/', b) => x / eval(b, at),
                (_, b) => x.pow(eval(b, at)),
            }
        }
    }
}

fn constant(tree: &Tree) -> bool {
    match tree {
        Tree::Number(_) => true,
        Tree::Symbol(_) => false,
        Tree::Neg(a) | Tree::Call(_, a) => constant(a),
        Tree::Pair(_, a, b) | Tree::Binary(_, a, b) => constant(a) && constant(b),
    }
}

/// The text with no more parentheses than precedence asks for: 1 sum, 2 product, 3 sign, 4 power, 5 atom.
fn write(tree: &Tree, least: u8) -> String {
    let (level, text) = match tree {
        Tree::Number(x) => (5, format!("{x}")),
        Tree::Symbol(i) => (5, NAMES[*i].to_string()),
        Tree::Call(name, a) => (5, format!("{name}({})", write(a, 1))),
        Tree::Pair(name, a, b) => (5, format!("{name}({}, {})", write(a, 1), write(b, 1))),
        Tree::Neg(a) => (3, format!("-{}", write(a, 3))),
        Tree::Binary(op @ ('+' | '-'), a, b) => (1, format!("{} {op} {}", write(a, 1), write(b, 2))),
        Tree::Binary(op @ ('*' | '/'), a, b) => (2, format!("{}{op}{}", write(a, 2), write(b, 3))),
        Tree::Binary(op, a, b) => (4, format!("{} {op} {}", write(a, 5), write(b, 3))),
    };
    if level < least { format!("({text})") } else { text }
}

/// Exponents whose powers the direct evaluation rounds alike: a short number, or one that varies.
fn exponent(b: Box<Tree>) -> Box<Tree> {
    let simple = matches!(*b, Tree::Number(_)) || !constant(&b);
    if simple { b } else { Box::new(Tree::Number(2.0)) }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0u32..400).prop_map(|n| Tree::Number(n as f64 / 100.0)),
        proptest::sample::select(vec![0.0, 0.5, 1.0, 2.0, 3.0]).prop_map(Tree::Number),
        (0..NAMES.len()).prop_map(Tree::Symbol),
    ];
    leaf.prop_recursive(6, 60, 2, |inner| {
        let one = vec!["sin", "cos", "exp", "ln", "sqrt", "abs", "tanh", "atan", "asinh", "step"];
        let (a, b) = (inner.clone().prop_map(Box::new), inner.prop_map(Box::new));
        prop_oneof![
            (proptest::sample::select(one), a.clone()).prop_map(|(f, a)| Tree::Call(f, a)),
            (proptest::sample::select(vec!["min", "max"]), a.clone(), b.clone())
                .prop_map(|(f, a, b)| Tree::Pair(f, a, b)),
            a.clone().prop_map(Tree::Neg),
            (proptest::sample::select(vec!['+', '-', '*', '/', '^']), a, b).prop_map(|(op, a, b)| Tree::Binary(
                op,
                a,
                if op == '^' { exponent(b) } else { b }
            )),
        ]
    })
}

fn symbols() -> Vec<Symbol> {
    NAMES.map(|name| Symbol::new(name, Dimension::LENGTH)).to_vec()
}

fn never_panics(text: &str) {
    for expected in ["1", "m", "Hz"] {
        match Formula::parse(text, &symbols(), &unit(expected).unwrap()) {
            Ok(f) => {
                let mut switches = Vec::new();
                f.eval_with_switches(&[0.0, -1.0, 2.0], &mut switches);
                assert_eq!(switches.len(), f.switch_count());
            }
            Err(e) => assert!(text.get(e.at.clone()).is_some(), "{text:?} {e:?}"),
        }
    }
}

fn near_formula() -> impl Strategy<Value = String> {
    let pieces = [
        "x", "y_1", "m", " ", " ", "+", "-", "*", "/", "^", "(", ")", ",", "1", "2.5", "0", "1e3", "sin(", "min(",
        "step(", "abs(", "pi", " N", " mm", "/s", " Hz", "%", "\u{b5}m", "/(kg s)", "e", "min", ".",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..30).prop_map(|p| p.concat())
}

fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        never_panics(&text);
    }

    #[test]
    fn any_characters_are_read_or_refused(text in proptest::collection::vec(any::<char>(), 0..40)) {
        never_panics(&text.into_iter().collect::<String>());
    }

    #[test]
    fn texts_like_formulas_are_read_or_refused(text in near_formula()) {
        never_panics(&text);
    }

    #[test]
    fn a_formula_evaluates_like_its_tree(tree in tree(), x in -3.0..3.0, y in -3.0..3.0, z in 0.0..3.0) {
        let text = write(&tree, 1);
        let f = match Formula::parse(&text, &symbols(), &unit("m").unwrap()) {
            Ok(f) => f,
            // Constants that are not finite, or that cannot have a power, are refused by design.
            Err(e) => {
                prop_assert!(e.message.contains("finite") || e.message.contains("negative"), "{text}: {e}");
                return Ok(());
            }
        };
        let (found, exact) = (f.eval(&[x, y, z]), eval(&tree, &[x, y, z]));
        prop_assert!(same(found, exact), "{text}: {found} {exact}");
    }
}
