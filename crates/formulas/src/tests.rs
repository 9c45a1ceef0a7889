//! Formulas against numbers, limits and balances that they do not use themselves.
use super::formulas;

fn compute(name: &str, given: &[(&str, f64)]) -> impl Fn(&str) -> f64 + use<> {
    let formula = formulas().iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no {name}"));
    for (key, _) in given {
        assert!(formula.inputs.iter().any(|i| i.name == *key), "{name} has no {key}");
    }
    let of = |i: &super::Input| given.iter().find(|(k, _)| *k == i.name).map_or(i.default.unwrap_or(f64::NAN), |g| g.1);
    let x: Vec<f64> = formula.inputs.iter().map(of).collect();
    let y = (formula.compute)(&x).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(y.len(), formula.outputs.len(), "{name}");
    move |output| y[formula.outputs.iter().position(|o| o.name == output).unwrap_or_else(|| panic!("no {output}"))]
}

fn close(x: f64, expected: f64, relative: f64) {
    assert!((x - expected).abs() <= relative * expected.abs(), "{x:e} instead of {expected:e}");
}

const LINE: [(&str, f64); 5] = [("mu", 0.4), ("P", 1e6), ("Q", 3e5), ("R", 0.4), ("E", 1.1e11)];

fn at(name: &str, more: &[(&str, f64)]) -> impl Fn(&str) -> f64 + use<> {
    let given: Vec<(&str, f64)> = LINE.iter().chain(more).copied().collect();
    compute(name, &given)
}

#[test]
fn names_are_unique_and_units_are_written() {
    for (k, f) in formulas().iter().enumerate() {
        assert!(formulas()[..k].iter().all(|g| g.name != f.name) && !f.reference.is_empty(), "{}", f.name);
        let inputs = f.inputs.iter().map(|i| (i.name, i.unit, i.about, i.unit == "*"));
        let outputs = f.outputs.iter().map(|o| (o.name, o.unit, o.about, o.unit.is_empty()));
        let numbers: Vec<(&str, &str, &str, bool)> = inputs.chain(outputs).collect();
        for (j, (name, unit, about, depends)) in numbers.iter().enumerate() {
            // A unit that depends on an exponent stands behind the words.
            let told = if *depends { about.contains(", ") } else { !unit.is_empty() && unit.trim() == *unit };
            assert!(told, "{} has no unit of {name}", f.name);
            assert!(numbers[..j].iter().all(|(other, ..)| other != name), "{} has {name} twice", f.name);
        }
    }
}

/// The tractions balance the forces, with and without a bulk stress, which shifts nothing but where they act.
#[test]
fn tractions_of_a_line_contact_balance_the_forces() {
    for bulk in [0.0, 2e7] {
        let a = at("cattaneo-mindlin", &[("bulk", bulk)])("a");
        let n = 20000;
        let (mut p, mut q) = (0.0, 0.0);
        for k in 0..n {
            let x = a * ((2 * k + 1) as f64 / n as f64 - 1.0);
            let here = at("cattaneo-mindlin", &[("bulk", bulk), ("x", x)]);
            p += here("pressure") * 2.0 * a / n as f64;
            q += here("traction") * 2.0 * a / n as f64;
        }
        close(p, 1e6, 1e-5);
        close(q, 3e5, 1e-5);
    }
}

/// d slip/dx is the strain that the tractions leave: from the stress of `szolwinski-farris`, 2/E times half of it.
#[test]
fn slip_follows_from_the_surface_stress() {
    let (a, edge) = (at("cattaneo-mindlin", &[])("a"), at("cattaneo-mindlin", &[])("edge_slip"));
    let more = |x: f64| [("Y", 2.0 * 1.1e11 * 0.91), ("nu", 0.3), ("x", x)];
    let n = 4000;
    // Strain of both bodies: twice (1 - nu^2)/Y s, with 1/E = 2 (1 - nu^2)/Y.
    let slip: f64 = (0..n)
        .map(|k| 2.0 * at("szolwinski-farris", &more(a * (k as f64 + 0.5) / n as f64))("strain") * a / n as f64)
        .sum();
    close(slip, edge, 1e-4);
    let gamma = at("szolwinski-farris", &more(-a));
    close(gamma("x_max_over_a").abs(), 1.0, 1e-3);
    // 2 mu p_0 sqrt(Q/(mu P)) at the trailing edge.
    close(gamma("stress"), 2.0 * 0.4 * at("cattaneo-mindlin", &[])("p_0") * 0.75f64.sqrt(), 1e-9);
}

/// At a small force the loop follows the cubic law; at the largest it is 3/20 of (mu P)^2 A/a; both branches agree.
#[test]
fn the_loop_of_spheres_has_its_limits() {
    let loop_of = |q: f64| {
        compute(
            "mindlin-loop",
            &[
                ("mu", 0.4),
                ("P", 100.0),
                ("Q", q * 40.0),
                ("a", 1e-3),
                ("G_1", 8e10),
                ("nu_1", 0.3),
                ("G_2", 2.6e10),
                ("nu_2", 0.33),
            ],
        )
    };
    close(loop_of(1e-4)("energy"), loop_of(1e-4)("energy_small"), 1e-4);
    close(loop_of(0.2)("energy"), loop_of(0.2 + 1e-12)("energy"), 1e-9);
    let a = 1.7 / 8e10 + 1.67 / 2.6e10;
    close(loop_of(1.0)("energy"), 0.15 * 1600.0 * a / 1e-3, 1e-12);
    // The derivative of the fretting map's energy across gross slip is continuous: 4 mu P per displacement beyond it.
    let fretting = |delta: f64| {
        compute(
            "fretting-regime",
            &[
                ("mu", 0.4),
                ("P", 100.0),
                ("delta", delta),
                ("R", 0.01),
                ("G_1", 8e10),
                ("nu_1", 0.3),
                ("G_2", 2.6e10),
                ("nu_2", 0.33),
            ],
        )
    };
    let gross = fretting(0.0)("delta_gross");
    let regimes = [0.01, 0.5, 1.5].map(|part| fretting(part * gross)("slip_regime"));
    assert_eq!(regimes, [0.0, 1.0, 2.0]);
    close(fretting(2.0 * gross)("energy") - fretting(gross)("energy"), 4.0 * 40.0 * gross, 1e-12);
}

/// Pulling the surfaces apart from the equilibrium takes the work of adhesion.
#[test]
fn atoms_do_the_work_of_adhesion() {
    let of = |z: f64| compute("lennard-jones", &[("w", 0.05), ("z_0", 3e-10), ("z", z)]);
    close(of(3e-10)("energy"), 0.05, 1e-12);
    assert!(of(3e-10)("traction").abs() < 1e-3);
    close(of(3e-10 * 3f64.powf(1.0 / 6.0))("traction"), -16.0 * 0.05 / (9.0 * 3f64.sqrt() * 3e-10), 1e-12);
}

/// The impact of spheres by quadrature of the motion, and the boundary of yield where half of the area yields.
#[test]
fn impacts_and_boundaries_satisfy_their_equations() {
    let hit = compute("hertz-impact", &[("m", 0.1), ("v", 2.0), ("R", 0.02), ("E", 1e11)]);
    let (deep, force) = (hit("approach"), hit("force"));
    // Energy: 2/5 of force times approach.
    close(0.4 * force * deep, 0.5 * 0.1 * 4.0, 1e-12);
    // Twice the time to the largest approach, dx/v: with x = deep sin(angle)^(4/5) and angle = u^(5/4) pi/2 the roots go.
    let n = 4000;
    let half = |k: usize| {
        let u = (k as f64 + 0.5) / n as f64;
        let angle = u.powf(1.25) * std::f64::consts::FRAC_PI_2;
        0.8 * angle.sin().powf(-0.2) * 1.25 * u.powf(0.25) * std::f64::consts::FRAC_PI_2 / n as f64
    };
    close(hit("duration"), 2.0 * (0..n).map(half).sum::<f64>() * deep / 2.0, 1e-6);
    let surface = [("E", 1e11), ("H", 4e9), ("sigma", 1e-7), ("R", 1e-4), ("density", 1e10)];
    // Heights z of a normal distribution beyond the separation t, by Simpson's rule over z = t + s^2.
    let heights = |t: f64, from: f64, of: &dyn Fn(f64) -> f64| -> f64 {
        let (n, first, last) = (4000, from.sqrt(), 12f64.sqrt());
        let h = (last - first) / n as f64;
        let at = |k: usize| {
            let s = first + k as f64 * h;
            of(s * s) * (-0.5 * (t + s * s).powi(2)).exp() / std::f64::consts::TAU.sqrt() * 2.0 * s
        };
        (0..=n).map(|k| at(k) * if k == 0 || k == n { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 }).sum::<f64>() * h / 3.0
    };
    let mut before = 0.0;
    for part in [0.02, 0.2, 0.5] {
        let given: Vec<(&str, f64)> = surface.iter().copied().chain([("part", part)]).collect();
        let of = compute("elastic-boundary", &given);
        let (t, psi, pressure) = (of("separation"), of("plasticity_index"), of("pressure"));
        close(psi, 1e11 / 4e9 * (1e-7 / 1e-4f64).sqrt(), 1e-12);
        // An asperity of height z has the area pi R sigma (z - t): those beyond t + 1/psi^2 yield.
        close(heights(t, 1.0 / (psi * psi), &|x| x) / heights(t, 0.0, &|x| x), part, 1e-7);
        let load = 4.0 / 3.0 * 1e11 * 1e10 * (1e-4 * 1e-7f64).sqrt() * 1e-7 * heights(t, 0.0, &|x| x.powf(1.5));
        close(pressure, load, 1e-7);
        assert!(pressure > before);
        before = pressure;
    }
}

/// Ruiz and Chen's parameter is largest inside the slip zone, and no scan finds more.
#[test]
fn the_largest_fretting_parameter_is_found() {
    let of = |x: f64| at("ruiz-chen", &[("sigma_T", 5e7), ("x", x)]);
    let (place, most) = (of(0.0)("x_max"), of(0.0)("k_max"));
    close(of(place)("k"), most, 1e-12);
    let a = at("cattaneo-mindlin", &[])("a");
    for k in 0..2000 {
        assert!(of(a * k as f64 / 2000.0)("k") <= most * (1.0 + 1e-12));
    }
}

/// Numbers of an independent solution: fronts and displacement with both ends slipping, with one, and at first slip; and the
/// traction carries the load.
#[test]
fn joined_bars_have_their_fronts() {
    for (rho, f, [delta, a, b]) in [
        (1.0, 0.3, [0.2693918741640365, 0.0, 1.0]),
        (1.0, 0.7, [0.630746010708101, 0.04709079034835212, 0.9529092096519705]),
        (0.5, 0.7, [0.5154252920766123, 0.0, 0.8768619402145579]),
        (0.5, 0.97, [0.7823529811855875, 0.13640963357771738, 0.5402570330889492]),
    ] {
        let of = |x: f64| compute("joined-bars", &[("F", f), ("lambda", 2.0), ("rho", rho), ("x", x)]);
        close(of(0.0)("displacement"), delta, 1e-6);
        assert!((of(0.0)("a") - a).abs() < 1e-6 && (of(0.0)("b") - b).abs() < 1e-6);
        let carried: f64 = (0..4000).map(|k| of((k as f64 + 0.5) / 4000.0)("traction") / 4000.0).sum();
        close(carried, f, 1e-5);
    }
    close(compute("joined-bars", &[("F", 0.1), ("lambda", 2.0), ("rho", 0.5)])("F_first"), 0.5556886498980426, 1e-8);
    // A stiff layer: first slip at sqrt(1 + rho)/lambda, and all that slips carries the load.
    for rho in [0.5f64, 1.0] {
        let stiff = compute("joined-bars", &[("F", 0.5), ("lambda", 800.0), ("rho", rho), ("x", 0.5)]);
        close(stiff("F_first"), (1.0 + rho).sqrt() / 800.0, 1e-12);
        assert!(
            stiff("traction").abs() < 1e-12 && (stiff("a") + 1.0 - stiff("b") - 0.5).abs() < 4e-3,
            "{}",
            stiff("b")
        );
        assert!(stiff("displacement").is_finite());
    }
}

/// Beyond its range a formula says so.
#[test]
fn places_and_angles_without_an_answer_are_refused() {
    let said = |name: &str, x: &[f64]| {
        let formula = formulas().iter().find(|f| f.name == name).expect("a formula");
        (formula.compute)(x).expect_err("an answer where there is none")
    };
    assert!(said("joined-bars", &[0.5, 2.0, 1.0, 1.0, 1.0, 1.0, 1.01]).contains("beyond the end of the layer"));
    assert!(said("plowing-friction", &[90f64.to_radians()]).contains("infinite"));
}

/// Displacement along x of a half-space under a traction along x, by Cerruti's solution in rays about the place.
fn displacement(traction: impl Fn(f64, f64) -> f64, [x, y]: [f64; 2], reach: f64, [g, nu]: [f64; 2]) -> f64 {
    let (rays, parts) = (720, 4000);
    let step = reach / parts as f64;
    let mut sum = 0.0;
    for k in 0..rays {
        let (sin, cos) = (std::f64::consts::TAU * (k as f64 + 0.5) / rays as f64).sin_cos();
        let along: f64 = (0..parts).map(|i| (i as f64 + 0.5) * step).map(|r| traction(x + r * cos, y + r * sin)).sum();
        sum += along * step * (1.0 - nu + nu * cos * cos) / rays as f64;
    }
    sum / g
}

/// Where spheres stick, the tractions strain both surfaces by what the bulk stress asks for, anywhere in the circle.
#[test]
fn a_bulk_stress_moves_the_stick_of_spheres_to_where_strains_agree() {
    let given = [("mu", 0.5), ("P", 50.0), ("Q", 20.0), ("R", 0.01), ("G_1", 8e10), ("nu_1", 0.3), ("G_2", 3e10)];
    let bulk = 4e8;
    let of = compute("cattaneo-mindlin-point", &[&given[..], &[("nu_2", 0.2), ("bulk", bulk)]].concat());
    let (a, p_0) = (of("a"), of("p_0"));
    let (c, e) = (of("c_over_a") * a, of("e_over_a") * a);
    assert!(e > 0.05 * a && e + c < a, "{e} {c} {a}");
    let disc = |r: f64, x: f64, y: f64| (r * r - x * x - y * y).max(0.0).sqrt();
    let traction = |x: f64, y: f64| 0.5 * p_0 / a * (disc(a, x, y) - disc(c, x - e, y));
    for [x, y] in [[0.0, 0.0], [0.5, 0.0], [-0.3, 0.6]] {
        let (x, y, h) = (e + x * c, y * c, 0.05 * c);
        let strain = |of: [f64; 2]| {
            let u = |x: f64| displacement(traction, [x, y], 2.0 * a, of);
            (u(x + h) - u(x - h)) / (2.0 * h)
        };
        // The first body is strained by the bulk too, the second by the opposite traction.
        let wanted = bulk / (2.0 * 8e10 * 1.3);
        close(-strain([8e10, 0.3]) - strain([3e10, 0.2]), wanted, 3e-3);
    }
    // Without it nothing moves, and slip is that about the middle.
    let still = compute("cattaneo-mindlin-point", &[&given[..], &[("nu_2", 0.2), ("x", 0.7 * a)]].concat());
    let moved =
        compute("cattaneo-mindlin-point", &[&given[..], &[("nu_2", 0.2), ("bulk", bulk), ("x", 0.7 * a + e)]].concat());
    assert_eq!(still("e_over_a"), 0.0);
    close(moved("slip"), still("slip"), 1e-9);
}

/// At the boundary by averaging the mean damping equals half of its oscillation at exact tuning; beside the roots there is an
/// answer that says why there is none.
#[test]
fn parametric_averaging_meets_its_limits() {
    let (xi, f) = (0.03, 1.2);
    let tuned = compute("parametric-averaging", &[("xi", xi), ("F", f), ("eps", 0.0)]);
    close(2.0 * xi + tuned("S"), -0.5 * f * tuned("S"), 1e-12);
    let mistuned = compute("parametric-averaging", &[("xi", xi), ("F", f), ("eps", 0.02)]);
    assert!(mistuned("S") < tuned("S"));
    let formula = formulas().iter().find(|f| f.name == "parametric-averaging").unwrap();
    let refused = |x: [f64; 3]| (formula.compute)(&x).unwrap_err();
    assert!(refused([0.05, 0.1, 0.01]).contains("F_min"));
    assert!(refused([0.05, 0.199_2, 0.01]).contains("F_physical"));
}

/// The work in a cycle of x = A sin(omega t), integrated.
#[test]
fn equivalent_damping_takes_the_work_of_friction() {
    let (c, n, a, omega) = (0.8, 2.5, 0.3, 7.0);
    let steps = 20000;
    let mut work = 0.0;
    for k in 0..steps {
        let angle = 2.0 * std::f64::consts::PI * (k as f64 + 0.5) / steps as f64;
        work +=
            c * (a * angle.sin()).abs().powf(n) * (a * angle.cos()).abs() * 2.0 * std::f64::consts::PI / steps as f64;
    }
    let damper = compute("equivalent-damping", &[("c", c), ("n", n), ("A", a), ("omega", omega)])("c_eq");
    close(std::f64::consts::PI * damper * omega * a * a, work, 1e-6);
}

/// Spheres are the ellipse of equal radii; slim ellipses follow Hertz' equations in the form of integrals over the pressure.
#[test]
fn an_ellipse_is_a_circle_for_equal_radii_and_meets_the_integrals_of_its_pressure() {
    let (p, e) = (50.0, 1.1e11);
    let sphere = compute("hertz-point", &[("P", p), ("R", 0.02), ("E", e)]);
    let round = compute("hertz-ellipse", &[("P", p), ("R_1", 0.02), ("R_2", 0.02), ("E", e)]);
    for name in ["a", "p_0", "approach", "stiffness"] {
        close(round(name), sphere(name), 1e-12);
    }
    close(round("b"), round("a"), 1e-12);
    for ratio in [1.5, 10.0, 300.0] {
        let (r_1, r_2) = (0.02 * ratio, 0.02);
        let found = compute("hertz-ellipse", &[("P", p), ("R_1", r_2), ("R_2", r_1), ("E", e)]);
        let (a, b, p_0) = (found("a"), found("b"), found("p_0"));
        // u(x, y) = p_0 a b/(2 E) int_0^inf (1 - x^2/(a^2+w) - y^2/(b^2+w)) dw/sqrt((a^2+w)(b^2+w) w), with w = a b e^(2 s).
        let sum = |weight: &dyn Fn(f64) -> f64| {
            let n = 40_000;
            let step = 60.0 / n as f64;
            let at = |s: f64| {
                let w = a * b * (2.0 * s).exp();
                weight(w) / ((a * a + w) * (b * b + w) * w).sqrt() * 2.0 * w
            };
            (0..n).map(|k| at(-30.0 + (k as f64 + 0.5) * step)).sum::<f64>() * step
        };
        let factor = p_0 * a * b / (2.0 * e);
        close(factor * sum(&|_| 1.0), found("approach"), 1e-8);
        close(factor * sum(&|w| 1.0 / (a * a + w)), 0.5 / r_1, 1e-7);
        close(factor * sum(&|w| 1.0 / (b * b + w)), 0.5 / r_2, 1e-7);
    }
}

/// A patch of the critical stiffness k_c L ~ G; nothing nucleates where friction grows with the speed.
#[test]
fn nucleation_lengths_grow_without_bound_towards_a_equal_b() {
    let at =
        |a: f64| compute("nucleation-length", &[("G", 3e10), ("d_c", 1e-5), ("sigma", 5e7), ("a", a), ("b", 0.015)]);
    close(at(0.01)("L_b"), 3e10 * 1e-5 / (0.015 * 5e7), 1e-14);
    close(at(0.01)("h_star") * at(0.01)("k_c"), 2.0 * 3e10 / std::f64::consts::PI, 1e-12);
    close(at(0.01)("L_inf") / at(0.01)("L_b"), 9.0 / std::f64::consts::PI, 1e-12);
    assert!(at(0.0149)("L_inf") > 1e3 * at(0.01)("L_inf"));
    let formula = formulas().iter().find(|f| f.name == "nucleation-length").unwrap();
    assert!((formula.compute)(&[3e10, 1e-5, 5e7, 0.02, 0.015]).is_err());
}

#[test]
fn wear_is_proportional_to_load_and_distance() {
    let worn = compute("archard", &[("K", 1e-4), ("P", 100.0), ("s", 1e3), ("H", 1e9), ("A", 1e-4)]);
    close(worn("volume"), 1e-8, 1e-14);
    close(worn("depth"), 1e-4, 1e-14);
    close(worn("volume"), worn("rate") * 1e5, 1e-14);
    close(worn("loss"), 1e-11, 1e-14);
}

/// The pull-off goes from 2 pi w R (DMT) to 1.5 pi w R (JKR).
#[test]
fn the_map_of_adhesion_has_dmt_and_jkr_at_its_ends() {
    let at = |e: f64, p: f64| compute("adhesion-map", &[("R", 1e-6), ("E", e), ("w", 0.05), ("z_0", 3e-10), ("P", p)]);
    let unit = std::f64::consts::PI * 0.05 * 1e-6;
    close(at(1e15, 0.0)("pull_off"), 2.0 * unit, 1e-3);
    close(at(1e5, 0.0)("pull_off"), 1.5 * unit, 1e-3);
    assert_eq!(at(1e15, 0.0)("region"), 1.0);
    assert_eq!(at(1e10, 0.0)("region"), 2.0);
    assert_eq!(at(1e8, 0.0)("region"), 3.0);
    assert_eq!(at(1e8, 1e-3)("region"), 0.0);
    let tabor = compute("tabor-parameter", &[("R", 1e-6), ("E", 1e9), ("w", 0.05), ("z_0", 3e-10)]);
    close(at(1e9, 0.0)("mu"), tabor("tabor"), 1e-12);
}
