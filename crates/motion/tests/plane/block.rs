//! A block in the plane, and its motions.
use std::sync::Arc;
use stickslip_data::{Outcome, Status};
use stickslip_model::{Analysis, Contact, Context, Formulation, Model, Named, Output, Over, Probe, Start, StartState};
use stickslip_motion::{Duration, Scheme, Transient};
use stickslip_structures::{Loading, Place, Signal, Structure};

pub const LOAD: f64 = 10.0;
pub const RTOL: f64 = 1e-10;

/// A block of 2 kg in the plane, under 10 N.
pub struct Block {
    pub law: Vec<(&'static str, f64)>,
    pub mass: [f64; 2],
    /// Rows of the stiffness.
    pub stiffness: [f64; 4],
    pub belt: f64,
    pub forces: [Signal; 2],
    pub start: [f64; 2],
    pub rates: [f64; 2],
}

impl Default for Block {
    fn default() -> Block {
        let forces = [Signal::ZERO, Signal::ZERO];
        let zero = [0.0; 2];
        let law = vec![("mu", 0.3)];
        Block { law, mass: [2.0; 2], stiffness: [0.0; 4], belt: 0.0, forces, start: zero, rates: zero }
    }
}

impl Block {
    /// The model.
    pub fn model(&self) -> Model {
        let place = Place { tangent: vec![vec![1.0, 0.0], vec![0.0, 1.0]], surface: -1.0, ..Place::default() };
        let names = || vec!["x".to_string(), "y".to_string()];
        let pairs = |list: [f64; 2]| names().into_iter().zip(list).collect();
        Model {
            contacts: Arc::new(vec![
                Contact::new(place.clone(), ("constant", &[("force", LOAD)]), ("coulomb", &self.law)).unwrap(),
            ]),
            structure: Arc::new(Structure {
                coordinates: names(),
                rates: names(),
                mass: vec![self.mass[0], 0.0, 0.0, self.mass[1]],
                damping: vec![0.0; 4],
                stiffness: self.stiffness.to_vec(),
                orientation: 1.0,
                base: vec![0.0; 2],
                places: vec![place],
                ..Structure::default()
            }),
            loading: Arc::new(Loading {
                surface: (self.belt != 0.0).then_some(Signal::Constant(self.belt)),
                forces: self.forces.to_vec(),
                ..Loading::default()
            }),
            formulation: Formulation::Exact,
            start: Start {
                state: StartState::Rest,
                set: Named { values: pairs(self.start), rates: pairs(self.rates), states: vec![] },
                ..Start::default()
            },
            seed: 0,
        }
    }

    /// A motion that must be trusted.
    pub fn run(&self, duration: f64, times: &[f64]) -> Outcome {
        let out = self.attempt(duration, times);
        assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
        let open = out.number("energy_residual").unwrap();
        assert!(open.abs() < 1e-7, "energy {open:e}");
        println!("steps {} failures {} energy {open:.1e}", out.health.steps, out.health.newton_failures);
        out
    }

    /// A motion, however it ends.
    pub fn attempt(&self, duration: f64, times: &[f64]) -> Outcome {
        let model = self.model();
        let analysis = Transient {
            scheme: Scheme::Exact,
            duration: Duration::Time(duration),
            rtol: RTOL,
            limit: 1e9,
            max_steps: 100_000,
        };
        assert_eq!(analysis.refuse(&model), None);
        let probe =
            |quantity: &str| Probe { quantity: quantity.into(), over: Over::Times(times.to_vec()), ..Probe::default() };
        let probes = ["x", "y", "rate.x", "rate.y"].map(probe).to_vec();
        let context = Context { output: Output { probes, events: true, ..Output::default() }, ..Context::default() };
        analysis.run(&model, &context)
    }
}
