use super::*;

/// The Runge-Kutta matrix of Radau IIA(5), from its closed form.
fn butcher() -> [[f64; 3]; 3] {
    let s = 6f64.sqrt();
    [
        [(88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0],
        [(296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0],
        [(16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0],
    ]
}

fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

#[test]
fn transformation_times_its_inverse_is_one() {
    let one = product(&T, &TI);
    for i in 0..3 {
        for j in 0..3 {
            assert!((one[i][j] - f64::from(i == j)).abs() < 1e-14, "{one:?}");
        }
    }
}

/// TI A^-1 T is the real eigenvalue and the complex block: checked as A (T L) = T.
#[test]
fn transformation_block_diagonalises_the_method() {
    let block = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
    let back = product(&butcher(), &product(&T, &block));
    for i in 0..3 {
        for j in 0..3 {
            assert!((back[i][j] - T[i][j]).abs() < 1e-14, "{back:?}");
        }
    }
}

#[test]
fn weights_are_the_last_row_of_the_method() {
    for j in 0..3 {
        assert!((WEIGHTS[j] - butcher()[2][j]).abs() < 1e-16);
        assert!((NODES[j] - butcher()[j].iter().sum::<f64>()).abs() < 1e-15);
    }
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

fn fixed_steps(h: f64, end: f64) -> [f64; 3] {
    let mut r = Radau::new(3, 1e-13);
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
fn order_is_five_on_a_smooth_problem() {
    let exact = fixed_steps(1.0 / 256.0, 2.0);
    let error = |h: f64| (fixed_steps(h, 2.0)[1] - exact[1]).abs();
    let (coarse, fine) = (error(0.25), error(0.125));
    let order = (coarse / fine).log2();
    assert!((order - 5.0).abs() < 0.2, "order {order}");
}

#[test]
fn dense_output_has_order_four_and_meets_both_ends() {
    let error = |h: f64| {
        let mut r = Radau::new(3, 1e-13);
        let y = [1.0, 1.0, 0.0];
        r.begin(&mut Mixed, 0.0, &y);
        assert!(matches!(r.trial(&mut Mixed, 0.0, &y, h, &[1.0; 3], &[true; 3]), Trial::Solved { .. }));
        assert_eq!(r.dense(1, 0.0, y[1]), y[1]);
        (r.dense(1, 0.4, y[1]) - fixed_steps(0.4 * h / 32.0, 0.4 * h)[1]).abs()
    };
    let order = (error(0.4) / error(0.2)).log2();
    assert!(order > 3.8, "order {order}");
}

/// An adaptive run follows the tolerance over six decades.
#[test]
fn error_follows_the_tolerance() {
    let exact = fixed_steps(1.0 / 256.0, 2.0);
    let mut last = f64::INFINITY;
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let mut r = Radau::new(3, rtol);
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
        let error = (y[1] - exact[1]).abs().max((y[0] - exact[0]).abs());
        assert!(error < 10.0 * rtol && error < last, "rtol {rtol}: {error}");
        last = error;
    }
}
