//! What harmonic balance is asked for, and what it does not serve.
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_model::Model;
use stickslip_structures::{Ask, Keys, Refused};

/// Harmonics and samples unless given.
const HARMONICS: f64 = 9.0;
const SAMPLES: f64 = 128.0;
const MOST_HARMONICS: f64 = 500.0;
const MOST_SAMPLES: f64 = 1e6;

/// How a set-valued law enters a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetValued {
    /// Strength times the sign of the balanced slip velocity.
    Sign,
    /// The force that the linear part asks for, projected onto what the law holds.
    Prox,
}

/// Quadrature over a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balancing {
    /// Number of harmonics of the period.
    pub harmonics: usize,
    /// Drive periods in the period of the motion.
    pub subharmonics: usize,
    /// Samples, evenly spread; None: Gauss' quadrature between the instants at which laws change.
    pub samples: Option<usize>,
    /// How set-valued laws enter; None: they are refused.
    pub set_valued: Option<SetValued>,
}

impl Default for Balancing {
    fn default() -> Self {
        let (harmonics, samples) = (HARMONICS as usize, Some(SAMPLES as usize));
        Balancing { harmonics, subharmonics: 1, samples, set_valued: None }
    }
}

/// Reads `harmonics`, `subharmonics`, `samples`, `set_valued`.
pub fn read_balancing(keys: &mut dyn Keys) -> Result<Balancing, Refused> {
    let harmonics =
        Ask::new("harmonics", "1", "Number of harmonics of the drive").or(HARMONICS).min(1.0).max(MOST_HARMONICS);
    let harmonics = keys.count(harmonics)?;
    let subharmonics = Ask::new("subharmonics", "1", "Drive periods in a period of the motion").or(1.0).min(1.0);
    let subharmonics = keys.count(subharmonics.max(12.0))?;
    let about = "Samples of a period, or \"split\": quadrature between the instants at which laws change";
    let ask = Ask::new("samples", "1", about).or(SAMPLES).min(1.0).max(MOST_SAMPLES);
    let word = if keys.has("samples") { keys.text("samples", about).ok().flatten() } else { None };
    let samples = match word.as_deref() {
        Some("split") => None,
        Some(other) => {
            let e = keys.refuse("samples", "scenario::unknown-word", format!("unknown word \"{other}\""));
            return Err(e.expected("a whole number, or \"split\""));
        }
        None => Some(keys.count(ask)?),
    };
    let needed = 2 * harmonics * subharmonics + 1;
    if let Some(samples) = samples.filter(|samples| *samples < needed) {
        let text = format!("{samples} samples do not tell {} harmonics apart", harmonics * subharmonics);
        let e = keys.refuse("samples", "analysis::out-of-range", text);
        return Err(e.expected(format!("at least {needed}, or \"split\"")).hint("try samples = \"split\""));
    }
    let words = ["none", "sign", "prox"];
    let set_valued = keys.choice("set_valued", &words, false, "How laws that stick are balanced")?;
    let set_valued = [None, Some(SetValued::Sign), Some(SetValued::Prox)][set_valued];
    if set_valued == Some(SetValued::Prox) && samples.is_none() {
        let text = "a projection is made at samples: where it changes is not known before".into();
        return Err(keys.refuse("samples", "analysis::not-served", text).hint("give a number of samples"));
    }
    Ok(Balancing { harmonics, subharmonics, samples, set_valued })
}

/// Why a model is not balanced.
pub fn refuse(model: &Model, how: &Balancing) -> Option<Refused> {
    let dynamics = Dynamics::new(model)?;
    let not_served = |key: String, text: String| Some(Refused::new(key, "analysis::not-served", text));
    if dynamics.n == 0 {
        return not_served("structure.kind".into(), "a point has no motion of its own".into());
    }
    if !model.loading.controls.is_empty() {
        return not_served(
            "control".into(),
            "controllers are not balanced yet; use method = \"exact\" or \"marching\"".into(),
        );
    }
    for site in &dynamics.sites {
        let contact = &model.contacts[site.contact];
        let law = contact.friction_law;
        let key = |rest: &str| model.contact_key(site.contact, rest);
        let claims = contact.friction.claims();
        if site.cone && how.set_valued.is_none() {
            let text =
                format!("the law `{law}` is set-valued: what stick holds is no function of the motion to be balanced");
            let e = Refused::new(key("friction.law"), "analysis::not-served", text);
            return Some(e.hint(
                "use method = \"exact\"; or formulation.kind = \"regularised\" or \"compliant\"; or set_valued = \"sign\" \
                 for the classical describing function",
            ));
        }
        if site.tangent.len() > 1 {
            return not_served(
                key("directions"),
                "slip in two directions is not balanced; use method = \"marching\"".into(),
            );
        }
        if site.rigid.is_some() {
            return not_served(key("normal.law"), "impacts are not balanced; use method = \"exact\"".into());
        }
        if claims.history {
            return not_served(
                key("friction.law"),
                format!("the law `{law}` reads the past: that is not balanced yet"),
            );
        }
        if claims.acceleration || claims.force_rate || claims.random || claims.positive_speed || site.memory > 0 {
            let text = format!("the law `{law}` reads more than the motion: use method = \"marching\"");
            return not_served(key("friction.law"), text);
        }
        if site.states > 0 && (site.cone || claims.position || claims.approach || claims.real_area || claims.traction) {
            let text =
                format!("the law `{law}` has states beside what it reads of the place: use method = \"marching\"");
            return not_served(key("friction.law"), text);
        }
    }
    if dynamics.sites.iter().any(|site| site.cone)
        && how.set_valued == Some(SetValued::Prox)
        && dynamics.sites.iter().any(|site| site.fixed_load.is_none())
    {
        return not_served("analysis.set_valued".into(), "\"prox\" is served under given loads".into());
    }
    None
}

/// Modes of points by the signs of their slip.
pub fn mode_of(slip: f64) -> Mode {
    Mode::slipping(slip)
}
