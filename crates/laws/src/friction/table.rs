//! Friction from a table of measured coefficients.
use crate::{
    Bound, Choice, Claims, Example, Friction, Given, Kind, Law, LawError, Param, Preset, Shape, Side, Slide, Source,
};
use stickslip_real::Scalar;

/// Set-valued friction whose coefficient is a table over the speed.
///
/// strength(v) = N mu(v),   hold = mu_s N
///
/// Between the points mu is a cubic without overshoot (PCHIP), or linear; beyond the ends it is constant.
#[derive(Clone, Debug)]
pub struct Table<S = f64> {
    points: Vec<Point<S>>,
    mu_s: S,
}

/// A point of the table, with the cubic that leads to the next one.
#[derive(Clone, Copy, Debug)]
struct Point<S> {
    v: f64,
    mu: S,
    /// mu = mu_i + s (c_1 + s (c_2 + s c_3)), s = v - v_i.
    c: [S; 3],
}

const COLUMNS: &[&str] = &["m/s", "1"];

impl<S: Scalar> Kind<S> for Table<S> {
    type Law = Table<S>;
    const NAME: &'static str = "table";
    const ABOUT: &'static str = "Set-valued friction from a table of the coefficient over the speed: \
         strength(v) = N mu(v), hold = mu_s N; constant beyond the ends of the table.";
    const REFERENCE: &'static str = "F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300 (the cubic)";
    const PARAMS: &'static [Param] = &[
        Param::new("table", "File with the columns speed and coefficient.", Shape::File(COLUMNS)).or(Preset::Absent),
        Param::new("points", "Points [speed, coefficient].", Shape::Rows(COLUMNS)).or(Preset::Absent),
        Param::new("interpolation", "Between the points.", Shape::Choice(&["cubic", "linear"]))
            .or(Preset::Word("cubic")),
        Param::new("mu_s", "Static coefficient; that at rest unless given.", Shape::Number)
            .or(Preset::Absent)
            .within(&[Bound { side: Side::Min, limit: Preset::Number(0.0) }]),
    ];
    const ONE_OF: &'static [&'static str] = &["table", "points"];
    const CLAIMS: Claims =
        Claims { odd: true, memoryless: true, passive: true, set_valued: true, load_linear: true, ..Claims::NONE };
    const EXAMPLE: Option<Example> = Some(Example {
        parameters: "points = [['1 mm/s', 0.60], ['4 mm/s', 0.55], ['2 cm/s', 0.30], ['5 cm/s', 0.31], ['20 cm/s', 0.40]], mu_s = 0.7",
        load: 10.0,
        speed: 0.1,
        slip: 1e-3,
    });

    fn read(source: &Source<S>) -> Result<Table<S>, LawError> {
        let key = if source.get("table").is_some() { "table" } else { "points" };
        let rows: &[Vec<f64>] = match source.get(key) {
            Some(Given::Rows(rows)) => rows,
            _ => &[],
        };
        checked(key, rows)?;
        let mus: Vec<S> = rows.iter().enumerate().map(|(i, row)| source.lift(key, i, row[1])).collect();
        let speeds: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let smooth = source.choice("interpolation", &["cubic", "linear"])? == Choice(0);
        let points = interpolate(&speeds, &mus, smooth);
        let mut law = Table { points, mu_s: S::zero() };
        let at_rest = law.mu(S::zero());
        law.mu_s = match source.get("mu_s") {
            Some(Given::Number(x)) => source.lift("mu_s", 0, *x),
            _ => at_rest,
        };
        if law.mu_s.re() < at_rest.re() {
            let message = format!("`mu_s` = {} is below the coefficient at rest, {}", law.mu_s.re(), at_rest.re());
            return Err(LawError::new("mu_s", "out-of-range", message, "at least that of the table at rest".into()));
        }
        Ok(law)
    }
}

/// Refuses what is no function of the speed.
fn checked(key: &str, rows: &[Vec<f64>]) -> Result<(), LawError> {
    let expected = "speeds that increase, and coefficients of at least 0";
    let wrong = |row: usize, code: &'static str, message: String| {
        let place = if key == "points" { format!("{key}[{row}]") } else { key.into() };
        Err(LawError::new(&place, code, message, expected.into()))
    };
    if rows.len() < 2 {
        let message = format!("`{key}` holds {} point{}", rows.len(), if rows.len() == 1 { "" } else { "s" });
        return Err(LawError::new(key, "shape", message, "at least two points [speed, coefficient]".into()));
    }
    for (i, row) in rows.iter().enumerate() {
        let (v, mu) = (row[0], row[1]);
        match i.checked_sub(1).map(|before| rows[before][0]) {
            None if v < 0.0 => return wrong(i, "out-of-range", format!("the speed {v} m/s is negative")),
            Some(last) if v <= last => {
                let message = format!("the speed does not increase: {v} m/s after {last} m/s in row {}", i + 1);
                return wrong(i, "out-of-range", message);
            }
            _ if mu < 0.0 => {
                return wrong(i, "out-of-range", format!("the coefficient {mu} in row {} is negative", i + 1));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The pieces between the points, and a constant after the last.
fn interpolate<S: Scalar>(v: &[f64], mu: &[S], smooth: bool) -> Vec<Point<S>> {
    let last = v.len() - 1;
    let widths: Vec<f64> = v.windows(2).map(|w| w[1] - w[0]).collect();
    let chords: Vec<S> = (0..last).map(|i| (mu[i + 1] - mu[i]) / widths[i]).collect();
    let flat = [S::zero(); 3];
    let piece = |i: usize| {
        let c = match (chords.get(i), smooth) {
            (None, _) => flat,
            (Some(chord), false) => [*chord, S::zero(), S::zero()],
            (Some(chord), true) => {
                let (a, b, h) = (slope(i, &widths, &chords), slope(i + 1, &widths, &chords), widths[i]);
                [a, (*chord * 3.0 - a * 2.0 - b) / h, (a + b - *chord * 2.0) / (h * h)]
            }
        };
        Point { v: v[i], mu: mu[i], c }
    };
    (0..=last).map(piece).collect()
}

/// Slope of the cubic at a point: a weighted harmonic mean of the chords beside it, zero at an extremum.
fn slope<S: Scalar>(i: usize, widths: &[f64], chords: &[S]) -> S {
    let last = chords.len();
    if i == 0 || i == last {
        return match last {
            1 => chords[0],
            _ if i == 0 => end_slope(widths[0], widths[1], chords[0], chords[1]),
            _ => end_slope(widths[last - 1], widths[last - 2], chords[last - 1], chords[last - 2]),
        };
    }
    let (a, b) = (chords[i - 1], chords[i]);
    if a.re() * b.re() <= 0.0 {
        return S::zero();
    }
    let (w, u) = (2.0 * widths[i] + widths[i - 1], widths[i] + 2.0 * widths[i - 1]);
    S::lit(w + u) / (S::lit(w) / a + S::lit(u) / b)
}

/// Slope at an end from the two chords next to it, bounded so that the cubic stays monotone.
fn end_slope<S: Scalar>(near: f64, next: f64, a: S, b: S) -> S {
    let slope = (a * (2.0 * near + next) - b * near) / (near + next);
    if slope.re() * a.re() <= 0.0 {
        S::zero()
    } else if a.re() * b.re() <= 0.0 && slope.re().abs() > 3.0 * a.re().abs() {
        a * 3.0
    } else {
        slope
    }
}

impl<S: Scalar> Table<S> {
    fn mu(&self, speed: S) -> S {
        let after = self.points.partition_point(|p| p.v <= speed.re());
        let Some(i) = after.checked_sub(1) else { return self.points[0].mu };
        let p = &self.points[i];
        let s = speed - p.v;
        p.mu + s * (p.c[0] + s * (p.c[1] + s * p.c[2]))
    }
}

impl<S: Scalar, const D: usize> Law<S, D> for Table<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        Friction::Cone { hold: at.n * self.mu_s, strength: at.n * self.mu(at.speed()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(points: &[(f64, f64)], smooth: bool) -> Table {
        let (v, mu): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        Table { points: interpolate(&v, &mu, smooth), mu_s: 0.5 }
    }

    #[test]
    fn points_are_met_and_ends_go_on() {
        let points = [(1e-6, 0.6), (1e-3, 0.5), (2e-3, 0.3), (0.1, 0.3), (1.0, 0.4)];
        for smooth in [true, false] {
            let law = law(&points, smooth);
            points.iter().for_each(|(v, mu)| assert!((law.mu(*v) - mu).abs() < 1e-15));
            assert_eq!((law.mu(0.0), law.mu(50.0)), (0.6, 0.4));
        }
        assert!((law(&points, false).mu(1.5e-3) - 0.4).abs() < 1e-15);
    }

    /// A monotone table gives a monotone curve, and a straight one a straight line.
    #[test]
    fn the_cubic_does_not_overshoot() {
        let law = law(&[(0.0, 0.6), (1e-3, 0.59), (2e-3, 0.3), (3e-3, 0.3), (1.0, 0.2)], true);
        let mut last = f64::INFINITY;
        for i in 0..2000 {
            let mu = law.mu(i as f64 * 1e-3 / 400.0);
            assert!(mu <= last + 1e-15 && (0.2..=0.6).contains(&mu), "{i}: {mu}");
            last = mu;
        }
        let line = super::tests::law(&[(0.0, 0.1), (1.0, 0.2), (3.0, 0.4)], true);
        assert!((line.mu(0.4) - 0.14).abs() < 1e-15 && (line.mu(2.2) - 0.32).abs() < 1e-15);
    }
}
