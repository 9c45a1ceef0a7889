//! The equations about steady sliding in well-scaled variables, at any values of the parameters.
use stickslip_dynamics::start::{evaluated, steady_sliding};
use stickslip_dynamics::{Dynamics, Jets, Stiff, Variables, Workspace};
use stickslip_laws::{Cubic, Mode, Scale};
use stickslip_model::Model;
use stickslip_real::Real;
use stickslip_solve::continuation::Family;
use stickslip_solve::eigen::eigenvalues;
use stickslip_solve::radau::System;
use stickslip_structures::Refused;

/// The model at places of the parameters.
pub type ModelAt<'a> = &'a dyn Fn(&[f64]) -> Result<Model, String>;

/// A coordinate this part of the largest is as good as that: the equations do not change on a finer scale.
const COORDINATE: f64 = 1e-3;
/// The same against its own value elsewhere in the ranges.
const ELSEWHERE: f64 = 0.05;
/// Size of coordinates where all are zero, m.
const NO_COORDINATE: f64 = 1e-6;

/// An equilibrium where the motion slides steadily: the variables that move, and their spectrum.
#[derive(Clone, Debug)]
pub struct Found {
    /// The variables that move.
    pub x: Vec<f64>,
    /// Eigenvalues, the most unstable first.
    pub values: Vec<[f64; 2]>,
}

/// Steady sliding that varies with parameters.
pub struct Sliding<'a> {
    model_at: ModelAt<'a>,
    variables: Variables,
    modes: Vec<Mode>,
    /// All variables; those that do not move stay as they are.
    all: Vec<f64>,
    /// Those that move.
    kept: Vec<usize>,
    /// Number of coordinates.
    pub coordinates: usize,
    /// Evaluations of the equations with their Jacobian.
    pub evaluations: u64,
    speed: f64,
    /// How large each coordinate is elsewhere in the ranges.
    typical: Vec<f64>,
    room: Workspace,
    rates: Vec<f64>,
    jac: Vec<f64>,
    at: Option<(Vec<f64>, Model)>,
}

impl<'a> Sliding<'a> {
    /// About the steady sliding of the model at these places; its variables are those of all models near it.
    pub fn new(model_at: ModelAt<'a>, p: &[f64]) -> Result<(Sliding<'a>, Found), Refused> {
        let varied = |e: String| Refused::new("analysis", "analysis::no-model", e);
        let model = model_at(p).map_err(varied)?;
        let singular = || Refused::new("structure.mass", "structure::singular", "the mass matrix is singular");
        let mut dynamics = Dynamics::new(&model).ok_or_else(singular)?;
        let (y, modes) = steady_sliding(&mut dynamics)?;
        let m = dynamics.dim();
        evaluated(&mut dynamics, &y, &modes, &mut vec![0.0; m])?;
        let variables = Variables::of_steady(&dynamics, &y);
        let mut jac = vec![0.0; m * m];
        variables.jacobian_at(&mut dynamics, &y, &modes, &mut jac);
        let mut all = vec![0.0; m];
        variables.encode(&dynamics, 0.0, &y, &mut all);
        let n = dynamics.n;
        // States that do not move in slip whatever happens: clocks that stand, what was latched.
        let moves = |k: &usize| *k < 2 * n || jac[k * m..(k + 1) * m].iter().any(|x| *x != 0.0);
        let kept: Vec<usize> = (0..m).filter(moves).collect();
        let speed =
            dynamics.at.iter().flat_map(|at| at.slip).fold(dynamics.base_velocity(0.0).abs(), |a, b| a.max(b.abs()));
        let x: Vec<f64> = kept.iter().map(|k| all[*k]).collect();
        let inner: Vec<f64> = kept.iter().flat_map(|i| kept.iter().map(move |k| i * m + k)).map(|e| jac[e]).collect();
        let values = eigenvalues(kept.len(), &inner)
            .ok_or_else(|| Refused::new("analysis", "analysis::no-spectrum", "the eigenvalues did not converge"))?;
        let sliding = Sliding {
            model_at,
            variables,
            modes,
            all,
            kept,
            coordinates: n,
            evaluations: 0,
            speed: if speed > 0.0 { speed } else { 1.0 },
            typical: vec![0.0; n],
            room: Workspace::new(m),
            rates: vec![0.0; m],
            jac,
            at: None,
        };
        Ok((sliding, Found { x, values }))
    }

    /// Notes how large the coordinates are in another part of the ranges: one that begins at zero has a size all the same.
    pub fn note_sizes(&mut self, x: &[f64]) {
        self.typical.iter_mut().zip(x).for_each(|(most, q)| *most = most.max(q.abs()));
    }

    /// Contacts without a normal force at a point.
    pub fn unloaded(&mut self, x: &[f64], p: &[f64]) -> Vec<usize> {
        let looked = self.with(x, p, |stiff, all| {
            stiff.evaluate(0.0, all);
            let points = || stiff.dynamics.sites.iter().zip(&stiff.dynamics.at);
            let loaded = |c: &usize| points().any(|(s, at)| s.contact == *c && at.load > 0.0);
            (0..stiff.dynamics.model.contacts.len()).filter(|c| !loaded(c)).collect()
        });
        looked.unwrap_or_default()
    }

    /// Calls `f` with the equations at a point, whose rates have been asked for.
    fn with<R>(&mut self, x: &[f64], p: &[f64], f: impl FnOnce(&mut Stiff, &[f64]) -> R) -> Result<R, String> {
        if self.at.as_ref().is_none_or(|(at, _)| at != p) {
            self.at = None;
            self.at = Some((p.to_vec(), (self.model_at)(p)?));
        }
        let Some((_, model)) = &self.at else { return Err("there is no model".into()) };
        let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
        self.kept.iter().zip(x).for_each(|(k, x)| self.all[*k] = *x);
        self.room.forget();
        let Sliding { variables, modes, room, all, .. } = self;
        let mut stiff = Stiff { dynamics: &mut dynamics, variables, modes, base: 0.0, room };
        Ok(f(&mut stiff, all))
    }

    /// Calls `f` with second and third derivatives of the rates along directions; or the name of a law without power series.
    pub fn forms<R>(
        &mut self,
        x: &[f64],
        p: &[f64],
        f: impl FnOnce(&mut dyn FnMut(&[f64]) -> Option<[Vec<f64>; 2]>) -> R,
    ) -> Result<R, String> {
        let kept = self.kept.clone();
        self.with(x, p, |stiff, all| {
            let jets = Jets::of(stiff.dynamics.model).map_err(|law| {
                format!("the law `{law}` has no third derivatives: the kind of Hopf points is not known")
            })?;
            let m = all.len();
            let mut rates = vec![0.0; m];
            stiff.rates(0.0, all, &mut rates);
            let (mut direction, mut out) = (vec![0.0; m], vec![Cubic::zero(); m]);
            let mut forms = |d: &[f64]| {
                kept.iter().zip(d).for_each(|(k, d)| direction[*k] = *d);
                stiff.expand(&jets, all, &direction, &mut out);
                let form = |term: usize, by: f64| kept.iter().map(|k| out[*k].0[term] * by).collect::<Vec<f64>>();
                let [second, third] = [form(2, 2.0), form(3, 6.0)];
                let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
                (finite(&second) && finite(&third)).then_some([second, third])
            };
            Ok(f(&mut forms))
        })?
    }
}

impl Family for Sliding<'_> {
    fn dim(&self) -> usize {
        self.kept.len()
    }

    fn evaluate(&mut self, x: &[f64], p: &[f64], rates: &mut [f64], jac: &mut [f64]) -> Result<(), String> {
        self.evaluations += 1;
        let (mut all_rates, mut all_jac) = (std::mem::take(&mut self.rates), std::mem::take(&mut self.jac));
        let done = self.with(x, p, |stiff, all| {
            stiff.rates(0.0, all, &mut all_rates);
            let turned = stiff.dynamics.at.iter().zip(stiff.modes).any(|(at, mode)| at.slip[0] * mode.sign() <= 0.0);
            stiff.jacobian(0.0, all, &mut all_jac);
            turned
        });
        let m = all_rates.len();
        for (i, k) in self.kept.iter().enumerate() {
            rates[i] = all_rates[*k];
            let row = &mut jac[i * self.kept.len()..(i + 1) * self.kept.len()];
            row.iter_mut().zip(&self.kept).for_each(|(entry, j)| *entry = all_jac[k * m + j]);
        }
        (self.rates, self.jac) = (all_rates, all_jac);
        match done? {
            true => Err("a contact comes to rest or reverses: steady sliding needs a velocity other than 0".into()),
            false if rates.iter().chain(&*jac).all(|x| x.is_finite()) => Ok(()),
            false => Err("the laws have no numbers there".into()),
        }
    }

    fn sizes(&self, x: &[f64], out: &mut [f64]) {
        let n = self.coordinates;
        let most = x[..n].iter().fold(0.0, |most: f64, q| most.max(q.abs()));
        for (i, out) in out.iter_mut().enumerate() {
            *out = match self.variables.scale(self.kept[i]) {
                _ if i < n => {
                    let size = x[i].abs().max(COORDINATE * most).max(ELSEWHERE * self.typical[i]);
                    if size > 0.0 { size } else { NO_COORDINATE }
                }
                Scale::Linear(_) if i < 2 * n && x[i] != 0.0 => x[i].abs(),
                Scale::Linear(_) if i < 2 * n => self.speed,
                Scale::Linear(size) => size.max(x[i].abs()),
                _ => 1.0,
            };
        }
    }
}
