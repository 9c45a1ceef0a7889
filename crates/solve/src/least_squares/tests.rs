use super::*;

struct Of<F>(F, usize);

impl<F: Fn(&[f64]) -> Option<(Vec<f64>, Vec<f64>)>> Problem for Of<F> {
    fn look(&mut self, x: &[f64]) -> Option<Look> {
        self.1 += 1;
        (self.0)(x).map(|(residuals, jacobian)| Look { residuals, jacobian })
    }
}

fn search(n: usize) -> Search {
    Search { lower: vec![-10.0; n], upper: vec![10.0; n], most: 200, reach: 5.0, near: 1e-12 }
}

fn rosenbrock(x: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    Some((vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]], vec![-20.0 * x[0], 10.0, -1.0, 0.0]))
}

#[test]
fn the_valley_of_rosenbrock_is_followed_to_its_end() {
    let found = search(2).run(&mut Of(rosenbrock, 0), &[-1.2, 1.0]).unwrap();
    assert!(found.x.iter().all(|x| (x - 1.0).abs() < 1e-9), "{found:?}");
    assert!(found.evaluations < 60, "{}", found.evaluations);
}

/// With x[0] <= 0.5 the least of (1 - x0)^2 + .. lies on the bound: x1 = x0^2.
#[test]
fn a_bound_holds_and_the_rest_is_free() {
    let mut bounded = search(2);
    bounded.upper[0] = 0.5;
    let found = bounded.run(&mut Of(rosenbrock, 0), &[-1.2, 1.0]).unwrap();
    assert_eq!(found.x[0], 0.5);
    assert!((found.x[1] - 0.25).abs() < 1e-9);
}

#[test]
fn places_without_an_answer_are_left() {
    let problem = |x: &[f64]| (x[0] < 2.0).then(|| (vec![x[0].exp() - 6.0], vec![x[0].exp()]));
    let found = search(1).run(&mut Of(problem, 0), &[-3.0]).unwrap();
    assert!((found.x[0] - 6f64.ln()).abs() < 1e-10);
    assert!(search(1).run(&mut Of(problem, 0), &[3.0]).is_none());
}

/// The cost falls towards x = 3, and there is no answer from 2 on: that is no minimum.
#[test]
fn a_wall_is_not_taken_for_a_minimum() {
    let problem = |x: &[f64]| (x[0] < 2.0).then(|| (vec![x[0] - 3.0], vec![1.0]));
    let found = search(1).run(&mut Of(problem, 0), &[0.0]).unwrap();
    assert_eq!(found.end, End::Stuck, "{found:?}");
    assert!(found.x[0] < 2.0 && found.evaluations < 200);
    // Nor is a place whose slopes are no numbers.
    let problem = |x: &[f64]| Some((vec![x[0] - 3.0], vec![f64::NAN]));
    assert_eq!(search(1).run(&mut Of(problem, 0), &[0.0]).unwrap().end, End::Stuck);
    assert_eq!(search(2).run(&mut Of(rosenbrock, 0), &[-1.2, 1.0]).unwrap().end, End::Converged);
}

/// Residuals that feel x0 + x1 alone: the cost is found, and the singular values tell what was not.
#[test]
fn a_direction_that_is_not_felt_has_no_singular_value() {
    let problem = |x: &[f64]| Some((vec![x[0] + x[1] - 3.0, 2.0 * (x[0] + x[1] - 3.0)], vec![1.0, 1.0, 2.0, 2.0]));
    let found = search(2).run(&mut Of(problem, 0), &[0.0, 0.0]).unwrap();
    assert!((found.x[0] + found.x[1] - 3.0).abs() < 1e-9);
    let (triangle, _) = qr(2, 2, found.look.jacobian.clone(), found.look.residuals.clone());
    let svd = svd(2, &triangle);
    assert!((svd.values[0] - 10f64.sqrt()).abs() < 1e-14 && svd.values[1] < 1e-15);
    assert!((svd.vectors[1][0] + svd.vectors[1][1]).abs() < 1e-14);
}

#[test]
fn a_tall_triangle_has_the_singular_values_of_its_matrix() {
    // Hilbert's matrix of four columns: singular values from 1.5 down to 1e-4, known from its characteristic polynomial.
    let a: Vec<f64> = (0..16).map(|i| 1.0 / (1 + i / 4 + i % 4) as f64).collect();
    let (triangle, _) = qr(4, 4, a, vec![0.0; 4]);
    let values = svd(4, &triangle).values;
    let known = [1.500_214_280_059_243, 0.169_141_220_221_446, 6.738_273_605_760_748e-3, 9.670_230_402_259_044e-5];
    for (v, k) in values.iter().zip(known) {
        assert!((v - k).abs() < 1e-14, "{v} {k}");
    }
}
