//! Sparse systems to test with: random ones, and bodies on a triangulation without structure.
#![allow(dead_code)]
use std::sync::Arc;
use stickslip_solve::dense::Lu as Dense;
use stickslip_solve::sparse::{Assembly, Matrix, Pattern};

/// Numbers in -1..1, always the same ones.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / (1u64 << 52) as f64 - 1.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) * 0.5 * n as f64) as usize).min(n - 1)
    }
    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// A pattern of these places and values, those of one place summed up.
pub fn of_triplets(n: usize, triplets: &[(usize, usize, f64)]) -> (Arc<Pattern>, Vec<f64>) {
    let mut rows = vec![std::collections::BTreeMap::new(); n];
    triplets.iter().for_each(|(i, j, a)| *rows[*i].entry(*j as u32).or_insert(0.0) += a);
    let mut starts = vec![0];
    rows.iter().for_each(|row| starts.push(starts.last().unwrap() + row.len()));
    let columns = rows.iter().flat_map(|row| row.keys().copied()).collect();
    let values = rows.iter().flat_map(|row| row.values().copied()).collect();
    (Arc::new(Pattern::new(starts, columns).unwrap()), values)
}

/// The solution of a full system of the same entries.
pub fn dense_solution(pattern: &Arc<Pattern>, values: &[f64], b: &[f64]) -> Vec<f64> {
    let full = Matrix::sparse(pattern, values.to_vec()).unwrap().full();
    let mut x = b.to_vec();
    Dense::new(b.len(), &full).unwrap().solve(&mut x);
    x
}

/// The largest difference of two vectors, over the largest entry of the second.
pub fn difference(x: &[f64], y: &[f64]) -> f64 {
    let largest = |x: &mut dyn Iterator<Item = f64>| x.fold(0.0f64, |a, b| if b.is_nan() { b } else { a.max(b.abs()) });
    largest(&mut x.iter().zip(y).map(|(x, y)| x - y)) / largest(&mut y.iter().copied())
}

/// Plane triangles without structure: places moved, diagonals drawn by lot, a hole, numbers by lot; held at y = 0.
pub struct Body {
    pub pattern: Arc<Pattern>,
    pub stiffness: Vec<f64>,
    pub mass: Vec<f64>,
    /// The point of each unknown.
    pub points: Vec<[f64; 3]>,
    /// Unknowns on the upper side.
    pub top: Vec<u32>,
}

impl Body {
    pub fn new(nx: usize, ny: usize, seed: u64) -> Body {
        let mut random = Random(seed);
        let count = (nx + 1) * (ny + 1);
        let mut number: Vec<usize> = (0..count).collect();
        (1..count).rev().for_each(|i| number.swap(i, random.below(i + 1)));
        let (mut points, mut triangles) = (vec![[0.0; 2]; count], vec![]);
        for j in 0..=ny {
            for i in 0..=nx {
                let inside = i > 0 && i < nx && j > 0 && j < ny;
                let mut moved = |x: usize| x as f64 + if inside { 0.3 * random.next() } else { 0.0 };
                points[number[j * (nx + 1) + i]] = [moved(i), moved(j)];
            }
        }
        for j in 0..ny {
            for i in 0..nx {
                // A hole in the middle.
                if (3 * i).abs_diff(nx) < nx / 3 && (2 * j).abs_diff(ny) < ny / 3 {
                    continue;
                }
                let at = |di: usize, dj: usize| number[(j + dj) * (nx + 1) + i + di];
                let (a, b, c, d) = (at(0, 0), at(1, 0), at(1, 1), at(0, 1));
                let pair = if random.next() > 0.0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                triangles.extend(pair);
            }
        }
        let mut used = vec![false; count];
        triangles.iter().flatten().for_each(|k| used[*k] = true);
        let (mut unknown, mut n) = (vec![Assembly::HELD; count], 0);
        for k in (0..count).filter(|k| used[*k] && points[*k][1] > 0.0) {
            unknown[k] = n;
            n += 2;
        }
        let held = |k: usize, d: u32| if unknown[k] == Assembly::HELD { Assembly::HELD } else { unknown[k] + d };
        let lists: Vec<[u32; 6]> = triangles
            .iter()
            .map(|t| [held(t[0], 0), held(t[0], 1), held(t[1], 0), held(t[1], 1), held(t[2], 0), held(t[2], 1)])
            .collect();
        let assembly = Assembly::new(n as usize, lists.iter().map(|l| &l[..]), &[]).unwrap();
        let (mut stiffness, mut mass) = (vec![], vec![]);
        assembly.fill(triangles.iter().flat_map(|t| constant_strain(t.map(|k| points[k])).0), &mut stiffness);
        assembly.fill(triangles.iter().flat_map(|t| constant_strain(t.map(|k| points[k])).1), &mut mass);
        let (mut at, mut top) = (vec![[0.0; 3]; n as usize], vec![]);
        for k in (0..count).filter(|k| unknown[*k] != Assembly::HELD) {
            for d in 0..2 {
                at[(unknown[k] + d) as usize] = [points[k][0], points[k][1], 0.0];
            }
            if points[k][1] == ny as f64 {
                top.extend([unknown[k], unknown[k] + 1]);
            }
        }
        Body { pattern: assembly.pattern().clone(), stiffness, mass, points: at, top }
    }

    /// The stiffness with friction of a belt under the upper side: not symmetric.
    pub fn sliding(&self, mu: f64) -> Vec<f64> {
        let mut values = self.stiffness.clone();
        for pair in self.top.chunks(2) {
            let (x, y) = (pair[0] as usize, pair[1] as usize);
            values[self.pattern.find(y, y).unwrap()] += 3.0;
            values[self.pattern.find(x, y).unwrap()] += 3.0 * mu;
        }
        values
    }
}

/// Stiffness and consistent mass of a triangle of constant strain, E = 1, nu = 0.3, rho = 1, plane strain.
fn constant_strain(p: [[f64; 2]; 3]) -> ([f64; 36], [f64; 36]) {
    let area = 0.5 * ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]));
    assert!(area > 0.0);
    let (nu, e) = (0.3, 1.0);
    let (lambda, g) = (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)));
    let mut b = [[0.0; 6]; 3];
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (dx, dy) = ((p[i][1] - p[j][1]) / (2.0 * area), (p[j][0] - p[i][0]) / (2.0 * area));
        (b[0][2 * k], b[1][2 * k + 1], b[2][2 * k], b[2][2 * k + 1]) = (dx, dy, dy, dx);
    }
    let d = [[lambda + 2.0 * g, lambda, 0.0], [lambda, lambda + 2.0 * g, 0.0], [0.0, 0.0, g]];
    let (mut stiffness, mut mass) = ([0.0; 36], [0.0; 36]);
    for i in 0..6 {
        for j in 0..6 {
            for r in 0..3 {
                for s in 0..3 {
                    stiffness[i * 6 + j] += area * b[r][i] * d[r][s] * b[s][j];
                }
            }
            if i % 2 == j % 2 {
                mass[i * 6 + j] = area / if i == j { 6.0 } else { 12.0 };
            }
        }
    }
    (stiffness, mass)
}
