//! The kinds that a scenario may name.
use std::sync::LazyLock;
use stickslip_laws::{FrictionKind, NormalKind, friction_kinds, normal_kinds};
use stickslip_model::AnalysisKind;
use stickslip_structures::{DriveKind, Refused, StructureKind, drive_kinds, structure_kinds};
use stickslip_units::nearest;

static ANALYSES: LazyLock<Vec<AnalysisKind>> =
    LazyLock::new(|| [&[stickslip_motion::KIND], stickslip_analyses::KINDS, &[stickslip_fit::KIND]].concat());

/// Every analysis of the catalogue.
pub fn analysis_kinds() -> &'static [AnalysisKind] {
    &ANALYSES
}

/// The kinds that a scenario may name: a list, not a gate. Add one's own to the default.
#[derive(Clone)]
pub struct Catalogue {
    /// Structures.
    pub structures: Vec<StructureKind>,
    /// Drives.
    pub drives: Vec<DriveKind>,
    /// Friction laws.
    pub frictions: Vec<FrictionKind>,
    /// Normal laws.
    pub normals: Vec<NormalKind>,
    /// Analyses.
    pub analyses: Vec<AnalysisKind>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Catalogue {
            structures: structure_kinds().to_vec(),
            drives: drive_kinds().to_vec(),
            frictions: friction_kinds().to_vec(),
            normals: normal_kinds().to_vec(),
            analyses: analysis_kinds().to_vec(),
        }
    }
}

impl Catalogue {
    /// With an analysis of one's own; one of the same name is replaced. It may be `each` of a map, as any other.
    pub fn with_analysis(mut self, kind: AnalysisKind) -> Catalogue {
        self.analyses.retain(|k| k.name != kind.name);
        self.analyses.push(kind);
        self
    }

    /// With a friction law of one's own; one of the same name is replaced.
    pub fn with_friction(mut self, kind: FrictionKind) -> Catalogue {
        self.frictions.retain(|k| k.name != kind.name);
        self.frictions.push(kind);
        self
    }
}

/// Names to choose from, in words.
pub(crate) fn one_of(names: &[&str]) -> String {
    match names {
        [only] => format!("`{only}`"),
        _ => format!("one of {}", names.join(", ")),
    }
}

/// The kind of that name, or a refusal that points at `path` with the nearest one.
pub(crate) fn find<'a, K>(
    kinds: &'a [K],
    name_of: fn(&K) -> &'static str,
    name: &str,
    path: String,
    (code, what): (&'static str, &str),
) -> Result<&'a K, Refused> {
    kinds.iter().find(|k| name_of(k) == name).ok_or_else(|| {
        let names: Vec<_> = kinds.iter().map(name_of).collect();
        let e = Refused::new(path, code, format!("unknown {what} \"{name}\""));
        let e = e.expected(one_of(&names));
        match nearest(name, names) {
            Some(near) => e.hint(format!("did you mean \"{near}\"?")),
            None if code.starts_with("law::") => e.hint("`stickslip laws` lists them"),
            None => e.hint("`stickslip explain` lists them"),
        }
    })
}
