//! Factors of tall matrices: a triangle by reflections, and its singular values.

/// The upper triangle R of a matrix of `m` rows and `n` columns, row after row, and Q^T b, by Householder reflections.
pub fn qr(m: usize, n: usize, mut a: Vec<f64>, mut b: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    let mut reflector = vec![0.0; m];
    for c in 0..n.min(m) {
        let norm = (c..m).map(|i| a[i * n + c].powi(2)).sum::<f64>().sqrt();
        if norm == 0.0 {
            continue;
        }
        let alpha = if a[c * n + c] > 0.0 { -norm } else { norm };
        for i in c..m {
            reflector[i] = a[i * n + c];
        }
        reflector[c] -= alpha;
        let square: f64 = reflector[c..m].iter().map(|x| x * x).sum();
        if square == 0.0 {
            continue;
        }
        for j in c..n {
            let along: f64 = (c..m).map(|i| reflector[i] * a[i * n + j]).sum();
            let factor = 2.0 * along / square;
            for i in c..m {
                a[i * n + j] -= factor * reflector[i];
            }
        }
        let along: f64 = (c..m).map(|i| reflector[i] * b[i]).sum();
        let factor = 2.0 * along / square;
        for i in c..m {
            b[i] -= factor * reflector[i];
        }
    }
    let mut triangle = vec![0.0; n * n];
    for i in 0..n.min(m) {
        for j in i..n {
            triangle[i * n + j] = a[i * n + j];
        }
    }
    b.resize(m.max(n), 0.0);
    (triangle, b)
}

/// Singular values, the largest first, and the right singular vectors as rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Svd {
    /// Singular values.
    pub values: Vec<f64>,
    /// Right singular vectors, in the same order.
    pub vectors: Vec<Vec<f64>>,
}

/// Sweeps of rotations: six are the most that a small matrix takes.
const MOST_SWEEPS: usize = 40;

/// Singular values of a square matrix, row after row, by one-sided rotations (Jacobi): small ones are accurate too.
pub fn svd(n: usize, matrix: &[f64]) -> Svd {
    let mut a = matrix.to_vec();
    let mut v: Vec<f64> = (0..n * n).map(|i| if i / n == i % n { 1.0 } else { 0.0 }).collect();
    for _ in 0..MOST_SWEEPS {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let (mut alpha, mut beta, mut gamma) = (0.0, 0.0, 0.0);
                for i in 0..n {
                    alpha += a[i * n + p].powi(2);
                    beta += a[i * n + q].powi(2);
                    gamma += a[i * n + p] * a[i * n + q];
                }
                if gamma.abs() <= f64::EPSILON * (alpha * beta).sqrt() || gamma == 0.0 {
                    continue;
                }
                turned = true;
                let zeta = (beta - alpha) / (2.0 * gamma);
                let t = if zeta >= 0.0 { 1.0 } else { -1.0 } / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                for m in [&mut a, &mut v] {
                    for i in 0..n {
                        let (x, y) = (m[i * n + p], m[i * n + q]);
                        m[i * n + p] = c * x - s * y;
                        m[i * n + q] = s * x + c * y;
                    }
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut pairs: Vec<(f64, Vec<f64>)> = (0..n)
        .map(|j| {
            let norm = (0..n).map(|i| a[i * n + j].powi(2)).sum::<f64>().sqrt();
            (norm, (0..n).map(|i| v[i * n + j]).collect())
        })
        .collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (values, vectors) = pairs.into_iter().unzip();
    Svd { values, vectors }
}
