//! A contact point: where it sits, and what happens there at an instant.
use stickslip_laws::{Impact, Normal, Press, State};
use stickslip_model::Contact;
use stickslip_structures::{Edge, Normal as Replaced, Signal};

/// A contact point as the equations see it.
#[derive(Default)]
pub struct Site {
    /// Contact it belongs to.
    pub contact: usize,
    /// Index in the contact.
    pub point: usize,
    /// Rows of the slip velocity, one or two.
    pub tangent: Vec<Vec<f64>>,
    /// Row of the gap.
    pub normal: Option<Vec<f64>>,
    /// Loads that are not above this have no coefficient of friction.
    pub least_load: f64,
    /// Factor of the surface velocity.
    pub surface: f64,
    /// The edge over which the contact is spread.
    pub edge: Option<Edge>,
    /// Set-valued: it has modes.
    pub cone: bool,
    /// Set-valued in two directions.
    pub plane: bool,
    /// Slip velocities below this count as none; zero unless the formulation says otherwise.
    pub band: f64,
    /// First of its states in z.
    pub first_state: usize,
    /// Number of its states.
    pub states: usize,
    /// First of the states of its normal law in z: they lie behind those of all friction laws.
    pub first_memory: usize,
    /// Number of them.
    pub memory: usize,
    /// The normal force as a + b given(t), where the normal law does not read the motion.
    pub fixed_load: Option<(f64, f64)>,
    /// A program has put another load in the place of the contact's own.
    pub replaced: bool,
    /// The law works on tractions: forces are divided by this area and multiplied back.
    pub traction_area: Option<f64>,
    /// Restitution and impact law of a contact whose normal force is a reaction.
    pub rigid: Option<(f64, Impact)>,
    /// The friction law reads the approach or the real area.
    pub approach: bool,
    /// The gap from which the normal law counts the approach, m.
    pub reach: f64,
    /// It opens: its normal law is asked, and says whether the surfaces touch.
    pub opens: bool,
    /// The first point with which it slides as one, and the factor of its slip velocity; itself where there is none.
    pub twin: (usize, f64),
    /// Friction is proportional to the load; else it is a line in it where the contact is rigid.
    pub load_linear: bool,
    /// The coordinate that alone makes its slip velocity, if there is one: stuck, it moves as the surface does.
    pub alone: Option<usize>,
}

/// The only coordinate in the row of a point that slips in one direction.
pub fn alone(tangent: &[Vec<f64>]) -> Option<usize> {
    let [row] = tangent else { return None };
    let mut used = (0..row.len()).filter(|j| row[*j] != 0.0);
    used.next().filter(|_| used.next().is_none())
}

impl Site {
    /// From now on the load is what is given, whatever the contact's own is.
    pub fn replace_load(&mut self) {
        (self.fixed_load, self.replaced) = (Some((0.0, 1.0)), true);
    }

    /// Whether the normal law is asked at this point alone, for it reads the motion.
    pub fn is_pressed(&self) -> bool {
        self.fixed_load.is_none() && self.rigid.is_none() && self.edge.is_none()
    }

    /// Whether the normal force follows from the motion, and is no reaction.
    pub fn is_compliant(&self) -> bool {
        self.fixed_load.is_none() && self.rigid.is_none()
    }

    /// The states of both laws with their places in z.
    pub fn states_of<'a>(&self, contact: &'a Contact) -> impl Iterator<Item = (usize, &'a State)> + use<'a> {
        let friction = (self.first_state..).zip(contact.friction.states());
        friction.chain((self.first_memory..).zip(contact.normal.states()))
    }
}

/// What happens at a contact point at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtSite {
    /// Slip velocity.
    pub slip: [f64; 2],
    /// Normal force.
    pub n: f64,
    /// The load that friction follows: the normal force, unless its law names a part of it.
    pub load: f64,
    /// Moment of the normal pressure about the middle of the edge; zero at a point.
    pub moment: f64,
    /// Rate of the normal force.
    pub n_rate: f64,
    /// Friction force, or the reaction in stick.
    pub f: [f64; 2],
    /// What stick can hold.
    pub hold: f64,
    /// Strength in slip.
    pub strength: f64,
    /// Gap; on an edge, where it is least.
    pub gap: f64,
    /// Rate of the gap.
    pub gap_rate: f64,
    /// Real area of contact, as the normal law reports it.
    pub area: f64,
    /// Elastic energy in the normal direction.
    pub pressed: f64,
}

/// N = a + b given for a law that does not read the motion, found by asking it twice. Friction follows all of it.
fn fixed_load(contact: &Contact) -> Option<(f64, f64)> {
    if !contact.normal.claims().fixed_load {
        return None;
    }
    let ask = |given: f64| {
        let mut press = Press::new(0.0, 0.0);
        press.given = given;
        press.mass = contact.mass;
        press.area = contact.area;
        let mut answer = [Normal::none()];
        contact.normal.respond(&[press], &[], &mut answer);
        match answer {
            [Normal::Force { n, .. }] => n,
            _ => f64::NAN,
        }
    };
    let a = ask(0.0);
    Some((a, ask(1.0) - a))
}

/// Whether a contact has a force that ends where its surfaces part.
pub fn opens(contact: &Contact) -> bool {
    let states: Vec<f64> = contact.normal.states().iter().map(|s| s.start).collect();
    !contact.normal.claims().fixed_load
        && contact.rigid().is_none()
        && contact.normal.touch(&Press::new(0.0, 0.0), &states).is_some()
}

/// The load of a point as a + b given(t).
pub fn load_of(contact: &Contact, point: usize, replaced: Option<&Replaced>) -> Option<(f64, f64)> {
    let part = contact.loads.get(point).copied().unwrap_or(1.0);
    load(contact, replaced).0.map(|(a, b)| (part * a, part * b))
}

/// The load of a contact as a + b given(t), and that function of time: a program may put another in its place.
pub fn load(contact: &Contact, replaced: Option<&Replaced>) -> (Option<(f64, f64)>, Signal) {
    let own = fixed_load(contact);
    let (Some((a, b)), Some(Replaced { from, load })) = (own, replaced) else { return (own, contact.given.clone()) };
    if *from <= 0.0 {
        return (Some((0.0, 1.0)), load.clone());
    }
    let mut pieces = (vec![0.0], vec![contact.given.clone().times(b).plus(a)]);
    match load {
        Signal::Pieces { starts, parts } => {
            pieces.0.extend(starts);
            pieces.1.extend(parts.iter().cloned());
        }
        one => {
            pieces.0.push(*from);
            pieces.1.push(one.clone());
        }
    }
    (Some((0.0, 1.0)), Signal::Pieces { starts: pieces.0, parts: pieces.1 })
}
