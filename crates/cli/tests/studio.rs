//! The studio as its user starts it: the address, an answer of its engine, and its end.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Studio {
    child: Child,
    port: String,
    token: String,
}

impl Studio {
    fn start() -> Studio {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
        let mut child = Command::new(env!("CARGO_BIN_EXE_stickslip"))
            .args(["studio", "--no-open"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (base, token) = line.trim().split_once("/?token=").unwrap();
        let port = base.strip_prefix("http://127.0.0.1:").unwrap();
        Studio { port: port.into(), token: token.into(), child }
    }

    fn send(&self, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap();
        let (port, token, length) = (&self.port, &self.token, body.len());
        let head = format!(
            "POST /api/engine HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Stickslip-Token: {token}\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        stream
    }

    /// The header of the last frame of an answer.
    fn ask(&self, op: &str, text: &str) -> serde_json::Value {
        let body = serde_json::json!({ "op": op, "name": "test.toml", "text": text }).to_string();
        let mut bytes = vec![];
        self.send(&body).read_to_end(&mut bytes).unwrap();
        let start = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
        let (mut rest, mut last) = (&bytes[start..], &bytes[..0]);
        while let [kind, a, b, c, d, after @ ..] = rest {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            assert!(b"pmr".contains(kind), "{kind}");
            (last, rest) = after.split_at(length);
        }
        let length = u32::from_le_bytes(last[..4].try_into().unwrap()) as usize;
        serde_json::from_slice(&last[4..4 + length]).unwrap()
    }

    /// Processes that the studio has started.
    fn engines(&self) -> usize {
        let list = Command::new("ps").args(["-o", "pid=", "--ppid", &self.child.id().to_string()]).output().unwrap();
        String::from_utf8_lossy(&list.stdout).lines().count()
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const LONG: &str = "include = \"first.toml\"\n[analysis]\nkind = \"transient\"\nduration = \"1e9 s\"\n";

fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn its_engine_gives_the_summary_of_a_run() {
    let studio = Studio::start();
    let text = std::fs::read_to_string("../../scenarios/first.toml").unwrap();
    let answer = studio.ask("run", &text);
    assert_eq!(answer["summary"]["status"], "ok");
    assert_eq!(answer["summary"]["regime"], "stick-slip");
    let columns = answer["cases"][0]["tables"]["series"]["columns"].as_array().unwrap();
    assert_eq!((columns[0]["name"].as_str(), columns[0]["unit"].as_str()), (Some("t"), Some("s")));
    let wrong = studio.ask("check", &text.replace("mass", "mas"));
    assert_eq!(wrong["ok"], false);
    assert_eq!(wrong["diagnostics"][0]["line"], 7);
    let map = "include = \"first.toml\"\n[analysis]\nkind = \"map\"\neach = { kind = \"transient\", duration = \"1 s\" }\n\
               axes = [{ parameter = \"drive.velocity\", from = 0.1, to = 0.2, points = 10000000 }]\ncollect = [\"regime\"]\n";
    assert!(studio.ask("run", map)["error"].as_str().unwrap().contains("command line"));
    assert_eq!(studio.ask("run", "[[[[")["ok"], false);
}

#[test]
#[cfg(unix)]
fn what_nobody_waits_for_any_more_is_ended() {
    let studio = Studio::start();
    let body = serde_json::json!({ "op": "run", "name": "long.toml", "text": LONG }).to_string();
    let client = studio.send(&body);
    soon("an engine starts", || studio.engines() == 1);
    drop(client);
    soon("the engine ends with its client", || studio.engines() == 0);
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_it_and_what_it_has_started() {
    let mut studio = Studio::start();
    let body = serde_json::json!({ "op": "run", "name": "long.toml", "text": LONG }).to_string();
    let _client = studio.send(&body);
    soon("an engine starts", || studio.engines() == 1);
    let group = studio.child.id().to_string();
    let engine = Command::new("ps").args(["-o", "pid=", "--ppid", &group]).output().unwrap();
    let engine = String::from_utf8_lossy(&engine.stdout).trim().to_owned();
    Command::new("kill").args(["-INT", &group]).status().unwrap();
    soon("the server ends", || studio.child.try_wait().unwrap().is_some());
    let alive = || Command::new("kill").args(["-0", &engine]).stderr(Stdio::null()).status().unwrap().success();
    soon("the engine ends", || !alive());
}
