//! Eigenvalues of quadratic problems: near a shift against all of them, and all of them against closed forms.
mod systems;

use std::sync::Arc;
use stickslip_solve::quadratic::{Mode, Near, Problem, all};
use stickslip_solve::sparse::{Complex, Matrix, Order, Refused, Symbolic};
use systems::{Body, Random};

struct System {
    mass: Matrix,
    damping: Matrix,
    stiffness: Matrix,
}

impl System {
    fn problem(&self) -> Problem<'_> {
        Problem { mass: &self.mass, damping: &self.damping, stiffness: &self.stiffness }
    }
}

/// A body on a belt, its stiffness and mass in units of their own.
fn sliding(body: &Body, mu: f64, unit: f64) -> System {
    let sparse = |values: Vec<f64>| Matrix::sparse(&body.pattern, values).unwrap();
    let times = |values: &[f64], factor: f64| values.iter().map(|x| x * factor).collect::<Vec<_>>();
    let (mass, symmetric) = (sparse(body.mass.clone()), sparse(times(&body.stiffness, unit * unit)));
    let mut damping = vec![];
    Matrix::sum([(1e-3 * unit, &mass), (2e-3 / unit, &symmetric), (0.0, &mass)], &body.pattern, &mut damping);
    System { mass, damping: sparse(damping), stiffness: sparse(times(&body.sliding(mu), unit * unit)) }
}

fn nearest(mut modes: Vec<Mode>, shift: Complex, count: usize) -> Vec<Complex> {
    modes.sort_by(|x, y| (x.value - shift).norm().total_cmp(&(y.value - shift).norm()));
    modes.truncate(count);
    modes.iter().map(|mode| mode.value).collect()
}

fn same(found: &[Mode], exact: &[Complex], tolerance: f64) {
    assert_eq!(found.len(), exact.len());
    for mode in found {
        let off = exact.iter().map(|value| (value - mode.value).norm()).fold(f64::INFINITY, f64::min);
        assert!(off < tolerance * mode.value.norm(), "{} is off by {off:e}", mode.value);
        assert!(mode.residual < 1e-9, "{mode:?}");
    }
}

#[test]
fn oscillators_have_their_frequencies() {
    // Three apart from each other: weakly damped, overdamped, and one that damping drives.
    let (omega, zeta): ([f64; 3], [f64; 3]) = ([1.0, 2e3, 3e-3], [0.01, 1.5, -0.2]);
    let diagonal = |f: &dyn Fn(usize) -> f64| Matrix::Diagonal((0..3).map(f).collect());
    let system = System {
        mass: diagonal(&|_| 2.0),
        damping: diagonal(&|i| 4.0 * zeta[i] * omega[i]),
        stiffness: diagonal(&|i| 2.0 * omega[i] * omega[i]),
    };
    let mut exact = vec![];
    for i in 0..3 {
        let root = (Complex::from(zeta[i] * zeta[i] - 1.0)).sqrt();
        exact.extend([-omega[i] * zeta[i] + root * omega[i], -omega[i] * zeta[i] - root * omega[i]]);
    }
    let modes = all(&system.problem()).unwrap();
    assert_eq!(modes.len(), 6);
    // The slow ones stand beside 6e3: what the algorithm promises is relative to that.
    for mode in &modes {
        let off = exact.iter().map(|value| (value - mode.value).norm()).fold(f64::INFINITY, f64::min);
        assert!(off < 1e-9, "{} is off by {off:e}", mode.value);
    }
}

#[test]
fn a_massless_unknown_has_no_mode_of_its_own() {
    let pair = |a: [f64; 4]| Matrix::Dense { n: 2, values: a.to_vec() };
    let system = System {
        mass: Matrix::Diagonal(vec![1.0, 0.0]),
        damping: Matrix::Diagonal(vec![0.0, 0.0]),
        stiffness: pair([3.0, -1.0, -1.0, 2.0]),
    };
    assert!(matches!(all(&system.problem()), Err(Refused::Singular { .. })));
    let modes = Near::new(Complex::new(0.3, 0.2), 2).modes(&system.problem(), Order::default()).unwrap();
    let omega = 2.5f64.sqrt();
    same(&modes, &[Complex::new(0.0, omega), Complex::new(0.0, -omega)], 1e-12);
}

#[test]
fn modes_near_a_shift_are_those_among_all() {
    let body = Body::new(10, 5, 6);
    for (mu, unit) in [(0.0, 1.0), (2.0, 1.0), (2.0, 3e4)] {
        let system = sliding(&body, mu, unit);
        let problem = system.problem();
        let every = all(&problem).unwrap();
        assert_eq!(every.len(), 2 * problem.n());
        let unstable = every.iter().filter(|mode| mode.value.re > 1e-6 * unit).count();
        // Friction couples modes: pairs that grow.
        assert_eq!(unstable > 0, mu > 0.0, "{unstable}");
        for (shift, count) in [(Complex::new(0.0, 0.6), 6), (Complex::new(0.1, 1.3), 13), (Complex::new(-0.2, 0.0), 4)]
        {
            let shift = shift * unit;
            let order = Order { points: Some(&body.points), last: &[] };
            let found = Near::new(shift, count).modes(&problem, order).unwrap();
            same(&found, &nearest(every.clone(), shift, count), 1e-8);
        }
    }
}

#[test]
fn a_space_that_is_too_small_is_restarted() {
    // A chain has closed frequencies, 2 sin(k pi / (2 n + 2)), and its high ones lie close.
    let n = 2000;
    let mut triplets = vec![];
    for i in 0..n {
        triplets.push((i, i, 2.0));
        if i + 1 < n {
            triplets.extend([(i, i + 1, -1.0), (i + 1, i, -1.0)]);
        }
    }
    let (pattern, values) = systems::of_triplets(n, &triplets);
    let system = System {
        mass: Matrix::Diagonal(vec![1.0; n]),
        damping: Matrix::Diagonal(vec![0.02; n]),
        stiffness: Matrix::sparse(&pattern, values).unwrap(),
    };
    let omega = |k: usize| 2.0 * (k as f64 * std::f64::consts::PI / (2 * n + 2) as f64).sin();
    let exact: Vec<Complex> = (1..=n).map(|k| Complex::new(-0.01, (omega(k).powi(2) - 1e-4).abs().sqrt())).collect();
    let symbolic = Arc::new(Symbolic::new(&pattern, Order::default()).unwrap());
    for (shift, count) in [(Complex::new(0.003, 1.0), 5), (Complex::new(0.0, 1.2), 24)] {
        let mut near = exact.clone();
        near.sort_by(|x, y| (x - shift).norm().total_cmp(&(y - shift).norm()));
        let found = Near::new(shift, count).modes_on(&system.problem(), &symbolic).unwrap();
        same(&found, &near[..count], 1e-8);
        let again = Near::new(shift, count).modes_on(&system.problem(), &symbolic).unwrap();
        assert!(found.iter().zip(&again).all(|(x, y)| x.value == y.value && x.vector == y.vector));
    }
}

#[test]
fn two_modes_that_meet_are_found_as_two() {
    // Blocks x'' + c_i x' + k_i x + mu coupling: at the onset of flutter two frequencies are one, with one vector.
    let n = 200;
    let mut triplets = vec![];
    for b in 0..n / 2 {
        let (i, j) = (2 * b, 2 * b + 1);
        let k = 1.0 + 0.37 * b as f64;
        // (k, k + 0.2) with a product of the couplings of -0.01: a double root at k + 0.1.
        triplets.extend([(i, i, k), (j, j, k + 0.2), (i, j, 0.1), (j, i, -0.1)]);
    }
    let (pattern, values) = systems::of_triplets(n, &triplets);
    let system = System {
        mass: Matrix::Diagonal(vec![1.0; n]),
        damping: Matrix::Diagonal(vec![0.0; n]),
        stiffness: Matrix::sparse(&pattern, values).unwrap(),
    };
    let found = Near::new(Complex::new(0.05, 3.0), 4).modes(&system.problem(), Order::default()).unwrap();
    for mode in &found {
        let square = -mode.value * mode.value;
        let off =
            (0..n / 2).map(|b| (square - Complex::from(1.1 + 0.37 * b as f64)).norm()).fold(f64::INFINITY, f64::min);
        // A double root is known to the square root of rounding.
        assert!(off < 1e-5 && mode.residual < 1e-8, "{} {off:e} {:e}", mode.value, mode.residual);
    }
}

#[test]
fn a_shift_on_a_value_is_refused() {
    let n = 300;
    let system = System {
        mass: Matrix::Diagonal(vec![1.0; n]),
        damping: Matrix::Diagonal(vec![0.0; n]),
        stiffness: Matrix::Diagonal((0..n).map(|i| (1.0 + i as f64).powi(2)).collect()),
    };
    let near = |im: f64| Near::new(Complex::new(0.0, im), 5).modes(&system.problem(), Order::default());
    assert!(matches!(near(7.0), Err(Refused::Singular { .. })));
    let exact: Vec<Complex> = [7, 8, 6, 9, 5].map(|k| Complex::new(0.0, f64::from(k))).to_vec();
    same(&near(7.1).unwrap(), &exact, 1e-10);
    let _ = Random(0).next();
}
