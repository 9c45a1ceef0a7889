//! The meshed body of the works F2 and F3: a plane-strain rectangle on a sliding surface, on a mesh of squares with
//! nine nodes, or of triangles without structure with six.
use std::sync::Arc;
use stickslip::solve::sparse::{Assembly, Matrix, Pattern};

/// Length, height, Poisson's ratio, contact stiffness, friction, and the parts of mass and stiffness in the damping;
/// Young's modulus and density are one.
const SIZE: [f64; 2] = [2.0, 1.0];
const POISSON: f64 = 0.3;
const CONTACT: f64 = 10.0;
const FRICTION: f64 = 0.8;
const DAMPING: [f64; 2] = [1e-3, 1e-5];

/// Gauss points and weights on 0..1.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];
/// Points and weights of a triangle, exact to degree four.
const TRIANGLE: [(f64, f64); 2] =
    [(0.445_948_490_915_965, 0.223_381_589_678_011 / 2.0), (0.091_576_213_509_771, 0.109_951_743_655_322 / 2.0)];

pub struct Body {
    pub mass: Matrix,
    pub damping: Matrix,
    pub stiffness: Matrix,
    pub pattern: Arc<Pattern>,
    pub points: Vec<[f64; 3]>,
}

struct Mesh {
    nodes: Vec<[f64; 2]>,
    elements: Vec<Vec<usize>>,
    /// Three nodes each: two ends and the middle.
    edges: Vec<[usize; 3]>,
}

impl Body {
    pub fn squares(nx: usize, ny: usize) -> Body {
        Body::of(&squares(nx, ny))
    }

    pub fn triangles(nx: usize, ny: usize) -> Body {
        Body::of(&triangles(nx, ny))
    }

    fn of(mesh: &Mesh) -> Body {
        let mut unknown = vec![Assembly::HELD; mesh.nodes.len()];
        let mut n = 0;
        // The upper side is held.
        for (k, _) in mesh.nodes.iter().enumerate().filter(|(_, node)| node[1] < SIZE[1] - 1e-12) {
            unknown[k] = n;
            n += 2;
        }
        let of = |k: usize| [0, 1].map(|d| if unknown[k] == Assembly::HELD { unknown[k] } else { unknown[k] + d });
        let list = |nodes: &[usize]| -> Vec<u32> { nodes.iter().flat_map(|k| of(*k)).collect() };
        let volumes = mesh.elements.iter().map(|e| list(e));
        let surfaces = mesh.edges.iter().map(|e| list(e));
        let lists: Vec<Vec<u32>> = volumes.chain(surfaces).collect();
        let assembly = Assembly::new(n as usize, lists.iter().map(|l| &l[..]), &[]).expect("a mesh");
        let (mut m, mut k, mut symmetric) = (vec![], vec![], vec![]);
        for element in &mesh.elements {
            let (stiffness, mass) = matrices(&element.iter().map(|i| mesh.nodes[*i]).collect::<Vec<_>>());
            k.extend_from_slice(&stiffness);
            symmetric.extend(stiffness);
            m.extend(mass);
        }
        for edge in &mesh.edges {
            let length = (mesh.nodes[edge[1]][0] - mesh.nodes[edge[0]][0]).abs();
            let (mut own, mut own_symmetric) = ([0.0; 36], [0.0; 36]);
            for (x, weight) in GAUSS {
                let shape = [(1.0 - x) * (1.0 - 2.0 * x), x * (2.0 * x - 1.0), 4.0 * x * (1.0 - x)];
                for (i, j) in (0..9).map(|e| (e / 3, e % 3)) {
                    let value = CONTACT * length * weight * shape[i] * shape[j];
                    own_symmetric[(2 * i + 1) * 6 + 2 * j + 1] += value;
                    own[(2 * i + 1) * 6 + 2 * j + 1] += value;
                    own[2 * i * 6 + 2 * j + 1] += FRICTION * value;
                }
            }
            k.extend(own);
            symmetric.extend(own_symmetric);
            m.extend([0.0; 36]);
        }
        let pattern = assembly.pattern();
        let fill = |entries: Vec<f64>| {
            let mut values = vec![];
            assembly.fill(entries.into_iter(), &mut values);
            Matrix::sparse(pattern, values).expect("filled")
        };
        let (mass, stiffness, symmetric) = (fill(m), fill(k), fill(symmetric));
        let mut values = vec![];
        Matrix::sum([(DAMPING[0], &mass), (DAMPING[1], &symmetric), (0.0, &mass)], pattern, &mut values)
            .expect("one pattern");
        let damping = Matrix::sparse(pattern, values).expect("summed");
        let mut points = vec![[0.0; 3]; n as usize];
        for (k, node) in mesh.nodes.iter().enumerate().filter(|(k, _)| unknown[*k] != Assembly::HELD) {
            of(k).iter().for_each(|i| points[*i as usize] = [node[0], node[1], 0.0]);
        }
        Body { mass, damping, stiffness, pattern: pattern.clone(), points }
    }
}

fn squares(nx: usize, ny: usize) -> Mesh {
    let (w, h) = (2 * nx + 1, 2 * ny + 1);
    let at = |i: usize, j: usize| j * w + i;
    let place = |k: usize| [SIZE[0] * (k % w) as f64 / (w - 1) as f64, SIZE[1] * (k / w) as f64 / (h - 1) as f64];
    let element = |e: usize| {
        let (i, j) = (2 * (e % nx), 2 * (e / nx));
        (0..9).map(|k| at(i + k % 3, j + k / 3)).collect()
    };
    Mesh {
        nodes: (0..w * h).map(place).collect(),
        elements: (0..nx * ny).map(element).collect(),
        edges: (0..nx).map(|i| [at(2 * i, 0), at(2 * i + 2, 0), at(2 * i + 1, 0)]).collect(),
    }
}

/// Corners moved and diagonals drawn by lot, numbers by lot too.
fn triangles(nx: usize, ny: usize) -> Mesh {
    let mut state = 12345u64;
    let mut lot = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let corners: Vec<[f64; 2]> = (0..(nx + 1) * (ny + 1))
        .map(|k| {
            let (i, j) = (k % (nx + 1), k / (nx + 1));
            let inside = i > 0 && i < nx && j > 0 && j < ny;
            let mut moved = |x: usize| x as f64 + if inside { 0.6 * (lot() - 0.5) } else { 0.0 };
            [SIZE[0] * moved(i) / nx as f64, SIZE[1] * moved(j) / ny as f64]
        })
        .collect();
    let mut cells = vec![];
    for j in 0..ny {
        for i in 0..nx {
            let at = |di: usize, dj: usize| (j + dj) * (nx + 1) + i + di;
            let (a, b, c, d) = (at(0, 0), at(1, 0), at(1, 1), at(0, 1));
            cells.extend(if lot() > 0.5 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    let mut nodes = corners.clone();
    let mut middles = std::collections::BTreeMap::new();
    let (mut elements, mut edges) = (vec![], vec![]);
    for cell in &cells {
        let mut element = cell.to_vec();
        for k in 0..3 {
            let (a, b) = (cell[k], cell[(k + 1) % 3]);
            let middle = *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                nodes.push([0, 1].map(|d| 0.5 * (corners[a][d] + corners[b][d])));
                nodes.len() - 1
            });
            element.push(middle);
            if a <= nx && b <= nx {
                edges.push([a.min(b), a.max(b), middle]);
            }
        }
        elements.push(element);
    }
    // By lot, as no mesh generator would: the order of elimination must not lean on the numbers.
    let mut number: Vec<usize> = (0..nodes.len()).collect();
    (1..nodes.len()).rev().for_each(|i| number.swap(i, ((lot() * (i + 1) as f64) as usize).min(i)));
    let mut renumbered = vec![[0.0; 2]; nodes.len()];
    nodes.iter().zip(&number).for_each(|(node, k)| renumbered[*k] = *node);
    elements.iter_mut().flatten().for_each(|k| *k = number[*k]);
    edges.iter_mut().flatten().for_each(|k| *k = number[*k]);
    Mesh { nodes: renumbered, elements, edges }
}

/// Stiffness and mass of an element with nine or six nodes, row after row.
fn matrices(nodes: &[[f64; 2]]) -> (Vec<f64>, Vec<f64>) {
    let count = nodes.len();
    let size = 2 * count;
    let (mut stiffness, mut mass) = (vec![0.0; size * size], vec![0.0; size * size]);
    let lambda = POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    let shear = 0.5 / (1.0 + POISSON);
    for (shape, slopes, weight) in points(count) {
        let mut jacobian = [[0.0; 2]; 2];
        for (node, slope) in nodes.iter().zip(&slopes) {
            (0..4).for_each(|e| jacobian[e / 2][e % 2] += slope[e / 2] * node[e % 2]);
        }
        let det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
        let slopes: Vec<[f64; 2]> = slopes
            .iter()
            .map(|s| {
                [
                    (jacobian[1][1] * s[0] - jacobian[0][1] * s[1]) / det,
                    (jacobian[0][0] * s[1] - jacobian[1][0] * s[0]) / det,
                ]
            })
            .collect();
        let weight = weight * det;
        for i in 0..count {
            for j in 0..count {
                let dot = slopes[i][0] * slopes[j][0] + slopes[i][1] * slopes[j][1];
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let at = (2 * i + a) * size + 2 * j + b;
                    let direct = if a == b { shear * dot } else { 0.0 };
                    let crossed = lambda * slopes[i][a] * slopes[j][b] + shear * slopes[i][b] * slopes[j][a];
                    stiffness[at] += weight * (direct + crossed);
                    mass[at] += if a == b { weight * shape[i] * shape[j] } else { 0.0 };
                }
            }
        }
    }
    (stiffness, mass)
}

/// Shape functions, their slopes and the weight at each point of integration.
fn points(count: usize) -> Vec<(Vec<f64>, Vec<[f64; 2]>, f64)> {
    if count == 9 {
        let line = |x: f64| [(1.0 - x) * (1.0 - 2.0 * x), 4.0 * x * (1.0 - x), x * (2.0 * x - 1.0)];
        let slope = |x: f64| [4.0 * x - 3.0, 4.0 - 8.0 * x, 4.0 * x - 1.0];
        let pairs = GAUSS.iter().flat_map(|a| GAUSS.iter().map(move |b| (a, b)));
        return pairs
            .map(|((x, v), (y, w))| {
                let shape = (0..9).map(|k| line(*x)[k % 3] * line(*y)[k / 3]).collect();
                let slopes = (0..9).map(|k| [slope(*x)[k % 3] * line(*y)[k / 3], line(*x)[k % 3] * slope(*y)[k / 3]]);
                (shape, slopes.collect(), v * w)
            })
            .collect();
    }
    let mut all = vec![];
    for (a, weight) in TRIANGLE {
        for l in [[1.0 - 2.0 * a, a, a], [a, 1.0 - 2.0 * a, a], [a, a, 1.0 - 2.0 * a]] {
            let d = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
            let (mut shape, mut slopes) = (vec![], vec![]);
            for k in 0..3 {
                shape.push(l[k] * (2.0 * l[k] - 1.0));
                slopes.push(d[k].map(|d| d * (4.0 * l[k] - 1.0)));
            }
            for k in 0..3 {
                let j = (k + 1) % 3;
                shape.push(4.0 * l[k] * l[j]);
                slopes.push([0, 1].map(|e| 4.0 * (d[k][e] * l[j] + l[k] * d[j][e])));
            }
            all.push((shape, slopes, weight));
        }
    }
    all
}
