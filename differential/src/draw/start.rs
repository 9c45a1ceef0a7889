//! The state at the start.
use super::Scene;
use super::keys::Around;
use crate::item::{Item, number, word};
use crate::random::Random;

/// Rest half of the time; else a word, or values of one's own.
///
/// A surface that follows its gap is pressed by something: it mostly starts where that is borne, if it yields at all.
pub fn draw_start(scene: &mut Scene, (gap, yields): (bool, bool), around: Around, random: &Random) {
    let steady = matches!(scene.root.get("drive.velocity"), Some(Item::Number(..)));
    match random.below(6) {
        _ if gap && yields && random.chance(0.7) && scene.root.get("structure.weight").is_none() => {
            scene.root.set("start.state", word("static"));
        }
        _ if gap => {}
        0 if steady => scene.root.set("start.state", word("steady-sliding")),
        1 => scene.root.set("start.state", word("stuck")),
        2 | 3 => {
            for (i, name) in scene.coordinates.clone().iter().enumerate() {
                let x = around.scale.of("m") * random.between(-2.5, 2.5);
                scene.root.set(&format!("start.values.{name}"), number(x, "m"));
                if random.one_in(2) {
                    let v = around.scale.of("m/s") * random.between(-1.5, 1.5);
                    scene.root.set(&format!("start.rates.{}", scene.rates[i]), number(v, "m/s"));
                }
            }
        }
        _ => {}
    }
    let name = scene.root.word("start.state").unwrap_or("rest").to_string();
    scene.kinds.push(("start", if scene.root.get("start.values").is_some() { "values".into() } else { name }));
}
