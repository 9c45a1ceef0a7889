use super::tableau::Tableau;
use super::*;

/// The inverse Runge-Kutta matrix, put together from the eigenbasis.
fn inverse_matrix<const S: usize>(m: &Tableau<S>) -> [[f64; S]; S] {
    let mut block = [[0.0; S]; S];
    block[0][0] = m.real;
    for (p, (alpha, beta)) in m.pairs.iter().enumerate() {
        let (u, v) = (2 * p + 1, 2 * p + 2);
        (block[u][u], block[u][v], block[v][u], block[v][v]) = (*alpha, *beta, -beta, *alpha);
    }
    product(&m.from, &product(&block, &m.to))
}

fn product<const S: usize>(a: &[[f64; S]; S], b: &[[f64; S]; S]) -> [[f64; S]; S] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..S).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transformation_times_its_inverse_is_one<const S: usize>(m: &Tableau<S>) {
    let one = product(&m.from, &m.to);
    for i in 0..S {
        for j in 0..S {
            assert!((one[i][j] - f64::from(i == j)).abs() < 3e-14, "{one:?}");
        }
    }
}

/// Collocation: on polynomials that vanish at the start the inverse matrix is the derivative. This defines it.
fn matrix_differentiates<const S: usize>(m: &Tableau<S>) {
    let inverse = inverse_matrix(m);
    for degree in 1..=S as i32 {
        for i in 0..S {
            let got: f64 = (0..S).map(|j| inverse[i][j] * m.nodes[j].powi(degree)).sum();
            let slope = f64::from(degree) * m.nodes[i].powi(degree - 1);
            let size: f64 = (0..S).map(|j| (inverse[i][j] * m.nodes[j].powi(degree)).abs()).sum();
            assert!((got - slope).abs() < 1e-14 * size.max(1.0), "degree {degree}, node {i}: {got} instead of {slope}");
        }
    }
}

/// The matrix integrates the same polynomials, from the start to each stage.
fn matrix_integrates<const S: usize>(m: &Tableau<S>) {
    let matrix = m.matrix();
    for degree in 1..=S as i32 {
        for i in 0..S {
            let got: f64 = (0..S).map(|j| matrix[i][j] * f64::from(degree) * m.nodes[j].powi(degree - 1)).sum();
            assert!((got - m.nodes[i].powi(degree)).abs() < 1e-14, "degree {degree}, node {i}: {got}");
        }
    }
}

/// Only Radau's nodes integrate polynomials up to degree 2 S - 2 with S points, the last at the end.
fn quadrature_has_the_order_of_the_method<const S: usize>(m: &Tableau<S>) {
    assert_eq!(m.nodes[S - 1], 1.0);
    for degree in 0..2 * S as i32 - 1 {
        let got: f64 = (0..S).map(|k| m.weights[k] * m.nodes[k].powi(degree)).sum();
        assert!((got - 1.0 / f64::from(degree + 1)).abs() < 2e-16 * S as f64, "degree {degree}: {got}");
    }
}

/// On y' = t^(k - 1) the estimate vanishes up to k = S, and not beyond.
fn estimate_has_order_s<const S: usize>(m: &Tableau<S>) {
    for k in 1..=S as i32 + 1 {
        let start = f64::from(k == 1);
        let got: f64 = start + (0..S).map(|i| m.error[i] * m.nodes[i].powi(k) / f64::from(k)).sum::<f64>();
        assert_eq!(got.abs() < 1e-14, k <= S as i32, "k = {k}: {got}");
    }
}

#[test]
fn constants_obey_the_conditions_that_define_the_method() {
    fn all<const S: usize>(m: &Tableau<S>) {
        transformation_times_its_inverse_is_one(m);
        matrix_differentiates(m);
        matrix_integrates(m);
        quadrature_has_the_order_of_the_method(m);
        estimate_has_order_s(m);
    }
    all(&ORDER_5);
    all(&ORDER_9);
}

/// y' = -100 (y - cos t) - sin t and a nonlinear pendulum: stiff and smooth in one system.
struct Mixed;
impl System for Mixed {
    fn dim(&self) -> usize {
        3
    }
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = -100.0 * (y[0] - t.cos()) - t.sin();
        dy[1] = y[2];
        dy[2] = -y[1].sin();
    }
    fn jacobian(&mut self, _: f64, y: &[f64], j: &mut [f64]) {
        j.copy_from_slice(&[-100.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -y[1].cos(), 0.0]);
    }
}

fn fixed_steps(stages: usize, h: f64, end: f64) -> [f64; 3] {
    let mut r = Radau::with_stages(3, 1e-15, stages);
    let (mut y, mut t) = ([1.0, 1.0, 0.0], 0.0);
    r.begin(&mut Mixed, t, &y);
    let steps = (end / h).round() as usize;
    for _ in 0..steps {
        let Trial::Solved { error } = r.trial(&mut Mixed, t, &y, h, &[1.0; 3], &[true; 3]) else { panic!("t = {t}") };
        r.accept(&mut Mixed, t, &mut y, h, error);
        t += h;
    }
    y
}

#[test]
fn order_is_five_or_nine_on_a_smooth_problem() {
    for (stages, coarse) in [(3, 0.25), (5, 0.5)] {
        let exact = fixed_steps(5, 1.0 / 64.0, 2.0);
        let error = |h: f64| (fixed_steps(stages, h, 2.0)[1] - exact[1]).abs();
        let order = (error(coarse) / error(0.5 * coarse)).log2();
        assert!((order - (2 * stages - 1) as f64).abs() < 0.3, "{stages} stages: order {order}");
    }
}

#[test]
fn dense_output_has_one_order_more_than_stages_and_meets_the_start() {
    for stages in [3, 5] {
        let error = |h: f64| {
            let mut r = Radau::with_stages(3, 1e-15, stages);
            let y = [1.0, 1.0, 0.0];
            r.begin(&mut Mixed, 0.0, &y);
            assert!(matches!(r.trial(&mut Mixed, 0.0, &y, h, &[1.0; 3], &[true; 3]), Trial::Solved { .. }));
            assert_eq!(r.dense(1, 0.0, y[1]), y[1]);
            (r.dense(1, 0.4, y[1]) - fixed_steps(5, 0.4 * h / 8.0, 0.4 * h)[1]).abs()
        };
        let order = (error(0.2) / error(0.1)).log2();
        assert!(order > stages as f64 + 0.8, "{stages} stages: order {order}");
    }
}

/// An adaptive run follows the tolerance over six decades.
#[test]
fn error_follows_the_tolerance() {
    let exact = fixed_steps(5, 1.0 / 64.0, 2.0);
    for stages in [3, 5] {
        let mut last = f64::INFINITY;
        for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
            let error = adaptive_error(stages, rtol, &exact);
            assert!(error < 10.0 * rtol && error < last, "{stages} stages, rtol {rtol}: {error}");
            last = error;
        }
    }
}

fn adaptive_error(stages: usize, rtol: f64, exact: &[f64; 3]) -> f64 {
    let mut r = Radau::with_stages(3, rtol, stages);
    let (mut y, mut t) = ([1.0, 1.0, 0.0], 0.0);
    r.begin(&mut Mixed, t, &y);
    let mut h: f64 = 1e-3;
    while t < 2.0 {
        h = h.min(2.0 - t);
        match r.trial(&mut Mixed, t, &y, h, &[1.0; 3], &[true; 3]) {
            Trial::Solved { error } if error < 1.0 => {
                let next = r.next_step(h, error);
                r.accept(&mut Mixed, t, &mut y, h, error);
                t += h;
                h = next;
            }
            Trial::Solved { error } => {
                h = r.next_step(h, error);
                r.reject();
            }
            Trial::Failed => h *= 0.5,
        }
    }
    (y[1] - exact[1]).abs().max((y[0] - exact[0]).abs())
}

/// y' = -y^2, which notes where its Jacobian is asked for.
struct Falling(Vec<f64>);
impl System for Falling {
    fn dim(&self) -> usize {
        1
    }
    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = -y[0] * y[0];
    }
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut [f64]) {
        // Half-way means on the solution too: y = 1/(1 + t).
        assert!((y[0] * (1.0 + t) - 1.0).abs() < 1e-2, "y({t}) = {}", y[0]);
        self.0.push(t);
        j[0] = -2.0 * y[0];
    }
}

#[test]
fn the_jacobian_is_taken_half_way_and_not_beyond_what_is_known() {
    for stages in [3, 5] {
        let (mut falling, mut r) = (Falling(vec![]), Radau::with_stages(1, 1e-6, stages));
        let (mut y, mut t) = ([1.0], 0.0);
        r.begin(&mut falling, t, &y);
        for h in [0.25, 0.25, 1.0] {
            let Trial::Solved { error } = r.trial(&mut falling, t, &y, h, &[1.0], &[true]) else { panic!("t = {t}") };
            r.accept(&mut falling, t, &mut y, h, error);
            t += h;
        }
        assert_eq!(falling.0, [0.0, 0.375, 0.75]);
    }
}
