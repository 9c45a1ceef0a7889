//! Every reference number that can be run is met within its own tolerance.
use stickslip_verification::rows::compute;

fn check(file: &str) {
    let started = std::time::Instant::now();
    let (rows, unrun) = compute(file);
    for row in &rows {
        println!("{row}");
    }
    for (record, reason) in &unrun {
        println!("{record:<42} | not run: {reason}");
    }
    let off = rows.iter().filter(|r| r.off().is_nan() || r.off() > 1.0).count();
    println!("{file}: {} rows, {off} off, {} not run, {:.1?}", rows.len(), unrun.len(), started.elapsed());
    assert!(!rows.is_empty() && unrun.iter().all(|(record, reason)| !record.is_empty() && !reason.is_empty()));
    assert_eq!(off, 0, "rows are off: see the table above");
}

#[test]
fn lim_chen_is_met() {
    check("lim-chen.toml");
}

#[test]
fn berger_is_met() {
    check("berger.toml");
}

#[test]
fn hashiguchi_ozaki_is_met() {
    check("hashiguchi-ozaki.toml");
}

#[test]
fn cho_barber_is_met() {
    check("cho-barber.toml");
}

#[test]
fn oden_martins_is_met() {
    check("oden-martins.toml");
}
