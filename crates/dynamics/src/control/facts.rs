//! What is asked of controllers: names, units, sizes.
use super::{Controls, Form, Loop};
use stickslip_structures::{Acts, Measured};

impl Controls {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// How many loops there are.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Those that move by themselves.
    pub fn moving(&self) -> impl Iterator<Item = usize> + '_ {
        self.unknowns().zip(self.held()).filter(|(_, held)| !held).map(|(i, _)| i)
    }

    /// Whether each of these changes at samples alone.
    pub fn held(&self) -> impl Iterator<Item = bool> + '_ {
        self.loops.iter().flat_map(|one| std::iter::repeat_n(one.is_sampled(), one.unknowns()))
    }

    /// Name and unit of each of their unknowns.
    pub fn names(&self) -> Vec<(String, String)> {
        let mut all = vec![];
        for (k, one) in self.loops.iter().enumerate() {
            let prefix = format!("control.{}", k + 1);
            match one.is_sampled() {
                true => all.extend(one.control.on.iter().enumerate().map(|(i, _)| {
                    (
                        if one.control.on.len() > 1 {
                            format!("{prefix}.held_{}", i + 1)
                        } else {
                            format!("{prefix}.held")
                        },
                        "N".into(),
                    )
                })),
                false => {
                    all.extend(one.control.states.iter().map(|s| (format!("{prefix}.{}", s.name), s.unit.clone())))
                }
            }
        }
        all
    }

    /// What an output would be by its references alone, at the start.
    pub fn asked(&self, l: usize, k: usize) -> f64 {
        let one = &self.loops[l];
        let channels = one.control.channels.len();
        let each =
            (0..channels).map(|j| one.control.d[k * channels + j] * self.references[one.reference + j].value(0.0));
        each.map(f64::abs).fold(0.0, f64::max)
    }

    /// What output number `output` of all applies.
    pub fn output(&self, output: usize, t: f64, y: &[f64]) -> f64 {
        self.outputs().nth(output).map_or(0.0, |(l, k, _)| self.applied(l, k, t, y))
    }

    /// Unit of what a loop puts out.
    pub fn unit(&self, l: usize) -> &'static str {
        if self.loops[l].moment { "N m" } else { "N" }
    }

    /// Force that the loops add to the load of a contact; None where none does.
    pub(crate) fn press(&self, contact: usize, t: f64, y: &[f64]) -> Option<f64> {
        let acting = self.outputs().filter(|(.., on)| *on == Acts::Normal(contact));
        acting.map(|(l, k, _)| self.applied(l, k, t, y)).reduce(|a, b| a + b)
    }

    /// Whether a loop acts on the load of a contact.
    pub fn presses(&self) -> bool {
        self.outputs().any(|(.., on)| matches!(on, Acts::Normal(_)))
    }

    /// The guards as they are now.
    pub fn guard_forms(&self) -> impl Iterator<Item = &Form> {
        self.loops.iter().flat_map(|one| one.guards.iter().flatten())
    }

    /// Whether any output can be clipped at any time.
    pub fn has_guards(&self) -> bool {
        self.loops.iter().any(|one| !one.guards.is_empty())
    }

    /// Whether each loop is clipped.
    pub fn clipped(&self) -> impl Iterator<Item = bool> + '_ {
        self.loops.iter().map(|one| match one.is_sampled() {
            true => one.memory.clipped,
            false => one.clips.iter().any(|clip| clip.side != 0),
        })
    }

    /// Adds what the loops hold coordinates by, as the stiffness of a spring would: row after row.
    pub fn add_stiffness(&self, n: usize, stiffness: &mut [f64]) {
        for one in &self.loops {
            let channels = one.control.channels.len();
            for (k, on) in one.control.on.iter().enumerate() {
                for (j, channel) in one.control.channels.iter().enumerate() {
                    if let (Acts::Coordinate(i), Measured::Coordinate(of)) = (on, channel.measured) {
                        // A filtered derivative holds fast motions alone.
                        let filtered = (0..one.control.states.len())
                            .filter(|s| one.control.states[*s].follows == Some(j))
                            .map(|s| one.control.c[k * one.control.states.len() + s])
                            .sum::<f64>();
                        stiffness[i * n + of] += one.control.d[k * channels + j] + filtered;
                    }
                }
            }
        }
    }

    /// The largest reference of a coordinate up to a time, and the size of each controller's unknown under a force on what it
    /// acts on.
    pub fn reach(&self, i: usize, until: f64) -> f64 {
        let mut reach = 0.0f64;
        for one in &self.loops {
            for (j, channel) in one.control.channels.iter().enumerate() {
                if channel.measured == Measured::Coordinate(i) {
                    reach = reach.max(self.references[one.reference + j].bound(0.0, until));
                }
            }
        }
        reach
    }

    /// The longest time in which an integral takes over what the proportional part does, s.
    pub fn integral_time(&self) -> f64 {
        let one = |one: &Loop| {
            let i = one.control.integral?;
            Some((one.control.d.first()? / one.control.c[i]).abs()).filter(|t| t.is_finite())
        };
        self.loops.iter().filter_map(one).fold(0.0, f64::max)
    }

    /// Unknowns of loops that act on coordinate `i`, each with the force of a unit of it.
    pub fn acting_on(&self, i: usize) -> Vec<(usize, f64)> {
        let mut all = vec![];
        for one in self.loops.iter() {
            let own = (0..one.control.on.len()).filter(|k| one.control.on[*k] == Acts::Coordinate(i));
            for k in own {
                match one.is_sampled() {
                    true => all.push((one.first + k, 1.0)),
                    false => {
                        let states = one.control.states.len();
                        all.extend((0..states).map(|s| (one.first + s, one.control.c[k * states + s])));
                    }
                }
            }
        }
        all
    }
}
