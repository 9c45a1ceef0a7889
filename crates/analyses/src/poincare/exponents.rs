//! Lyapunov exponents: a frame of directions carried along a motion and orthogonalised on the way.

/// A direction of which a part of the motion leaves less than this is collapsed: rounding is all that is left of it.
const COLLAPSED: f64 = 1e-13;
/// The first part of the settled motion turns the frame into its own directions.
const TURNING: f64 = 0.1;

/// A frame of directions, and how much each has grown.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What the unknowns are measured by.
    rulers: Vec<f64>,
    /// Directions, one after the other, of length 1.
    directions: Vec<Vec<f64>>,
    /// Logarithm of the growth of each in the first and the second half.
    grown: Vec<[f64; 2]>,
    /// Unknowns that nothing has changed so far.
    unmoved: Vec<bool>,
    /// Times of the two halves, s.
    times: [f64; 2],
}

/// Exponents of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exponents {
    /// The finite ones, 1/s, falling.
    pub finite: Vec<f64>,
    /// How far those of the two halves are apart at most, 1/s.
    pub change: f64,
    /// Directions that are left.
    pub rank: usize,
}

impl Frame {
    /// No directions yet, in unknowns measured by these. An unknown that nothing changes is a parameter: it brings a direction
    /// where it first moves, and until then nothing grows along it.
    pub fn new(rulers: Vec<f64>) -> Frame {
        let m = rulers.len();
        Frame { rulers, directions: vec![], grown: vec![], unmoved: vec![true; m], times: [0.0; 2] }
    }

    /// Carries the frame along a part of the motion, whose derivatives are given row after row: `part` is the part of the
    /// settled motion that lies behind, `time` how long it took, s.
    pub fn carry(&mut self, derivatives: &[f64], part: f64, time: f64) -> Result<(), String> {
        let m = self.rulers.len();
        if derivatives.iter().any(|x| !x.is_finite()) {
            return Err("the derivatives of the motion are not finite".into());
        }
        let moves = |i: usize| (0..m).any(|j| derivatives[i * m + j] != if i == j { 1.0 } else { 0.0 });
        let new: Vec<usize> = (0..m).filter(|i| self.unmoved[*i] && moves(*i)).collect();
        new.iter().for_each(|i| self.unmoved[*i] = false);
        // A direction that is no axis of the unknowns has a part of every direction.
        let tilted = |k: usize, i: usize| (((k + 1) * (i + 2)) as f64).sin() + if k == i { 2.0 } else { 0.0 };
        for k in new {
            self.directions.push((0..m).map(|i| if self.unmoved[i] { 0.0 } else { tilted(k, i) }).collect());
            self.grown.push([0.0; 2]);
            self.orthogonalise(None);
        }
        for direction in &mut self.directions {
            let scaled: Vec<f64> = direction.iter().zip(&self.rulers).map(|(x, r)| x * r).collect();
            for (i, x) in direction.iter_mut().enumerate() {
                *x = (0..m).map(|j| derivatives[i * m + j] * scaled[j]).sum::<f64>() / self.rulers[i];
            }
        }
        let half = (part >= TURNING).then(|| usize::from(part >= 0.5 * (1.0 + TURNING)));
        if let Some(half) = half {
            self.times[half] += time;
        }
        self.orthogonalise(half);
        Ok(())
    }

    /// Makes the directions orthogonal and of length 1 again; drops those that are collapsed.
    fn orthogonalise(&mut self, half: Option<usize>) {
        let mut kept: Vec<Vec<f64>> = vec![];
        let mut grown = vec![];
        let whole = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let largest = self.directions.iter().map(|d| whole(d)).fold(0.0, f64::max);
        for (mut direction, growth) in std::mem::take(&mut self.directions).into_iter().zip(&self.grown) {
            let mut growth = *growth;
            // Twice is enough.
            for _ in 0..2 {
                for other in &kept {
                    let along: f64 = direction.iter().zip(other).map(|(x, o)| x * o).sum();
                    direction.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
                }
            }
            let length = whole(&direction);
            if length <= COLLAPSED * largest || length == 0.0 {
                continue;
            }
            direction.iter_mut().for_each(|x| *x /= length);
            if let Some(half) = half {
                growth[half] += length.ln();
            }
            kept.push(direction);
            grown.push(growth);
        }
        (self.directions, self.grown) = (kept, grown);
    }

    /// The exponents so far.
    pub fn exponents(&self) -> Result<Exponents, String> {
        let [first, second] = self.times;
        if first <= 0.0 || second <= 0.0 {
            return Err("the settled part is too short for exponents".into());
        }
        let of = |grown: &[f64; 2]| (grown[0] + grown[1]) / (first + second);
        let mut finite: Vec<f64> = self.grown.iter().map(of).collect();
        finite.sort_by(|a, b| b.total_cmp(a));
        let apart = |grown: &[f64; 2]| (grown[0] / first - grown[1] / second).abs();
        let change = self.grown.iter().map(apart).fold(0.0, f64::max);
        Ok(Exponents { rank: finite.len(), finite, change })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A constant map with eigenvalues 2, 0.5 and 0 has the exponents ln 2 and -ln 2 and rank 2.
    #[test]
    fn a_constant_map_gives_its_eigenvalues_and_its_rank() {
        // T diag(2, 0.5, 0) T^-1 with T = [[1, 1, 0], [0, 1, 1], [0, 0, 1]].
        let map = [2.0, -1.5, 1.5, 0.0, 0.5, -0.5, 0.0, 0.0, 0.0];
        let mut frame = Frame::new(vec![1.0, 10.0, 0.1]);
        let rulers = frame.rulers.clone();
        let scaled: Vec<f64> = (0..9).map(|k| map[k] * rulers[k / 3] / rulers[k % 3]).collect();
        for k in 0..200 {
            frame.carry(&scaled, f64::from(k) / 200.0, 1.0).unwrap();
        }
        let found = frame.exponents().unwrap();
        assert_eq!(found.rank, 2);
        assert!((found.finite[0] - 2f64.ln()).abs() < 1e-12, "{found:?}");
        assert!((found.finite[1] + 2f64.ln()).abs() < 1e-12, "{found:?}");
    }

    /// A parameter among the unknowns has no exponent.
    #[test]
    fn what_never_changes_is_left_out() {
        let mut frame = Frame::new(vec![1.0; 2]);
        for k in 0..50 {
            frame.carry(&[0.5, 1.0, 0.0, 1.0], f64::from(k) / 50.0, 1.0).unwrap();
        }
        let found = frame.exponents().unwrap();
        assert_eq!(found.rank, 1);
        assert!((found.finite[0] + 2f64.ln()).abs() < 1e-6, "{found:?}");
    }
}
