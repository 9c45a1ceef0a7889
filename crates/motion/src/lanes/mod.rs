//! Smooth models of a sweep, several at once: the same motion as one by one, at a fraction of the price.
//!
//! Every lane walks with steps of its own; one that ends takes up the next model. What does not fit into lanes, or finds
//! no step there, is run on its own: no model is lost.
mod dispatch;
mod lane_motion;
mod stages;
mod system;
mod turns;

use crate::observers::extrema::Nodes;
use crate::steppers::radau::Adaptive;
use crate::{Scheme, Transient};
use dispatch::{Job, Whether, built, sized};
use lane_motion::{Row, Walking};
pub use stages::stage_batch;
use std::any::Any;
use stickslip_data::Outcome;
use stickslip_dynamics::start::initial;
use stickslip_dynamics::{Dynamics, Site};
use stickslip_laws::{Laned, Scale, compatible};
use stickslip_model::{Contact, Model};
use stickslip_model::{Context, Run};
use stickslip_real::Real;
use stickslip_real::lanes::{LANES, Lanes, Work};
use stickslip_solve::radau::ORDER_9_BELOW;
use stickslip_solve::radau::lanes::{LaneRadau, Tried, put};
use stickslip_solve::radau::tableau::ORDER_9;
use system::{FIRST_COEFFICIENT, MOST_STATES, STAGES, Smooth};
use turns::Along;

/// Contact points that the ledger of a lane has room for.
pub const MOST_POINTS: usize = 4;

/// Runs what fits into lanes; an outcome is missing where a model must be run on its own.
pub fn run(runs: &[Run]) -> Vec<Option<Outcome>> {
    grouped(runs, |size, walk| built(size, walk))
}

/// The same with vectors of `V`, whatever else this machine has; panics where it does not have these.
pub fn run_with<V: Laned>(runs: &[Run]) -> Vec<Option<Outcome>> {
    assert!(V::available());
    grouped(runs, |size, walk| sized::<V, Walk>(size, walk))
}

/// Lets models that can walk side by side do so, one kind after the other.
fn grouped(runs: &[Run], walk: impl Fn((usize, usize), Walk) -> Option<()>) -> Vec<Option<Outcome>> {
    let mut outcomes: Vec<Option<Outcome>> = runs.iter().map(|_| None).collect();
    let mut waiting: Vec<Waiting> =
        runs.iter().enumerate().filter_map(|(index, run)| Waiting::of(index, run)).collect();
    // A model that fits walks in a lane even if it is the only one of its kind: whether it does must not depend on
    // which others were asked for at the same time, or the last digits would.
    while let Some(first) = waiting.first() {
        let size = (first.dynamics.n, first.dynamics.dim());
        let like: Vec<bool> = waiting.iter().map(|w| w.is_like(first)).collect();
        let (mut queue, mut others) = (vec![], vec![]);
        for (w, like) in waiting.into_iter().zip(like) {
            if like { queue.push(w) } else { others.push(w) }
        }
        // Where nothing is built for a size, its models are run on their own.
        let _ = walk(size, Walk { queue, out: &mut outcomes });
        waiting = others;
    }
    outcomes
}

/// How many runs like this one walk at the price of hardly more than one.
pub fn batch_width(run: &Run) -> usize {
    let fits = |w: Waiting| built((w.dynamics.n, w.dynamics.dim()), Whether).is_some();
    if Waiting::of(0, run).is_some_and(fits) { LANES } else { 1 }
}

/// Whether all laws of a model run in lanes, and nothing strikes it: asked first, since it costs nothing.
fn smooth(model: &Model) -> bool {
    let smooth = |c: &Contact| c.friction.lanes().is_some() && c.friction.directions() == 1;
    model.contacts.iter().all(smooth) && !model.loading.is_sudden() && model.loading.controls.is_empty()
}

/// Whether a model fits into lanes: smooth, with constant loads and drives, in one direction.
pub fn fits(dynamics: &Dynamics) -> bool {
    let constant = |site: &Site| {
        !site.cone
            && site.tangent.len() == 1
            && site.states <= MOST_STATES
            && site.fixed_load.is_some_and(|(a, b)| b == 0.0 && a > 0.0)
    };
    smooth(dynamics.model)
        && dynamics.model.structure.circulatory.is_empty()
        && dynamics.model.structure.cubic.is_empty()
        && dynamics.sites.iter().all(constant)
        && dynamics.sites.len() <= MOST_POINTS
        && dynamics.signals().all(|s| s.is_constant())
}

/// A model that waits for a lane.
struct Waiting<'m> {
    index: usize,
    analysis: &'m Transient,
    context: &'m Context<'m>,
    dynamics: Dynamics<'m>,
    y: Vec<f64>,
    end: (f64, f64),
    begun: Adaptive,
}

impl<'m> Waiting<'m> {
    /// A model that fits: smooth, with constant loads and drives, in one direction.
    fn of(index: usize, run: &'m Run<'m>) -> Option<Self> {
        let (model, context) = (run.model, &run.context);
        let analysis = (run.analysis as &dyn Any).downcast_ref::<Transient>()?;
        if analysis.rtol >= ORDER_9_BELOW || analysis.scheme != Scheme::Exact {
            return None;
        }
        // Whether the law has an answer at every speed is asked of runs that go alone.
        if !smooth(model) || model.contacts.iter().any(|c| c.friction.claims().positive_speed) {
            return None;
        }
        let mut dynamics = Dynamics::new(model)?;
        if !fits(&dynamics) {
            return None;
        }
        let y = initial(&mut dynamics).ok()?;
        let end = analysis.end(model, &y).ok()?;
        let modes = vec![stickslip_laws::Mode::Forward; dynamics.sites.len()];
        let mut begun = Adaptive::narrow(&mut dynamics, analysis.rtol, &y, &modes);
        let first = end.0.min(dynamics.natural_time() * 100.0);
        begun.begin(&mut dynamics, 0.0, &y, &modes, first);
        begun.uneventful().then_some(Waiting { index, analysis, context, dynamics, y, end, begun })
    }

    /// Whether both can walk side by side: equations of the same shape.
    fn is_like(&self, other: &Waiting) -> bool {
        let (a, b) = (&self.dynamics, &other.dynamics);
        let ((u, _, _, relative, _), (v, _, _, other_relative, _)) = (self.begun.begun(), other.begun.begun());
        let same_scale = |i: usize| {
            matches!(
                (u.scale(i), v.scale(i)),
                (Scale::Linear(_), Scale::Linear(_)) | (Scale::Log, Scale::Log) | (Scale::Asinh(_), Scale::Asinh(_))
            )
        };
        self.analysis.rtol == other.analysis.rtol
            && relative == other_relative
            && a.n == b.n
            && a.dim() == b.dim()
            && a.sites.len() == b.sites.len()
            && a.model.structure.orientation == b.model.structure.orientation
            && (0..a.dim()).all(same_scale)
            && (0..a.n).all(|j| u.slip(j).map(|s| s.0) == v.slip(j).map(|s| s.0))
            && a.model.contacts.len() == b.model.contacts.len()
            && a.model.contacts.iter().zip(b.model.contacts.iter()).all(|(c, d)| {
                c.friction_law == d.friction_law
                    && c.places.len() == d.places.len()
                    && match (c.friction.lanes(), d.friction.lanes()) {
                        (Some((_, x)), Some((_, y))) => compatible(x, y),
                        _ => false,
                    }
            })
    }
}

/// A walk of all models of the queue to their ends.
struct Walk<'a, 'm> {
    queue: Vec<Waiting<'m>>,
    out: &'a mut [Option<Outcome>],
}

impl Job for Walk<'_, '_> {
    type Output = ();
    fn run<V: Laned, const N: usize, const M: usize>(self) {
        walk::<V, N, M>(self.queue, self.out);
    }
}

fn walk<V: Laned, const N: usize, const M: usize>(queue: Vec<Waiting>, out: &mut [Option<Outcome>]) {
    let first = &queue[0];
    let (variables, _, _, relative, _) = first.begun.begun();
    let mut step = Step {
        system: Smooth::<V, N, M>::like(&first.dynamics, variables),
        radau: LaneRadau::new(&ORDER_9, first.analysis.rtol, std::array::from_fn(|i| relative[i])),
        sums: [Lanes::zero(); FIRST_COEFFICIENT + MOST_POINTS],
        points: first.dynamics.sites.len(),
        along: Along::nothing(&Nodes::new(&ORDER_9.nodes), first.dynamics.sites.len()),
        row: Row::new(ORDER_9.matrix()),
    };
    let mut queue = queue.into_iter();
    let mut lanes: [Option<Walking>; LANES] = std::array::from_fn(|_| None);
    loop {
        let mut loaded = false;
        for lane in 0..LANES {
            while lanes[lane].is_none()
                && let Some(next) = queue.next()
            {
                let (variables, x, scale, _, first_step) = next.begun.begun();
                step.system.load(lane, &next.dynamics, variables);
                step.radau.load(lane, x, scale, first_step);
                step.sums.iter_mut().for_each(|sum| put(sum, lane, 0.0));
                lanes[lane] = Walking::start(next);
                if let Some(walking) = &lanes[lane] {
                    step.along.load(lane, walking.watched(), &walking.coefficients());
                }
                loaded = true;
            }
        }
        let active = (0..LANES).filter(|i| lanes[*i].is_some()).fold(0u8, |bits, i| bits | 1 << i);
        if active == 0 || (loaded && !step.system.settle()) {
            return;
        }
        let longest = std::array::from_fn(|i| lanes[i].as_ref().map_or(1.0, Walking::longest));
        let Tried { ready, solved, good } = V::enter(Trial { step: &mut step, longest, active, begin: loaded });
        for lane in 0..LANES {
            let Some(walking) = &mut lanes[lane] else { continue };
            if ready >> lane & 1 == 0 {
                continue;
            }
            let over = if good >> lane & 1 == 1 {
                walking.take(lane, &step.row)
            } else {
                walking.refuse(step.row.next[lane], solved >> lane & 1 == 1)
            };
            if !over {
                continue;
            }
            if let Some(walking) = lanes[lane].take() {
                let (index, iterations) = (walking.index, step.radau.worked().to_array()[lane]);
                out[index] = walking.finish(iterations as u64, step.along.most_stored.to_array()[lane]);
            }
        }
    }
}

/// What a step of all lanes works on.
struct Step<V: Laned, const N: usize, const M: usize> {
    system: Smooth<V, N, M>,
    radau: LaneRadau<V, M, N, STAGES>,
    /// Integrals along each motion.
    sums: [Lanes<V>; FIRST_COEFFICIENT + MOST_POINTS],
    points: usize,
    along: Along<V>,
    /// Everything that was passed, read out.
    row: Row<M>,
}

/// One trial of all lanes.
struct Trial<'a, V: Laned, const N: usize, const M: usize> {
    step: &'a mut Step<V, N, M>,
    longest: [f64; LANES],
    active: u8,
    /// Lanes were loaded: their rates are not known yet.
    begin: bool,
}

impl<V: Laned, const N: usize, const M: usize> Work for Trial<'_, V, N, M> {
    type Output = Tried;

    #[inline(always)]
    fn run(self) -> Tried {
        let Step { system, radau, sums, points, along, row } = self.step;
        if self.begin {
            radau.begin(system);
        }
        let tried = radau.trial(system, Lanes::from_array(self.longest), self.active);
        let h = radau.tried();
        let (mut step, mut powers) = ([Lanes::zero(); FIRST_COEFFICIENT + MOST_POINTS], *sums);
        along.begin();
        for k in 0..STAGES {
            let (correction, slope) = radau.solved(k);
            system.recall(k, &correction, &slope);
            system.powers(k, &mut powers);
            along.stage(k, system, &powers[FIRST_COEFFICIENT..FIRST_COEFFICIENT + *points]);
            row.note(k, system, &powers, *points);
            for i in 0..FIRST_COEFFICIENT + *points {
                step[i] = powers[i].mul_add(Lanes::lit(ORDER_9.weights[k]), step[i]);
            }
        }
        radau.commit(tried.good);
        for i in 0..FIRST_COEFFICIENT + *points {
            sums[i] = Lanes::select(V::mask(tried.good), sums[i] + step[i] * h, sums[i]);
        }
        row.end(h, radau.next(), sums, along.take(tried.good));
        tried
    }
}
