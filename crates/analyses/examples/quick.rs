use stickslip_analyses::*;
use stickslip_laws::*;
use stickslip_structures::*;
fn contact(law: &str, params: &[(&str, f64)], n: f64, place: Place) -> Contact {
    let kind = friction_kinds().iter().find(|k| k.name == law).unwrap();
    let given: Vec<_> = params.iter().map(|(k, x)| (k.to_string(), Given::Number(*x))).collect();
    let values = Values::resolve(kind.params, kind.one_of, &given).unwrap();
    let normal = normal_kinds().iter().find(|k| k.name == "constant").unwrap();
    let load = Values::resolve(normal.params, normal.one_of, &[("force".into(), Given::Number(n))]).unwrap();
    Contact {
        name: String::new(),
        places: vec![place],
        gap: 0.0,
        area: 1.0,
        mass: 1.0,
        given: Signal::ZERO,
        normal: normal.build(&load).unwrap(),
        normal_law: normal.name,
        friction: kind.build(&[values], 1, 1).unwrap(),
        friction_law: kind.name,
    }
}
fn block(m: f64, c: f64, k: f64, pulled: bool, v: f64, contact_: Contact) -> Model {
    let place = contact_.places[0].clone();
    let mut loading = Loading::default();
    if pulled {
        loading.base = Some(Signal::Constant(v))
    } else {
        loading.surface = Some(Signal::Constant(v))
    }
    Model {
        structure: Structure {
            coordinates: vec!["x".into()],
            rates: vec!["velocity".into()],
            mass: vec![m],
            damping: vec![c],
            stiffness: vec![k],
            orientation: if pulled { -1.0 } else { 1.0 },
            base: vec![if pulled { 1.0 } else { 0.0 }],
            place: Some(place),
        },
        contacts: vec![contact_],
        loading,
        formulation: Formulation::Exact,
        start: Start::default(),
        seed: 0,
    }
}
fn main() {
    let arg: Vec<String> = std::env::args().collect();
    let n = 1.2 * 9.81;
    if arg[1] == "w1" {
        for rtol in
            arg.get(2).map_or(vec![1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10], |x| vec![x.parse().unwrap()])
        {
            let g = |n: &str, d: f64| std::env::var(n).map_or(d, |x| x.parse().unwrap());
            let (v, k, t) = (g("V", 5e-6), g("K", 1e4), g("T", 200.0));
            let c = contact(
                "rate-state",
                &[("mu_0", 0.369), ("a", 0.011), ("b", 0.025), ("v_0", 1e-6), ("d_c", 0.9e-6), ("eta", 14.0)],
                n,
                Place { tangent: vec![vec![1.0]], normal: None, surface: -1.0 },
            );
            let mut model = block(1.2, 0.0, k, true, v, c);
            model.start.state = StartState::SteadySliding;
            model.start.scale.states = vec![("phi".into(), 1.05)];
            let a = Transient { duration: Duration::Time(t), rtol, limit: 1e9, max_steps: 100000000 };
            let mut best = f64::INFINITY;
            let mut out = Default::default();
            let mut ctx = Context::default();
            ctx.output.probes = vec![
                Probe { quantity: "x".into(), contact: None, over: Over::Times(vec![t]) },
                Probe { quantity: "rate.velocity".into(), contact: None, over: Over::Times(vec![t]) },
                Probe { quantity: "state.phi".into(), contact: None, over: Over::Times(vec![t]) },
            ];
            for _ in 0..25 {
                let s = std::time::Instant::now();
                out = a.run(&model, &ctx);
                best = best.min(s.elapsed().as_secs_f64());
            }
            let o: stickslip_data::Outcome = out;
            let get = |q: &str| match &o.value(q).unwrap().value {
                stickslip_data::Value::List(l) => l[0],
                _ => 0.0,
            };
            let e = [
                get("probe.x") / 5.14355281351e-04 - 1.0,
                get("probe.rate.velocity") / 1.37044260579e-07 - 1.0,
                get("probe.state.phi") / 3.26643620392e+01 - 1.0,
            ];
            println!(
                "{rtol:e} {:.3} ms err {e:?} {:?} {:?} regime {:?} steps {} rej {} newt {} jac {} fail {} res {:?}",
                best * 1e3,
                o.status,
                o.reason,
                o.regime,
                o.health.steps,
                o.health.rejected,
                o.health.newton_iterations,
                o.health.jacobians,
                o.health.newton_failures,
                o.number("energy_residual")
            );
        }
    } else {
        let c = contact(
            "coulomb",
            &[("mu_s", 0.4), ("mu_k", 0.25)],
            1.0,
            Place { tangent: vec![vec![-1.0]], normal: None, surface: 1.0 },
        );
        let mut model = block(1.0, 0.02, 1.0, false, 0.1, c);
        model.start.state = StartState::Stuck;
        let a = Transient {
            duration: Duration::Cycles(arg.get(2).map_or(10000.0, |x| x.parse().unwrap())),
            rtol: 1e-10,
            limit: 1e9,
            max_steps: 100000000,
        };
        for _ in 0..25 {
            let s = std::time::Instant::now();
            let o = a.run(&model, &Context::default());
            println!(
                "{:.3} us per period; {:?} steps {}",
                s.elapsed().as_secs_f64() * 1e2,
                o.number("period"),
                o.health.steps
            );
        }
    }
}
