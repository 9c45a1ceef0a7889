//! Laws as affine functions of what they see, from their own bodies in dual arithmetic.
use crate::Dynamics;
use stickslip_laws::{Friction, Slide};
use stickslip_real::Dual;

/// What the law of a point sees, as columns: the constant 1, slip velocity, normal force, its rate; then its states.
pub const SEEN: usize = 4;
/// Derivatives that one call carries.
const AT_ONCE: usize = 4;
/// A constant below this part of what it is the difference of is none.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A row: columns that are not zero, each with its factor.
pub type AffineRow = Vec<(usize, f64)>;

/// The law of a point in one piece, see the claim `piecewise_linear`.
#[derive(Clone, Debug, Default)]
pub struct AffineLaw {
    /// Friction force.
    pub force: AffineRow,
    /// Rates of the states.
    pub rates: Vec<AffineRow>,
    /// Guards.
    pub guards: Vec<AffineRow>,
}

impl Dynamics<'_> {
    /// The laws of all points, after [`Dynamics::evaluate`] with their inner elements held; those that answer a cone are
    /// left out. `unloaded` points carry nothing, whatever their load is.
    pub fn affine_laws(&self, z: &[f64], unloaded: &[bool]) -> Vec<Option<AffineLaw>> {
        let mut all = vec![None; self.sites.len()];
        self.each_contact(|contact, points, states| {
            if !contact.friction.claims().set_valued {
                let unloaded = &unloaded[points.clone()];
                let laws = self.affine_contact(contact, points.clone(), &z[states], unloaded);
                all[points].iter_mut().zip(laws).for_each(|(one, law)| *one = Some(law));
            }
        });
        all
    }

    fn affine_contact(
        &self,
        contact: &stickslip_model::Contact,
        points: std::ops::Range<usize>,
        z: &[f64],
        unloaded: &[bool],
    ) -> Vec<AffineLaw> {
        let (law, count) = (&contact.friction, contact.friction.states().len());
        let slides = &self.slides[points.clone()];
        let columns = SEEN + count;
        let constant = Dual::<AT_ONCE>::constant;
        let mut duals: Vec<Slide<Dual<AT_ONCE>, 2>> = slides.iter().map(|slide| slide.map(constant)).collect();
        let mut states: Vec<Dual<AT_ONCE>> = z.iter().copied().map(constant).collect();
        let (mut dz, mut guards) = (states.clone(), vec![]);
        let mut answers = vec![Friction::Force([constant(0.0); 2]); slides.len()];
        let mut laws = vec![AffineLaw::default(); slides.len()];
        for first in (1..columns).step_by(AT_ONCE) {
            for (i, (dual, slide)) in duals.iter_mut().zip(slides).enumerate() {
                let seed = |column: usize, x: f64| match column.checked_sub(first) {
                    Some(k) if k < AT_ONCE => Dual::variable(x, k),
                    _ => constant(x),
                };
                dual.v[0] = seed(1, slide.v[0]);
                (dual.n, dual.n_rate) = (seed(2, slide.n), seed(3, slide.n_rate));
                for k in 0..count {
                    states[i * count + k] = seed(SEEN + k, z[i * count + k]);
                }
            }
            law.respond(&duals, &states, &mut dz, &mut answers);
            guards.clear();
            law.dual_guards(&duals, &states, &mut guards);
            let each = guards.len() / slides.len();
            for (i, own) in laws.iter_mut().enumerate() {
                if first == 1 {
                    (own.rates, own.guards) = (vec![vec![]; count], vec![vec![]; each]);
                }
                // A law of tractions sees pressures.
                let area = self.sites[points.start + i].traction_area.unwrap_or(1.0);
                let note = |row: &mut AffineRow, output: Dual<AT_ONCE>, scale: f64| {
                    if first == 1 {
                        row.push((0, scale * output.re));
                    }
                    for (k, slope) in output.eps.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
                        let per = if first + k == 2 || first + k == 3 { area } else { 1.0 };
                        row.push((first + k, scale * slope / per));
                    }
                };
                if let Friction::Force([force, _]) = answers[i] {
                    note(&mut own.force, force, area);
                }
                own.rates.iter_mut().zip(&dz[i * count..]).for_each(|(row, x)| note(row, *x, 1.0));
                own.guards.iter_mut().zip(&guards[i * each..]).for_each(|(row, x)| note(row, *x, 1.0));
            }
        }
        for (i, own) in laws.iter_mut().enumerate() {
            let (slide, area) = (&slides[i], self.sites[points.start + i].traction_area.unwrap_or(1.0));
            let seen = |column: usize| match column {
                1 => slide.v[0],
                2 => slide.n * area,
                3 => slide.n_rate * area,
                _ => z[i * count + column - SEEN],
            };
            for row in std::iter::once(&mut own.force).chain(&mut own.rates).chain(&mut own.guards) {
                finish(row, seen, unloaded[i]);
            }
        }
        laws
    }
}

/// Turns the first entry, a value, into the constant of the row.
fn finish(row: &mut AffineRow, seen: impl Fn(usize) -> f64, unloaded: bool) {
    let Some((value, slopes)) = row.split_first_mut() else { return };
    let mut size = value.1.abs();
    for (column, slope) in slopes {
        let part = *slope * seen(*column);
        value.1 -= part;
        size += part.abs();
    }
    if value.1.abs() <= ROUNDING * size {
        value.1 = 0.0;
    }
    row.retain(|(column, x)| *x != 0.0 && !(unloaded && (*column == 2 || *column == 3)));
}
