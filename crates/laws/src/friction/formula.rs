//! A law of one's own, written as formulas in the scenario.
mod claims;
mod read;

use crate::{
    Bound, Claims, Example, Friction, Kind, Law, LawError, Param, Preset, Scale, Shape, Side, Slide, Source, State,
};
use stickslip_formula::Formula;
use stickslip_real::Scalar;

/// A law written as formulas.
///
/// set-valued:     strength = "..", hold = ".."      in the speed v, the normal force N, the time t, states and parameters
/// single-valued:  force = ".."                      where v is the velocity with its sign: positive resists positive v
/// states.z = { rate = "..", start, unit, scale = linear, log or asinh, magnitude };   parameters = { name = quantity, .. }
///
/// Each answer is per normal force, a coefficient; one with the dimension of a force is the force itself. Rates see the
/// same v as the answer: where `force` is given, their speed is abs(v). One unit anywhere, in a parameter, a state or a
/// number, means that all formulas are checked; so does naming N. `v`, `N`, `t`, states and parameters hide units of the
/// same name. In two directions a `force` must be odd in v and its states even: it acts along the velocity with v the
/// speed. `velocity_scale` is the speed far above which the law goes with ln v: solvers then work in asinh(v/velocity_scale).
///
/// Passive where no formula answers a push at the states looked at when it is built; else that is for its author to say.
#[derive(Clone, Debug)]
pub struct Written<S = f64> {
    answer: Answer,
    rates: Vec<Formula>,
    states: Vec<State>,
    /// Parameters that carry derivatives; all others are numbers in the formulas. Empty where none does.
    parameters: Vec<S>,
    velocity_scale: Scale,
    claims: Claims,
}

/// What the formulas answer.
#[derive(Clone, Debug)]
enum Answer {
    Cone { hold: Term, strength: Term },
    Force(Term),
}

/// A formula of a force.
#[derive(Clone, Debug)]
struct Term {
    formula: Formula,
    /// It is the force itself, not a coefficient.
    whole: bool,
}

/// Places of the symbols: speed or velocity, normal force, time, then states, then parameters.
const SYMBOLS: [&str; 3] = ["v", "N", "t"];
const SPEED: usize = 0;
const LOAD: usize = 1;
const TIME: usize = 2;
/// Values of this many symbols need no allocation.
const ROOM: usize = 12;

impl Term {
    #[inline(always)]
    fn eval<S: Scalar>(&self, values: &[S]) -> S {
        let x = self.formula.eval(values);
        if self.whole { x } else { x * values[LOAD] }
    }
}

impl<S: Scalar> Written<S> {
    /// Shows the values of all symbols to `look`.
    #[inline(always)]
    fn at<R>(&self, seen: [S; 3], z: &[S], look: impl FnOnce(&[S]) -> R) -> R {
        let count = seen.len() + z.len() + self.parameters.len();
        let fill = |room: &mut [S]| {
            room[..3].copy_from_slice(&seen);
            room[3..3 + z.len()].copy_from_slice(z);
            room[3 + z.len()..].copy_from_slice(&self.parameters);
        };
        if count <= ROOM {
            let mut room = [S::zero(); ROOM];
            fill(&mut room[..count]);
            look(&room[..count])
        } else {
            let mut room = vec![S::zero(); count];
            fill(&mut room);
            look(&room)
        }
    }

    fn rates(&self, values: &[S], dz: &mut [S]) {
        for (rate, formula) in dz.iter_mut().zip(&self.rates) {
            *rate = formula.eval(values);
        }
    }
}

impl<S: Scalar, const D: usize> Law<S, D> for Written<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        match &self.answer {
            Answer::Cone { hold, strength } => self.at([at.speed(), at.n, at.t], z, |values| {
                self.rates(values, dz);
                Friction::Cone { hold: hold.eval(values), strength: strength.eval(values) }
            }),
            Answer::Force(force) if D == 1 => self.at([at.v[0], at.n, at.t], z, |values| {
                self.rates(values, dz);
                Friction::Force([force.eval(values); D])
            }),
            Answer::Force(force) => {
                self.at([at.speed(), at.n, at.t], z, |values| self.rates(values, dz));
                Friction::Force(at.along(|speed| self.at([speed, at.n, at.t], z, |values| force.eval(values))))
            }
        }
    }

    fn states(&self) -> Vec<State> {
        self.states.clone()
    }

    fn velocity_scale(&self) -> Scale {
        self.velocity_scale
    }

    fn claims(&self, _: Claims) -> Claims {
        self.claims
    }

    fn clocks(&self) -> Vec<Formula> {
        let answers = match &self.answer {
            Answer::Cone { hold, strength } => vec![&hold.formula, &strength.formula],
            Answer::Force(force) => vec![&force.formula],
        };
        // At rest under a unit load, the states as they start.
        let states = self.states.iter().map(|s| s.start);
        let parameters = self.parameters.iter().map(|p| p.re());
        let others: Vec<f64> = [0.0, 1.0, 0.0].into_iter().chain(states).chain(parameters).collect();
        let reading = answers.into_iter().chain(&self.rates).filter(|formula| formula.uses(TIME));
        reading.filter_map(|formula| formula.along(TIME, &others).ok()).collect()
    }

    fn fits(&self) -> Result<(), LawError> {
        let odd_state = self.states.iter().find(|s| s.axis.is_some());
        let why = match odd_state {
            _ if D == 1 || self.claims.set_valued => return Ok(()),
            Some(state) => format!("the state `{}` reverses with the velocity", state.name),
            None if !self.claims.odd => "it does not reverse with the velocity".into(),
            None => return Ok(()),
        };
        let message = format!("`force` works in one direction only: {why}");
        let mut e = LawError::new("force", "directions", message, "a force along the velocity, odd in v".into());
        e.hint = Some("use directions = 1, or `strength` and `hold`".into());
        Err(e)
    }

    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        let mut dz = vec![S::zero(); z.len()];
        let answer = match self.respond(at, z, &mut dz) {
            Friction::Cone { hold, strength } => hold + strength,
            Friction::Force(f) => f.into_iter().fold(S::zero(), |sum, x| sum + x),
        };
        let number = dz.iter().fold(answer, |sum, x| sum + *x).re().is_finite();
        (!number).then_some("a formula of the friction law is not a number there")
    }
}

/// What a state is made of.
const STATE: Param = Param::new("state", "A state of the law.", Shape::Record(&FIELDS));
const FIELDS: [Param; 5] = [
    Param::new("rate", "Formula of its rate of change.", Shape::Text),
    Param::new("start", "Value at the start.", Shape::Quantity),
    Param::new("unit", "Its unit; that of `start` unless given.", Shape::Text).or(Preset::Absent),
    Param::new("scale", "The variable in which it is smooth.", Shape::Choice(&["linear", "log", "asinh"]))
        .or(Preset::Word("linear")),
    Param::new(
        "magnitude",
        "Its size on a linear or asinh scale; `start`, or one unit, unless given.",
        Shape::Quantity,
    )
    .or(Preset::Absent),
];
const PARAMETER: Param = Param::new("parameter", "A number that the formulas use.", Shape::Quantity);

impl<S: Scalar> Kind<S> for Written<S> {
    type Law = Written<S>;
    const NAME: &'static str = "formula";
    const ABOUT: &'static str = "A law of one's own: `strength` and `hold` per normal force, or `force`, written as \
         formulas of the speed v, the normal force N, the time t, states and parameters.

set-valued, it sticks:   strength = \"..\", hold = \"..\"   both needed, in the speed v >= 0
single-valued, smooth:   force = \"..\"                   where v has a sign: positive resists positive v
states.z = { rate = \"..\", start, unit, scale, magnitude }    parameters = { name = quantity, .. }

operators + - * / ^, functions sin cos exp ln sqrt abs tanh atan asinh step min max, and pi

An answer is per normal force, a coefficient; one with the dimension of a force is the force itself. One unit anywhere \
means that every formula is checked.";
    const REFERENCE: &'static str = "";
    const PARAMS: &'static [Param] = &[
        Param::new("strength", "Friction in slip, per normal force, of the speed v; goes with `hold`.", Shape::Text)
            .or(Preset::Absent),
        Param::new(
            "hold",
            "Largest friction that stick can hold, per normal force; goes with `strength`.",
            Shape::Text,
        )
        .or(Preset::Absent),
        Param::new(
            "force",
            "Friction of a single-valued law, per normal force, of the velocity v; stands alone.",
            Shape::Text,
        )
        .or(Preset::Absent),
        Param::new("states", "States of the law.", Shape::Named(&STATE)).or(Preset::Absent),
        Param::new("parameters", "Numbers that the formulas use.", Shape::Named(&PARAMETER)).or(Preset::Absent),
        Param {
            unit: "m/s",
            ..Param::new("velocity_scale", "Speed far above which the law goes with ln v.", Shape::Number)
        }
        .or(Preset::Absent)
        .within(&[Bound { side: Side::Above, limit: Preset::Number(0.0) }]),
        Param::new("inherited", "Numbers that the scenario names.", Shape::Inherited).or(Preset::Absent),
    ];
    const ONE_OF: &'static [&'static str] = &[];
    /// Everything else depends on what is written.
    const CLAIMS: Claims = Claims::NONE;
    const EXAMPLE: Option<Example> = Some(Example {
        parameters: "strength = 'mu_k + (mu_s - mu_k)/(1 + v/v_s)', hold = 'mu_s', \
             parameters = { mu_s = 0.5, mu_k = 0.3, v_s = '2 cm/s' }",
        load: 10.0,
        speed: 0.1,
        slip: 1e-3,
    });

    fn read(source: &Source<S>) -> Result<Written<S>, LawError> {
        read::read(source)
    }
}
