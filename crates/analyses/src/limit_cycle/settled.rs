//! The cycle in which a motion settles: it is marched until it nearly repeats, then closed by Newton's method.
use super::orbit::{Cycle, Shape, check, closed, collapsed, described};
use super::section::{Beginning, Facts, Missed, Returns, run};
use stickslip_laws::Mode;
use stickslip_model::{Context, Model, Named, StartState};
use stickslip_motion::{FlowEnd, FlowStart, Section};

/// Beginnings of periods that are marched through.
const MOST_RETURNS: usize = 4000;
/// Beginnings in one period.
const MOST_COUNT: usize = 16;
/// Distance, in sizes of the unknowns, from which Newton's method is tried; a tenth of it after each failure.
const NEAR: f64 = 3e-2;
const NEAREST: f64 = 1e-7;
/// A return this near is to the same point.
const SAME: f64 = 1e-7;

/// A cycle with what its beginning is.
pub struct Found {
    /// The cycle.
    pub cycle: Cycle,
    /// What begins its period.
    pub beginning: Beginning,
    /// How often in a period.
    pub count: usize,
}

/// The start of a motion: that of the scenario, or stuck to the drive.
pub fn stuck(model: &Model) -> Model {
    let mut model = model.clone();
    model.start.state = StartState::Stuck;
    (model.start.set, model.start.scale, model.start.add) = (Named::default(), Named::default(), Named::default());
    model
}

/// Marches the motion of a model until it settles in a cycle.
pub fn settle(model: &Model, context: &Context) -> Result<Found, String> {
    let facts = Facts::of(model)?;
    let start = FlowStart::of(model).map_err(|e| e.to_string())?;
    let mut why = None;
    let cones = facts.cones.clone();
    for i in &cones {
        match march(model, &facts, start.clone(), Beginning::Stick(*i), context) {
            Err(Missed::Never(_)) => {}
            Ok(found) => return Ok(found),
            Err(Missed::Lost(e)) => {
                why.get_or_insert(e);
            }
        }
    }
    if let Some(e) = why {
        return Err(e);
    }
    let controlled = !model.loading.controls.is_empty();
    for i in (0..facts.slips.len()).filter(|i| facts.steady[*i] != 0.0 || controlled) {
        match march(model, &facts, start.clone(), Beginning::Slip(i), context) {
            Err(Missed::Never(t)) => {
                why.get_or_insert(format!(
                    "the motion crosses no section within {t:.3e} s: no contact enters stick again, and the slip speed does \
                     not rise through the drive's; it stays stuck or slides steadily there"
                ));
            }
            Ok(found) => return Ok(found),
            Err(Missed::Lost(e)) => return Err(e),
        }
    }
    Err(why.unwrap_or_else(|| "no contact slides at the speed of a drive".into()))
}

struct Mark {
    y: Vec<f64>,
    t: f64,
    modes: Vec<Mode>,
}

fn march(
    model: &Model,
    facts: &Facts,
    mut start: FlowStart,
    beginning: Beginning,
    context: &Context,
) -> Result<Found, Missed> {
    let lost = Missed::Lost;
    let section = match beginning {
        Beginning::Stick(_) => Section::default(),
        Beginning::Slip(i) => {
            let (row, surface) = &facts.slips[i];
            let mut whole = vec![0.0; facts.dim];
            whole[facts.n..2 * facts.n].copy_from_slice(row);
            Section { row: whole, value: facts.steady[i] - surface, rises: facts.steady[i] > 0.0 }
        }
    };
    let mut marks: Vec<Mark> = vec![];
    let (mut near, mut t, mut why) = (NEAR, 0.0, String::new());
    for _ in 0..MOST_RETURNS {
        if context.stopped() {
            return Err(lost("stopped before its end".into()));
        }
        let (end, reached) = run(model, &start, beginning, &section, false, facts.horizon)?;
        if !reached {
            return Err(Missed::Never(facts.horizon));
        }
        t += end.t;
        let FlowEnd { y, modes, .. } = end;
        let modes = facts.moving(modes);
        start = FlowStart { y: y.clone(), modes: Some(modes.clone()), ..FlowStart::default() };
        marks.push(Mark { y, t, modes });
        let Some((count, period)) = repeats(facts, &marks, near) else { continue };
        let Some(mark) = marks.last() else { continue };
        let returns = Returns::new(model, beginning, count, mark.modes.clone()).map_err(lost)?;
        match closed(&returns, &mark.y, period).and_then(|(y, round)| {
            let sizes = Shape::new(&returns, &y, round.period, &[]).sizes;
            // The motion that was marched settles here, not on a cycle far away.
            if (round.period / period - 1.0).abs() > 0.1 {
                return Err("Newton's method leads to another motion".into());
            }
            if let Some(text) = collapsed(&returns, &round) {
                return Err(text);
            }
            let cycle = described(&returns, model, y, round)?;
            check(model, &cycle.y, &cycle.round, &sizes, cycle.radius()).map(|()| cycle)
        }) {
            Ok(cycle) => return shortest(model, Found { cycle, beginning, count }).map_err(lost),
            Err(e) => (near, why) = (0.1 * near, e),
        }
        if near < NEAREST {
            return Err(lost(why));
        }
    }
    let text = format!("the motion does not repeat in {MOST_RETURNS} beginnings of a period");
    Err(lost(if why.is_empty() { text } else { format!("{text}: {why}") }))
}

/// The same cycle, gone round once: a decay that turns by a third of a circle a period nearly repeats after three.
fn shortest(model: &Model, found: Found) -> Result<Found, String> {
    let Found { cycle, beginning, count } = &found;
    let modes = cycle.round.sequence.first().cloned().unwrap_or_default();
    for part in (1..*count).filter(|part| count % part == 0) {
        let returns = Returns::new(model, *beginning, part, modes.clone())?;
        let shape = Shape::new(&returns, &cycle.y, cycle.round.period, &cycle.round.map);
        let Ok(round) = returns.go(&cycle.y, false, 2.0 * cycle.round.period) else { continue };
        let away: Vec<f64> = shape.encode(&round.y).iter().zip(shape.encode(&cycle.y)).map(|(a, b)| a - b).collect();
        if shape.length(&away) > SAME * cycle.radius().max(1.0) {
            continue;
        }
        let (y, round) = closed(&returns, &cycle.y, round.period)?;
        return Ok(Found { cycle: described(&returns, model, y, round)?, beginning: *beginning, count: part });
    }
    Ok(found)
}

/// After how many beginnings the motion nearly repeats, and how long that takes.
fn repeats(facts: &Facts, marks: &[Mark], near: f64) -> Option<(usize, f64)> {
    let last = marks.last()?;
    (1..=MOST_COUNT).find_map(|count| {
        let [older, old] = [2 * count, count].map(|k| marks.len().checked_sub(1 + k).map(|i| &marks[i]));
        let (older, old) = (older?, old?);
        let period = last.t - old.t;
        let [length, velocity] = facts.sizes(period);
        let apart = |a: &Mark, b: &Mark| {
            let part = |i: usize| {
                let size = match i {
                    i if i < facts.n => length,
                    i if i < 2 * facts.n => velocity,
                    i => a.y[i].abs().max(b.y[i].abs()).max(f64::MIN_POSITIVE),
                };
                (a.y[i] - b.y[i]).abs() / size
            };
            (0..facts.dim).map(part).fold(0.0, f64::max)
        };
        let same = last.modes == old.modes && apart(last, old) <= near && apart(old, older) <= 4.0 * near;
        same.then_some((count, period))
    })
}
