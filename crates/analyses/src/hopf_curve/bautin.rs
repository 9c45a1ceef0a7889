//! Bautin points: where the kind of the Hopf points changes.
//!
//! A change of sign counts where the coefficient stands above its rounding on both sides. Test functions that vanish do not:
//! at low speeds the coefficient itself goes to zero with the speed.
use super::follow::{Curve, Row};
use crate::sliding::{Criticality, Kind, Sliding, at_hopf};
use stickslip_data::{Outcome, Status};
use stickslip_solve::continuation::{HopfCurve, correct};
use stickslip_solve::root::Bracket;

/// Parts of the way between two points to which a Bautin point is located.
const LOCATED: f64 = 1e-12;
/// What is left of the coefficient at its zero, against its values at the ends.
const SMALL: f64 = 1e-3;

/// The places of all Bautin points, curve by curve.
pub fn locate(family: &mut Sliding, curves: &[Curve], out: &mut Outcome) -> Vec<[f64; 2]> {
    let mut found = vec![];
    for curve in curves {
        let mut last: Option<usize> = None;
        for (i, row) in curve.points.iter().enumerate() {
            if row.kind() == Kind::Undecided {
                continue;
            }
            if let Some(k) = last.replace(i)
                && curve.points[k].kind() != row.kind()
            {
                match between(family, &curve.points[k], row) {
                    Ok(place) => found.extend(place),
                    Err(e) => {
                        out.worsen(Status::Partial, format!("a Bautin point was not located: {e}"));
                    }
                }
            }
        }
    }
    found
}

/// The zero of the coefficient between two points of a curve; none where it changes its sign through infinity, as at a
/// resonance of two pairs.
fn between(family: &mut Sliding, a: &Row, b: &Row) -> Result<Option<[f64; 2]>, String> {
    let n = a.u.len() - 3;
    // Points lie on planes across the chord.
    let chord: Vec<f64> = (0..n + 3).map(|i| if i < n { 0.0 } else { b.u[i] - a.u[i] }).collect();
    let mut curve = HopfCurve::new(family, &a.parameters(), &[0, 1], &a.u[..n], a.frequency().exp())?;
    let mut at = |part: f64| -> Result<(Vec<f64>, Criticality), String> {
        let mut u: Vec<f64> = a.u.iter().zip(&b.u).map(|(a, b)| a + part * (b - a)).collect();
        correct(&mut curve, &mut u, &chord, None).map_err(|e| e.to_string())?;
        let form = at_hopf(&mut curve, &u)?;
        Ok((u, form))
    };
    let l1 = |row: &Row| row.form.map_or(f64::NAN, |form| form.l1);
    let mut bracket = Bracket::new((0.0, l1(a)), (1.0, l1(b)));
    while let Some(part) = bracket.next(LOCATED) {
        // Where two pairs meet there is no normal form.
        let Ok((_, form)) = at(part) else { break };
        bracket.narrow(part, form.l1);
    }
    let (part, least) = bracket.best();
    if least.abs() > l1(a).abs().max(l1(b).abs()) {
        return Ok(None);
    }
    let (u, form) = at(part)?;
    let zero = form.l1.abs() <= SMALL * l1(a).abs().max(l1(b).abs());
    if zero { Ok(Some([u[n], u[n + 1]])) } else { Err("the coefficient does not vanish between two kinds".into()) }
}
