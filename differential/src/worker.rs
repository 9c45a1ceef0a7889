//! Scenarios in processes of their own, so that one that hangs or takes all memory ends its process and not the series.
use crate::outcome::{Counts, Verdict};
use crate::run::Watch;
use crate::{judge, nth};
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Scenarios that a process is given at once.
const BLOCK: u64 = 250;
/// A process that is silent for longer hangs in a scenario.
const PATIENCE: Duration = Duration::from_secs(300);
/// Most memory of a process, in kB.
const MEMORY: u64 = 4 << 20;

/// What became of a scenario.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its number in the series.
    pub number: u64,
    /// What it was made of.
    pub kinds: Vec<(&'static str, String)>,
    /// What became of it.
    pub verdict: Verdict,
}

/// Tries a scenario in this process.
pub fn try_one(seed: u64, number: u64, watch: &Watch) -> Tried {
    let (oracle, scene) = nth(seed, number);
    let verdict = match &scene {
        Some(scene) => judge::judge(oracle, scene, watch),
        None => Verdict::Refused(format!("nothing drawn for {}", oracle.name)),
    };
    Tried { number, kinds: kinds(seed, number), verdict }
}

/// What a scenario is made of, and its oracle.
fn kinds(seed: u64, number: u64) -> Vec<(&'static str, String)> {
    let (oracle, scene) = nth(seed, number);
    let mut kinds = scene.as_ref().map_or(vec![], |s| s.kinds.clone());
    if let Some(twin) = scene.and_then(|s| (oracle.twin)(&s)) {
        if !twin.of_scene {
            kinds.clear();
        }
        // What the pair asks besides: a map, the law itself.
        let texts = [Some(twin.left.text), twin.right.ok().map(|r| r.text)];
        for text in texts.iter().flatten() {
            let asked = text.split("analysis = { kind = \"").nth(1).and_then(|t| t.split('"').next());
            kinds.extend(asked.map(|kind| ("analysis", kind.to_string())));
        }
    }
    kinds.push(("oracle", oracle.name.into()));
    kinds
}

/// The work of a process: a line for each scenario.
pub fn work(numbers: Range<u64>, seed: u64) {
    std::panic::set_hook(Box::new(|_| {}));
    let watch = Watch::new();
    let mut out = std::io::stdout();
    for number in numbers {
        let tried = try_one(seed, number, &watch);
        let (word, text) = tried.verdict.written();
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(out, "{number}\t{word}\t{text}").and_then(|()| out.flush());
    }
}

/// Tries scenarios of the series `seed` in so many processes at once. The result does not depend on their number.
pub fn try_many(numbers: Range<u64>, seed: u64, processes: usize) -> (Counts, Vec<Tried>) {
    let next = AtomicU64::new(numbers.start);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..processes.max(1) {
            scope.spawn(|| {
                loop {
                    let from = next.fetch_add(BLOCK, Ordering::Relaxed);
                    if from >= numbers.end {
                        break;
                    }
                    let block = from..(from + BLOCK).min(numbers.end);
                    let tried = try_block(block, seed);
                    if let Ok(mut all) = all.lock() {
                        all.extend(tried);
                    }
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap_or_default();
    all.sort_by_key(|t| t.number);
    let mut counts = Counts::default();
    all.iter().for_each(|t| counts.add(&t.kinds, &t.verdict));
    (counts, all)
}

/// A block; a process that ends early is followed by another, behind the scenario that ended it.
fn try_block(block: Range<u64>, seed: u64) -> Vec<Tried> {
    let mut all = vec![];
    let mut from = block.start;
    while from < block.end {
        let Ok(mut child) = start(from..block.end, seed) else { break };
        let lines = lines_of(&mut child);
        while let Ok(line) = lines.recv_timeout(PATIENCE) {
            let Some((number, verdict)) = read(&line) else { continue };
            all.push(Tried { number, kinds: kinds(seed, number), verdict });
            from = number + 1;
        }
        let _ = child.kill();
        let _ = child.wait();
        if from < block.end {
            let verdict = Verdict::Slow("the process hung or took all memory".into());
            all.push(Tried { number: from, kinds: kinds(seed, from), verdict });
            from += 1;
        }
    }
    all
}

fn start(numbers: Range<u64>, seed: u64) -> std::io::Result<Child> {
    let this = std::env::current_exe()?;
    let limited = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited]).arg(this);
    command.args(["--part".into(), numbers.start.to_string(), numbers.end.to_string(), seed.to_string()]);
    // Each process runs its scenarios in one thread; an oracle that needs more makes them.
    command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (send, receive) = channel();
    if let Some(out) = child.stdout.take() {
        let send = Arc::new(send);
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
    }
    receive
}

fn read(line: &str) -> Option<(u64, Verdict)> {
    let mut parts = line.splitn(3, '\t');
    let number = parts.next()?.parse().ok()?;
    Some((number, Verdict::read(parts.next()?, parts.next()?)?))
}
