//! Friction straight from a measured motion, without a law: what inertia, damper, spring and drive leave.
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_dynamics::Dynamics;
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_solve::dense::inverse;
use stickslip_structures::{Ask, Column, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "friction-estimate",
    about: "Friction over the slip speed from a measured motion, without a law.

Of a structure with one coordinate F = F(t) - m v' - c q' - k q is what friction carries. Displacement, velocity and
acceleration at each row come from a cubic through its neighbours (A. Savitzky and M. J. E. Golay, Anal. Chem. 36 (1964)
1627), with the standard errors that their residuals give. Rows are gathered in classes of the slip speed; each has its mean
coefficient, a band that holds the mean in 95 of 100 cases, and the spread of its rows. `friction.csv` in the folder of the
run is a table for the law \"table\". Nothing is assumed of the friction law of the scenario; its load is used.

file = \"motion.csv\"
columns = { time = \"t\", displacement = \"x [mm]\" }",
    answers: &[
    Answer::value("noise", "m", "Standard deviation of the displacements about their local cubics."),
    Answer::value("rows_in_slip", "1", "Rows whose neighbours all slip one way, by more than three standard errors."),
    Answer::table("friction-curve", "Slip speed, coefficient, the ends of its band, spread and number of rows."),
    Answer::table("friction-record", "Row by row: time, displacement, slip velocity, friction force, coefficient, error."),
],
    read,
};

/// Rows of a cubic unless given, their least, and classes of speed.
const NEIGHBOURS: f64 = 11.0;
const LEAST: f64 = 7.0;
const CLASSES: f64 = 24.0;
/// Slip speeds below so many standard errors are no slip.
const SLIPS: f64 = 3.0;
/// Half width of a band in standard errors.
const BAND: f64 = 1.96;
/// Friction that is known to no more than this part of itself tells nothing.
const HIDDEN: f64 = 0.5;

/// A motion, and how it is looked at.
pub struct FrictionEstimate {
    times: Vec<f64>,
    displacements: Vec<f64>,
    neighbours: usize,
    classes: usize,
    notes: Vec<String>,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut names = [("time", "time".to_string()), ("displacement", "displacement".to_string())];
    keys.named("columns", "Columns of the file: time and displacement", &mut |name, k| {
        let Some(slot) = names.iter_mut().find(|(n, _)| *n == name) else {
            let e = k.refuse(name, "friction-estimate::column", format!("`{name}` is nothing that a motion holds"));
            return Err(e.expected("time or displacement"));
        };
        slot.1 = k.text(name, "Name of the column, its unit in brackets")?.unwrap_or_default();
        Ok(())
    })?;
    let [(time, t), (moved, x)] = names;
    let wanted = [Column { role: time, heading: t, unit: "s" }, Column { role: moved, heading: x, unit: "m" }];
    let about = "File of the motion, units in its header";
    let columns = keys.columns("file", about, &wanted)?;
    // The resolved scenario names the file.
    keys.text("file", about)?;
    let about = "Rows of the local cubics: more smooth away noise, and what is faster than they are long";
    let neighbours = keys.count(Ask::new("neighbours", "1", about).or(NEIGHBOURS).min(LEAST).max(1e5))?;
    let about = "Classes of the slip speed, each with as many rows";
    let classes = keys.count(Ask::new("classes", "1", about).or(CLASSES).min(2.0).max(1e4))?;
    let mut all = columns.values.into_iter();
    let (times, displacements) = (all.next().unwrap_or_default(), all.next().unwrap_or_default());
    let refuse = |text: String| keys.refuse("file", "friction-estimate::record", text);
    if let Some(i) = (1..times.len()).find(|i| times[*i] <= times[i - 1]) {
        let text = format!("row {}: time {} s does not come after {} s", i + 1, times[i], times[i - 1]);
        return Err(refuse(text).expected("times that rise from row to row"));
    }
    if times.len() < 2 * neighbours {
        let text = format!("{} rows for cubics through {neighbours}", times.len());
        return Err(refuse(text).expected(format!("at least {} rows", 2 * neighbours)));
    }
    Ok(Box::new(FrictionEstimate { times, displacements, neighbours, classes, notes: columns.notes }))
}

/// A motion at a row: displacement, velocity, acceleration; and what scales their covariance.
struct Local {
    motion: [f64; 3],
    covariance: Vec<f64>,
    square: f64,
}

impl FrictionEstimate {
    /// The cubic through the neighbours of a row.
    fn local(&self, row: usize) -> Option<Local> {
        let rows = self.times.len();
        let from = row.saturating_sub(self.neighbours / 2).min(rows - self.neighbours);
        let part = from..from + self.neighbours;
        let t = self.times[row];
        // Times in units of the window, so that all powers are of one size.
        let scale = self.times[part.end - 1] - self.times[part.start];
        let powers = |i: usize| {
            let s = (self.times[i] - t) / scale;
            [1.0, s, s * s, s * s * s]
        };
        let (mut gram, mut right) = (vec![0.0; 16], [0.0; 4]);
        let level = self.displacements[row];
        for i in part.clone() {
            let p = powers(i);
            (0..16).for_each(|k| gram[k] += p[k / 4] * p[k % 4]);
            (0..4).for_each(|k| right[k] += p[k] * (self.displacements[i] - level));
        }
        let inverse = inverse(4, &gram)?;
        let c: [f64; 4] = std::array::from_fn(|i| (0..4).map(|j| inverse[i * 4 + j] * right[j]).sum());
        let off = |i: usize| {
            let p = powers(i);
            self.displacements[i] - level - (0..4).map(|k| c[k] * p[k]).sum::<f64>()
        };
        let square = part.map(|i| off(i).powi(2)).sum::<f64>() / (self.neighbours - 4) as f64;
        // Covariance of displacement, velocity, acceleration per variance of a row.
        let unit = [1.0, 1.0 / scale, 2.0 / (scale * scale)];
        let covariance = (0..9).map(|k| inverse[k / 3 * 4 + k % 3] * unit[k / 3] * unit[k % 3]).collect();
        Some(Local { motion: [level + c[0], c[1] * unit[1], c[2] * unit[2]], covariance, square })
    }
}

fn error(covariance: &[f64], by: [f64; 3], variance: f64) -> f64 {
    ((0..9).map(|k| by[k / 3] * covariance[k] * by[k % 3]).sum::<f64>().max(0.0) * variance).sqrt()
}

impl Analysis for FrictionEstimate {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let refuse = |key: &str, text: &str| Some(Refused::new(key, "analysis::not-served", text));
        if model.structure.len() != 1 {
            return refuse("structure.kind", "friction follows from a motion of one coordinate")
                .map(|e| e.hint("use structure kind \"spring-block\""));
        }
        if model.contacts.len() != 1 || model.contacts[0].places.len() != 1 {
            return refuse("contact", "friction of several contacts can't be told apart");
        }
        let fixed = Dynamics::new(model).and_then(|d| d.sites.first().and_then(|site| site.fixed_load));
        if fixed.is_none() {
            return refuse("contact.normal.law", "the load must be given: it does not follow from this motion")
                .map(|e| e.hint("use the normal law \"constant\", \"weight\" or \"prescribed\""));
        }
        None
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        out.health.notes.extend(self.notes.iter().cloned());
        let Some(dynamics) = Dynamics::new(model) else {
            out.worsen(Status::Failed, "the mass matrix is singular");
            return out;
        };
        let (s, site) = (&*model.structure, &dynamics.sites[0]);
        let (a, b) = site.fixed_load.unwrap_or((0.0, 0.0));
        let (o, tangent) = (s.orientation, site.tangent[0][0]);
        let rows = self.times.len();
        let local: Option<Vec<Local>> = (0..rows).map(|row| self.local(row)).collect();
        let Some(local) = local else {
            out.worsen(Status::Failed, "a local cubic is not determined: rows lie too close in time");
            return out;
        };
        // One noise for all rows: the median forgives events inside a window.
        let mut squares: Vec<f64> = local.iter().map(|l| l.square).collect();
        squares.sort_by(f64::total_cmp);
        let variance = squares[rows / 2];
        let mut columns: [Vec<f64>; 6] = Default::default();
        // Speed, coefficient and its error of rows in slip, and their direction; 0 for the others.
        let mut slips: Vec<([f64; 3], f64)> = vec![];
        for (row, l) in local.iter().enumerate() {
            if row % 4096 == 0 {
                context.report(row as f64 / rows as f64);
            }
            let t = self.times[row];
            let [q, rate, acceleration] = l.motion;
            let (hardening, stiffening) = s.hardening(0, q);
            let velocity = s.base[0] * dynamics.base.value(t) + o * rate;
            let inertia = s.mass[0] * (s.base[0] * dynamics.base.rate(t) + o * acceleration);
            let spring = o * (s.stiffness[0] * q + hardening + s.damping[0] * rate);
            let force = (dynamics.forces[0].value(t) - spring - inertia) / tangent;
            let slip = tangent * velocity + site.surface * dynamics.surface[0].value(t);
            let load = a + b * dynamics.given[0].value(t);
            let by = [s.stiffness[0] + stiffening, s.damping[0], s.mass[0]];
            let uncertain = error(&l.covariance, by, variance) / tangent.abs();
            let slip_error = error(&l.covariance, [0.0, tangent, 0.0], variance);
            let surely = slip.abs() > SLIPS * slip_error && slip != 0.0 && load > 0.0;
            let direction = if surely { slip.signum() } else { 0.0 };
            slips.push(([slip.abs(), force * direction / load, uncertain / load], direction));
            let values = [t, q, slip, force, if load > 0.0 { force / load } else { f64::NAN }, uncertain];
            columns.iter_mut().zip(values).for_each(|(column, x)| column.push(x));
        }
        // Where friction turns inside the window of a cubic, the acceleration jumps, and the cubic does not.
        let alike = |row: usize| {
            let from = row.saturating_sub(self.neighbours / 2).min(rows - self.neighbours);
            let direction = slips[row].1;
            direction != 0.0 && slips[from..from + self.neighbours].iter().all(|(_, other)| *other == direction)
        };
        let slipping: Vec<[f64; 3]> = (0..rows).filter(|row| alike(*row)).map(|row| slips[row].0).collect();
        let mut table = Table::new("friction-record");
        let names = [("t", "s"), ("displacement", "m"), ("slip_velocity", "m/s"), ("force", "N"), ("friction", "1")];
        for ((name, unit), column) in names.into_iter().chain([("stderr", "N")]).zip(columns) {
            table.push(name, unit, column);
        }
        out.set("noise", Value::Number(variance.sqrt()), "m");
        out.set("rows_in_slip", Value::Count(slipping.len() as u64), "1");
        self.classes(slipping, &mut out);
        out.tables.push(table);
        out.health.steps = rows as u64;
        out
    }
}

impl FrictionEstimate {
    /// Means over classes of the speed, and the table that the law `table` reads.
    fn classes(&self, mut slipping: Vec<[f64; 3]>, out: &mut Outcome) {
        slipping.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let each = slipping.len().div_ceil(self.classes).max(1);
        let mut columns: [Vec<f64>; 6] = Default::default();
        let mut hidden = 0;
        for class in slipping.chunks(each) {
            let n = class.len() as f64;
            let mean = |k: usize| class.iter().map(|row| row[k]).sum::<f64>() / n;
            let (speed, friction, uncertain) = (mean(0), mean(1), mean(2));
            let spread = (class.iter().map(|row| (row[1] - friction).powi(2)).sum::<f64>() / n).sqrt();
            // Neighbours share the rows of their cubics.
            let independent = (n / self.neighbours as f64).max(1.0);
            let half = BAND * spread.max(uncertain) / independent.sqrt();
            hidden += usize::from(uncertain > HIDDEN * friction.abs());
            let values = [speed, friction, friction - half, friction + half, spread, n];
            columns.iter_mut().zip(values).for_each(|(column, x)| column.push(x));
        }
        let count = columns[0].len();
        if count < 2 {
            let text = format!(
                "{} rows slip by more than {SLIPS} standard errors: too few for a curve; raise `neighbours`, or sample faster",
                slipping.len()
            );
            return out.worsen(Status::Untrusted, text);
        }
        if 2 * hidden > count {
            let text = format!(
                "in {hidden} of {count} classes of speed the noise of the accelerations exceeds half of the friction: raise \
                 `neighbours`, or measure the acceleration with less noise"
            );
            out.worsen(Status::Untrusted, text);
        }
        let mut text = String::from("v [m/s],mu\n");
        let mut last = f64::NEG_INFINITY;
        for (v, mu) in columns[0].iter().zip(&columns[1]).filter(|(_, mu)| **mu >= 0.0) {
            if *v > last {
                text.push_str(&format!("{v:?},{mu:?}\n"));
                last = *v;
            }
        }
        if columns[1].iter().any(|mu| *mu < 0.0) {
            out.health
                .warnings
                .push("friction that drives the slip was found: look at signs, mass and stiffness".into());
        }
        let mut table = Table::new("friction-curve");
        let names = ["velocity", "friction", "low", "high", "spread", "rows"];
        for (name, column) in names.into_iter().zip(columns) {
            table.push(name, if name == "velocity" { "m/s" } else { "1" }, column);
        }
        out.tables.push(table);
        out.files.push(("friction.csv".into(), text));
    }
}
