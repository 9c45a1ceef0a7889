//! What is kept of a program: rows, slides and cycles.
use std::ops::Range;
use stickslip_motion::Polynomial;

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

/// A quantity that is followed between rows: its column, and its place in [`Record::inside`].
pub type Followed = (usize, usize);

/// What lies inside a step.
#[derive(Clone, Debug)]
pub struct Inside {
    /// Largest size of the friction coefficient and of the force; not numbers where they do not turn.
    pub most: [f64; 2],
    /// Where each of them turns, as far as that is known, in the order of time.
    pub turns: [Vec<Turn>; 2],
}

/// A minimum or maximum inside a step.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// When, s.
    pub t: f64,
    /// Its value.
    pub value: f64,
    /// Both components of the slip then, m.
    pub slip: [f64; 2],
}

impl Inside {
    /// Nothing turns.
    pub const NOTHING: Inside = Inside { most: [f64::NAN; 2], turns: [vec![], vec![]] };

    /// What turns like this.
    pub fn of(turns: [Vec<Turn>; 2]) -> Inside {
        let most = [0, 1].map(|q| turns[q].iter().map(|turn: &Turn| turn.value.abs()).fold(f64::NAN, f64::max));
        Inside { most, turns }
    }
}

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
    /// Largest friction coefficient and force inside the step that ends with each row; not numbers where they do not turn
    /// there.
    pub inside: Vec<Inside>,
    /// The steps that move or load.
    pub slides: Vec<Slide>,
    /// The cycles, of all steps.
    pub cycles: Vec<Cycle>,
    /// Smallest and largest value of each column in rows that were not kept.
    pub gone: Vec<(f64, f64)>,
    /// The row in which a law with stick, its own or that of an inner element, first lets go.
    pub departure: Option<usize>,
    /// The row in which the inner elements of a law without stick of its own let go.
    pub yields: Option<usize>,
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
            inside: vec![],
            slides: vec![],
            cycles: vec![],
            gone,
            departure: None,
            yields: None,
            tangent: None,
            lost: None,
            begun: (0, 0.0),
        }
    }

    /// The coefficient.
    pub fn coefficient(&self) -> Followed {
        (self.columns.coefficient, 0)
    }

    /// The size of the force.
    pub fn force(&self) -> Followed {
        (self.columns.size, 1)
    }

    /// Keeps a row, with the largest coefficient and force inside the step that ends with it.
    pub fn keep(&mut self, row: Vec<f64>, slopes: [f64; 2], inside: Inside) {
        self.rows.push(row);
        self.slopes.push(slopes);
        self.inside.push(inside);
    }

    /// Goes back to so many rows.
    pub fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.slopes.truncate(rows);
        self.inside.truncate(rows);
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
                .chain(self.turns_in(column, range.clone()))
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
        column == self.columns.coefficient || ["friction", "friction_2"].contains(&self.names[column].0.as_str())
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
        let rows = first.min(self.rows.len())..self.rows.len();
        for (column, gone) in (0..self.names.len()).zip(&mut std::mem::take(&mut self.gone)) {
            let all = self.rows[rows.clone()].iter().map(|row| row[column]).chain(self.turns_in(column, rows.clone()));
            self.gone.push(all.fold(*gone, |gone, x| (gone.0.min(x), gone.1.max(x))));
        }
        self.truncate(first);
    }

    /// The rows from a slide's first to the next one's: its own, and what follows it.
    pub fn rows_of(&self, slide: usize) -> Range<usize> {
        let end = self.slides.get(slide + 1).map_or(self.rows.len(), |s| s.first);
        self.slides[slide].first.min(end)..end
    }

    /// A slide begins with friction as in the row before, which belongs to what came before: it counts among its largest.
    pub fn pass_start(&mut self, row: &[f64]) {
        let columns = [self.columns.coefficient, self.columns.size];
        if let Some(slide) = self.slides.last_mut().filter(|slide| slide.first == self.rows.len()) {
            slide.gone.iter_mut().zip(columns).for_each(|(most, column)| *most = most.max(row[column].abs()));
        }
    }

    /// The largest coefficient of each slide; not a number for one without a load.
    pub fn peaks(&self) -> Vec<f64> {
        let peak = |k: usize| self.largest(self.coefficient(), self.rows_of(k)).max(self.slides[k].gone[0]);
        (0..self.slides.len()).map(peak).collect()
    }

    /// The largest size in a column that is followed, between rows too; not a number where it has none.
    pub fn largest(&self, (column, followed): Followed, rows: Range<usize>) -> f64 {
        let rows = rows.start.min(self.rows.len())..rows.end.min(self.rows.len());
        let at_rows = rows.clone().map(|k| self.rows[k][column].abs());
        let inside = rows.map(|k| self.inside[k].most[followed]);
        at_rows.chain(inside).fold(f64::NAN, f64::max)
    }

    /// Values of a column at its turns inside the steps that end with these rows; none where it is not followed.
    pub fn turns_in(&self, column: usize, rows: Range<usize>) -> impl Iterator<Item = f64> + '_ {
        let followed = [self.coefficient(), self.force()].into_iter().find(|(followed, _)| *followed == column);
        let steps = followed.map_or(&[][..], |_| &self.inside[rows]).iter();
        steps.flat_map(move |inside| inside.turns[followed.map_or(0, |(_, q)| q)].iter().map(|turn| turn.value))
    }
}

/// Halvings at which the top of a cubic is known to rounding.
const HALVINGS: usize = 60;

/// The maximum of the cubic on (0, 1) with these values and slopes at its ends, the first slope positive, the second
/// negative.
pub fn top(y0: f64, y1: f64, d0: f64, d1: f64) -> f64 {
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
