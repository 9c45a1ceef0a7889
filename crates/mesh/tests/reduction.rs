//! Component modes of meshed bodies: the reduced body against the full one.
use stickslip_mesh::{Assembler, Kind, Material, Mesh, Numbering, Plane, Section};
use stickslip_solve::component_modes::{Reduced, Refused};
use stickslip_solve::sparse::Matrix;
use stickslip_solve::{dense, eigen};

struct Body {
    mesh: Mesh,
    numbering: Numbering,
    stiffness: Matrix,
    mass: Matrix,
    interface: Vec<u32>,
}

/// A strip, clamped at the left or not at all, with its right half's top as the interface.
fn strip(kind: Kind, clamped: bool) -> Body {
    let mesh = Mesh::rectangle([3.0, 0.9], [6, 2], kind).unwrap();
    let section = Section::new(Plane::Strain, 0.1, Material { young: 2e11, poisson: 0.3, density: 7800.0 });
    let mut held = vec![false; mesh.unknowns()];
    if clamped {
        mesh.boundary_nodes("left").unwrap().iter().for_each(|k| held[2 * *k as usize..][..2].fill(true));
    }
    let numbering = Numbering::without(&mesh, &held).unwrap();
    let [stiffness, mass] = Assembler::new(&mesh, &numbering, &[]).unwrap().matrices(&mesh, &section).unwrap();
    let nodes = mesh.boundary_nodes("top").unwrap().into_iter().filter(|k| mesh.nodes[*k as usize][0] > 1.4);
    let interface = nodes.flat_map(|k| [0, 1].map(|e| numbering.unknown(k, e).unwrap())).collect();
    Body { mesh, numbering, stiffness, mass, interface }
}

impl Body {
    fn reduced(&self, modes: usize) -> Reduced {
        let places = self.numbering.places(&self.mesh);
        Reduced::new(&self.stiffness, &self.mass, &self.interface, modes, Some(&places)).unwrap()
    }
    fn inside(&self) -> usize {
        self.numbering.len() - self.interface.len()
    }
}

/// omega^2 of a dense pencil, ascending.
fn squares(n: usize, stiffness: &[f64], mass: &[f64]) -> Vec<f64> {
    let lu = dense::Lu::new(n, mass).unwrap();
    let mut a = vec![0.0; n * n];
    for j in 0..n {
        let mut column: Vec<f64> = (0..n).map(|i| stiffness[i * n + j]).collect();
        lu.solve(&mut column);
        (0..n).for_each(|i| a[i * n + j] = column[i]);
    }
    let mut found: Vec<f64> = eigen::eigenvalues(n, &a).unwrap().into_iter().map(|z| z[0]).collect();
    found.reverse();
    found
}

#[test]
fn frequencies_converge_to_those_of_the_full_body_from_above_and_meet_them_with_all_modes() {
    for kind in [Kind::Q4, Kind::Q8, Kind::T6] {
        let body = strip(kind, true);
        let full = squares(body.numbering.len(), &body.stiffness.full(), &body.mass.full());
        let mut before = f64::INFINITY;
        for modes in [0, 4, 12, 30, body.inside()].into_iter().filter(|m| *m <= body.inside()) {
            let mut reduced = body.reduced(modes);
            assert_eq!(reduced.len(), body.interface.len() + modes);
            let mass = reduced.project(&body.mass).unwrap();
            let own = squares(reduced.len(), reduced.stiffness(), &mass);
            let off: Vec<f64> = (0..5).map(|k| own[k] / full[k] - 1.0).collect();
            assert!(off.iter().all(|x| *x > -1e-9), "{kind:?} {modes}: {off:?}");
            let worst = off.iter().copied().fold(0.0, f64::max);
            assert!(worst <= before, "{kind:?} {modes}: {off:?}");
            before = worst;
            let bound = match modes {
                30 => 1e-2,
                m if m == body.inside() => 1e-9,
                _ => f64::INFINITY,
            };
            assert!(worst < bound, "{kind:?} {modes}: {off:?}");
        }
    }
}

/// T' X T by T itself, column after column.
fn projected(reduced: &mut Reduced, matrix: &Matrix) -> Vec<f64> {
    let m = reduced.len();
    let columns: Vec<Vec<f64>> = (0..m)
        .map(|j| {
            let mut unit = vec![0.0; m];
            unit[j] = 1.0;
            reduced.expand(&unit).unwrap()
        })
        .collect();
    let mut image = vec![0.0; matrix.n()];
    let mut out = vec![0.0; m * m];
    for j in 0..m {
        matrix.product(&columns[j], &mut image);
        (0..m).for_each(|i| out[i * m + j] = dense::dot(&columns[i], &image));
    }
    out
}

#[test]
fn matrices_are_those_of_the_explicit_transformation() {
    for clamped in [true, false] {
        let body = strip(Kind::Q9, clamped);
        let mut reduced = body.reduced(8);
        let lumped = Matrix::Diagonal((0..body.numbering.len()).map(|i| 1.0 + (i % 7) as f64).collect());
        for matrix in [&body.mass, &lumped] {
            let own = reduced.project(matrix).unwrap();
            let expected = projected(&mut reduced, matrix);
            let size = expected.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            assert!(own.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-11 * size), "{clamped}");
        }
        let expected = projected(&mut reduced, &body.stiffness);
        let size = expected.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(reduced.stiffness().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-11 * size), "{clamped}");
    }
}

#[test]
fn forces_are_the_transpose_of_the_expansion() {
    let body = strip(Kind::T3, true);
    let mut reduced = body.reduced(5);
    let force: Vec<f64> = (0..body.numbering.len()).map(|i| (0.7 * i as f64).sin()).collect();
    let q: Vec<f64> = (0..reduced.len()).map(|i| (0.3 * i as f64 + 1.0).cos()).collect();
    let [work, own] =
        [dense::dot(&force, &reduced.expand(&q).unwrap()), dense::dot(&reduced.force(&force).unwrap(), &q)];
    assert!((work - own).abs() < 1e-11 * own.abs().max(1.0), "{work} {own}");
}

#[test]
fn a_floating_body_keeps_its_rigid_motions_and_its_mass() {
    let body = strip(Kind::Q8, false);
    let mut reduced = body.reduced(6);
    let mass = reduced.project(&body.mass).unwrap();
    let m = reduced.len();
    let form = |a: &[f64], q: &[f64]| (0..m).map(|i| q[i] * dense::dot(&a[i * m..(i + 1) * m], q)).sum::<f64>();
    for axis in 0..2 {
        let mut q = vec![0.0; m];
        (0..body.interface.len()).filter(|i| i % 2 == axis).for_each(|i| q[i] = 1.0);
        assert!(form(reduced.stiffness(), &q).abs() < 1e-10 * 2e10);
        let total = 7800.0 * 0.1 * 3.0 * 0.9;
        assert!((form(&mass, &q) - total).abs() < 1e-9 * total);
    }
}

#[test]
fn wrong_requests_are_refused() {
    let body = strip(Kind::Q4, true);
    let make =
        |interface: &[u32], modes| Reduced::new(&body.stiffness, &body.mass, interface, modes, None).unwrap_err();
    assert!(matches!(make(&body.interface, 1000), Refused::TooManyModes { wanted: 1000, .. }));
    assert!(matches!(make(&[0, 0], 1), Refused::Interface { unknown: 0 }));
    assert!(matches!(make(&[100_000], 1), Refused::Interface { .. }));
    // Nothing holds the free body when its interface is one point.
    let free = strip(Kind::Q4, false);
    let refused = Reduced::new(&free.stiffness, &free.mass, &free.interface[..2], 3, None).unwrap_err();
    assert_eq!(refused, Refused::NotHeld);
    let small = Matrix::Diagonal(vec![1.0; 3]);
    assert!(matches!(Reduced::new(&body.stiffness, &small, &[0], 1, None).unwrap_err(), Refused::Sparse(_)));
    let n = body.numbering.len();
    let negative = Matrix::Diagonal(vec![-1.0; n]);
    let refused = Reduced::new(&body.stiffness, &negative, &body.interface, 2, None).unwrap_err();
    assert!(matches!(refused, Refused::NotHeld | Refused::NotPositive | Refused::NotConverged), "{refused}");
}

#[test]
fn equal_modes_are_all_found() {
    // A square, held at its corner nodes alone, has pairs of equal modes by its symmetry.
    let mesh = Mesh::rectangle([1.0, 1.0], [4, 4], Kind::Q9).unwrap();
    let section = Section::new(Plane::Stress, 1.0, Material { young: 1.0, poisson: 0.3, density: 1.0 });
    let numbering = Numbering::all(&mesh);
    let [stiffness, mass] = Assembler::new(&mesh, &numbering, &[]).unwrap().matrices(&mesh, &section).unwrap();
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|at| mesh.node_at(at).unwrap());
    let interface: Vec<u32> = corners.iter().flat_map(|k| [2 * k, 2 * k + 1]).collect();
    for modes in [1, 5, 10] {
        let reduced = Reduced::new(&stiffness, &mass, &interface, modes, None).unwrap();
        let inside: Vec<usize> = (0..numbering.len()).filter(|i| !interface.contains(&(*i as u32))).collect();
        let [k, m] = [&stiffness, &mass].map(|matrix| -> Vec<f64> {
            inside.iter().flat_map(|i| inside.iter().map(|j| matrix.entry(*i, *j))).collect()
        });
        let all = squares(inside.len(), &k, &m);
        for (own, expected) in reduced.modes().zip(&all) {
            assert!((own / expected - 1.0).abs() < 1e-9, "{own} {expected}");
        }
    }
}

#[test]
fn with_its_forces_added_the_static_response_inside_is_exact() {
    let body = strip(Kind::Q8, true);
    let n = body.numbering.len();
    let forces: Vec<Vec<f64>> =
        (1..4).map(|k| (0..n).map(|i| (0.7 * f64::from(k) * i as f64).sin()).collect()).collect();
    let mut all: Vec<&[f64]> = forces.iter().map(|f| &f[..]).collect();
    // The sum of two is nothing new.
    let sum: Vec<f64> = forces[0].iter().zip(&forces[1]).map(|(a, b)| a + b).collect();
    all.push(&sum);
    let mut reduced = body.reduced(3);
    assert_eq!(reduced.add_forces(&body.mass, &all).unwrap(), 3);
    let m = reduced.len();
    let lu = dense::Lu::new(m, reduced.stiffness()).unwrap();
    let full = dense::Lu::new(n, &body.stiffness.full()).unwrap();
    for force in all {
        let mut q = reduced.force(force).unwrap();
        lu.solve(&mut q);
        let mut u = force.to_vec();
        full.solve(&mut u);
        let size = u.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(reduced.expand(&q).unwrap().iter().zip(&u).all(|(a, b)| (a - b).abs() < 1e-9 * size));
    }
    let expected = projected(&mut reduced, &body.stiffness);
    let size = expected.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(reduced.stiffness().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9 * size));
}
