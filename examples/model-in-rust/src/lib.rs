//! A model built in Rust, without a scenario file; and an analysis of one's own, which scenarios can name.
use std::sync::Arc;
use stickslip::analyses::{
    Analysis, AnalysisKind, Answer, Contact, Context, Duration, Formulation, Model, Start, StartState, Transient,
};
use stickslip::data::{Outcome, Value};
use stickslip::laws::LawError;
use stickslip::prelude::Catalogue;
use stickslip::structures::{Keys, Loading, Place, Refused, Signal, Structure};

/// A block of 1 kg on a spring of 1 N/m that a belt carries along under 1 N, with static and kinetic friction.
pub fn block_on_belt(mu_s: f64, mu_k: f64, damping: f64, belt: f64) -> Result<Model, LawError> {
    // Slip is the belt's velocity less the block's.
    let place = Place { tangent: vec![vec![-1.0]], surface: 1.0, ..Place::default() };
    let friction = ("coulomb", &[("mu_s", mu_s), ("mu_k", mu_k)][..]);
    Ok(Model {
        contacts: Arc::new(vec![Contact::new(place.clone(), ("constant", &[("force", 1.0)]), friction)?]),
        structure: Arc::new(Structure {
            coordinates: vec!["x".into()],
            rates: vec!["x".into()],
            mass: vec![1.0],
            damping: vec![damping],
            stiffness: vec![1.0],
            orientation: 1.0,
            base: vec![0.0],
            places: vec![place],
            ..Structure::default()
        }),
        loading: Arc::new(Loading { surface: Some(Signal::Constant(belt)), ..Loading::default() }),
        formulation: Formulation::Exact,
        start: Start { state: StartState::Stuck, ..Start::default() },
        seed: 0,
    })
}

/// Its motion over so many cycles.
pub fn cycles(model: &Model, count: f64) -> Outcome {
    let analysis = Transient { duration: Duration::Cycles(count), ..Transient::plain(1e-10) };
    match analysis.refuse(model) {
        Some(refused) => panic!("{}", refused.message),
        None => analysis.run(model, &Context::default()),
    }
}

/// How far stick stretches the spring: what it holds, over the stiffness.
pub const REACH: AnalysisKind = AnalysisKind {
    name: "reach",
    about: "How far stick can stretch the spring of a single block.",
    answers: &[Answer::value("reach", "m", "What stick holds, over the stiffness.")],
    read,
};

struct Reach;

fn read(_: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    Ok(Box::new(Reach))
}

impl Analysis for Reach {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let single = model.structure.len() == 1 && model.contacts.len() == 1;
        (!single).then(|| Refused::new("structure", "analysis::not-served", "`reach` is that of a single block"))
    }

    fn run(&self, model: &Model, _: &Context) -> Outcome {
        use stickslip::laws::{Friction, Slide};
        let contact = &model.contacts[0];
        let states: Vec<f64> = contact.friction.states().iter().map(|s| s.start).collect();
        let (mut rates, mut answer) = (vec![0.0; states.len()], [Friction::Force([0.0; 2])]);
        contact.friction.respond(&[Slide::new([0.0; 2], 1.0)], &states, &mut rates, &mut answer);
        let mut outcome = Outcome::default();
        if let Friction::Cone { hold, .. } = answer[0] {
            outcome.set("reach", Value::Number(hold / model.structure.stiffness[0]), "m");
        }
        outcome
    }
}

/// Everything that Stickslip knows, and this analysis.
pub fn catalogue() -> Catalogue {
    Catalogue::default().with_analysis(REACH)
}
