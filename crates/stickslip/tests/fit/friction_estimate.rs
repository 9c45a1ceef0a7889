//! Friction from a motion, without a law.
use super::*;
use std::path::Path;

/// A block that swings to rest under Stribeck friction: classes of the slip speed have its coefficient within their bands.
#[test]
fn friction_of_a_swinging_block_is_that_of_its_law() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/friction-estimate.toml");
    let scenario = Scenario::from_file(&path, &[]).unwrap_or_else(|e| panic!("{e}"));
    let out = scenario.run(&Context::default()).unwrap().plain().unwrap().clone();
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    let noise = out.number("noise").unwrap();
    assert!((noise / 2e-6 - 1.0).abs() < 0.3, "{noise}");
    let table = out.table("friction-curve").expect("a curve");
    let column = |name: &str| table.column(name).and_then(|c| c.values.floats()).unwrap();
    let (v, mu, low, high) = (column("velocity"), column("friction"), column("low"), column("high"));
    let truth = |v: f64| 0.15 + 0.13 * (-(v / 0.15f64).powi(2)).exp();
    let fast: Vec<usize> = (0..v.len()).collect();
    let inside = fast.iter().filter(|i| (low[**i]..=high[**i]).contains(&truth(v[**i]))).count();
    println!("{inside} of {}: {v:.3?} {mu:.3?}", fast.len());
    assert!(fast.len() >= 8 && inside * 10 >= fast.len() * 8, "{inside} of {}", fast.len());
    assert!(fast.iter().all(|i| (mu[*i] - truth(v[*i])).abs() < 0.02), "{mu:?}");
    assert!(out.files.iter().any(|(name, text)| name == "friction.csv" && text.starts_with("v [m/s],mu")));
}
