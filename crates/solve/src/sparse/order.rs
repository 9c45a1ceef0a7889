//! The order of elimination: dissection of the plane or of space where points are known, least degree else.
use super::Refused;
use super::symbolic::Graph;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// What is known of the unknowns when their order is chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order<'a> {
    /// The point of each unknown, if there is one: then the body is dissected by planes.
    pub points: Option<&'a [[f64; 3]]>,
    /// Unknowns that come last, in this order: the matrix condensed to them is kept.
    pub last: &'a [u32],
}

/// Parts of so few unknowns are not cut again.
const LEAF: usize = 48;
/// Planes are tried between these parts of the points, so many of them.
const MIDDLE: [f64; 2] = [0.4, 0.6];
const PLANES: usize = 10;
/// Axes along which a part is at least this part of its greatest extent are tried.
const LONG: f64 = 0.6;
/// So many coordinates tell a quantile.
const SAMPLE: usize = 2048;
/// What a lopsided cut costs: the separator counts more by this times the square of the imbalance.
const IMBALANCE: f64 = 2.0;

/// The nodes of a graph in the order of least degree.
pub(super) fn least_degree(graph: &Graph) -> Result<Vec<u32>, Refused> {
    let n = graph.n();
    let (mut starts, mut columns) = (vec![0u32], vec![]);
    for i in 0..n {
        columns.extend(graph.neighbours(i).iter().filter(|j| (**j as usize) < i));
        columns[starts[i] as usize..].sort_unstable();
        columns.push(i as u32);
        starts.push(columns.len() as u32);
    }
    let upper = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &columns);
    let (mut order, mut place) = (vec![0u32; n], vec![0u32; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<u32>(n, columns.len()));
    amd::order(&mut order, &mut place, upper, amd::Control::default(), MemStack::new(&mut memory))
        .map_err(|_| Refused::TooLarge { entries: columns.len() })?;
    Ok(order)
}

/// A node of the graph as the dissection sees it: its point, the furthest points among its neighbours, its weight.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    weight: u32,
    at: [f64; 3],
    least: [f64; 3],
    most: [f64; 3],
}

/// The nodes of a graph in the order of a dissection by planes: both sides first, then what separates them.
/// (A. George, SIAM J. Numer. Anal. 10 (1973) 345, with planes in place of grid lines.)
pub(super) fn dissection(graph: &Graph, points: impl Fn(usize) -> [f64; 3]) -> Vec<u32> {
    let n = graph.n();
    let place = |i: usize| {
        let at = points(i);
        let mut place = Place { node: i as u32, weight: graph.weight(i), at, least: at, most: at };
        for j in graph.neighbours(i) {
            let other = points(*j as usize);
            for d in 0..3 {
                place.least[d] = if other[d] < place.least[d] { other[d] } else { place.least[d] };
                place.most[d] = if other[d] > place.most[d] { other[d] } else { place.most[d] };
            }
        }
        place
    };
    let mut places: Vec<Place> = (0..n).map(place).collect();
    let mut order = Vec::with_capacity(n);
    // Parts that wait for their turn; a separator is not cut again.
    let mut waiting = vec![(0, n, true)];
    let mut room = Vec::with_capacity(n);
    while let Some((begin, end, whole)) = waiting.pop() {
        let part = &mut places[begin..end];
        let weight: usize = part.iter().map(|place| place.weight as usize).sum();
        let best = if whole && weight > LEAF { separator(part) } else { None };
        match best {
            Some(best) => {
                let [left, right] = best.split(part, &mut room);
                waiting.push((begin + left + right, end, false));
                waiting.push((begin + left, begin + left + right, true));
                waiting.push((begin, begin + left, true));
            }
            None => order.extend(part.iter().map(|place| place.node)),
        }
    }
    order
}

/// A plane across an axis; the nodes of one side that have neighbours on the other separate both.
#[derive(Clone, Copy)]
struct Plane {
    axis: usize,
    cut: f64,
    of_left: bool,
}

impl Plane {
    /// Sorts a part into left, right and separator: how many are on the left and on the right.
    fn split(self, part: &mut [Place], room: &mut Vec<Place>) -> [usize; 2] {
        let Plane { axis: d, cut, of_left } = self;
        let side = |place: &Place| match (place.at[d] <= cut, of_left) {
            (true, true) if place.most[d] > cut => 2,
            (false, false) if place.least[d] <= cut => 2,
            (true, _) => 0,
            (false, _) => 1,
        };
        let mut ends = [0; 3];
        room.clear();
        for wanted in 0..3 {
            room.extend(part.iter().filter(|place| side(place) == wanted));
            ends[wanted] = room.len();
        }
        part.copy_from_slice(room);
        [ends[0], ends[1] - ends[0]]
    }
}

/// The best of some planes; None where none leaves something on both sides.
fn separator(part: &[Place]) -> Option<Plane> {
    let mut extents = [0.0; 3];
    for d in 0..3 {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for place in part {
            least = if place.at[d] < least { place.at[d] } else { least };
            most = if place.at[d] > most { place.at[d] } else { most };
        }
        extents[d] = most - least;
    }
    let longest = extents.iter().copied().fold(0.0, f64::max);
    let mut best: Option<(f64, Plane)> = None;
    for axis in (0..3).filter(|d| extents[*d] > LONG * longest) {
        let cuts = cuts(part, axis);
        // What each node adds begins at one cut and ends at another: weight on the left, on both edges.
        let mut sums = vec![[0i64; 3]; cuts.len() + 1];
        let mut total = 0;
        for place in part {
            let weight = i64::from(place.weight);
            total += weight;
            let before = |x: f64| cuts.iter().take_while(|cut| **cut < x).count();
            let (own, least, most) = (before(place.at[axis]), before(place.least[axis]), before(place.most[axis]));
            sums[own][0] += weight;
            sums[own][1] += weight;
            sums[most][1] -= weight;
            sums[least][2] += weight;
            sums[own][2] -= weight;
        }
        let mut sum = [0; 3];
        for (cut, change) in cuts.iter().zip(&sums) {
            (0..3).for_each(|e| sum[e] += change[e]);
            for (edge, side, of_left) in [(sum[1], sum[0], true), (sum[2], total - sum[0], false)] {
                let (inner, other) = (side - edge, total - side);
                let imbalance = (inner - other) as f64 / (inner + other).max(1) as f64;
                let cost = edge as f64 * (1.0 + IMBALANCE * imbalance * imbalance);
                if inner > 0 && other > 0 && best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, Plane { axis, cut: *cut, of_left }));
                }
            }
        }
    }
    best.map(|(_, plane)| plane)
}

/// Where to cut: between neighbouring coordinates about the median, as grids have them, and at some more in the middle.
fn cuts(part: &[Place], axis: usize) -> Vec<f64> {
    // A sample is enough for a quantile.
    let step = (part.len() / SAMPLE).max(1);
    let mut sample: Vec<f64> = part.iter().step_by(step).map(|place| place.at[axis]).collect();
    sample.sort_unstable_by(f64::total_cmp);
    let at = |part: f64| sample[((sample.len() - 1) as f64 * part) as usize];
    let median = at(0.5);
    let mut cuts: Vec<f64> =
        (0..=PLANES).map(|k| at(MIDDLE[0] + (MIDDLE[1] - MIDDLE[0]) * k as f64 / PLANES as f64)).collect();
    let (mut below, mut above) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
    for place in part {
        let x = place.at[axis];
        if x < median && x > below[1] && x != below[0] {
            below = if x > below[0] { [x, below[0]] } else { [below[0], x] };
        }
        if x > median && x < above[1] && x != above[0] {
            above = if x < above[0] { [x, above[0]] } else { [above[0], x] };
        }
    }
    cuts.extend(below.into_iter().chain(above).chain([median]).filter(|x| x.is_finite()));
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    cuts
}
