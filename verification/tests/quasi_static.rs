//! Quasi-statics of random masses on planes: conditions of contact, uniqueness, symmetry.
use stickslip::prelude::*;
use stickslip_verification::masses::{Masses, Random};
use stickslip_verification::{assert_close, column, number, run, text, trusted};

/// States with their rates: u', p', f' of each.
fn states(out: &Outcome, contacts: usize) -> Vec<(String, [Vec<f64>; 3])> {
    let names = out.find("states.state").map(|q| q.value);
    let Some(Value::Texts(names)) = names else { panic!("no states: {:?}", out.verdict()) };
    let list = |k: usize, columns: &[String]| columns.iter().map(|c| column(out, "states", c)[k]).collect::<Vec<_>>();
    let u: Vec<String> = (0..contacts).flat_map(|i| [format!("rate.x{i}"), format!("rate.y{i}")]).collect();
    let of = |name: &str| (0..contacts).map(|i| format!("c{i}.{name}")).collect::<Vec<_>>();
    let (p, f) = (of("normal_force_rate"), of("friction_force_rate"));
    let one = |(k, name): (usize, String)| (name, [list(k, &u), list(k, &p), list(k, &f)]);
    names.into_iter().enumerate().map(one).collect()
}

const NOTHING: f64 = 1e-9;

/// Rates of a state that starts with reactions p and f (or a gap): what the conditions of contact ask of them.
fn check_rates(name: &str, mu: &[f64], start: &[Start], [u, p, f]: &[Vec<f64>; 3]) {
    for (i, mode) in name.split('/').enumerate() {
        let (slip, lift) = (u[2 * i], u[2 * i + 1]);
        let told = format!("{name}, contact {i} from {:?}: slip {slip}, lift {lift}, {} {}", start[i], p[i], f[i]);
        match (mode, &start[i]) {
            ("open", Start::Open) => {}
            ("open", start) => assert!(*start == Start::Apex && lift >= -NOTHING, "{told}"),
            (_, Start::Open) => panic!("{told}"),
            _ => assert!(lift.abs() <= NOTHING, "{told}"),
        }
        let limit = mu[i] * p[i];
        match (mode, &start[i]) {
            ("open", _) => assert!(p[i] == 0.0 && f[i] == 0.0, "{told}"),
            ("stick", Start::Apex) => assert!(slip.abs() <= NOTHING && f[i].abs() <= limit + NOTHING, "{told}"),
            ("stick", Start::Edge(sign)) => assert!(slip.abs() <= NOTHING && sign * f[i] <= limit + NOTHING, "{told}"),
            ("stick", _) => assert!(slip.abs() <= NOTHING, "{told}"),
            (slips, start) => {
                let sign = if slips == "slip+" { 1.0 } else { -1.0 };
                assert!(*start == Start::Apex || *start == Start::Edge(sign), "{told}");
                assert!(sign * slip >= -NOTHING && (f[i] - sign * limit).abs() <= NOTHING, "{told}");
            }
        }
        if start[i] == Start::Apex {
            assert!(p[i] >= -NOTHING, "{told}");
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Start {
    Apex,
    Edge(f64),
    Inside,
    Open,
}

/// Every state that is reported satisfies equilibrium and the inequalities of contact in rates, wherever it starts.
#[test]
fn admissible_states_satisfy_the_conditions_of_contact() {
    let random = &mut Random(7);
    let (mut several, mut none) = (0, 0);
    for k in 0..150 {
        let contacts = 1 + k % 3;
        let masses = Masses::random(random, contacts, 5.0);
        let start: Vec<Start> = (0..contacts)
            .map(|_| match (random.unit() * 5.0) as usize {
                0 | 1 => Start::Apex,
                2 => Start::Edge(if random.unit() > 0.5 { 1.0 } else { -1.0 }),
                3 => Start::Inside,
                _ => Start::Open,
            })
            .collect();
        let (mut u, mut p, mut f) = (vec![], vec![], vec![]);
        for (i, s) in start.iter().enumerate() {
            u.extend([random.between(-1.0, 1.0), if *s == Start::Open { random.between(0.5, 1.0) } else { 0.0 }]);
            let load = if matches!(s, Start::Apex | Start::Open) { 0.0 } else { random.between(1.0, 2.0) };
            p.push(load);
            f.push(match s {
                Start::Edge(sign) => sign * masses.mu[i] * load,
                _ => 0.3 * masses.mu[i] * load,
            });
        }
        let rates: Vec<f64> = (0..2 * contacts).map(|_| random.between(-1.0, 1.0)).collect();
        let values = (0..contacts).map(|i| format!("x{i} = {:?}, y{i} = {:?}", u[2 * i], u[2 * i + 1]));
        let values = values.collect::<Vec<_>>().join(", ");
        let rest = format!(
            "[start]\nvalues = {{ {values} }}\n[analysis]\nkind = 'quasi-static'\nalgorithm = 'all-states'\nrates = {rates:?}\n"
        );
        let out = trusted(&text(&masses.text(&format!("{:?}", masses.balance(&u, &p, &f)), &rest)));
        let found = states(&out, contacts);
        several += usize::from(found.len() > 1);
        none += usize::from(found.is_empty());
        for (name, motion) in &found {
            check_rates(name, &masses.mu, &start, motion);
            let [u, p, f] = motion;
            for (a, b) in masses.balance(u, p, f).iter().zip(&rates) {
                assert_close!(*a, *b, abs = NOTHING);
            }
        }
    }
    // Beyond the critical friction both happen: the check is not empty.
    assert!(several > 5 && none > 0, "{several} {none}");
}

/// Without friction, and below the critical coefficient k11/|k12|, there is exactly one state for every load rate.
#[test]
fn states_are_unique_below_the_critical_friction() {
    let random = &mut Random(11);
    for k in 0..60 {
        let mut masses = Masses::random(random, 1, 1.0);
        let critical = masses.stiffness[0][0] / masses.stiffness[0][1].abs();
        masses.mu = vec![if k % 3 == 0 { 0.0 } else { 0.999 * critical * random.unit() }];
        for _ in 0..8 {
            let angle = random.between(0.0, std::f64::consts::TAU);
            let rest = format!(
                "[analysis]\nkind = 'quasi-static'\nalgorithm = 'all-states'\nrates = [{:?}, {:?}]\n",
                angle.cos(),
                angle.sin()
            );
            let out = trusted(&text(&masses.text("[0, 0]", &rest)));
            assert_eq!(number(&out, "states_count"), Some(1.0), "{:?} {angle}", masses.stiffness);
        }
    }
}

/// A path of loads that leads anywhere, always pressing on the whole.
fn path(random: &mut Random, contacts: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let times: Vec<f64> = (0..7).map(|k| k as f64).collect();
    let point = |random: &mut Random| -> Vec<f64> {
        (0..2 * contacts)
            .map(|j| if j % 2 == 0 { random.between(-3.0, 3.0) } else { random.between(-3.0, 1.0) })
            .collect()
    };
    let mut values = vec![vec![0.0; 2 * contacts]];
    values.extend((1..times.len()).map(|_| point(random)));
    (times, values)
}

/// The conditions of contact and equilibrium in every row of a path.
fn check_path(masses: &Masses, out: &Outcome, force: impl Fn(f64) -> Vec<f64>) {
    let contacts = masses.mu.len();
    let t = column(out, "path", "t").to_vec();
    let get = |name: String| column(out, "path", &name).to_vec();
    let u: Vec<Vec<f64>> = (0..contacts).flat_map(|i| [get(format!("x{i}")), get(format!("y{i}"))]).collect();
    let of = |name: &str| (0..contacts).map(|i| get(format!("c{i}.{name}"))).collect::<Vec<_>>();
    let (p, f, slip) = (of("normal_force"), of("friction_force"), of("slip_velocity"));
    for k in 0..t.len() {
        let row = |list: &[Vec<f64>]| list.iter().map(|c| c[k]).collect::<Vec<f64>>();
        let (u, p, f, slip) = (row(&u), row(&p), row(&f), row(&slip));
        for (a, b) in masses.balance(&u, &p, &f).iter().zip(force(t[k])) {
            assert_close!(*a, b, abs = 1e-10);
        }
        for i in 0..contacts {
            let (gap, limit) = (u[2 * i + 1], masses.mu[i] * p[i]);
            let told = format!("t = {}, contact {i}: gap {gap}, {} {}, slip {}", t[k], p[i], f[i], slip[i]);
            assert!(gap >= -NOTHING && p[i] >= -NOTHING && (gap * p[i]).abs() <= NOTHING, "{told}");
            assert!(f[i].abs() <= limit + NOTHING, "{told}");
            if slip[i].abs() > 1e-7 && p[i] > NOTHING {
                assert!((f[i] - slip[i].signum() * limit).abs() <= 1e-8, "{told}");
            }
        }
    }
}

fn probes(random: &mut Random, end: f64) -> String {
    let times: Vec<f64> = (0..200).map(|_| random.between(0.0, end)).collect();
    format!("[output]\nprobes = [{{ quantity = 'x0', at = {times:?} }}]\n")
}

/// Along random paths the conditions hold at 200 random times and on both sides of every change.
#[test]
fn the_conditions_of_contact_hold_along_a_path() {
    let random = &mut Random(3);
    let (mut changes, mut jumps, mut lost) = (0.0, 0, 0);
    for k in 0..90 {
        let contacts = 1 + k % 3;
        // Below and beyond the critical friction; incremental where it is weak, revised everywhere.
        let weak = k % 4 < 2;
        let mut masses = Masses::random(random, contacts, if weak { 0.3 } else { 2.5 });
        let (times, values) = path(random, contacts);
        let points: Vec<String> = times.iter().zip(&values).map(|(t, f)| format!("[{t:?}, {f:?}]")).collect();
        let critical = (0..contacts).map(|i| masses.stiffness[2 * i][2 * i] / masses.stiffness[2 * i][2 * i + 1].abs());
        if weak && contacts == 1 {
            masses.mu[0] = masses.mu[0].min(0.9 * critical.fold(f64::INFINITY, f64::min));
        }
        let algorithm = if weak { "incremental" } else { "revised" };
        let rest = format!("[analysis]\nkind = 'quasi-static'\nalgorithm = '{algorithm}'\n{}", probes(random, 6.0));
        let scenario = text(&masses.text(&format!("{{ points = [{}] }}", points.join(", ")), &rest));
        let out = run(&scenario);
        let force = |t: f64| {
            let k = (t.floor() as usize).min(5);
            (0..2 * contacts).map(|j| values[k][j] + (t - k as f64) * (values[k + 1][j] - values[k][j])).collect()
        };
        check_path(&masses, &out, force);
        let (status, reason) = out.verdict();
        match status {
            Status::Ok => assert_eq!(column(&out, "path", "t").last(), Some(&6.0)),
            // What the incremental solution can't follow it says.
            _ => {
                let reason = reason.unwrap();
                let told = ["not unique", "no continuous solution"].iter().any(|w| reason.contains(w));
                assert!(told && reason.contains("t = "), "{k}: {reason}");
                assert!(contacts > 1 && algorithm == "incremental", "{algorithm}: {reason}");
                lost += 1;
            }
        }
        changes += number(&out, "state_changes").unwrap_or(0.0);
        jumps += out.table("jumps").map_or(0, |t| t.len());
    }
    println!("{changes} changes, {jumps} jumps, {lost} paths without a continuous solution");
    assert!(changes > 150.0 && jumps > 10 && lost < 8, "{changes} {jumps} {lost}");
}

/// k12 and x mirrored: the same path with slip+ and slip- exchanged.
#[test]
fn the_mirror_image_follows_the_mirrored_path() {
    let random = &mut Random(23);
    for _ in 0..12 {
        let masses = Masses::random(random, 1, 2.5);
        let (times, values) = path(random, 1);
        let turn = |sign: f64| {
            let mut k = masses.stiffness.clone();
            (k[0][1], k[1][0]) = (sign * k[0][1], sign * k[1][0]);
            let points: Vec<String> =
                times.iter().zip(&values).map(|(t, f)| format!("[{t:?}, [{:?}, {:?}]]", sign * f[0], f[1])).collect();
            let other = Masses { stiffness: k, mu: masses.mu.clone() };
            let rest = "[analysis]\nkind = 'quasi-static'\n";
            trusted(&text(&other.text(&format!("{{ points = [{}] }}", points.join(", ")), rest)))
        };
        let (a, b) = (turn(1.0), turn(-1.0));
        assert_eq!(column(&a, "path", "t").len(), column(&b, "path", "t").len());
        for (name, sign) in
            [("t", 1.0), ("x0", -1.0), ("y0", 1.0), ("c0.normal_force", 1.0), ("c0.friction_force", -1.0)]
        {
            for (x, y) in column(&a, "path", name).iter().zip(column(&b, "path", name)) {
                assert_close!(*x, sign * y, abs = 1e-11);
            }
        }
    }
}
