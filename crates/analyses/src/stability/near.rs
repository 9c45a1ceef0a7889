//! Modes nearest to a frequency, alone and followed along a parameter.
use super::modes::{Shape, of_pairs};
use super::{Spectrum, ordered};
use stickslip_data::{Outcome, Table, Value};
use stickslip_solve::quadratic::{Near, Problem, all};
use stickslip_solve::sparse::{Complex, Order};
use stickslip_structures::{Ask, Keys, Refused};

/// Modes that are found unless a number is given.
const COUNT: f64 = 10.0;
/// Most of them.
const MOST: f64 = 1000.0;
/// Modes beside those that are asked for, among which each is looked for at the next point. Far from the shift slow modes of a stiff
/// body are not known well enough to be accepted: then fewer are found.
const SPARE: [usize; 3] = [6, 2, 0];
/// A mode is the same where the square of the cosine between shapes is at least this; else the step is halved.
pub const SAME: f64 = 0.6;
/// Part of its size within which two values are those of one pair that has met.
const PAIR: f64 = 1e-6;
/// Of so many unknowns all modes are found, from a full matrix.
pub const MOST_FULL: usize = 250;
/// The shift lies off the axis by this part, so that no mode without damping is on it.
const OFF_AXIS: f64 = 1e-3;

/// Which modes are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby {
    /// rad/s
    pub omega: f64,
    /// How many.
    pub count: usize,
}

impl Nearby {
    /// Reads `near` and `count`; none where neither is given.
    pub fn read(keys: &mut dyn Keys) -> Result<Option<Nearby>, Refused> {
        let given = keys.has("near");
        let about = "Frequency near which modes are found; without it a small model gives all";
        let omega = keys.number(Ask::new("near", "rad/s", about).or(0.0).min(0.0))?;
        let count =
            keys.count(Ask::new("count", "1", "How many modes are found there").or(COUNT).min(1.0).max(MOST))?;
        Ok(given.then_some(Nearby { omega, count }))
    }

    /// The modes of a spectrum nearest to the frequency, with some to spare.
    pub fn modes(&self, spectrum: &Spectrum) -> Result<Vec<Shape>, Refused> {
        let failed = |e: String| Refused::new("analysis.near", "analysis::no-spectrum", e);
        let count = self.count + SPARE[0];
        let mut found = match (&spectrum.linearised, &spectrum.system) {
            (Some(l), _) => {
                let problem = Problem { mass: &l.mass, damping: &l.damping, stiffness: &l.stiffness };
                let size = if self.omega > 0.0 { self.omega } else { 1.0 };
                let shift = Complex::new(OFF_AXIS * size, self.omega);
                let points = spectrum.model.as_ref().and_then(|model| model.structure.whole.as_ref());
                let order = Order { points: points.map(|whole| &whole.places[..]), last: &[] };
                let found = match problem.n() > MOST_FULL {
                    true => {
                        let with = |spare: usize| Near::new(shift, self.count + spare).modes(&problem, order);
                        SPARE[1..].iter().fold(with(SPARE[0]), |found, spare| found.or_else(|_| with(*spare)))
                    }
                    // No slower, and none is missed.
                    false => all(&problem),
                };
                found.map_err(|e| failed(e.to_string()))?.into_iter().map(|mode| Shape::of(&mode)).collect()
            }
            (None, Some(system)) => of_pairs(system, spectrum.coordinates.len())
                .ok_or_else(|| failed("the eigenvectors did not converge".into()))?,
            (None, None) => return Err(failed("laws with a lag have no modes near a frequency".into())),
        };
        found.retain(|mode| mode.value[1] >= 0.0);
        found.sort_by(|a, b| self.distance(a).total_cmp(&self.distance(b)));
        found.truncate(count);
        Ok(found)
    }

    fn distance(&self, mode: &Shape) -> f64 {
        // Of two that are as near the one that grows comes first.
        mode.value[0].hypot(mode.value[1] - self.omega) - 1e-9 * mode.value[0]
    }

    /// The nearest alone.
    pub fn nearest(&self, spectrum: &Spectrum) -> Result<Vec<Shape>, Refused> {
        let mut all = self.modes(spectrum)?;
        all.truncate(self.count);
        Ok(all)
    }
}

/// The mass times a complex vector, as pairs of real and imaginary parts.
pub type Mass<'a> = &'a dyn Fn(&[[f64; 2]]) -> Vec<[f64; 2]>;

/// The same modes at another point: each by its shape. The least likeness of all comes with them.
pub fn follow(before: &[Shape], mass: Mass<'_>, mut now: Vec<Shape>) -> (Vec<Shape>, f64) {
    let weighted: Vec<Vec<[f64; 2]>> = now.iter().map(|mode| mass(&mode.shape)).collect();
    let own: Vec<f64> = now.iter().zip(&weighted).map(|(mode, m)| product(&mode.shape, m)[0]).collect();
    let mut likeness: Vec<(usize, usize, f64)> = vec![];
    for (i, old) in before.iter().enumerate() {
        let length = product(&old.shape, &mass(&old.shape))[0];
        for (j, m) in weighted.iter().enumerate() {
            let [re, im] = product(&old.shape, m);
            likeness.push((i, j, (re * re + im * im) / (length * own[j])));
        }
    }
    likeness.sort_by(|a, b| b.2.total_cmp(&a.2));
    let (mut taken, mut places) = (vec![false; now.len()], vec![None; before.len()]);
    for (i, j, mac) in likeness {
        if places[i].is_none() && !taken[j] {
            (places[i], taken[j]) = (Some((j, mac)), true);
        }
    }
    // A mode that has met another one that is not followed is as much the growing one as the decaying one of the two.
    for place in places.iter_mut().flatten() {
        let value = now[place.0].value;
        let near = |x: f64, y: f64| (x - y).abs() <= PAIR * value[0].hypot(value[1]);
        let grows = |j: &usize| !taken[*j] && now[*j].value[0] > 0.0 && near(now[*j].value[0], -value[0]);
        let partner = (0..now.len()).find(|j| value[0] < 0.0 && grows(j) && near(now[*j].value[1], value[1]));
        if let Some(j) = partner {
            (taken[place.0], taken[j]) = (false, true);
            place.0 = j;
        }
    }
    let least = places.iter().map(|p| p.map_or(0.0, |(_, mac)| mac)).fold(1.0, f64::min);
    let mut found = vec![];
    for (place, old) in places.iter().zip(before) {
        match place {
            Some((j, mac)) => {
                let shape = std::mem::take(&mut now[*j].shape);
                found.push(Shape { shape, likeness: *mac, ..now[*j].clone() });
            }
            None => found.push(Shape { likeness: 0.0, ..old.clone() }),
        }
    }
    (found, least)
}

/// a^H b
fn product(a: &[[f64; 2]], b: &[[f64; 2]]) -> [f64; 2] {
    a.iter().zip(b).fold([0.0; 2], |[re, im], (a, b)| [re + a[0] * b[0] + a[1] * b[1], im + a[0] * b[1] - a[1] * b[0]])
}

/// Values, rates and residuals of modes, the most unstable first.
pub fn report(modes: &[Shape], spectrum: &Spectrum, out: &mut Outcome) {
    let mut sorted: Vec<&Shape> = modes.iter().collect();
    let order = ordered(modes.iter().map(|mode| mode.value).collect(), spectrum.neutral);
    sorted.sort_by_key(|mode| order.iter().position(|value| *value == mode.value));
    let list = |of: &dyn Fn(&Shape) -> f64| Value::List(sorted.iter().map(|mode| of(mode)).collect());
    out.set("eigenvalues", Value::Rows(sorted.iter().map(|mode| mode.value.to_vec()).collect()), "1/s");
    out.set("frequency", list(&Shape::frequency), "Hz");
    out.set("damping_ratio", list(&Shape::damping_ratio), "1");
    out.set("loss_factor", list(&Shape::loss_factor), "1");
    out.set("residual", list(&|mode| mode.residual), "1");
}

/// Columns of modes: rates, frequency, and what squeal programs print.
pub fn columns(table: &mut Table, modes: &[&Shape]) {
    let column = |of: &dyn Fn(&Shape) -> f64| modes.iter().map(|mode| of(mode)).collect::<Vec<f64>>();
    table.push("growth_rate", "1/s", column(&|mode| mode.value[0]));
    table.push("omega", "rad/s", column(&|mode| mode.value[1]));
    table.push("frequency", "Hz", column(&Shape::frequency));
    table.push("damping_ratio", "1", column(&Shape::damping_ratio));
    table.push("loss_factor", "1", column(&Shape::loss_factor));
    table.push("residual", "1", column(&|mode| mode.residual));
}
