//! Impacts and modes of several contacts, and motions that are not determined.
use stickslip::data::EventKind;
use stickslip::prelude::*;
use stickslip_verification::{assert_close, number, run, text, trusted};

/// A mass with inertia that couples its two coordinates, sliding on a plane.
fn coupled(mass: &str, contact: &str, rest: &str) -> Scenario {
    text(&format!(
        "[structure]\nkind = 'lumped'\nmass = {mass}\ncoordinates = ['x', 'y']\n\
         [contact]\ntangent = [1, 0]\nnormal_direction = [0, 1]\n{contact}\n\
         [analysis]\nkind = 'transient'\nduration = 1\n{rest}"
    ))
}

/// Newton's coefficient with friction can make energy (T. R. Kane's example is the best known): the run fails.
#[test]
fn an_impact_that_would_create_energy_fails_the_run() {
    let start = "[start]\nrates = { x = 1.35, y = -1 }\n[drive]\nkind = 'force'\nforce = [0, -1]\n";
    let contact = "normal = { law = 'rigid', restitution = 1 }\nfriction = { law = 'coulomb', mu = 1 }";
    let out = run(&coupled("[[1, 1.3], [1.3, 1.9]]", contact, start));
    let (status, reason) = out.verdict();
    assert_eq!(status, Status::Failed);
    assert!(reason.unwrap().contains("create energy"));
    // Poisson's law takes energy here.
    let contact =
        "normal = { law = 'rigid', restitution = 1, impact = 'poisson' }\nfriction = { law = 'coulomb', mu = 1 }";
    assert!(trusted(&coupled("[[1, 1.3], [1.3, 1.9]]", contact, start)).ledger.unwrap().contact >= 0.0);
}

/// Painleve: beyond mu |m12| = m11 slip and separation are both possible, or neither is.
#[test]
fn motions_that_are_not_unique_or_do_not_exist_are_reported() {
    let contact = "normal = { law = 'rigid' }\nfriction = { law = 'coulomb', mu = 1 }";
    let with = |force: f64| {
        let rest = format!("[start]\nrates = {{ x = 1 }}\n[drive]\nkind = 'force'\nforce = [0, {force}]\n");
        run(&coupled("[[1, -1.2], [-1.2, 1.6]]", contact, &rest)).verdict()
    };
    let (status, reason) = with(1.0);
    assert_eq!(status, Status::Failed);
    let reason = reason.unwrap();
    assert!(reason.contains("not unique") && reason.contains("slip+") && reason.contains("open"), "{reason}");
    let (status, reason) = with(-1.0);
    assert_eq!(status, Status::Failed);
    assert!(reason.as_ref().unwrap().contains("no consistent mode combination found"), "{reason:?}");
}

/// A bar of mass 1 and inertia 1/3 on two feet at its ends, a unit above its base.
fn bar(contacts: &str, rest: &str) -> Scenario {
    text(&format!(
        "[structure]\nkind = 'lumped'\nmass = [[1, 0, 0], [0, 1, 0], [0, 0, 0.3333333333333333]]\n\
         coordinates = ['x', 'y', 'turn']\n{contacts}\n\
         [drive]\nkind = 'force'\nforce = [0, -10, 0]\n[analysis]\nkind = 'transient'\nduration = 3\n{rest}"
    ))
}

fn foot(name: &str, arm: f64, height: f64, mu: f64, restitution: f64) -> String {
    format!(
        "[[contact]]\nname = '{name}'\ntangent = [1, 0, {height}]\nnormal_direction = [0, 1, {arm}]\n\
         normal = {{ law = 'rigid', restitution = {restitution} }}\nfriction = {{ law = 'coulomb', mu = {mu} }}\n"
    )
}

/// Both feet land at once: the impulses are found together and the bar stays level.
#[test]
fn feet_that_land_together_share_the_impact() {
    let feet = foot("left", -1.0, 0.0, 0.0, 0.0) + &foot("right", 1.0, 0.0, 0.0, 0.0);
    let out = trusted(&bar(&feet, "[start]\nvalues = { y = 5 }\n"));
    let landing: Vec<_> = out.events.iter().filter(|e| e.kind == EventKind::Impact).collect();
    assert_eq!(landing.len(), 2);
    for event in &landing {
        assert_close!(event.t, 1.0, rel = 1e-14);
        assert_eq!(event.rates_after, [0.0, 0.0, 0.0]);
    }
    assert_close!(out.ledger.unwrap().contact, 50.0, rel = 1e-13);
    assert_eq!(out.events.len(), 2);
}

/// A plate on eight feet, of which three would do: how they share the impulse is not determined, that it stops is.
#[test]
fn many_feet_land_together() {
    let feet: String = (0..8).map(|k| foot(&format!("foot {k}"), -1.0 + k as f64 / 3.5, 0.0, 0.0, 0.0)).collect();
    let out = run(&bar(&feet, "[start]\nvalues = { y = 5 }\n").set("analysis.duration", 0.99).unwrap());
    assert_eq!(out.verdict().0, Status::Ok);
    // What follows is redundant, and said to be.
    let (status, reason) = run(&bar(&feet, "[start]\nvalues = { y = 5 }\n")).verdict();
    assert_eq!(status, Status::Failed);
    assert!(reason.as_ref().unwrap().contains("over-determine"), "{reason:?}");
}

/// Eight beads on springs of their own strike at once: each as if alone.
#[test]
fn many_impacts_at_once_are_each_their_own() {
    let row = |k: usize, x: f64| {
        let list: Vec<String> = (0..8).map(|j| if j == k { x.to_string() } else { "0".into() }).collect();
        format!("[{}]", list.join(", "))
    };
    let rows = |x: f64| (0..8).map(|k| row(k, x)).collect::<Vec<_>>().join(", ");
    let contacts: String = (0..8)
        .map(|k| {
            format!(
                "[[contact]]\nname = 'bead {k}'\ntangent = {}\nnormal_direction = {}\n\
                 normal = {{ law = 'rigid', restitution = 0.5 }}\nfriction = {{ law = 'coulomb', mu = 0 }}\n",
                row((k + 1) % 8, 1.0),
                row(k, 1.0)
            )
        })
        .collect();
    let out = trusted(&text(&format!(
        "[structure]\nkind = 'lumped'\nmass = [{}]\n{contacts}[drive]\nkind = 'force'\nforce = [{}]\n\
         [start]\nvalues = {{ {} }}\n[analysis]\nkind = 'transient'\nduration = 1.5\n",
        rows(1.0),
        ["-10"; 8].join(", "),
        (1..=8).map(|k| format!("q{k} = 5")).collect::<Vec<_>>().join(", ")
    )));
    assert_eq!(out.events.len(), 8);
    for event in out.events.iter() {
        assert_close!(event.t, 1.0, rel = 1e-14);
        event.rates_after.iter().for_each(|v| assert_close!(*v, 5.0, rel = 1e-12));
    }
}

/// One foot lands first: with e = 0 the bar turns about it, y' + turn' arm = 0, and the other foot follows.
#[test]
fn a_tilted_bar_lands_foot_after_foot() {
    let feet = foot("left", -1.0, 0.0, 0.0, 0.0) + &foot("right", 1.0, 0.0, 0.0, 0.0);
    let out = trusted(&bar(&feet, "[start]\nvalues = { y = 5, turn = 0.01 }\n"));
    let first = out.events.first().unwrap();
    assert_eq!(first.contact, "left");
    // v = -g t; the impulse P with v + P = (P/I) arm^2 ..: gap rate 0 after it.
    let v = first.rates_before[1];
    let p = -v / (1.0 + 3.0);
    assert_close!(first.rates_after[1], v + p, rel = 1e-13);
    assert_close!(first.rates_after[2], -3.0 * p, rel = 1e-13);
    // The impulse on the right foot presses the left one, which takes its part.
    let then: Vec<_> = out.events.iter().skip(1).take(2).collect();
    assert_eq!((then[0].contact.as_ref(), then[1].contact.as_ref()), ("left", "right"));
    assert!(then[0].t == then[1].t && then.iter().all(|e| e.kind == EventKind::Impact));
}

/// A mass between two walls, e = 1, bounces with the period that its speed says.
#[test]
fn walls_on_both_sides() {
    let wall = |name: &str, side: f64| {
        format!(
            "[[contact]]\nname = '{name}'\ntangent = [1, 0]\nnormal_direction = [0, {side}]\ngap = 1\n\
             normal = {{ law = 'rigid', restitution = 1 }}\nfriction = {{ law = 'coulomb', mu = 0.2 }}\n"
        )
    };
    let out = trusted(&text(&format!(
        "[structure]\nkind = 'lumped'\nmass = [[1, 0], [0, 1]]\ncoordinates = ['x', 'y']\n{}{}\
         [start]\nrates = {{ y = 4 }}\n[analysis]\nkind = 'transient'\nduration = 10\n",
        wall("floor", 1.0),
        wall("ceiling", -1.0)
    )));
    let times: Vec<f64> = out.events.iter().map(|e| e.t).collect();
    assert_eq!(times.len(), 20);
    times.iter().enumerate().for_each(|(k, t)| assert_close!(*t, 0.25 + 0.5 * k as f64, rel = 1e-13));
    assert_eq!(out.events.first().unwrap().contact, "ceiling");
}

/// Two feet on one line that both stick share their friction in no definite way.
#[test]
fn redundant_stick_is_reported_with_its_contacts() {
    let feet = foot("left", -1.0, 0.0, 0.3, 0.0) + &foot("right", 1.0, 0.0, 0.3, 0.0);
    let (status, reason) = run(&bar(&feet, "")).verdict();
    assert_eq!(status, Status::Failed);
    let reason = reason.unwrap();
    assert!(reason.contains("over-determine") && reason.contains("`left`, `right`"), "{reason}");
}

/// A blow makes a stuck block slide v^2/(2 mu g); several blows add up.
#[test]
fn a_blow_moves_a_stuck_block() {
    let block = |at: &str| {
        trusted(&text(&format!(
            "[structure]\nkind = 'spring-block'\nmass = 2\nstiffness = 0\n\
             [contact]\nnormal = {{ law = 'weight', gravity = 10 }}\nfriction = {{ law = 'coulomb', mu = 0.25 }}\n\
             [[drive]]\nkind = 'impulse'\nimpulse = 6\nat = {at}\n[analysis]\nkind = 'transient'\nduration = 20\n\
             [output]\nprobes = [{{ quantity = 'x', at = [20] }}]\n"
        )))
    };
    let each = 9.0 / 5.0;
    for (at, count) in [("1", 1.0), ("[1, 5, 9.5]", 3.0), ("0", 1.0)] {
        let out = block(at);
        assert_close!(number(&out, "probe.x[0]").unwrap(), count * each, rel = 1e-13);
        assert_close!(out.ledger.unwrap().work_in, count * 9.0, rel = 1e-13);
    }
}
