//! Axes that are walked: each motion starts where the one before has ended.
use super::Map;
use stickslip_model::{Analysis, Model};
use stickslip_motion::{Duration, Transient};
use stickslip_structures::{Keys, Refused};

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Along rising values.
    Up,
    /// Along falling values.
    Down,
    /// Up, then down.
    Both,
}

/// The axis that is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Its number.
    pub axis: usize,
    /// Which way.
    pub way: Way,
}

/// Reads the way of an axis; None where its points stand alone.
pub fn read(keys: &mut dyn Keys) -> Result<Option<Way>, Refused> {
    let about = "Whether each motion starts where the one before has ended, along rising values, falling ones, or both";
    let way = keys.choice("walk", &["none", "up", "down", "both"], false, about)?;
    Ok([None, Some(Way::Up), Some(Way::Down), Some(Way::Both)][way])
}

impl Way {
    /// Puts the values of an axis into the order in which they are met.
    pub fn order(self, values: &mut Vec<f64>) {
        values.sort_by(f64::total_cmp);
        match self {
            Way::Up => {}
            Way::Down => values.reverse(),
            Way::Both => values.extend(values.clone().into_iter().rev()),
        }
    }
}

/// Refuses analyses whose motions have no end from which another could start.
pub fn refuse_each(keys: &dyn Keys, each: &dyn Analysis) -> Result<(), Refused> {
    if transient(each).is_some() {
        return Ok(());
    }
    let e = keys.refuse("each.kind", "analysis::not-served", "an axis with `walk` goes from motion to motion".into());
    Err(e
        .expected("transient")
        .hint("leave `walk` out; `continuation`, `limit-cycle` and `frequency-response` follow branches"))
}

fn transient(each: &dyn Analysis) -> Option<&Transient> {
    (each as &dyn std::any::Any).downcast_ref::<Transient>()
}

/// Refuses motions that end at another phase of the drives than the next begins.
pub fn refuse_phase(each: &dyn Analysis, model: &Model) -> Option<Refused> {
    model.period()?;
    let Duration::Cycles(n) = transient(each)?.duration else {
        let text = "a walk under periodic drives needs motions of whole periods";
        let e = Refused::new("analysis.each.duration", "analysis::shape", text);
        return Some(e.expected("{ cycles = n }").hint("each = { kind = \"transient\", duration = { cycles = 100 } }"));
    };
    (n.fract() != 0.0).then(|| {
        let text = format!("{n} cycles are no whole number of periods");
        Refused::new("analysis.each.duration.cycles", "analysis::shape", text).expected("a whole number")
    })
}

impl Map {
    /// How many lines are walked; None where every point stands alone.
    pub(super) fn lines(&self) -> Option<usize> {
        let walk = self.walk?;
        Some(self.count() / self.axes[walk.axis].values.len())
    }

    /// The points of a line, in the order in which they are met.
    pub(super) fn points_of(&self, walk: &Walk, line: usize) -> Vec<usize> {
        let inner = self.axes.last().map_or(1, |a| a.values.len());
        let along = self.axes[walk.axis].values.len();
        match walk.axis + 1 == self.axes.len() {
            true => (0..along).map(|k| line * inner + k).collect(),
            false => (0..along).map(|k| k * inner + line).collect(),
        }
    }
}
