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
const PLANES: usize = 12;
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
struct Place {
    at: [f64; 3],
    least: [f64; 3],
    most: [f64; 3],
    weight: u32,
}

/// The nodes of a graph in the order of a dissection by planes: both sides first, then what separates them.
/// (A. George, SIAM J. Numer. Anal. 10 (1973) 345, with planes in place of grid lines.)
pub(super) fn dissection(graph: &Graph, points: impl Fn(usize) -> [f64; 3]) -> Vec<u32> {
    let n = graph.n();
    let places: Vec<Place> = (0..n)
        .map(|i| {
            let at = points(i);
            let mut place = Place { at, least: at, most: at, weight: graph.weight(i) };
            for j in graph.neighbours(i) {
                let other = points(*j as usize);
                for d in 0..3 {
                    place.least[d] = place.least[d].min(other[d]);
                    place.most[d] = place.most[d].max(other[d]);
                }
            }
            place
        })
        .collect();
    let mut nodes: Vec<u32> = (0..n as u32).collect();
    // Parts wait here with their own order; a separator that is final waits with `false`.
    let mut order = Vec::with_capacity(n);
    let mut waiting = vec![(0, n, true)];
    let (mut room, mut cuts) = (vec![], vec![]);
    while let Some((begin, end, whole)) = waiting.pop() {
        let part = &mut nodes[begin..end];
        let weight: usize = part.iter().map(|i| places[*i as usize].weight as usize).sum();
        let split = if whole && weight > LEAF { split(&places, part, &mut room, &mut cuts) } else { None };
        match split {
            Some((left, right)) => {
                waiting.push((begin + left + right, end, false));
                waiting.push((begin + left, begin + left + right, true));
                waiting.push((begin, begin + left, true));
            }
            None => order.extend_from_slice(part),
        }
    }
    order
}

/// Sorts a part into left, right and separator: how many are on the left and on the right. None where no plane helps.
fn split(places: &[Place], part: &mut [u32], room: &mut Vec<u32>, cuts: &mut Vec<f64>) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, f64, bool)> = None;
    let extent = |d: usize| {
        let span = part.iter().map(|i| places[*i as usize].at[d]).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        span.1 - span.0
    };
    let extents = [extent(0), extent(1), extent(2)];
    let longest = extents.iter().copied().fold(0.0, f64::max);
    for d in (0..3).filter(|d| extents[*d] > 0.6 * longest) {
        candidates(places, part, d, cuts);
        for cut in cuts.iter().copied() {
            // The separator is the boundary of one of the two sides.
            let (mut left, mut right, mut left_edge, mut right_edge) = (0u32, 0u32, 0u32, 0u32);
            for i in part.iter() {
                let place = &places[*i as usize];
                let is_left = place.at[d] <= cut;
                let w = place.weight;
                left += if is_left { w } else { 0 };
                right += if is_left { 0 } else { w };
                left_edge += if is_left && place.most[d] > cut { w } else { 0 };
                right_edge += if !is_left && place.least[d] <= cut { w } else { 0 };
            }
            for (edge, side, of_left) in [(left_edge, left, true), (right_edge, right, false)] {
                let other = left + right - side;
                let inner = side - edge;
                let imbalance = (f64::from(inner) - f64::from(other)) / f64::from((inner + other).max(1));
                let cost = f64::from(edge) * (1.0 + IMBALANCE * imbalance * imbalance);
                if inner > 0 && other > 0 && best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, d, cut, of_left));
                }
            }
        }
    }
    let (_, d, cut, of_left) = best?;
    let side = |i: u32| {
        let place = &places[i as usize];
        match (place.at[d] <= cut, of_left) {
            (true, true) if place.most[d] > cut => 2,
            (false, false) if place.least[d] <= cut => 2,
            (true, _) => 0,
            (false, _) => 1,
        }
    };
    let mut counts = [0usize; 3];
    room.clear();
    for wanted in 0..3 {
        let before = room.len();
        room.extend(part.iter().copied().filter(|i| side(*i) == wanted));
        counts[wanted] = room.len() - before;
    }
    part.copy_from_slice(room);
    Some((counts[0], counts[1]))
}

/// Where to cut: between neighbouring coordinates about the median, and at some more in the middle.
fn candidates(places: &[Place], part: &[u32], d: usize, cuts: &mut Vec<f64>) {
    // A sample is enough for a quantile; neighbouring coordinates about the median are then looked for among all.
    let step = (part.len() / 4096).max(1);
    let mut sample: Vec<f64> = part.iter().step_by(step).map(|i| places[*i as usize].at[d]).collect();
    sample.sort_unstable_by(f64::total_cmp);
    cuts.clear();
    let at = |part: f64| sample[((sample.len() - 1) as f64 * part) as usize];
    let (mut below, mut above) = (at(0.5), at(0.5));
    cuts.push(below);
    for _ in 0..2 {
        let all = || part.iter().map(|i| places[*i as usize].at[d]);
        let (limit_below, limit_above) = (below, above);
        below = all().filter(|x| *x < limit_below).fold(f64::NEG_INFINITY, f64::max);
        above = all().filter(|x| *x > limit_above).fold(f64::INFINITY, f64::min);
        cuts.extend([below, above].into_iter().filter(|x| x.is_finite()));
    }
    let width = MIDDLE[1] - MIDDLE[0];
    cuts.extend((0..=PLANES).map(|k| at(MIDDLE[0] + width * k as f64 / PLANES as f64)));
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
}
