//! Exact chains whose blocks break loose one after the other, some of them at almost the same instant.
use stickslip::prelude::*;

/// Where the blocks of a chain on a belt stand at these times: starts, coupling, belt speed, friction.
fn chain(x: &str, blocks: usize, [coupling, belt, mu_s, mu_k]: [f64; 4], formulation: &str, at: [f64; 2]) -> Vec<f64> {
    let probes: Vec<String> = (1..=blocks).map(|i| format!("{{ quantity = 'x{i}', at = {at:?} }}")).collect();
    let text = format!(
        "[structure]\nkind = 'chain'\nblocks = {blocks}\nmass = 1\nstiffness = 1\ncoupling = {coupling:?}\n\
         [contact]\nnormal = {{ law = 'constant', force = 1 }}\n\
         friction = {{ law = 'coulomb', mu_s = {mu_s:?}, mu_k = {mu_k:?} }}\n\
         [drive]\nkind = 'belt'\nvelocity = {belt:?}\n[start]\nstate = 'stuck'\nvalues = {{ x = {x} }}\n{formulation}\
         [analysis]\nkind = 'transient'\nduration = {:?}\n[output]\nprobes = [{}]\n",
        at[1],
        probes.join(", ")
    );
    let scenario = Scenario::from_text("chain", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let out = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone();
    assert_eq!(out.status, Status::Ok, "{blocks} from {x}: {:?}", out.reason);
    let list = |i: usize| match out.value(&format!("probe.x{i}")).map(|v| v.value.clone()) {
        Some(Value::List(list)) => list,
        other => panic!("{other:?}"),
    };
    (1..=blocks).flat_map(list).collect()
}

fn same(found: &[f64], right: &[f64], tolerance: f64, what: &str) {
    let size = right.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for (a, b) in found.iter().zip(right) {
        assert!((a - b).abs() <= tolerance * size, "{what}: {a} instead of {b}");
    }
}

/// A8c: the chain of the benchmark N1c without its steps of fixed length; the steps are an independent way to the same motion.
/// Half of the blocks have a mirror image that starts alike and moves alike but for what reaches it from the ends.
#[test]
fn a_chain_that_starts_as_a_wave_moves_as_in_short_steps() {
    for (blocks, start, coupling, belt) in [
        (50, 0.3, 1.0, 0.2),
        (48, 0.3, 1.0, 0.2),
        (100, 0.3, 1.0, 0.2),
        (45, 0.3, 1.0, 0.2),
        (18, 0.13, 0.1, 0.32),
        (40, 0.14, 0.3, 0.24),
        (70, 0.43, 1.0, 0.31),
    ] {
        let wave = format!("'{start:?}*sin(2*pi*(i-1)/{blocks})'");
        let at = |formulation: &str| chain(&wave, blocks, [coupling, belt, 0.5, 0.5], formulation, [2.5, 5.0]);
        let stepped = at("[formulation]\nkind = 'time-stepping'\nstep = 1e-3\n");
        same(&at(""), &stepped, 1e-5, &format!("{blocks} blocks"));
    }
}

/// A8c: blocks that break loose within rounding of each other move as those that break loose at once: each about the place
/// where kinetic friction holds it.
#[test]
fn blocks_that_break_loose_at_almost_one_instant_move_as_one() {
    for (start, coupling, belt, mu_s, mu_k) in
        [(0.13, 1.0, 0.32, 0.5, 0.5), (0.16, 4.0, 0.1, 0.5, 0.5), (0.07, 0.5, 0.2, 0.45, 0.3)]
    {
        let begin = (mu_s - start) / belt;
        let right = |t: f64| mu_k + (mu_s - mu_k) * (t - begin).cos() + belt * (t - begin).sin();
        let at = [begin + 1.0, begin + 3.0];
        let right = [right(at[0]), right(at[1])].repeat(2);
        for digit in 9..17 {
            for off in [1.0, 3.0] {
                let second = start + off * f64::powi(10.0, -digit);
                let found = chain(&format!("[{start:?}, {second:?}]"), 2, [coupling, belt, mu_s, mu_k], "", at);
                same(&found, &right, 1e-6, &format!("{off}e-{digit}"));
            }
        }
    }
}
