//! A law inside another keeps what it needs and what it reports: every law of the catalogue in every law that holds others,
//! and in every formulation.
#[allow(dead_code)]
mod samples;

use samples::samples;
use stickslip_laws::combine::{Smoothing, compliant, regularised};
use stickslip_laws::conformance::Sample;
use stickslip_laws::{
    Claims, ContactGroup, Event, Face, Friction, FrictionKind, Given, GivenLaw, LawError, Mode, Scale, Shape, Slide,
    Values, friction_kinds,
};

const POINTS: usize = 3;
/// Loads of the points, and what they see of them with the weights 1/2 and 1/4: at the ends those are shared by two.
const LOADS: [f64; POINTS] = [6.0, 0.0, 3.0];
const MEANS: [f64; POINTS] = [4.0, 2.25, 2.0];

type Group = Box<dyn ContactGroup>;
/// What puts a law into another, or refuses it.
type Formulate = fn(Group) -> Result<Group, LawError>;

fn build(kind: &FrictionKind, given: &[(String, Given)]) -> Result<Group, LawError> {
    kind.build(&[Values::resolve(kind.params, kind.one_of, given)?], POINTS, 1)
}

/// The kinds that hold other laws, with the names under which they do.
fn holders() -> impl Iterator<Item = (&'static FrictionKind, Vec<&'static str>)> {
    let laws = |kind: &FrictionKind| -> Vec<&'static str> {
        kind.params.iter().filter(|p| p.shape == Shape::Law).map(|p| p.name).collect()
    };
    friction_kinds().iter().map(move |kind| (kind, laws(kind))).filter(|(_, laws)| !laws.is_empty())
}

/// A holder as in one of its samples, but with this law in all its places.
fn around(kind: &FrictionKind, keys: &[&str], sample: &Sample, law: &Given) -> Result<Group, LawError> {
    let mut given = sample.given().to_vec();
    given.iter_mut().filter(|(key, _)| keys.contains(&key.as_str())).for_each(|(_, value)| *value = law.clone());
    build(kind, &given)
}

/// The kind of every law, a sample, and the sample as a parameter.
fn laws() -> impl Iterator<Item = (&'static FrictionKind, Sample, Given)> {
    friction_kinds().iter().flat_map(|kind| {
        samples(kind.name).into_iter().filter_map(move |sample| {
            let values = Values::resolve(kind.params, kind.one_of, sample.given()).ok()?;
            Some((kind, sample, Given::Law(Box::new(GivenLaw { kind: *kind, values }))))
        })
    })
}

/// The formulations that put a law into another, for groups that they take.
fn formulations() -> [(&'static str, Formulate); 3] {
    [
        ("regularised", |group| regularised(group, Smoothing::Tanh, 1e-3)),
        ("compliant", |group| compliant(group, 1e4, 0.0)),
        ("compliant with a dashpot", |group| compliant(group, 1e4, 1e3)),
    ]
}

fn nonlocal() -> Given {
    Given::law("nonlocal", [("mu", 0.5.into()), ("weights", [0.5, 0.25].into())]).unwrap()
}

fn coulomb() -> Given {
    Given::law("coulomb", [("mu", 0.5.into())]).unwrap()
}

/// What the law reads beyond its own point and instant. (The rate of the load is not in it: a holder may show another load.)
fn needs(c: Claims) -> [bool; 12] {
    [
        c.stepped,
        c.traction,
        c.position,
        c.history,
        c.acceleration,
        c.force_rate,
        c.approach,
        c.real_area,
        c.random,
        c.positive_speed,
        c.neighbours,
        c.unsteady,
    ]
}

fn start_states(group: &dyn ContactGroup) -> Vec<f64> {
    let one: Vec<f64> = group.states().iter().map(|s| s.start).collect();
    one.repeat(POINTS)
}

/// What is lost of a law inside another.
fn lost(alone: &dyn ContactGroup, inside: &dyn ContactGroup) -> Vec<&'static str> {
    let mut slide = Slide::new([0.1, 0.0], 2.0);
    slide.t = 0.3;
    let at = [slide; POINTS];
    let guards = |group: &dyn ContactGroup| {
        let mut g = vec![];
        group.guards(&at, &start_states(group), &mut g);
        g.len()
    };
    let observed = |group: &dyn ContactGroup| -> Vec<&'static str> {
        let mut z = start_states(group);
        group.on(0, Event::Start, &slide, &mut z);
        group.observe(0, &slide, &z).into_iter().map(|(name, ..)| name).collect()
    };
    let told = observed(inside);
    let scales = alone.velocity_scale() == inside.velocity_scale();
    let kept = [
        ("the weights of its neighbours", alone.kernel() == inside.kernel() && alone.coupling() == inside.coupling()),
        ("its lag", alone.lag().is_none_or(|lag| inside.lag() == Some(lag))),
        (
            "its own time",
            alone.intrinsic_time().is_none_or(|time| inside.intrinsic_time().is_some_and(|own| own <= time)),
        ),
        (
            "a need",
            needs(alone.claims()).into_iter().zip(needs(inside.claims())).all(|(alone, inside)| !alone || inside),
        ),
        ("its guards", guards(inside) >= guards(alone)),
        ("what it observes", observed(alone).iter().all(|name| told.contains(name))),
        ("the variable in which it is smooth", scales || matches!(alone.velocity_scale(), Scale::Linear(_))),
        ("the speed below which it is linear", rest_speed(alone) == rest_speed(inside)),
        ("its stored energy", stored(alone) == 0.0 || stored(inside) != 0.0),
    ];
    kept.into_iter().filter(|(_, kept)| !kept).map(|(what, _)| what).collect()
}

fn rest_speed(group: &dyn ContactGroup) -> Option<f64> {
    group.rest_speed(0, &start_states(group)[..group.states().len()])
}

/// Energy stored where every state on a linear scale is off its start.
fn stored(group: &dyn ContactGroup) -> f64 {
    let one = group.states().iter().map(|s| match s.scale {
        Scale::Linear(size) => s.start + 0.3 * size,
        _ => s.start,
    });
    let z: Vec<f64> = one.collect::<Vec<_>>().repeat(POINTS);
    group.stored(&[Slide::new([0.1, 0.0], 2.0); POINTS], &z)
}

#[test]
fn every_law_inside_every_holder_loses_nothing() {
    let (mut held, mut found) = (0, vec![]);
    for (holder, keys) in holders() {
        for sample in samples(holder.name) {
            for (kind, of, law) in laws() {
                let (alone, Ok(inside)) = (build(kind, of.given()).unwrap(), around(holder, &keys, &sample, &law))
                else {
                    continue;
                };
                held += 1;
                let lost = lost(&*alone, &*inside);
                found.extend(lost.iter().map(|what| format!("`{}` in `{}` loses {what}", kind.name, holder.name)));
            }
        }
    }
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(held > 200, "only {held} laws are taken");
}

/// Of what a law observes and of the scale of its speed a formulation may decide itself: a smoothed one has its width, an
/// elastic one shows the law another speed.
#[test]
fn every_law_under_every_formulation_keeps_its_needs() {
    let (mut held, mut found) = (0, vec![]);
    for (kind, sample, law) in laws() {
        let alone = build(kind, sample.given()).unwrap();
        let mut groups = vec![(kind.name.to_string(), build(kind, sample.given()).unwrap())];
        for (holder, keys) in holders() {
            let inside = around(holder, &keys, &samples(holder.name)[0], &law);
            groups.extend(inside.ok().map(|group| (format!("{} in {}", kind.name, holder.name), group)));
        }
        for (name, _) in &groups {
            for (what, formulate) in formulations() {
                let (_, group) = groups.iter().find(|(n, _)| n == name).unwrap();
                let again = group.seeds().and_then(|_| rebuilt(name, kind, &sample, &law));
                let Some(Ok(under)) = again.map(formulate) else { continue };
                held += 1;
                let (own, kept) = (group.claims(), under.claims());
                let needs = needs(own).into_iter().zip(needs(kept)).all(|(own, kept)| !own || kept);
                let weights = alone.kernel() == under.kernel() && alone.coupling() == under.coupling();
                let times = group.lag() == under.lag() && group.intrinsic_time() == under.intrinsic_time();
                if !(needs && weights && times) {
                    found.push(format!("{name} under {what}: needs {needs}, weights {weights}, times {times}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(held > 50, "only {held} laws are taken");
}

/// The group of that name again: formulations take their group away.
fn rebuilt(name: &str, kind: &FrictionKind, sample: &Sample, law: &Given) -> Option<Group> {
    match name.split_once(" in ") {
        None => build(kind, sample.given()).ok(),
        Some((_, holder)) => {
            let (holder, keys) = holders().find(|(kind, _)| kind.name == holder)?;
            around(holder, &keys, &samples(holder.name)[0], law).ok()
        }
    }
}

/// Friction and rates of all points that slide since the start under these loads.
fn slides(group: &dyn ContactGroup, loads: [f64; POINTS]) -> Vec<f64> {
    let mut at: Vec<Slide<f64, 2>> =
        loads.iter().map(|n| Slide::new([0.1, 0.0], *n).with_mode(Mode::Forward)).collect();
    at.iter_mut().enumerate().for_each(|(i, at)| (at.point, at.seed, at.t) = (i, 7, 0.3));
    group.share_loads(&mut at);
    let mut z = start_states(group);
    for (i, at) in at.iter().enumerate() {
        group.on(i, Event::Start, at, &mut z);
        // A jump that is none: a force beyond its limit comes back to it.
        group.on(i, Event::Load { from: at.n, to: at.n }, at, &mut z);
    }
    let mut dz = vec![0.0; z.len()];
    let mut out = vec![Friction::Force([0.0; 2]); POINTS];
    Face::<f64>::respond(group, &at, &z, &mut dz, &mut out);
    let force = |answer: &Friction<f64, 2>| match answer {
        Friction::Cone { hold, strength } => [*hold, *strength],
        Friction::Force(f) => *f,
    };
    let inside = at.iter().enumerate().map(|(i, at)| group.strength_inside(i, at).unwrap_or(0.0));
    let mut guards = vec![];
    group.guards(&at, &z, &mut guards);
    out.iter().flat_map(force).chain(inside).chain(dz).chain(guards).collect()
}

/// A point under a nonlocal law behaves as one under Coulomb's with the mean load of its neighbourhood, whatever holds it.
#[test]
fn a_nonlocal_law_reads_its_neighbours_wherever_it_is() {
    let mut seen = 0;
    let mut same = |what: &str, [nonlocal, coulomb]: [Result<Group, LawError>; 2]| match (nonlocal, coulomb) {
        (Ok(nonlocal), Ok(coulomb)) => {
            assert_eq!(slides(&*nonlocal, LOADS), slides(&*coulomb, MEANS), "{what}");
            assert_ne!(slides(&*nonlocal, LOADS), slides(&*coulomb, LOADS), "{what}");
            seen += 1;
        }
        (Err(_), Err(_)) => {}
        (one, other) => panic!("{what}: {:?} but {:?}", one.err(), other.err()),
    };
    let alone = |law: &Given| match law {
        Given::Law(law) => law.kind.build(std::slice::from_ref(&law.values), POINTS, 1),
        _ => unreachable!("a law"),
    };
    same("alone", [nonlocal(), coulomb()].map(|law| alone(&law)));
    for (what, formulate) in formulations() {
        same(what, [nonlocal(), coulomb()].map(|law| alone(&law).and_then(formulate)));
    }
    for (holder, keys) in holders() {
        for sample in samples(holder.name) {
            let held = || [nonlocal(), coulomb()].map(|law| around(holder, &keys, &sample, &law));
            same(holder.name, held());
            for (what, formulate) in formulations() {
                same(&format!("{} {what}", holder.name), held().map(|group| group.and_then(formulate)));
            }
        }
    }
    assert!(seen > 15, "only {seen} are taken");
}

#[test]
fn two_neighbourhoods_side_by_side_are_refused() {
    for (holder, keys) in holders().filter(|(_, keys)| keys.len() > 1) {
        let mut given = samples(holder.name)[0].given().to_vec();
        for (key, value) in given.iter_mut().filter(|(key, _)| keys.contains(&key.as_str())) {
            *value = if *key == keys[0] { nonlocal() } else { coulomb() };
        }
        let refused = build(holder, &given).err().unwrap_or_else(|| panic!("{} takes both", holder.name));
        assert!(refused.message.contains("different neighbourhoods"), "{}", refused.message);
    }
}

#[test]
fn a_lag_inside_a_lag_and_a_law_that_reads_the_acceleration_are_refused() {
    let (holder, keys) = holders().find(|(kind, _)| kind.name == "lagged").unwrap();
    let sample = &samples("lagged")[0];
    for (kind, _, law) in laws().filter(|(kind, ..)| kind.claims.history || kind.claims.acceleration) {
        let refused = around(holder, &keys, sample, &law).err();
        assert!(refused.is_some_and(|e| e.param == "of.law"), "{} is taken", kind.name);
    }
}

/// A law without an answer says why through whatever holds it.
#[test]
fn a_fault_is_told_through_every_holder() {
    let numbers = [("strength", "0.3*sqrt(1 - v)".into()), ("hold", "0.4".into())];
    let law = Given::law("formula", numbers).unwrap();
    let mut told = 0;
    for (holder, keys) in holders() {
        let Ok(group) = around(holder, &keys, &samples(holder.name)[0], &law) else { continue };
        let z = start_states(&*group);
        assert!(group.fault(0, &Slide::new([2.0, 0.0], 1.0), &z).is_some(), "{} says nothing", holder.name);
        told += 1;
    }
    assert!(told > 3, "only {told} take it");
}
