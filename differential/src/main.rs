//! differential/run [count] [seed]: tries scenarios, prints counts, keeps what disagrees.
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use stickslip_differential::judge::judge;
use stickslip_differential::nth;
use stickslip_differential::oracle::Request;
use stickslip_differential::outcome::Verdict;
use stickslip_differential::run::Watch;
use stickslip_differential::shrink::shrink;
use stickslip_differential::worker::{Tried, try_many, try_one, work};

/// Disagreements that are made small; the others are named.
const MOST_SHRUNK: usize = 40;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| *x >= 0.0).map(|x| x as u64);
    match words[..] {
        [count, seed] => match (number(count), number(seed)) {
            (Some(count), Some(seed)) => return series(0, count, seed),
            _ => eprintln!("two numbers: differential/run [count] [seed]"),
        },
        ["--part", from, to, seed] => {
            if let (Some(from), Some(to), Some(seed)) = (number(from), number(to), number(seed)) {
                work(from..to, seed);
                return ExitCode::SUCCESS;
            }
        }
        ["--from", from, count, seed] => match (number(from), number(count), number(seed)) {
            (Some(from), Some(count), Some(seed)) => return series(from, count, seed),
            _ => eprintln!("three numbers: --from [first] [count] [seed]"),
        },
        ["--verdicts", count, seed] => match (number(count), number(seed)) {
            (Some(count), Some(seed)) => return verdicts(count, seed, ""),
            _ => eprintln!("two numbers: --verdicts [count] [seed]"),
        },
        ["--verdicts", count, seed, oracle] => match (number(count), number(seed)) {
            (Some(count), Some(seed)) => return verdicts(count, seed, oracle),
            _ => eprintln!("two numbers and a word: --verdicts [count] [seed] [part of an oracle's name]"),
        },
        ["--one", n, seed] => match (number(n), number(seed)) {
            (Some(n), Some(seed)) => return one(n, seed),
            _ => eprintln!("two numbers: --one [number] [seed]"),
        },
        _ => eprintln!("two numbers: differential/run [count] [seed]"),
    }
    ExitCode::from(2)
}

fn series(from: u64, count: u64, seed: u64) -> ExitCode {
    println!("seed {seed}, {count} scenarios");
    let start = Instant::now();
    let processes = std::thread::available_parallelism().map_or(1, |n| n.get());
    let (counts, tried) = try_many(from..from + count, seed, processes);
    let seconds = start.elapsed().as_secs_f64();
    println!("{counts}");
    println!("{count} scenarios in {seconds:.0} s: {:.0} a second", count as f64 / seconds);
    for tried in &tried {
        match &tried.verdict {
            Verdict::Disagreed(why) => println!("{} {}: {why}", tried.number, nth(seed, tried.number).0.name),
            Verdict::Slow(why) => println!("{} too slow: {why}", tried.number),
            _ => {}
        }
    }
    let watch = Watch::new();
    let disagreed = tried.iter().filter(|tried| matches!(tried.verdict, Verdict::Disagreed(_)));
    disagreed.take(MOST_SHRUNK).for_each(|tried| keep(tried, seed, &watch));
    if counts.disagreed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What became of each scenario of the oracles whose names have this part, with the time it took.
fn verdicts(count: u64, seed: u64, part: &str) -> ExitCode {
    let watch = Watch::new();
    for n in (0..count).filter(|n| part.is_empty() || nth(seed, *n).0.name.contains(part)) {
        let start = Instant::now();
        let Tried { kinds, verdict, .. } = try_one(seed, n, &watch);
        let names: Vec<&str> = kinds.iter().map(|(_, name)| name.as_str()).collect();
        println!("{n} {:.3} s {verdict:?} {}", start.elapsed().as_secs_f64(), names.join(" "));
    }
    ExitCode::SUCCESS
}

/// One scenario of a series, with both of its texts.
fn one(n: u64, seed: u64) -> ExitCode {
    let (oracle, scene) = nth(seed, n);
    let Some(scene) = scene else {
        println!("{}: nothing drawn", oracle.name);
        return ExitCode::FAILURE;
    };
    let twin = (oracle.twin)(&scene);
    let left = twin.as_ref().map_or_else(|| scene.text(), |t| t.left.text.clone());
    println!("# {}\n{left}", oracle.name);
    if let Some(Ok(Request { text, sets, .. })) = twin.map(|t| t.right) {
        println!("# against {sets:?}\n{text}");
    }
    println!("{:?}", judge(oracle, &scene, &Watch::new()));
    ExitCode::SUCCESS
}

/// Makes a disagreement small, shows it and keeps it in `differential/found`.
fn keep(tried: &Tried, seed: u64, watch: &Watch) {
    let (oracle, Some(scene)) = nth(seed, tried.number) else { return };
    // A refusal is another fault than a difference.
    let refused = |why: &str| why.contains("refused");
    let Verdict::Disagreed(before) = &tried.verdict else { return };
    let disagrees = |scene: &_| match judge(oracle, scene, watch) {
        Verdict::Disagreed(why) => refused(&why) == refused(before),
        _ => false,
    };
    let scene = shrink(scene, disagrees);
    let Verdict::Disagreed(why) = judge(oracle, &scene, watch) else { return };
    let right = match (oracle.twin)(&scene).map(|t| t.right) {
        Some(Ok(Request { text, sets, .. })) => format!("# against {sets:?}\n{text}"),
        _ => String::new(),
    };
    let commented: String = right.lines().map(|l| format!("# {}\n", l.trim_start_matches("# "))).collect();
    let text = format!("# oracle: {}\n# {why}\n{}{commented}", oracle.name, scene.text());
    println!("\n{text}");
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let file = folder.join(format!("{}-{seed}-{}.toml", oracle.name.replace(' ', "-"), tried.number));
    if let Err(e) = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &text)) {
        eprintln!("{} can't be kept: {e}", file.display());
    }
}
