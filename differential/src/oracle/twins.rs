//! Laws that are one by two names.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, formula, number, plain, table, word};

const LIMITS: Limits = Limits { motion: 1e-5, results: None, regime: false };

/// One block under any drive.
fn wish() -> Wish {
    Wish { normal: |k| k.claims.fixed_load, drives: true, start: true, ..Wish::simple() }
}

/// The scenario with another law.
fn with_law(scene: &Scene, law: Item) -> Scene {
    let mut other = scene.clone();
    other.root.set("contact.friction", law);
    other
}

/// A number of the law.
fn of(scene: &Scene, key: &str) -> Option<f64> {
    scene.root.number(&format!("contact.friction.{key}"))
}

/// Jenkins' element is Coulomb friction behind a spring.
pub const JENKINS: Oracle = Oracle {
    name: "jenkins is compliant coulomb",
    wish: |_| Wish { law: |k| k.name == "jenkins", normal: |k| k.name == "constant", ..wish() },
    twin: |scene| {
        let law = table([("law", word("coulomb")), ("mu", plain(of(scene, "mu")?))]);
        let mut other = with_law(scene, law);
        let spring = number(of(scene, "stiffness")?, "N/m");
        other.root.set("formulation", table([("kind", word("compliant")), ("k_t", spring)]));
        Some(Twin::same(scene, &other))
    },
    limits: LIMITS,
    may_be_chaos: true,
};

/// Elements in parallel that are alike are one.
pub const IWAN: Oracle = Oracle {
    name: "iwan of equal elements is jenkins",
    wish: |_| Wish { law: |k| k.name == "jenkins", ..wish() },
    twin: |scene| {
        let (stiffness, mu) = (of(scene, "stiffness")?, of(scene, "mu")?);
        let count = 1.0 + (scene.seed % 3) as f64;
        let each = |x: f64, unit: &str| Item::List(vec![number(x / count, unit); count as usize]);
        let law = table([("law", word("iwan")), ("stiffness", each(stiffness, "N/m")), ("mu", each(mu, "1"))]);
        Some(Twin::same(scene, &with_law(scene, law)))
    },
    limits: LIMITS,
    may_be_chaos: true,
};

/// A built-in law as a formula.
pub const FORMULA: Oracle = Oracle {
    name: "formula is built-in",
    wish: |_| Wish { law: |k| matches!(k.name, "coulomb" | "stribeck" | "exponential" | "humped"), ..wish() },
    twin: |scene| {
        let n = |key: &str| of(scene, key).map(|x| (x, "1"));
        let (strength, hold) = match scene.root.word("contact.friction.law")? {
            "coulomb" => (formula("{}+0*v", &[n("mu_k")?]), formula("{}", &[n("mu_s")?])),
            "stribeck" if of(scene, "viscous").is_none() => {
                let (s, k, v) = (n("mu_s")?, n("mu_k")?, n("v_s")?);
                let exponent = n("exponent").unwrap_or((2.0, "1"));
                (formula("{}+({}-{})*exp(-(v/{})^{})", &[k, s, k, v, exponent]), formula("{}", &[s]))
            }
            "exponential" => {
                let (a, b, c) = (n("mu_0")?, n("mu_1")?, n("alpha")?);
                (formula("{}+{}*exp(-{}*v)", &[a, b, c]), formula("{}+{}", &[a, b]))
            }
            _ => return None,
        };
        let law = table([("law", word("formula")), ("strength", strength), ("hold", hold)]);
        Some(Twin::same(scene, &with_law(scene, law)))
    },
    limits: LIMITS,
    may_be_chaos: true,
};

/// A kernel that reads no neighbour.
pub const NONLOCAL: Oracle = Oracle {
    name: "nonlocal of one point is coulomb",
    wish: |_| Wish {
        law: |k| k.name == "coulomb",
        structure: |k| matches!(k.name, "chain" | "spring-block"),
        formulation: |f| f != "time-stepping",
        ..wish()
    },
    twin: |scene| {
        let mu = plain(of(scene, "mu_s")?);
        let bare = with_law(scene, table([("law", word("coulomb")), ("mu", mu.clone())]));
        let kernel = Item::List(vec![plain(1.0)]);
        let law = table([("law", word("nonlocal")), ("mu", mu), ("weights", kernel)]);
        Some(Twin::same(&bare, &with_law(scene, law)))
    },
    limits: LIMITS,
    may_be_chaos: true,
};

/// A coefficient that changes in time under a constant load is a constant one under a load that changes.
pub const TIMED: Oracle = Oracle {
    name: "a law in t is a load in t",
    wish: |_| Wish { law: |k| k.name == "coulomb", normal: |k| k.claims.given, ..wish() },
    twin: |scene| {
        if scene.drives_load() {
            return None;
        }
        let Item::List(parts) = scene.root.get("contact.normal.force.sum")? else { return None };
        let (Item::Number(load, _), Item::Formula(text, numbers)) = (parts.first()?, parts.get(1)?) else {
            return None;
        };
        let law = |key: &str| {
            let mu = of(scene, key)?;
            let mut text = text.clone();
            text[0] = format!("({mu:?})*(1+({}", text[0]);
            let last = text.len() - 1;
            text[last].push_str(&format!(")/({load:?}))"));
            Some(Item::Formula(text, numbers.clone()))
        };
        let friction = table([("law", word("formula")), ("strength", law("mu_k")?), ("hold", law("mu_s")?)]);
        let mut other = with_law(scene, friction);
        other.root.set("contact.normal", table([("law", word("constant")), ("force", number(*load, "N"))]));
        Some(Twin::same(scene, &other))
    },
    limits: LIMITS,
    may_be_chaos: true,
};
