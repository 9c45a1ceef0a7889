//! Sparse factorisations against full ones, and what they refuse.
mod systems;

use std::sync::Arc;
use stickslip_solve::sparse::{Complex, Inertia, Lu, Matrix, Order, Pattern, Refused, Symbolic, inertia};
use systems::{Body, Random, dense_solution, difference, of_triplets};

fn symbolic(pattern: &Arc<Pattern>, order: Order) -> Arc<Symbolic> {
    Arc::new(Symbolic::new(pattern, order).unwrap())
}

fn random_system(n: usize, seed: u64) -> (Arc<Pattern>, Vec<f64>) {
    let mut random = Random(seed);
    let mut triplets: Vec<_> = (0..n).map(|i| (i, i, 1.0 + random.next().abs())).collect();
    (0..3 * n).for_each(|_| triplets.push((random.below(n), random.below(n), random.next())));
    of_triplets(n, &triplets)
}

#[test]
fn random_nonsymmetric_systems_are_solved_as_full_ones() {
    for (seed, n) in [1, 2, 3, 17, 40, 90, 150, 200].into_iter().enumerate() {
        let (pattern, values) = random_system(n, seed as u64);
        let b = Random(7).vector(n);
        let last: Vec<u32> = (0..n as u32).filter(|i| i % 11 == 5).collect();
        for last in [&[][..], &last] {
            let mut lu = Lu::new(&symbolic(&pattern, Order { points: None, last }));
            lu.factor(&values).unwrap();
            let mut x = b.clone();
            let accuracy = lu.solve(&mut x).unwrap();
            assert!(accuracy.backward < 1e-15, "{accuracy:?}");
            assert!(difference(&x, &dense_solution(&pattern, &values, &b)) < 1e-11, "n = {n}");
        }
    }
}

#[test]
fn a_body_is_solved_in_any_order_of_elimination() {
    let body = Body::new(13, 9, 3);
    let n = body.pattern.n();
    let values = body.sliding(0.8);
    assert!(body.pattern.is_symmetric());
    let b = Random(11).vector(n);
    let exact = dense_solution(&body.pattern, &values, &b);
    for points in [None, Some(&body.points[..])] {
        for last in [&[][..], &body.top] {
            let symbolic = symbolic(&body.pattern, Order { points, last });
            assert!(symbolic.fronts() > 4 && symbolic.entries() < n * n, "{} fronts", symbolic.fronts());
            let mut lu = Lu::new(&symbolic);
            lu.factor(&values).unwrap();
            let mut x = b.clone();
            lu.solve(&mut x).unwrap();
            assert!(difference(&x, &exact) < 1e-11);
            let mut two = [&b[..], &exact].concat();
            lu.solve_all(&mut two).unwrap();
            assert_eq!(two[..n], x);
        }
    }
}

#[test]
fn a_body_in_space_is_dissected_along_three_axes() {
    let (w, mut triplets, mut random) = (7, vec![], Random(12));
    let points: Vec<[f64; 3]> = (0..w * w * w).map(|i| [i % w, i / w % w, i / w / w].map(|x| x as f64)).collect();
    for i in 0..points.len() {
        triplets.push((i, i, 6.1));
        for j in 0..i {
            if (0..3).map(|d| (points[i][d] - points[j][d]).abs()).sum::<f64>() == 1.0 {
                triplets.extend([(i, j, -1.0 + 0.3 * random.next()), (j, i, -1.0 + 0.3 * random.next())]);
            }
        }
    }
    let (pattern, values) = of_triplets(points.len(), &triplets);
    let b = random.vector(points.len());
    let mut lu = Lu::new(&symbolic(&pattern, Order { points: Some(&points), last: &[] }));
    lu.factor(&values).unwrap();
    let mut x = b.clone();
    lu.solve(&mut x).unwrap();
    assert!(difference(&x, &dense_solution(&pattern, &values, &b)) < 1e-12);
    // Points that say nothing cost time, not correctness.
    let nowhere = vec![[0.0; 3]; points.len()];
    let mut lu = Lu::new(&symbolic(&pattern, Order { points: Some(&nowhere), last: &[] }));
    lu.factor(&values).unwrap();
    let mut y = b.clone();
    lu.solve(&mut y).unwrap();
    assert!(difference(&x, &y) < 1e-12);
}

#[test]
fn other_values_on_the_same_pattern_are_factored_as_if_fresh() {
    let body = Body::new(11, 8, 5);
    let symbolic = symbolic(&body.pattern, Order { points: Some(&body.points), last: &body.top });
    let b = Random(2).vector(body.pattern.n());
    let mut used = Lu::new(&symbolic);
    for mu in [0.0, 0.3, 1.2] {
        let values = body.sliding(mu);
        let mut fresh = Lu::new(&symbolic);
        let (mut x, mut y) = (b.clone(), b.clone());
        fresh.factor(&values).unwrap();
        used.factor(&values).unwrap();
        assert_eq!(fresh.solve(&mut x).unwrap(), used.solve(&mut y).unwrap());
        assert_eq!(x, y);
        assert_eq!(fresh.condensed(), used.condensed());
    }
    // Nothing is left of a matrix that was refused.
    assert!(matches!(used.factor(&vec![f64::NAN; body.pattern.entries()]), Err(Refused::NotFinite { row: 0 })));
    assert_eq!(used.solve(&mut b.clone()), Err(Refused::Unfactored));
}

#[test]
fn the_last_front_is_the_schur_complement() {
    let body = Body::new(9, 7, 1);
    let (n, values) = (body.pattern.n(), body.sliding(0.5));
    let mut last = body.top.clone();
    last.reverse();
    for points in [None, Some(&body.points[..])] {
        let mut lu = Lu::new(&symbolic(&body.pattern, Order { points, last: &last }));
        lu.factor(&values).unwrap();
        let k = last.len();
        // Columns of the inverse's block are those of the inverse of the condensed matrix.
        let small = stickslip_solve::dense::Lu::new(k, lu.condensed()).unwrap();
        for j in [0, k / 2, k - 1] {
            let (mut unit, mut own) = (vec![0.0; n], vec![0.0; k]);
            (unit[last[j] as usize], own[j]) = (1.0, 1.0);
            let x = dense_solution(&body.pattern, &values, &unit);
            small.solve(&mut own);
            let block: Vec<f64> = last.iter().map(|i| x[*i as usize]).collect();
            assert!(difference(&own, &block) < 1e-11);
        }
        // A load condensed, solved and expanded is a solution.
        let b = Random(4).vector(n);
        let (mut reduced, mut x) = (vec![], vec![0.0; n]);
        lu.condense(&b, &mut reduced).unwrap();
        small.solve(&mut reduced);
        lu.expand(&reduced, &mut x).unwrap();
        assert!(difference(&x, &dense_solution(&body.pattern, &values, &b)) < 1e-11);
    }
}

#[test]
fn a_complex_system_is_its_real_twin_of_twice_the_size() {
    let body = Body::new(8, 7, 9);
    let n = body.pattern.n();
    let (k, m) = (
        Matrix::sparse(&body.pattern, body.sliding(0.7)).unwrap(),
        Matrix::sparse(&body.pattern, body.mass.clone()).unwrap(),
    );
    let (shift, one) = (Complex::new(0.1, 0.4), Complex::new(1.0, 0.0));
    let mut values = vec![];
    Matrix::complex_sum([(shift * shift, &m), (shift, &m), (one, &k)], &body.pattern, &mut values).unwrap();
    let mut lu = Lu::new(&symbolic(&body.pattern, Order { points: Some(&body.points), last: &[] }));
    lu.factor(&values).unwrap();
    let (re, im) = (Random(1).vector(n), Random(2).vector(n));
    let mut x: Vec<Complex> = re.iter().zip(&im).map(|(a, b)| Complex::new(*a, *b)).collect();
    lu.solve(&mut x).unwrap();
    let mut triplets = vec![];
    for i in 0..n {
        for (j, at) in body.pattern.row(i).iter().zip(body.pattern.range(i)) {
            let (j, a) = (*j as usize, values[at]);
            triplets.extend([(i, j, a.re), (i, n + j, -a.im), (n + i, j, a.im), (n + i, n + j, a.re)]);
        }
    }
    let (pattern, values) = of_triplets(2 * n, &triplets);
    let twin = dense_solution(&pattern, &values, &[re, im].concat());
    let own: Vec<f64> = x.iter().map(|x| x.re).chain(x.iter().map(|x| x.im)).collect();
    assert!(difference(&own, &twin) < 1e-11);
}

#[test]
fn equations_in_another_order_than_the_unknowns_are_matched() {
    let n = 300;
    let mut random = Random(8);
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|i| order.swap(i, random.below(i + 1)));
    let identity: Vec<_> = order.iter().enumerate().map(|(i, j)| (i, *j, 2.0)).collect();
    let b = random.vector(n);
    for extra in [0, n] {
        let mut triplets = identity.clone();
        // Triangular as matched: there is no other way to match.
        for _ in 0..extra {
            let (i, j) = (random.below(n), random.below(n));
            triplets.push((i.min(j), order[i.max(j)], 0.5 * random.next()));
        }
        let (pattern, values) = of_triplets(n, &triplets);
        let mut lu = Lu::new(&symbolic(&pattern, Order::default()));
        lu.factor(&values).unwrap();
        let mut x = b.clone();
        lu.solve(&mut x).unwrap();
        assert!(difference(&x, &dense_solution(&pattern, &values, &b)) < 1e-13);
    }
    let (pattern, _) = of_triplets(3, &[(0, 0, 1.0), (1, 0, 1.0), (2, 1, 1.0), (2, 2, 1.0)]);
    assert!(matches!(Symbolic::new(&pattern, Order::default()), Err(Refused::Unmatched { .. })));
}

#[test]
fn singular_and_nearly_singular_matrices_are_refused() {
    // A body that nothing holds: springs between points of a grid, and no wall.
    let grid = |wall: f64| {
        let (w, mut triplets) = (20, vec![(0, 0, wall)]);
        for i in 0..w * w {
            for j in [i + 1, i + w].into_iter().filter(|j| *j < w * w && (j % w != 0 || *j == i + w)) {
                triplets.extend([(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)]);
            }
        }
        of_triplets(w * w, &triplets)
    };
    let solved = |wall: f64| {
        let (pattern, values) = grid(wall);
        let mut lu = Lu::new(&symbolic(&pattern, Order::default()));
        lu.factor(&values)?;
        let mut x = Random(3).vector(pattern.n());
        lu.solve(&mut x).map(|accuracy| (accuracy, x))
    };
    assert!(solved(1.0).unwrap().0.correction < 1e-12);
    for wall in [0.0, 1e-14, 1e-15] {
        let refused = solved(wall);
        assert!(
            matches!(refused, Err(Refused::Singular { .. } | Refused::IllConditioned { .. })),
            "{wall:e}: {refused:?}"
        );
    }
    // A pivot that only an equation elsewhere could give is not invented.
    let (pattern, values) = of_triplets(2, &[(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)]);
    let refused = Lu::new(&symbolic(&pattern, Order::default())).factor(&values);
    assert!(matches!(refused, Err(Refused::Singular { .. })));
    let (pattern, values) = of_triplets(2, &[(0, 0, 1.0), (1, 1, 0.0)]);
    let refused = Lu::new(&symbolic(&pattern, Order::default())).factor(&values);
    assert_eq!(refused, Err(Refused::Singular { unknown: 1, pivot: 0.0 }));
}

#[test]
fn units_that_differ_by_many_orders_do_no_harm() {
    let body = Body::new(7, 6, 2);
    let (n, values) = (body.pattern.n(), body.sliding(0.4));
    let unit = |i: usize| 10f64.powi((i as i32 * 7) % 19 - 9);
    let mut scaled = values.clone();
    for i in 0..n {
        for (j, at) in body.pattern.row(i).iter().zip(body.pattern.range(i)) {
            scaled[at] *= unit(i) * unit(*j as usize);
        }
    }
    let b = Random(6).vector(n);
    let mut x: Vec<f64> = b.iter().enumerate().map(|(i, b)| b * unit(i)).collect();
    let mut lu = Lu::new(&symbolic(&body.pattern, Order { points: Some(&body.points), last: &[] }));
    lu.factor(&scaled).unwrap();
    lu.solve(&mut x).unwrap();
    x.iter_mut().enumerate().for_each(|(i, x)| *x *= unit(i));
    assert!(difference(&x, &dense_solution(&body.pattern, &values, &b)) < 1e-11);
}

#[test]
fn inertia_counts_the_frequencies_below_a_limit() {
    let body = Body::new(8, 6, 4);
    let n = body.pattern.n();
    let (k, m) = (
        Matrix::sparse(&body.pattern, body.stiffness.clone()).unwrap(),
        Matrix::sparse(&body.pattern, body.mass.clone()).unwrap(),
    );
    let mut dynamic = stickslip_solve::dense::inverse(n, &m.full()).unwrap();
    let (full, inverse) = (k.full(), dynamic.clone());
    for i in 0..n {
        for j in 0..n {
            dynamic[i * n + j] = (0..n).map(|l| inverse[i * n + l] * full[l * n + j]).sum();
        }
    }
    let squares = stickslip_solve::eigen::eigenvalues(n, &dynamic).unwrap();
    for points in [None, Some(&body.points[..])] {
        let symbolic = symbolic(&body.pattern, Order { points, last: &body.top });
        for limit in [0.0, 0.05, 0.7, 3.0, 50.0] {
            let mut values = vec![];
            Matrix::sum([(-limit, &m), (0.0, &m), (1.0, &k)], &body.pattern, &mut values).unwrap();
            let negative = squares.iter().filter(|square| square[0] < limit).count();
            assert_eq!(inertia(&symbolic, &values).unwrap(), Inertia { negative, positive: n - negative }, "{limit}");
        }
        assert!(matches!(inertia(&symbolic, &body.sliding(0.3)), Err(Refused::NotSymmetric { .. })));
    }
}
