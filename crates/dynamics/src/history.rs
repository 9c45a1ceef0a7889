//! The past of the slip velocities, for laws that answer it late.
//!
//! A motion that answers its own past is followed by the method of steps: no step is longer than the shortest lag, so
//! that what a law sees is known. Between steps the past is the polynomial of the method's own stages. It has a kink
//! wherever a mode changed or a drive jumped; one lag later the kink returns a derivative higher, and steps end there.
use crate::AtSite;
use std::collections::VecDeque;
use stickslip_laws::Mode;

/// Times that a kink is followed through its returns: each is a derivative smoother, and the control of the steps takes
/// the rest.
const RETURNS: u8 = 4;
/// Times that differ by less than this part are the same.
const SAME: f64 = 8.0 * f64::EPSILON;

/// The slip velocities over one step.
struct Segment {
    start: f64,
    /// How often the kink at its start has returned; none where the motion is smooth.
    kink: Option<u8>,
    /// Times since the start.
    nodes: Vec<f64>,
    /// Slip velocities at the nodes, point after point at each.
    slips: Vec<[f64; 2]>,
    modes: Vec<Mode>,
}

impl Segment {
    /// Lagrange's polynomial through the nodes.
    fn slip(&self, point: usize, t: f64) -> [f64; 2] {
        let (points, s) = (self.modes.len(), t - self.start);
        let mut sum = [0.0; 2];
        for (k, node) in self.nodes.iter().enumerate() {
            let others = self.nodes.iter().enumerate().filter(|(j, _)| *j != k);
            let weight: f64 = others.map(|(_, other)| (s - other) / (node - other)).product();
            let slip = self.slips[k * points + point];
            sum = [sum[0] + weight * slip[0], sum[1] + weight * slip[1]];
        }
        sum
    }
}

/// The past, as far back as the longest lag.
pub struct History {
    /// Lag of each point whose law has one.
    lags: Vec<Option<f64>>,
    segments: VecDeque<Segment>,
    /// For each point the segments that may be read: first, and the one after the last.
    open: Vec<(usize, usize)>,
    /// The kink with which the next segment starts.
    kink: Option<u8>,
    /// Where the next segment starts.
    slips: Vec<[f64; 2]>,
}

impl History {
    /// Nothing has happened yet; none where no law has a lag.
    pub fn new(lags: Vec<Option<f64>>) -> Option<History> {
        lags.iter().any(Option::is_some).then(|| History {
            open: vec![(0, 1); lags.len()],
            slips: vec![[0.0; 2]; lags.len()],
            lags,
            segments: VecDeque::new(),
            kink: Some(0),
        })
    }

    /// The slip velocity and mode of a point one lag before `t`; none where its law has no lag.
    pub fn past(&self, point: usize, t: f64) -> Option<([f64; 2], Mode)> {
        let then = t - self.lags[point]?;
        let (first, end) = self.open[point];
        let found = self.segments.partition_point(|s| s.start <= then).max(1) - 1;
        let segment = self.segments.get(found.clamp(first, end.max(first + 1) - 1))?;
        Some((segment.slip(point, then), segment.modes[point]))
    }

    /// Begins: before the start the slip velocities are those at the start.
    pub fn begin(&mut self, at: &[AtSite], modes: &[Mode]) {
        self.slips = at.iter().map(|at| at.slip).collect();
        let always = Segment {
            start: f64::NEG_INFINITY,
            kink: None,
            nodes: vec![0.0],
            slips: self.slips.clone(),
            modes: modes.to_vec(),
        };
        self.segments = [always].into();
        self.kink = Some(0);
        self.stand(0.0);
    }

    /// Takes a step up: from `t`, the times and points of its stages, its end among them.
    pub fn step<'s>(&mut self, t: f64, modes: &[Mode], stages: impl Iterator<Item = (f64, &'s [AtSite])>) {
        let (mut nodes, mut slips) = (vec![0.0], std::mem::take(&mut self.slips));
        for (s, at) in stages {
            nodes.push(s);
            slips.extend(at.iter().map(|at| at.slip));
        }
        self.slips = slips[slips.len() - modes.len()..].to_vec();
        self.segments.push_back(Segment { start: t, kink: self.kink.take(), nodes, slips, modes: modes.to_vec() });
    }

    /// A mode or a velocity changed: the next step starts with a kink.
    pub fn turn(&mut self, at: &[AtSite]) {
        self.slips = at.iter().map(|at| at.slip).collect();
        self.kink = Some(0);
    }

    /// Stands at `t`: what was before a kink is no longer read, what comes after the next one not yet.
    pub fn stand(&mut self, t: f64) {
        let longest = self.lags.iter().flatten().fold(0.0f64, |a, b| a.max(*b));
        while self.segments.get(1).is_some_and(|s| s.start < t - longest - SAME * t) {
            self.segments.pop_front();
        }
        for (open, lag) in self.open.iter_mut().zip(&self.lags) {
            let Some(lag) = lag else { continue };
            let then = t - lag + SAME * (t + lag);
            let first = self.segments.partition_point(|s| s.start <= then).max(1) - 1;
            let next = (first + 1..self.segments.len()).find(|k| self.segments[*k].kink.is_some());
            *open = (first, next.unwrap_or(self.segments.len()));
        }
    }

    /// The next time at which a kink returns, and no later than the shortest lag from `t` on.
    pub fn reach(&self, t: f64) -> f64 {
        let mut reach = f64::INFINITY;
        for lag in self.lags.iter().flatten() {
            reach = reach.min(t + lag);
            for segment in self.segments.iter().filter(|s| s.kink.is_some()) {
                let returns = segment.start + lag;
                if returns > t + SAME * (t + lag) {
                    reach = reach.min(returns);
                }
            }
        }
        reach
    }

    /// Whether a kink returns at `t`: none, or how often it had returned before.
    pub fn arrive(&mut self, t: f64) -> Option<u8> {
        let returned =
            |s: &Segment| self.lags.iter().flatten().any(|lag| (s.start + lag - t).abs() <= SAME * (t + lag));
        let kink = self.segments.iter().filter(|s| returned(s)).filter_map(|s| s.kink).min()?;
        if kink + 1 < RETURNS {
            self.kink = Some(self.kink.map_or(kink + 1, |k| k.min(kink + 1)));
        }
        Some(kink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(slip: f64) -> Vec<AtSite> {
        vec![AtSite { slip: [slip, 0.0], ..AtSite::default() }]
    }

    #[test]
    fn the_past_is_the_polynomial_of_each_step_and_jumps_between_them() {
        let mut history = History::new(vec![Some(0.5)]).expect("a lag");
        history.begin(&at(2.0), &[Mode::Forward]);
        assert_eq!(history.past(0, 0.2).map(|p| p.0[0]), Some(2.0));
        assert_eq!(history.reach(0.0), 0.5);
        // v = 2 + t^2 over half a second, then a jump to 7.
        let cubic: Vec<(f64, Vec<AtSite>)> = [0.2, 0.35, 0.5].iter().map(|t| (*t, at(2.0 + t * t))).collect();
        history.step(0.0, &[Mode::Forward], cubic.iter().map(|(s, at)| (*s, at.as_slice())));
        assert_eq!(history.arrive(0.5), Some(0));
        history.turn(&at(7.0));
        history.stand(0.5);
        let past = |history: &History, t: f64| history.past(0, t).expect("a past").0[0];
        assert!((past(&history, 0.9) - 2.16).abs() < 1e-14);
        assert_eq!(history.reach(0.5), 1.0);
        let constant = at(7.0);
        history.step(0.5, &[Mode::Forward], [(0.5, constant.as_slice())].into_iter());
        // The end of the step belongs to what came before the jump until the motion stands there.
        assert!((past(&history, 1.0) - 2.25).abs() < 1e-14);
        assert_eq!(history.arrive(1.0), Some(0));
        history.stand(1.0);
        assert_eq!(past(&history, 1.0), 7.0);
    }

    #[test]
    fn a_kink_returns_a_few_times() {
        let mut history = History::new(vec![Some(1.0)]).expect("a lag");
        history.begin(&at(0.0), &[Mode::Stick]);
        let still = at(0.0);
        let mut returns = vec![];
        for k in 0..8 {
            history.step(k as f64, &[Mode::Stick], [(1.0, still.as_slice())].into_iter());
            returns.push(history.arrive(k as f64 + 1.0));
            history.stand(k as f64 + 1.0);
        }
        assert_eq!(returns, [Some(0), Some(1), Some(2), Some(3), None, None, None, None]);
    }
}
