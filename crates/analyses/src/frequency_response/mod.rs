//! Motions that repeat with a drive: their amplitude and phase over its frequency.
mod balanced;
mod drive;
mod peak;
mod report;
mod response;
mod settle;
mod sweep;

use crate::harmonic_balance::{self, Balancing, read_balancing};
use stickslip_data::Outcome;
use stickslip_model::axis::Axis;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Model};
use stickslip_motion::is_exact;
use stickslip_structures::{Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "frequency-response",
    about: "Motions that repeat with a drive: amplitude, phase, stick and dissipation over the frequency.

`exact` closes the motion over a period by Newton's method with the derivatives of that motion, through stick, slip and the
guards of laws; its multipliers tell stability. `marching` follows period after period until the motion repeats.
`harmonic-balance` takes a number of harmonics, follows the curve through its folds, and says how far it is off. `frequency` is a
parameter that changes the frequency of the drive; without it the scenario's own frequency is asked for. Lag and phase are
counted from the maximum of the drive's first harmonic. A sweep takes each motion from the one before, as `frequency` runs.

For a curve, under a force:

frequency = { parameter = \"drive.force.sine.omega\", from = \"0.5 rad/s\", to = \"1.6 rad/s\", points = 111 }",
    answers: &[
        Answer::table(
            "response",
            "A row a response: omega, frequency, level, amplitude, phase, lag, stick_fraction, stops, dissipation, stable, \
             spectral_radius, periods, factors of the harmonics against the drive's phase.",
        ),
        Answer::value("amplitude", "m", "Half of peak to peak of the first coordinate, or of `coordinate`, at one frequency."),
        Answer::value("amplitudes", "m", "Those of all responses found at one frequency, ascending."),
        Answer::value("omega", "rad/s", "The frequency."),
        Answer::value("frequency", "Hz", "The same in cycles a second."),
        Answer::value("phase", "deg", "Phase of the first harmonic against the drive; negative when the response lags."),
        Answer::value("lag", "deg", "Phase of the drive at which the largest value is first reached."),
        Answer::value("stick_fraction", "1", "Part of a period in stick; a list with several contacts."),
        Answer::value("sticks", "", "Whether any contact sticks for some time."),
        Answer::value("stops", "1", "Slides that end in a period; turns of the coordinate for laws without stick."),
        Answer::value("dissipation", "J", "Work taken by friction in a period."),
        Answer::value("stable", "", "Whether disturbances do not grow from period to period."),
        Answer::value("spectral_radius", "1", "The largest multiplier of disturbances over a period."),
        Answer::value("harmonics", "m", "Rows of harmonic, factor of cosine and of sine, against the drive's phase."),
        Answer::value("periods", "1", "Drive periods after which the motion repeats."),
        Answer::value("truncation_error", "1", "Harmonic balance: amplitude over that of the exact response, minus 1."),
        Answer::value("peak.amplitude", "m", "Largest amplitude along the frequencies, of each level."),
        Answer::value("peak.omega", "rad/s", "Where it is, located to 1e-6."),
        Answer::value("folds", "rad/s", "Frequencies at which the curve turns back."),
    ],
    read,
};

/// Tolerance of adaptive steps.
const RTOL: f64 = 1e-11;

/// How a response is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Newton's method on the motion over a period.
    Exact,
    /// Period after period.
    Marching,
    /// A sum of harmonics.
    HarmonicBalance,
}

/// Responses to a drive.
#[derive(Clone, Debug)]
pub struct FrequencyResponse {
    frequency: Option<Axis>,
    levels: Option<Axis>,
    /// None: exact where that serves.
    method: Option<Method>,
    coordinate: Option<String>,
    balancing: Balancing,
    rtol: f64,
    /// Stability, and the distance to the exact response, of balanced motions.
    stability: bool,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let (mut frequency, mut levels) = (None, None);
    keys.table("frequency", "The parameter that changes the frequency of the drive", &mut |k| {
        frequency = Some(Axis::read(k)?);
        Ok(())
    })?;
    keys.table("levels", "A parameter with a curve for each of its values", &mut |k| {
        levels = Some(Axis::read(k)?);
        Ok(())
    })?;
    let methods = ["automatic", "exact", "marching", "harmonic-balance"];
    let method = keys.choice("method", &methods, false, "How responses are found; exact where that serves")?;
    let method = [None, Some(Method::Exact), Some(Method::Marching), Some(Method::HarmonicBalance)][method];
    let coordinate = keys.text("coordinate", "The coordinate whose response is reported; the first by default")?;
    let balancing = read_balancing(keys)?;
    if method != Some(Method::HarmonicBalance) {
        // A resolved scenario has all defaults in it.
        let usual = Balancing { harmonics: balancing.harmonics, ..Balancing::default() };
        let others = [
            ("set_valued", balancing.set_valued != usual.set_valued),
            ("samples", balancing.samples != usual.samples),
            ("subharmonics", balancing.subharmonics != usual.subharmonics),
        ];
        if let Some((key, _)) = others.into_iter().find(|(_, other)| *other) {
            let e = keys.refuse(key, "scenario::conflict", format!("`{key}` is for harmonic balance"));
            return Err(e.hint("try method = \"harmonic-balance\""));
        }
    }
    let rtol =
        keys.number(Ask::new("rtol", "1", "Relative tolerance of adaptive steps").or(RTOL).min(1e-13).max(1e-6))?;
    let about = "Stability and truncation error of balanced motions; true unless given";
    let stability = !keys.has("stability") || keys.flag("stability", about)?;
    Ok(Box::new(FrequencyResponse { frequency, levels, method, coordinate, balancing, rtol, stability }))
}

impl FrequencyResponse {
    /// How the responses of a model are found.
    fn method_for(&self, model: &Model) -> Method {
        let set_valued = || model.contacts.iter().all(|c| c.friction.claims().set_valued);
        let followed = || stickslip_motion::not_followed(model).is_none();
        self.method.unwrap_or(match followed() && (is_exact(model) || set_valued()) {
            true => Method::Exact,
            false => Method::Marching,
        })
    }

    /// Which coordinate is looked at.
    fn coordinate(&self, model: &Model) -> usize {
        let named = |name: &String| model.structure.coordinates.iter().position(|c| c == name);
        self.coordinate.as_ref().and_then(named).unwrap_or(0)
    }
}

/// Two periods that differ by less than this part are one.
const SAME_PERIOD: f64 = 1e-12;

impl Analysis for FrequencyResponse {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if model.structure.is_empty() {
            let e = Refused::new("structure.kind", "analysis::not-served", "a point has no motion of its own");
            return Some(e.hint("use analysis kind \"hysteresis\" for a point under a program"));
        }
        if let Some(name) = self.coordinate.as_ref().filter(|name| !model.structure.coordinates.contains(name)) {
            let e = Refused::new(
                "analysis.coordinate",
                "analysis::unknown-name",
                format!("there is no coordinate `{name}`"),
            );
            return Some(e.expected(format!("one of {}", model.structure.coordinates.join(", "))));
        }
        if model.period().is_none() {
            let e = Refused::new("drive", "analysis::no-period", "the drives and loads have no common period");
            return Some(e.hint("give a drive that repeats, or its `period` where the function does not tell it"));
        }
        if model.contacts.iter().any(|c| c.friction.claims().history) {
            let e = Refused::new(
                "contact",
                "analysis::not-served",
                "responses of laws that read the past are not served yet",
            );
            return Some(e.hint("use analysis kind \"transient\""));
        }
        if let Some(e) = stickslip_motion::Transient::plain(self.rtol).refuse(model) {
            return Some(e);
        }
        if self.method_for(model) == Method::HarmonicBalance {
            return harmonic_balance::refuse(model, &self.balancing);
        }
        if let (Some(Method::Exact), Some(why)) = (self.method, stickslip_motion::not_followed(model)) {
            let text = format!("{why} is not followed over a period with its derivatives");
            let e = Refused::new("analysis.method", "analysis::not-served", text);
            return Some(e.hint("use method = \"marching\""));
        }
        None
    }

    fn refuse_together(&self, models: &[(String, Model)]) -> Option<Refused> {
        let axis = self.frequency.as_ref()?;
        let periods: Vec<f64> =
            models.iter().filter(|(path, _)| *path == axis.parameter).filter_map(|(_, m)| m.period()).collect();
        let [first, .., last] = periods[..] else { return None };
        let differ = (first - last).abs() > SAME_PERIOD * first;
        if differ || axis.values.first() == axis.values.last() {
            return None;
        }
        let text = format!("`{}` does not change the period of the drive", axis.parameter);
        let e = Refused::new(&axis.parameter, "analysis::no-frequency", text);
        Some(
            e.expected("the path of a drive's frequency")
                .hint("for instance \"drive.force.sine.omega\", or a parameter that it reads"),
        )
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let ends = |axis: &Axis| {
            let all = [axis.values[0], axis.values[axis.values.len() - 1]];
            all.map(|x| (axis.parameter.clone(), x))
        };
        self.frequency.iter().chain(&self.levels).flat_map(ends).collect()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        sweep::run(self, model, context)
    }
}
