//! Hopf points in two parameters: where steady sliding begins to oscillate, and what is born there.
mod bautin;
mod follow;
mod report;
mod scan;

pub(crate) use scan::growing;

use crate::sliding::{self, Range, SECOND, Sliding, models, read_range};
use crate::stability;
use stickslip_data::{Outcome, Status};
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Model};
use stickslip_structures::{Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "hopf-curve",
    about: "Hopf points of steady sliding as curves in two parameters, each with its kind: a pair of eigenvalues crosses the
imaginary axis, and a cycle is born.

Where the first Lyapunov coefficient `l1` is negative the cycle is stable (`super`); where it is positive it is unstable
(`sub`), and steady sliding has a neighbour from which it does not return. The kind changes at Bautin points. All curves
are followed that divide the ranges, to their edges, in steps of at most a `points`-th part of them.

[analysis]
kind = \"hopf-curve\"
parameters = [
  { parameter = \"drive.velocity\", from = \"0.1 um/s\", to = \"1 mm/s\", scale = \"log\" },
  { parameter = \"structure.stiffness\", from = \"1e3 N/m\", to = \"1e7 N/m\", scale = \"log\" },
]",
    answers: &[
        Answer::table(
            "curve",
            "A row a Hopf point: both parameters under their paths, omega, l1, the slope of the squared amplitude of the \
             first coordinate (half of peak to peak) over the distance in the second parameter, kind, curve.",
        ),
        Answer::value("bautin", "", "Where the kind changes: pairs of both parameters, in their order."),
        Answer::value("ends", "", "Where each curve ends, and why: range, equilibrium, frequency, closed, ..."),
        Answer::value("points", "", "Number of points."),
        Answer::value("omega_max", "rad/s", "Largest frequency on the curves."),
    ],
    read,
};

/// Steps along the range of a parameter unless set otherwise.
const POINTS: f64 = 200.0;

/// Hopf points in two parameters.
pub struct HopfCurves {
    ranges: [Range; 2],
    points: usize,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let points = keys.count(Ask::new("points", "1", "Steps along a range, at least").or(POINTS).min(10.0).max(1e5))?;
    let mut ranges = vec![];
    keys.tables("parameters", SECOND, &mut |k| {
        // The other way round it is the same curve.
        ranges.push(read_range(k)?.upwards());
        Ok(())
    })?;
    let expected = "two tables with `parameter`, `from`, `to`";
    match <[Range; 2]>::try_from(ranges) {
        Ok([a, b]) if a.parameter == b.parameter => {
            let e = keys.refuse("parameters", "analysis::shape", "both parameters are the same one".into());
            Err(e.expected("two different paths"))
        }
        Ok(ranges) => Ok(Box::new(HopfCurves { ranges, points })),
        Err(list) => {
            let code = if list.is_empty() { "scenario::missing" } else { "analysis::shape" };
            let text = format!("a Hopf curve needs two parameters, not {}", list.len());
            let hint = "kind = \"continuation\" follows steady sliding along one parameter and lists its Hopf points";
            Err(keys.refuse("parameters", code, text).expected(expected).hint(hint))
        }
    }
}

impl Analysis for HopfCurves {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        stability::refuse_unsteady(model)
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let ends = |r: &Range| [(r.parameter.clone(), r.from), (r.parameter.clone(), r.to)];
        self.ranges.iter().flat_map(ends).collect()
    }

    fn run(&self, _: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let model_at = models(&self.ranges, context);
        let mut curves = vec![];
        let grid = match scan::Grid::of(&model_at, context) {
            Ok(grid) => grid,
            Err(e) => {
                out.worsen(Status::Failed, e);
                return out;
            }
        };
        sliding::stopped(context, &mut out);
        for crossing in grid.crossings() {
            if sliding::stopped(context, &mut out) {
                break;
            }
            if grid.is_explained(&crossing, &curves) {
                continue;
            }
            let Some((mut family, start)) = grid.start(&model_at, &crossing) else { continue };
            if follow::lies_on(&start, &curves) {
                continue;
            }
            match follow::follow(&mut family, start, self.points, context, &mut out) {
                Ok(curve) => {
                    out.health.jacobians += family.evaluations;
                    curves.push(curve);
                }
                Err(e) => out.health.warnings.push(format!("a Hopf point from which no curve goes on: {e}")),
            }
        }
        if curves.is_empty() && out.status == Status::Ok {
            out.worsen(Status::Failed, grid.nothing(&self.ranges, context));
        }
        let (family, bautin) = match curves.first() {
            Some(_) => (Sliding::new(&model_at, &curves[0].points[0].parameters()).ok(), true),
            None => (None, false),
        };
        let found = match family {
            Some((mut family, _)) if bautin => bautin::locate(&mut family, &curves, &mut out),
            _ => vec![],
        };
        report::report(&self.ranges, &curves, &found, context, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Instant;
    use stickslip_model::{Contact, Formulation, Start};
    use stickslip_structures::{Loading, Place, Signal, Structure};

    const MASS: f64 = 1.2;
    const GRAVITY: f64 = 9.81;
    const D_C: f64 = 0.9e-6;
    const ETA: f64 = 14.0;

    /// Lim & Chen's slider at a speed and a stiffness.
    fn slider(contacts: &Arc<Vec<Contact>>, velocity: f64, stiffness: f64) -> Model {
        let structure = Structure {
            coordinates: vec!["elongation".into()],
            rates: vec!["velocity".into()],
            mass: vec![MASS],
            damping: vec![0.0],
            stiffness: vec![stiffness],
            orientation: -1.0,
            base: vec![1.0],
            ..Structure::default()
        };
        let loading = Loading { base: Some(Signal::Constant(velocity)), ..Loading::default() };
        Model {
            structure: Arc::new(structure),
            contacts: contacts.clone(),
            loading: Arc::new(loading),
            formulation: Formulation::Exact,
            start: Start::default(),
            seed: 0,
        }
    }

    /// The critical stiffness in closed form (eigenvalues of the linearised equations), at every point to 1e-9; one change of
    /// kind, where the coefficient vanishes, and none of rounding at low speeds.
    #[test]
    fn lim_and_chens_curve_is_that_of_the_closed_form_with_one_bautin_point() {
        let parameters = [("mu_0", 0.369), ("a", 0.011), ("b", 0.025), ("v_0", 1e-6), ("d_c", D_C), ("eta", ETA)];
        let place = Place { tangent: vec![vec![1.0]], ..Place::default() };
        let contact = Contact::new(place, ("weight", &[("gravity", GRAVITY)]), ("rate-state", &parameters)).unwrap();
        let contacts = Arc::new(vec![Contact { mass: MASS, ..contact }]);
        let range =
            |parameter: &str, from: f64, to: f64| Range { parameter: parameter.into(), from, to, logarithmic: true };
        let ranges = [range("velocity", 1e-8, 1e-3), range("stiffness", 1e3, 1e7)];
        let vary = |at: &[(&str, f64)]| Ok(slider(&contacts, at[0].1, at[1].1));
        let context = Context { vary: Some(&vary), ..Context::default() };
        let begin = Instant::now();
        let out = HopfCurves { ranges, points: 200 }.run(&slider(&contacts, 1e-6, 1e4), &context);
        let took = begin.elapsed();
        assert_eq!(out.verdict(), (Status::Ok, None));
        let table = out.table("curve").unwrap();
        let column = |name: &str| table.column(name).and_then(|c| c.values.floats()).unwrap();
        let (v, k) = (column("velocity"), column("stiffness"));
        println!("{} points in {took:?}, {:?}", v.len(), out.health);
        assert!(v.len() > 300);
        for (v, k) in v.iter().zip(k) {
            let exact = MASS * GRAVITY / D_C * (0.014 - ETA * v) * (1.0 + v * v / (GRAVITY * D_C * (0.011 + ETA * v)));
            assert!((k / exact - 1.0).abs() < 1e-9, "{v}: {k} {exact}");
        }
        let Some(stickslip_data::Value::Rows(bautin)) = out.value("bautin").map(|q| q.value.clone()) else { panic!() };
        assert_eq!(bautin.len(), 1, "{bautin:?}");
        assert!((bautin[0][0] / 0.0008172304373317563 - 1.0).abs() < 1e-9);
    }
}
