//! Computations in processes of their own.
//!
//! The server writes the length of a request and the request to the process and keeps the pipe open; the process writes
//! frames. When the pipe closes, because the client has left or the server is gone, the process ends.
use super::http::Connection;
use crate::engine::respond;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Most computations at one time.
const MOST: usize = 4;
/// Longest time of a computation.
const BUDGET: Duration = Duration::from_secs(900);
/// How often the client and the clock are looked at.
const WATCH: Duration = Duration::from_millis(100);
/// Longest request, as for bodies of HTTP.
const MOST_REQUEST: usize = 16 << 20;

/// The processes at work.
#[derive(Default)]
pub struct Engines {
    next: AtomicU64,
    running: Mutex<BTreeMap<u64, Child>>,
}

/// Why no answer came.
enum Ended {
    Left,
    TimeUp,
}

impl Engines {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Child>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all of them.
    pub fn end_all(&self) {
        std::mem::take(&mut *self.lock()).into_values().for_each(end);
    }

    /// Whether one more may start.
    pub fn free(&self) -> bool {
        self.lock().len() < MOST
    }

    /// Answers a request by a process, with its frames sent to the client as they come.
    pub fn answer(
        &self,
        command: &[String],
        folder: &Path,
        request: &[u8],
        to: &mut Connection,
    ) -> std::io::Result<()> {
        let mut process = Command::new(&command[0]);
        process.args(&command[1..]).arg(folder);
        let mut child = process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let missing = || std::io::Error::other("a pipe is missing");
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(id, child);
        let sent = input.write_all(&(request.len() as u32).to_le_bytes()).and_then(|()| input.write_all(request));
        let done = sent.and_then(|()| self.relay(id, output, to));
        drop(input);
        if let Some(child) = self.lock().remove(&id) {
            end(child);
        }
        done
    }

    fn relay(&self, id: u64, mut output: ChildStdout, to: &mut Connection) -> std::io::Result<()> {
        to.begin("application/octet-stream")?;
        let (watched, finished) = (to.watched()?, Arc::new(AtomicBool::new(false)));
        let ended = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| self.watch(id, &watched, &finished));
            let mut buffer = vec![0_u8; 1 << 16];
            loop {
                match output.read(&mut buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(n) if to.send(&buffer[..n]).is_err() => break,
                    Ok(_) => {}
                }
            }
            finished.store(true, Ordering::Relaxed);
            watcher.join().unwrap_or(None)
        });
        if let Some(Ended::TimeUp) = ended {
            let message = format!("stopped after {} s; longer work is for the command line", BUDGET.as_secs());
            let answer = crate::engine::answer::plain(&json!({ "ok": false, "error": message }));
            to.send(&framed(b'r', &answer))?;
        }
        Ok(())
    }

    /// Ends the process when its client leaves or its time is up.
    fn watch(&self, id: u64, mut client: &std::net::TcpStream, finished: &AtomicBool) -> Option<Ended> {
        let (since, mut byte) = (Instant::now(), [0_u8; 1]);
        let _ = client.set_read_timeout(Some(WATCH));
        while !finished.load(Ordering::Relaxed) {
            let left = match client.read(&mut byte) {
                Ok(n) => n == 0,
                Err(e) => !matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
            };
            let late = since.elapsed() > BUDGET;
            if left || late {
                if let Some(child) = self.lock().remove(&id) {
                    end(child);
                }
                return Some(if late { Ended::TimeUp } else { Ended::Left });
            }
        }
        None
    }
}

/// Ends a process and takes its remains away.
fn end(mut child: Child) {
    // It fails where the process has ended already.
    let _ = child.kill();
    let _ = child.wait();
}

fn framed(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![kind];
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
    out
}

/// The other side: reads one request from `stdin`, writes its frames to `stdout`. When `stdin` ends, so does the process.
pub fn serve_engine(folder: &Path) -> std::io::Result<()> {
    let mut input = std::io::stdin();
    let mut length = [0_u8; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_REQUEST {
        return Err(std::io::Error::other("the request is too long"));
    }
    let mut request = vec![0_u8; length];
    input.read_exact(&mut request)?;
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0_u8; 1]);
        std::process::exit(1);
    });
    let output = Mutex::new(std::io::stdout());
    let send = |kind: u8, bytes: &[u8]| {
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        // Who does not listen any more ends this process by closing its input.
        let _ = output.write_all(&framed(kind, bytes)).and_then(|()| output.flush());
    };
    respond(&request, Some(folder), &AtomicBool::new(false), &send);
    Ok(())
}
