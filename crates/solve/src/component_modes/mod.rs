//! Reduction of a structure to its interface and some modes with the interface fixed.
//!
//! u = Phi eta + Psi u_b inside, with the lowest modes Phi of K_ii x = omega^2 M_ii x and Psi = -K_ii^-1 K_ib. The interface
//! stays in physical coordinates. (R. R. Craig and M. C. C. Bampton, AIAA J. 6 (1968) 1313.)
//!
//! Psi is never formed: the matrix condensed to the interface, S(K - i h M) = S(K) - i h Psi' M Psi + .., gives both parts to
//! rounding where h is tiny. (Complex step: W. Squire and G. Trapp, SIAM Rev. 40 (1998) 110.)
mod lanczos;

pub use lanczos::{Mode, lowest};

use crate::sparse::{Complex, Inertia, Lu, Matrix, Order, Pattern, Symbolic, inertia};
use std::fmt;
use std::sync::Arc;

/// The imaginary part over the real one, as norms: its square is lost in rounding, which is the point.
const STEP: f64 = 1e-30;
/// More modes than are asked for, to know where the next ones are; and more still, where the count finds some missed.
const MORE: [usize; 3] = [6, 20, 60];
/// A response to a force that keeps less than this part of its length beside the modes is one of theirs.
const NOTHING_NEW: f64 = 1e-7;
/// Modes closer than this, relatively, can't be counted apart.
const APART: f64 = 1e-6;

/// Why a structure is not reduced.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// More modes than there are unknowns inside.
    TooManyModes {
        /// How many were asked for.
        wanted: usize,
        /// How many there are.
        inside: usize,
    },
    /// An interface that has an unknown twice, or one that does not exist.
    Interface {
        /// The unknown.
        unknown: usize,
    },
    /// With its interface fixed the structure is not held, or its stiffness is not positive.
    NotHeld,
    /// A mass without a positive energy.
    NotPositive,
    /// The count of modes below the last one differs from those found.
    Missed {
        /// How many there are.
        counted: usize,
        /// How many were found.
        found: usize,
    },
    /// Eigenvalues that did not converge.
    NotConverged,
    /// Matrices of unequal size, not symmetric, or with a system that can't be solved.
    Sparse(crate::sparse::Refused),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::TooManyModes { wanted, inside } => {
                write!(f, "{wanted} modes, where the structure has {inside} unknowns beside its interface")
            }
            Refused::Interface { unknown } => {
                write!(f, "the interface has unknown {unknown} twice, or it does not exist")
            }
            Refused::NotHeld => {
                write!(f, "with its interface fixed the structure is not held, or its stiffness is not positive")
            }
            Refused::NotPositive => write!(f, "the mass is not positive"),
            Refused::Missed { counted, found } => write!(f, "{found} modes were found where there are {counted}"),
            Refused::NotConverged => write!(f, "the modes did not converge"),
            Refused::Sparse(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

impl From<crate::sparse::Refused> for Refused {
    fn from(reason: crate::sparse::Refused) -> Refused {
        Refused::Sparse(reason)
    }
}

/// A reduced structure: its coordinates are those of the interface, in the order given, then the modes' amplitudes.
#[derive(Clone, Debug)]
pub struct Reduced {
    interface: Vec<u32>,
    inside: Vec<u32>,
    modes: Vec<Mode>,
    /// K_ib, row by row of the inside: interface coordinate and entry.
    coupling: Vec<Vec<(u32, f64)>>,
    factors: Lu<f64>,
    stiffness: Vec<f64>,
    /// The stiffness condensed to the interface.
    on_interface: Vec<f64>,
    whole: Condensation,
}

/// What is needed to condense another matrix.
#[derive(Clone, Debug)]
struct Condensation {
    symbolic: Arc<Symbolic>,
    pattern: Arc<Pattern>,
    stiffness: Matrix,
}

impl Reduced {
    /// Reduces symmetric matrices to an interface and some modes; places of the unknowns help where they are known.
    pub fn new(
        stiffness: &Matrix,
        mass: &Matrix,
        interface: &[u32],
        modes: usize,
        places: Option<&[[f64; 3]]>,
    ) -> Result<Reduced, Refused> {
        let n = stiffness.n();
        stiffness.symmetric(SYMMETRIC)?;
        mass.symmetric(SYMMETRIC)?;
        let pattern = Matrix::shared_pattern(&[stiffness, mass])?;
        let mut is_interface = vec![false; n];
        for i in interface {
            match is_interface.get_mut(*i as usize) {
                Some(own) if !*own => *own = true,
                _ => return Err(Refused::Interface { unknown: *i as usize }),
            }
        }
        let inside: Vec<u32> = (0..n as u32).filter(|i| !is_interface[*i as usize]).collect();
        if modes > inside.len() {
            return Err(Refused::TooManyModes { wanted: modes, inside: inside.len() });
        }
        let mut number = vec![u32::MAX; n];
        interface.iter().zip(0..).for_each(|(i, k)| number[*i as usize] = k);
        let mut coupling = vec![vec![]; inside.len()];
        for (row, i) in inside.iter().enumerate() {
            for j in pattern.row(*i as usize).iter().filter(|j| is_interface[**j as usize]) {
                coupling[row].push((number[*j as usize], stiffness.entry(*i as usize, *j as usize)));
            }
        }
        let [own_stiffness, own_mass] = [stiffness, mass].map(|matrix| part(matrix, &pattern, &inside));
        let own_places: Option<Vec<[f64; 3]>> = places.map(|all| inside.iter().map(|i| all[*i as usize]).collect());
        let order = Order { points: own_places.as_deref(), last: &[] };
        let own_pattern = Matrix::shared_pattern(&[&own_stiffness, &own_mass])?;
        let own_symbolic = Arc::new(Symbolic::new(&own_pattern, order)?);
        let mut factors = Lu::new(&own_symbolic);
        let mut values = vec![];
        let zero = Matrix::Diagonal(vec![0.0; inside.len()]);
        Matrix::sum([(1.0, &own_stiffness), (0.0, &own_mass), (0.0, &zero)], &own_pattern, &mut values)?;
        factors.factor(&values).map_err(|_| Refused::NotHeld)?;
        let found = modes_below(&mut factors, &own_symbolic, &own_stiffness, &own_mass, modes)?;
        let symbolic = Arc::new(Symbolic::new(&pattern, Order { points: places, last: interface })?);
        let mut reduced = Reduced {
            interface: interface.to_vec(),
            inside,
            modes: found,
            coupling,
            factors,
            stiffness: vec![],
            on_interface: vec![],
            whole: Condensation { symbolic, pattern, stiffness: stiffness.clone() },
        };
        reduced.on_interface = reduced.condensed(mass)?.0;
        reduced.stiffen();
        Ok(reduced)
    }

    /// With further modes that hold the static response to forces on the inside, which the lowest modes have in part alone:
    /// with them it is exact. Gives how many there are; a force whose response is there already adds none.
    /// (Load-dependent vectors: E. L. Wilson, M.-W. Yuan, J. M. Dickens, Earthquake Eng. Struct. Dyn. 10 (1982) 813.)
    pub fn add_forces(&mut self, mass: &Matrix, forces: &[&[f64]]) -> Result<usize, Refused> {
        let own_mass = part(mass, &self.whole.pattern, &self.inside);
        let n = self.inside.len();
        let (mut found, mut loads): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (vec![], vec![]);
        for force in forces {
            let load: Vec<f64> = self.inside.iter().map(|i| force[*i as usize]).collect();
            if load.iter().all(|f| *f == 0.0) {
                continue;
            }
            let mut x = load.clone();
            self.factors.solve(&mut x)?;
            let before = own_mass.form(&x).max(0.0).sqrt();
            // K x, which goes through the same sums as x.
            let mut pull = load;
            let mut image = vec![0.0; n];
            for _ in 0..2 {
                own_mass.product(&x, &mut image);
                for mode in &self.modes {
                    let part = crate::dense::dot(&mode.vector, &image);
                    x.iter_mut().zip(&mode.vector).for_each(|(x, v)| *x -= part * v);
                    own_mass.product(&x, &mut image);
                }
                for other in &found {
                    let part = crate::dense::dot(other, &image);
                    x.iter_mut().zip(other).for_each(|(x, v)| *x -= part * v);
                    own_mass.product(&x, &mut image);
                }
            }
            let after = own_mass.form(&x).max(0.0).sqrt();
            if after.is_nan() || after <= NOTHING_NEW * before {
                continue;
            }
            x.iter_mut().for_each(|x| *x /= after);
            self.product_inside(&x, &mut pull);
            found.push(x);
            loads.push(pull);
        }
        let k = found.len();
        if k == 0 {
            return Ok(0);
        }
        let form = |i: usize, j: usize| {
            0.5 * (crate::dense::dot(&found[i], &loads[j]) + crate::dense::dot(&found[j], &loads[i]))
        };
        let eigen = faer::Mat::from_fn(k, k, form).self_adjoint_eigen(faer::Side::Lower);
        let eigen = eigen.map_err(|_| Refused::NotConverged)?;
        for j in 0..k {
            let mut vector = vec![0.0; n];
            for (i, own) in found.iter().enumerate() {
                vector.iter_mut().zip(own).for_each(|(x, v)| *x += eigen.U()[(i, j)] * v);
            }
            self.modes.push(Mode { square: eigen.S()[j], vector });
        }
        self.stiffen();
        Ok(k)
    }

    /// K_ii x
    fn product_inside(&self, x: &[f64], out: &mut [f64]) {
        let stiffness = &self.whole.stiffness;
        let mut whole = vec![0.0; stiffness.n()];
        self.inside.iter().zip(x).for_each(|(i, x)| whole[*i as usize] = *x);
        out.iter_mut().zip(&self.inside).for_each(|(out, i)| *out = stiffness.row(*i as usize, &whole));
    }

    /// The stiffness from that of the interface and the modes.
    fn stiffen(&mut self) {
        let (size, b) = (self.len(), self.interface.len());
        let condensed = &self.on_interface;
        let mut stiffness = vec![0.0; size * size];
        for i in 0..b {
            for j in 0..b {
                stiffness[i * size + j] = 0.5 * (condensed[i * b + j] + condensed[j * b + i]);
            }
        }
        self.modes.iter().enumerate().for_each(|(k, mode)| stiffness[(b + k) * (size + 1)] = mode.square);
        self.stiffness = stiffness;
    }

    /// Number of coordinates.
    pub fn len(&self) -> usize {
        self.interface.len() + self.modes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The modes with the interface fixed.
    pub fn modes(&self) -> impl Iterator<Item = f64> {
        self.modes.iter().map(|mode| mode.square)
    }

    /// The stiffness, row after row.
    pub fn stiffness(&self) -> &[f64] {
        &self.stiffness
    }

    /// A symmetric matrix on the coordinates, row after row: T' X T.
    pub fn project(&mut self, matrix: &Matrix) -> Result<Vec<f64>, Refused> {
        let (b, size) = (self.interface.len(), self.len());
        let (_, own) = self.condensed(matrix)?;
        let mut out = vec![0.0; size * size];
        for i in 0..b {
            for j in 0..b {
                out[i * size + j] = 0.5 * (own[i * b + j] + own[j * b + i]);
            }
        }
        let n = matrix.n();
        let (mut whole, mut image) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..self.modes.len() {
            whole.fill(0.0);
            self.inside.iter().zip(&self.modes[k].vector).for_each(|(i, x)| whole[*i as usize] = *x);
            matrix.product(&whole, &mut image);
            // Psi' X Phi = -K_bi K_ii^-1 X_ii Phi
            let force = self.force(&image)?;
            for (j, f) in force.iter().enumerate() {
                out[(b + k) * size + j] = *f;
                if j < b {
                    out[j * size + b + k] = *f;
                }
            }
        }
        // Both halves of the modal part are one number.
        for i in b..size {
            for j in b..i {
                let mean = 0.5 * (out[i * size + j] + out[j * size + i]);
                (out[i * size + j], out[j * size + i]) = (mean, mean);
            }
        }
        Ok(out)
    }

    /// Forces on the coordinates: T' f. So are rows of probes on the coordinates.
    pub fn force(&mut self, force: &[f64]) -> Result<Vec<f64>, Refused> {
        let mut own: Vec<f64> = self.inside.iter().map(|i| force[*i as usize]).collect();
        let modal: Vec<f64> = self.modes.iter().map(|mode| crate::dense::dot(&mode.vector, &own)).collect();
        let mut out: Vec<f64> = self.interface.iter().map(|i| force[*i as usize]).collect();
        if own.iter().any(|f| *f != 0.0) {
            self.factors.solve(&mut own)?;
            for (row, x) in self.coupling.iter().zip(&own) {
                row.iter().for_each(|(j, k)| out[*j as usize] -= k * x);
            }
        }
        out.extend(modal);
        Ok(out)
    }

    /// All unknowns from the coordinates: T q.
    pub fn expand(&mut self, coordinates: &[f64]) -> Result<Vec<f64>, Refused> {
        let (interface, amplitudes) = coordinates.split_at(self.interface.len().min(coordinates.len()));
        if coordinates.len() != self.len() {
            return Err(crate::sparse::Refused::Size { expected: self.len(), found: coordinates.len() }.into());
        }
        let form = |row: &Vec<(u32, f64)>| -row.iter().map(|(j, k)| k * interface[*j as usize]).sum::<f64>();
        let mut own: Vec<f64> = self.coupling.iter().map(form).collect();
        if own.iter().any(|f| *f != 0.0) {
            self.factors.solve(&mut own)?;
        }
        for (mode, amplitude) in self.modes.iter().zip(amplitudes) {
            own.iter_mut().zip(&mode.vector).for_each(|(u, x)| *u += amplitude * x);
        }
        let mut all = vec![0.0; self.inside.len() + interface.len()];
        self.inside.iter().zip(own).for_each(|(i, x)| all[*i as usize] = x);
        self.interface.iter().zip(interface).for_each(|(i, x)| all[*i as usize] = *x);
        Ok(all)
    }

    /// S(K) and Psi' X Psi with the interface's own parts: T' X T on the interface.
    fn condensed(&self, matrix: &Matrix) -> Result<(Vec<f64>, Vec<f64>), Refused> {
        let Condensation { symbolic, pattern, stiffness } = &self.whole;
        if matrix.n() != stiffness.n() {
            return Err(crate::sparse::Refused::Size { expected: stiffness.n(), found: matrix.n() }.into());
        }
        let size = matrix.norm();
        let h = if size > 0.0 { STEP * stiffness.norm() / size } else { STEP };
        // An interface that nothing else holds would leave a singular matrix, which is no error: its diagonal is doubled, and
        // taken away again.
        let mut more = vec![0.0; stiffness.n()];
        let own: Vec<f64> = self.interface.iter().map(|i| stiffness.entry(*i as usize, *i as usize).abs()).collect();
        let largest = crate::largest(own.iter().copied()).max(f64::MIN_POSITIVE);
        let added: Vec<f64> = own.iter().map(|k| if *k > 0.0 { *k } else { largest }).collect();
        self.interface.iter().zip(&added).for_each(|(i, k)| more[*i as usize] = *k);
        let terms = [
            (Complex::new(1.0, 0.0), stiffness),
            (Complex::new(0.0, -h), matrix),
            (Complex::new(1.0, 0.0), &Matrix::Diagonal(more)),
        ];
        let mut values = vec![];
        Matrix::complex_sum(terms, pattern, &mut values)?;
        let mut factors = Lu::<Complex>::new(symbolic);
        factors.factor(&values).map_err(|_| Refused::NotHeld)?;
        let b = self.interface.len();
        let mut real: Vec<f64> = factors.condensed().iter().map(|x| x.re).collect();
        (0..b).for_each(|i| real[i * (b + 1)] -= added[i]);
        Ok((real, factors.condensed().iter().map(|x| -x.im / h).collect()))
    }
}

/// An entry may differ from its mirror by this part of the largest one: matrices from files have some nine digits.
const SYMMETRIC: f64 = 1e-9;

/// Rows and columns of a matrix.
fn part(matrix: &Matrix, shared: &Pattern, rows: &[u32]) -> Matrix {
    if let Matrix::Diagonal(values) = matrix {
        return Matrix::Diagonal(rows.iter().map(|i| values[*i as usize]).collect());
    }
    let mut number = vec![u32::MAX; matrix.n()];
    rows.iter().zip(0..).for_each(|(i, k)| number[*i as usize] = k);
    let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
    for i in rows {
        for j in shared.row(*i as usize) {
            if number[*j as usize] != u32::MAX {
                columns.push(number[*j as usize]);
                values.push(matrix.entry(*i as usize, *j as usize));
            }
        }
        starts.push(columns.len());
    }
    let pattern = Pattern::new(starts, columns).expect("rows of a pattern are a pattern");
    Matrix::Sparse { pattern: Arc::new(pattern), values }
}

/// The lowest modes, none missed: their number is counted.
fn modes_below(
    factors: &mut Lu<f64>,
    symbolic: &Arc<Symbolic>,
    stiffness: &Matrix,
    mass: &Matrix,
    modes: usize,
) -> Result<Vec<Mode>, Refused> {
    if modes == 0 {
        return Ok(vec![]);
    }
    let mut last = Refused::NotConverged;
    for more in MORE {
        match counted(lowest(factors, mass, (modes + more).min(mass.n()))?, symbolic, stiffness, mass, modes) {
            Ok(found) => return Ok(found),
            // Of equal modes a Krylov space has one; rounding brings the others, later.
            Err(missed @ (Refused::Missed { .. } | Refused::NotConverged)) => last = missed,
            Err(refused) => return Err(refused),
        }
    }
    Err(last)
}

/// The lowest of some modes, if there are no others as low.
fn counted(
    mut found: Vec<Mode>,
    symbolic: &Arc<Symbolic>,
    stiffness: &Matrix,
    mass: &Matrix,
    modes: usize,
) -> Result<Vec<Mode>, Refused> {
    let n = mass.n();
    if found.iter().any(|mode| mode.square.is_nan() || mode.square <= 0.0) {
        return Err(Refused::NotHeld);
    }
    if found.len() < modes {
        // Fewer modes than unknowns: some have no mass.
        return Err(Refused::TooManyModes { wanted: modes, inside: found.len() });
    }
    // Where the next mode is far enough to count between them.
    let gap = (modes..found.len()).find(|k| found[*k].square > (1.0 + APART) * found[*k - 1].square);
    let bound = match gap {
        Some(k) => Some((k, 0.5 * (found[k - 1].square + found[k].square))),
        None if found.len() == n => None,
        None => return Err(Refused::NotConverged),
    };
    if let Some((expected, bound)) = bound {
        let mut values = vec![];
        let zero = Matrix::Diagonal(vec![0.0; n]);
        Matrix::sum([(1.0, stiffness), (-bound, mass), (0.0, &zero)], symbolic.pattern(), &mut values)?;
        let Inertia { negative, .. } = inertia(symbolic, &values)?;
        if negative != expected {
            return Err(Refused::Missed { counted: negative, found: expected });
        }
    }
    found.truncate(modes);
    Ok(found)
}
