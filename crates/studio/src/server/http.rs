//! As much of HTTP/1.1 as a page on the same machine needs: one request a connection, no transfer encodings in requests.
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Longest head of a request, bytes.
const MOST_HEAD: usize = 16 << 10;
/// Longest body of a request, bytes.
const MOST_BODY: usize = 16 << 20;
/// Time in which a request must have arrived.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time in which a client must take what is sent.
const TAKING: Duration = Duration::from_secs(30);
/// How much of a refused body is read, so that the refusal arrives before the connection is reset.
const DRAINED: usize = 1 << 20;

/// What the page may do; images and styles of its own, connections to its own origin alone.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; frame-src 'none'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A request.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// GET, POST, ...
    pub method: String,
    /// Path without the query.
    pub path: String,
    /// What follows the question mark, as it was sent.
    pub query: String,
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header; none where it is sent more than once: what would be read of it is not certain.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter().filter(|(n, _)| n == name);
        let first = all.next().map(|(_, value)| value.as_str());
        if all.next().is_some() { None } else { first }
    }

    /// A value of the query.
    pub fn asked(&self, key: &str) -> Option<String> {
        let pair = self.query.split('&').find_map(|pair| pair.split_once('=').filter(|(k, _)| *k == key))?;
        unescaped(pair.1)
    }
}

fn unescaped(text: &str) -> Option<String> {
    let (mut out, mut rest) = (vec![], text.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'%' => {
                let code = std::str::from_utf8(after.get(..2)?).ok()?;
                out.push(u8::from_str_radix(code, 16).ok()?);
                rest = &after[2..];
            }
            b'+' => out.push(b' '),
            other => out.push(*other),
        }
    }
    String::from_utf8(out).ok()
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    media: &'static str,
    body: Vec<u8>,
}

impl Reply {
    /// An answer.
    pub fn new(status: u16, media: &'static str, body: Vec<u8>) -> Reply {
        Reply { status, media, body }
    }

    /// A sentence.
    pub fn text(status: u16, text: &str) -> Reply {
        Reply::new(status, "text/plain; charset=utf-8", format!("{text}\n").into_bytes())
    }

    fn head(&self, length: Option<usize>) -> String {
        let length = length.map_or(String::new(), |n| format!("Content-Length: {n}\r\n"));
        format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{length}Connection: close\r\nCache-Control: no-store\r\n\
             Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\r\n",
            self.status,
            reason(self.status),
            self.media
        )
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    }
}

/// A client.
pub struct Connection {
    stream: TcpStream,
    bodiless: bool,
}

impl Connection {
    pub fn new(stream: TcpStream) -> Connection {
        // These fail on closed connections, which the next read finds.
        let _ = stream.set_nodelay(true);
        let _ = stream.set_write_timeout(Some(TAKING));
        Connection { stream, bodiless: false }
    }

    /// Reads the request; the error is the answer to it.
    pub fn read(&mut self) -> Result<Request, Reply> {
        let until = Instant::now() + PATIENCE;
        let (mut bytes, mut buffer) = (vec![], [0_u8; 16 << 10]);
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
                break end;
            }
            if bytes.len() > MOST_HEAD {
                return Err(Reply::text(431, "the head of the request is too long"));
            }
            let n = self.some(&mut buffer, until)?;
            bytes.extend(&buffer[..n]);
        };
        let mut request = head(&bytes[..end]).ok_or_else(|| Reply::text(400, "this is no request"))?;
        self.bodiless = request.method == "HEAD";
        if request.header("transfer-encoding").is_some() {
            return Err(Reply::text(400, "transfer encodings are not served"));
        }
        let length = match request.header("content-length").map(str::parse::<usize>) {
            None => 0,
            Some(Ok(length)) => length,
            Some(Err(_)) => return Err(Reply::text(400, "the length of the body is no number")),
        };
        let mut body = bytes.split_off(end + 4);
        if length > MOST_BODY {
            let mut drained = body.len();
            while drained < length.min(DRAINED) {
                drained += self.some(&mut buffer, until)?;
            }
            return Err(Reply::text(413, "the body is larger than 16 MB"));
        }
        while body.len() < length {
            let n = self.some(&mut buffer, until)?;
            body.extend(&buffer[..n]);
        }
        body.truncate(length);
        request.body = body;
        Ok(request)
    }

    fn some(&mut self, buffer: &mut [u8], until: Instant) -> Result<usize, Reply> {
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let _ = self.stream.set_read_timeout(Some(left));
        match self.stream.read(buffer) {
            Ok(0) => Err(Reply::text(400, "the request ends early")),
            Ok(n) if Instant::now() < until => Ok(n),
            _ => Err(Reply::text(408, "the request took too long")),
        }
    }

    /// Sends an answer, and ends the connection.
    pub fn reply(&mut self, reply: &Reply) {
        let head = reply.head(Some(reply.body.len()));
        let body: &[u8] = if self.bodiless { &[] } else { &reply.body };
        // Who has left needs no answer.
        let _ = self.stream.write_all(head.as_bytes()).and_then(|()| self.stream.write_all(body));
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Begins an answer that is sent as it comes, and ends with the connection.
    pub fn begin(&mut self, media: &'static str) -> std::io::Result<()> {
        self.stream.write_all(Reply::new(200, media, vec![]).head(None).as_bytes())
    }

    /// Sends a part of it.
    pub fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// The stream, to see when the client leaves.
    pub fn watched(&self) -> std::io::Result<TcpStream> {
        self.stream.try_clone()
    }
}

fn head(bytes: &[u8]) -> Option<Request> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target, version) = (first.next()?, first.next()?, first.next()?);
    if first.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return None;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers = lines.map(header).collect::<Option<Vec<_>>>()?;
    Some(Request { method: method.into(), path: path.into(), query: query.into(), headers, body: vec![] })
}
