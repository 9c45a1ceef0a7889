//! One step of a motion, exact or adaptive, and the rows it leaves.
use crate::clock::Clock;
use crate::march::{Broken, Motion};
use crate::observers::companion::{Method, Step};
use crate::steppers::radau::{Adaptive, Found};
use crate::steppers::series::Linear;
use crate::steppers::stages::{Inside, Watched, turns};
use crate::transition::modes::{Cause, words};
use stickslip_dynamics::AtSite;

/// Extra rows inside long steps, for plotting only, spread evenly over the run: a share for its beginning, the rest as it
/// proceeds.
const MOST_DRAWN: usize = 10_000;
const FIRST_DRAWN: usize = 2_500;
const SPREAD: f64 = 2_500.0;
/// Cycles at the end that are drawn in full.
const LAST_CYCLES: f64 = 8.0;
/// Points drawn over a whole radius of a series.
const DRAWN: f64 = 12.0;

impl Motion<'_> {
    /// One step of power series; true when something has happened at its end.
    pub(crate) fn linear_step(&mut self, target: f64) -> Result<bool, Broken> {
        let Some(mut linear) = self.linear.take() else { return Ok(true) };
        let mut causes = std::mem::take(&mut self.causes);
        let mut done = self.hold_pieces(&linear);
        if done.is_ok() {
            done = self.linear_rows(&mut linear, target, &mut causes);
        }
        let passes = !linear.passed().is_empty();
        if done.is_ok() && passes {
            done = self.pass_guards(linear.passed());
        }
        self.linear = Some(linear);
        let fresh = !causes.is_empty() || passes;
        let done = done.and_then(|()| if causes.is_empty() { Ok(()) } else { self.event(&causes) });
        self.causes = causes;
        done.map(|()| fresh)
    }

    /// Holds the inner elements of laws that an event or a jump has reached.
    fn hold_pieces(&mut self, linear: &Linear) -> Result<(), Broken> {
        if !linear.has_pieces() || !self.dynamics.has_reached_laws() {
            return Ok(());
        }
        let held = self.dynamics.hold_inner(self.clock.now(), &self.y, &self.modes, &mut self.dy);
        held.map_err(|e| self.no_modes(e.into()))
    }

    /// A step of power series, as rows of the trace.
    fn linear_rows(&mut self, linear: &mut Linear, target: f64, causes: &mut Vec<Cause>) -> Result<(), Broken> {
        let t = self.clock.now();
        let stepped = linear.step(&mut self.dynamics, t, &self.y, &self.modes, target - t, causes);
        let h = stepped.map_err(|e| self.no_modes(e.into()))?;
        if self.companion.is_some() {
            let start = self.clock;
            self.reach_row(linear, &start, h, target);
            self.keep();
            return self.accompany(Step { t, h, event: !causes.is_empty(), by: Method::Series(linear) });
        }
        if self.rowless_until > 0.0 && !self.is_rowless(t + h) {
            self.begin_rows();
            self.keep_row();
        }
        self.probe_series(linear, t, h);
        self.audit.add_series(h, linear.followed());
        if self.lean {
            self.clock.advance_towards(h, target);
            linear.state(h, &mut self.y);
            if self.clock.now() >= target {
                self.evaluate()?;
            }
            self.keep();
            linear.integrate_work(&self.dynamics, h, &mut self.integrals);
            return Ok(());
        }
        let start = self.clock;
        if self.is_rowless(t + h) {
            self.sums.clone_from(&self.integrals);
            self.linear_row(linear, &start, h, target);
            return Ok(());
        }
        let start = self.clock;
        self.sums.clone_from(&self.integrals);
        let mut from = 0.0;
        self.extrema.series(linear, t, h);
        // Rows at which statistics begin and end.
        let mut turn = linear.turning(h);
        let mut half = self.half_way(h);
        let drawn = if self.has_room() { linear.drawn(h, DRAWN) } else { 1 };
        self.drawn += drawn - 1;
        for k in 1..=drawn {
            let to = if k == drawn { h } else { h * k as f64 / drawn as f64 };
            let turned = turn.take_if(|s| *s < to);
            if let Some(at) = half.take_if(|at| *at - t < to && turned.is_none_or(|s| *at - t < s)) {
                self.linear_row(linear, &start, at - t, at);
            }
            if let Some(s) = turned {
                self.linear_row(linear, &start, s, target);
            }
            if let Some(at) = half.take_if(|at| *at - t < to) {
                self.linear_row(linear, &start, at - t, at);
            }
            if to > from || k == drawn {
                self.linear_row(linear, &start, to, target);
            }
            from = to;
        }
        Ok(())
    }

    /// The motion at the times that probes ask for inside a step of power series.
    fn probe_series(&mut self, linear: &Linear, t: f64, h: f64) {
        let inside = |at: &f64| at - t < h;
        if self.instants.next().filter(inside).is_none() {
            return;
        }
        let start = self.clock;
        self.sums.clone_from(&self.integrals);
        while let Some(at) = self.instants.next().filter(inside) {
            self.reach_row(linear, &start, at - t, at);
            self.instants.note(&self.y, &self.dynamics.at);
        }
        self.clock = start;
        self.integrals.clone_from(&self.sums);
    }

    fn linear_row(&mut self, linear: &Linear, start: &Clock, s: f64, target: f64) {
        self.reach_row(linear, start, s, target);
        self.keep();
    }

    fn reach_row(&mut self, linear: &Linear, start: &Clock, s: f64, target: f64) {
        self.clock = *start;
        self.clock.advance_towards(s, target);
        self.integrals.clone_from(&self.sums);
        let (place, unknowns) = ((self.clock.now(), s), (&mut self.y[..], &mut self.dy[..]));
        linear.reach(&mut self.dynamics, place, &self.modes, unknowns, &mut self.integrals);
        linear.integrate_work(&self.dynamics, s, &mut self.integrals);
    }

    /// One adaptive step; true when the next one must begin again.
    pub(crate) fn adaptive_step(&mut self, adaptive: &mut Adaptive, target: f64) -> Result<bool, Broken> {
        let t = self.clock.now();
        let longest = (target - t).min(f64::MAX.sqrt());
        self.observe_start();
        self.sums.clone_from(&self.integrals);
        let limits = (longest, self.instants.ahead());
        let stepped =
            adaptive.step(&mut self.dynamics, t, &mut self.y, &mut self.dy, &self.modes, limits, &mut self.integrals);
        let (h, found) = stepped
            .map_err(|stopped| Broken::Failed(format!("at t = {t:.9e} s ({}) {stopped}", words(&self.modes))))?;
        adaptive.glimpses.iter().for_each(|glimpse| self.instants.note(&glimpse.y, &glimpse.at));
        let arrives = h == target - t;
        if self.companion.is_none() {
            let (_, _, radau) = adaptive.inner();
            self.audit.add_stages(t, h, self.dynamics.until, (radau.nodes(), radau.quadrature()));
        }
        if self.companion.is_some() {
            self.clock.advance(h);
        } else if self.is_rowless(t + h) {
            self.see_limits(t, &adaptive.inside);
            self.remember(t, h, &adaptive.inside);
            self.clock.advance(h);
        } else {
            if self.rowless_until > 0.0 {
                self.begin_rows();
                self.keep_start();
            }
            let shown = self.shows_inside(&adaptive.inside);
            // A motion that starts from rest may turn where both ends do not show it.
            if shown || self.half_way(h).is_some() || self.watched_last()[0].1 == 0.0 {
                adaptive.fill_inside(&self.sums);
            }
            let rows = self.observe_step(t, h, &adaptive.inside);
            self.remember(t, h, &adaptive.inside);
            let start = self.clock;
            self.keep_stages(if shown { &adaptive.inside } else { &[] }, &rows);
            self.clock.reach(&start, h);
        }
        if arrives {
            self.clock.arrive(target);
        }
        self.keep();
        self.accompany(Step { t, h, event: !found.is_empty(), by: Method::Adaptive(adaptive) })?;
        let causes: Vec<Cause> = found.iter().filter_map(Found::cause).collect();
        let returned = self.meet_past()?;
        if found.is_empty() {
            return Ok(returned);
        }
        let guards: Vec<usize> = found.iter().filter_map(|found| found.guard()).collect();
        if !guards.is_empty() && self.dynamics.controls.has_guards() {
            self.pass_guards(&guards)?;
        } else if !guards.is_empty() {
            self.guards(&guards)?;
        }
        if !causes.is_empty() {
            self.event(&causes)?;
        }
        self.turn_past();
        Ok(true)
    }

    /// Whether there is room for rows that are for the eye alone.
    fn has_room(&self) -> bool {
        // Of a motion that is looked at as it goes, the rows of the present part alone are here.
        if self.watcher.is_some() {
            return self.trace.len() < MOST_DRAWN;
        }
        let count = self.peaks.count() as f64;
        let done = self.progress(count);
        let closing = count >= LAST_CYCLES && count * (1.0 - done) <= LAST_CYCLES * done;
        (closing && self.drawn < MOST_DRAWN) || (self.drawn as f64) < FIRST_DRAWN as f64 + done * SPREAD
    }

    /// Which part of the run is done, from 0 to 1, after so many cycles.
    pub(crate) fn progress(&self, count: f64) -> f64 {
        let (end, cycles) = self.bounds;
        if end.is_finite() { (self.clock.now() / end).min(1.0) } else { (count / cycles).min(1.0) }
    }

    /// Whether the stages inside the last step are rows: where something turns, or where there is room to draw them.
    fn shows_inside(&mut self, inside: &[Inside]) -> bool {
        if self.lean {
            return false;
        }
        let (start, end) = (self.watched_last(), self.watched(&self.y, &self.dy, &self.dynamics.at));
        let drawn = self.draws && self.has_room();
        self.drawn += if drawn { inside.len() } else { 0 };
        drawn || inside.iter().any(|s| turns(start, self.watched(&s.y, &s.dy, &s.at), end))
    }

    /// Keeps stages and other instants inside a step as rows, in the order of time.
    pub(crate) fn keep_stages(&mut self, mut inside: &[Inside], mut rows: &[Inside]) {
        if inside.is_empty() && rows.is_empty() {
            return;
        }
        // Each row from the start of the step, so that the rows that are kept do not show in the time.
        let start = self.clock;
        self.sums.clone_from(&self.integrals);
        self.at_end.clone_from(&self.dynamics.at);
        loop {
            let stage = match (inside, rows) {
                ([first, ..], [other, ..]) if first.s <= other.s => first,
                (_, [other, ..]) => other,
                ([first, ..], []) => first,
                ([], []) => break,
            };
            match inside {
                [first, rest @ ..] if std::ptr::eq(first, stage) => inside = rest,
                _ => rows = &rows[1..],
            }
            self.clock.reach(&start, stage.s);
            self.arrive_half_way();
            self.dynamics.at.copy_from_slice(&stage.at);
            self.integrals.clone_from(&stage.integrals);
            self.keep_at(&stage.y, &stage.dy);
        }
        self.dynamics.at.copy_from_slice(&self.at_end);
        self.integrals.clone_from(&self.sums);
    }

    /// What may turn inside a step.
    pub(crate) fn watched(&self, y: &[f64], dy: &[f64], at: &[AtSite]) -> Watched {
        let n = self.dynamics.n;
        let coefficient = at.first().map_or(0.0, |at| self.dynamics.coefficient_of(0, at));
        [(y[0], dy[0]), (y[n], dy[n]), (coefficient, 0.0)]
    }

    /// The same at the last row.
    pub(crate) fn watched_last(&self) -> Watched {
        let (trace, i) = (&self.trace, self.trace.len() - 1);
        let coefficient = if trace.points > 0 && trace.load(i, 0) > 0.0 { trace.coefficient(i, 0) } else { 0.0 };
        [(trace.q(i, 0), trace.dq(i, 0)), (trace.v(i, 0), trace.dv(i, 0)), (coefficient, 0.0)]
    }
}
