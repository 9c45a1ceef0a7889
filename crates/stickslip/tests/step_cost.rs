//! What a step of a chain costs: nothing is allocated in it but the row that is kept, and that is linear in the blocks.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use stickslip::analyses::Output;
use stickslip::prelude::*;

struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        BYTES.set(BYTES.get() + layout.size() as u64);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and bytes of a run.
fn cost(blocks: usize, steps: usize) -> (u64, u64) {
    let text = format!(
        r#"
        structure = {{ kind = "chain", blocks = {blocks}, mass = 1, coupling = 1, stiffness = 1 }}
        drive = {{ kind = "belt", velocity = 0.2 }}
        start = {{ state = "stuck", values = {{ x = "0.1*sin(i)" }} }}
        formulation = {{ kind = "time-stepping", step = 1e-3 }}
        analysis = {{ kind = "transient", duration = {} }}
        contact.normal = {{ law = "constant", force = 1 }}
        contact.friction = {{ law = "stribeck", mu_s = 5, mu_k = 3, v_s = 0.1 }}
        "#,
        1e-3 * steps as f64
    );
    let prepared = Scenario::from_text("cost", &text, &[]).unwrap().prepare().unwrap().remove(0);
    let output = Output { brief: true, only: Some(vec!["energy_residual".into()]), ..Output::default() };
    let context = Context { output, ..Context::default() };
    let (calls, bytes) = (CALLS.get(), BYTES.get());
    let out = prepared.analysis.run(&prepared.model, &context);
    assert_eq!((out.status, out.health.steps), (Status::Ok, steps as u64), "{:?}", out.reason);
    (CALLS.get() - calls, BYTES.get() - bytes)
}

#[test]
fn a_step_allocates_nothing_but_its_row() {
    // The rows of a run before are used again by the next: the largest first.
    cost(80, 4000);
    let (short, long) = (cost(20, 1000).0, cost(20, 2000).0);
    assert!(long <= short + 20, "{short} allocations for 1000 steps, {long} for 2000");
}

/// A pass over the contacts is one elimination, linear in the blocks: their number may not grow with the chain.
#[test]
fn an_avalanche_takes_few_passes_in_any_chain() {
    let passes = |blocks: usize, coupling: f64| {
        let text = format!(
            r#"
            structure = {{ kind = "chain", blocks = {blocks}, mass = 1, coupling = {coupling}, stiffness = 1 }}
            drive = {{ kind = "pull", velocity = 0.05 }}
            start = {{ values = {{ elongation = "0.5 + 0.01*sin(3.7*i)" }} }}
            formulation = {{ kind = "time-stepping", step = 1e-2 }}
            analysis = {{ kind = "transient", duration = 20 }}
            contact.normal = {{ law = "constant", force = 1 }}
            contact.friction = {{ law = "stribeck", mu_s = 1, mu_k = 0.5, v_s = 0.05 }}
            "#
        );
        let out = Scenario::from_text("passes", &text, &[]).unwrap().run(&Context::default()).unwrap();
        assert_eq!(out.status(), Status::Ok, "{:?}", out.reason());
        let health = out.plain().unwrap().health.clone();
        assert!(health.events > blocks as u64, "no avalanche");
        health.newton_iterations as f64 / health.steps as f64
    };
    // The second chain is far stiffer than its steps resolve.
    for (coupling, most) in [(10.0, 2.0), (1e6, 15.0)] {
        let (small, large) = (passes(20, coupling), passes(160, coupling));
        println!("{small} and {large} passes a step");
        assert!(large < most && large < 2.0 * small, "{small} passes a step of 20 blocks, {large} of 160");
    }
}

#[test]
fn the_room_of_a_step_is_linear_in_the_blocks() {
    let each = |blocks: usize| (cost(blocks, 3000).1 as f64 - cost(blocks, 1000).1 as f64) / 2000.0;
    let (small, large) = (each(10), each(40));
    println!("{small} and {large} bytes a step");
    assert!(large <= 4.5 * small, "{small} bytes a step of 10 blocks, {large} of 40");
}
