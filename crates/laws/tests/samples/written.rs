//! Laws written as formulas: the example of the manual, and twins of laws of the catalogue.
use stickslip_laws::Given;
use stickslip_laws::conformance::Sample;
use stickslip_units::quantity;

/// A quantity as the scenario reads it.
pub fn amount(text: &str) -> Given {
    let q = quantity(text).unwrap();
    Given::Quantity(q.value, q.dimension)
}

/// Named quantities: `"mu_s 0.5, v_s 0.1 mm/s"`.
pub fn parameters(text: &str) -> Given {
    let one = |entry: &str| {
        let (name, value) = entry.trim().split_once(' ').unwrap();
        (name.to_string(), amount(value))
    };
    Given::Named(text.split(',').map(one).collect())
}

/// States: name, rate, start, scale.
pub fn states(all: &[(&str, &str, &str, &str)]) -> Given {
    let one = |(name, rate, start, scale): &(&str, &str, &str, &str)| {
        let fields: [(&str, Given); 3] =
            [("rate", (*rate).into()), ("start", amount(start)), ("scale", (*scale).into())];
        (name.to_string(), Given::Named(fields.map(|(k, v)| (k.to_string(), v)).to_vec()))
    };
    Given::Named(all.iter().map(one).collect())
}

/// A state with a size of its own.
fn with_magnitude(states: Given, magnitude: &str) -> Given {
    let Given::Named(mut all) = states else { panic!("states") };
    for (_, fields) in &mut all {
        let Given::Named(fields) = fields else { panic!("fields") };
        fields.push(("magnitude".into(), amount(magnitude)));
    }
    Given::Named(all)
}

pub const STRIBECK: [&str; 3] =
    ["mu_k + (mu_s - mu_k)*exp(-(v/v_s)^exponent)", "mu_s", "mu_k 0.3, mu_s 0.5, v_s 0.02 m/s, exponent 2"];
pub const VISCOUS: [&str; 3] = [
    "N*(mu_k + (mu_s - mu_k)*exp(-(v/v_s)^2)) + viscous*v",
    "mu_s",
    "mu_k 0.3, mu_s 0.5, v_s 0.02 m/s, viscous 20 N s/m",
];

/// A set-valued law without states.
pub fn stribeck(sample: Sample, [strength, hold, numbers]: [&str; 3]) -> Sample {
    sample.set("strength", strength).set("hold", hold).set("parameters", parameters(numbers))
}

pub fn lugre(sample: Sample) -> Sample {
    let g = "(mu_c + (mu_s - mu_c)*exp(-(v/v_s)^2))";
    let rate = format!("v - sigma_0*abs(v)*z/{g}");
    sample
        .set("force", format!("sigma_0*z + sigma_1*({rate}) + sigma_2*v").as_str())
        .set("states", with_magnitude(states(&[("z", &rate, "0 m", "linear")]), "1 um"))
        .set(
            "parameters",
            parameters("mu_c 1, mu_s 1.5, v_s 1 mm/s, sigma_0 1e5 1/m, sigma_1 300 s/m, sigma_2 0.4 s/m"),
        )
}

/// Lim & Chen's paper on paper.
pub fn paper(sample: Sample) -> Sample {
    sample
        .set("force", "a*asinh(v/(2*v_0)*exp((mu_0 + b*ln(v_0*phi/d_c))/a)) + eta*v")
        .set("states", states(&[("phi", "1 - abs(v)*phi/d_c", "0.9 s", "log")]))
        .set("parameters", parameters("mu_0 0.369, a 0.011, b 0.025, v_0 1 um/s, d_c 0.9 um, eta 14 s/m"))
        .set("velocity_scale", 2e-6 * (-0.369f64 / 0.011).exp())
}

pub fn all() -> Vec<Sample> {
    let rows = "mu_s 0.5, mu_k 0.3, v_s 0.1 mm/s, c 0.01, t_0 1 s, d_c 5 um";
    let heals = |name| Sample::new(name, 10.0, 1e-3, 5e-6);
    vec![
        heals("the manual's example")
            .set("strength", "mu_k + (mu_s - mu_k) * exp(-v/v_s) + c*ln(1 + z/t_0)")
            .set("hold", "mu_s + c*ln(1 + z/t_0)")
            .set("states", states(&[("z", "1 - v*z/d_c", "1 s", "linear")]))
            .set("parameters", parameters(rows)),
        stribeck(Sample::new("stribeck", 10.0, 0.1, 1e-3), STRIBECK),
        stribeck(Sample::new("viscous", 10.0, 0.1, 1e-3), VISCOUS),
        Sample::new("coulomb, plain numbers", 10.0, 0.1, 1e-3).set("strength", "0.3").set("hold", "0.4"),
        lugre(Sample::new("lugre", 2.0, 1e-2, 1.5e-5)),
        paper(Sample::new("rate-state", 1.2 * 9.81, 1e-5, 0.9e-6)).visit(&[1e-12]).visit(&[1e4]),
        Sample::new("log form", 10.0, 1e-5, 1e-6)
            .set("force", "0.6 + 0.01*ln(v/1e-6) + 0.02*ln(1e-6*phi/1e-6)")
            .set("states", states(&[("phi", "1 - v*phi/1e-6", "1", "log")])),
        Sample::new("dahl", 10.0, 0.1, 1e-3)
            .set("force", "mu*x/x_0")
            .set("states", states(&[("x", "v - abs(v)*x/x_0", "0 mm", "linear")]))
            .set("parameters", parameters("mu 0.3, x_0 1 mm")),
        Sample::new("load dependent", 10.0, 0.1, 1e-3)
            .set("force", "mu*(N/N_0 + 1)^-0.3*tanh(v/v_0)")
            .set("parameters", parameters("mu 0.3, N_0 10 N, v_0 1 mm/s")),
        Sample::new("one-sided", 10.0, 0.1, 1e-3).set("force", "0.3*tanh(v/0.01) + 0.1*exp(-(v/0.01)^2) - 0.1"),
    ]
}
