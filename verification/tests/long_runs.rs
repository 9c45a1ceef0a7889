//! Short events inside long runs keep their digits.
use stickslip::prelude::*;
use stickslip_verification::*;

/// Speed that marks a slip, m/s.
const FAST: f64 = 1e-3;

/// Offsets since the last event at which the speed passes `FAST` upwards, then downwards, on cubics in ln v.
fn slip(out: &Outcome) -> (f64, f64, usize) {
    let (since, e) = (column(out, "series", "since_event"), column(out, "series", "elongation"));
    let (v, f) = (column(out, "series", "rate.velocity"), column(out, "series", "friction_force"));
    let crossing = |i: usize| {
        let h = since[i] - since[i - 1];
        let rate = |i: usize| (1e4 * e[i] - f[i]) / 1.2 / v[i] * h;
        let (y0, y1) = ((v[i - 1] / FAST).ln(), (v[i] / FAST).ln());
        let (a, b) = (rate(i - 1) - (y1 - y0), -rate(i) + (y1 - y0));
        let y = |s: f64| (1.0 - s) * y0 + s * y1 + s * (1.0 - s) * ((1.0 - s) * a + s * b);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let m = 0.5 * (low + high);
            if y(m) * y1 < 0.0 { low = m } else { high = m }
        }
        since[i - 1] + low * h
    };
    let up = (1..v.len()).find(|i| v[i - 1] < FAST && v[*i] >= FAST).expect("a slip");
    let down = (up + 1..v.len()).find(|i| v[*i] < FAST).expect("its end");
    // Some rows before, where the loading still lasts.
    let before = (0..up).rfind(|i| v[*i] < 1e-9 && v[*i] > 0.0).unwrap_or(0);
    (crossing(up), crossing(down), before)
}

/// The slip that ends a loading of months lasts as long as the same slip at the start of a run.
fn slip_keeps_its_digits(velocity: f64, start: f64) {
    let whole = |more: &[String]| {
        let mut sets = vec![format!("drive.velocity={velocity}"), "analysis.rtol=1e-11".into()];
        sets.extend_from_slice(more);
        trusted(&scenario("rate-state-slider.toml", &sets))
    };
    let time = 2.0 * start;
    let late = whole(&[format!("analysis.duration={time}"), "output.probes=[]".into()]);
    let (up, down, before) = slip(&late);
    let at = |name: &str| column(&late, "series", name)[before];
    assert!(at("t") > 0.9 * start, "the slip came at {} s", at("t"));
    assert!(down - up > 1e-3 && down - up < 1.0, "a slip of {} s", down - up);
    // The same state once more, at t = 0.
    let state = format!(
        "start={{ state = \"values\", values = {{ elongation = {:e} }}, rates = {{ velocity = {:e} }}, states = {{ phi = {:e} }} }}",
        at("elongation"),
        at("rate.velocity"),
        at("state.phi")
    );
    // Until well after the slip, which comes within minutes.
    let rest = 0.01 * time;
    let early = whole(&[state, format!("analysis.duration={rest}"), "output.probes=[]".into()]);
    let (up_early, down_early, _) = slip(&early);
    println!("{} s: {:e}, {:e}", at("t"), down - up, down_early - up_early);
    assert_close!(down - up, down_early - up_early, rel = 1e-6);
}

#[test]
fn a_slip_of_milliseconds_after_ten_days_keeps_its_digits() {
    slip_keeps_its_digits(5e-10, 1e6);
}

/// Here the time itself has no digits left for a millisecond: 1.7e9 s are known to 2e-7 s.
#[test]
fn a_slip_of_milliseconds_after_decades_keeps_its_digits() {
    slip_keeps_its_digits(3e-13, 1.7e9);
}
