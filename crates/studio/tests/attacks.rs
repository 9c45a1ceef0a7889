//! Requests that nobody with good intentions would send: each is turned away, and the server goes on.
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stickslip_studio::server::Server;

struct Site {
    port: u16,
    token: String,
    folder: PathBuf,
}

impl Site {
    /// Sends bytes as they are and gives the answer as text.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // The server may answer and close before all of a body is sent.
        let _ = stream.write_all(bytes);
        let mut out = vec![];
        let _ = stream.read_to_end(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    fn ask(&self, line: &str, headers: &str) -> (u16, String) {
        let host = if headers.to_lowercase().contains("host:") { String::new() } else { self.host() };
        let answer = self.raw(format!("{line} HTTP/1.1\r\n{host}{headers}\r\n").as_bytes());
        (status(&answer), answer)
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn key(&self) -> String {
        format!("X-Stickslip-Token: {}\r\n", self.token)
    }
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
}

/// A server over a folder with one scenario, a secret above it and a link that leads to the secret.
fn with_site(name: &str, test: impl FnOnce(&Site)) {
    let outer = std::env::temp_dir().join(format!("stickslip-studio-{name}-{}", std::process::id()));
    let folder = outer.join("inside");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(outer.join("secret.toml"), "secret = 1\n[analysis]\n").unwrap();
    std::fs::write(folder.join("first.toml"), "title = \"one\"\n[analysis]\nkind = \"transient\"\n").unwrap();
    std::fs::write(folder.join("notes.txt"), "no scenario").unwrap();
    #[cfg(unix)]
    {
        let _ = std::os::unix::fs::symlink(outer.join("secret.toml"), folder.join("link.toml"));
        let _ = std::os::unix::fs::symlink(&outer, folder.join("up"));
    }
    let server = Server::bind(folder.clone(), 0, vec!["false".into()]).unwrap();
    let address = server.address();
    let (base, token) = address.split_once("/?token=").unwrap();
    let port = base.rsplit(':').next().unwrap().parse().unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve(&stop));
        test(&Site { port, token: token.into(), folder: folder.clone() });
        stop.store(true, Ordering::Relaxed);
    });
    std::fs::remove_dir_all(outer).unwrap();
}

#[test]
fn the_page_is_served_with_a_strict_policy_and_nothing_beside_it() {
    with_site("page", |site| {
        let (code, page) = site.ask("GET /", "");
        assert_eq!(code, 200);
        assert!(
            page.contains("default-src 'none'") && page.contains("nosniff") && page.contains("frame-ancestors 'none'")
        );
        assert!(!page.contains(&site.token), "the page does not hold the token");
        assert_eq!(site.ask("GET /app.js", "").0, 200);
        for path in ["/../secret.toml", "/..%2fsecret.toml", "/first.toml", "//etc/passwd", "/vendor/../../Cargo.toml"]
        {
            assert_eq!(site.ask(&format!("GET {path}"), "").0, 404, "{path}");
        }
        assert_eq!(site.ask("DELETE /", "").0, 405);
    });
}

#[test]
fn what_computes_or_reads_the_folder_needs_the_token() {
    with_site("token", |site| {
        for (line, with) in [("GET /api/list", 200), ("GET /api/file?name=first.toml", 200), ("GET /api/none", 404)] {
            assert_eq!(site.ask(line, "").0, 401, "{line}");
            assert_eq!(site.ask(line, "X-Stickslip-Token: 0123\r\n").0, 401, "{line}");
            let twice = format!("{}X-Stickslip-Token: x\r\n", site.key());
            assert_eq!(site.ask(line, &twice).0, 401, "{line}");
            assert_eq!(site.ask(line, &site.key()).0, with, "{line}");
        }
        assert_eq!(site.ask("POST /api/engine", "Content-Length: 2\r\n\r\n{}").0, 401);
        // In the address it does not count: addresses are kept in histories.
        assert_eq!(site.ask(&format!("GET /api/list?token={}", site.token), "").0, 401);
    });
}

#[test]
fn foreign_hosts_and_origins_are_turned_away() {
    with_site("foreign", |site| {
        let key = site.key();
        for host in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1.evil.example", "127.0.0.1:1"] {
            assert_eq!(site.ask("GET /api/list", &format!("Host: {host}\r\n{key}")).0, 403, "{host}");
            assert_eq!(site.ask("GET /", &format!("Host: {host}\r\n")).0, 403, "{host}");
        }
        let twice = format!("{}Host: evil.example\r\n{key}", site.host());
        assert_eq!(site.ask("GET /api/list", &twice).0, 403);
        for origin in ["http://evil.example", "null", "https://127.0.0.1:1", "file://"] {
            assert_eq!(site.ask("GET /api/list", &format!("Origin: {origin}\r\n{key}")).0, 403, "{origin}");
        }
        let own = format!("Origin: http://127.0.0.1:{}\r\n{key}", site.port);
        assert_eq!(site.ask("GET /api/list", &own).0, 200);
        assert_eq!(site.ask("GET /api/list", &format!("Sec-Fetch-Site: cross-site\r\n{key}")).0, 403);
        assert_eq!(site.ask("OPTIONS /api/list", &key).0, 405);
    });
}

#[test]
fn no_file_outside_the_folder_is_read_or_written() {
    with_site("files", |site| {
        let key = site.key();
        let names = [
            "../secret.toml",
            "..%2Fsecret.toml",
            "%2e%2e/secret.toml",
            "/etc/passwd",
            "link.toml",
            "up/secret.toml",
            "up/inside/first.toml%00",
            "",
            ".",
            "inside/../../secret.toml",
            "a\\..\\secret.toml",
        ];
        for name in names {
            let (code, text) = site.ask(&format!("GET /api/file?name={name}"), &key);
            assert!((400..500).contains(&code) && !text.contains("secret ="), "{name}: {text}");
            let body = format!("{key}Content-Length: 5\r\n\r\nnew=1");
            let (code, text) = site.ask(&format!("PUT /api/file?name={name}"), &body);
            assert!((400..500).contains(&code), "{name}: {text}");
        }
        let list = site.ask("GET /api/list", &key).1;
        assert!(list.contains("first.toml") && !list.contains("secret") && !list.contains("notes"), "{list}");
        let body = format!("{key}Content-Length: 5\r\n\r\nnew=1");
        assert_eq!(site.ask("PUT /api/file?name=notes.txt", &body).0, 403);
        assert_eq!(site.ask("PUT /api/file?name=other.toml", &body).0, 200);
        assert_eq!(std::fs::read_to_string(site.folder.join("other.toml")).unwrap(), "new=1");
        let secret = site.folder.parent().unwrap().join("secret.toml");
        assert!(std::fs::read_to_string(secret).unwrap().starts_with("secret = 1"));
    });
}

#[test]
fn broken_and_endless_requests_are_refused_and_the_server_lives() {
    with_site("broken", |site| {
        let key = site.key();
        let (host, gigabyte) = (site.host(), 1_u64 << 30);
        let upload = format!("POST /api/engine HTTP/1.1\r\n{host}{key}Content-Length: {gigabyte}\r\n\r\n");
        let mut bytes = upload.into_bytes();
        bytes.resize(2 << 20, b' ');
        assert_eq!(status(&site.raw(&bytes)), 413);
        assert_eq!(site.ask("POST /api/engine", &format!("{key}Content-Length: many\r\n")).0, 400);
        assert_eq!(site.ask("POST /api/engine", &format!("{key}Transfer-Encoding: chunked\r\n")).0, 400);
        assert_eq!(site.ask("GET /", &format!("X: {}\r\n", "x".repeat(40_000))).0, 431);
        assert_eq!(status(&site.raw(b"\x16\x03\x01\x02\x00\r\n\r\n")), 400);
        assert_eq!(status(&site.raw(b"GET http://evil.example/ HTTP/1.1\r\n\r\n")), 400);
        // Connections that say nothing do not keep others out.
        let silent: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(("127.0.0.1", site.port)).unwrap()).collect();
        assert_eq!(site.ask("GET /", "").0, 200);
        drop(silent);
    });
}
