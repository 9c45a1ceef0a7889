//! F2: a sparse nonsymmetric system of a meshed body, from its pattern to a refined solution.
use crate::body::Body;
use crate::clock::{Answer, Bench, Job, Measured};
use crate::options::Options;
use crate::table::{Row, time};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stickslip::solve::sparse::{Lu, Matrix, Order, Pattern, Symbolic};

/// Part of the peer's time that ours may take.
const BAR: f64 = 0.6;
/// Residuals over the load that are none.
const MOST_RESIDUAL: f64 = 1e-9;

/// Name, elements along both sides, and whether they are triangles without structure.
const CASES: [(&str, [usize; 2], bool); 4] = [
    ("F2 19,740", [70, 35], false),
    ("F2 201,152", [224, 112], false),
    ("F2 19,740, triangles", [70, 35], true),
    ("F2 201,152, triangles", [224, 112], true),
];

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let asked = CASES.iter().enumerate().filter(|(k, case)| options.takes(*k) && !(options.quick && case.1[0] > 100));
    asked.map(|(_, case)| measured(bench, options, case)).collect()
}

/// The matrices of a body where the peers can read them; gone with this.
pub struct Folder(PathBuf);

impl Folder {
    pub fn of(body: &Body) -> Result<Folder, String> {
        // Peers remember what they read: no name is used twice.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (own, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(format!("stickslip-bench-{own}-{count}"));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let folder = Folder(folder);
        let write = |name: &str, bytes: Vec<u8>| {
            std::fs::write(folder.0.join(name), bytes).map_err(|e| format!("{name} of {}: {e}", folder.0.display()))
        };
        let numbers = |values: &mut dyn Iterator<Item = f64>| values.flat_map(f64::to_le_bytes).collect::<Vec<u8>>();
        let pattern = &body.pattern;
        let mut starts = vec![0i64];
        starts.extend((0..pattern.n()).map(|i| pattern.range(i).end as i64));
        write("starts", starts.into_iter().flat_map(i64::to_le_bytes).collect())?;
        write("columns", (0..pattern.n()).flat_map(|i| pattern.row(i)).flat_map(|j| j.to_le_bytes()).collect())?;
        for (name, matrix) in [("K", &body.stiffness), ("C", &body.damping), ("M", &body.mass)] {
            write(name, numbers(&mut values(matrix).iter().copied()))?;
        }
        let (_, twins) = pattern.transposed();
        write("KT", numbers(&mut twins.iter().map(|k| values(&body.stiffness)[*k as usize])))?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn values(matrix: &Matrix) -> &[f64] {
    match matrix {
        Matrix::Sparse { values, .. } => values,
        _ => &[],
    }
}

/// A copy that has not been looked at: that the pattern is symmetric is found within the clock.
fn fresh(pattern: &Pattern) -> Arc<Pattern> {
    let mut starts = vec![0];
    starts.extend((0..pattern.n()).map(|i| pattern.range(i).end));
    let columns = (0..pattern.n()).flat_map(|i| pattern.row(i).iter().copied()).collect();
    Arc::new(Pattern::new(starts, columns).expect("a copy of a pattern"))
}

fn ours(body: Arc<Body>) -> Job {
    Job::Computed(Box::new(move || {
        let pattern = fresh(&body.pattern);
        let solved = Symbolic::new(&pattern, Order { points: Some(&body.points), last: &[] }).and_then(|symbolic| {
            let mut lu = Lu::new(&Arc::new(symbolic));
            lu.factor(values(&body.stiffness))?;
            let mut x = vec![1.0; pattern.n()];
            lu.solve(&mut x).map(|_| x)
        });
        let body = body.clone();
        Box::new(move || {
            let x = solved.map_err(|e| e.to_string())?;
            let rest: f64 = (0..x.len()).map(|i| (body.stiffness.row(i, &x) - 1.0).powi(2)).sum();
            Ok(json!({ "residual": (rest / x.len() as f64).sqrt() }))
        })
    }))
}

fn measured(bench: &mut Bench, options: &Options, case: &(&str, [usize; 2], bool)) -> Result<Row, String> {
    let (name, [nx, ny], triangles) = *case;
    let body = Arc::new(if triangles { Body::triangles(nx, ny) } else { Body::squares(nx, ny) });
    let folder = Folder::of(&body)?;
    let theirs = Job::Peer(json!({ "work": "f2", "folder": folder.path(), "system": true }));
    let runs = bench.measure(&[ours(body), theirs], Bench::rule(options));
    println!("\n{name}, most memory so far {:.2} GB", most_memory());
    let [ours, peer] = [0, 1].map(|k| side(&runs[k], ["ours", "UMFPACK"][k]));
    let ratio = ours.zip(peer).map(|(o, p)| o.0 / p.0);
    let right = ours.is_some_and(|o| o.1 <= MOST_RESIDUAL);
    Ok(Row {
        work: name.into(),
        peer,
        ours,
        ratio,
        bar: format!("{BAR} of UMFPACK"),
        met: if right { ratio.map(|r| r <= BAR) } else { Some(false) },
    })
}

/// Time and residual of one side, reported.
pub fn side(run: &Result<Measured, String>, who: &str) -> Option<(f64, f64)> {
    match run {
        Err(why) => {
            println!("  {who}: not shown: {why}");
            None
        }
        Ok(run) => {
            let Answer::Values(answer) = &run.answer else { return None };
            let residual = answer["residual"].as_f64().unwrap_or(f64::NAN);
            println!("  {who}: {}, residual {residual:.1e}", time(run.best));
            Some((run.best, residual))
        }
    }
}

/// Most memory that this process ever had, GB.
fn most_memory() -> f64 {
    // SAFETY: zeros are a valid `rusage`, which is ours to write to.
    let used = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut used);
        used
    };
    // Linux counts in kilobytes, macOS in bytes.
    used.ru_maxrss as f64 * if cfg!(target_os = "macos") { 1e-9 } else { 1.024e-6 }
}
