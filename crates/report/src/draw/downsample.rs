//! Fewer points, same picture.

use crate::draw::scene::Point;
use std::collections::HashSet;

const GAP: Point = [f64::NAN, f64::NAN];

fn is_gap(p: &Point) -> bool {
    !(p[0].is_finite() && p[1].is_finite())
}

/// Thins a curve whose x never falls: of every column of width `1 / per_unit` the first, lowest, highest and last point
/// stay, so that no peak is lost.
pub fn columns(points: &[Point], per_unit: f64) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    let mut start = 0;
    let column = |p: &Point| if is_gap(p) { None } else { Some((p[0] * per_unit).floor() as i64) };
    while start < points.len() {
        let here = column(&points[start]);
        let mut end = start + 1;
        while end < points.len() && column(&points[end]) == here {
            end += 1;
        }
        let part = &points[start..end];
        match here {
            None if out.last().is_some_and(|p| !is_gap(p)) => out.push(GAP),
            None => {}
            Some(_) if part.len() <= 4 => out.extend_from_slice(part),
            Some(_) => {
                let by = |i: &usize, j: &usize| part[*i][1].total_cmp(&part[*j][1]);
                let lowest = (0..part.len()).min_by(by).unwrap_or(0);
                let highest = (0..part.len()).max_by(by).unwrap_or(0);
                let mut keep = [0, lowest, highest, part.len() - 1];
                keep.sort_unstable();
                for (k, i) in keep.iter().enumerate() {
                    if k == 0 || keep[k - 1] != *i {
                        out.push(part[*i]);
                    }
                }
            }
        }
        start = end;
    }
    out
}

/// Thins any path to at most about `most` points: points fall on a grid, and a piece that was drawn before is not
/// drawn again, so that a thousand rounds of a cycle cost as much as one. The grid becomes coarser as needed.
pub fn trail(points: &[Point], most: usize) -> Vec<Point> {
    for cell in [0.25, 0.5, 1.0, 2.0] {
        if let Some(out) = on_grid(points, cell, most) {
            return out;
        }
    }
    // A path that fills the plane: its end is the settled part.
    let out = on_grid(points, 4.0, usize::MAX).unwrap_or_default();
    out[out.len().saturating_sub(most)..].to_vec()
}

/// The path on one grid, unless it takes more than `most` points.
fn on_grid(points: &[Point], cell: f64, most: usize) -> Option<Vec<Point>> {
    let mut out: Vec<Point> = Vec::new();
    let mut seen = HashSet::new();
    let mut last: Option<[i64; 2]> = None;
    let mut pen_down = false;
    for (i, p) in points.iter().enumerate() {
        if out.len() > most {
            return None;
        }
        if is_gap(p) {
            (last, pen_down) = (None, false);
            continue;
        }
        let here = p.map(|c| (c / cell).round() as i64);
        let Some(before) = last else {
            if !out.is_empty() {
                out.push(GAP);
            }
            out.push(*p);
            (last, pen_down) = (Some(here), true);
            continue;
        };
        if here == before {
            continue;
        }
        if seen.insert((before, here)) {
            if !pen_down {
                let from = points[..i].iter().rev().find(|q| !is_gap(q)).copied().unwrap_or(*p);
                out.extend([GAP, from]);
            }
            out.push(*p);
            pen_down = true;
        } else {
            pen_down = false;
        }
        last = Some(here);
    }
    (out.len() <= most).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn extremes(points: &[Point]) -> (f64, f64) {
        let y = || points.iter().map(|p| p[1]).filter(|y| y.is_finite());
        (y().fold(f64::INFINITY, f64::min), y().fold(f64::NEG_INFINITY, f64::max))
    }

    #[test]
    fn a_cycle_run_many_times_costs_one() {
        let round = |i: usize| (i % 400) as f64 * std::f64::consts::TAU / 400.0;
        let points: Vec<Point> = (0..400_000).map(|i| [200.0 * round(i).cos(), 200.0 * round(i).sin()]).collect();
        assert!(trail(&points, 4000).len() < 1000);
    }

    #[test]
    fn gaps_stay() {
        let points = [[0.0, 0.0], [1.0, 1.0], GAP, GAP, [2.0, 0.0]];
        for thin in [columns(&points, 1.0), trail(&points, 10)] {
            assert_eq!(thin.len(), 4);
            assert!(is_gap(&thin[2]) && thin[3] == [2.0, 0.0]);
        }
        assert!(columns(&[], 1.0).is_empty() && trail(&[], 5).is_empty());
    }

    proptest! {
        #[test]
        fn thinning_keeps_extremes_and_ends(y in proptest::collection::vec(-1e3..1e3f64, 1..3000)) {
            let points: Vec<Point> = y.iter().enumerate().map(|(i, y)| [i as f64 * 0.01, *y]).collect();
            let thin = columns(&points, 1.0);
            prop_assert!(thin.len() <= 4 * 31);
            prop_assert_eq!(extremes(&thin), extremes(&points));
            prop_assert_eq!(thin.first(), points.first());
            prop_assert_eq!(thin.last(), points.last());
            prop_assert!(thin.windows(2).all(|p| p[1][0] > p[0][0]));
        }

        #[test]
        fn a_trail_is_bounded(xy in proptest::collection::vec((0.0..600.0f64, 0.0..400.0f64), 1..3000)) {
            let points: Vec<Point> = xy.iter().map(|(x, y)| [*x, *y]).collect();
            prop_assert!(trail(&points, 500).len() <= 500);
        }
    }
}
