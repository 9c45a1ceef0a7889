//! The section: instants of the drive, or a passage of the slip speed.
use super::Wanted;
use crate::limit_cycle::section::Facts;
use stickslip_model::Model;
use stickslip_motion::Section;
use stickslip_structures::Refused;

/// Where motions are cut.
#[derive(Clone, Debug)]
pub enum Cut {
    /// Every period of the drives, s.
    Drive(f64),
    /// Where a slip speed rises through that of the drive; a motion may take so long to come back, s.
    Slip(Section, f64),
}

impl Cut {
    /// The section of a model, or why it has none.
    pub fn of(model: &Model, wanted: Wanted) -> Result<Cut, Refused> {
        let period = model.period();
        if let (Wanted::Either | Wanted::Drive, Some(period)) = (wanted, period) {
            return Ok(Cut::Drive(period));
        }
        let refuse = |text: &str| Refused::new("analysis.section", "analysis::not-served", text);
        if wanted == Wanted::Drive {
            let e = refuse("the drives have no period at whose multiples a motion could be looked at");
            return Err(e.hint("use section = \"slip\", or give `drive.period` where a function does not show its own"));
        }
        let given = [&model.loading.base, &model.loading.surface];
        if given.into_iter().flatten().any(|v| !v.is_constant()) {
            let e = refuse("the speed of the drive changes in time: no fixed slip speed is that of the drive");
            return Err(e.hint("use section = \"drive\""));
        }
        let facts = Facts::of(model).map_err(|e| refuse(&e))?;
        let Some(i) = facts.steady.iter().position(|v| *v != 0.0) else {
            let e = refuse("no contact slides at the speed of a drive: the section is never crossed");
            return Err(e.hint("use a belt, or a pull with a velocity other than 0; or section = \"drive\""));
        };
        let (row, surface) = &facts.slips[i];
        let over = |k: usize| if (facts.n..2 * facts.n).contains(&k) { row[k - facts.n] } else { 0.0 };
        let row = (0..facts.dim).map(over).collect();
        let section = Section { row, value: facts.steady[i] - surface, rises: facts.steady[i] > 0.0 };
        Ok(Cut::Slip(section, facts.horizon))
    }
}
