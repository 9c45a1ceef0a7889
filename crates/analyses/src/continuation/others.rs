//! Equilibria beside those that are known, at some places of the range.
use super::follow::Segment;
use crate::sliding::Sliding;
use stickslip_solve::continuation::{Branch, Family, correct, other_roots};

/// Places at which other equilibria are sought.
const PLACES: [f64; 5] = [0.0, 0.27, 0.5, 0.77, 1.0];
/// Factors of the coordinates of a known equilibrium from which another one is sought.
const FACTORS: [f64; 5] = [1.05, 0.0, 0.5, 2.0, -1.0];
/// Equilibria this near, in sizes of the unknowns, are one.
const SAME: f64 = 1e-5;

/// The known equilibria at a place.
fn known(family: &mut Sliding, segments: &[Segment], place: f64) -> Vec<Vec<f64>> {
    let mut roots: Vec<Vec<f64>> = vec![];
    for w in segments.iter().flat_map(|s| s.rows.windows(2)) {
        let (a, b) = (w[0].place() - place, w[1].place() - place);
        if a * b > 0.0 || a == b || w[0].u.len() != family.dim() + 1 {
            continue;
        }
        let part = a / (a - b);
        let mut u: Vec<f64> = w[0].u.iter().zip(&w[1].u).map(|(x, y)| x + part * (y - x)).collect();
        let n = u.len() - 1;
        u[n] = place;
        let row: Vec<f64> = (0..=n).map(|i| if i == n { 1.0 } else { 0.0 }).collect();
        if correct(&mut Branch::new(family, &[place], 0), &mut u, &row, None).is_ok() {
            u.truncate(n);
            roots.push(u);
        }
    }
    roots
}

fn same(family: &Sliding, a: &[f64], b: &[f64]) -> bool {
    let mut sizes = vec![0.0; a.len()];
    family.sizes(a, &mut sizes);
    a.len() == b.len() && a.iter().zip(b).zip(&sizes).all(|((a, b), s)| (a - b).abs() <= SAME * s)
}

/// Whether a root lies on a segment.
pub fn is_known(family: &mut Sliding, segments: &[Segment], x: &[f64], place: f64) -> bool {
    let roots = known(family, segments, place);
    roots.iter().any(|root| same(family, root, x))
}

/// Equilibria that lie on no segment, with their places.
pub fn beside(family: &mut Sliding, segments: &[Segment]) -> Vec<(Vec<f64>, f64)> {
    let mut all = vec![];
    let n = family.coordinates;
    for place in PLACES {
        let roots = known(family, segments, place);
        let scaled = |root: &Vec<f64>, by: f64| -> Vec<f64> {
            root.iter().enumerate().map(|(i, x)| if i < n { x * by } else { *x }).collect()
        };
        let starts: Vec<Vec<f64>> = roots.iter().flat_map(|root| FACTORS.map(|by| scaled(root, by))).collect();
        let found = other_roots(family, &[place], &roots, &starts);
        all.extend(found.into_iter().map(|x| (x, place)));
    }
    all
}
