//! Steady sliding along parameters: folds, Hopf points and their kinds, against closed forms and against `stability`.
use stickslip::prelude::*;
use stickslip_verification::{number, run, text, trusted, value};

/// A column of numbers.
fn floats(out: &Outcome, table: &str, column: &str) -> Vec<f64> {
    let table = out.table(table).unwrap_or_else(|| panic!("no table `{table}`"));
    table.column(column).and_then(|c| c.values.floats()).unwrap_or_else(|| panic!("no column `{column}`")).to_vec()
}

const SLIDER: &str =
    "structure = { kind = 'spring-block', mass = 1.2, stiffness = 1e4 }\ndrive = { kind = 'pull', velocity = 5e-6 }\n";
const BELT: &str = "structure = { kind = 'spring-block', mass = 1, stiffness = 1, damping = 0.1 }\ndrive = { kind = 'belt', velocity = 1 }\n";

fn contact(normal: &str, friction: &str) -> String {
    format!("contact = {{ normal = {{ {normal} }}, friction = {{ {friction} }} }}\n")
}

/// Two parameters, each with the ends of its range.
type Ranges = [(&'static str, f64, f64); 2];

/// Models with their two ranges and the number of curves that each has.
fn models() -> Vec<(&'static str, String, Ranges)> {
    let rate_state = "law = 'rate-state', mu_0 = 0.369, a = 0.011, v_0 = 1e-6, eta = 14";
    let weight = "law = 'weight', gravity = 9.81";
    let creep = "law = 'thermal-creep', spacing = 1e-9, omega_0 = 1e12, temperature = 300, creep = 1.3279e9, e_0 = 2.166e-10, \
                 e_1 = 1.25e-11, d_c = 9e-7, eta = 14";
    let lugre = "law = 'lugre', mu_c = 1.0, mu_s = 1.5, v_s = 0.1, sigma_0 = 1e5, sigma_1 = 316.2, sigma_2 = 0.4";
    let slow = [("drive.velocity", 1e-7, 1e-3), ("structure.stiffness", 1e3, 1e7)];
    vec![
        ("ageing", SLIDER.to_string() + &contact(weight, &format!("{rate_state}, b = 0.025, d_c = 0.9e-6")), slow),
        (
            "two states",
            SLIDER.to_string() + &contact(weight, &format!("{rate_state}, b = [0.02, 0.005], d_c = [1e-6, 2e-5]")),
            slow,
        ),
        ("thermal creep", SLIDER.to_string() + &contact(weight, creep), slow),
        (
            "lugre",
            "structure = { kind = 'spring-block', mass = 1, stiffness = 2 }\ndrive = { kind = 'pull', velocity = 0.1 }\n"
                .to_string()
                + &contact("law = 'constant', force = 1", lugre),
            [("drive.velocity", 0.01, 1.0), ("structure.stiffness", 0.1, 1e5)],
        ),
        (
            "regularised",
            BELT.to_string()
                + &contact("law = 'constant', force = 1", "law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = 0.5")
                + "formulation = { kind = 'regularised', shape = 'tanh', width = 0.05 }\n",
            [("drive.velocity", 0.01, 3.0), ("structure.damping", 0.01, 0.5)],
        ),
    ]
}

fn hopf_curve(model: &str, ranges: &[(&str, f64, f64); 2], points: usize) -> Outcome {
    let range = |(path, a, b): &(&str, f64, f64)| {
        format!("{{ parameter = '{path}', from = {a:e}, to = {b:e}, scale = 'log' }}")
    };
    let ranges = ranges.each_ref().map(range).join(", ");
    run(&text(&format!("{model}[analysis]\nkind = 'hopf-curve'\npoints = {points}\nparameters = [{ranges}]\n")))
}

/// At a Hopf point of the curve the growth rate of `stability` changes its sign in either parameter.
#[test]
fn a_hopf_point_is_a_change_of_stability() {
    for (name, model, ranges) in models() {
        let out = hopf_curve(&model, &ranges, 12);
        assert_eq!(out.verdict(), (Status::Ok, None), "{name}");
        let [p, q] = ranges.map(|(path, ..)| floats(&out, "curve", path));
        let omega = floats(&out, "curve", "omega");
        for i in [1, p.len() / 2, p.len() - 2] {
            let along = |k: usize| {
                let at = [p[i], q[i]][k];
                let set = format!(
                    "along = {{ parameter = '{}', values = [{:e}, {:e}] }}",
                    ranges[k].0,
                    at * 0.999,
                    at * 1.001
                );
                let other =
                    format!("[[case]]\nname = 'at'\nset = {{ '{}' = {:e} }}\n", ranges[1 - k].0, [p[i], q[i]][1 - k]);
                run(&text(&format!("{model}[analysis]\nkind = 'stability'\n{set}\n{other}")))
            };
            // A curve may be parallel to one of the axes.
            let found = [along(0), along(1)];
            let critical = |k: usize| number(&found[k], "critical[0]");
            let near = |k: usize| critical(k).map(|x| (x / [p[i], q[i]][k] - 1.0).abs());
            let best =
                (0..2).filter(|k| near(*k).is_some()).min_by(|a, b| near(*a).unwrap().total_cmp(&near(*b).unwrap()));
            let k = best.unwrap_or_else(|| panic!("{name}: no change of stability at {} {}", p[i], q[i]));
            assert!(near(k).unwrap() < 2e-9, "{name}: {:?} at {} {}", critical(k), p[i], q[i]);
            let w = value(&found[k], "critical_omega[0]");
            assert!((w / omega[i] - 1.0).abs() < 1e-6, "{name}: {w} {}", omega[i]);
        }
    }
}

/// With the ranges the other way round it is the same curve, to the last digit.
#[test]
fn reversed_ranges_give_the_same_curve() {
    let (_, model, ranges) = models().remove(0);
    let [a, b] = [ranges, ranges.map(|(path, from, to)| (path, to, from))].map(|r| hopf_curve(&model, &r, 12));
    assert_eq!(a.table("curve"), b.table("curve"));
    assert_eq!(a.value("bautin"), b.value("bautin"));
}

/// Averaging over r sin t: r' = r (mu_1 a e^(-a V)/2 - xi) + mu_1 a^3 e^(-a V) r^3/16, in belt units, xi = c/2. So the Hopf
/// point is subcritical, and r^2 over the distance in mu_1 is -8/(a^2 mu_1).
#[test]
fn an_exponential_belt_has_the_criticality_of_averaging() {
    for (alpha, speed, damping) in [(1.0, 1.0, 0.1), (2.5, 0.4, 0.06)] {
        let friction = format!("law = 'exponential', mu_0 = 1, mu_1 = 0.5, alpha = {alpha}");
        let model = BELT.replace("velocity = 1", &format!("velocity = {speed}"));
        let model = model.replace("damping = 0.1", &format!("damping = {damping}"));
        let along = "kind = 'continuation'\nalong = { parameter = 'contact.friction.mu_1', from = 0.01, to = 2 }\n";
        let text = text(&format!("{model}{}[analysis]\n{along}", contact("law = 'constant', force = 1", &friction)));
        let out = trusted(&text);
        let critical = damping * f64::exp(alpha * speed) / alpha;
        let found = value(&out, "special[0].parameter");
        assert!((found / critical - 1.0).abs() < 1e-12, "{found} {critical}");
        let slope = -8.0 / (alpha * alpha * critical);
        let found = value(&out, "special[0].amplitude_slope");
        assert!((found / slope - 1.0).abs() < 1e-6, "{found} {slope}");
        assert_eq!(out.find("special[0].criticality").map(|q| q.value), Some(Value::Text("sub".into())));
        assert!((value(&out, "special[0].omega") - 1.0).abs() < 1e-12);
    }
}

/// A block whose friction presses it into its contact: K a + (1 - mu/2) a^2 = W for the approach a, with K = 3/4. Beyond
/// mu = 2 + K^2/(2 W) there is no equilibrium; the branch turns there and comes back with the other root.
#[test]
fn a_branch_turns_at_the_fold_and_comes_back_with_the_other_root() {
    let model = "structure = { kind = 'lumped', coordinates = ['x', 'y'], mass = [[1, 0], [0, 1]], \
                 stiffness = [[1, 0.5], [0.5, 1]], damping = [[0.1, 0], [0, 0.1]] }\n\
                 contact = { area = 1, tangent = [1, 0], normal_direction = [0, 1], normal = { law = 'power', c = 1, m = 2 }, \
                 friction = { law = 'coulomb', mu = 1 } }\n\
                 [[drive]]\nkind = 'belt'\nvelocity = 1\n[[drive]]\nkind = 'force'\nforce = [0, -0.2]\n";
    let along = "kind = 'continuation'\nalong = { parameter = 'contact.friction.mu', from = 0.5, to = 5 }\n";
    let out = trusted(&text(&format!("{model}[analysis]\n{along}")));
    let kinds: Vec<String> = (0..9)
        .map_while(|i| match out.find(&format!("special[{i}].kind"))?.value {
            Value::Text(kind) => Some(kind),
            _ => None,
        })
        .collect();
    let fold = kinds.iter().position(|k| k == "fold").unwrap_or_else(|| panic!("{kinds:?}"));
    let at = value(&out, &format!("special[{fold}].parameter"));
    let exact = 2.0 + 0.75f64.powi(2) / (2.0 * 0.2);
    assert!((at / exact - 1.0).abs() < 1e-9, "{at} {exact}");
    let (mu, y) = (floats(&out, "branch", "contact.friction.mu"), floats(&out, "branch", "equilibrium.y"));
    for (mu, y) in mu.iter().zip(&y) {
        let residual = 0.75 * -y + (1.0 - 0.5 * mu) * y * y - 0.2;
        assert!(residual.abs() < 1e-9 * (1.0 + y * y), "mu {mu}: {y}");
    }
    // Both roots at one mu.
    let near = mu.iter().zip(&y).filter(|(mu, _)| (**mu - 3.0).abs() < 0.03).map(|(_, y)| -y);
    let (low, high) = near.fold((f64::INFINITY, 0.0f64), |(low, high), a| (low.min(a), high.max(a)));
    assert!(low < 0.5 && high > 1.0, "{low} {high}");
}

/// A law whose friction grows with the speed has no Hopf point: the run says so, with what was looked at.
#[test]
fn a_law_without_a_hopf_point_ends_with_a_hint() {
    let model = BELT.to_string() + &contact("law = 'constant', force = 1", "law = 'coulomb', mu = 0.5");
    let out = hopf_curve(&model, &[("drive.velocity", 0.05, 3.0), ("structure.damping", 0.01, 0.5)], 10);
    let (status, reason) = out.verdict();
    assert_eq!(status, Status::Failed);
    assert!(reason.is_some_and(|r| r.contains("no pair of eigenvalues crosses") && r.contains("hint")));
}

/// A branch that runs to infinity is an answer: the rigid block tips where mu is its length over its height.
#[test]
fn a_block_tips_where_its_coordinates_grow_without_bound() {
    let model = "structure = { kind = 'rigid-block', mass = 450, inertia = 7, length = 0.488, height = 0.305, width = 0.14, \
                 weight = 4500, stiffness = { x = 2388e3 }, damping_ratio = { x = 0.005, y = 0.04, theta = 0.04 } }\n\
                 drive = { kind = 'belt', velocity = 1.27e-3 }\n";
    let contact = contact("law = 'power', c = '1e13 kg cm^-3.5 s^-2', m = 2.5", "law = 'coulomb', mu = 1");
    let along =
        "kind = 'continuation'\npoints = 40\nalong = { parameter = 'contact.friction.mu', from = 1.3, to = 1.8 }\n";
    let out = run(&text(&format!("{model}{contact}[analysis]\n{along}")));
    assert_eq!(out.find("ends[0].reason").map(|q| q.value), Some(Value::Text("unbounded".into())));
    assert!((value(&out, "equilibrium_lost[0]") / 1.6 - 1.0).abs() < 1e-5);
}
