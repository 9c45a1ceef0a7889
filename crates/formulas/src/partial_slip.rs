//! What the formulas of partial slip share: Hertz contacts, and a line contact whose middle sticks.
use std::f64::consts::PI;

/// Half width and largest pressure of cylinders under a force on a unit of length.
pub fn hertz_line(load: f64, radius: f64, modulus: f64) -> [f64; 2] {
    let a = (4.0 * load * radius / (PI * modulus)).sqrt();
    [a, 2.0 * load / (PI * a)]
}

/// Radius and largest pressure of spheres.
pub fn hertz_point(load: f64, radius: f64, modulus: f64) -> [f64; 2] {
    let a = (0.75 * load * radius / modulus).cbrt();
    [a, 1.5 * load / (PI * a * a)]
}

/// The tangential compliances of both bodies: (2 - nu_1)/G_1 + (2 - nu_2)/G_2.
pub fn shear([g_1, nu_1, g_2, nu_2]: [f64; 4]) -> f64 {
    (2.0 - nu_1) / g_1 + (2.0 - nu_2) / g_2
}

/// Tangential force over what friction can carry; refused where the contact slides as a whole.
pub fn ratio(q: f64, mu: f64, p: f64) -> Result<f64, String> {
    let ratio = q / (mu * p);
    if (0.0..=1.0).contains(&ratio) {
        return Ok(ratio);
    }
    Err(format!("Q = {q} is beyond mu P = {}: the whole contact slides", mu * p))
}

/// Refuses a part that sticks, of half width c about e, where it leaves the contact.
pub fn stays_inside(e: f64, c: f64, a: f64) -> Result<(), String> {
    if e.abs() + c > a * (1.0 + 1e-12) {
        let text = "the bulk stress would move the edge of stick out of the contact: slip reverses there, which this \
                    solution does not hold";
        return Err(format!("|e| + c = {} exceeds a = {a}: {text}", e.abs() + c));
    }
    Ok(())
}

/// Dissipation in a cycle of a tangential force over (mu P)^2 (compliances)/a, at a part q of mu P.
pub fn mindlin_energy(q: f64) -> f64 {
    if q > 0.2 {
        let rest = 1.0 - q;
        return 0.9 * (1.0 - rest.powf(5.0 / 3.0) - 5.0 / 6.0 * q * (1.0 + rest.powf(2.0 / 3.0)));
    }
    // The first three orders cancel: the series of both powers, term by term.
    let (mut first, mut second) = (1.0, 1.0);
    let (mut sum, mut power) = (0.0, 1.0);
    for k in 1..40 {
        let n = k as f64;
        let before = second;
        first *= -(5.0 / 3.0 - (n - 1.0)) / n;
        second *= -(2.0 / 3.0 - (n - 1.0)) / n;
        power *= q;
        if k >= 3 {
            sum -= (first + 5.0 / 6.0 * before) * power;
        }
    }
    0.9 * sum
}

/// A line contact under normal and tangential force, part of which slips.
pub struct Line {
    mu: f64,
    modulus: f64,
    /// Half width.
    pub a: f64,
    /// Largest pressure.
    pub p_0: f64,
    /// Half width of the part that sticks.
    pub c: f64,
    /// Its middle, which a bulk stress moves.
    pub e: f64,
    bulk: f64,
}

impl Line {
    /// From friction, forces on a unit of length, radius, modulus and bulk stress.
    pub fn new([mu, p, q, radius, modulus, bulk]: [f64; 6]) -> Result<Line, String> {
        let [a, p_0] = hertz_line(p, radius, modulus);
        let c = a * (1.0 - ratio(q, mu, p)?).sqrt();
        let e = a * bulk / (4.0 * mu * p_0);
        stays_inside(e, c, a)?;
        Ok(Line { mu, modulus, a, p_0, c, e, bulk })
    }

    /// Pressure at x.
    pub fn pressure(&self, x: f64) -> f64 {
        self.p_0 * (1.0 - (x / self.a).powi(2)).max(0.0).sqrt()
    }

    /// Tangential traction at x.
    pub fn traction(&self, x: f64) -> f64 {
        let stick = (self.c * self.c - (x - self.e).powi(2)).max(0.0).sqrt() / self.a;
        self.mu * (self.pressure(x) - self.p_0 * stick)
    }

    /// Slip at x, where the contact slips.
    pub fn slip(&self, x: f64) -> f64 {
        let out = (x - self.e).abs();
        if out <= self.c || x.abs() > self.a * (1.0 + 1e-12) {
            return 0.0;
        }
        let root = (out * out - self.c * self.c).sqrt();
        let log = if self.c > 0.0 { self.c * self.c * ((out + root) / self.c).ln() } else { 0.0 };
        self.mu * self.p_0 / (self.a * self.modulus) * (out * root - log)
    }

    /// Stress along the surface by the tangential traction, and the bulk stress: tensile behind, where x < 0.
    pub fn stress(&self, x: f64) -> f64 {
        // An elliptic traction q_0 on (-b, b): -2 q_0 x/b within, less what decays outside.
        let ellipse = |x: f64, b: f64| {
            let out = if x.abs() > b { x.signum() * (x * x - b * b).sqrt() } else { 0.0 };
            if b > 0.0 { (x - out) / b } else { 0.0 }
        };
        let traction = ellipse(x, self.a) - self.c / self.a * ellipse(x - self.e, self.c);
        -2.0 * self.mu * self.p_0 * traction + self.bulk
    }
}

/// The place of the largest value of a function on a list of intervals, by a scan and golden sections.
pub fn largest(f: impl Fn(f64) -> f64, ends: &[f64]) -> [f64; 2] {
    const PARTS: usize = 400;
    let mut best = [ends[0], f(ends[0])];
    let better = |x: f64, best: &mut [f64; 2]| {
        let y = f(x);
        if y > best[1] {
            *best = [x, y];
        }
        y
    };
    for pair in ends.windows(2) {
        let step = (pair[1] - pair[0]) / PARTS as f64;
        let mut local = [pair[0], f64::NEG_INFINITY];
        for k in 0..=PARTS {
            better(pair[0] + step * k as f64, &mut local);
        }
        let (mut low, mut high) = ((local[0] - step).max(pair[0]), (local[0] + step).min(pair[1]));
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        for _ in 0..60 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if better(left, &mut local) < better(right, &mut local) {
                low = left;
            } else {
                high = right;
            }
        }
        better(local[0], &mut best);
    }
    best
}
