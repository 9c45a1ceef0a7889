//! What is kept of a motion: one row an accepted step or event, all numbers together.
use crate::clock::Clock;
use crate::observers::spill::Spill;
use std::cell::RefCell;
use stickslip_dynamics::{Dynamics, Integrals, LEAST_LOAD, coefficient};
use stickslip_laws::{Mode, dot, norm};

/// The rows of a motion.
pub struct Trace {
    /// Number of coordinates.
    pub n: usize,
    /// Number of law states.
    pub nz: usize,
    /// Number of contact points.
    pub points: usize,
    /// Numbers of a point.
    pub(crate) each: usize,
    /// Outputs of controllers, and loops.
    pub(crate) controls: [usize; 2],
    /// Points that slip in two directions.
    pub(crate) plane: Vec<bool>,
    pub(crate) width: usize,
    /// The last rows.
    rows: Vec<f64>,
    /// Number of the first of them: those before it wait on the disk.
    first: usize,
    spill: Option<Spill>,
    /// The disk takes no rows.
    full: bool,
    modes: Vec<Mode>,
    /// Whether each point sticks, also by the inner element of its law.
    stuck: Vec<bool>,
    /// Points that can stick at all.
    may_stick: Vec<bool>,
    /// Loads of each point that have no coefficient of friction.
    least_loads: Vec<f64>,
}

/// Numbers at the head of a row: time, time since the event, integral of the first coordinate, work of friction.
pub(crate) const HEAD: usize = 4;
/// Numbers of a point: slip velocity, normal force, friction, integral of the coefficient.
pub(crate) const LINE: usize = 4;
/// The same where a point slips in two directions: then the second components of slip velocity and friction.
const PLANE: usize = 6;
/// Rows of finished runs, to be filled again: a sweep makes thousands of traces, as many at a time as there are lanes, and
/// fresh memory costs more than the numbers put into it.
const MOST_KEPT: usize = 4 << 20;
const MOST_TRACES: usize = 8;
/// Numbers of rows in memory, of which half go to the disk when there are more: 32 MB.
const MOST_IN_MEMORY: usize = 4 << 20;

thread_local! {
    static KEPT: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// Takes the one with the most room.
fn largest(kept: &mut Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let place = (0..kept.len()).max_by_key(|i| kept[*i].capacity())?;
    Some(kept.swap_remove(place))
}

impl Drop for Trace {
    fn drop(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        // A thread that ends has no store any more: then the rows just go.
        let _ = KEPT.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            let room: usize = kept.iter().map(Vec::capacity).sum();
            if rows.capacity() > 0 && kept.len() < MOST_TRACES && room + rows.capacity() <= MOST_KEPT {
                rows.clear();
                kept.push(rows);
            }
        });
    }
}

impl Trace {
    /// An empty trace.
    pub fn new(dynamics: &Dynamics) -> Trace {
        let (n, nz, points) = (dynamics.n, dynamics.nz, dynamics.sites.len());
        let rows = KEPT.try_with(|kept| largest(&mut kept.borrow_mut())).ok().flatten().unwrap_or_default();
        let z = vec![0.0; nz];
        let may_stick = (0..points).map(|i| dynamics.sticks(i, Mode::Forward, &z).is_some()).collect();
        let plane: Vec<bool> = dynamics.sites.iter().map(|site| site.tangent.len() > 1).collect();
        let each = if plane.contains(&true) { PLANE } else { LINE };
        let controls = [dynamics.controls.outputs().count(), dynamics.controls.len()];
        let width = HEAD + 4 * n + nz + each * points + controls[0] + controls[1];
        Trace {
            controls,
            n,
            nz,
            points,
            each,
            plane,
            width,
            rows,
            first: 0,
            spill: None,
            full: false,
            modes: vec![],
            stuck: vec![],
            may_stick,
            least_loads: vec![LEAST_LOAD; points],
        }
    }

    /// Adds the instant that `dynamics` was last evaluated at.
    pub fn push(
        &mut self,
        clock: &Clock,
        y: &[f64],
        dy: &[f64],
        modes: &[Mode],
        dynamics: &Dynamics,
        integrals: &Integrals,
    ) {
        let n = self.n;
        let rows = &mut self.rows;
        let [t, since, q, w] = [clock.now(), clock.since(), integrals.coordinate, integrals.friction];
        // A block alone, without a state or with one, at one go: calls that copy a handful of bytes cost more than the bytes.
        let plain = self.controls == [0; 2];
        match (y, dy, &dynamics.at[..], self.each) {
            (&[y, v], &[dy, dv], [at], LINE) if n == 1 && plain => {
                let [slip, load, f, c] = [at.slip[0], at.n, at.f[0], integrals.coefficient[0]];
                rows.extend_from_slice(&[t, since, q, w, y, v, dy, dv, slip, load, f, c]);
            }
            (&[y, v, z], &[dy, dv, _], [at], LINE) if n == 1 && plain => {
                let [slip, load, f, c] = [at.slip[0], at.n, at.f[0], integrals.coefficient[0]];
                rows.extend_from_slice(&[t, since, q, w, y, v, dy, dv, z, slip, load, f, c]);
            }
            (y, dy, at, each) => {
                rows.extend_from_slice(&[t, since, q, w]);
                rows.extend_from_slice(&y[..2 * n]);
                rows.extend_from_slice(&dy[..2 * n]);
                rows.extend_from_slice(&y[2 * n..]);
                for (i, at) in at.iter().enumerate() {
                    let all = [at.slip[0], at.n, at.f[0], integrals.coefficient[i], at.slip[1], at.f[1]];
                    rows.extend_from_slice(&all[..each]);
                }
                let controls = &dynamics.controls;
                let now = t.min(dynamics.until);
                rows.extend(controls.outputs().map(|(l, k, _)| controls.applied(l, k, now, y)));
                rows.extend((0..controls.len()).map(|l| integrals.clipped.get(l).copied().unwrap_or(0.0)));
            }
        }
        self.push_modes(y, modes, dynamics);
        if self.rows.len() >= MOST_IN_MEMORY && !self.full {
            self.spill();
        }
    }

    /// Puts the older rows on the disk; they stay in memory where it takes none.
    #[cold]
    fn spill(&mut self) {
        let gone = self.rows.len() / self.width / 2 * self.width;
        let done = match &mut self.spill {
            Some(spill) => spill.push(&self.rows[..gone]),
            none => Spill::new().and_then(|spill| none.insert(spill).push(&self.rows[..gone])),
        };
        match done {
            Ok(()) => {
                self.rows.drain(..gone);
                self.first += gone / self.width;
            }
            Err(_) => self.full = true,
        }
    }

    #[inline]
    fn push_modes(&mut self, y: &[f64], modes: &[Mode], dynamics: &Dynamics) {
        for (i, at) in dynamics.at.iter().enumerate() {
            let may = self.may_stick[i] && modes[i] != Mode::Open;
            let stuck = may && dynamics.sticks(i, modes[i], &y[2 * self.n..]) == Some(true);
            self.stuck.push(stuck);
            self.least_loads[i] = dynamics.sites[i].least_load;
            // A single-valued law has no modes: its direction of slip is shown.
            let free = !dynamics.sites[i].cone && modes[i] != Mode::Open;
            // In two directions there is one way to slip.
            let way = if self.plane[i] { norm(&at.slip) } else { at.slip[0] };
            self.modes.push(if free { Mode::slipping(way) } else { modes[i] });
        }
    }

    /// Forgets all rows but the last.
    pub fn keep_last(&mut self) {
        let gone = self.len().max(1) - 1;
        let here = (self.rows.len() / self.width).max(1) - 1;
        self.rows.drain(..here * self.width);
        (self.first, self.spill) = (0, None);
        self.modes.drain(..gone * self.points);
        self.stuck.drain(..gone * self.points);
    }

    /// Makes room for so many rows.
    pub fn reserve(&mut self, rows: usize) {
        self.rows.reserve((rows * self.width).min(MOST_IN_MEMORY));
        self.modes.reserve(rows * self.points);
        self.stuck.reserve(rows * self.points);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.first + self.rows.len() / self.width
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether rows that were put on the disk could not be read.
    pub fn is_lost(&self) -> bool {
        self.spill.as_ref().is_some_and(Spill::is_lost)
    }

    /// A number of a row.
    #[inline]
    pub(crate) fn cell(&self, i: usize, column: usize) -> f64 {
        match i.checked_sub(self.first) {
            Some(i) => self.rows[i * self.width + column],
            None => self.spilled(i, column),
        }
    }

    #[cold]
    fn spilled(&self, i: usize, column: usize) -> f64 {
        self.spill.as_ref().map_or(f64::NAN, |spill| spill.get(i * self.width + column))
    }

    /// One number of each of these rows.
    pub fn column(&self, rows: std::ops::Range<usize>, column: usize) -> impl Iterator<Item = f64> + '_ {
        rows.map(move |i| self.cell(i, column))
    }

    /// Friction coefficients of a point at each of these rows.
    pub fn coefficients(&self, rows: std::ops::Range<usize>, point: usize) -> impl Iterator<Item = f64> + '_ {
        let first = HEAD + 4 * self.n + self.nz + self.each * point;
        let (plane, least) = (self.plane[point], self.least_loads[point]);
        rows.map(move |i| {
            let number = |k: usize| self.cell(i, first + k);
            let force = if plane { norm(&[number(2), number(LINE + 1)]) } else { number(2) };
            coefficient(force, number(1), least)
        })
    }

    /// Time of a row.
    pub fn t(&self, i: usize) -> f64 {
        self.cell(i, 0)
    }
    /// Time since the event before a row.
    fn since(&self, i: usize) -> f64 {
        self.cell(i, 1)
    }
    /// Length of the step that ends with row i > 0, with the digits that the time itself has lost.
    pub fn span(&self, i: usize) -> f64 {
        let rough = self.t(i) - self.t(i - 1);
        // Counted from the event before both rows, or from one at the first.
        let (same, fresh) = (self.since(i) - self.since(i - 1), self.since(i));
        if (same - rough).abs() <= (fresh - rough).abs() { same } else { fresh }
    }
    /// Integral of the first coordinate up to a row.
    pub fn integral(&self, i: usize) -> f64 {
        self.cell(i, 2)
    }
    /// Work taken by friction up to a row.
    pub fn friction_work(&self, i: usize) -> f64 {
        self.cell(i, 3)
    }
    /// Coordinate `j` of row `i`.
    pub fn q(&self, i: usize, j: usize) -> f64 {
        self.cell(i, HEAD + j)
    }
    /// All unknowns at row `i`.
    pub fn unknowns(&self, i: usize) -> Vec<f64> {
        let moved = (0..2 * self.n).map(|k| self.cell(i, HEAD + k));
        moved.chain((0..self.nz).map(|k| self.z(i, k))).collect()
    }
    /// Velocity.
    pub fn v(&self, i: usize, j: usize) -> f64 {
        self.cell(i, HEAD + self.n + j)
    }
    /// Rate of a coordinate.
    pub fn dq(&self, i: usize, j: usize) -> f64 {
        self.cell(i, HEAD + 2 * self.n + j)
    }
    /// Rate of a velocity.
    pub fn dv(&self, i: usize, j: usize) -> f64 {
        self.cell(i, HEAD + 3 * self.n + j)
    }
    /// State `k`.
    pub fn z(&self, i: usize, k: usize) -> f64 {
        self.cell(i, HEAD + 4 * self.n + k)
    }
    fn site(&self, i: usize, point: usize, what: usize) -> f64 {
        self.cell(i, HEAD + 4 * self.n + self.nz + self.each * point + what)
    }
    /// Column of an output of a controller.
    pub(crate) fn output_column(&self, output: usize) -> usize {
        HEAD + 4 * self.n + self.nz + self.each * self.points + output
    }
    /// Time in which a loop was clipped, up to a row.
    pub fn clipped(&self, i: usize, l: usize) -> f64 {
        self.cell(i, self.output_column(self.controls[0] + l))
    }
    /// Slip velocity of a point, along the first direction.
    pub fn slip(&self, i: usize, point: usize) -> f64 {
        self.site(i, point, 0)
    }
    /// Both components of the slip velocity of a point.
    pub fn slips(&self, i: usize, point: usize) -> [f64; 2] {
        [self.slip(i, point), if self.plane[point] { self.site(i, point, LINE) } else { 0.0 }]
    }
    /// Slip speed of a point.
    pub fn speed(&self, i: usize, point: usize) -> f64 {
        norm(&self.slips(i, point))
    }
    /// Power that friction takes at a point.
    pub fn power(&self, i: usize, point: usize) -> f64 {
        dot(&self.slips(i, point), &self.frictions(i, point))
    }
    /// Normal force of a point.
    pub fn load(&self, i: usize, point: usize) -> f64 {
        self.site(i, point, 1)
    }
    /// Friction force of a point, along the first direction.
    pub fn friction(&self, i: usize, point: usize) -> f64 {
        self.site(i, point, 2)
    }
    /// Both components of the friction force of a point.
    pub fn frictions(&self, i: usize, point: usize) -> [f64; 2] {
        [self.friction(i, point), if self.plane[point] { self.site(i, point, LINE + 1) } else { 0.0 }]
    }
    /// Integral of friction over normal force up to a row.
    pub fn coefficient_integral(&self, i: usize, point: usize) -> f64 {
        self.site(i, point, 3)
    }
    /// Friction over normal force, in two directions that of its size; 0 where there is none.
    #[inline]
    pub fn coefficient(&self, i: usize, point: usize) -> f64 {
        let load = self.load(i, point);
        let force = if self.plane[point] { norm(&self.frictions(i, point)) } else { self.friction(i, point) };
        coefficient(force, load, self.least_loads[point])
    }
    /// Mode of a point.
    pub fn mode(&self, i: usize, point: usize) -> Mode {
        self.modes[i * self.points + point]
    }
    /// Whether a point sticks.
    pub fn sticks(&self, i: usize, point: usize) -> bool {
        self.stuck[i * self.points + point]
    }
}
