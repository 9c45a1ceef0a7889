//! Turns of friction inside a step: the law is asked where they are, and reports no more than it says.
use super::super::loop_log::{self, Turn};
use super::super::turns::{FOLLOWED, Sample, turns};
use super::Path;
use stickslip_dynamics::{AtSite, Dynamics, Variables};
use stickslip_laws::{Mode, norm};
use stickslip_motion::{Adaptive, Clock, Dense, Inside, Nodes, Passed};
use stickslip_solve::radau::tableau::ORDER_5;
use stickslip_structures::Signal;

/// Halvings at which the peak of a given force is known to rounding.
const HALVINGS: usize = 60;
/// The polynomial through the stages shows whether friction turns if its slopes at the ends of the step are right to this
/// part of the change over the step.
const RESOLVED: f64 = 0.02;
/// Friction that changes by less than this part over a step is constant.
const CONSTANT: f64 = 1e-10;

/// Room to look inside a step.
pub(super) struct Peak {
    nodes: Nodes,
    dense: Dense,
    start: Inside,
    end: Inside,
}

impl Peak {
    /// For a path that these steps follow; a law without states needs none.
    pub(super) fn new(dynamics: &Dynamics, adaptive: Option<&Adaptive>) -> Peak {
        let m = dynamics.dim();
        let (nodes, variables) = match adaptive {
            Some(adaptive) => (adaptive.inner().2.nodes(), adaptive.inner().0.clone()),
            None => (&ORDER_5.nodes[..], Variables::of(dynamics)),
        };
        Peak {
            dense: Dense::new(variables, m),
            start: Inside::new(m, 1),
            end: Inside::new(m, 1),
            nodes: Nodes::new(nodes),
        }
    }

    /// A step begins.
    pub(super) fn begin(&mut self, z: &[f64], dz: &[f64], at: &[AtSite]) {
        self.start.note(0.0, z, dz, at);
    }

    /// Whether coefficient and force only rise or only fall in a step, at whose ends they have these rates.
    fn is_monotone(&self, inside: &[Inside], h: f64, [before, after]: [[f64; FOLLOWED]; 2]) -> bool {
        let stages = || [&self.start].into_iter().chain(inside).chain([&self.end]);
        (0..FOLLOWED).all(|q| {
            let values: Vec<f64> = stages().map(|stage| followed(&stage.at[0])[q]).collect();
            let (low, high) =
                values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
            let (change, size) = (high - low, high.abs().max(low.abs()));
            let rates = [before[q] * h, after[q] * h];
            if change <= CONSTANT * size && rates.iter().all(|rate| rate.abs() <= CONSTANT * size) {
                return true;
            }
            let slope = |k: usize| self.nodes.slope_weights(k).iter().zip(&values).map(|(w, x)| w * x).sum::<f64>();
            let slopes = [slope(0), slope(values.len() - 1)];
            let resolved = rates.iter().zip(slopes).all(|(rate, slope)| (rate - slope).abs() <= RESOLVED * change);
            let rises = values[values.len() - 1] > values[0];
            let one_way = |x: f64| if rises { x >= 0.0 } else { x <= 0.0 };
            resolved && rates.iter().all(|rate| one_way(*rate)) && values.windows(2).all(|w| one_way(w[1] - w[0]))
        })
    }
}

/// The friction coefficient and the force at a point, in two directions their sizes.
fn followed(at: &AtSite) -> [f64; FOLLOWED] {
    let force = if at.f[1] == 0.0 { at.f[0] } else { norm(&at.f) };
    [if at.n > 0.0 { force / at.n } else { f64::NAN }, force]
}

impl Path<'_> {
    /// Where coefficient and force turn inside the step that began at `t`.
    pub(super) fn turns_inside(&mut self, t: f64, h: f64) -> loop_log::Inside {
        if h <= 0.0 || (self.dynamics.sites[0].cone && self.modes[0] == Mode::Stick) {
            return loop_log::Inside::NOTHING;
        }
        self.evaluate(self.clock.now());
        let (after, before) = (self.row().1, self.record.slopes.last().copied());
        let Some(mut peak) = self.peak.take() else { return loop_log::Inside::NOTHING };
        peak.end.note(h, &self.z, &self.dz, &self.dynamics.at);
        let inside = self.adaptive.as_ref().map_or(&[][..], |adaptive| &adaptive.inside);
        let plain =
            self.adaptive.is_some() && before.is_some_and(|before| peak.is_monotone(inside, h, [before, after]));
        let found = if plain { Default::default() } else { self.look_inside(&mut peak, t, h) };
        self.peak = Some(peak);
        // The travel is that of the end of the step.
        let slip = |d: usize, s: f64| self.travel[d] - self.velocity.travel(d, h) + self.velocity.travel(d, s);
        let turn = |(part, value): (f64, f64)| Turn { t: t + part * h, value, slip: [0, 1].map(|d| slip(d, part * h)) };
        loop_log::Inside::of(found.map(|turns| turns.into_iter().map(turn).collect()))
    }

    /// Asks the law inside the step that ends here; everything is then as it was.
    fn look_inside(&mut self, peak: &mut Peak, t: f64, h: f64) -> [Vec<(f64, f64)>; FOLLOWED] {
        let Peak { nodes, dense, start, end } = peak;
        let (clock, z, dz) = (self.clock, self.z.clone(), self.dz.clone());
        dense.restart();
        let [coefficient, force] = [self.record.columns.coefficient, self.record.columns.size];
        let found = turns(&mut |part| {
            if let Some(adaptive) = &self.adaptive {
                let passed = Passed { t, length: h, nodes, start, inside: &adaptive.inside, end };
                dense.unknowns(&passed, part, &mut self.dynamics, &mut self.z);
            }
            self.clock = Clock::default();
            self.clock.arrive((t + part * h).min(self.dynamics.until));
            self.evaluate(self.clock.now());
            let (row, rates) = self.row();
            Sample { part, value: [row[coefficient], row[force]], rate: rates.map(|rate| rate * h) }
        });
        (self.clock, self.z, self.dz) = (clock, z, dz);
        self.evaluate(self.clock.now());
        found
    }

    /// The largest coefficient and force since the last row where friction is a given force that has this rate at `t`.
    pub(super) fn largest_given(&self, force: &Signal, t: f64, rate: f64) -> loop_log::Inside {
        let (Some(row), Some([_, before])) = (self.record.rows.last(), self.record.slopes.last()) else {
            return loop_log::Inside::NOTHING;
        };
        let turns = before * rate < 0.0;
        if !turns {
            return loop_log::Inside::NOTHING;
        }
        let (mut a, mut b) = (row[0], t);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (a + b);
            if force.rate(middle) * before > 0.0 { a = middle } else { b = middle }
        }
        let most = force.value(b).abs();
        let load = self.dynamics.sites[0].fixed_load.map_or(f64::NAN, |(c, d)| c + d * self.dynamics.given[0].value(b));
        let coefficient = if load > 0.0 { most / load } else { f64::NAN };
        // How far the point has come by then is known at rows alone.
        loop_log::Inside { most: [coefficient, most], ..loop_log::Inside::NOTHING }
    }
}
