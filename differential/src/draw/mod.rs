//! Scenarios at random, from what the kinds declare.
pub mod contact;
pub mod keys;
pub mod law;
pub mod normal;
pub mod scene;
pub mod signal;
pub mod start;
pub mod wish;

use crate::dimension::Scale;
use crate::item::{Item, Writing, number, plain, table, word};
use crate::random::Random;
use keys::{Around, Drawing};
use law::{DrawnLaw, draw_law};
pub use scene::Scene;
use stickslip::analyses::{FORMULATIONS, Formulation};
use stickslip::laws::{FrictionKind, NormalKind, friction_kinds};
use stickslip::structures::{Loading, Structure, StructureKind, drive_kinds, structure_kinds};
pub use wish::Wish;

/// Most steps of a run: what takes more is too slow for a series.
pub const MOST_STEPS: f64 = 30_000.0;

/// Vibrations of a contact that follows its gap in a run, at most.
const MOST_VIBRATIONS: f64 = 60.0;

fn pick<'a, K>(kinds: &'a [K], wanted: impl Fn(&K) -> bool, random: &Random) -> Option<&'a K> {
    let fitting: Vec<&K> = kinds.iter().filter(|k| wanted(k)).collect();
    (!fitting.is_empty()).then(|| *random.of(&fitting))
}

/// A scenario that an oracle can use; None where the draw has no meaning.
pub fn draw(wish: &Wish, random: &Random) -> Option<Scene> {
    let on_point = wish.analysis == "hysteresis";
    let serves = |k: &FrictionKind| {
        let c = k.claims;
        !(c.position || c.stepped || on_point && (c.force_rate || c.history))
    };
    let kind = pick(friction_kinds(), |k| (wish.law)(k) && serves(k), random)?;
    let law = draw_law(kind, &wish.inner, random);
    let normal = contact::draw_normal(&law, wish, random)?;
    let (scale, area, load) = natural(&law, normal, random);
    // Contacts vibrate much faster than springs: what follows the gap is run for a shorter time.
    let periods = random.between(0.6, 3.0) * std::f64::consts::TAU * if normal::follows(normal) { 0.2 } else { 1.0 };
    let mut around = Around { scale, duration: periods * scale.time, load, size: 0 };

    let gap = normal::follows(normal);
    let mut kinds = vec![("analysis", wish.analysis.into()), ("normal", normal.name.into())];
    kinds.extend(law.names.iter().map(|n| ("law", n.to_string())));
    let approach = normal::pressed(normal).at.filter(|_| gap).map(|(a, _)| a);
    // A structure that the laws of its contact go with.
    let (kind, keys, structure, mut drives, program) = (0..30).find_map(|_| {
        let kind = pick(structure_kinds(), |k| (wish.structure)(k), random)?;
        let mut keys = Drawing::new(random, around);
        around.size = (kind.size)(&mut keys).ok()?;
        let mut found = vec![("structure", kind.name.to_string())];
        let (structure, drives, program) = driven(kind, &mut keys, (wish, approach), around, random, &mut found)?;
        fits(&structure, &law, normal).then(|| kinds.extend(found))?;
        Some((kind, keys, structure, drives, program))
    })?;
    let size = around.size;
    // What a drive gives to an angle is a moment by another unit than its key declares: none is drawn.
    for (i, _) in structure.angles.iter().enumerate().filter(|(_, angle)| **angle) {
        for drive in &mut drives {
            for (key, unit) in [("force", "N"), ("impulse", "N s")] {
                if drive.get(&format!("{key}.{i}")).is_some() {
                    drive.set(&format!("{key}.{i}"), number(0.0, unit));
                }
            }
        }
    }
    // A law of tractions at a point is driven by tractions.
    if let Some(area) = area.filter(|_| structure.is_empty() && law.kind.claims.traction) {
        drives.iter_mut().for_each(|drive| drive.per_area(area));
    }
    let text: String = drives.iter().map(|d| d.written(Writing::Bare)).collect();
    let loaded = text.contains("normal =") && (gap || law.kind.claims.constant_load);
    if loaded || on_point && program <= 0.0 {
        return None;
    }
    let mut root = table([("structure", table([("kind", word(kind.name))]))]);
    keys.noted.entries.into_iter().for_each(|(k, v)| root.set(&format!("structure.{k}"), v));
    if structure.places.iter().any(|p| p.edge.is_some()) {
        // The block rests on its edge with the weight that the law bears there.
        let of = |key: &str| root.number(&format!("structure.{key}"));
        let area = of("length")? * of("width")?;
        root.set("structure.weight", number(area * normal::pressed(normal).at?.1 * random.factor(0.3, 1.0), "N"));
    } else if gap {
        let mut force = vec![number(0.0, "N"); size];
        force[size - 1] = number(-load * random.factor(0.5, 1.0), "N");
        drives.push(table([("kind", word("force")), ("force", Item::List(force))]));
    }
    if let Some(approach) = approach {
        // A contact that vibrates many times in a run would take all of its steps: the structure is heavier then.
        let stiffness = 2.0 * root.number("structure.weight").unwrap_or(load) / approach;
        let least = stiffness * (around.duration / (MOST_VIBRATIONS * std::f64::consts::TAU)).powi(2);
        let heavier = (least / scale.mass).max(1.0);
        for key in ["structure.mass", "structure.inertia"] {
            if let Some(item) = root.get_mut(key) {
                item.each_number(&mut |x, _| *x *= heavier);
            }
        }
    }
    let mut contacts = contact::draw_contacts(&law, normal, area, &structure, wish, around, random);
    if text.contains("spin =") {
        let forced = text.contains("force =");
        if !structure.is_empty() || law.kind.directions < 2 || forced || law.names.len() > 1 {
            return None;
        }
        contacts.set("directions", plain(2.0));
    }
    root.set("contact", contacts);
    root.set("drive", if drives.len() == 1 { drives[0].clone() } else { Item::List(drives) });
    let mut scene = Scene {
        root,
        scale,
        kinds,
        seed: random.bits(),
        end: if on_point { program } else { around.duration },
        coordinates: structure.coordinates.clone(),
        rates: structure.rates.clone(),
    };
    formulate(&mut scene, &law, gap, wish, around, random)?;
    if wish.start && !structure.is_empty() {
        start::draw_start(&mut scene, (gap, approach.is_some()), around, random);
    }
    ask(&mut scene, wish);
    if random.chance(0.6) {
        let to = |x: f64| random.factor(0.5, 2.0) / x;
        let round = Scale { mass: to(scale.mass), length: to(scale.length), time: to(scale.time) };
        scene.root = scene.root.rescaled(&round);
        scene.scale = scale.times(&round);
        scene.end *= round.time;
    }
    Some(scene)
}

/// Whether a structure and the laws of its contact go together: a gap needs a direction, an edge a pressure that follows it.
fn fits(structure: &Structure, law: &DrawnLaw, normal: &NormalKind) -> bool {
    let edge = structure.places.iter().any(|p| p.edge.is_some());
    let gap = match structure.places.first() {
        Some(place) => place.normal.is_some(),
        None => structure.len() >= 2,
    };
    let (c, n) = (law.kind.claims, normal.claims);
    let follows = normal::follows(normal);
    (!follows || gap) && (!edge || follows && n.traction && n.memoryless && c.load_linear && !c.traction)
}

/// Natural units: the deflection of the spring at which the law slides, and the time of a vibration at its speed. Then the
/// area that makes pressures forces, where there are any, and the load.
fn natural(law: &DrawnLaw, normal: &NormalKind, random: &Random) -> (Scale, Option<f64>, f64) {
    let length = law.nominal.slip * random.factor(0.5, 5.0);
    let omega = law.nominal.speed / length * random.factor(0.5, 5.0);
    let nominal = law.nominal;
    let (area, load) = match normal::pressed(normal).at.filter(|_| normal::follows(normal)) {
        Some((_, pressure)) if normal.claims.traction => (Some(nominal.load / pressure), nominal.load),
        Some((_, force)) => (None, force),
        None if law.kind.claims.traction => (Some(random.factor(0.3, 3.0) / nominal.load), nominal.load),
        None => (None, nominal.load),
    };
    let unit =
        if law.kind.claims.traction && !normal::follows(normal) { area.unwrap_or(1.0) } else { load / nominal.load };
    let force = nominal.force * unit;
    (Scale { mass: force / length / (omega * omega), length, time: 1.0 / omega }, area, load)
}

/// A structure and what drives it.
fn driven(
    kind: &StructureKind,
    keys: &mut Drawing,
    (wish, approach): (&Wish, Option<f64>),
    around: Around,
    random: &Random,
    kinds: &mut Vec<(&'static str, String)>,
) -> Option<(Structure, Vec<Item>, f64)> {
    let mut loading = Loading::default();
    let mut items = vec![];
    let mut found = vec![];
    let count = if wish.drives && random.one_in(5) { 2 } else { 1 };
    for _ in 0..count {
        let drive = pick(drive_kinds(), |k| (wish.drive)(k), random)?;
        let mut drawn = Drawing::new(random, around);
        (drive.read)(&mut drawn, around.size, &mut loading).ok()?;
        if loading.profile.is_some() && approach.is_none() {
            return None;
        }
        let mut item = table([("kind", word(drive.name))]);
        drawn.noted.entries.into_iter().for_each(|(k, v)| item.set(&k, v));
        // A surface that rises does so by a part of the approach.
        for key in ["height", "amplitude"] {
            if let (Some(approach), Some(height)) = (approach, item.get_mut(key)) {
                height.each_number(&mut |x, unit| {
                    *x *= if unit == "m" { 0.3 * approach / around.scale.length } else { 1.0 }
                });
            }
        }
        found.push(("drive", drive.name.to_string()));
        found.extend(drawn.noted.forms.iter().map(|f| ("form", f.to_string())));
        items.push(item);
    }
    let structure = (kind.read)(keys, &loading).ok()?;
    kinds.extend(found);
    let program = loading.program.map_or(0.0, |p| p.steps.iter().map(|s| s.duration()).sum());
    Some((structure, items, program))
}

/// The formulation: exact half of the time, and always for laws that need none.
fn formulate(scene: &mut Scene, law: &DrawnLaw, gap: bool, wish: &Wish, around: Around, random: &Random) -> Option<()> {
    let c = law.kind.claims;
    // What a formulation needs of a law: smoothing one without memory, a spring in front one that does not know the pace.
    let serves = |f: &&str| match *f {
        "regularised" => c.memoryless && !c.force_rate,
        "compliant" => c.memoryless && c.rate_independent && !gap,
        "karnopp" => !gap && !c.force_rate,
        "time-stepping" => !gap && c.memoryless && !c.force_rate && !c.traction,
        _ => true,
    };
    let others: Vec<&str> = FORMULATIONS.iter().copied().filter(|f| (wish.formulation)(f)).filter(serves).collect();
    let name = if c.set_valued && random.one_in(2) && !others.is_empty() { *random.of(&others) } else { "exact" };
    if !(wish.formulation)(name) {
        return None;
    }
    scene.kinds.push(("formulation", name.into()));
    if name == "exact" {
        return Some(());
    }
    // Widths, bands and steps are small parts of what is natural.
    let fine = Scale { mass: around.scale.mass, length: around.scale.length * 0.03, time: around.scale.time * 0.03 };
    let mut keys = Drawing::new(random, Around { scale: fine, ..around });
    keys.noted.entries.push(("kind".into(), word(name)));
    Formulation::read(&mut keys).ok()?;
    scene.root.set("formulation", Item::Table(keys.noted.entries));
    if name == "time-stepping" {
        // Whole steps up to the instants that are asked for.
        let steps = 2.0 * random.factor(200.0, 2000.0).round();
        scene.root.set("formulation.step", number(around.duration / steps, "s"));
    }
    if name == "regularised" {
        scene.root.set("formulation.width", number(around.scale.of("m/s") * random.factor(1e-3, 0.1), "m/s"));
    }
    Some(())
}

/// The analysis, and probes of every coordinate and rate, or of a point.
fn ask(scene: &mut Scene, wish: &Wish) {
    let mut analysis = table([("kind", word(wish.analysis)), ("max_steps", plain(MOST_STEPS))]);
    let at = |parts: [f64; 2]| Item::List(parts.iter().map(|p| number(p * scene.end, "s")).collect());
    let probes: Vec<Item> = if wish.analysis == "transient" {
        analysis.set("duration", number(scene.end, "s"));
        let names = scene.coordinates.iter().cloned().chain(scene.rates.iter().map(|r| format!("rate.{r}")));
        let over = |name: &str| table([("quantity", word(name)), ("over", word("run"))]);
        // Fixed steps end at the end, and elsewhere but for rounding.
        let parts = if scene.root.get("formulation.step").is_some() { [1.0, 1.0] } else { [0.5, 1.0] };
        let probes = names.map(|n| table([("quantity", word(&n)), ("at", at(parts))]));
        probes.chain(["friction_force", "slip_velocity"].map(over)).collect()
    } else {
        vec![table([("quantity", word("slip")), ("at", at([0.37, 0.83]))])]
    };
    scene.root.set("output.probes", Item::List(probes));
    scene.root.set("analysis", analysis);
}
