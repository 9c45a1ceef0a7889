//! fuzz/run [count] [seed]: inputs in blocks, each in a process of its own, so that one that kills it is found too.
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};
use stickslip_fuzz::door::{self, Input, READERS, Reader};
use stickslip_fuzz::{corpus, nth, shrink, try_many};

/// Inputs of one process.
const BLOCK: u64 = 10_000;
/// A process that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(300);
/// A process with one input that takes longer hangs.
const BRIEF: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| *x >= 0.0).map(|x| x as u64);
    match words[..] {
        ["--part", from, to, seed] => match (number(from), number(to), number(seed)) {
            (Some(from), Some(to), Some(seed)) => part(from..to, seed),
            _ => ExitCode::from(2),
        },
        ["--file", reader, file] => one(reader, Path::new(file)),
        [count, seed] if number(count).is_some() && number(seed).is_some() => {
            series(number(count).unwrap_or(0), number(seed).unwrap_or(0))
        }
        _ => {
            eprintln!("two numbers: fuzz/run [count] [seed]");
            ExitCode::from(2)
        }
    }
}

/// All blocks, one after the other.
fn series(count: u64, seed: u64) -> ExitCode {
    println!("seed {seed}, {count} inputs");
    let (start, mut bad) = (Instant::now(), 0);
    for from in (0..count).step_by(BLOCK as usize) {
        let block = from..(from + BLOCK).min(count);
        match outcome(run_part(&block, seed), PATIENCE) {
            Outcome::Fine => {}
            Outcome::Bad => bad += 1,
            Outcome::Dead => {
                bad += 1;
                dead(block.clone(), seed);
            }
        }
        if block.end % (10 * BLOCK) == 0 {
            println!("{:>10} done, {:.0} inputs/s", block.end, block.end as f64 / start.elapsed().as_secs_f64());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{count} inputs in {seconds:.0} s: {:.0} inputs/s, {bad} bad blocks", count as f64 / seconds);
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One block, in this process.
fn part(numbers: Range<u64>, seed: u64) -> ExitCode {
    door::quiet_panics();
    let found = try_many(numbers, seed);
    door::clean();
    for one in &found {
        keep(&one.input, &format!("{:?}", one.verdict), seed, one.number);
    }
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One input from a file, in this process.
fn one(reader: &str, file: &Path) -> ExitCode {
    let reader = READERS.into_iter().find(|r| name(*r) == reader);
    let (Some(reader), Ok(text)) = (reader, std::fs::read(file)) else { return ExitCode::from(2) };
    let verdict = door::verdict(&Input { reader, text });
    door::clean();
    println!("{verdict:?}");
    if verdict.is_bad() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// How a process ended.
enum Outcome {
    Fine,
    Bad,
    Dead,
}

fn outcome(child: std::io::Result<Child>, patience: Duration) -> Outcome {
    let Ok(mut child) = child else { return Outcome::Dead };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                return match status.code() {
                    Some(0) => Outcome::Fine,
                    Some(1) => Outcome::Bad,
                    _ => Outcome::Dead,
                };
            }
            Ok(None) if start.elapsed() < patience => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Outcome::Dead;
            }
        }
    }
}

fn this() -> Command {
    Command::new(std::env::current_exe().unwrap_or_else(|_| "stickslip-fuzz".into()))
}

fn run_part(numbers: &Range<u64>, seed: u64) -> std::io::Result<Child> {
    this().args(["--part".into(), numbers.start.to_string(), numbers.end.to_string(), seed.to_string()]).spawn()
}

/// Finds the input of a block that kills its process, and makes it small.
fn dead(mut block: Range<u64>, seed: u64) {
    while block.end - block.start > 1 {
        let middle = block.start + (block.end - block.start) / 2;
        let first = block.start..middle;
        block = match outcome(run_part(&first, seed), PATIENCE / 4) {
            Outcome::Dead => first,
            _ => middle..block.end,
        };
    }
    let file = std::env::temp_dir().join(format!("stickslip-fuzz-{}.txt", std::process::id()));
    let kills = |input: &Input| {
        let written = std::fs::write(&file, &input.text);
        let child = this().arg("--file").arg(name(input.reader)).arg(&file).stdout(std::process::Stdio::null()).spawn();
        written.is_ok() && matches!(outcome(child, BRIEF), Outcome::Dead)
    };
    let input = shrink::shrink(nth(&corpus::corpus(), seed, block.start), kills);
    keep(&input, "the process died or hung", seed, block.start);
    let _ = std::fs::remove_file(&file);
}

fn name(reader: Reader) -> String {
    format!("{reader:?}").to_lowercase()
}

/// Shows a bad input and keeps it in `fuzz/found`.
fn keep(input: &Input, verdict: &str, seed: u64, number: u64) {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let file = format!("{}-{seed}-{number}.txt", name(input.reader));
    let shown: String = String::from_utf8_lossy(&input.text).escape_debug().take(400).collect();
    println!("{file}: {verdict}\n    {shown}");
    if let Err(e) = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(&file), &input.text)) {
        eprintln!("{file} can't be kept: {e}");
    }
}
