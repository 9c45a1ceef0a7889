//! The peers: a Python process that answers one request at a time.
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Peer {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    pub fn start(python: &str) -> Result<Peer, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/serve.py");
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| format!("{python}: {e}"))?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take());
        let answers = BufReader::new(answers.ok_or("no pipe from the peers")?);
        Ok(Peer { child, requests, answers })
    }

    /// The answer to a request, or what the peer says is wrong.
    pub fn ask(&mut self, request: &Json) -> Result<Json, String> {
        let gone = |_| "the peer has ended".to_string();
        let to = self.requests.as_mut().ok_or("the peer has ended")?;
        writeln!(to, "{request}").and_then(|()| to.flush()).map_err(gone)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(gone)?;
        let answer: Json = serde_json::from_str(&line).map_err(|_| format!("not an answer: {line:?}"))?;
        match answer.get("error") {
            Some(wrong) => Err(wrong.as_str().unwrap_or("unknown").into()),
            None => Ok(answer),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.requests.take()); // the end of its input ends it
        let _ = self.child.wait();
    }
}
