//! Elastic bodies on meshes against exact solutions, against each other, and against the rigid block.
use std::f64::consts::PI;
use stickslip::prelude::*;
use stickslip_verification::{assert_close, number, run, scenario, text, trusted, value};

const ELEMENTS: [&str; 5] = ["q4", "q8", "q9", "t3", "t6"];

/// A strip under a uniform traction, held without constraint across: uniform stress, and a displacement that is linear, on every
/// element.
#[test]
fn a_uniform_traction_gives_a_uniform_stress_on_every_element() {
    for element in ELEMENTS {
        for (model, across) in [("plane-stress", 0.0), ("plane-strain", 0.3)] {
            let out = trusted(&text(&format!(
                r#"
                [structure]
                kind = "body"
                mesh = {{ rectangle = [2, 1], divisions = [3, 2], element = "{element}" }}
                model = "{model}"
                thickness = 0.5
                material = {{ young = 2e9, poisson = 0.3, density = 1000 }}
                supports = [{{ on = "left", fix = ["x"] }}, {{ on = "bottom", fix = ["y"] }}]
                loads = [{{ on = "right", traction = [3e6, 0] }}]
                [analysis]
                kind = "stability"
                [output]
                probes = [
                  {{ quantity = "stress.xx", point = [0.7, 0.3], name = "xx" }},
                  {{ quantity = "stress.yy", point = [0.7, 0.3], name = "yy" }},
                  {{ quantity = "stress.xy", point = [0.7, 0.3], name = "xy" }},
                  {{ quantity = "stress.zz", point = [0.7, 0.3], name = "zz" }},
                  {{ quantity = "u.x", point = [2, 0.5], name = "end" }},
                  {{ quantity = "u.y", point = [1, 1], name = "top" }},
                ]
                "#
            )));
            assert_close!(value(&out, "probe.xx"), 3e6, rel = 1e-9);
            assert_close!(value(&out, "probe.yy"), 0.0, abs = 1e-2);
            assert_close!(value(&out, "probe.xy"), 0.0, abs = 1e-2);
            assert_close!(value(&out, "probe.zz"), 3e6 * across, abs = 1e-2);
            let strain = 3e6 / 2e9 * (1.0 - 0.3 * across);
            assert_close!(value(&out, "probe.end"), 2.0 * strain, rel = 1e-9);
            let lateral = -0.3 * 3e6 / 2e9 * if across > 0.0 { 1.3 } else { 1.0 };
            assert_close!(value(&out, "probe.top"), lateral, rel = 1e-9);
        }
    }
}

fn bar(element: &str, divisions: [usize; 2], more: &str) -> Outcome {
    let [m, n] = divisions;
    trusted(&text(&format!(
        r#"
        [structure]
        kind = "body"
        mesh = {{ rectangle = [1, 0.02], divisions = [{m}, {n}], element = "{element}" }}
        model = "plane-stress"
        thickness = 0.02
        material = {{ young = 210e9, poisson = 0, density = 7800 }}
        supports = [{{ on = "left", fix = ["x", "y"] }}]
        [analysis]
        kind = "stability"
        {more}
        "#
    )))
}

/// A bar that is held at one end: longitudinal omega = (pi/2) sqrt(E/rho)/L, and the first bending mode of a slender beam
/// 1.8751041^2 sqrt(E I/(rho A))/L^2, less what shear and rotary inertia take.
#[test]
fn a_bar_and_a_cantilever_have_the_frequencies_of_their_closed_forms() {
    let speed = (210e9f64 / 7800.0).sqrt();
    let longitudinal = 0.5 * PI * speed;
    let bending = 1.875_104_068_711_96_f64.powi(2) * speed * 0.02 / 12f64.sqrt();
    for element in ["q8", "q9", "t6"] {
        let out = bar(element, [10, 1], &format!("near = \"{longitudinal} rad/s\"\ncount = 1"));
        assert_close!(value(&out, "eigenvalues[0][1]"), longitudinal, rel = 2e-4);
        let out = bar(element, [20, 1], &format!("near = \"{bending} rad/s\"\ncount = 1"));
        assert_close!(value(&out, "eigenvalues[0][1]"), bending, rel = 2e-3);
        assert!(value(&out, "residual[0]") < 1e-9);
    }
}

/// The quadratic elements' first frequency of a bar, whose error falls with the fourth power of their length.
#[test]
fn frequencies_of_quadratic_elements_are_of_fourth_order() {
    let exact = 1.5 * PI * (210e9f64 / 7800.0).sqrt();
    let error = |m: usize| {
        let out = bar("q9", [m, 1], &format!("near = \"{exact} rad/s\"\ncount = 1"));
        value(&out, "eigenvalues[0][1]") / exact - 1.0
    };
    let order = (error(4) / error(8)).log2();
    assert!((order - 4.0).abs() < 0.3, "{order}");
}

/// The rigid-like pair on finer meshes, the finest of them with sparse matrices, is that of the coarse one.
#[test]
fn the_mode_that_flutters_is_the_same_on_three_meshes() {
    let pair = |divisions: [usize; 2]| {
        let sets = [format!("structure.mesh.divisions={divisions:?}"), "contact.quadrature=\"gauss-5\"".into()];
        let out = trusted(&scenario("elastic-block.toml", &sets));
        assert!(value(&out, "residual[0]") < 1e-9);
        [value(&out, "eigenvalues[0][0]"), value(&out, "eigenvalues[0][1]"), value(&out, "probe.y")]
    };
    let coarse = pair([4, 3]);
    for fine in [pair([8, 6]), pair([12, 8])] {
        assert_close!(fine[1], coarse[1], rel = 2e-3);
        assert_close!(fine[0], coarse[0], rel = 2e-2);
        assert_close!(fine[2], coarse[2], rel = 2e-3);
    }
}

/// A body on its left side: the belt runs along +y there, and the picture is that of the bottom, mirrored at the diagonal.
#[test]
fn a_body_pressed_on_its_left_side_is_the_mirror_image_of_one_on_its_bottom() {
    let of = |mesh: &str, on: &str, opposite: &str, traction: &str, at: &str, u: &str| {
        let out = trusted(&text(&format!(
            r#"
            [structure]
            kind = "body"
            mesh = {{ {mesh}, element = "q8" }}
            thickness = 0.1
            material = {{ young = 2e9, poisson = 0.3, density = 1000 }}
            supports = [{{ on = "{opposite}", fix = ["{u}"] }}]
            loads = [{{ on = "{opposite}", traction = {traction} }}]
            [contact]
            on = "{on}"
            normal = {{ law = "power", c = 1e14, m = 2 }}
            friction = {{ law = "coulomb", mu = 0.2 }}
            [drive]
            kind = "belt"
            velocity = 0.1
            [analysis]
            kind = "stability"
            [output]
            probes = [
              {{ quantity = "pressure", point = {at}, name = "p" }},
              {{ quantity = "shear", point = {at}, name = "s" }},
              {{ quantity = "friction" }},
            ]
            "#
        )));
        ["probe.p", "probe.s", "probe.friction", "growth_rate"].map(|name| value(&out, name))
    };
    let bottom = of("rectangle = [0.4, 0.2], divisions = [4, 2]", "bottom", "top", "[0, -1e6]", "[0.3, 0]", "x");
    let left = of("rectangle = [0.2, 0.4], divisions = [2, 4]", "left", "right", "[-1e6, 0]", "[0, 0.3]", "y");
    assert_close!(bottom[0], left[0], rel = 1e-9);
    assert_close!(bottom[1], left[1], rel = 1e-9);
    assert_close!(bottom[2], 0.2, rel = 1e-12);
    assert_close!(bottom[1], 0.2 * bottom[0], rel = 1e-12);
}

/// The gap as a formula in x: a wedge of so much slope is a body that lies so much higher there.
#[test]
fn a_gap_that_varies_along_x_is_met_at_each_point() {
    let sets = [
        "contact.gap=\"-5e-4 cm + 1e-6*x\"".to_string(),
        "contact.friction.mu=0".into(),
        "structure.material.poisson=0".into(),
    ];
    let out = trusted(&scenario("elastic-slab.toml", &sets));
    let (p0, p16) = (value(&out, "probe.p0"), value(&out, "probe.p16"));
    assert!(p16 < p0, "{p0} {p16}");
    let plain = trusted(&scenario("elastic-slab.toml", &["contact.gap=\"-5e-4 cm + 0*x\"".into()]));
    let given = trusted(&scenario("elastic-slab.toml", &[]));
    assert_close!(value(&plain, "probe.p8"), value(&given, "probe.p8"), rel = 1e-12);
}

/// Newmark's average acceleration closes the energy of the slab, and its ledger has what is stored where.
#[test]
fn the_ledger_of_a_body_closes_and_has_its_parts() {
    let sets = ["contact.quadrature=\"simpson\"", "analysis.duration=\"60 us\"", "output.probes=[]"].map(String::from);
    let out = run(&scenario("elastic-slab-load.toml", &sets));
    assert!(number(&out, "energy_residual").unwrap() < 1e-3);
    let ledger = out.ledger.unwrap();
    let [kinetic, strain, contact] = ledger.parts.unwrap();
    assert!(kinetic > 0.0 && strain > 0.0 && contact > 0.0);
}
