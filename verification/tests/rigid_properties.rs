//! Rigid contact under random stiffness, loads and friction: what must hold at every instant does.
use proptest::prelude::*;
use stickslip::data::EventKind;
use stickslip::prelude::*;
use stickslip_verification::{column, text, trusted};

/// Random times at which each run is looked at.
const LOOKS: usize = 1000;
const DURATION: f64 = 20.0;

/// A mass on a plane: stiffness as k11, k22 and the part of sqrt(k11 k22) that couples.
#[derive(Clone, Debug)]
struct Case {
    stiffness: [f64; 3],
    damping: f64,
    mu: f64,
    restitution: f64,
    poisson: bool,
    rates: [f64; 2],
    wave: [f64; 3],
    start: [f64; 3],
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let stiffness = [0.2..3.0f64, 0.2..3.0, -0.9..0.9];
    let restitution = prop_oneof![3 => Just(0.0), 1 => 0.1..0.8f64];
    let damping = prop_oneof![2 => Just(0.0), 1 => 0.01..0.3f64];
    let forces = ([-1.0..1.0f64, -1.0..1.0], [-2.0..2.0f64, -2.0..2.0, 0.3..3.0]);
    let start = [0.0..1.0f64, -1.0..1.0, -1.0..1.0];
    (stiffness, damping, 0.0..2.0f64, restitution, any::<bool>(), forces, start, any::<u64>()).prop_map(
        |(stiffness, damping, mu, restitution, poisson, (rates, wave), start, seed)| Case {
            stiffness,
            damping,
            mu,
            restitution,
            poisson,
            rates,
            wave,
            start,
            seed,
        },
    )
}

impl Case {
    /// Looks at distinct random times, in order.
    fn times(&self) -> Vec<f64> {
        let mut x = self.seed | 1;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut times: Vec<f64> = (0..LOOKS).map(|_| next() * DURATION).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// The scenario; `side` -1 is its mirror image.
    fn scenario(&self, side: f64) -> Scenario {
        let [k11, k22, part] = self.stiffness;
        let k12 = side * part * (k11 * k22).sqrt();
        let [c1, c2] = self.rates;
        let [w1, w2, omega] = self.wave;
        let (s1, sw) = (side * c1, side * w1);
        let [y, vx, vy] = self.start;
        let (vx, d, mu, e) = (side * vx, self.damping, self.mu, self.restitution);
        let impact = if self.poisson { "poisson" } else { "moreau" };
        let times = self.times();
        let probe = |q: &str| format!("{{ quantity = '{q}', at = {times:?} }}");
        let probes: Vec<String> =
            ["x", "y", "slip_velocity", "normal_force", "friction_force"].iter().map(|q| probe(q)).collect();
        text(&format!(
            "[structure]\nkind = 'lumped'\nmass = [[1, 0], [0, 1]]\ncoordinates = ['x', 'y']\n\
             stiffness = [[{k11}, {k12}], [{k12}, {k22}]]\ndamping = [[{d}, 0], [0, {d}]]\n\
             [contact]\ntangent = [1, 0]\nnormal_direction = [0, 1]\n\
             normal = {{ law = 'rigid', restitution = {e}, impact = '{impact}' }}\n\
             friction = {{ law = 'coulomb', mu = {mu} }}\n\
             [drive]\nkind = 'force'\nforce = ['{s1}*t + {sw}*sin({omega}*t)', '{c2}*t + {w2}*cos({omega}*t)']\n\
             [start]\nvalues = {{ y = {y} }}\nrates = {{ x = {vx}, y = {vy} }}\n\
             [analysis]\nkind = 'transient'\nduration = {DURATION}\n\
             [output]\nevents = true\nprobes = [{}]\n",
            probes.join(", ")
        ))
    }
}

/// What was seen of a quantity.
fn probed(out: &Outcome, quantity: &str) -> Vec<f64> {
    match &out.value(&format!("probe.{quantity}")).unwrap().value {
        Value::List(all) => all.clone(),
        other => panic!("{other:?}"),
    }
}

/// What must hold of gap, normal force, slip velocity and friction at one instant.
fn admissible(mu: f64, [y, n, slip, f]: [f64; 4], scale: f64) -> Result<(), TestCaseError> {
    let none = 1e-10 * scale;
    prop_assert!(y >= -none, "gap {y:e}");
    prop_assert!(n >= -none, "normal force {n:e}");
    prop_assert!(y * n <= none * scale, "gap {y:e} under normal force {n:e}");
    prop_assert!(f.abs() <= mu * n + none, "friction {f:e} under {n:e}");
    if slip.abs() > none && n > none {
        prop_assert!((f - mu * n * slip.signum()).abs() <= none, "friction {f:e}, slip {slip:e}, normal {n:e}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// At a thousand random times, and on both sides of every event.
    #[test]
    fn contact_inequalities_hold(case in cases()) {
        let out = trusted(&case.scenario(1.0));
        let probes = ["y", "normal_force", "slip_velocity", "friction_force"].map(|q| probed(&out, q));
        let scale = 1.0 + column(&out, "series", "x").iter().chain(column(&out, "series", "y")).fold(0.0f64, |m, x| m.max(x.abs()));
        for k in 0..LOOKS {
            admissible(case.mu, [0, 1, 2, 3].map(|q| probes[q][k]), scale)?;
        }
        // Rows stand on both sides of each event.
        let rows = ["y", "normal_force", "slip_velocity", "friction_force"].map(|q| column(&out, "series", q));
        for k in 0..rows[0].len() {
            admissible(case.mu, [0, 1, 2, 3].map(|q| rows[q][k]), scale)?;
        }
        for e in out.events.iter().filter(|e| e.kind == EventKind::Impact) {
            let energy = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
            prop_assert!(energy(&e.rates_after) <= energy(&e.rates_before) * (1.0 + 1e-12), "impact at {}", e.t);
        }
        prop_assert!(out.ledger.unwrap().contact >= -1e-10 * scale * scale);
    }

    /// k12 -> -k12 with F1, x and friction turned around is the same motion.
    #[test]
    fn the_mirror_image_moves_alike(case in cases()) {
        moves_like_its_mirror_image(&case)?;
    }
}

/// Once the ends of stick in one direction were sought over a shorter time than those in the other.
#[test]
fn the_mirror_image_leaves_stick_at_the_same_instant() {
    for mu in [0.6279764469073523, 0.55, 0.7] {
        let case = Case {
            stiffness: [2.2125710673122256, 1.8545213214864067, -0.8861134219894398],
            damping: 0.0,
            mu,
            restitution: 0.0,
            poisson: false,
            rates: [0.7777970143313305, -0.7967356601480928],
            wave: [1.6467732338113772, 1.5150128783957506, 2.2997402207274766],
            start: [0.0, 0.6783544783105192, 0.42491969581173716],
            seed: 0,
        };
        moves_like_its_mirror_image(&case).unwrap_or_else(|e| panic!("mu {mu}: {e}"));
    }
}

fn moves_like_its_mirror_image(case: &Case) -> Result<(), TestCaseError> {
    let (a, b) = (trusted(&case.scenario(1.0)), trusted(&case.scenario(-1.0)));
    prop_assert_eq!(a.events.len(), b.events.len());
    for (p, q) in a.events.iter().zip(b.events.iter()) {
        prop_assert!(p.t == q.t, "{} {}", p.t, q.t);
        let turned = match q.to.as_ref() {
            "slip+" => "slip-",
            "slip-" => "slip+",
            other => other,
        };
        prop_assert_eq!(p.to.as_ref(), turned);
        prop_assert_eq!(p.coordinates[0], -q.coordinates[0]);
        prop_assert_eq!(p.coordinates[1], q.coordinates[1]);
    }
    for (quantity, side) in
        [("x", -1.0), ("y", 1.0), ("slip_velocity", -1.0), ("normal_force", 1.0), ("friction_force", -1.0)]
    {
        let (p, q) = (probed(&a, quantity), probed(&b, quantity));
        prop_assert_eq!(p.len(), LOOKS);
        prop_assert_eq!(p, q.iter().map(|x| side * x).collect::<Vec<f64>>(), "{}", quantity);
    }
    Ok(())
}
