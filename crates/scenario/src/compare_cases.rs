//! Cases that differ in their formulation alone are compared.
use crate::build::Prepared;
use serde_json::Value as Json;
use stickslip_data::Outcome;
use stickslip_model::{Formulation, compare, to_compare_with};

/// Compares each case with the exact one, or the first, of those that are the same but for the formulation.
pub(crate) fn compare_cases(prepared: &[Prepared], outcomes: &mut [(String, Outcome)]) {
    let bare: Vec<Json> = prepared.iter().map(without_formulation).collect();
    for i in 0..prepared.len() {
        // The first of a group speaks for it.
        let group: Vec<usize> = (i..prepared.len()).filter(|&k| bare[k] == bare[i]).collect();
        let formulations: Vec<Formulation> = group.iter().map(|&k| prepared[k].model.formulation).collect();
        if bare[..i].contains(&bare[i]) || formulations.iter().all(|f| *f == formulations[0]) {
            continue;
        }
        let (name, with) = outcomes[group[to_compare_with(&formulations)]].clone();
        for k in group {
            compare(&mut outcomes[k].1, &name, &with, prepared[k].model.loading.speed());
        }
    }
}

fn without_formulation(case: &Prepared) -> Json {
    let mut spec = case.spec.clone();
    if let Some(table) = spec.as_object_mut() {
        table.remove("formulation");
    }
    spec
}
