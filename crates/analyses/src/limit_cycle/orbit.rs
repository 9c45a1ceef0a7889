//! One cycle: Newton's method on the map of a period, its multipliers, its extremes, and the check that it is an orbit.
use super::section::{Beginning, RTOL, Return, Returns};
use stickslip_data::{Status, Value};
use stickslip_dynamics::{Dynamics, Stretches};
use stickslip_laws::{Mode, Scale};
use stickslip_model::{Context, Model, Output, Over, Probe};
use stickslip_motion::{FlowStart, Motion, Seeds, Transient, Until, flow};
use stickslip_solve::dense::Lu;
use stickslip_solve::eigen::eigenvalues;

/// Newton steps towards a cycle.
const MOST_STEPS: usize = 40;
/// A correction this small, against the sizes of the unknowns, is the last.
pub const CLOSED: f64 = 1e-12;
/// One that falls no more is rounding below this.
pub const ROUNDING: f64 = 1e-8;
/// A step longer than this, against the sizes of the unknowns, is cut.
const LONGEST: f64 = 0.5;
/// A speed that differs by less than this part of the drive's all the way round is that of steady sliding.
pub const COLLAPSED: f64 = 1e-6;
/// Multipliers below this are rounding of 0, where stick collapses directions.
const ZERO: f64 = 1e-12;
/// Above this spectral radius the second period is no longer the same.
const REPEATS: f64 = 1e3;
/// The forward check of a period returns to its start this well, times what the multipliers make of an error.
const CHECKED: f64 = 1e-6;
/// What happens within this part of a period happens at its start.
const AT_ONCE: f64 = 1e-10;

/// Well-scaled unknowns at the beginning of a period: those that move.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Unknowns that change from period to period.
    pub kept: Vec<usize>,
    /// Whether each unknown of all stands as its logarithm.
    pub logs: Vec<bool>,
    /// Sizes of all unknowns, on their scales.
    pub sizes: Vec<f64>,
    /// All unknowns, for those that stay.
    pub all: Vec<f64>,
    /// Number of coordinates, which come first.
    pub coordinates: usize,
}

impl Shape {
    /// Near a beginning `y` of a period of such a length; the derivatives of the map tell which unknowns stay.
    pub fn new(returns: &Returns, y: &[f64], period: f64, map: &[f64]) -> Shape {
        let (facts, m) = (&returns.facts, y.len());
        let stays = |i: usize| (0..m).all(|j| map[i * m + j] == if i == j { 1.0 } else { 0.0 });
        let kept = (0..m).filter(|i| map.is_empty() || !stays(*i)).collect();
        let logs: Vec<bool> = (0..m).map(|i| matches!(facts.scales[i], Scale::Log) && y[i] > 0.0).collect();
        let [length, velocity] = facts.sizes(period);
        let size = |i: usize| match i {
            _ if logs[i] => 1.0,
            i if i < facts.n => length,
            i if i < 2 * facts.n => velocity,
            i => y[i].abs().max(facts.scales[i].size().min(1.0)),
        };
        Shape { kept, sizes: (0..m).map(size).collect(), logs, all: y.to_vec(), coordinates: facts.n }
    }

    /// Unknowns on their scales.
    pub fn encode(&self, y: &[f64]) -> Vec<f64> {
        self.kept.iter().map(|i| if self.logs[*i] { y[*i].ln() } else { y[*i] }).collect()
    }

    /// All unknowns.
    pub fn decode(&self, w: &[f64]) -> Vec<f64> {
        let mut y = self.all.clone();
        self.kept.iter().zip(w).for_each(|(i, w)| y[*i] = if self.logs[*i] { w.exp() } else { *w });
        y
    }

    /// Derivatives of the unknowns that move, on their scales.
    pub fn slopes(&self, matrix: &[f64], start: &[f64], end: &[f64]) -> Vec<f64> {
        let m = start.len();
        let by = |i: usize, y: &[f64]| if self.logs[i] { y[i] } else { 1.0 };
        let entry = |i: &usize, j: &usize| matrix[i * m + j] * by(*j, start) / by(*i, end);
        self.kept.iter().flat_map(|i| self.kept.iter().map(move |j| entry(i, j)).collect::<Vec<_>>()).collect()
    }

    /// Size of a change.
    pub fn length(&self, dw: &[f64]) -> f64 {
        self.kept.iter().zip(dw).map(|(i, d)| (d / self.sizes[*i]).powi(2)).sum::<f64>().sqrt()
    }
}

/// A cycle.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// Unknowns at the beginning of a period.
    pub y: Vec<f64>,
    /// Once round from there.
    pub round: Return,
    /// Multipliers [re, im], by falling modulus, with the trivial one.
    pub multipliers: Vec<[f64; 2]>,
    /// Those but for the trivial one.
    pub others: Vec<[f64; 2]>,
    /// How far the trivial one is from what it should be.
    pub trivial_error: f64,
    /// Peak to peak of the first coordinate, m.
    pub amplitude: f64,
    /// Largest first coordinate.
    pub value_max: f64,
    /// Largest speed of the first coordinate.
    pub speed_max: f64,
    /// Part of the time in stick, of each point.
    pub stick_fraction: Vec<f64>,
}

impl Cycle {
    /// Whether disturbances fade.
    pub fn is_stable(&self) -> bool {
        self.others.iter().all(|v| v[0].hypot(v[1]) < 1.0)
    }

    /// Spectral radius without the trivial multiplier.
    pub fn radius(&self) -> f64 {
        self.others.iter().fold(0.0, |most: f64, v| most.max(v[0].hypot(v[1])))
    }
}

/// Newton's method on the map of a period; the beginning, and the motion once round with derivatives.
pub fn closed(returns: &Returns, start: &[f64], period: f64) -> Result<(Vec<f64>, Return), String> {
    let mut y = start.to_vec();
    returns.project(&mut y);
    let mut last = f64::INFINITY;
    let horizon = 5.0 * period;
    for _ in 0..MOST_STEPS {
        let round = returns.go(&y, true, horizon).map_err(|e| e.to_string())?;
        let shape = Shape::new(returns, &y, round.period, &round.map);
        if let Some(text) = collapsed(returns, &round) {
            return Err(text);
        }
        let (k, w) = (shape.kept.len(), shape.encode(&y));
        let mut step: Vec<f64> = shape.encode(&round.y).iter().zip(&w).map(|(a, b)| a - b).collect();
        let mut matrix = shape.slopes(&round.map, &y, &round.y);
        matrix.iter_mut().enumerate().for_each(|(e, x)| *x = f64::from(u8::from(e / k == e % k)) - *x);
        Lu::new(k, &matrix).ok_or("a multiplier is 1")?.solve(&mut step);
        let length = shape.length(&step);
        if !length.is_finite() {
            return Err("Newton's method does not converge".into());
        }
        if length <= CLOSED || (length <= ROUNDING && length > 0.3 * last) {
            return Ok((y, round));
        }
        let cut = (LONGEST / length).min(1.0);
        let next: Vec<f64> = w.iter().zip(&step).map(|(w, d)| w + cut * d).collect();
        y = shape.decode(&next);
        returns.project(&mut y);
        last = length;
    }
    Err(format!("Newton's method does not converge (last correction {last:.1e})"))
}

/// Says so where a motion that came back is steady sliding.
pub fn collapsed(returns: &Returns, round: &Return) -> Option<String> {
    let facts = &returns.facts;
    let Beginning::Slip(i) = returns.beginning else { return None };
    let rate: f64 = (0..facts.n).map(|j| facts.slips[i].0[j] * round.dy[facts.n + j]).sum();
    let part = rate.abs() * round.period / (std::f64::consts::TAU * facts.steady[i].abs());
    (part < COLLAPSED).then(|| "the cycle collapses to steady sliding".to_string())
}

/// The cycle with all that is said of it.
pub fn described(returns: &Returns, model: &Model, y: Vec<f64>, round: Return) -> Result<Cycle, String> {
    let shape = Shape::new(returns, &y, round.period, &round.map);
    let k = shape.kept.len();
    let failed = "the multipliers did not converge";
    let map = shape.slopes(&round.map, &y, &round.y);
    let size = |v: &[f64; 2]| v[0].hypot(v[1]);
    let fall = |all: &mut Vec<[f64; 2]>| all.sort_by(|a, b| size(b).total_cmp(&size(a)).then(b[1].total_cmp(&a[1])));
    let mut others = eigenvalues(k, &map).ok_or(failed)?;
    fall(&mut others);
    // The direction along the motion stays on the section as it is: it is the one that vanishes.
    others.pop();
    let sticks = round.sequence.iter().flatten().any(|m| *m == Mode::Stick);
    others.iter_mut().filter(|v| sticks && size(v) < ZERO).for_each(|v| *v = [0.0; 2]);
    let scaled = |i: usize| {
        let by = if shape.logs[i] { round.y[i] } else { shape.sizes[i] };
        round.dy[i] / by
    };
    let along: Vec<f64> = shape.kept.iter().map(|i| scaled(*i)).collect();
    let monodromy = shape.slopes(&round.monodromy, &y, &round.y);
    let sizes: Vec<f64> = shape.kept.iter().map(|i| if shape.logs[*i] { 1.0 } else { shape.sizes[*i] }).collect();
    let moved: Vec<f64> =
        (0..k).map(|i| (0..k).map(|j| monodromy[i * k + j] * along[j] * sizes[j]).sum::<f64>() / sizes[i]).collect();
    let square: f64 = along.iter().map(|x| x * x).sum();
    let trivial = along.iter().zip(&moved).map(|(a, b)| a * b).sum::<f64>() / square;
    let off = along.iter().zip(&moved).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let mut multipliers = others.clone();
    multipliers.push([trivial, 0.0]);
    fall(&mut multipliers);
    let mut cycle = Cycle {
        y,
        round,
        multipliers,
        others,
        trivial_error: (off / square).sqrt(),
        amplitude: f64::NAN,
        value_max: f64::NAN,
        speed_max: f64::NAN,
        stick_fraction: vec![],
    };
    extremes(model, &mut cycle)?;
    if cycle.amplitude <= COLLAPSED * returns.facts.speed() * cycle.round.period {
        return Err("the cycle collapses to steady sliding".into());
    }
    Ok(cycle)
}

/// Extremes of a period, by a run.
fn extremes(model: &Model, cycle: &mut Cycle) -> Result<(), String> {
    let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let s = &model.structure;
    let once = cycle.radius() > REPEATS;
    let over = if once { Over::Run } else { Over::Settled };
    let names = [s.coordinates[0].clone(), format!("rate.{}", s.rates[0])];
    let probe = |quantity: &String| Probe { quantity: quantity.clone(), over: over.clone(), ..Probe::default() };
    let output = Output { probes: names.iter().map(probe).collect(), brief: true, ..Output::default() };
    let context = Context { output, ..Context::default() };
    let end = if once { cycle.round.period } else { 2.0 * cycle.round.period };
    let run = Motion::new(dynamics, &Transient::plain(RTOL), cycle.y.clone()).in_full((end, f64::INFINITY), &context);
    if run.status >= Status::Failed {
        return Err(run.reason.unwrap_or_else(|| "the run over a period failed".into()));
    }
    let value = |name: &str, end: &str| run.number(&format!("probe.{name}.{end}")).unwrap_or(f64::NAN);
    let (high, low) = (value(&names[0], "max"), value(&names[0], "min"));
    (cycle.amplitude, cycle.value_max) = (high - low, high);
    cycle.speed_max = value(&names[1], "max").abs().max(value(&names[1], "min").abs());
    cycle.stick_fraction = match run.value("stick_fraction").map(|q| &q.value) {
        _ if once => vec![f64::NAN; cycle.round.modes.len()],
        Some(Value::Number(x)) => vec![*x],
        Some(Value::List(all)) => all.clone(),
        _ => vec![],
    };
    if [high, low, cycle.speed_max].iter().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err("a period has no extremes".into())
    }
}

/// One exact period from the beginning of a cycle, in the modes that hold there: another sequence of modes is no orbit.
pub fn check(model: &Model, y: &[f64], round: &Return, sizes: &[f64], radius: f64) -> Result<(), String> {
    let start = FlowStart { y: y.to_vec(), ..FlowStart::default() };
    // Its last event may come a rounding later.
    let until = round.period * (1.0 + 1e-9);
    let end = flow(model, &start, Until::Time(until), Seeds::default(), RTOL).map_err(|e| e.to_string())?;
    // Rounding of a speed at its start may show as slip that ends at once.
    let begun = |e: &&stickslip_motion::FlowEvent| e.t > AT_ONCE * round.period || e.modes[1] != round.sequence[0];
    let changes = end.events.iter().filter(|e| e.modes[0] != e.modes[1]).filter(begun);
    let mut found: Vec<&Vec<Mode>> = changes.map(|e| &e.modes[1]).collect();
    let mut wanted: Vec<&Vec<Mode>> = round.sequence.iter().skip(1).collect();
    if round.sequence.len() > 1 {
        wanted.push(&round.sequence[0]);
    }
    found.dedup();
    wanted.dedup();
    if found != wanted {
        let words = |all: &[&Vec<Mode>]| all.iter().map(|m| word(m)).collect::<Vec<_>>().join(", ");
        return Err(format!("no orbit: one exact period has the modes {}, not {}", words(&found), words(&wanted)));
    }
    let late = until - round.period;
    let open = end.y.iter().zip(y).zip(sizes).zip(&end.dy);
    let open = open.map(|(((a, b), size), rate)| ((a - b - rate * late) / size).abs()).fold(0.0, f64::max);
    if open > CHECKED * radius.max(1.0) {
        return Err(format!("no orbit: one exact period misses its start by {open:.1e} of the size of the unknowns"));
    }
    Ok(())
}

/// Modes of all points as a word.
pub fn word(modes: &[Mode]) -> String {
    modes.iter().map(|m| m.name()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::super::settled::settle;
    use super::*;
    use std::sync::Arc;
    use stickslip_model::{Contact, Formulation, Start};
    use stickslip_structures::{Loading, Place, Signal, Structure};

    /// A block of 1 kg on a spring of 1 N/m and a belt.
    fn belt(damping: f64, velocity: f64) -> Model {
        let place = Place { tangent: vec![vec![-1.0]], surface: 1.0, ..Place::default() };
        let law: (&str, &[(&str, f64)]) = ("coulomb", &[("mu_s", 1.5), ("mu_k", 1.0)]);
        let contact = Contact::new(place.clone(), ("constant", &[("force", 1.0)]), law).unwrap();
        Model {
            structure: Arc::new(Structure {
                coordinates: vec!["x".into()],
                rates: vec!["x".into()],
                mass: vec![1.0],
                damping: vec![damping],
                stiffness: vec![1.0],
                orientation: 1.0,
                base: vec![0.0],
                places: vec![place],
                ..Structure::default()
            }),
            contacts: Arc::new(vec![contact]),
            loading: Arc::new(Loading { surface: Some(Signal::Constant(velocity)), ..Loading::default() }),
            formulation: Formulation::Exact,
            start: Start::default(),
            seed: 0,
        }
    }

    /// Stick up to 1.5, then a circle about 1: closed form to rounding, and multipliers exactly 1 and 0.
    #[test]
    fn a_cycle_on_a_belt_has_its_closed_form() {
        let v = 0.2f64;
        let cycle = settle(&belt(0.0, v), &Context::default()).unwrap().cycle;
        let period = 1.0 / v + std::f64::consts::TAU - 2.0 * (0.5 / v).atan();
        assert!((cycle.round.period - period).abs() < 1e-11, "{}", cycle.round.period);
        assert!((cycle.amplitude - 2.0 * f64::hypot(0.5, v)).abs() < 1e-11, "{}", cycle.amplitude);
        assert!((cycle.stick_fraction[0] - 1.0 / v / period).abs() < 1e-10);
        assert!(cycle.trivial_error < 1e-12 && cycle.others == [[0.0; 2]] && cycle.is_stable());
    }

    /// A motion that is no orbit does not pass: modes in another order, a start from which stick can't hold, and one that
    /// comes back elsewhere.
    #[test]
    fn what_is_no_orbit_is_found_out() {
        let model = belt(0.0, 0.2);
        let cycle = settle(&model, &Context::default()).unwrap().cycle;
        let sizes = [1.0, 1.0];
        assert_eq!(check(&model, &cycle.y, &cycle.round, &sizes, 0.0), Ok(()));
        let mut wrong = cycle.round.clone();
        wrong.sequence = vec![vec![Mode::Stick], vec![Mode::Forward], vec![Mode::Backward]];
        let told = check(&model, &cycle.y, &wrong, &sizes, 0.0).unwrap_err();
        assert!(told.contains("no orbit") && told.contains("slip-"), "{told}");
        // Beyond the break-away.
        let told = check(&model, &[1.7, 0.2], &cycle.round, &sizes, 0.0).unwrap_err();
        assert!(told.contains("no orbit"), "{told}");
        // A period that is none.
        let late = Return { period: 1.01 * cycle.round.period, ..cycle.round.clone() };
        let told = check(&model, &cycle.y, &late, &sizes, 0.0).unwrap_err();
        assert!(told.contains("misses its start"), "{told}");
    }

    /// Steady sliding is no cycle, however the motion gets there.
    #[test]
    fn steady_sliding_is_no_cycle() {
        let mut model = belt(0.1, 2.0);
        model.start.state = stickslip_model::StartState::SteadySliding;
        model.start.add.rates = vec![("x".into(), 0.1)];
        let told = settle(&model, &Context::default()).err().expect("no cycle");
        assert!(told.contains("steady sliding") || told.contains("section"), "{told}");
    }
}
