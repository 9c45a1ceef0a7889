//! What a law promises beyond its equations.

/// One list of all claims: each with how those of two laws together hold (promises of `both`, needs of `either`), its name
/// and what it means to someone who chooses a law.
macro_rules! claims {
    (@join both $a:expr, $b:expr) => { $a && $b };
    (@join either $a:expr, $b:expr) => { $a || $b };
    ($($(#[$doc:meta])* $claim:ident: $how:ident $name:literal $words:literal)*) => {
        /// Promises of a law. The conformance suite tests each one, and reports a property that holds but is not claimed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Claims {
            $($(#[$doc])* pub $claim: bool,)*
        }

        impl Claims {
            /// Nothing promised.
            pub const NONE: Claims = Claims { $($claim: false),* };

            /// What holds for two laws together: promises of both, needs of either.
            pub fn common(self, other: Claims) -> Claims {
                Claims { $($claim: claims!(@join $how self.$claim, other.$claim)),* }
            }

            /// The claims made: the name of each, and what it means to someone who chooses a law.
            pub fn told(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
                [$((self.$claim, $name, $words)),*].into_iter().filter(|(made, ..)| *made).map(|(_, name, words)| (name, words))
            }
        }
    };
}

claims! {
    /// Reversing the velocity (and the odd states) reverses the force.
    odd: both "odd" "reversing the motion reverses the force"
    /// No state.
    memoryless: both "memoryless" "has no state"
    /// Takes up energy at every instant, stored energy counted.
    passive: both "passive" "takes up energy at every instant"
    /// Takes up energy only under a condition that the law's text names.
    passive_if: either "passive-if" "takes up energy under the condition above"
    /// Answers a cone: stick is a mode with a reaction.
    set_valued: both "set-valued" "sticks: at rest it holds any force up to a limit"
    /// At given states force, strength and hold do not depend on the speed, and the rates of the states are
    /// proportional to the speed: the same path gives the same forces at any pace.
    rate_independent: both "rate-independent" "the same path gives the same forces at any pace"
    /// Force, strength and hold are proportional to the normal force at given states.
    load_linear: both "load-linear" "at given states the force is proportional to the normal force"
    /// Linear between its events: in one mode and with the inner elements held, force (or hold and strength), rates of the
    /// states and guards are affine functions of slip velocity, normal force, its rate and the states, and of nothing else.
    /// Guards are positive while the elements are held; the first that is not ends it.
    piecewise_linear: both "piecewise-linear" "linear between its events"
    /// Has no rate form: only its return map may be used.
    stepped: either "stepped" "has no rate form, only a step in time"
    /// Works on traction: `n` is a pressure, the answer a traction. A normal law answers with its pressure times the
    /// nominal area, which the scenario must give.
    traction: either "traction" "works with pressures: the contact needs an area"
    /// Reads the rate of the normal force.
    load_rate: either "load-rate" "reads the rate of the normal force"
    /// Reads slip or displacement.
    position: either "position" "reads where the contact is"
    /// Reads the past: needs history.
    history: either "history" "reads the past"
    /// Reads the slip acceleration, in its guards or at events.
    acceleration: either "acceleration" "switches with the sign of the slip acceleration"
    /// Reads how fast the tangential force grows in stick.
    force_rate: either "force-rate" "what stick holds depends on how fast the tangential force grows"
    /// Reads the approach.
    approach: either "approach" "reads how far the surfaces approach"
    /// Reads the real area.
    real_area: either "real-area" "reads the real area of contact"
    /// Reads the seed.
    random: either "random" "has a random part, drawn from the seed of the scenario"
    /// A normal law that does not read the motion: its contact cannot open.
    fixed_load: both "fixed-load" "the load does not depend on the motion: the contact can't open"
    /// A normal law that reads the contact's own function of time (`Press::given`): the scenario must give one.
    given: either "given" "the scenario gives a function of time, `force` or `pressure`"
    /// A normal law that reads the mass that rests on the contact.
    mass: either "mass" "needs the mass that rests on the contact"
    /// Undefined at rest and in reverse: the speed must stay positive.
    positive_speed: either "positive-speed" "is undefined at rest and in reverse"
    /// A normal law that stores the work of the approach: at rest its force is the slope of what it stores.
    elastic: both "elastic" "stores the work of the approach and gives it back"
    /// A normal law that may pull.
    adhesive: either "adhesive" "may pull"
    /// A normal law that acts before the gap is closed.
    distant: either "distant" "acts before the gap is closed"
    /// Derived for a normal force that does not change: a load that varies is refused.
    constant_load: either "constant-load" "holds for a normal force that does not change"
    /// Reads the normal forces of neighbouring points.
    neighbours: either "neighbours" "reads the loads of neighbouring points"
    /// Has no steady sliding: under a constant velocity its states never settle.
    unsteady: either "unsteady" "has no steady sliding"
}

impl Claims {
    /// The names of the claims made.
    pub fn names(&self) -> Vec<&'static str> {
        self.told().map(|(name, _)| name).collect()
    }
}
