//! What the tests of this crate share: an analysis that only looks at the model, and a normal law with a given load.
#![allow(dead_code)]
use stickslip_data::{Outcome, Value};
use stickslip_laws::{Friction, FrictionKind, Kind, Law, Normal, NormalKind, NormalLaw, Press, Slide};
use stickslip_model::{Analysis, AnalysisKind, Context, Model};
use stickslip_real::{Dual, Real};
use stickslip_scenario::{Catalogue, Diagnostic, Prepared, Scenario};
use stickslip_structures::{Ask, Keys, Refused};

/// Reports the number of coordinates.
struct Look {
    duration: f64,
}

impl Analysis for Look {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let refuses = self.duration > 100.0 && model.contacts.iter().any(|c| c.friction_law == "layers");
        refuses.then(|| Refused::new("contact.friction", "analysis::not-served", "this is too long for a list"))
    }

    fn run(&self, model: &Model, _: &Context) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.set("coordinates", Value::Count(model.structure.len() as u64), "1");
        outcome.set("duration", Value::Number(self.duration), "s");
        outcome
    }
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut cycles = None;
    let found = keys.table("duration", "Length of the run", &mut |keys| {
        cycles = Some(keys.number(Ask::new("cycles", "1", "Cycles").above(0.0))?);
        Ok(())
    });
    let duration = match (found, cycles) {
        (Ok(true), Some(n)) => n,
        _ => keys.number(Ask::new("duration", "s", "Length of the run").above(0.0))?,
    };
    keys.number(Ask::new("rtol", "1", "Relative tolerance").or(1e-9).above(0.0))?;
    Ok(Box::new(Look { duration }))
}

/// A load given in time.
#[derive(Clone, Debug, Kind)]
#[kind("given", claims = "memoryless fixed_load given")]
pub struct GivenLoad<S = f64> {
    /// Part of the load that counts.
    #[param(unit = "1", default = 1.0)]
    pub part: S,
}

impl<S: Real> NormalLaw<S> for GivenLoad<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::force(at.given * self.part, at.area)
    }
}

/// Weight, for tests.
#[derive(Clone, Debug, Kind)]
#[kind("heavy", claims = "memoryless fixed_load mass")]
pub struct Heavy<S = f64> {
    /// Gravity.
    #[param(unit = "m/s^2", default = 9.81)]
    pub gravity: S,
}

impl<S: Real> NormalLaw<S> for Heavy<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::force(at.mass * self.gravity, at.area)
    }
}

/// A power law: its unit depends on its exponent.
#[derive(Clone, Debug, Kind)]
#[kind("powers", claims = "memoryless traction")]
pub struct Powers<S = f64> {
    /// Coefficient.
    #[param(unit = "Pa/m^m", min = 0.0)]
    pub c: S,
    /// Exponent.
    #[param(unit = "1", min = 1.0)]
    pub m: S,
}

impl<S: Real> NormalLaw<S> for Powers<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::force(self.c * at.area + self.m * 0.0, at.area)
    }
}

/// An impenetrable surface.
#[derive(Clone, Debug, Kind)]
#[kind("hard", claims = "memoryless")]
pub struct Hard<S = f64> {
    /// Restitution.
    #[param(unit = "1", default = 0.0, min = 0.0, max = 1.0)]
    pub restitution: S,
}

impl<S: Real> NormalLaw<S> for Hard<S> {
    fn respond(&self, _: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::Rigid { restitution: self.restitution, impact: Default::default() }
    }
}

/// A friction law with lists, in one direction.
#[derive(Clone, Debug, Kind)]
#[kind("layers", claims = "odd memoryless")]
pub struct Layers<S = f64> {
    /// Coefficients.
    #[param(unit = "1", column = "states")]
    pub b: Vec<S>,
    /// Lengths.
    #[param(unit = "m", above = 0.0, column = "states")]
    pub d_c: Vec<S>,
}

impl<S: Real> Law<S, 1> for Layers<S> {
    fn respond(&self, at: &Slide<S, 1>, _: &[S], _: &mut [S]) -> Friction<S, 1> {
        Friction::Force([at.v[0] * self.b[0] * self.d_c[0]])
    }
}

/// The catalogue with the kinds above.
pub fn catalogue() -> Catalogue {
    let mut all = Catalogue::default();
    let about = "Looks at the model.";
    all.analyses = ["transient", "hysteresis"].map(|name| AnalysisKind { name, about, answers: &[], read }).to_vec();
    all.analyses[1].read = |_, _| Ok(Box::new(Look { duration: 0.0 }));
    all.frictions.push(FrictionKind::line::<Layers, Layers<Dual<4>>>());
    all.normals.push(NormalKind::of::<GivenLoad, GivenLoad<Dual<4>>>());
    all.normals.push(NormalKind::of::<Heavy, Heavy<Dual<4>>>());
    all.normals.push(NormalKind::of::<Powers, Powers<Dual<4>>>());
    all.normals.push(NormalKind::of::<Hard, Hard<Dual<4>>>());
    all
}

/// A block on a belt.
pub const BELT: &str = r#"title = "belt"
[structure]
kind = "spring-block"
mass = 1
stiffness = "100 N/cm"
[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 }
[drive]
kind = "belt"
velocity = "5 mm/s"
[analysis]
kind = "transient"
duration = "40 s"
"#;

/// A point under pressure.
pub const POINT: &str = r#"[structure]
kind = "point"
[contact]
normal = { law = "constant", pressure = "10 MPa" }
friction = { law = "coulomb", mu = 0.3 }
[drive]
kind = "program"
steps = [{ slide = "1 mm", velocity = "0.01 mm/s" }, { unload = true }, { hold = "100 s" }, { force = "2 MPa", duration = 1 }]
[analysis]
kind = "hysteresis"
"#;

/// Klarbring's mass.
pub const LUMPED: &str = r#"[structure]
kind = "lumped"
mass = [[1, 0], [0, 1]]
stiffness = [[1, 1], [1, 2]]
coordinates = ["x", "y"]
[contact]
tangent = [1, 0]
normal_direction = [0, 1]
gap = 0
normal = { law = "hard", restitution = 0 }
friction = { law = "coulomb", mu = 0.25 }
[drive]
kind = "force"
force = ["-1.0*t", "-0.99*t"]
[analysis]
kind = "transient"
duration = 60
"#;

pub fn scenario(text: &str) -> Scenario {
    Scenario::from_text("s.toml", text, &[]).unwrap().with_catalogue(catalogue())
}

/// The only case of a scenario that is right.
pub fn prepared(text: &str) -> Prepared {
    let mut all = scenario(text).prepare().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// What is wrong with a text.
pub fn wrong(text: &str) -> Vec<Diagnostic> {
    match Scenario::from_text("s.toml", text, &[]) {
        Err(all) => all.0,
        Ok(scenario) => scenario.with_catalogue(catalogue()).prepare().expect_err("nothing is wrong").0,
    }
}

/// The one thing that is wrong: code, line, message.
#[track_caller]
pub fn one_wrong(text: &str, code: &str, line: usize, message: &str) -> Diagnostic {
    let all = wrong(text);
    assert!(all.len() == 1, "{}", all.iter().map(|d| format!("{d}\n")).collect::<String>());
    let d = &all[0];
    assert_eq!((d.code.as_str(), d.line, d.message.as_str()), (code, line, message), "\n{d}");
    d.clone()
}

/// A folder for files of one test, emptied first.
pub fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    folder
}
