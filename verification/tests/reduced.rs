//! Reduced bodies against the full ones, and matrices from files against those that are typed.
use stickslip::prelude::*;
use stickslip_verification::{assert_close, number, text, trusted, value};

/// A strip on its clamped lower side, rubbed on its upper one.
fn body(modes: Option<usize>, rest: &str) -> Scenario {
    let body = r#"
        mesh = { rectangle = ["16 cm", "4 cm"], divisions = [4, 2], element = "q8" }
        model = "plane-strain"
        thickness = "1 cm"
        material = { young = "2e9 Pa", poisson = 0.3, density = "2000 kg/m^3" }
        supports = [{ on = "bottom", fix = ["x", "y"] }]
        loads = [{ on = "right", traction = ["50e3 Pa", 0] }]
        damping = { mass = "10 1/s", stiffness = "1e-6 s" }
        gravity = "9.81 m/s^2"
    "#;
    let structure = match modes {
        None => format!("[structure]\nkind = \"body\"\n{body}"),
        Some(modes) => format!("[structure]\nkind = \"reduced\"\nmodes = {modes}\n[structure.body]\n{body}"),
    };
    text(&format!(
        r#"
        {structure}
        [contact]
        on = "top"
        gap = "-1 um"
        normal = {{ law = "linear", k = "1e11 N/m^3" }}
        friction = {{ law = "coulomb", mu = 0.5 }}
        [drive]
        kind = "belt"
        velocity = "1 m/s"
        {rest}
        "#
    ))
}

const SPECTRUM: &str = r#"
    [analysis]
    kind = "stability"
    near = "20000 rad/s"
    count = 4
    [output]
    probes = [
      { quantity = "u.x", point = ["16 cm", "2 cm"], name = "inside" },
      { quantity = "stress.xx", point = ["6 cm", "1 cm"], name = "stress" },
      { quantity = "pressure", point = ["8 cm", "4 cm"], name = "pressure" },
      { quantity = "mean.u.x", name = "mean" },
    ]
"#;

/// Unknowns inside: 37 nodes, 9 of them below and 9 above.
const INSIDE: usize = 38;

#[test]
fn with_all_modes_a_reduced_body_is_the_full_one_and_with_some_it_is_near() {
    let full = trusted(&body(None, SPECTRUM));
    for (modes, near) in [(INSIDE, 1e-7), (12, 0.02)] {
        let reduced = trusted(&body(Some(modes), SPECTRUM));
        for name in ["probe.inside", "probe.stress", "probe.pressure", "probe.mean"] {
            assert_close!(value(&reduced, name), value(&full, name), rel = near);
        }
        for k in 0..4 {
            let name = format!("frequency[{k}]");
            assert_close!(number(&reduced, &name).unwrap(), number(&full, &name).unwrap(), rel = near);
        }
    }
}

#[test]
fn a_transient_of_a_reduced_body_is_that_of_the_full_one() {
    let rest = r#"
        [formulation]
        kind = "regularised"
        shape = "quadratic"
        width = "0.2 m/s"
        [analysis]
        kind = "transient"
        scheme = "newmark"
        step = "5e-6 s"
        duration = "0.3 ms"
        [start]
        state = "static"
        [output]
        fields = true
        probes = [
          { quantity = "u.x", point = ["8 cm", "4 cm"], at = ["0.2 ms"], name = "above" },
          { quantity = "u.y", point = ["9 cm", "2 cm"], at = ["0.2 ms"], name = "inside" },
        ]
    "#;
    let (full, reduced) = (trusted(&body(None, rest)), trusted(&body(Some(INSIDE), rest)));
    for name in ["probe.above[0]", "probe.inside[0]"] {
        assert_close!(number(&reduced, name).unwrap(), number(&full, name).unwrap(), rel = 1e-6);
    }
    for outcome in [full, reduced] {
        let (name, text) = &outcome.files[0];
        assert_eq!(name, "fields/end.vtu");
        for field in ["displacement (m)", "velocity (m/s)", "von Mises stress (Pa)", "pressure (Pa)", "shear (Pa)"] {
            assert!(text.contains(&format!("Name=\"{field}\"")), "{field}");
        }
    }
}

#[test]
fn modes_are_written_for_paraview() {
    let fields = SPECTRUM.replace("[output]", "[output]\nfields = true");
    let outcome = trusted(&body(Some(12), &fields));
    let names: Vec<&str> = outcome.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names[0], names.len()), ("fields/sliding.vtu", 27));
    assert!(names.contains(&"fields/mode.pvd") && names.contains(&"fields/mode-23.vtu"));
    let modes = &outcome.files[26].1;
    assert!(modes.contains("Name=\"mode 1: ") && modes.contains(", imaginary\""));
}

/// A chain of five masses between walls; the third one rubs.
#[test]
fn matrices_from_files_are_those_that_are_typed() {
    let folder = std::env::temp_dir().join(format!("stickslip-reduced-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut stiffness = String::from("%%MatrixMarket matrix coordinate real symmetric\n5 5 9\n");
    (1..=5).for_each(|i| stiffness += &format!("{i} {i} 2000\n"));
    (2..=5).for_each(|i| stiffness += &format!("{i} {} -1000\n", i - 1));
    let mass = "%%MatrixMarket matrix coordinate real general\n5 5 5\n1 1 1\n2 2 1.5\n3 3 2\n4 4 1\n5 5 0.5\n";
    let damping = "%%MatrixMarket matrix coordinate real general\n5 5 5\n1 1 1\n2 2 1\n3 3 1\n4 4 3\n5 5 1\n";
    for (name, text) in [("k.mtx", stiffness.as_str()), ("m.mtx", mass), ("c.mtx", damping)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let rest = |row: &str| {
        format!(
            r#"
            [contact]
            tangent = {row}
            normal = {{ law = "constant", force = 10 }}
            friction = {{ law = "stribeck", mu_s = 0.5, mu_k = 0.3, v_s = 0.1 }}
            [drive]
            kind = "belt"
            velocity = 0.05
            [analysis]
            kind = "stability"
            "#
        )
    };
    let reduced = format!(
        "[structure]\nkind = \"reduced\"\nmodes = 4\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndamping = \"c.mtx\"\n\
         interface = [3]\n{}",
        rest("[1]")
    );
    std::fs::write(folder.join("reduced.toml"), reduced).unwrap();
    let lumped = r#"
        [structure]
        kind = "lumped"
        mass = [[1, 0, 0, 0, 0], [0, 1.5, 0, 0, 0], [0, 0, 2, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0.5]]
        damping = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 3, 0], [0, 0, 0, 0, 1]]
        stiffness = [[2000, -1000, 0, 0, 0], [-1000, 2000, -1000, 0, 0], [0, -1000, 2000, -1000, 0],
          [0, 0, -1000, 2000, -1000], [0, 0, 0, -1000, 2000]]
    "#;
    let typed = trusted(&text(&format!("{lumped}{}", rest("[0, 0, 1, 0, 0]"))));
    let scenario = Scenario::from_file(&folder.join("reduced.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let found = trusted(&scenario);
    std::fs::remove_dir_all(&folder).unwrap();
    for k in 0..10 {
        for part in 0..2 {
            let name = format!("eigenvalues[{k}][{part}]");
            let (a, b) = (number(&found, &name), number(&typed, &name));
            assert_close!(a.unwrap(), b.unwrap(), abs = 1e-6);
        }
    }
}
