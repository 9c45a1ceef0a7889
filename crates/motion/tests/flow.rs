//! Derivatives of motions in their start and in parameters: closed forms, and differences of motions.
use std::f64::consts::PI;
use std::sync::Arc;
use stickslip_dynamics::start::initial;
use stickslip_dynamics::{Dynamics, ParameterEntry};
use stickslip_laws::Mode;
use stickslip_model::{Analysis, Contact, Context, Formulation, Model, Named, Start, StartState};
use stickslip_motion::{
    Duration, FlowCause, FlowEnd, FlowStart, Parameters, Scheme, Section, Seeds, Transient, Until, flow,
};
use stickslip_structures::{Loading, Place, Signal, Structure};

/// Parameters of a law by name.
type Numbers = &'static [(&'static str, f64)];

const RTOL: f64 = 1e-10;

/// A block of 1 kg on a spring of 1 N/m and a surface that presses it with 1 N.
fn block(law: Option<(&str, &[(&str, f64)])>, damping: f64, loading: Loading) -> Model {
    let place = Place { tangent: vec![vec![-1.0]], surface: 1.0, ..Place::default() };
    let contact = law.map(|law| Contact::new(place.clone(), ("constant", &[("force", 1.0)]), law).unwrap());
    Model {
        contacts: Arc::new(contact.into_iter().collect()),
        structure: Arc::new(Structure {
            coordinates: vec!["x".into()],
            rates: vec!["x".into()],
            mass: vec![1.0],
            damping: vec![damping],
            stiffness: vec![1.0],
            orientation: 1.0,
            base: vec![0.0],
            places: law.map(|_| place).into_iter().collect(),
            ..Structure::default()
        }),
        loading: Arc::new(loading),
        formulation: Formulation::Exact,
        start: Start { state: StartState::Rest, ..Start::default() },
        seed: 0,
    }
}

fn belt(velocity: f64) -> Loading {
    Loading { surface: Some(Signal::Constant(velocity)), ..Loading::default() }
}

fn shaken(amplitude: f64, omega: f64) -> Loading {
    let phase = 0.5 * PI;
    Loading { forces: vec![Signal::Sine { amplitude, omega, phase }], ..Loading::default() }
}

fn from(y: &[f64], modes: Option<&[Mode]>) -> FlowStart {
    FlowStart { y: y.to_vec(), modes: modes.map(<[Mode]>::to_vec), ..FlowStart::default() }
}

fn until(model: &Model, start: &FlowStart, t: f64, ways: &[ParameterEntry]) -> FlowEnd {
    let parameters = if ways.is_empty() { Parameters::None } else { Parameters::Entries(ways) };
    flow(model, start, Until::Time(t), Seeds { parameters, initial: true }, RTOL).unwrap()
}

fn stiffness() -> ParameterEntry {
    ParameterEntry { matrices: [vec![], vec![1.0], vec![]], ..ParameterEntry::default() }
}

fn law(names: &[&str]) -> ParameterEntry {
    ParameterEntry {
        laws: names.iter().map(|name| (0, name.to_string(), 0, 1.0)).collect(),
        ..ParameterEntry::default()
    }
}

fn load() -> ParameterEntry {
    ParameterEntry { loads: vec![(1.0, 0.0)], ..ParameterEntry::default() }
}

fn near(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance * exact.abs().max(1.0), "{found:e}, not {exact:e}");
}

/// The derivative of the end in unknown `j` of the start, from motions near it, by Richardson's extrapolation.
fn difference(model: &Model, start: &FlowStart, t: f64, j: usize, step: f64) -> Vec<f64> {
    let at = |part: f64| {
        let mut moved = start.clone();
        moved.y[j] += part * step;
        flow(model, &moved, Until::Time(t), Seeds::default(), 1e-13).unwrap().y
    };
    let central = |part: f64| -> Vec<f64> {
        at(part).iter().zip(at(-part)).map(|(a, b)| (a - b) / (2.0 * part * step)).collect()
    };
    central(0.5).iter().zip(central(1.0)).map(|(fine, rough)| (4.0 * fine - rough) / 3.0).collect()
}

#[test]
fn an_oscillator_has_the_exponential_of_its_matrix() {
    let (t, c) = (37.3, 0.1);
    let w = (1.0f64 - 0.25 * c * c).sqrt();
    let (decay, turned) = ((-0.5 * c * t).exp(), w * t);
    let (sin, cos) = turned.sin_cos();
    let exact = [cos + 0.5 * c / w * sin, sin / w, -sin / w, cos - 0.5 * c / w * sin].map(|x| decay * x);
    for loading in [Loading::default(), shaken(0.3, 1.7)] {
        let end = until(&block(None, c, loading), &from(&[0.4, -0.2], None), t, &[]);
        end.dy_dy0.iter().zip(exact).for_each(|(found, exact)| near(*found, exact, 1e-13));
    }
    // It rests in its equilibrium, and its derivatives turn all the same.
    let end = until(&block(None, c, Loading::default()), &from(&[0.0, 0.0], None), t, &[]);
    end.dy_dy0.iter().zip(exact).for_each(|(found, exact)| near(*found, exact, 1e-13));
    // x = a cos(sqrt(k) t).
    let end = until(&block(None, 0.0, Loading::default()), &from(&[0.4, 0.0], None), t, &[stiffness()]);
    near(end.dy_dp[0], -0.2 * t * t.sin(), 1e-12);
    near(end.dy_dp[1], -0.2 * (t.sin() + t * t.cos()), 1e-12);
}

/// The response to a force: d/dk of the steady part and of what decays beside it, by motions of other stiffness.
#[test]
fn a_forced_oscillator_changes_with_its_stiffness() {
    let model = block(None, 0.05, shaken(0.3, 1.7));
    let start = from(&[0.1, 0.2], None);
    let end = until(&model, &start, 11.0, &[stiffness()]);
    let other = |k: f64| {
        let mut other = model.clone();
        Arc::make_mut(&mut other.structure).stiffness = vec![k];
        flow(&other, &start, Until::Time(11.0), Seeds::default(), RTOL).unwrap().y
    };
    let central =
        |h: f64| -> Vec<f64> { other(1.0 + h).iter().zip(other(1.0 - h)).map(|(a, b)| (a - b) / (2.0 * h)).collect() };
    for (i, (fine, rough)) in central(1e-3).iter().zip(central(2e-3)).enumerate() {
        near(end.dy_dp[i], (4.0 * fine - rough) / 3.0, 1e-9);
    }
}

/// x = X_n cos t + (-1)^n f in half a turn n, with X_n = x_0 - (2 n + 1) f.
#[test]
fn a_decay_by_friction_has_its_closed_form() {
    let (x0, f) = (1.0, 0.07);
    let model = block(Some(("coulomb", &[("mu", f)])), 0.0, Loading::default());
    for (n, t) in [(0, 1.0), (1, 4.0), (3, 11.1), (5, 17.0)] {
        let end = until(&model, &from(&[x0, 0.0], None), t, &[law(&["mu_s", "mu_k"]), load()]);
        let (odd, sign) = ((2 * n + 1) as f64, if n % 2 == 0 { 1.0 } else { -1.0 });
        near(end.y[0], (x0 - odd * f) * f64::cos(t) + sign * f, 1e-12);
        near(end.dy_dy0[0], t.cos(), 1e-12);
        near(end.dy_dy0[2], -t.sin(), 1e-12);
        for (found, by) in [(0, 1.0), (2, f)] {
            near(end.dy_dp[found], by * (sign - odd * t.cos()), 1e-12);
            near(end.dy_dp[found + 1], by * odd * t.sin(), 1e-12);
        }
    }
    // It sticks in the end where it is, and stays there: the speed at the end is none, whatever the start was.
    let end = until(&model, &from(&[x0, 0.0], None), 40.0, &[law(&["mu_s", "mu_k"])]);
    assert_eq!((&end.modes[..], &end.dy_dy0[2..], end.dy_dp[1]), (&[Mode::Stick][..], &[0.0; 2][..], 0.0));
    near(end.dy_dy0[0].abs(), 1.0, 1e-12);
}

/// From stick round to stick: one multiplier is 1, that along the motion; the other exactly 0.
#[test]
fn stick_and_slip_have_the_multipliers_one_and_zero() {
    let laws: [(&str, Numbers, f64); 2] = [
        ("coulomb", &[("mu_s", 0.4), ("mu_k", 0.25)], 1e-12),
        ("stribeck", &[("mu_s", 0.4), ("mu_k", 0.25), ("v_s", 0.5)], 1e-8),
    ];
    for (name, numbers, tolerance) in laws {
        let model = block(Some((name, numbers)), 0.02, belt(0.1));
        let leaves = |event: &stickslip_motion::FlowEvent| event.modes[0] == [Mode::Stick];
        let seeds = Seeds { initial: true, ..Seeds::default() };
        let start = from(&[0.35, 0.1], Some(&[Mode::Stick]));
        let first = flow(&model, &start, Until::Event(100.0, &leaves), seeds, RTOL).unwrap();
        assert!(matches!(&first.events[..], [one] if matches!(one.what, FlowCause::Causes(_))), "{:?}", first.events);
        // Where it lets go is known: no start changes it.
        let along = first.along_event()[1].clone();
        assert!(along.iter().all(|x| x.abs() < tolerance), "{along:?}");
        near(first.dt[1][0], -10.0, tolerance);
        let again = |event: &stickslip_motion::FlowEvent| event.modes[0] == [Mode::Stick] && event.t > first.t + 1.0;
        let second = flow(&model, &start, Until::Event(100.0, &again), seeds, RTOL).unwrap();
        let period = second.t - first.t;
        let end = until(&model, &start, period, &[]);
        near(end.y[0], 0.35, tolerance);
        near(end.dy_dy0[0], 1.0, tolerance);
        assert_eq!((end.modes[0], end.dy_dy0[1], &end.dy_dy0[2..]), (Mode::Stick, 0.0, &[0.0; 2][..]));
    }
}

/// A block under a harmonic force that stops twice a turn: derivatives of the map of a period against motions near it.
#[test]
fn a_forced_block_that_stops_agrees_with_motions_near_it() {
    let omega = 0.25;
    let laws: [(&str, Numbers, f64); 2] =
        [("coulomb", &[("mu", 0.5)], 1e-9), ("stribeck", &[("mu_s", 0.6), ("mu_k", 0.5), ("v_s", 0.3)], 1e-6)];
    for (name, numbers, tolerance) in laws {
        let model = block(Some((name, numbers)), 0.0, shaken(1.0, omega));
        let start = from(&[0.2, 0.3], None);
        for part in [0.2, 0.5, 1.0] {
            let t = part * 2.0 * PI / omega;
            let end = until(&model, &start, t, &[]);
            for j in 0..2 {
                let exact = difference(&model, &start, t, j, 1e-4);
                (0..2).for_each(|i| near(end.dy_dy0[2 * i + j], exact[i], tolerance));
            }
        }
        let end = until(&model, &start, 2.0 * PI / omega, &[]);
        assert!(end.events.iter().filter(|event| event.modes[1] == [Mode::Stick]).count() > 1, "{:?}", end.events);
    }
}

/// Laws of every sort: derivatives in all unknowns of the start against motions near it.
#[test]
fn motions_of_other_laws_agree_with_motions_near_them() {
    let slow: &[(&str, f64)] = &[("mu_0", 0.3), ("mu_1", 0.2), ("alpha", 3.0)];
    let state: &[(&str, f64)] = &[("mu_0", 0.6), ("a", 0.01), ("b", 0.015), ("v_0", 0.1), ("d_c", 0.1)];
    let element: &[(&str, f64)] = &[("stiffness", 20.0), ("mu", 0.3)];
    for (name, numbers, t) in [("exponential", slow, 20.0), ("rate-state", state, 6.0), ("jenkins", element, 9.0)] {
        let mut model = block(Some((name, numbers)), 0.1, belt(0.1));
        model.start.set = Named { values: vec![("x".into(), 0.2)], rates: vec![("x".into(), 0.05)], states: vec![] };
        let y = initial(&mut Dynamics::new(&model).unwrap()).unwrap();
        let start = from(&y, None);
        let end = until(&model, &start, t, &[]);
        let m = y.len();
        for j in 0..m {
            let exact = difference(&model, &start, t, j, 1e-5 * y[j].abs().max(0.1));
            (0..m).for_each(|i| near(end.dy_dy0[m * i + j], exact[i], 2e-6));
        }
    }
}

/// Near steady sliding a run takes long steps in closed form: e^(A t) about it.
#[test]
fn long_steps_near_an_equilibrium_carry_derivatives() {
    let numbers: &[(&str, f64)] = &[("mu_0", 0.6), ("a", 0.015), ("b", 0.01), ("v_0", 0.1), ("d_c", 0.1)];
    let mut model = block(Some(("rate-state", numbers)), 0.0, belt(0.1));
    model.start.state = StartState::SteadySliding;
    let mut y = initial(&mut Dynamics::new(&model).unwrap()).unwrap();
    y[0] += 1e-8;
    let (start, t) = (from(&y, None), 20.0);
    let end = until(&model, &start, t, &[law(&["mu_0"])]);
    let run = Transient { duration: Duration::Time(t), ..Transient::plain(RTOL) };
    model.start.add = Named { values: vec![("x".into(), 1e-8)], ..Named::default() };
    let notes = run.run(&model, &Context::default()).health.notes;
    assert!(notes.iter().any(|note| note.contains("in closed form")), "{notes:?}");
    model.start.add = Named::default();
    for j in 0..3 {
        let exact = difference(&model, &start, t, j, 1e-6);
        (0..3).for_each(|i| near(end.dy_dy0[3 * i + j], exact[i], 1e-6));
    }
    // Steady sliding under another mu_0 lies elsewhere: there the motion that started here would go.
    let moved = 1.0 - end.dy_dy0[0];
    near(end.dy_dp[0], moved, 1e-6);
}

/// y after a bounce: the speed turns to -e times itself at a time that depends on the start.
#[test]
fn a_bouncing_ball_has_the_jumps_of_its_derivatives() {
    let (g, e, h) = (9.81, 0.8, 1.0);
    let place = Place { tangent: vec![vec![1.0, 0.0]], normal: Some(vec![0.0, 1.0]), surface: 0.0, ..Place::default() };
    let contact = Contact::new(place.clone(), ("rigid", &[("restitution", e)]), ("coulomb", &[("mu", 0.2)])).unwrap();
    let mut model = block(None, 0.0, Loading::default());
    model.contacts = Arc::new(vec![contact]);
    model.structure = Arc::new(Structure {
        coordinates: vec!["x".into(), "y".into()],
        rates: vec!["x".into(), "y".into()],
        mass: vec![1.0, 0.0, 0.0, 1.0],
        damping: vec![0.0; 4],
        stiffness: vec![0.0; 4],
        orientation: 1.0,
        base: vec![0.0; 2],
        places: vec![place],
        weight: vec![0.0, -g],
        ..Structure::default()
    });
    let start = from(&[0.0, h, 10.0, 0.0], None);
    let end = until(&model, &start, 0.6, &[]);
    // The fall takes sqrt(2 h/g); then y = e g s (t - s) - g (t - s)^2/2.
    let s = (2.0 * h / g).sqrt();
    let (ds, u) = (1.0 / (g * s), 0.6 - s);
    near(end.y[1], e * g * s * u - 0.5 * g * u * u, 1e-12);
    near(end.dy_dy0[4 + 1], (e * g * (u - s) + g * u) * ds, 1e-7);
    near(end.dy_dy0[12 + 1], (e * g + g) * ds, 1e-7);
    // The impulse of friction is mu (1 + e) g s.
    near(end.dy_dy0[8 + 1], -0.2 * (1.0 + e) * g * ds, 1e-7);
}

/// What derivatives accompany is the motion of a run, bit for bit.
#[test]
fn the_motion_is_that_of_a_run() {
    let laws: [(&str, &[(&str, f64)]); 6] = [
        ("coulomb", &[("mu_s", 0.4), ("mu_k", 0.25)]),
        ("stribeck", &[("mu_s", 0.4), ("mu_k", 0.25), ("v_s", 0.5)]),
        ("exponential", &[("mu_0", 0.3), ("mu_1", 0.2), ("alpha", 3.0)]),
        ("rate-state", &[("mu_0", 0.6), ("a", 0.015), ("b", 0.01), ("v_0", 0.1), ("d_c", 0.1)]),
        ("jenkins", &[("stiffness", 20.0), ("mu", 0.3)]),
        ("dwell-power", &[("mu_k", 0.3), ("c_1", 0.25), ("c_2", 0.4)]),
    ];
    for (name, numbers) in laws {
        for loading in [belt(0.1), shaken(0.7, 0.6)] {
            let mut model = block(Some((name, numbers)), 0.05, loading);
            model.start.set = Named { rates: vec![("x".into(), 0.2)], ..Named::default() };
            let run = Transient {
                scheme: Scheme::Exact,
                duration: Duration::Time(20.0),
                rtol: RTOL,
                limit: 1e9,
                max_steps: 1_000_000,
            };
            let Some(y) = initial(&mut Dynamics::new(&model).unwrap()).ok().filter(|_| run.refuse(&model).is_none())
            else {
                continue;
            };
            let out = run.run(&model, &Context::default());
            let last = |column: &str| {
                *out.table("series").unwrap().column(column).unwrap().values.floats().unwrap().last().unwrap()
            };
            let end = until(&model, &from(&y, None), 20.0, &[]);
            assert_eq!([end.y[0], end.y[1]], [last("x"), last("rate.x")], "{name}");
            let events = out.events.iter().filter(|e| e.t > 0.0).count();
            assert!(end.events.is_empty() == (events == 0), "{name}: {events} {:?}", end.events.len());
        }
    }
}

/// Every motion may be cut in two: derivatives are multiplied.
#[test]
fn derivatives_of_two_parts_multiply() {
    let model = block(Some(("coulomb", &[("mu_s", 0.4), ("mu_k", 0.25)])), 0.02, belt(0.1));
    let (t, m) = (13.7, 2);
    let whole = until(&model, &from(&[0.1, 0.0], None), t, &[law(&["mu_k"])]);
    for part in [0.1, 0.37, 0.8] {
        let first = until(&model, &from(&[0.1, 0.0], None), part * t, &[law(&["mu_k"])]);
        let next =
            FlowStart { t: first.t, y: first.y.clone(), modes: Some(first.modes.clone()), slopes: first.dy_dp.clone() };
        let second = until(&model, &next, t, &[law(&["mu_k"])]);
        for i in 0..m {
            near(second.y[i], whole.y[i], 1e-12);
            near(second.dy_dp[i], whole.dy_dp[i], 1e-10);
            for j in 0..m {
                let product: f64 = (0..m).map(|k| second.dy_dy0[m * i + k] * first.dy_dy0[m * k + j]).sum();
                near(product, whole.dy_dy0[m * i + j], 1e-10);
            }
        }
    }
}

/// On a section the time makes up for the function: from the crest of an oscillation to the next.
#[test]
fn a_section_is_met_exactly() {
    let section = Section { row: vec![0.0, 1.0], value: 0.0, rises: false };
    let c = 0.2;
    let w = (1.0f64 - 0.25 * c * c).sqrt();
    let oscillator = block(None, c, Loading::default());
    let seeds = Seeds { parameters: Parameters::None, initial: true };
    let at =
        |model: &Model, y: &[f64]| flow(model, &from(y, None), Until::Section(50.0, &section), seeds, RTOL).unwrap();
    let end = at(&oscillator, &[1.0, -0.1]);
    // From here the phase to the next crest of x is known by the closed form of a map from crest to crest.
    let crest = at(&oscillator, &[1.0, 0.0]);
    near(crest.t, 2.0 * PI / w, 1e-11);
    near(crest.y[0], (-PI * c / w).exp(), 1e-11);
    let map = crest.along_event()[1].clone();
    near(map[0], (-PI * c / w).exp(), 1e-9);
    assert!(map[2].abs() < 1e-12 && map[3].abs() < 1e-12, "{map:?}");
    let moved = |j: usize, by: f64| {
        let mut y = [1.0, -0.1];
        y[j] += by;
        at(&oscillator, &y)
    };
    for j in 0..2 {
        let (plus, minus) = (moved(j, 1e-4), moved(j, -1e-4));
        near(end.along_event()[1][j], (plus.y[0] - minus.y[0]) / 2e-4, 1e-7);
        near(end.dt[1][j], (plus.t - minus.t) / 2e-4, 1e-7);
    }
    // A law that is not linear, by adaptive steps.
    let numbers: &[(&str, f64)] = &[("mu_0", 0.3), ("mu_1", 0.2), ("alpha", 3.0)];
    let pulled = block(Some(("exponential", numbers)), 0.1, belt(0.5));
    let map = |x: f64| at(&pulled, &[x, 0.1]);
    let (end, plus, minus) = (map(0.2), map(0.2 + 1e-4), map(0.2 - 1e-4));
    assert!(end.y[1].abs() < 1e-10, "{end:?}");
    near(end.along_event()[1][0], (plus.y[0] - minus.y[0]) / 2e-4, 1e-6);
    near(end.dt[1][0], (plus.t - minus.t) / 2e-4, 1e-6);
}

/// Two blocks that know nothing of each other and stop at one instant: a parameter of one does not change the other.
#[test]
fn events_at_one_instant_are_carried_each_on_its_own() {
    let one = block(Some(("coulomb", &[("mu", 0.1)])), 0.0, Loading::default());
    let place = |row: [f64; 2]| Place { tangent: vec![row.to_vec()], surface: 1.0, ..Place::default() };
    let pair = |coupling: f64| {
        let (mut model, places) = (one.clone(), [[-1.0, 0.0], [0.0, -1.0]].map(place));
        let contact = |p: &Place| Contact::new(p.clone(), ("constant", &[("force", 1.0)]), ("coulomb", &[("mu", 0.1)]));
        model.contacts = Arc::new(places.iter().map(|p| contact(p).unwrap()).collect());
        model.structure = Arc::new(Structure {
            coordinates: vec!["x".into(), "y".into()],
            rates: vec!["x".into(), "y".into()],
            mass: vec![1.0, 0.0, 0.0, 1.0],
            damping: vec![0.0; 4],
            stiffness: vec![1.0 + coupling, -coupling, -coupling, 1.0 + coupling],
            orientation: 1.0,
            base: vec![0.0; 2],
            places: places.to_vec(),
            ..Structure::default()
        });
        model
    };
    let softer = ParameterEntry { matrices: [vec![], vec![1.0, 0.0, 0.0, 0.0], vec![]], ..ParameterEntry::default() };
    let alone = until(&one, &from(&[1.0, 0.0], None), 5.0, &[stiffness()]);
    let both = until(&pair(0.0), &from(&[1.0, 1.0, 0.0, 0.0], None), 5.0, std::slice::from_ref(&softer));
    for (found, exact) in [(both.dy_dp[0], alone.dy_dp[0]), (both.dy_dp[2], alone.dy_dp[1]), (both.dy_dp[1], 0.0)] {
        near(found, exact, 1e-12);
    }
    // Springs between them change nothing about that: each stop changes the acceleration of its own block.
    let start = from(&[1.0, 1.0, 0.0, 0.0], None);
    let end = until(&pair(0.3), &start, 5.0, &[softer]);
    let other = |by: f64| {
        let mut model = pair(0.3);
        Arc::make_mut(&mut model.structure).stiffness[0] += by;
        flow(&model, &start, Until::Time(5.0), Seeds::default(), RTOL).unwrap().y
    };
    let (plus, minus) = (other(1e-4), other(-1e-4));
    (0..4).for_each(|i| near(end.dy_dp[i], (plus[i] - minus[i]) / 2e-4, 1e-6));
}
