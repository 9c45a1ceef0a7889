//! The protocol by which laws are matched: what each of them must answer as the scenario's own law does.
use stickslip_model::Model;
use stickslip_structures::{Ask, Keys, Refused};

/// The speed of the drive over the speeds of a comparison that gives none; and the hold, s.
const SPEEDS: [f64; 2] = [10.0, 1.0];
const HOLD: f64 = 1.0;

/// What laws are matched to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Protocol {
    /// Speeds of steady sliding, m/s; the first is also that of the slides about the hold.
    pub speeds: Vec<f64>,
    /// Time at rest before the peak, s.
    pub hold: Option<f64>,
    /// Stiffness in stick, N/m.
    pub stiffness: Option<f64>,
    /// Normal force under which laws are matched, N, in place of the contact's own.
    pub normal: Option<f64>,
}

impl Protocol {
    /// Reads `match`; None where it is absent.
    pub fn read(keys: &mut dyn Keys) -> Result<Option<Protocol>, Refused> {
        let mut protocol = Protocol::default();
        let about =
            "What every law is matched to: steady friction at `speeds`, the peak after `hold`, `stiffness` in stick";
        let found = keys.table("match", about, &mut |k| {
            let speeds = Ask::new("speeds", "m/s", "Speeds at which steady friction is that of the scenario's own law");
            if k.has("speeds") {
                protocol.speeds = k.list(speeds.above(0.0))?;
            }
            let mut optional = |key: &'static str, unit: &'static str, about: &'static str| match k.has(key) {
                true => k.number(Ask::new(key, unit, about).above(0.0)).map(Some),
                false => Ok(None),
            };
            let hold = "Time at rest after which the peak of the friction is that of the scenario's own law";
            protocol.hold = optional("hold", "s", hold)?;
            protocol.stiffness = optional("stiffness", "N/m", "Stiffness in stick of the laws that have one")?;
            protocol.normal = optional("normal", "N", "Normal force of the match; the contact's own by default")?;
            let sorted = {
                let mut sorted = protocol.speeds.clone();
                sorted.sort_by(f64::total_cmp);
                sorted
            };
            if sorted.windows(2).any(|w| w[0] == w[1]) {
                let e = k.refuse("speeds", "analysis::twice", "`speeds` holds a speed twice".into());
                return Err(e.expected("different speeds"));
            }
            Ok(())
        })?;
        Ok(found.then_some(protocol))
    }

    /// The protocol of a scenario that states none.
    pub fn usual(model: &Model) -> Option<Protocol> {
        let drive = Self::drive_speed(model)?;
        let speeds = SPEEDS.map(|part| drive / part).to_vec();
        Some(Protocol { speeds, hold: Some(HOLD), stiffness: None, normal: None })
    }

    /// The speed of the drive, where it has one.
    pub fn drive_speed(model: &Model) -> Option<f64> {
        model.loading.speed().filter(|v| v.is_finite() && *v > 0.0)
    }
}
