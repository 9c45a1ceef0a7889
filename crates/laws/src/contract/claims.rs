//! What a law promises beyond its equations.

/// Promises of a law. The conformance suite tests each one, and reports a property that holds but is not claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Reversing the velocity (and the odd states) reverses the force.
    pub odd: bool,
    /// No state.
    pub memoryless: bool,
    /// Takes up energy at every instant, stored energy counted.
    pub passive: bool,
    /// Takes up energy only under a condition that the law's text names.
    pub passive_if: bool,
    /// Answers a cone: stick is a mode with a reaction.
    pub set_valued: bool,
    /// At given states force, strength and hold do not depend on the speed, and the rates of the states are
    /// proportional to the speed: the same path gives the same forces at any pace.
    pub rate_independent: bool,
    /// Force, strength and hold are proportional to the normal force at given states.
    pub load_linear: bool,
    /// Has no rate form: only its return map may be used.
    pub stepped: bool,
    /// Works on traction: `n` is a pressure, the answer a traction. A normal law answers with its pressure times the
    /// nominal area, which the scenario must give.
    pub traction: bool,
    /// Reads the rate of the normal force.
    pub load_rate: bool,
    /// Reads slip or displacement.
    pub position: bool,
    /// Reads the past: needs history.
    pub history: bool,
    /// Reads the slip acceleration, in its guards or at events.
    pub acceleration: bool,
    /// Reads how fast the tangential force grows in stick.
    pub force_rate: bool,
    /// Reads the approach.
    pub approach: bool,
    /// Reads the real area.
    pub real_area: bool,
    /// Reads the seed.
    pub random: bool,
    /// A normal law that does not read the motion: its contact cannot open.
    pub fixed_load: bool,
    /// A normal law that reads the contact's own function of time (`Press::given`): the scenario must give one.
    pub given: bool,
    /// A normal law that reads the mass that rests on the contact.
    pub mass: bool,
    /// Undefined at rest and in reverse: the speed must stay positive.
    pub positive_speed: bool,
    /// A normal law that stores the work of the approach: at rest its force is the slope of what it stores.
    pub elastic: bool,
    /// A normal law that may pull.
    pub adhesive: bool,
    /// A normal law that acts before the gap is closed.
    pub distant: bool,
    /// Derived for a normal force that does not change: a load that varies is refused.
    pub constant_load: bool,
    /// Has no steady sliding: under a constant velocity its states never settle.
    pub unsteady: bool,
}

impl Claims {
    /// Nothing promised.
    pub const NONE: Claims = Claims {
        odd: false,
        memoryless: false,
        passive: false,
        passive_if: false,
        set_valued: false,
        rate_independent: false,
        load_linear: false,
        stepped: false,
        traction: false,
        load_rate: false,
        position: false,
        history: false,
        acceleration: false,
        force_rate: false,
        approach: false,
        real_area: false,
        random: false,
        fixed_load: false,
        given: false,
        mass: false,
        positive_speed: false,
        elastic: false,
        adhesive: false,
        distant: false,
        constant_load: false,
        unsteady: false,
    };

    /// What holds for two laws together: promises of both, needs of either.
    pub fn common(self, other: Claims) -> Claims {
        Claims {
            odd: self.odd && other.odd,
            memoryless: self.memoryless && other.memoryless,
            passive: self.passive && other.passive,
            passive_if: self.passive_if || other.passive_if,
            set_valued: self.set_valued && other.set_valued,
            rate_independent: self.rate_independent && other.rate_independent,
            load_linear: self.load_linear && other.load_linear,
            stepped: self.stepped || other.stepped,
            traction: self.traction || other.traction,
            load_rate: self.load_rate || other.load_rate,
            position: self.position || other.position,
            history: self.history || other.history,
            acceleration: self.acceleration || other.acceleration,
            force_rate: self.force_rate || other.force_rate,
            approach: self.approach || other.approach,
            real_area: self.real_area || other.real_area,
            random: self.random || other.random,
            fixed_load: self.fixed_load && other.fixed_load,
            given: self.given || other.given,
            mass: self.mass || other.mass,
            positive_speed: self.positive_speed || other.positive_speed,
            elastic: self.elastic && other.elastic,
            adhesive: self.adhesive || other.adhesive,
            distant: self.distant || other.distant,
            constant_load: self.constant_load || other.constant_load,
            unsteady: self.unsteady || other.unsteady,
        }
    }

    /// The names of the claims made.
    pub fn names(&self) -> Vec<&'static str> {
        [
            (self.odd, "odd"),
            (self.memoryless, "memoryless"),
            (self.passive, "passive"),
            (self.passive_if, "passive-if"),
            (self.set_valued, "set-valued"),
            (self.rate_independent, "rate-independent"),
            (self.load_linear, "load-linear"),
            (self.stepped, "stepped"),
            (self.traction, "traction"),
            (self.load_rate, "load-rate"),
            (self.position, "position"),
            (self.history, "history"),
            (self.acceleration, "acceleration"),
            (self.force_rate, "force-rate"),
            (self.approach, "approach"),
            (self.real_area, "real-area"),
            (self.random, "random"),
            (self.fixed_load, "fixed-load"),
            (self.given, "given"),
            (self.mass, "mass"),
            (self.positive_speed, "positive-speed"),
            (self.elastic, "elastic"),
            (self.adhesive, "adhesive"),
            (self.distant, "distant"),
            (self.constant_load, "constant-load"),
            (self.unsteady, "unsteady"),
        ]
        .into_iter()
        .filter_map(|(made, name)| made.then_some(name))
        .collect()
    }
}
