//! Unknowns that belong to one record: an offset of its sensor, a trend, a dead time, the time of a step.
use crate::records::{KINDS, Of, of};
use stickslip_structures::{Keys, Refused};

/// An unknown of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// A constant, added to what the model says.
    Offset,
    /// A straight line in time that is 0 at t = 0, added to what the model says.
    Trend,
    /// Time of the first jump of its drive.
    StepTime,
    /// The model starts so much later.
    DeadTime,
}

impl Own {
    /// All of them.
    pub const ALL: [Own; 4] = [Own::Offset, Own::Trend, Own::StepTime, Own::DeadTime];

    /// Its key, and the last part of its path.
    pub fn key(self) -> &'static str {
        match self {
            Own::Offset => "offset",
            Own::Trend => "trend",
            Own::StepTime => "step_time",
            Own::DeadTime => "dead_time",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Own::Offset => "A constant is fitted that is added to what is measured",
            Own::Trend => {
                "The slope of a straight line in time is fitted that is added to what is measured; 0 at t = 0"
            }
            Own::StepTime => "The time of the first jump of its drive is fitted",
            Own::DeadTime => "A time is fitted by which the model starts later",
        }
    }

    /// Whether it moves the model in time.
    pub fn is_time(self) -> bool {
        matches!(self, Own::StepTime | Own::DeadTime)
    }
}

/// Reads which of them a record has.
pub fn read(keys: &mut dyn Keys, kind: usize, in_time: bool, moved: bool) -> Result<Vec<Own>, Refused> {
    let mut all = vec![];
    for own in Own::ALL {
        if keys.flag(own.key(), own.about())? {
            all.push(own);
        }
    }
    let is_motion = of(kind) == Of::Motion;
    if let Some(own) = all.iter().find(|own| **own != Own::Offset && !is_motion && !in_time) {
        let text = format!("`{}` of a {} record without a time", own.key(), KINDS[kind]);
        let e = keys.refuse(own.key(), "fit::own", text);
        return Err(e.expected("a record over the time").hint("`offset` alone needs no time"));
    }
    if let Some(own) = all.iter().find(|own| own.is_time() && moved) {
        let text = format!("`{}` of a record whose `displacement` the program must follow", own.key());
        return Err(keys.refuse(own.key(), "fit::own", text).hint("leave the column `displacement` out"));
    }
    Ok(all)
}
