//! Programs that lead a law alone, and what they show.
use super::{STEP, Shown, column, list, two};
use stickslip_data::Table;
use stickslip_laws::Example;

/// Parts of a slide or a hold: each ends in a row.
const PARTS: usize = 120;
/// Slips of the example that each speed lasts.
const LENGTHS: f64 = 8.0;
/// Times (slip over speed) that a hold lasts.
const HOLD: f64 = 8.0;
/// The share of a part after which the answer to a new speed is looked at.
const ONSET: f64 = 1e-3;
/// Times that differ by this part of the program are the same.
const SAME: f64 = 1e-10;

/// A part of a program: its text, and how long it takes.
struct Part {
    text: String,
    duration: f64,
}

/// What a program leads through.
struct Path {
    t: Vec<f64>,
    slip: Vec<f64>,
    velocity: Vec<f64>,
    friction: Vec<f64>,
    states: Vec<(String, Vec<f64>)>,
}

impl Shown<'_> {
    /// Friction along the slip of a program, from where it moves.
    fn along(&self, steps: &[Part]) -> Result<Table, String> {
        let path = self.path(steps)?;
        let moves = path.velocity.iter().position(|v| *v != 0.0).unwrap_or(0);
        Ok(two(("slip", "m", path.slip[moves..].to_vec()), path.friction[moves..].to_vec()))
    }

    /// The path of a program, at the ends of its parts alone: those do not depend on how the solver steps.
    fn path(&self, steps: &[Part]) -> Result<Path, String> {
        let texts: Vec<String> = steps.iter().map(|part| part.text.clone()).collect();
        let drive = format!("drive = {{ kind = 'program', steps = [{}] }}", texts.join(", "));
        let outcome = self.run("hysteresis", "", &drive)?;
        let table = outcome.table("path").ok_or("the run has no path")?;
        let t = column(table, "t")?;
        let mut ends = vec![0.0];
        for part in steps {
            ends.push(ends[ends.len() - 1] + part.duration);
        }
        let near = SAME * ends[ends.len() - 1];
        let kept: Vec<usize> = (0..t.len()).filter(|k| ends.iter().any(|end| (t[*k] - end).abs() <= near)).collect();
        let of = |name: &str| column(table, name).map(|c| kept.iter().map(|k| c[*k]).collect::<Vec<f64>>());
        let mut states = vec![];
        for c in table.columns.iter().filter_map(|c| c.name.strip_prefix("state.")) {
            states.push((c.to_string(), of(&format!("state.{c}"))?));
        }
        Ok(Path { t: of("t")?, slip: of("slip")?, velocity: of("slip_velocity")?, friction: of("friction")?, states })
    }

    /// Slides in parts, so that the curve has points enough.
    fn slide(&self, distance: f64, velocity: f64, steps: &mut Vec<Part>) {
        let whole = distance / PARTS as f64;
        let mut parts = vec![whole; PARTS];
        parts[0] = whole * (1.0 - ONSET);
        parts.insert(0, whole * ONSET);
        steps.extend(parts.into_iter().map(|part| Part {
            text: format!("{{ slide = {part}, velocity = {velocity} }}"),
            duration: part / velocity.abs(),
        }));
    }

    /// A speed that rises and falls twice, in parts.
    pub(super) fn rise_and_fall(&self) -> Result<Table, String> {
        let Example { slip, speed, .. } = self.example;
        let omega = speed / (LENGTHS * slip);
        let duration = 4.0 * std::f64::consts::PI / omega / (2 * PARTS) as f64;
        let part = |k: usize| {
            let start = k as f64 * duration;
            let text = format!(
                "{{ velocity = ['{speed} * (0.52 - 0.48*cos({omega}*(t + {start})))'], duration = {duration} }}"
            );
            Part { text, duration }
        };
        let path = self.path(&(0..2 * PARTS).map(part).collect::<Vec<_>>())?;
        let moves = path.velocity.iter().position(|v| *v != 0.0).unwrap_or(0);
        Ok(two(("slip_velocity", "m/s", path.velocity[moves..].to_vec()), path.friction[moves..].to_vec()))
    }

    pub(super) fn to_and_fro(&self) -> Result<Table, String> {
        let Example { slip, speed, .. } = self.example;
        let mut steps = vec![];
        for (distance, velocity) in [(slip, speed), (2.0 * slip, -speed), (2.0 * slip, speed)] {
            self.slide(distance, velocity, &mut steps);
        }
        self.along(&steps)
    }

    pub(super) fn steps(&self) -> Result<Table, String> {
        let mut steps = vec![];
        for speed in [1.0, STEP, 1.0] {
            self.slide(LENGTHS * self.example.slip, speed * self.example.speed, &mut steps);
        }
        self.along(&steps)
    }

    /// The states that a hold leads through, and what stick can hold at each.
    pub(super) fn rest(&self) -> Result<Table, String> {
        let Example { slip, speed, load, .. } = self.example;
        let mut steps = vec![];
        self.slide(LENGTHS * slip, speed, &mut steps);
        let duration = HOLD * slip / speed / PARTS as f64;
        steps.extend((0..PARTS).map(|_| Part { text: format!("{{ hold = {duration} }}"), duration }));
        let path = self.path(&steps)?;
        let still = path.velocity.iter().rposition(|v| *v != 0.0).map_or(0, |k| k + 1);
        let states: Vec<String> = path.states.iter().map(|(name, z)| format!("{name} = {:?}", &z[still..])).collect();
        let keys = format!("inputs = {{ mode = 'stick', velocity = 0, states = {{ {} }} }}", states.join(", "));
        let hold = list(&self.run("evaluate", &keys, "")?, "hold")?;
        let rest = path.t[still..].iter().map(|t| t - path.t[still]).collect();
        Ok(two(("time at rest", "s", rest), hold.iter().map(|h| h / load).collect()))
    }
}
