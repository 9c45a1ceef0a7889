//! Equations kept for the next run: a map that varies only the start meets the same modes at every point.
use super::Linear;
use std::cell::RefCell;
use std::sync::Arc;
use stickslip_dynamics::Dynamics;
use stickslip_model::Contact;
use stickslip_structures::{Loading, Structure};

/// The last equations of a thread, with what they were made of.
struct Kept {
    structure: Arc<Structure>,
    contacts: Arc<Vec<Contact>>,
    loading: Arc<Loading>,
    linear: Box<Linear>,
}

thread_local! {
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

impl Linear {
    /// Exact stepping as in [`Linear::of`], from what the last run of the same structure, contacts and drive left.
    pub fn of_kept(dynamics: &Dynamics) -> Option<Box<Linear>> {
        let model = dynamics.model;
        let kept = KEPT.try_with(|kept| kept.take()).ok().flatten().filter(|kept| {
            Arc::ptr_eq(&kept.contacts, &model.contacts)
                && Arc::ptr_eq(&kept.loading, &model.loading)
                && Arc::ptr_eq(&kept.structure, &model.structure)
        });
        match kept {
            Some(kept) => Some(kept.linear),
            None => Linear::of(dynamics).map(Box::new),
        }
    }

    /// Keeps the equations for a later run.
    pub fn keep(mut self: Box<Self>, dynamics: &Dynamics) {
        let model = dynamics.model;
        self.trial.standing.clear();
        let kept = Kept {
            structure: model.structure.clone(),
            contacts: model.contacts.clone(),
            loading: model.loading.clone(),
            linear: self,
        };
        // A thread that ends has no store any more: then they just go.
        let _ = KEPT.try_with(|slot| slot.replace(Some(kept)));
    }
}
