//! The tables of the scenario language that are no kinds: what stands in them, for `explain`.
use crate::catalogue::{Entry, Key};

/// What these entries are.
pub const OF: &str = "table of a scenario";

/// A key: name, unit, default, what it is.
type Row = (&'static str, &'static str, &'static str, &'static str);

const PAGES: &[(&str, &str, &[Row])] = &[
    (
        "contact",
        "Where the structure rubs: a friction law and a normal law. One table [contact], or several [[contact]] with names.

Structures that imply their contact need no rows; others give `tangent`, and `normal_direction` where the gap can open.

[contact]
normal = { law = \"constant\", force = \"10 N\" }
friction = { law = \"stribeck\", mu_s = 0.5, mu_k = 0.3, v_s = \"2 cm/s\" }",
        &[
            ("name", "", "", "Name; needed where there are several contacts"),
            ("normal", "", "", "A normal law: { law = \"..\", .. }; `stickslip laws` lists them"),
            ("friction", "", "", "A friction law: { law = \"..\", .. }"),
            ("tangent", "", "", "Row of the slip velocity on the rates; two rows for two directions"),
            ("normal_direction", "", "", "Row of the gap on the coordinates"),
            ("gap", "m", "0", "Gap at the start"),
            ("area", "m^2", "", "Nominal area, for laws of pressures and tractions"),
            ("mass", "kg", "that of the structure", "Mass that rests on it, for normal = { law = \"weight\" }"),
            ("directions", "", "1", "Tangential directions, 1 or 2"),
            ("loads", "1", "", "Part of the load that each point of a chain carries: a list, or a formula in i"),
        ],
    ),
    (
        "start",
        "Where the motion starts: a state by name, then values that replace, factors, additions; in this order.

[start]
state = \"steady-sliding\"
scale = { rates = { velocity = 1.05 } }",
        &[
            (
                "state",
                "",
                "rest",
                "rest (all zero), stuck (moving with the belt or driver), steady-sliding, static (in equilibrium without \
                 friction), values",
            ),
            ("values", "", "", "Coordinates by name"),
            ("rates", "", "", "Rates by name"),
            ("states", "", "", "States of laws by name: phi, or \"pad.phi\" where contacts have names"),
            ("scale", "", "", "Factors: { values = {..}, rates = {..}, states = {..} }"),
            ("add", "", "", "Additions, in the same tables"),
        ],
    ),
    (
        "output",
        "What is reported beside the values of the analysis.

[output]
probes = [{ quantity = \"elongation\", at = [\"10 s\", \"50 s\"] }, { quantity = \"friction\", over = \"settled\" }]
sampling = \"1 ms\"",
        &[
            (
                "probes",
                "",
                "",
                "Quantities: a coordinate, rate.<name>, state.<name>, friction, friction_force, normal_force, slip_velocity; \
                 `at` times or `over` \"settled\" or \"run\"; `contact` where there are several",
            ),
            ("events", "", "false", "List events in the summary"),
            ("all_rows", "", "false", "Write every row of a motion, however many there are"),
            (
                "spectra",
                "",
                "",
                "Spectra of the settled part, with `sampling`: { of = \"x\" } its power density, { of = \"x\", from = \
                 \"friction_force\" } also gain, phase and coherence",
            ),
            ("sampling", "s", "", "Rows of a transient in even steps of this time instead of the integrator's own"),
        ],
    ),
    (
        "parameters",
        "Numbers with names of your own, for formulas, axes and --set.

[parameters]
omega = \"2 rad/s\"

[drive]
kind = \"force\"
force = \"1 N * sin(omega*t)\"

An axis varies one by its path: parameter = \"parameters.omega\".",
        &[("<name>", "", "", "A number or a quantity; letters, digits and _; not `t`")],
    ),
    (
        "case",
        "The scenario again with changes; results of all cases are overlaid.

[[case]]
name = \"soft\"
set = { \"structure.stiffness\" = \"10 N/m\" }",
        &[
            ("name", "", "", "Name in the results"),
            ("set", "", "", "Values by path; a table with another `kind` or `law` replaces the one that is there"),
        ],
    ),
    (
        "functions",
        "Functions of time, wherever a key takes one: drives, loads, references.

velocity = \"5 mm/s\"                                                a quantity
force = \"30 N * sin(3e4 rad/s * t)\"                                a formula in t
force = { points = [[\"0 s\", \"0 N\"], [\"1 s\", \"2 N\"]] }          straight lines between points
force = { sine = { amplitude = \"1 N\", frequency = \"5 Hz\" } }     also omega, phase, mean
force = { sum = [\"1 N\", { sine = { amplitude = \"1 N\", omega = \"2 rad/s\" } }] }

Formulas know sin cos exp ln sqrt abs tanh min max step, the time t and the names of [parameters]. A formula without any unit is
SI; one unit anywhere means that all of it is checked. In a formula a value in Hz counts cycles, one in rad/s radians:
sin(2*pi*f*t), sin(omega*t).",
        &[
            ("points", "", "", "Pairs [t, value], straight lines between"),
            ("sine", "", "", "amplitude, omega or frequency, phase, mean"),
            ("ramp", "", "", "From one value to another, and when"),
            ("pulse", "", "", "shape, at, duration, peak"),
            ("table", "", "", "A file of two columns: \"force.csv\""),
            ("sum", "", "", "A list of functions that are added"),
        ],
    ),
    (
        "quantities",
        "A number in SI, or a text with a unit: \"100 N/cm\", \"0.9 um\", \"5 %\", \"30 deg\", \"1e13 kg cm^-3.5 s^-2\".

SI, CGS and the usual engineering units, with prefixes, products, quotients and powers. A wrong dimension is refused with its
place. Hz and rad/s differ by 2 pi: a key that asks for a frequency takes either and converts.",
        &[],
    ),
    (
        "paths",
        "Addresses of values: of --set, of [[case]], of `parameter` in analyses.

contact.friction.mu_s         contact.pad.friction.mu_s (contacts with names)
structure.stiffness[0][1]     start.rates.x     drive[1].velocity     parameters.omega

stickslip run FILE --set drive.velocity=\"2 mm/s\"",
        &[],
    ),
];

/// All of them.
pub fn pages() -> impl Iterator<Item = Entry> {
    PAGES.iter().map(|(name, about, rows)| {
        let key = |&(name, unit, default, about): &Row| Key {
            name: name.into(),
            about: about.into(),
            unit: unit.into(),
            default: default.into(),
            expected: if unit.is_empty() { String::new() } else { format!("a number (unit {unit})") },
        };
        Entry {
            of: OF,
            name,
            about: about.to_string(),
            keys: rows.iter().map(key).collect(),
            one_of: &[],
            directions: None,
            claims: None,
            reference: "",
            answers: &[],
            usage: None,
        }
    })
}
