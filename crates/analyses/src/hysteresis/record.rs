//! What is kept of a program: rows, slides and cycles.
use crate::transient::Polynomial;
use std::ops::Range;

/// Cycles of a step whose rows are kept: the first and the last ones. Of those between only their values are.
const KEPT_FIRST: u64 = 10;
const KEPT_LAST: u64 = 10;

/// Where the quantities that make a loop stand in a row.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// What is moved: the slip of a point, the driver or surface of a structure.
    pub displacement: usize,
    /// What that takes: the friction force of a point, the force of the drive on a structure.
    pub force: usize,
    /// The same as a size where it has two components; else the force itself.
    pub size: usize,
    /// Friction coefficient, in two directions that of the size.
    pub coefficient: usize,
    /// Slip.
    pub slip: usize,
    /// Its second component.
    pub across: Option<usize>,
}

/// A quantity whose rate is known at every row: its column, and that of its rate.
pub type Followed = (usize, usize);

/// Rows, slides and cycles of a program.
pub struct Record {
    /// Names and units of the columns; the first is the time.
    pub names: Vec<(String, String)>,
    /// Which of them make the loop.
    pub columns: Columns,
    /// The rows that are kept.
    pub rows: Vec<Vec<f64>>,
    /// Rates of the friction coefficient and of the force, for each row; not numbers where they are not known.
    pub slopes: Vec<[f64; 2]>,
    /// The steps that move or load.
    pub slides: Vec<Slide>,
    /// The cycles, of all steps.
    pub cycles: Vec<Cycle>,
    /// Smallest and largest value of each column in rows that were not kept.
    pub gone: Vec<(f64, f64)>,
    /// The row in which a law with stick, its own or that of an inner element, first lets go.
    pub departure: Option<usize>,
    /// Slope of the force over the displacement where the first slide begins.
    pub tangent: Option<f64>,
    /// The first column that is no number in rows that were not kept, and its time.
    lost: Option<(usize, f64)>,
    /// First row of the cycle under way, and the work before it.
    begun: (usize, f64),
}

/// A step that moves or loads.
#[derive(Clone, Debug)]
pub struct Slide {
    /// Its first row.
    pub first: usize,
    /// Its last row: what follows, unloading or rest, is no slide.
    pub last: usize,
    /// Largest coefficient and force in rows that were not kept; no numbers where there are none.
    pub gone: [f64; 2],
    /// Time at rest before it, s.
    pub rest: f64,
}

/// A cycle.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// When it began, s.
    pub start: f64,
    /// Energy that it took.
    pub area: f64,
    /// Smallest and largest force.
    pub force: (f64, f64),
    /// Smallest and largest displacement.
    pub displacement: (f64, f64),
}

impl Record {
    /// An empty record.
    pub fn new(names: Vec<(String, String)>, columns: Columns) -> Record {
        let gone = vec![(f64::INFINITY, f64::NEG_INFINITY); names.len()];
        Record {
            names,
            columns,
            rows: vec![],
            slopes: vec![],
            slides: vec![],
            cycles: vec![],
            gone,
            departure: None,
            tangent: None,
            lost: None,
            begun: (0, 0.0),
        }
    }

    /// The coefficient, with its rate.
    pub fn coefficient(&self) -> Followed {
        (self.columns.coefficient, 0)
    }

    /// The size of the force, with its rate.
    pub fn force(&self) -> Followed {
        (self.columns.size, 1)
    }

    /// Keeps a row.
    pub fn keep(&mut self, row: Vec<f64>, slopes: [f64; 2]) {
        self.rows.push(row);
        self.slopes.push(slopes);
    }

    /// Goes back to so many rows.
    pub fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.slopes.truncate(rows);
    }

    /// A step that moves or loads begins, after so long at rest.
    pub fn begin_slide(&mut self, rest: f64) {
        let first = self.rows.len();
        self.slides.push(Slide { first, last: first, gone: [f64::NAN; 2], rest });
    }

    /// It ends.
    pub fn end_slide(&mut self) {
        let last = self.rows.len().saturating_sub(1);
        if let Some(slide) = self.slides.last_mut() {
            slide.last = last.max(slide.first.saturating_sub(1));
        }
    }

    /// A cycle begins at the last row, where so much work has been done.
    pub fn begin_cycle(&mut self, work: f64) {
        self.begun = (self.rows.len(), work);
    }

    /// Cycle number `k` of `count` ends: its values are kept, its rows only if it is one of the first or last.
    pub fn end_cycle(&mut self, k: u64, count: u64, work: f64) {
        let (first, before) = self.begun;
        let range = first.saturating_sub(1)..self.rows.len();
        let of = |column: usize| -> (f64, f64) {
            self.rows[range.clone()]
                .iter()
                .map(|r| r[column])
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
        };
        let start = self.rows.get(range.start).map_or(0.0, |r| r[0]);
        let area = work - before;
        let cycle = Cycle { start, area, force: of(self.columns.force), displacement: of(self.columns.displacement) };
        self.cycles.push(cycle);
        if k >= KEPT_FIRST && k + KEPT_LAST < count {
            self.forget(first);
        }
        self.begin_cycle(work);
    }

    /// Whether a column is friction over the normal force, or its second component.
    pub fn is_coefficient(&self, column: usize) -> bool {
        column == self.columns.coefficient || self.names[column].0 == "friction_2"
    }

    /// The first column that is no number, and its time. A coefficient without a load is none, and no fault.
    pub fn no_number(&self) -> Option<(usize, f64)> {
        let broken = |row: &[f64]| (0..row.len()).find(|k| row[*k].is_nan() && !self.is_coefficient(*k));
        self.lost.or_else(|| self.rows.iter().find_map(|row| Some((broken(row)?, row[0]))))
    }

    /// Forgets rows, but not how far they went.
    fn forget(&mut self, first: usize) {
        let most = [self.largest(self.coefficient(), first..self.rows.len()), {
            self.largest(self.force(), first..self.rows.len())
        }];
        if let Some(slide) = self.slides.last_mut() {
            slide.gone = [slide.gone[0].max(most[0]), slide.gone[1].max(most[1])];
        }
        self.lost = self.no_number();
        for row in &self.rows[first.min(self.rows.len())..] {
            for (gone, x) in self.gone.iter_mut().zip(row) {
                *gone = (gone.0.min(*x), gone.1.max(*x));
            }
        }
        self.truncate(first);
    }

    /// The rows from a slide's first to the next one's: its own, and what follows it.
    pub fn rows_of(&self, slide: usize) -> Range<usize> {
        let end = self.slides.get(slide + 1).map_or(self.rows.len(), |s| s.first);
        self.slides[slide].first.min(end)..end
    }

    /// The largest coefficient of each slide; not a number for one without a load.
    pub fn peaks(&self) -> Vec<f64> {
        let peak = |k: usize| self.largest(self.coefficient(), self.rows_of(k)).max(self.slides[k].gone[0]);
        (0..self.slides.len()).map(peak).collect()
    }

    /// The largest size in a column whose rates are known, between rows too; not a number where it has none.
    pub fn largest(&self, (column, slope): Followed, rows: Range<usize>) -> f64 {
        let rows = rows.start.min(self.rows.len())..rows.end.min(self.rows.len());
        let mut most = rows.clone().map(|k| self.rows[k][column].abs()).fold(f64::NAN, f64::max);
        for k in rows.start + 1..rows.end {
            let (a, b) = (&self.rows[k - 1], &self.rows[k]);
            let h = b[0] - a[0];
            let sign = (a[column] + b[column]).signum();
            let (d0, d1) = (sign * self.slopes[k - 1][slope] * h, sign * self.slopes[k][slope] * h);
            if d0 > 0.0 && d1 < 0.0 {
                most = most.max(top(sign * a[column], sign * b[column], d0, d1));
            }
        }
        most
    }
}

/// Halvings at which the top of a cubic is known to rounding.
const HALVINGS: usize = 60;

/// The maximum of the cubic on (0, 1) with these values and slopes at its ends, the first slope positive, the second
/// negative.
fn top(y0: f64, y1: f64, d0: f64, d1: f64) -> f64 {
    let cubic = Polynomial::cubic([y0, y1], [d0, d1]);
    let (mut a, mut b) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let m = 0.5 * (a + b);
        if cubic.slope(m) > 0.0 { a = m } else { b = m }
    }
    cubic.value(a)
}

/// The cycles of a step as times of its own: where the first whole one begins, their length and number.
///
/// A part of a cycle comes first: the last cycle is a whole one, by which the loop has closed. Less than one cycle counts
/// as one.
pub fn whole_cycles(period: f64, count: f64) -> (f64, f64, u64) {
    if count < 1.0 {
        return (0.0, period * count, 1);
    }
    let whole = (count * (1.0 + 4.0 * f64::EPSILON)).floor();
    (period * (count - whole).max(0.0), period, whole as u64)
}
