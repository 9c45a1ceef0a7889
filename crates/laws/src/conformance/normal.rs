//! What every normal law must keep: finite answers, tangents, continuity, energy, no pull without adhesion.
use super::Finding;
use crate::{Event, Given, Mode, Normal, NormalFace, NormalGroup, NormalKind, Press, Values};
use stickslip_real::Dual;

/// Parameters of a normal law with which the suite runs, and the approach that shows its behaviour.
#[derive(Clone, Debug)]
pub struct NormalSample {
    name: &'static str,
    given: Vec<(String, Given)>,
    approach: f64,
    opening: f64,
}

/// Points from the opening to the approach.
const POINTS: usize = 41;
/// Area on which traction laws are asked, m^2.
const AREA: f64 = 2e-4;

impl NormalSample {
    /// A sample that is pressed from zero gap to this approach, m.
    pub fn new(name: &'static str, approach: f64) -> NormalSample {
        NormalSample { name, given: vec![], approach, opening: 0.0 }
    }

    /// With this parameter.
    pub fn set(mut self, key: &str, value: impl Into<Given>) -> NormalSample {
        self.given.push((key.into(), value.into()));
        self
    }

    /// Pressed from this gap on, for a law that acts before the gap is closed.
    pub fn from_gap(mut self, opening: f64) -> NormalSample {
        self.opening = opening;
        self
    }
}

/// One answer.
#[derive(Clone, Copy, Debug)]
struct Answer {
    n: f64,
    area: f64,
    stored: f64,
    by_gap: f64,
    by_rate: f64,
}

struct Subject<'a> {
    kind: &'a NormalKind,
    sample: &'a NormalSample,
    group: Box<dyn NormalGroup>,
    z: Vec<f64>,
}

impl Subject<'_> {
    fn press(&self, gap: f64, gap_rate: f64) -> Press<f64> {
        let mut at = Press::new(gap, gap_rate);
        (at.area, at.mass, at.given, at.u, at.v) = (AREA, 2.0, 3.0, 1e-3, 1e-2);
        at
    }

    /// None for a rigid law.
    fn ask(&self, gap: f64, gap_rate: f64) -> Option<Answer> {
        let c = Dual::<4>::constant;
        let plain = self.press(gap, gap_rate);
        let mut at = Press::new(Dual::variable(gap, 0), Dual::variable(gap_rate, 1));
        (at.area, at.mass, at.given, at.u, at.v) =
            (c(plain.area), c(plain.mass), c(plain.given), c(plain.u), c(plain.v));
        let z: Vec<Dual<4>> = self.z.iter().map(|x| c(*x)).collect();
        let (mut dual, mut out) = ([Normal::none()], [Normal::none()]);
        NormalFace::<Dual<4>>::respond(&*self.group, &[at], &z, &mut dual);
        NormalFace::<f64>::respond(&*self.group, &[plain], &self.z, &mut out);
        match (out[0], dual[0]) {
            (Normal::Force { n, area, stored, .. }, Normal::Force { n: d, .. }) => {
                Some(Answer { n, area, stored, by_gap: d.eps[0], by_rate: d.eps[1] })
            }
            _ => None,
        }
    }

    fn finding(&self, check: &'static str, message: String) -> Finding {
        Finding { check, sample: self.sample.name, message }
    }

    fn gaps(&self) -> impl Iterator<Item = f64> {
        let (first, last) = (self.sample.opening, -self.sample.approach);
        (1..=POINTS).map(move |k| first + (last - first) * k as f64 / POINTS as f64)
    }
}

/// Runs the suite on a normal law; what it does not keep.
pub fn normal_findings(kind: &NormalKind, samples: &[NormalSample]) -> Vec<Finding> {
    let mut found = vec![];
    for sample in samples {
        let built = Values::resolve(kind.params, kind.one_of, &sample.given).and_then(|v| kind.build(&v));
        let group = match built {
            Ok(group) => group,
            Err(e) => {
                found.push(Finding { check: "sample", sample: sample.name, message: format!("cannot be built: {e}") });
                continue;
            }
        };
        let z = group.states().iter().map(|s| s.start).collect();
        let mut subject = Subject { kind, sample, group, z };
        if subject.ask(0.0, 0.0).is_none() {
            continue;
        }
        // Pressed once: what remembers contact touches, what remembers the greatest approach has seen half of it.
        let at = subject.press(-0.5 * sample.approach - 1e-12, 0.0);
        let mut z = std::mem::take(&mut subject.z);
        subject.group.on(Event::Load { from: 0.0, to: 0.0 }, &at, &mut z);
        subject.z = z;
        extremes(&subject, &mut found);
        tangents(&subject, &mut found);
        signs(&subject, &mut found);
        first_contact(&subject, &mut found);
        apart(&subject, &mut found);
        energy(&subject, &mut found);
    }
    found
}

/// What is no number is within nothing.
fn within(x: f64, limit: f64) -> bool {
    x <= limit
}

fn extremes(s: &Subject, found: &mut Vec<Finding>) {
    let scale = s.sample.approach.max(s.sample.opening);
    let far = [0.0, 1e-300, -1e-300, scale, -scale, 1e3 * scale, -1e3 * scale, 1.0];
    for gap in far.into_iter().chain(s.gaps()) {
        for rate in [0.0, 1.0, -1.0] {
            let Some(a) = s.ask(gap, rate) else { continue };
            if ![a.n, a.area, a.stored, a.by_gap, a.by_rate].iter().all(|x| x.is_finite()) {
                found.push(s.finding("finite", format!("at gap {gap:e}, rate {rate}: {a:?}")));
            }
        }
    }
}

/// Tangents against central differences, whose error falls with the step until rounding takes over.
fn tangents(s: &Subject, found: &mut Vec<Finding>) {
    for gap in s.gaps() {
        for rate in [-1e-3, 0.0, 2e-3] {
            let Some(a) = s.ask(gap, rate) else { continue };
            for (name, exact, difference) in [
                ("gap", a.by_gap, &(|h: f64| (gap + h, rate)) as &dyn Fn(f64) -> (f64, f64)),
                ("gap_rate", a.by_rate, &|h: f64| (gap, rate + h)),
            ] {
                let size = if name == "gap" { s.sample.approach.max(s.sample.opening) } else { 1e-3 };
                let off = |part: f64| {
                    let h = part * size;
                    let [up, down] = [h, -h].map(difference).map(|(g, r)| s.ask(g, r).map_or(0.0, |a| a.n));
                    ((up - down) / (2.0 * h) - exact).abs()
                };
                let best = [1e-3, 1e-4, 1e-5, 1e-6].map(off).into_iter().fold(f64::INFINITY, f64::min);
                if !within(best, 1e-6 * exact.abs() + 1e-9 * a.n.abs() / size) {
                    let message = format!("d n/d {name} = {exact:e} at gap {gap:e}, rate {rate:e}: off by {best:e}");
                    found.push(s.finding("tangent", message));
                }
            }
        }
    }
}

fn signs(s: &Subject, found: &mut Vec<Finding>) {
    for gap in s.gaps() {
        let Some(a) = s.ask(gap, 0.0) else { continue };
        let pulls = |n: f64| !within(-n, if s.kind.claims.adhesive { f64::INFINITY } else { 0.0 });
        if !within(-a.area, 0.0) || pulls(a.n) {
            found.push(s.finding("sign", format!("at gap {gap:e}: {a:?}")));
        }
        let Some(parting) = s.ask(gap, 1e3) else { continue };
        if pulls(parting.n) {
            found.push(s.finding("pull", format!("n = {:e} while it parts fast at gap {gap:e}", parting.n)));
        }
    }
}

/// At rest the force begins at zero where the gap closes.
fn first_contact(s: &Subject, found: &mut Vec<Finding>) {
    let claims = s.kind.claims;
    if claims.distant != s.group.reach().is_none() {
        found.push(s.finding("distant", format!("claimed: {}, its reach: {:?}", claims.distant, s.group.reach())));
    }
    let Some(reach) = s.group.reach().filter(|_| !(claims.fixed_load || claims.adhesive || claims.position)) else {
        return;
    };
    let most = s.ask(-s.sample.approach, 0.0).map_or(0.0, |a| a.n);
    for gap in [1e-3, 1e-9, 0.0, -1e-9] {
        let n = s.ask(reach + gap * s.sample.approach, 0.0).map_or(0.0, |a| a.n);
        if !within(n.abs(), 1e-6 * most) {
            found.push(
                s.finding("first contact", format!("n = {n:e} at gap {gap:e} of the approach, {most:e} at its end")),
            );
        }
    }
}

/// Surfaces that are apart have no force, no area and no energy; at the event of parting a law says so where they did.
fn apart(s: &Subject, found: &mut Vec<Finding>) {
    if s.kind.claims.fixed_load {
        return;
    }
    let far = s.sample.approach.max(s.sample.opening);
    for gap in s.gaps().chain([0.5 * far, 2.0 * far, 1e3 * far]) {
        let at = s.press(gap, 0.0);
        let Some(touch) = s.group.touch(&at, &s.z) else { return };
        let Some(a) = s.ask(gap, 0.0) else { continue };
        if touch < 0.0 && s.group.states().is_empty() && [a.n, a.area, a.stored].iter().any(|x| *x != 0.0) {
            found.push(s.finding("apart", format!("at gap {gap:e}, {:e} m apart: {a:?}", -touch)));
        }
        let mut z = s.z.clone();
        s.group.on(Event::Enter(Mode::Open), &at, &mut z);
        let mut out = [Normal::none()];
        NormalFace::<f64>::respond(&*s.group, &[at], &z, &mut out);
        if let ([Normal::Force { n, stored, .. }], true) = (out, s.group.touch(&at, &z).is_some_and(|x| x < 0.0))
            && (n != 0.0 || stored != 0.0)
        {
            found.push(s.finding("apart", format!("n = {n:e} and {stored:e} J at gap {gap:e}, after it opened")));
        }
    }
}

/// The slope of what an elastic law stores is its force.
fn energy(s: &Subject, found: &mut Vec<Finding>) {
    if !s.kind.claims.elastic {
        return;
    }
    let size = s.sample.approach.max(s.sample.opening);
    for gap in s.gaps() {
        let Some(a) = s.ask(gap, 0.0) else { continue };
        let off = |part: f64| {
            let h = part * size;
            let [up, down] = [gap + h, gap - h].map(|g| s.ask(g, 0.0).map_or(0.0, |a| a.stored));
            ((down - up) / (2.0 * h) - a.n).abs()
        };
        let best = [1e-3, 1e-4, 1e-5, 1e-6].map(off).into_iter().fold(f64::INFINITY, f64::min);
        if !within(best, 1e-6 * a.n.abs() + 1e-8 * a.stored.abs() / size) {
            let message = format!("its slope differs by {best:e} at gap {gap:e} from the force {:e}", a.n);
            found.push(s.finding("stored", message));
        }
    }
}
