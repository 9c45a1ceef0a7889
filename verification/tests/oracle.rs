//! An independent solver, with its own right-hand side, agrees on the stiff rate-and-state slider.
use differential_equations::prelude::*;
use stickslip_verification::{assert_close, number, scenario, trusted};

const MASS: f64 = 1.2;
const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1e4;
const PULL: f64 = 5e-6;
const MU_0: f64 = 0.369;
const A: f64 = 0.011;
const B: f64 = 0.025;
const V_0: f64 = 1e-6;
const D_C: f64 = 0.9e-6;
const ETA: f64 = 14.0;

/// Unknowns e/d_c, ln(v/V), ln(phi V/d_c). The slider never turns: the logarithm of its speed exists.
struct Slider;

fn argument(v: f64, phi: f64) -> f64 {
    v / (2.0 * V_0) * ((MU_0 + B * (V_0 * phi / D_C).ln()) / A).exp()
}

fn coefficient(v: f64, phi: f64) -> f64 {
    A * argument(v, phi).asinh() + ETA * v
}

impl ODE<f64, [f64; 3]> for Slider {
    fn diff(&self, _: f64, y: &[f64; 3], dy: &mut [f64; 3]) {
        let (e, v, phi) = (y[0] * D_C, PULL * y[1].exp(), D_C / PULL * y[2].exp());
        dy[0] = (PULL - v) / D_C;
        dy[1] = (STIFFNESS * e / MASS - GRAVITY * coefficient(v, phi)) / v;
        dy[2] = 1.0 / phi - v / D_C;
    }

    fn jacobian(&self, t: f64, y: &[f64; 3], j: &mut Matrix<f64>) {
        let (v, phi) = (PULL * y[1].exp(), D_C / PULL * y[2].exp());
        let x = argument(v, phi);
        let slope = x / (1.0 + x * x).sqrt();
        let mut dy = [0.0; 3];
        self.diff(t, y, &mut dy);
        j[(0, 0)] = 0.0;
        j[(0, 1)] = -v / D_C;
        j[(0, 2)] = 0.0;
        j[(1, 0)] = STIFFNESS * D_C / MASS / v;
        j[(1, 1)] = -dy[1] - GRAVITY * (A * slope / v + ETA);
        j[(1, 2)] = -GRAVITY * B * slope / v;
        j[(2, 0)] = 0.0;
        j[(2, 1)] = -v / D_C;
        j[(2, 2)] = -1.0 / phi;
    }
}

/// From steady sliding with phi raised by 5 %, over 200 s: four slips.
#[test]
fn an_independent_solver_agrees_on_the_rate_and_state_slider() {
    let steady = MASS * GRAVITY * coefficient(PULL, D_C / PULL) / STIFFNESS;
    let start = [steady / D_C, 0.0, 1.05f64.ln()];
    let method = ImplicitRungeKutta::radau5().rtol(1e-13).atol(1e-13).h0(1e-6).max_steps(1_000_000);
    let solution = IVP::ode(&Slider, 0.0, 200.0, start).method(method).solve().expect("a solution");
    let end = solution.y.last().expect("an end");
    let oracle = [end[0] * D_C, PULL * end[1].exp(), D_C / PULL * end[2].exp()];

    let sets = [
        "start={ state = \"steady-sliding\", scale = { states = { phi = 1.05 } } }",
        "analysis={ kind = \"transient\", duration = 200, rtol = 1e-10 }",
        "output.probes=[{ quantity = \"elongation\", at = [200] }, { quantity = \"rate.velocity\", at = [200] }, \
         { quantity = \"state.phi\", at = [200] }]",
    ];
    let out = trusted(&scenario("rate-state-slider.toml", &sets.map(String::from)));
    let published = [5.14355281351e-04, 1.37044260579e-07, 3.26643620392e+01];
    for (k, name) in ["elongation", "rate.velocity", "state.phi"].into_iter().enumerate() {
        let ours = number(&out, &format!("probe.{name}[0]")).expect("a probe");
        println!("{name}: {ours:e}, oracle {:e}, reference {:e}", oracle[k], published[k]);
        assert_close!(ours, oracle[k], rel = 1e-6);
        assert_close!(ours, published[k], rel = 1e-6);
    }
}
