//! The structure as a step sees it: its matrices and the rows of its contact points, and sums a M + b C + c K of them with what
//! the contacts add.
use std::sync::Arc;
use stickslip_dynamics::{Dynamics, PORTS, PointForces};
use stickslip_solve::dense::{factor, substitute};
use stickslip_solve::sparse::{Lu, Matrix, Order, Pattern, Symbolic};

/// Structures of so many coordinates are solved with full matrices.
const FULL: usize = 40;

/// A row by its entries.
#[derive(Clone, Debug, Default)]
pub struct Row(pub Vec<(usize, f64)>);

impl Row {
    fn of(row: &[f64]) -> Row {
        Row(row.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect())
    }

    /// The row times a vector.
    #[inline]
    pub fn along(&self, x: &[f64]) -> f64 {
        self.0.iter().map(|(j, a)| a * x[*j]).sum()
    }

    /// Adds a multiple of the row.
    #[inline]
    pub fn add(&self, factor: f64, x: &mut [f64]) {
        self.0.iter().for_each(|(j, a)| x[*j] += factor * a);
    }
}

/// Matrices and contact rows.
pub struct System {
    /// Number of coordinates.
    pub n: usize,
    /// Mass.
    pub mass: Matrix,
    /// Damping.
    pub damping: Matrix,
    /// Stiffness.
    pub stiffness: Matrix,
    /// Rows along which each point pushes.
    pub ports: Vec<[Row; PORTS]>,
    /// Signs that velocities along the ports have over those of the coordinates.
    pub signs: [f64; PORTS],
    solver: Solver,
}

/// How a step's system is solved.
enum Solver {
    Full { matrix: Vec<f64>, pivots: Vec<usize> },
    Sparse { pattern: Arc<Pattern>, lu: Box<Lu<f64>>, values: Vec<f64> },
}

/// Factors of mass, damping and stiffness, and those with which derivatives in displacements and velocities enter.
#[derive(Clone, Copy, Debug)]
pub struct Factors {
    /// Of M, C, K.
    pub matrices: [f64; 3],
    /// Of the contacts: displacements, velocities.
    pub contacts: [f64; 2],
}

impl System {
    /// Of these equations; None where no factorisation can be laid out.
    pub fn new(dynamics: &Dynamics) -> Option<System> {
        let (n, s) = (dynamics.n, &dynamics.model.structure);
        let ports: Vec<[Row; PORTS]> = dynamics
            .sites
            .iter()
            .map(|site| {
                let own = |row: Option<&Vec<f64>>| row.map_or(Row::default(), |row| Row::of(row));
                let lever = site.edge.as_ref().map(|edge| &edge.lever);
                [own(site.normal.as_ref()), own(lever), own(site.tangent.first()), own(site.tangent.get(1))]
            })
            .collect();
        let [mass, damping, stiffness] = [&s.mass, &s.damping, &s.stiffness].map(|full| matrix(n, full));
        let solver = if n <= FULL {
            Solver::Full { matrix: vec![0.0; n * n], pivots: vec![0; n] }
        } else {
            let shared = Matrix::shared_pattern(&[&mass, &damping, &stiffness]).ok()?;
            let pattern = Arc::new(shared.union(&contact_pattern(n, &ports)?));
            let symbolic = Arc::new(Symbolic::new(&pattern, Order::default()).ok()?);
            Solver::Sparse { pattern, lu: Box::new(Lu::new(&symbolic)), values: vec![] }
        };
        let o = s.orientation;
        Some(System { n, mass, damping, stiffness, ports, signs: [o, o, 1.0, 1.0], solver })
    }

    /// Factors a sum of the matrices less what the contacts add; `diagonal` is added to the diagonal.
    pub fn factor(&mut self, factors: Factors, points: &[PointForces], diagonal: impl Fn(usize) -> f64) -> bool {
        let n = self.n;
        let [a, b, c] = factors.matrices;
        let signs = self.signs;
        let terms = [(a, &self.mass), (b, &self.damping), (c, &self.stiffness)];
        match &mut self.solver {
            Solver::Full { matrix, pivots } => {
                matrix.fill(0.0);
                for (factor, term) in terms.into_iter().filter(|(factor, _)| *factor != 0.0) {
                    term.each(|i, j, x| matrix[i * n + j] += factor * x);
                }
                (0..n).for_each(|i| matrix[i * n + i] += diagonal(i));
                blocks(factors, signs, &self.ports, points, |i, j, x| matrix[i * n + j] -= x);
                factor::<0>(n, matrix, pivots)
            }
            Solver::Sparse { pattern, lu, values } => {
                if Matrix::sum(terms, pattern, values).is_err() {
                    return false;
                }
                let mut place = |i: usize, j: usize, x: f64| {
                    if let Some(k) = pattern.find(i, j) {
                        values[k] += x;
                    }
                };
                (0..n).for_each(|i| place(i, i, diagonal(i)));
                blocks(factors, signs, &self.ports, points, |i, j, x| place(i, j, -x));
                lu.factor(values).is_ok()
            }
        }
    }

    /// Solves with the last factors, in place.
    pub fn solve(&mut self, b: &mut [f64]) -> bool {
        match &mut self.solver {
            Solver::Full { matrix, pivots } => substitute::<0>(self.n, matrix, pivots, b),
            Solver::Sparse { lu, .. } => {
                if lu.solve_unrefined(b).is_err() {
                    return false;
                }
            }
        }
        b.iter().all(|x| x.is_finite())
    }
}

/// Entries of what all points add.
fn blocks(
    factors: Factors,
    signs: [f64; PORTS],
    ports: &[[Row; PORTS]],
    points: &[PointForces],
    mut add: impl FnMut(usize, usize, f64),
) {
    let [still, moving] = factors.contacts;
    for (rows, point) in ports.iter().zip(points) {
        for (p, force) in rows.iter().enumerate() {
            for (j, along) in rows.iter().enumerate() {
                let slope = signs[j] * (still * point.stiffness[p][j] + moving * point.damping[p][j]);
                if slope == 0.0 {
                    continue;
                }
                for (a, x) in &force.0 {
                    along.0.iter().for_each(|(b, y)| add(*a, *b, x * slope * y));
                }
            }
        }
    }
}

/// Places of what all points can add.
fn contact_pattern(n: usize, ports: &[[Row; PORTS]]) -> Option<Pattern> {
    let mut columns: Vec<Vec<u32>> = (0..n as u32).map(|i| vec![i]).collect();
    for rows in ports {
        let touched: Vec<usize> = rows.iter().flat_map(|row| row.0.iter().map(|(j, _)| *j)).collect();
        for i in &touched {
            columns[*i].extend(touched.iter().map(|j| *j as u32));
        }
    }
    let mut starts = vec![0];
    for row in &mut columns {
        row.sort_unstable();
        row.dedup();
        starts.push(starts[starts.len() - 1] + row.len());
    }
    Pattern::new(starts, columns.concat()).ok()
}

/// A full matrix in the form that suits it.
fn matrix(n: usize, full: &[f64]) -> Matrix {
    if n <= FULL {
        return Matrix::Dense { n, values: full.to_vec() };
    }
    let entry = |i: usize, j: usize| full[i * n + j];
    if (0..n).all(|i| (0..n).all(|j| i == j || entry(i, j) == 0.0)) {
        return Matrix::Diagonal((0..n).map(|i| entry(i, i)).collect());
    }
    let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
    for i in 0..n {
        for j in (0..n).filter(|j| *j == i || entry(i, *j) != 0.0) {
            columns.push(j as u32);
            values.push(entry(i, j));
        }
        starts.push(columns.len());
    }
    match Pattern::new(starts, columns) {
        Ok(pattern) => Matrix::Sparse { pattern: Arc::new(pattern), values },
        Err(_) => Matrix::Dense { n, values: full.to_vec() },
    }
}
