//! Contact groups: one virtual call for all points of a contact, static code inside.
use super::claims::Claims;
use super::implicit;
use super::jets::{Jet, JetMaker};
use super::lanes::LaneKinds;
use super::law::{Event, Friction, Inner, Law, Scale, State};
use super::parameter_laws::Seeding;
use super::rotating_frame::Vectors;
use super::slide::Slide;
use super::values::Values;
use stickslip_formula::Formula;
use stickslip_real::{Dual, Real, Scalar};

/// One virtual call for all points: friction and state rates. In one direction the second component is zero.
pub trait Face<S: Real>: Send + Sync {
    /// Answers at every point; states lie point after point.
    fn respond(&self, at: &[Slide<S, 2>], z: &[S], dz: &mut [S], out: &mut [Friction<S, 2>]);
}

/// The friction side of a contact. The caller seeds the duals, so that every tangent comes through the same calls.
pub trait ContactGroup: Face<f64> + Face<Dual<4>> {
    /// Number of points.
    fn points(&self) -> usize;
    /// Tangential directions, 1 or 2.
    fn directions(&self) -> usize;
    /// States of one point.
    fn states(&self) -> &[State];
    /// Promises of the law with its parameters; these count, not those of the kind.
    fn claims(&self) -> Claims;
    /// The variable in which the slip velocity is smooth.
    fn velocity_scale(&self) -> Scale;
    /// Speed, m/s, below which the law of a point is linear at the states of that point, see [`Law::rest_speed`].
    fn rest_speed(&self, point: usize, z: &[f64]) -> Option<f64>;
    /// The law's own weights of a neighbourhood, see [`Law::kernel`].
    fn kernel(&self) -> Vec<f64>;
    /// Weights by which points see the normal forces of others (nonlocal laws): a row a point. None: each sees its own.
    fn coupling(&self) -> Option<&[f64]>;
    /// Shows every point the normal force that its law reads, and its rate: the mean over its neighbourhood. Whoever fills
    /// the slides of a contact calls it once: every question about a point is then asked under the same load.
    fn share_loads(&self, at: &mut [Slide<f64, 2>]) {
        let Some(weights) = self.coupling() else { return };
        let own: Vec<[f64; 2]> = at.iter().map(|at| [at.n, at.n_rate]).collect();
        for (at, row) in at.iter_mut().zip(weights.chunks_exact(own.len())) {
            let mean = |k: usize| row.iter().zip(&own).map(|(w, own)| w * own[k]).sum();
            (at.n, at.n_rate) = (mean(0), mean(1));
        }
    }
    /// Forces and states at the end of a step: the law's return map, else backward Euler; pure in `z0`.
    fn advance(
        &self,
        dt: f64,
        at: &[Slide<Dual<4>, 2>],
        z0: &[Dual<4>],
        z1: &mut [Dual<4>],
        f: &mut [[Dual<4>; 2]],
    ) -> Result<(), Failure>;
    /// Whether the law has a return map of its own over a step, see [`Law::step`].
    fn has_return_map(&self) -> bool;
    /// Guards of all points; each point has the same number.
    fn guards(&self, at: &[Slide<f64, 2>], z: &[f64], g: &mut Vec<f64>);
    /// The same with derivatives.
    fn dual_guards(&self, at: &[Slide<Dual<4>, 2>], z: &[Dual<4>], g: &mut Vec<Dual<4>>);
    /// Changes the states of one point at an event.
    fn on(&self, point: usize, event: Event<f64>, at: &Slide<f64, 2>, z: &mut [f64]);
    /// Elastic energy stored in all states, J.
    fn stored(&self, at: &[Slide<f64, 2>], z: &[f64]) -> f64;
    /// Which inner elements of a point stick, for laws that have some.
    fn inner(&self, point: usize, at: &Slide<f64, 2>, z: &[f64]) -> Option<Inner>;
    /// Strength of a set-valued law inside that of a point, where it shows a force alone.
    fn strength_inside(&self, point: usize, at: &Slide<f64, 2>) -> Option<f64>;
    /// Keeps what it takes to put this group into lanes.
    fn offer_lanes(&mut self, lanes: LaneKinds, values: &Values);
    /// What it takes to put this group into lanes beside others of its kind.
    fn lanes(&self) -> Option<&(LaneKinds, Values)>;
    /// Keeps what it takes to make this law with derivatives in its parameters.
    fn offer_seeds(&mut self, seeding: Seeding, values: &Values);
    /// What it takes to make this law with derivatives in its parameters: its constructor and its values.
    fn seeds(&self) -> Option<&(Seeding, Values)>;
    /// Keeps what it takes to make this law in power series.
    fn offer_jet(&mut self, _: JetMaker) {}
    /// This law in power series, where its kind has that.
    fn jet(&self) -> Option<Jet> {
        None
    }
    /// The delay whose history the law needs.
    fn lag(&self) -> Option<f64>;
    /// Shortest intrinsic time scale, s, if the law evolves without motion.
    fn intrinsic_time(&self) -> Option<f64>;
    /// Formulas of the time alone by which the law reads the clock.
    fn clocks(&self) -> Vec<Formula>;
    /// Quantities of a point's law that explain its answer: name, unit, value.
    fn observe(&self, point: usize, at: &Slide<f64, 2>, z: &[f64]) -> Vec<(&'static str, &'static str, f64)>;
    /// Why the law of a point has no answer here, where its rates are not numbers.
    fn fault(&self, point: usize, at: &Slide<f64, 2>, z: &[f64]) -> Option<&'static str>;
}

/// Why a step of the states failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A set-valued law has no force of its own: the caller projects on its cone.
    SetValued,
    /// Newton did not converge.
    NotConverged {
        /// Point of the group.
        point: usize,
        /// Last residual relative to the scale of the state.
        residual: f64,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::SetValued => write!(f, "a set-valued law has no return map of its own"),
            Failure::NotConverged { point, residual } => {
                write!(f, "the states of contact point {point} did not converge (relative residual {residual:.1e})")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Points in D directions with one law, or one law a point.
pub struct Group<L, LD, const D: usize> {
    laws: Vec<L>,
    duals: Vec<LD>,
    points: usize,
    states: Vec<State>,
    vectors: Vectors,
    claims: Claims,
    coupling: Option<Vec<f64>>,
    lanes: Option<(LaneKinds, Values)>,
    seeds: Option<(Seeding, Values)>,
    jet: Option<JetMaker>,
}

impl<const D: usize, L: Law<f64, D>, LD: Law<Dual<4>, D>> Group<L, LD, D> {
    /// `points` points that share `laws[0]`, or have a law each. `duals` are the same laws in dual arithmetic.
    pub fn new(laws: Vec<L>, duals: Vec<LD>, points: usize, claims: Claims) -> Self {
        assert!(laws.len() == duals.len() && (laws.len() == 1 || laws.len() == points));
        let claims = laws.iter().map(|law| law.claims(claims)).reduce(Claims::common).unwrap_or(claims);
        let kernel = laws[0].kernel();
        // What the law reads follows from its weights: no law can forget to claim it.
        let claims = Claims { neighbours: kernel.len() > 1, ..claims };
        let coupling = coupling(&kernel, points);
        let states = laws[0].states();
        let vectors = Vectors::of(&states);
        Group { states, vectors, laws, duals, points, claims, coupling, lanes: None, seeds: None, jet: None }
    }

    /// What a point sees. A spin is not for laws to see: the group turns their vectors.
    fn seen<S: Scalar>(&self, at: &[Slide<S, 2>], point: usize) -> Slide<S, D> {
        Slide { spin: S::zero(), ..at[point].project::<D>() }
    }

    fn law(&self, point: usize) -> &L {
        &self.laws[if self.laws.len() == 1 { 0 } else { point }]
    }

    fn dual(&self, point: usize) -> &LD {
        &self.duals[if self.duals.len() == 1 { 0 } else { point }]
    }
}

/// The weights of all points from those of a neighbourhood; where it ends they are shared among those that are left.
fn coupling(kernel: &[f64], points: usize) -> Option<Vec<f64>> {
    if kernel.len() < 2 || points < 2 {
        return None;
    }
    let mut weights = vec![0.0; points * points];
    for (i, row) in weights.chunks_exact_mut(points).enumerate() {
        let weight = |j: usize| kernel.get(i.abs_diff(j)).copied().unwrap_or(0.0);
        let all: f64 = (0..points).map(weight).sum();
        row.iter_mut().enumerate().for_each(|(j, w)| *w = weight(j) / all);
    }
    Some(weights)
}

/// Fills the second direction of an answer with zero.
#[inline(always)]
pub(super) fn widen<S: Real, const D: usize>(answer: Friction<S, D>) -> Friction<S, 2> {
    match answer {
        Friction::Cone { hold, strength } => Friction::Cone { hold, strength },
        Friction::Force(f) => Friction::Force(pair(f)),
    }
}

#[inline(always)]
fn pair<S: Real, const D: usize>(f: [S; D]) -> [S; 2] {
    std::array::from_fn(|i| if i < D { f[i] } else { S::zero() })
}

impl<const D: usize, L: Law<f64, D>, LD: Law<Dual<4>, D>> Face<f64> for Group<L, LD, D> {
    fn respond(&self, at: &[Slide<f64, 2>], z: &[f64], dz: &mut [f64], out: &mut [Friction<f64, 2>]) {
        let k = self.states.len();
        for i in 0..at.len() {
            let (z, dz) = (&z[i * k..(i + 1) * k], &mut dz[i * k..(i + 1) * k]);
            out[i] = widen(self.law(i).respond(&self.seen(at, i), z, dz));
            self.vectors.add_spin(at[i].spin, z, dz);
        }
    }
}

impl<const D: usize, L: Law<f64, D>, LD: Law<Dual<4>, D>> Face<Dual<4>> for Group<L, LD, D> {
    fn respond(&self, at: &[Slide<Dual<4>, 2>], z: &[Dual<4>], dz: &mut [Dual<4>], out: &mut [Friction<Dual<4>, 2>]) {
        let k = self.states.len();
        for i in 0..at.len() {
            let (z, dz) = (&z[i * k..(i + 1) * k], &mut dz[i * k..(i + 1) * k]);
            out[i] = widen(self.dual(i).respond(&self.seen(at, i), z, dz));
            self.vectors.add_spin(at[i].spin, z, dz);
        }
    }
}

impl<const D: usize, L: Law<f64, D>, LD: Law<Dual<4>, D>> ContactGroup for Group<L, LD, D> {
    fn points(&self) -> usize {
        self.points
    }
    fn directions(&self) -> usize {
        D
    }
    fn states(&self) -> &[State] {
        &self.states
    }
    fn claims(&self) -> Claims {
        self.claims
    }
    fn velocity_scale(&self) -> Scale {
        self.laws[0].velocity_scale()
    }
    fn rest_speed(&self, point: usize, z: &[f64]) -> Option<f64> {
        self.law(point).rest_speed(z)
    }
    fn kernel(&self) -> Vec<f64> {
        self.laws[0].kernel()
    }
    fn coupling(&self) -> Option<&[f64]> {
        self.coupling.as_deref()
    }

    fn advance(
        &self,
        dt: f64,
        at: &[Slide<Dual<4>, 2>],
        z0: &[Dual<4>],
        z1: &mut [Dual<4>],
        f: &mut [[Dual<4>; 2]],
    ) -> Result<(), Failure> {
        let k = self.states.len();
        let mut rates = vec![Dual::constant(0.0); k];
        let mut turned = rates.clone();
        let mut room = implicit::Workspace::new(k);
        for point in 0..at.len() {
            let range = point * k..(point + 1) * k;
            // The frame turns first, then the law acts: backward Euler on a turn would shorten vectors.
            self.vectors.turned(at[point].spin * dt, &z0[range.clone()], &mut turned);
            let (z0, z1) = (&turned[..], &mut z1[range]);
            let at = self.seen(at, point);
            let law = self.dual(point);
            if let Some(force) = law.step(&at, Dual::constant(dt), z0, z1, &mut rates) {
                f[point] = pair(force);
                continue;
            }
            implicit::backward_euler(law, &self.states, &at, dt, z0, z1, &mut room)
                .map_err(|residual| Failure::NotConverged { point, residual })?;
            match law.respond(&at, z1, &mut rates) {
                Friction::Force(force) => f[point] = pair(force),
                Friction::Cone { .. } => return Err(Failure::SetValued),
            }
        }
        Ok(())
    }

    fn has_return_map(&self) -> bool {
        let start: Vec<f64> = self.states.iter().map(|s| s.start).collect();
        let (mut end, mut rates) = (start.clone(), start.clone());
        self.laws[0].step(&Slide::new([0.0; D], 1.0), 1.0, &start, &mut end, &mut rates).is_some()
    }

    fn guards(&self, at: &[Slide<f64, 2>], z: &[f64], g: &mut Vec<f64>) {
        let k = self.states.len();
        for (i, at) in at.iter().enumerate() {
            self.law(i).guards(&at.project::<D>(), &z[i * k..(i + 1) * k], g);
        }
    }
    fn dual_guards(&self, at: &[Slide<Dual<4>, 2>], z: &[Dual<4>], g: &mut Vec<Dual<4>>) {
        let k = self.states.len();
        for (i, at) in at.iter().enumerate() {
            self.dual(i).guards(&at.project::<D>(), &z[i * k..(i + 1) * k], g);
        }
    }
    fn on(&self, point: usize, event: Event<f64>, at: &Slide<f64, 2>, z: &mut [f64]) {
        let k = self.states.len();
        self.law(point).on(event, &at.project::<D>(), &mut z[point * k..(point + 1) * k]);
    }
    fn stored(&self, at: &[Slide<f64, 2>], z: &[f64]) -> f64 {
        let k = self.states.len();
        let one = |(i, at): (usize, &Slide<f64, 2>)| self.law(i).stored(&at.project::<D>(), &z[i * k..(i + 1) * k]);
        at.iter().enumerate().map(one).sum()
    }
    fn inner(&self, point: usize, at: &Slide<f64, 2>, z: &[f64]) -> Option<Inner> {
        let k = self.states.len();
        self.law(point).inner(&at.project::<D>(), &z[point * k..(point + 1) * k])
    }
    fn strength_inside(&self, point: usize, at: &Slide<f64, 2>) -> Option<f64> {
        self.law(point).strength_inside(&at.project::<D>())
    }
    fn offer_lanes(&mut self, lanes: LaneKinds, values: &Values) {
        self.lanes = Some((lanes, values.clone()));
    }
    fn lanes(&self) -> Option<&(LaneKinds, Values)> {
        self.lanes.as_ref()
    }
    fn offer_seeds(&mut self, seeding: Seeding, values: &Values) {
        self.seeds = Some((seeding, values.clone()));
    }
    fn seeds(&self) -> Option<&(Seeding, Values)> {
        self.seeds.as_ref()
    }
    fn offer_jet(&mut self, jet: JetMaker) {
        self.jet = Some(jet);
    }
    fn jet(&self) -> Option<Jet> {
        self.jet.as_ref().and_then(|make| make().ok())
    }
    fn lag(&self) -> Option<f64> {
        self.laws[0].lag()
    }
    fn intrinsic_time(&self) -> Option<f64> {
        self.laws.iter().filter_map(Law::intrinsic_time).reduce(f64::min)
    }
    fn clocks(&self) -> Vec<Formula> {
        self.laws.iter().flat_map(Law::clocks).collect()
    }
    fn observe(&self, point: usize, at: &Slide<f64, 2>, z: &[f64]) -> Vec<(&'static str, &'static str, f64)> {
        let k = self.states.len();
        self.law(point).observe(&at.project::<D>(), &z[point * k..(point + 1) * k])
    }
    fn fault(&self, point: usize, at: &Slide<f64, 2>, z: &[f64]) -> Option<&'static str> {
        let k = self.states.len();
        self.law(point).fault(&at.project::<D>(), &z[point * k..(point + 1) * k])
    }
}
