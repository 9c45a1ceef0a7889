//! Representative parameters of every kind: one table a kind.
pub mod nested;
pub mod written;

use stickslip_laws::Given;
use stickslip_laws::conformance::Sample;

/// The samples of a kind; none for a kind without a table.
pub fn samples(kind: &str) -> Vec<Sample> {
    match kind {
        "coulomb" => vec![
            Sample::new("one coefficient", 10.0, 0.1, 1e-3).set("mu", 0.3),
            Sample::new("two coefficients", 10.0, 0.1, 1e-3).set("mu_k", 0.3).set("mu_s", 0.5),
        ],
        "stribeck" => vec![
            stribeck("gaussian"),
            stribeck("exponent below one").set("exponent", 0.5),
            stribeck("viscous").set("viscous", 20.0),
        ],
        "exponential" => vec![
            Sample::new("decaying", 10.0, 0.1, 1e-3).set("mu_0", 0.2).set("mu_1", 0.15).set("alpha", 30.0),
            Sample::new("constant", 10.0, 0.1, 1e-3).set("mu_0", 0.2).set("mu_1", 0.0).set("alpha", 0.0),
            Sample::new("growing", 10.0, 0.1, 1e-3).set("mu_0", 0.2).set("mu_1", -0.1).set("alpha", 30.0),
        ],
        "dwell" => vec![
            Sample::new("growing", 10.0, 0.1, 1e-2)
                .set("mu_k", 0.2)
                .set("mu_inf", 0.8)
                .set("gamma", 0.5)
                .visit(&[1e9, 0.8])
                .visit(&[0.0, 0.0]),
        ],
        "humped" => vec![
            Sample::new("hump", 10.0, 0.1, 1e-3).set("mu_0", 0.25).set("mu_m", 0.4).set("mu_k", 0.15).set("v_m", 0.01),
            Sample::new("only rises", 10.0, 0.1, 1e-3)
                .set("mu_0", 0.1)
                .set("mu_m", 0.4)
                .set("mu_k", 0.4)
                .set("v_m", 2.0),
        ],
        "dwell-power" => vec![
            Sample::new("growing", 10.0, 0.1, 1e-2).set("mu_k", 0.2).set("c_1", 0.05).set("c_2", 0.3).visit(&[1e9]),
            Sample::new("linear", 10.0, 0.1, 1e-2).set("mu_k", 0.2).set("c_1", 0.05).set("c_2", 1.0),
        ],
        "dwell-exponential" => vec![
            Sample::new("growing", 10.0, 0.1, 1e-2).set("mu_0", 0.2).set("mu_inf", 0.4).set("c", 2.0).visit(&[1e9]),
            Sample::new("drop", 10.0, 0.1, 1e-2).set("mu_0", 0.2).set("mu_inf", 0.4).set("c", 2.0).set("mu_k", 0.1),
        ],
        "dwell-stretched" => vec![
            Sample::new("growing", 10.0, 0.1, 1e-2)
                .set("mu_0", 0.2)
                .set("mu_inf", 0.4)
                .set("gamma", 0.5)
                .set("m", 0.6)
                .visit(&[1e9]),
        ],
        "dwell-log" => {
            vec![
                Sample::new("growing", 10.0, 0.1, 1e-2)
                    .set("a_s", 0.369)
                    .set("b_s", 0.014)
                    .set("t_0", 0.9)
                    .visit(&[1e9]),
            ]
        }
        "loading-rate" => vec![
            Sample::new("falling", 10.0, 0.1, 1e-3).set("mu_k", 0.2).set("mu_s", 0.4).set("rate", 0.5),
            Sample::new("root", 10.0, 0.1, 1e-3)
                .set("mu_k", 0.2)
                .set("mu_s", 0.4)
                .set("rate", 0.5)
                .set("exponent", 0.5),
        ],
        "slip-weakening" => vec![
            Sample::new("weakening", 10.0, 1e-3, 1e-5)
                .set("mu_s", 0.6)
                .set("mu_k", 0.3)
                .set("d_c", 1e-5)
                .visit(&[0.0])
                .visit(&[0.3]),
        ],
        "junction" => vec![
            Sample::new("hardness", 10.0, 0.1, 1e-3).set("tau_0", 2e8).set("hardness", 1e9).set("tau_1", 5e6),
            Sample::new("real area", 10.0, 0.1, 1e-3).set("tau_0", 20.0).set("tau_1", 3.0).set("v_0", 0.02),
            Sample::new("constant", 10.0, 0.1, 1e-3).set("tau_0", 2e8).set("hardness", 1e9),
        ],
        "approach-power" => {
            vec![Sample::new("quadratic", 1e6, 0.1, 1e-3).set("c_T", 3e12).set("m_T", 2.0)]
        }
        "armstrong" => {
            vec![
                armstrong("memory").set("lag", 0.05).visit(&[1e9, 0.1]),
                armstrong("at once").visit(&[2.0, 0.2]),
                armstrong("elastic").set("k_f", 1e3).visit(&[2.0, 0.2, 1e-4, 0.0]).visit(&[2.0, 0.2, 0.0, 1.0]),
                armstrong("elastic with memory").set("k_f", 1e3).set("lag", 0.05).visit(&[1e9, 0.1, -1e-3, 0.0]),
            ]
        }
        "thermal-creep" => vec![
            Sample::new("paper", 1.2 * 9.81, 1e-5, 0.9e-6)
                .set("spacing", 1e-9)
                .set("omega_0", 1e12)
                .set("temperature", 300.0)
                .set("creep", 1.3279e9)
                .set("e_0", 2.166e-10)
                .set("e_1", 1.25e-11)
                .set("d_c", 0.9e-6)
                .set("eta", 14.0)
                .visit(&[1e-12])
                .visit(&[1e12]),
        ],
        "lugre" => vec![
            lugre("bristles").passive_if(true).steady(|v, n| n * stribeck_curve(v)),
            lugre("damped").set("sigma_1", 316.22776601683796).set("sigma_2", 0.4).passive_if(true),
            lugre("overdamped").set("sigma_1", 2e5).passive_if(false),
            lugre("sharp curve").set("alpha", 0.6).visit(&[1.4999e-5]).visit(&[-1.4999e-5]),
        ],
        "rate-state" => vec![
            paper("ageing").steady(|v, n| n * paper_steady(v, 14.0)).visit(&[1e-12]).visit(&[1e12]),
            paper("slip").set("evolution", "slip").steady(|v, n| n * paper_steady(v, 14.0)),
            paper("log form").set("form", "log"),
            paper("load effect").set("alpha", 0.2),
            granite("small a", 3e-4),
            granite("slip, small a", 3e-4).set("evolution", "slip"),
            Sample::new("two states", 1.2 * 9.81, 1e-5, 1e-6)
                .set("mu_0", 0.6)
                .set("a", 0.01)
                .set("b", [0.02, 0.005])
                .set("d_c", [1e-6, 2e-5])
                .set("v_0", 1e-6)
                .set("alpha", 0.2),
        ],
        "subloading" => vec![
            fig_3("tear").visit(&[0.0, 30e6]).visit(&[4e6, 60e6]),
            fig_3("stiff exponents").set("m", 2.0).set("n", 3.0),
            fig_3("quadric").set("surface", "quadric").set("F_0", 60e6).visit(&[4e6, 70e6]),
        ],
        "jenkins" => vec![
            Sample::new("mu", 10.0, 0.1, 1e-3).set("stiffness", 3e3).set("mu", 0.3).visit(&[3.0]).visit(&[-3.0]),
            Sample::new("limit", 10.0, 0.1, 1e-3).set("stiffness", 3e3).set("limit", 3.0).visit(&[3.0]),
        ],
        "dahl" => vec![dahl("ductile").set("exponent", 1.5).passive_if(true).visit(&[2.9e-6])],
        "bouc-wen" => {
            vec![bouc_wen("sharp").set("n", 3.0).set("beta", 0.8).passive_if(true).steady(|_, n| 0.3 * n).visit(&[1.0])]
        }
        "reset-integrator" => vec![reset("damped").set("sigma_1", 0.3).steady(|_, _| 1.0)],
        "bristle" => vec![bristle("spread").set("spread", 0.3).visit(&[3e-4, -2e-4, 1.0, 2.0])],
        "rice" => vec![
            Sample::new("weakening", 10.0, 1e-3, 1e-4)
                .set("mu_0", 0.5)
                .set("v_0", 1e-3)
                .set("f", 50.0)
                .set("lambda", 0.5)
                .set("alpha", 10.0),
        ],
        "maxwell" => vec![
            Sample::new("weakening", 10.0, 1e-3, 1e-3)
                .set("mu_0", 0.4)
                .set("mu_1", 0.2)
                .set("alpha", 300.0)
                .set("eta", 50.0)
                .set("tau_r", 0.1),
        ],
        "nonlocal" => vec![Sample::new("one point", 10.0, 0.1, 1e-3).set("mu", 0.4).set("weights", [0.5, 0.25])],
        "prandtl-tomlinson" => vec![tip("damped").set("damping", 0.1)],
        "iwan" => vec![iwan("coefficients").set("mu", [0.1, 0.15]), iwan("one limit").set("limit", 1.0)],
        "iwan-series" => vec![iwan("lists").set("spring", 1e4).set("limit", [1.5, 1.0])],
        "iwan-distributed" => vec![distributed("uniform").set("mu", 0.15).steady(|_, n| 0.15 * n)],
        "mindlin" => vec![
            Sample::new("steel on aluminium", 100.0, 1e-6, 1.5e-6)
                .set("mu", 0.4)
                .set("a", 1e-3)
                .set("G_1", 80e9)
                .set("G_2", 26e9)
                .set("nu_2", 0.33)
                .steady(|_, n| 0.4 * n),
        ],
        "menq-griffin" => vec![bars("clamped bar stiffer").set("mu", 0.1).set("rho", 0.5).steady(|_, n| 0.1 * n)],
        "table" => vec![table("cubic").set("mu_s", 0.7), table("linear").set("interpolation", "linear")],
        "formula" => written::all(),
        other => nested::samples(other),
    }
}

fn armstrong(name: &'static str) -> Sample {
    let sample = Sample::new(name, 10.0, 0.1, 1e-2).set("F_c", 1.0).set("F_v", 3.0).set("F_sa", 0.2);
    sample.set("F_sinf", 0.8).set("v_s", 0.02).set("gamma", 0.5)
}

fn dahl(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 1e-2, 3e-6).set("mu", 0.3).set("sigma_0", 1e5)
}

fn bouc_wen(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 1e-2, 1e-5).set("mu", 0.3).set("u_y", 1e-5)
}

fn reset(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 1e-2, 1e-4).set("sigma_0", 2e4).set("z_0", 5e-5).set("a", 0.3)
}

fn bristle(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 1e-2, 1.1e-3).set("count", 2.0).set("sigma", 100.0).set("length", 1e-3)
}

fn tip(name: &'static str) -> Sample {
    Sample::new(name, 1.0, 1e-9, 2.1e-10).set("force", 1e-9).set("a", 3e-10)
}

fn iwan(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 0.1, 4e-3).set("stiffness", [4e3, 3e3])
}

fn distributed(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 0.1, 2.2e-3).set("stiffness", 3e3)
}

fn bars(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 0.1, 3.1).set("EA", 1.0).set("L", 1.0).set("lambda", 2.0)
}

fn table(name: &'static str) -> Sample {
    let rows = [[1e-3, 0.6], [4e-3, 0.55], [2e-2, 0.3], [0.05, 0.31], [0.2, 0.4]];
    Sample::new(name, 10.0, 0.1, 1e-3).set("points", Given::Rows(rows.map(|r| r.to_vec()).to_vec()))
}

fn stribeck(name: &'static str) -> Sample {
    Sample::new(name, 10.0, 0.1, 1e-3).set("mu_k", 0.3).set("mu_s", 0.5).set("v_s", 0.02)
}

fn lugre(name: &'static str) -> Sample {
    let sample = Sample::new(name, 2.0, 1e-2, 1.5e-5).set("mu_c", 1.0).set("mu_s", 1.5);
    sample.set("v_s", 1e-3).set("sigma_0", 1e5)
}

fn stribeck_curve(v: f64) -> f64 {
    1.0 + 0.5 * (-(v / 1e-3f64).powi(2)).exp()
}

/// Lim & Chen's paper on paper.
fn paper(name: &'static str) -> Sample {
    let sample = Sample::new(name, 1.2 * 9.81, 1e-5, 0.9e-6).set("mu_0", 0.369).set("a", 0.011).set("b", 0.025);
    sample.set("v_0", 1e-6).set("d_c", 0.9e-6).set("eta", 14.0)
}

fn paper_steady(v: f64, eta: f64) -> f64 {
    let x = (0.369 - 0.014 * (v / 1e-6f64).ln()) / 0.011;
    0.011 * (0.5 * x.exp()).asinh() + eta * v
}

fn granite(name: &'static str, a: f64) -> Sample {
    let sample = Sample::new(name, 5.0, 1e-5, 1e-6).set("mu_0", 0.6).set("a", a).set("b", 0.0004);
    sample.set("v_0", 1e-6).set("d_c", 1e-6)
}

/// Hashiguchi & Ozaki, Fig 3, in SI.
fn fig_3(name: &'static str) -> Sample {
    Sample::new(name, 10e6, 1e-5, 2e-5)
        .set("M", 0.3)
        .set("F_s", 100e6)
        .set("F_k", 30e6)
        .set("kappa", 1e12)
        .set("m", 1.0)
        .set("eta", 10e6)
        .set("n", 2.0)
        .set("u", 1e5)
        .set("alpha_t", 100e9)
}
