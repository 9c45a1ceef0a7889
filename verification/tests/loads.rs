//! Friction with memory under a load that follows the motion, against the same load given as a function of time.
use stickslip::prelude::*;
use stickslip_verification::{assert_close, column, text, trusted};

/// A block that is shaken along a surface: its weight, 10 N, rests on a spring of 400 N/m that swings by 10 mm at 20 rad/s.
fn shaken(law: &str, bouncing: bool) -> Outcome {
    let swing = "10 + 4*cos(20*t)";
    let (structure, normal) = match bouncing {
        true => (
            "kind = 'lumped'\nmass = [[1, 0], [0, 1]]\nstiffness = [[100, 0], [0, 0]]\ndamping = [[0.5, 0], [0, 0]]\n\
             coordinates = ['x', 'y']",
            "tangent = [1, 0]\nnormal_direction = [0, 1]\nnormal = { law = 'linear', k = 400 }\narea = 1".to_string(),
        ),
        false => (
            "kind = 'lumped'\nmass = [[1]]\nstiffness = [[100]]\ndamping = [[0.5]]\ncoordinates = ['x']",
            format!("tangent = [1]\nnormal = {{ law = 'prescribed', force = '{swing}' }}"),
        ),
    };
    let force = if bouncing { "['5*sin(7*t)', -10]" } else { "['5*sin(7*t)']" };
    let start = if bouncing { "values = { y = -0.035 }" } else { "" };
    trusted(&text(&format!(
        "[structure]\n{structure}\n[contact]\n{normal}\nfriction = {{ {law} }}\n[drive]\nkind = 'force'\nforce = {force}\n\
         [start]\n{start}\n[analysis]\nkind = 'transient'\nduration = 6\nrtol = 1e-10\n\
         [output]\nprobes = [{{ quantity = 'x', at = [1, 2.5, 4, 6] }}, {{ quantity = 'normal_force', at = [0, 1, 3] }}]\n"
    )))
}

#[test]
fn a_bouncing_block_sees_the_load_that_a_formula_gives() {
    let laws = [
        "law = 'jenkins', stiffness = 2000, mu = 0.3",
        "law = 'iwan', stiffness = [1500, 800], mu = [0.1, 0.25]",
        "law = 'lugre', mu_c = 0.3, mu_s = 0.35, v_s = 0.01, sigma_0 = 5e3, sigma_1 = 1",
    ];
    for law in laws {
        let (moving, given) = (shaken(law, true), shaken(law, false));
        let probe = |out: &Outcome, name: &str, k: usize| out.find(&format!("probe.{name}[{k}]")).map(|q| q.value);
        for k in 0..4 {
            let (Some(Value::Number(a)), Some(Value::Number(b))) = (probe(&moving, "x", k), probe(&given, "x", k))
            else {
                panic!("no probe");
            };
            assert_close!(a, b, abs = 1e-8);
        }
        let (Some(Value::Number(a)), Some(Value::Number(b))) =
            (probe(&moving, "normal_force", 1), probe(&given, "normal_force", 1))
        else {
            panic!("no probe");
        };
        assert_close!(a, b, rel = 1e-8);
        let slips = column(&moving, "series", "slip_velocity").iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert!(slips > 1e-2, "{law}: it hardly moves, {slips}");
    }
}
