//! Formulations: how stick is made computable.
use crate::model::Contact;
use stickslip_laws::combine::{Smoothing, compliant, regularised};
use stickslip_structures::{Ask, Keys, Refused};

/// How stick is made computable: chosen by the user, and reported.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Formulation {
    /// Stick is a mode with a reaction. Laws without a cone need nothing else either.
    #[default]
    Exact,
    /// The jump at rest is smoothed: stick becomes creep.
    Regularised {
        /// Form.
        shape: Smoothing,
        /// Speed over which the force grows, m/s.
        width: f64,
    },
    /// A spring and a dashpot in front of the law.
    Compliant {
        /// N/m.
        k_t: f64,
        /// N s/m.
        c_t: f64,
    },
    /// A slip velocity inside a band counts as none (D. Karnopp, J. Dyn. Syst. Meas. Control 107 (1985) 100).
    Karnopp {
        /// Half width of the band, m/s.
        band: f64,
    },
    /// Steps of fixed length, the contact impulses of each found together (Moreau and Jean).
    TimeStepping {
        /// Length of a step, s.
        step: f64,
        /// Weight of the end of a step, from 0.5 (no numerical damping) to 1.
        theta: f64,
    },
}

/// Names of all formulations.
pub const FORMULATIONS: [&str; 5] = ["exact", "regularised", "compliant", "karnopp", "time-stepping"];

/// What each of them means, in the same order.
pub const FORMULATION_ABOUTS: [&str; 5] = [
    "Stick is a mode of its own with a reaction, up to the force that the law can hold; nothing is smoothed.

The default. Laws that are not set-valued need nothing else either.",
    "The jump of a set-valued law at rest is smoothed over a speed `width`: stick becomes creep.

f = strength(v) s(v/width), s(x) = (2 - x) x up to 1 (quadratic), x up to 1 (linear), (2/pi) atan x (arctan) or
tanh x (tanh).
No more than the strength is held: a static coefficient above the kinetic one is lost at rest.",
    "A spring and a dashpot stand in front of the law: stick is elastic.

The state is the spring force f: f' = k_t v while |f + c_t v| is below the law's limit; then the law slides.
A law that depends on the speed needs a c_t above the steepest fall of its strength with the speed.",
    "A slip velocity inside a band counts as none.

D. Karnopp, J. Dyn. Syst. Meas. Control 107 (1985) 100.",
    "Steps of fixed length; the contact impulses of a step are found together, at the level of velocities.

M (v+ - v) = h [F - K q - C q']_theta + impulses,   q+ = q + h [q']_theta,   [x]_theta = theta x+ + (1 - theta) x
A point that stuck holds up to the law's hold, one that slips carries the strength at the speed where the step began;
a slip that would turn around sticks if the hold allows it. A rigid contact that would close takes an impulse.
Any number of contacts; cost linear in the blocks of a chain. Order 1 at events, order 2 between them (theta = 0.5).
J. J. Moreau, in Nonsmooth Mechanics and Applications (1988); M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235.",
];

impl Formulation {
    /// Reads `[formulation]`.
    pub fn read(keys: &mut dyn Keys) -> Result<Formulation, Refused> {
        Ok(match keys.choice("kind", &FORMULATIONS, false, "How stick is made computable")? {
            0 => Formulation::Exact,
            1 => Formulation::Regularised {
                shape: Smoothing::ALL[keys.choice("shape", &Smoothing::NAMES, false, "Form of the smoothing")?],
                width: keys.number(Ask::new("width", "m/s", "Speed over which the force grows").above(0.0))?,
            },
            2 => Formulation::Compliant {
                k_t: keys.number(Ask::new("k_t", "N/m", "Stiffness in front of the law").above(0.0))?,
                c_t: keys.number(Ask::new("c_t", "N s/m", "Damping beside that spring").or(0.0).min(0.0))?,
            },
            3 => Formulation::Karnopp {
                band: keys.number(Ask::new("band", "m/s", "Slip velocities below this count as none").above(0.0))?,
            },
            _ => Formulation::TimeStepping {
                step: keys.number(Ask::new("step", "s", "Length of a step").above(0.0))?,
                theta: keys.number(
                    Ask::new("theta", "1", "Weight of the end of a step; above 0.5 it damps").or(0.5).min(0.5).max(1.0),
                )?,
            },
        })
    }

    /// The name reported.
    pub fn name(&self) -> &'static str {
        match self {
            Formulation::Exact => "exact",
            Formulation::Regularised { .. } => "regularised",
            Formulation::Compliant { .. } => "compliant",
            Formulation::Karnopp { .. } => "karnopp",
            Formulation::TimeStepping { .. } => "time-stepping",
        }
    }

    /// What it changes, for the report; nothing for an exact one.
    pub fn note(&self) -> Option<String> {
        match self {
            Formulation::Exact => None,
            Formulation::Regularised { shape, width } => Some(format!(
                "smoothed: {} over {width:e} m/s; stick is creep, and nothing is held beyond the strength",
                Smoothing::NAMES[*shape as usize]
            )),
            Formulation::Compliant { k_t, c_t } => Some(format!("stick is elastic: {k_t:e} N/m, {c_t:e} N s/m")),
            Formulation::Karnopp { band } => Some(format!("slip velocities below {band:e} m/s count as stick")),
            Formulation::TimeStepping { step, theta } => {
                Some(format!("Moreau-Jean, theta {theta}, step {step:e} s; forces are means over a step"))
            }
        }
    }

    /// Puts set-valued laws of the contacts into this formulation.
    pub fn apply(&self, contacts: Vec<Contact>) -> Result<Vec<Contact>, Refused> {
        contacts.into_iter().map(|contact| self.put(contact)).collect()
    }

    fn put(&self, contact: Contact) -> Result<Contact, Refused> {
        if !contact.friction.claims().set_valued {
            return Ok(contact);
        }
        let (friction, friction_law) = (contact.friction.clone(), contact.friction_law);
        let wrapped = match *self {
            Formulation::Exact | Formulation::Karnopp { .. } | Formulation::TimeStepping { .. } => return Ok(contact),
            Formulation::Regularised { shape, width } => regularised(friction, shape, width),
            Formulation::Compliant { k_t, c_t } => compliant(friction, k_t, c_t),
        };
        let friction = wrapped.map_err(|e| {
            let text = format!("the law `{friction_law}` has no {} formulation: {}", self.name(), e.message);
            Refused::new("formulation.kind", "formulation::not-served", text).expected(e.expected)
        })?;
        Ok(Contact { friction: friction.into(), ..contact })
    }
}
