//! Free motions of finite amplitude: how frequency and damping of a mode change with it.
use crate::harmonic_balance::{self, Balance, Balancing, Basis, Seen, read_balancing};
use std::f64::consts::TAU;
use stickslip_data::{Outcome, Status, Table};
use stickslip_dynamics::start::at_rest;
use stickslip_laws::Mode;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Model};
use stickslip_solve::dense::Lu;
use stickslip_solve::eigen::eigenpairs;
use stickslip_structures::{Ask, Keys, Refused, Signal};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "backbone",
    about: "Frequency and damping of a mode over its amplitude: free motions that a negative damping keeps periodic.

M q'' + K q + friction - 2 damping_ratio omega M q' = 0 has a motion that repeats at every amplitude (the extended periodic motion
concept: M. Krack, Comput. Struct. 154 (2015) 59), found by harmonic balance. No drive is needed. Its linear ends are the
frequency and damping of the structure with its contacts stuck, and sliding freely.

For instance:

amplitude = { from = \"1 um\", to = \"1 mm\", points = 41, scale = \"log\" }",
    answers: &[Answer::table(
        "backbone",
        "A row an amplitude (half of peak to peak): omega, frequency, damping_ratio, energy (the largest stored energy).",
    )],
    read,
};

const POINTS: f64 = 41.0;
/// Newton steps, and the part of the unknowns that the last one may be.
const MOST_STEPS: usize = 40;
const CONVERGED: f64 = 1e-12;
const ROUNDING: f64 = 1e-8;
/// Part of the frequency by which it is moved for slopes.
const DIFFERENCE: f64 = 1e-6;
/// Halvings of a step in amplitude on which Newton's method fails.
const MOST_HALVINGS: usize = 8;
/// A coordinate that takes less than this part in a mode does not show it.
const TAKES_PART: f64 = 1e-9;

/// Frequency and damping over amplitude.
#[derive(Clone, Debug)]
pub struct Backbone {
    amplitudes: Vec<f64>,
    coordinate: Option<String>,
    /// From 1, by rising frequency.
    mode: usize,
    balancing: Balancing,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut amplitudes = vec![];
    keys.table("amplitude", "Amplitudes: half of peak to peak of the coordinate", &mut |k| {
        let log = k.choice("scale", &["linear", "log"], false, "Spacing of the amplitudes")? == 1;
        let from = k.number(Ask::new("from", "m", "First amplitude").above(0.0))?;
        let to = k.number(Ask::new("to", "m", "Last amplitude").above(0.0))?;
        let points = k.count(Ask::new("points", "1", "Number of amplitudes").or(POINTS).min(1.0).max(1e5))?;
        let place = |i: usize| if points == 1 { 0.0 } else { i as f64 / (points - 1) as f64 };
        amplitudes = (0..points)
            .map(|i| match i {
                0 => from,
                i if i + 1 == points => to,
                i if log => from * (to / from).powf(place(i)),
                i => from + (to - from) * place(i),
            })
            .collect();
        Ok(())
    })?;
    let coordinate = keys.text("coordinate", "The coordinate whose amplitude is given; the first by default")?;
    let mode = keys.count(Ask::new("mode", "1", "Number of the mode, by rising frequency").or(1.0).min(1.0))?;
    let balancing = read_balancing(keys)?;
    if amplitudes.is_empty() {
        let e = keys.refuse("amplitude", "scenario::missing", "`amplitude` is missing".into());
        return Err(e.expected("a table such as { from = \"1 um\", to = \"1 mm\", points = 41, scale = \"log\" }"));
    }
    if balancing.subharmonics != 1 {
        let e =
            keys.refuse("subharmonics", "analysis::not-served", "a free motion has no drive to be a part of".into());
        return Err(e.hint("leave out `subharmonics`"));
    }
    Ok(Box::new(Backbone { amplitudes, coordinate, mode, balancing }))
}

/// A free motion at an amplitude: factors of the basis, frequency, damping ratio.
#[derive(Clone, Debug)]
struct Free {
    x: Vec<f64>,
    omega: f64,
    damping: f64,
    states: Vec<f64>,
    energy: f64,
}

impl Backbone {
    fn coordinate(&self, model: &Model) -> usize {
        let named = |name: &String| model.structure.coordinates.iter().position(|c| c == name);
        self.coordinate.as_ref().and_then(named).unwrap_or(0)
    }

    fn basis(&self, omega: f64) -> Basis {
        Basis { harmonics: self.balancing.harmonics, period: TAU / omega }
    }

    /// The linear mode about rest, with the springs of contacts that stick: its frequency and shape, 1 at the coordinate.
    fn linear(&self, model: &Model) -> Result<(f64, Vec<f64>), String> {
        let mut dynamics = crate::period_map::dynamics(model)?;
        let (n, m) = (dynamics.n, dynamics.dim());
        let y = at_rest(&dynamics);
        let modes = vec![Mode::Forward; dynamics.sites.len()];
        let (mut dy, mut jac) = (vec![0.0; m], vec![0.0; m * m]);
        dynamics.evaluate(0.0, &y, &modes, &mut dy).map_err(|_| "the contacts have no reactions at rest")?;
        dynamics.jacobian(0.0, &y, &modes, &mut jac);
        let o = model.structure.orientation;
        // States follow the slip while contacts stick: z = (dz/dv) q.
        let entry = |i: usize, j: usize| {
            let through = |k: usize| jac[(n + i) * m + 2 * n + k] * jac[(2 * n + k) * m + n + j];
            -(o * jac[(n + i) * m + j] + (0..m - 2 * n).map(through).sum::<f64>())
        };
        let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let pairs = eigenpairs(n, &matrix).ok_or("the modes about rest did not converge")?;
        let mut pairs: Vec<_> = pairs.into_iter().filter(|p| p.value[0] > 0.0).collect();
        pairs.sort_by(|a, b| a.value[0].total_cmp(&b.value[0]));
        let count = pairs.len();
        let pair =
            pairs.get(self.mode - 1).ok_or_else(|| format!("there is no mode {}: there are {count}", self.mode))?;
        let shape: Vec<f64> = pair.right.iter().map(|x| x[0]).collect();
        let (own, size) = (shape[self.coordinate(model)], stickslip_solve::largest(shape.iter().copied()));
        if own.abs() <= TAKES_PART * size {
            return Err(format!("the coordinate takes no part in mode {}", self.mode));
        }
        Ok((pair.value[0].sqrt(), shape.iter().map(|x| x / own).collect()))
    }

    /// Newton's method at an amplitude.
    fn solve(&self, model: &Model, amplitude: f64, start: &Free) -> Result<Free, String> {
        let coordinate = self.coordinate(model);
        let mut at = start.clone();
        let count = self.basis(at.omega).len();
        let m = at.x.len();
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (mut r, mut jac) = (vec![0.0; m + 2], vec![0.0; m * m]);
            let mut balance = Balance::new(model, self.basis(at.omega), self.balancing)?;
            balance.states.clone_from(&at.states);
            balance.damping = -2.0 * at.damping * at.omega;
            let seen: Seen = balance.residual(&at.x, &mut r[..m], Some(&mut jac))?;
            (at.energy, at.states) = (seen.energy, balance.states.clone());
            let moved = |omega: f64, damping: f64| -> Result<Vec<f64>, String> {
                let mut other = Balance::new(model, self.basis(omega), self.balancing)?;
                other.states.clone_from(&at.states);
                other.damping = -2.0 * damping * omega;
                let mut r = vec![0.0; m];
                other.residual(&at.x, &mut r, None)?;
                Ok(r)
            };
            let h = DIFFERENCE * at.omega;
            let by_omega = (moved(at.omega + h, at.damping)?, moved(at.omega - h, at.damping)?);
            // Linear in the damping.
            let by_damping = moved(at.omega, at.damping + 1.0)?;
            let own = &at.x[coordinate * count..(coordinate + 1) * count];
            let basis = self.basis(at.omega);
            let [(low, t_low), (high, t_high)] = basis.extremes(own);
            r[m] = 0.5 * (high - low) - amplitude;
            r[m + 1] = own[2];
            let mut functions = [harmonic_balance::Functions::default(), harmonic_balance::Functions::default()];
            basis.at(t_low, &mut functions[0]);
            basis.at(t_high, &mut functions[1]);
            let mut matrix = vec![0.0; (m + 2) * (m + 2)];
            for i in 0..m {
                matrix[i * (m + 2)..i * (m + 2) + m].copy_from_slice(&jac[i * m..(i + 1) * m]);
                matrix[i * (m + 2) + m] = (by_omega.0[i] - by_omega.1[i]) / (2.0 * h);
                matrix[i * (m + 2) + m + 1] = by_damping[i] - r[i];
            }
            for c in 0..count {
                let way = 0.5 * (functions[1].value[c] - functions[0].value[c]);
                matrix[m * (m + 2) + coordinate * count + c] = way;
            }
            matrix[(m + 1) * (m + 2) + coordinate * count + 2] = 1.0;
            // Unknowns in units of their sizes, rows of one size.
            let sizes = |k: usize| {
                if k < m {
                    amplitude
                } else if k == m {
                    at.omega
                } else {
                    1.0
                }
            };
            for (row, r) in matrix.chunks_exact_mut(m + 2).zip(&mut r) {
                row.iter_mut().enumerate().for_each(|(k, x)| *x *= sizes(k));
                let most = stickslip_solve::largest(row.iter().copied());
                if most > 0.0 {
                    row.iter_mut().for_each(|x| *x /= most);
                    *r /= most;
                }
            }
            Lu::new(m + 2, &matrix).ok_or("the balanced equations are singular")?.solve(&mut r);
            let length = stickslip_solve::largest(r.iter().copied());
            if !length.is_finite() {
                return Err("Newton's method leads nowhere".into());
            }
            let part = (0.5 / length).min(1.0);
            at.x.iter_mut().zip(&r).for_each(|(x, r)| *x -= part * r * amplitude);
            at.omega *= 1.0 - part * r[m];
            at.damping -= part * r[m + 1];
            if length <= CONVERGED || (length >= 0.3 * last && length <= ROUNDING) {
                return Ok(at);
            }
            last = length;
        }
        Err(format!("Newton's method does not converge (last correction {last:.1e})"))
    }

    /// From one amplitude to another, in shorter steps where one fails.
    fn onward(&self, model: &Model, from: (f64, &Free), to: f64, halvings: usize) -> Result<Free, String> {
        let by = to / from.0;
        let scaled = Free { x: from.1.x.iter().map(|x| x * by).collect(), ..from.1.clone() };
        match self.solve(model, to, &scaled) {
            Ok(found) => Ok(found),
            Err(e) if halvings == 0 => Err(e),
            Err(_) => {
                let middle = (from.0 * to).sqrt();
                let there = self.onward(model, from, middle, halvings - 1)?;
                self.onward(model, (middle, &there), to, halvings - 1)
            }
        }
    }
}

impl Analysis for Backbone {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(e) = harmonic_balance::refuse(model, &self.balancing) {
            return Some(e);
        }
        if let Some(name) = self.coordinate.as_ref().filter(|name| !model.structure.coordinates.contains(name)) {
            let e = Refused::new(
                "analysis.coordinate",
                "analysis::unknown-name",
                format!("there is no coordinate `{name}`"),
            );
            return Some(e.expected(format!("one of {}", model.structure.coordinates.join(", "))));
        }
        if self.mode > model.structure.len() {
            let text = format!("there is no mode {}: the structure has {}", self.mode, model.structure.len());
            return Some(Refused::new("analysis.mode", "analysis::out-of-range", text));
        }
        let steady = model
            .loading
            .forces
            .iter()
            .chain(&model.loading.base)
            .chain(&model.loading.surface)
            .all(Signal::is_constant)
            && model.contacts.iter().all(|c| c.given.is_constant());
        if !steady || model.loading.is_sudden() {
            let e = Refused::new(
                "drive",
                "analysis::not-served",
                "a backbone is that of the free motion: this drive changes in time",
            );
            return Some(e.hint("leave out [drive], or use analysis kind \"frequency-response\""));
        }
        None
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let unit = model.structure.unit(self.coordinate(model));
        let mut rows: Vec<(f64, Free)> = vec![];
        let first = self.linear(model).and_then(|(omega, shape)| {
            let count = self.basis(omega).len();
            let mut x = vec![0.0; count * shape.len()];
            shape.iter().enumerate().for_each(|(i, s)| x[i * count + 1] = s * self.amplitudes[0]);
            let states = at_rest(&crate::period_map::dynamics(model)?)[2 * shape.len()..].to_vec();
            Ok(Free { x, omega, damping: 0.0, states, energy: 0.0 })
        });
        let mut last = match first {
            Ok(free) => (self.amplitudes[0], free),
            Err(e) => {
                out.worsen(Status::Failed, e);
                return out;
            }
        };
        for (k, amplitude) in self.amplitudes.iter().enumerate() {
            context.report(k as f64 / self.amplitudes.len() as f64);
            if context.stopped() {
                out.worsen(Status::Partial, "stopped before its end");
                break;
            }
            match self.onward(model, (last.0, &last.1), *amplitude, MOST_HALVINGS) {
                Ok(found) => {
                    last = (*amplitude, found.clone());
                    rows.push((*amplitude, found));
                }
                Err(e) => {
                    let status = if rows.is_empty() { Status::Failed } else { Status::Partial };
                    out.worsen(status, format!("no free motion at an amplitude of {amplitude:.6e} {unit}: {e}"));
                    break;
                }
            }
        }
        let column = |of: &dyn Fn(&(f64, Free)) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
        let mut table = Table::new("backbone");
        table.push("amplitude", unit, column(&|r| r.0));
        table.push("omega", "rad/s", column(&|r| r.1.omega));
        table.push("frequency", "Hz", column(&|r| r.1.omega / TAU));
        table.push("damping_ratio", "1", column(&|r| r.1.damping));
        table.push("energy", "J", column(&|r| r.1.energy));
        if !rows.is_empty() {
            out.tables.push(table);
        }
        out.coordinates = model.structure.coordinates.clone();
        out
    }
}
