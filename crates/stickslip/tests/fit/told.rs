//! What a fit says to people: units, what can't be determined and the way out, what looks wrong.
use super::*;

const APPROACH: &str = "
[structure]
kind = 'point'
[contact]
area = '1 cm^2'
normal = { law = 'power', c = '1e16 Pa/m^2', m = 2 }
friction = { law = 'coulomb', mu = 0.2 }
[analysis]
kind = 'fit'
records = [{ of = 'approach-pressure', file = 'p.csv', columns = { approach = 'a', pressure = 'p' } }]
parameters = [{ parameter = 'contact.normal.c' }, { parameter = 'contact.normal.m' }]
";

const CURVE: &str = "
[structure]
kind = 'point'
[contact]
normal = { law = 'constant', force = '100 N' }
friction = { law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = '20 mm/s', exponent = 2 }
[analysis]
kind = 'fit'
records = [{ of = 'force-velocity', file = 'curve.csv', columns = { velocity = 'v', force = 'F' } }]
parameters = [{ parameter = 'contact.friction.mu_s' }, { parameter = 'contact.friction.mu_k' }]
";

const LOOP: &str = "
[structure]
kind = 'point'
[contact]
normal = { law = 'constant', force = '1 kN' }
friction = { law = 'iwan', stiffness = ['1 N/mm', '2 N/mm', '1 N/mm'], limit = ['2 N', '1 N', '10 N'] }
[drive]
kind = 'program'
steps = [{ slide = '5 mm', velocity = '1 mm/s' }]
[analysis]
kind = 'fit'
records = [{ of = 'force-displacement', file = 'loop.csv', columns = { displacement = 'u', force = 'F' } }]
parameters = [
  { parameter = 'contact.friction.stiffness[0]' }, { parameter = 'contact.friction.limit[0]' },
  { parameter = 'contact.friction.stiffness[1]' }, { parameter = 'contact.friction.limit[1]' },
  { parameter = 'contact.friction.limit[2]' },
]
";

fn approaches() -> (Vec<f64>, Vec<f64>) {
    let a: Vec<f64> = (1..40).map(|i| 1e-7 * f64::from(i)).collect();
    let p = a.iter().map(|a| 3e19 * a.powf(2.5)).collect();
    (a, p)
}

fn texts(out: &Outcome, name: &str) -> Vec<String> {
    match out.value(name).map(|q| &q.value) {
        Some(Value::Texts(list)) => list.clone(),
        _ => vec![],
    }
}

/// The unit of a coefficient is that at the fitted exponent, not at the one the search began from.
#[test]
fn a_unit_follows_the_exponent_that_is_fitted() {
    let folder = folder("exponent");
    let (a, p) = approaches();
    write(&folder, "p.csv", "a [m],p [Pa]", &[&a, &noisy(&p, 20.0, 1)]);
    let out = run(&folder, APPROACH, &[]);
    let Some(Value::Text(unit)) = of(&out, "contact.normal.c", "unit") else { panic!() };
    let power: f64 = unit.strip_prefix("kg m^").and_then(|u| u.strip_suffix(" s^-2")).unwrap().parse().unwrap();
    let m = value(&out, "contact.normal.m");
    assert!((m - 2.5).abs() < 0.01 && (power + 1.0 + m).abs() < 0.01, "{unit} {m}");
    assert!(unit.len() < 22, "no more digits than the data tell: {unit}");
    assert_eq!(of(&out, "contact.normal.m", "unit"), Some(Value::Text("1".into())));
    assert_eq!(out.value("parameter.contact.normal.c").unwrap().unit, unit);
}

/// Area and coefficient enter as a product: one sentence for both, and no record is promised that would split them.
#[test]
fn of_a_product_one_factor_is_to_be_fixed() {
    let folder = folder("product");
    let (a, p) = approaches();
    let force: Vec<f64> = p.iter().map(|p| 1e-4 * p).collect();
    write(&folder, "p.csv", "a [m],p [N]", &[&a, &noisy(&force, 2e-3, 1)]);
    let sets = [
        "analysis.records=[{of='approach-pressure',file='p.csv',columns={approach='a',force='p'}}]",
        "analysis.parameters=[{parameter='contact.normal.c'},{parameter='contact.area'},{parameter='contact.normal.m'}]",
    ];
    let out = run(&folder, APPROACH, &sets.map(String::from));
    let said = "`contact.normal.c`, `contact.area` can't be distinguished by these data: a change of one is undone by the \
                other, and only a combination is determined. Fix one of them.";
    assert_eq!(texts(&out, "not_identifiable"), [said]);
    assert_eq!(out.health.warnings.iter().filter(|w| *w == said).count(), 1);
    assert_eq!(of(&out, "contact.area", "why"), Some(Value::Text(said.into())));
    assert_eq!(of(&out, "contact.normal.m", "identifiable"), Some(Value::Flag(true)));
}

/// Forces a thousand times too large fit as well; the coefficient that comes out does not look like one.
#[test]
fn a_friction_coefficient_that_nobody_has_seen_is_warned_of() {
    let folder = folder("thousand");
    let v: Vec<f64> = (1..40).map(|i| 2e-3 * f64::from(i)).collect();
    for (factor, warned) in [(1.0, false), (1000.0, true)] {
        let f = |v: &f64| factor * 100.0 * (0.35 + 0.2 * (-(v / 0.02).powi(2)).exp());
        let force = noisy(&v.iter().map(f).collect::<Vec<f64>>(), 0.1 * factor, 4);
        write(&folder, "curve.csv", "v [m/s],F [N]", &[&v, &force]);
        let out = run(&folder, CURVE, &[]);
        let said = out.health.warnings.iter().any(|w| w.contains("look at the units of `force` in this record"));
        assert_eq!(said, warned, "{:?}", out.health.warnings);
    }
}

/// Sliders in parallel under growing displacement: F = sum of min(k u, limit). One never slides, two may change places.
#[test]
fn sliders_that_never_slide_want_a_larger_amplitude() {
    let folder = folder("sliders");
    let u: Vec<f64> = (1..100).map(|i| 5e-5 * f64::from(i)).collect();
    let f = |u: &f64| (1200.0 * u).min(2.2) + (1900.0 * u).min(1.1) + 1000.0 * u;
    write(&folder, "loop.csv", "u [m],F [N]", &[&u, &noisy(&u.iter().map(f).collect::<Vec<f64>>(), 0.01, 2)]);
    let out = run(&folder, LOOP, &[]);
    let Some(Value::Text(why)) = of(&out, "contact.friction.limit[2]", "why") else { panic!("{:?}", out.reason) };
    assert!(why.contains("larger amplitude") && !why.contains("velocity step"), "{why}");
    let note = "elements 0 and 1 of `contact.friction` may change places";
    assert!(out.health.notes.iter().any(|n| n.starts_with(note)), "{:?}", out.health.notes);
}
