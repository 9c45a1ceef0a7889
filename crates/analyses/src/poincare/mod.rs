//! Poincare sections: the points in which settled motions cross a section, along a parameter in one direction or both.
mod exponents;
mod report;
mod section;
mod walk;

use section::Cut;
use stickslip_data::{Outcome, Status};
use stickslip_model::axis::Axis;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Model, nested};
use stickslip_motion::{FlowStart, Scheme, Transient, not_followed};
use stickslip_structures::{Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "poincare",
    about: "Points in which settled motions cross a section: stroboscopic sections, bifurcation diagrams, Lyapunov exponents.

`section = \"drive\"` looks at t = n periods of the drives from t = 0, `\"slip\"` where the slip speed rises through that of the
drive; by default the first where the drives have a period. `each` gives length and tolerance of every motion; points of its second half are
reported. With `along` the first motion starts as the scenario says, each following one where the last one ended; `both_ways`
then walks back, so that coexisting motions appear.

Exponents follow from the derivatives of the motion, event by event, orthogonalised on the way. Stick forgets where a motion came
from: each direction that it collapses has the exponent minus infinity and is left out; `rank` counts those that are left.

[analysis]
kind = \"poincare\"
along = { parameter = \"drive.velocity\", from = \"1 mm/s\", to = \"1 cm/s\", points = 400, scale = \"log\", both_ways = true }
exponents = true
each = { kind = \"transient\", duration = { cycles = 400 } }",
    answers: &[
        Answer::table("points", "A row a crossing: the parameter, `way` (up, down), t, coordinates, rates and states there."),
        Answer::table("motions", "A row a motion: the parameter, `way`, crossings, repeats, exponents, rank."),
        Answer::value("crossings", "1", "Crossings of the settled part; a list along a parameter."),
        Answer::value("repeats", "1", "After how many crossings the motion repeats; 0 where it does not."),
        Answer::value("exponents", "1/s", "Finite Lyapunov exponents, falling; along a parameter a row for each motion."),
        Answer::value("exponent_change", "1/s", "How far exponents of the two halves of the settled part are apart, at most."),
        Answer::value("rank", "1", "Directions that stick does not collapse; a list along a parameter."),
        Answer::value("largest_exponent", "1/s", "The largest exponent; a list along a parameter."),
    ],
    read,
};

/// Which section is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Either,
    Drive,
    Slip,
}

/// Sections of motions.
pub struct Poincare {
    wanted: Wanted,
    along: Option<(Axis, bool)>,
    exponents: bool,
    each: Box<dyn Analysis>,
}

fn read(keys: &mut dyn Keys, kinds: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let about = "Where the motion is looked at; by default `drive` where the drives have a period, else `slip`";
    let wanted = match keys.has("section") {
        true => [Wanted::Drive, Wanted::Slip][keys.choice("section", &["drive", "slip"], true, about)?],
        false => {
            keys.choice("section", &["drive", "slip"], false, about)?;
            Wanted::Either
        }
    };
    let mut along = None;
    keys.table("along", "The parameter that varies", &mut |k| {
        let both = k.flag("both_ways", "Walk back from the last value to the first as well")?;
        along = Some((Axis::read(k)?, both));
        Ok(())
    })?;
    let exponents = keys.flag("exponents", "Lyapunov exponents of every motion")?;
    let (each, _) = nested::read(keys, kinds, "each")?;
    match transient(&*each) {
        Some(motion) if motion.scheme == Scheme::Exact => {}
        Some(_) => {
            let e = keys.refuse("each.scheme", "analysis::not-served", "sections are cut by exact steps".into());
            return Err(e.expected("a transient without `scheme` and `step`"));
        }
        None => {
            let e = keys.refuse("each.kind", "analysis::not-served", "`each` of a section is a motion in time".into());
            return Err(e.expected("transient").hint("each = { kind = \"transient\", duration = { cycles = 400 } }"));
        }
    }
    Ok(Box::new(Poincare { wanted, along, exponents, each }))
}

fn transient(each: &dyn Analysis) -> Option<&Transient> {
    (each as &dyn std::any::Any).downcast_ref::<Transient>()
}

impl Poincare {
    fn motion(&self) -> Result<&Transient, String> {
        transient(&*self.each).ok_or_else(|| "`each` is no transient".into())
    }
}

impl Analysis for Poincare {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(e) = self.each.refuse(model) {
            return Some(e);
        }
        if let Some(why) = not_followed(model) {
            let text = format!("{why} is not followed from section to section");
            let e = Refused::new("analysis.kind", "analysis::not-served", text);
            return Some(e.hint("use kind \"transient\" with probes at multiples of the period"));
        }
        Cut::of(model, self.wanted).err()
    }

    fn varies(&self) -> Vec<(String, f64)> {
        self.along.iter().map(|(axis, _)| (axis.parameter.clone(), axis.values[0])).collect()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let done = match &self.along {
            None => walk::motion(self, model, FlowStart::of(model).map_err(|e| e.to_string()), context)
                .map(|motion| report::single(&motion, model, self.exponents, &mut out)),
            Some((axis, both)) => walk::along(self, axis, *both, context, &mut out)
                .map(|motions| report::along(&motions, axis, *both, (model, self.exponents), context, &mut out)),
        };
        if let Err(e) = done {
            let status = if context.stopped() { Status::Partial } else { Status::Failed };
            out.worsen(status, e);
        }
        out
    }
}
