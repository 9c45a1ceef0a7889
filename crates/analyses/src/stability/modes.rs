//! Shapes of the modes about steady sliding, and how their eigenvalues change with parameters.
use super::{Spectrum, System, spectrum};
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_model::{Context, Model};
use stickslip_solve::eigen::{Eigenpair, eigenpairs};
use stickslip_solve::quadratic::Mode;

/// Part of a parameter by which it is varied: the Jacobian is exact, and Richardson's extrapolation leaves 1e-12 of it.
const VARIED: f64 = 1e-3;
/// An eigenvalue whose vectors are this badly conditioned is met by another: it has no derivative.
const DEFECTIVE: f64 = 1e8;

/// A mode: its value, and its shape on the coordinates.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Real and imaginary part, 1/s.
    pub value: [f64; 2],
    /// Real and imaginary part on each coordinate.
    pub shape: Vec<[f64; 2]>,
    /// Over the sizes of its terms.
    pub residual: f64,
    /// Square of the cosine between its shape and that at the point before.
    pub likeness: f64,
}

impl Shape {
    /// Of a mode of the linearised equations.
    pub fn of(mode: &Mode) -> Shape {
        let shape = mode.vector.iter().map(|x| [x.re, x.im]).collect();
        Shape { value: [mode.value.re, mode.value.im], shape, residual: mode.residual, likeness: 1.0 }
    }

    /// Hz
    pub fn frequency(&self) -> f64 {
        self.value[1].abs() / (2.0 * std::f64::consts::PI)
    }

    /// -Re/|lambda|
    pub fn damping_ratio(&self) -> f64 {
        let size = self.value[0].hypot(self.value[1]);
        if size > 0.0 { -self.value[0] / size } else { f64::NAN }
    }

    /// -2 Re/|Im|
    pub fn loss_factor(&self) -> f64 {
        if self.value[1] == 0.0 { f64::NAN } else { -2.0 * self.value[0] / self.value[1].abs() }
    }
}

/// All modes of first-order equations, of which the coordinates are the first `n` unknowns.
pub fn of_pairs(system: &System, n: usize) -> Option<Vec<Shape>> {
    let count = system.unknowns.len();
    let residual = |pair: &Eigenpair| {
        let (mut off, mut size) = (0.0, 0.0);
        for (i, x) in pair.right.iter().enumerate() {
            let row = &system.matrix[i * count..(i + 1) * count];
            let sum = |part: usize| row.iter().zip(&pair.right).map(|(a, x)| a * x[part]).sum::<f64>();
            let [a, b] = pair.value;
            let turned = [a * x[0] - b * x[1], a * x[1] + b * x[0]];
            let own = [sum(0), sum(1)];
            off += (own[0] - turned[0]).powi(2) + (own[1] - turned[1]).powi(2);
            size += own[0].powi(2) + own[1].powi(2) + turned[0].powi(2) + turned[1].powi(2);
        }
        if size > 0.0 { (off / size).sqrt() } else { 0.0 }
    };
    let pairs = eigenpairs(count, &system.matrix)?;
    let shape = |pair: Eigenpair| Shape {
        residual: residual(&pair),
        value: pair.value,
        shape: pair.right[..n].to_vec(),
        likeness: 1.0,
    };
    Some(pairs.into_iter().map(shape).collect())
}

/// The table of modes near a frequency.
pub fn near_table(found: &[Shape]) -> Table {
    let mut table = Table::new("modes");
    table.push("mode", "1", (1..=found.len()).map(|k| k as f64).collect::<Vec<f64>>());
    super::near::columns(&mut table, &found.iter().collect::<Vec<_>>());
    table
}

/// Adds the table of modes, and the derivatives of the eigenvalues in the parameters at these paths.
pub fn report(spectrum: &Spectrum, model: &Model, (paths, context): (&[String], &Context), out: &mut Outcome) {
    let Some(system) = &spectrum.system else { return };
    let count = system.unknowns.len();
    let Some(mut pairs) = eigenpairs(count, &system.matrix) else {
        if !paths.is_empty() {
            out.worsen(Status::Failed, "eigenvalues that meet have no vectors of their own, and no derivatives");
        }
        return;
    };
    in_order_of(&spectrum.values, &mut pairs);
    out.tables.push(table(&pairs, model));
    for path in paths {
        match derivatives(path, &pairs, system, context) {
            Ok(rows) => {
                let unit = context.unit_of(path);
                let unit = if unit.is_empty() || unit == "1" { "1/s".into() } else { format!("1/s/({unit})") };
                out.set(format!("sensitivity.{path}"), Value::Rows(rows), unit);
            }
            Err(why) => out.worsen(Status::Failed, format!("sensitivity in `{path}`: {why}")),
        }
    }
}

/// Sorts pairs as the eigenvalues that are reported.
fn in_order_of(values: &[[f64; 2]], pairs: &mut [Eigenpair]) {
    let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    for (k, value) in values.iter().enumerate().take(pairs.len()) {
        let near =
            (k..pairs.len()).min_by(|i, j| far(pairs[*i].value, *value).total_cmp(&far(pairs[*j].value, *value)));
        near.into_iter().for_each(|near| pairs.swap(k, near));
    }
}

fn table(pairs: &[Eigenpair], model: &Model) -> Table {
    let mut table = Table::new("modes");
    let column = |of: &dyn Fn(&Eigenpair) -> f64| pairs.iter().map(of).collect::<Vec<f64>>();
    let size = |p: &Eigenpair| p.value[0].hypot(p.value[1]);
    table.push("growth_rate", "1/s", column(&|p| p.value[0]));
    table.push("omega", "rad/s", column(&|p| p.value[1]));
    table.push("frequency", "Hz", column(&|p| p.value[1].abs() / (2.0 * std::f64::consts::PI)));
    table.push("damping_ratio", "1", column(&|p| if size(p) > 0.0 { -p.value[0] / size(p) } else { f64::NAN }));
    let loss = |p: &Eigenpair| if p.value[1] == 0.0 { f64::NAN } else { -2.0 * p.value[0] / p.value[1].abs() };
    table.push("loss_factor", "1", column(&loss));
    let n = model.structure.len();
    let shapes: Vec<Vec<[f64; 2]>> = pairs.iter().map(|p| normalised(&p.right[..n])).collect();
    for (j, name) in model.structure.listed().iter().enumerate() {
        for (part, of) in ["re", "im"].iter().enumerate() {
            table.push(format!("{name}.{of}"), "1", shapes.iter().map(|s| s[j][part]).collect::<Vec<f64>>());
        }
    }
    table
}

/// A shape whose largest entry is 1; all zero for a mode of states alone.
fn normalised(shape: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let size = |x: &[f64; 2]| x[0] * x[0] + x[1] * x[1];
    let largest = shape.iter().copied().max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or([0.0; 2]);
    let square = size(&largest);
    let over = |x: &[f64; 2]| match square > 0.0 {
        true => [(x[0] * largest[0] + x[1] * largest[1]) / square, (x[1] * largest[0] - x[0] * largest[1]) / square],
        false => [0.0; 2],
    };
    shape.iter().map(over).collect()
}

/// Left and right vectors about the derivative of the matrix, the shift of the equilibrium included.
fn derivatives(path: &str, pairs: &[Eigenpair], system: &System, context: &Context) -> Result<Vec<Vec<f64>>, String> {
    let number = context.number.and_then(|number| number(path)).ok_or("the scenario has no number there")?;
    let matrix = |x: f64| -> Result<Vec<f64>, String> {
        let model = context.model_at(&[(path, x)])?;
        let there = spectrum(&model).map_err(|e| e.message)?.system.ok_or("no linear equations")?;
        match there.unknowns == system.unknowns {
            true => Ok(there.matrix),
            false => Err("the states that move are others beside this value".into()),
        }
    };
    let step = VARIED * if number.value == 0.0 { 1.0 } else { number.value.abs() };
    let [low, high] = number.between;
    // At the end of a range both sides are replaced by one: the same order from five places.
    let inside = number.value - step > low && number.value + step < high;
    let side = if number.value + 4.0 * step < high { step } else { -step };
    let places: &[(f64, f64)] = match inside {
        true => &[(-1.0, 1.0 / 6.0), (-0.5, -4.0 / 3.0), (0.5, 4.0 / 3.0), (1.0, -1.0 / 6.0)],
        false => &[(0.0, -25.0 / 12.0), (1.0, 4.0), (2.0, -3.0), (3.0, 4.0 / 3.0), (4.0, -0.25)],
    };
    let unit = if inside { step } else { side };
    let mut change = vec![0.0; system.matrix.len()];
    for (place, weight) in places {
        for (change, x) in change.iter_mut().zip(matrix(number.value + place * unit)?) {
            *change += weight * x / unit;
        }
    }
    match pairs.iter().all(|pair| pair.condition < DEFECTIVE) {
        true => Ok(pairs.iter().map(|pair| pair.change(&change).to_vec()).collect()),
        false => Err("eigenvalues meet here, where they have no derivative".into()),
    }
}
