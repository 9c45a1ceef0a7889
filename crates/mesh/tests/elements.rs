//! Elements against exact solutions: patch test, orders, rigid motions, masses, frequencies.
use std::f64::consts::PI;
use std::sync::Arc;
use stickslip_mesh::{Assembler, Kind, Material, Mesh, Numbering, Plane, Section};
use stickslip_solve::sparse::{Lu, Matrix, Order, Symbolic};

const STEEL: Material = Material { young: 2.1e11, poisson: 0.3, density: 7850.0 };
const PLANES: [Plane; 2] = [Plane::Strain, Plane::Stress];

/// A displacement by place.
type Motion = fn([f64; 2]) -> [f64; 2];

/// A rectangle whose inner corners are moved, with straight sides.
fn distorted(size: [f64; 2], divisions: [usize; 2], kind: Kind) -> Mesh {
    let mut mesh = Mesh::rectangle(size, divisions, kind).unwrap();
    let h = [0, 1].map(|e| size[e] / divisions[e] as f64);
    let inner = |at: [f64; 2]| (0..2).all(|e| at[e] > 0.01 * h[e] && at[e] < size[e] - 0.01 * h[e]);
    let old = mesh.nodes.clone();
    let moved = |at: [f64; 2]| {
        let [a, b] = [(37.0 * at[0] + 11.0 * at[1]).sin(), (23.0 * at[0] - 31.0 * at[1]).cos()];
        if inner(at) { [at[0] + 0.2 * h[0] * a, at[1] + 0.2 * h[1] * b] } else { at }
    };
    for element in mesh.elements.clone() {
        let nodes = element.nodes();
        let n = kind.corners();
        let corners: Vec<[f64; 2]> = nodes[..n].iter().map(|k| moved(old[*k as usize])).collect();
        let mean = |all: &[[f64; 2]]| [0, 1].map(|e| all.iter().map(|at| at[e]).sum::<f64>() / all.len() as f64);
        for (k, node) in nodes.iter().enumerate() {
            mesh.nodes[*node as usize] = match k {
                k if k < n => corners[k],
                k if k < 2 * n => mean(&[corners[k - n], corners[(k - n + 1) % n]]),
                _ => mean(&corners),
            };
        }
    }
    mesh.check().unwrap();
    mesh
}

/// Displacements with those of all boundaries prescribed, under forces.
fn solve(mesh: &Mesh, section: &Section, given: impl Fn([f64; 2]) -> [f64; 2], forces: &[f64]) -> Vec<f64> {
    let mut held = vec![false; mesh.unknowns()];
    let mut u = vec![0.0; mesh.unknowns()];
    for name in ["left", "right", "bottom", "top"] {
        for node in mesh.boundary_nodes(name).unwrap() {
            let node = node as usize;
            let own = given(mesh.nodes[node]);
            (0..2).for_each(|e| (held[2 * node + e], u[2 * node + e]) = (true, own[e]));
        }
    }
    let all = Assembler::new(mesh, &Numbering::all(mesh), &[]).unwrap().matrices(mesh, section).unwrap();
    let mut reactions = vec![0.0; u.len()];
    all[0].product(&u, &mut reactions);
    let rest: Vec<f64> = forces.iter().zip(&reactions).map(|(f, r)| f - r).collect();
    let numbering = Numbering::without(mesh, &held).unwrap();
    let [stiffness, _] = Assembler::new(mesh, &numbering, &[]).unwrap().matrices(mesh, section).unwrap();
    let mut free = numbering.gather(&rest);
    factors(&stiffness, &numbering.places(mesh)).solve(&mut free).unwrap();
    numbering.displacements().iter().zip(free).for_each(|(d, x)| u[*d as usize] = x);
    u
}

fn factors(matrix: &Matrix, places: &[[f64; 3]]) -> Lu<f64> {
    let Matrix::Sparse { pattern, values } = matrix else { panic!("sparse") };
    let symbolic = Symbolic::new(pattern, Order { points: Some(places), last: &[] }).unwrap();
    let mut lu = Lu::new(&Arc::new(symbolic));
    lu.factor(values).unwrap();
    lu
}

#[test]
fn a_linear_displacement_is_exact_on_a_distorted_mesh() {
    let given = |[x, y]: [f64; 2]| [1e-3 * (1.0 + 2.0 * x - 0.7 * y), 1e-3 * (0.3 - 0.4 * x + 1.1 * y)];
    for plane in PLANES {
        let section = Section::new(plane, 0.02, STEEL);
        for kind in Kind::ALL {
            let mesh = distorted([2.0, 1.0], [4, 3], kind);
            let u = solve(&mesh, &section, given, &vec![0.0; mesh.unknowns()]);
            for (node, at) in mesh.nodes.iter().enumerate() {
                (0..2).for_each(|e| assert!((u[2 * node + e] - given(*at)[e]).abs() < 1e-14, "{kind:?}"));
            }
            let elastic = STEEL.elasticity(plane);
            let [x, y, shear] = [2e-3, 1.1e-3, -1.1e-3];
            let expected =
                [elastic.c_11 * x + elastic.c_12 * y, elastic.c_12 * x + elastic.c_11 * y, elastic.c_33 * shear];
            let across = if plane == Plane::Strain { 0.3 * (expected[0] + expected[1]) } else { 0.0 };
            let at_place = mesh.stress(&section, &u, [0.77, 0.41]).unwrap();
            for s in mesh.node_stresses(&section, &u).unwrap().into_iter().chain([at_place]) {
                for (found, expected) in [s.xx, s.yy, s.xy, s.zz].into_iter().zip(expected.into_iter().chain([across]))
                {
                    assert!((found - expected).abs() < 1e-9 * 4e8, "{kind:?} {found} {expected}");
                }
            }
        }
    }
}

/// Length of the error of a manufactured solution, in L2.
fn error(kind: Kind, divisions: usize) -> f64 {
    let material = Material { young: 1.0, poisson: 0.3, density: 1.0 };
    let section = Section::new(Plane::Strain, 1.0, material);
    let elastic = material.elasticity(Plane::Strain);
    let exact = |[x, y]: [f64; 2]| [(PI * x).sin() * (PI * y).sin(), (PI * x).cos() * (2.0 * y).sin()];
    let force = |[x, y]: [f64; 2]| {
        let [u, v] = exact([x, y]);
        let (u_xx, u_yy, u_xy) = (-PI * PI * u, -PI * PI * u, PI * PI * (PI * x).cos() * (PI * y).cos());
        let (v_xx, v_yy, v_xy) = (-PI * PI * v, -4.0 * v, -2.0 * PI * (PI * x).sin() * (2.0 * y).cos());
        let shear = elastic.c_12 + elastic.c_33;
        [
            -(elastic.c_11 * u_xx + shear * v_xy + elastic.c_33 * u_yy),
            -(elastic.c_11 * v_yy + shear * u_xy + elastic.c_33 * v_xx),
        ]
    };
    let mesh = Mesh::rectangle([1.0, 1.0], [divisions; 2], kind).unwrap();
    let u = solve(&mesh, &section, exact, &mesh.volume_load(|place, _| force(place)));
    let square = mesh.integral(|element, shape, place| {
        let value = |e: usize| -> f64 {
            element.nodes().iter().zip(shape.values).map(|(k, n)| n * u[2 * *k as usize + e]).sum()
        };
        (0..2).map(|e| (value(e) - exact(place)[e]).powi(2)).sum()
    });
    square.sqrt()
}

#[test]
fn the_order_in_l2_is_two_for_linear_and_three_for_quadratic_elements() {
    for kind in Kind::ALL {
        let order = (error(kind, 8) / error(kind, 16)).log2();
        let expected = if kind.is_quadratic() { 3.0 } else { 2.0 };
        assert!((order - expected).abs() < 0.12, "{kind:?}: order {order}");
    }
}

#[test]
fn rigid_motions_have_no_strain_energy_and_the_right_kinetic_energy() {
    for plane in PLANES {
        let section = Section::new(plane, 0.02, STEEL);
        for kind in Kind::ALL {
            let mesh = distorted([2.0, 1.0], [4, 3], kind);
            let [k, m] = Assembler::new(&mesh, &Numbering::all(&mesh), &[]).unwrap().matrices(&mesh, &section).unwrap();
            assert!(k.symmetric(1e-14).is_ok() && m.symmetric(1e-14).is_ok());
            let mass = 7850.0 * 0.02 * 2.0;
            // About the origin: m (a^2 + b^2)/3.
            let inertia = mass * (4.0 + 1.0) / 3.0;
            let motions: [(Motion, f64); 3] =
                [(|_| [1.0, 0.0], mass), (|_| [0.0, 1.0], mass), (|[x, y]| [-y, x], inertia)];
            for (motion, twice) in motions {
                let u: Vec<f64> = mesh.nodes.iter().flat_map(|at| motion(*at)).collect();
                let energy = k.form(&u);
                assert!(energy.abs() < 1e-13 * k.norm(), "{kind:?} {energy}");
                assert!((m.form(&u) - twice).abs() < 1e-12 * twice, "{kind:?}");
            }
        }
    }
}

#[test]
fn masses_sum_to_the_total_and_lumped_ones_are_positive() {
    let section = Section::new(Plane::Strain, 0.02, STEEL);
    let total = 7850.0 * 0.02 * 2.0;
    for kind in Kind::ALL {
        let mesh = distorted([2.0, 1.0], [4, 3], kind);
        let lumped = mesh.lumped_mass(&section).unwrap();
        assert!(lumped.iter().all(|m| *m > 0.0), "{kind:?}");
        assert!((lumped.iter().sum::<f64>() - total).abs() < 1e-12 * total);
        assert!((mesh.total_mass(&section).unwrap() - total).abs() < 1e-12 * total);
    }
}

/// The lowest angular frequency, by inverse iteration.
fn lowest(mesh: &Mesh, section: &Section, numbering: &Numbering, lumped: bool) -> f64 {
    let [k, consistent] = Assembler::new(mesh, numbering, &[]).unwrap().matrices(mesh, section).unwrap();
    let mut mass = consistent;
    if lumped {
        let nodes = mesh.lumped_mass(section).unwrap();
        mass = Matrix::Diagonal(numbering.displacements().iter().map(|d| nodes[*d as usize / 2]).collect());
    }
    let mut lu = factors(&k, &numbering.places(mesh));
    let mut x = vec![1.0; numbering.len()];
    let mut y = x.clone();
    for _ in 0..40 {
        mass.product(&x, &mut y);
        lu.solve(&mut y).unwrap();
        let length = stickslip_solve::largest(y.iter().copied());
        x.iter_mut().zip(&y).for_each(|(x, y)| *x = y / length);
    }
    (k.form(&x) / mass.form(&x)).sqrt()
}

fn clamped(mesh: &Mesh, across_too: bool) -> Numbering {
    let mut held = vec![false; mesh.unknowns()];
    for node in mesh.boundary_nodes("left").unwrap() {
        (0..2).for_each(|e| held[2 * node as usize + e] = true);
    }
    if across_too {
        held.iter_mut().skip(1).step_by(2).for_each(|h| *h = true);
    }
    Numbering::without(mesh, &held).unwrap()
}

#[test]
fn a_bar_has_its_frequency() {
    // Fixed at one end, free at the other; no motion across: omega = pi/(2 L) sqrt(E/rho).
    let material = Material { poisson: 0.0, ..STEEL };
    let section = Section::new(Plane::Stress, 0.01, material);
    let exact = PI / 2.0 * (2.1e11f64 / 7850.0).sqrt();
    for kind in Kind::ALL {
        for lumped in [false, true] {
            let off = [8, 16].map(|n| {
                let mesh = Mesh::rectangle([1.0, 0.1], [n, n / 8], kind).unwrap();
                lowest(&mesh, &section, &clamped(&mesh, true), lumped) / exact - 1.0
            });
            let order = (off[0] / off[1]).abs().log2();
            let least = if kind.is_quadratic() && !lumped { 3.8 } else { 1.9 };
            assert!(off[1].abs() < 1e-3 && order > least, "{kind:?} {lumped}: {off:?}, order {order}");
            // A consistent mass bounds the frequency from above.
            assert!(lumped || off[1] > 0.0, "{kind:?}: {off:?}");
        }
    }
}

#[test]
fn a_cantilever_has_its_frequency() {
    // Slender: omega = 1.8751^2 sqrt(E I / (rho A L^4)), less by the shear of (h/L)^2.
    let material = Material { poisson: 0.3, ..STEEL };
    let section = Section::new(Plane::Stress, 0.01, material);
    let (length, height) = (1.0, 0.02f64);
    let exact = 1.875_104_068_711_961f64.powi(2) * (2.1e11 * height * height / 12.0 / 7850.0).sqrt();
    for kind in [Kind::Q8, Kind::Q9, Kind::T6] {
        let mesh = Mesh::rectangle([length, height], [32, 1], kind).unwrap();
        let off = lowest(&mesh, &section, &clamped(&mesh, false), false) / exact - 1.0;
        assert!(off.abs() < 1.5e-3, "{kind:?}: {off}");
    }
}

#[test]
fn held_displacements_and_materials_are_those_of_the_elements() {
    let mut mesh = Mesh::rectangle([2.0, 1.0], [2, 1], Kind::Q4).unwrap();
    mesh.elements[1].material = 1;
    let mut section = Section::new(Plane::Stress, 1.0, STEEL);
    assert!(Assembler::new(&mesh, &Numbering::all(&mesh), &[]).unwrap().matrices(&mesh, &section).is_err());
    section.materials.push(Material { density: 1000.0, ..STEEL });
    assert!((mesh.total_mass(&section).unwrap() - 8850.0).abs() < 1e-9);
    section.materials[1].poisson = 0.6;
    assert!(section.check().is_err());
    section.materials[1].poisson = 0.5;
    assert!(section.check().is_ok() && Section { plane: Plane::Strain, ..section.clone() }.check().is_err());
    assert!(Section { thickness: 0.0, ..section }.check().is_err());
}

#[test]
fn reversed_and_folded_elements_are_refused() {
    let mut mesh = Mesh::rectangle([2.0, 1.0], [2, 1], Kind::Q9).unwrap();
    mesh.nodes[7] = [0.1, 0.1];
    assert!(mesh.check().unwrap_err().to_string().contains("reversed or folded"));
    for at in &mut mesh.nodes {
        at[1] = -at[1];
    }
    assert!(mesh.check().is_err());
}
