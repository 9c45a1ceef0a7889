//! What a transient refuses before any work.
pub mod controls;

use crate::Scheme;
use crate::transition::rigid::cone;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::rigid_surfaces::{self, Surface};
use stickslip_model::Formulation;
use stickslip_model::{Contact, Model, StartState};
use stickslip_solve::dense::positive_definite;
use stickslip_structures::Refused;

/// A stiffness counts as indefinite beyond this part of the largest.
const INDEFINITE: f64 = 1e-9;
/// Answers that agree to this part are the same.
const SAME: f64 = 1e-12;
/// Slip speeds at which a law is asked how it depends on the load, m/s.
const SPEEDS: [f64; 4] = [0.0, 1e-6, 1e-2, 1.0];

fn not_served(key: &str, text: String) -> Option<Refused> {
    Some(Refused::new(key, "analysis::not-served", text))
}

/// Structure and laws.
pub fn refuse(model: &Model) -> Option<Refused> {
    let n = model.structure.len();
    let s = &model.structure;
    let fastest = (0..n).map(|i| s.stiffness[i * n + i].abs() / s.mass[i * n + i]).fold(0.0, f64::max);
    let lifted: Vec<f64> = s.stiffness.iter().zip(&s.mass).map(|(k, m)| k + INDEFINITE * fastest * m).collect();
    if s.stiffness.iter().any(|k| *k != 0.0) && !positive_definite(n, &lifted) {
        let text = "the stiffness matrix is indefinite: without contact the structure would run away";
        let e = Refused::new("structure.stiffness", "structure::not-positive", text);
        return Some(e.expected("a symmetric matrix without negative eigenvalues"));
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        let found = refuse_contact(model, i, contact).or_else(|| refuse_rigid(model, i, contact));
        if found.is_some() {
            return found;
        }
    }
    refuse_plane(model)
        .or_else(|| refuse_program(model))
        .or_else(|| refuse_force_rate(model))
        .or_else(|| coincident(model))
        .or_else(|| controls::refuse(model))
}

/// Steps of a program that this structure or its contacts can't follow.
fn refuse_program(model: &Model) -> Option<Refused> {
    let loading = &model.loading;
    if loading.normal.is_some()
        && let Some(contact) = model.contacts.iter().find(|c| !c.normal.claims().fixed_load)
    {
        let text =
            format!("`normal` gives the load of a contact: that of \"{}\" follows the motion", contact.normal_law);
        let e = not_served("drive.steps", text);
        return e.map(|e| e.hint("use the normal law \"constant\", \"weight\" or \"prescribed\""));
    }
    if !loading.releases.is_empty() && matches!(model.formulation, Formulation::TimeStepping { .. }) {
        return not_served("drive.steps", "`unload` takes no time: fixed steps do not serve it".into());
    }
    None
}

/// The rate of a reaction is known where no load depends on the motion.
fn refuse_force_rate(model: &Model) -> Option<Refused> {
    let reads = model.contacts.iter().position(|c| c.friction.claims().force_rate)?;
    if model.contacts.iter().any(|c| c.places.iter().any(|p| p.tangent.len() == 2)) {
        let text = format!(
            "the law `{}` reads the rate of the tangential force, which is not known where a contact slips in two directions",
            model.contacts[reads].friction_law
        );
        return not_served(&model.contact_key(reads, "friction.law"), text);
    }
    let other = model.contacts.iter().find(|c| !c.normal.claims().fixed_load)?;
    let text = format!(
        "the law `{}` reads the rate of the tangential force, which is not known where the normal law `{}` reads the motion",
        model.contacts[reads].friction_law, other.normal_law
    );
    not_served(&model.contact_key(reads, "friction.law"), text)
}

/// No step is longer than a lag: it would need a past that is still to come.
pub fn refuse_lags(model: &Model, end: f64, max_steps: u64) -> Result<(), Refused> {
    let most = max_steps as f64;
    for (i, contact) in model.contacts.iter().enumerate() {
        let Some(lag) = contact.friction.lag().filter(|lag| end.is_finite() && end / lag > most) else { continue };
        let message =
            format!("a run of {end} s takes {:.3e} steps: none is longer than the lag of {lag:e} s", end / lag);
        let e = Refused::new(model.contact_key(i, "friction"), "analysis::too-long", message);
        let e = e.expected(format!("at most {most:e} steps: a lag of {:e} s or more", end / most));
        return Err(e.hint("leave the lag out, shorten the run, or raise analysis.max_steps"));
    }
    Ok(())
}

fn refuse_contact(model: &Model, i: usize, contact: &Contact) -> Option<Refused> {
    let claims = contact.friction.claims();
    let refuse = |what: &str| {
        let text = format!("the law `{}` {what}, which a transient does not serve", contact.friction_law);
        Some(Refused::new(model.contact_key(i, "friction.law"), "analysis::not-served", text))
    };
    if claims.stepped {
        return refuse("has no rate form");
    }
    if claims.history && contact.friction.lag().is_none() {
        return refuse("reads a past without naming its lag");
    }
    if let Some(e) = model.refuse_approach(i).or_else(|| model.refuse_area(i)) {
        return Some(e);
    }
    if claims.position {
        return refuse("reads positions");
    }
    if contact.friction.coupling().is_some() && !contact.normal.claims().fixed_load {
        return refuse("couples points whose loads depend on the motion");
    }
    if claims.load_rate && (contact.is_rigid() || contact.places.iter().any(|p| p.edge.is_some())) {
        return refuse("reads the rate of a load that is a reaction or spread over an edge");
    }
    if let Some(e) = model.refuse_load(i, model.loading.normal.is_some()) {
        return Some(e);
    }
    if claims.history && in_plane(contact) {
        return refuse("needs history in two directions");
    }
    if contact.friction.coupling().is_some() && in_plane(contact) {
        return refuse("couples points in two directions");
    }
    None
}

/// Set-valued in two directions.
fn in_plane(contact: &Contact) -> bool {
    contact.friction.claims().set_valued && contact.places.iter().any(|p| p.tangent.len() == 2)
}

/// What set-valued friction in two directions does not go together with.
fn refuse_plane(model: &Model) -> Option<Refused> {
    let i = model.contacts.iter().position(in_plane)?;
    let law = &model.contacts[i].friction_law;
    if matches!(model.formulation, Formulation::Karnopp { .. } | Formulation::TimeStepping { .. }) {
        let text = format!(
            "`{law}` is set-valued in two directions, which the formulation \"{}\" does not serve",
            model.formulation.name()
        );
        let e = Refused::new("formulation.kind", "formulation::not-served", text);
        return Some(e.hint("leave out [formulation], or use \"regularised\" or \"compliant\""));
    }
    if model.contacts.iter().any(Contact::is_rigid) {
        let text = format!("`{law}` is set-valued in two directions, which is not served beside a rigid contact");
        return not_served(&model.contact_key(i, "friction.law"), text);
    }
    None
}

/// What a contact whose normal force is a reaction needs.
fn refuse_rigid(model: &Model, i: usize, contact: &Contact) -> Option<Refused> {
    if !contact.is_rigid() {
        return None;
    }
    let claims = contact.friction.claims();
    let law = &contact.friction_law;
    if !claims.set_valued {
        let text = format!("`{law}` has no cone: the impulse of friction in an impact would not be known");
        let e = not_served(&model.contact_key(i, "friction.law"), text);
        return e.map(|e| e.hint("use a set-valued law such as Coulomb's, in the formulation \"exact\""));
    }
    if claims.history {
        let text = format!("the law `{law}` needs history, which is not kept where the normal force is a reaction");
        return not_served(&model.contact_key(i, "friction.law"), text);
    }
    if claims.traction {
        let text = format!("`{law}` works on tractions, which a contact with a reaction does not have");
        return not_served(&model.contact_key(i, "friction.law"), text);
    }
    if contact.friction.directions() == 2 || contact.places.iter().any(|p| p.tangent.len() != 1) {
        return not_served(&model.contact_key(i, "tangent"), "a rigid contact slips in one direction only".into());
    }
    if matches!(model.formulation, Formulation::Karnopp { .. }) {
        return not_served("formulation.kind", "a band of slip velocities is not served where contacts open".into());
    }
    if model.loading.base.is_some() {
        return not_served("drive.kind", "a rigid contact on a pulled structure is not served".into());
    }
    if matches!(model.start.state, StartState::Static | StartState::SteadySliding) {
        let text = "this state is not sought where the normal force is a reaction".to_string();
        return not_served("start.state", text).map(|e| e.hint("start from \"rest\" and give `values` and `rates`"));
    }
    None
}

/// Two rigid contacts that close together.
fn coincident(model: &Model) -> Option<Refused> {
    let rigid = model.contacts.iter().enumerate().filter(|(_, c)| c.is_rigid());
    let surfaces: Vec<Surface> = rigid
        .filter_map(|(i, c)| {
            let row = c.places[0].normal.as_ref()?;
            let (name, key) = (format!("`{}`", c.name), model.contact_key(i, "normal_direction"));
            Some(Surface { name, key, row, gap: c.gap })
        })
        .collect();
    rigid_surfaces::coincident(&surfaces)
}

/// The state at the start.
pub fn refuse_start(dynamics: &Dynamics, y: &[f64]) -> Result<(), Refused> {
    for (i, site) in dynamics.sites.iter().enumerate() {
        let Some(row) = site.normal.as_ref().filter(|_| site.rigid.is_some()) else { continue };
        let contact = &dynamics.model.contacts[site.contact];
        let surface = Surface { name: String::new(), key: String::new(), row, gap: contact.gap_at(site.point) };
        let key = dynamics.model.contact_key(site.contact, "gap");
        if let Some(e) = rigid_surfaces::inside(&surface, y, dynamics.gap_of(i, y), key) {
            return Err(e);
        }
    }
    Ok(())
}

/// Laws whose friction is no line in the load: the load is a reaction that depends on it.
pub fn refuse_loads(dynamics: &Dynamics) -> Result<(), Refused> {
    for (i, site) in dynamics.sites.iter().enumerate() {
        if site.rigid.is_none() || site.load_linear {
            continue;
        }
        for slip in SPEEDS {
            let [a, b, c] = [1.0, 2.0, 3.0].map(|load| cone(dynamics, i, slip, load));
            let bent = |x: f64, y: f64, z: f64| (x - 2.0 * y + z).abs() > SAME * z.abs();
            if bent(a.0, b.0, c.0) || bent(a.1, b.1, c.1) {
                let law = &dynamics.model.contacts[site.contact].friction_law;
                let text = format!("`{law}` is no line in the normal force, which is a reaction here");
                let key = dynamics.model.contact_key(site.contact, "friction.law");
                return Err(Refused::new(key, "analysis::not-served", text));
            }
        }
    }
    Ok(())
}

/// Schemes that were printed for rigid contacts under set-valued friction, and for smooth models.
pub fn refuse_scheme(dynamics: &Dynamics, scheme: Scheme, end: f64) -> Result<(), Refused> {
    if !matches!(scheme, Scheme::AsPrinted { .. }) {
        return Ok(());
    }
    let refuse = |text: &str| Err(Refused::new("analysis.scheme", "analysis::not-served", text));
    let rigid = dynamics.sites.iter().all(|s| s.rigid.is_some() && s.cone);
    let smooth = dynamics.sites.iter().all(|s| s.rigid.is_none() && !s.cone) && dynamics.nz == 0;
    if dynamics.sites.is_empty() || !(rigid || smooth) {
        let text = "\"as-printed\" is a scheme for rigid contacts under set-valued friction, or for smooth models without \
                    states of laws";
        let e = Refused::new("analysis.scheme", "analysis::not-served", text);
        return Err(e.hint("for a set-valued law on compliant contacts choose the formulation \"regularised\""));
    }
    if let Some(contact) = dynamics.model.contacts.iter().find(|c| c.friction.claims().history) {
        return refuse(&format!(
            "the law `{}` needs history, which \"as-printed\" does not keep",
            contact.friction_law
        ));
    }
    if !dynamics.model.loading.releases.is_empty() {
        return refuse("fixed steps do not serve an `unload`, which takes no time");
    }
    if smooth && !dynamics.model.loading.impulses.is_empty() {
        return refuse("the central difference takes no blows");
    }
    if !end.is_finite() {
        return refuse("\"as-printed\" needs a duration in time");
    }
    Ok(())
}
