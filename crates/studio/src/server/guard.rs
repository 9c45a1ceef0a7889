//! Who may ask.
use super::http::{Reply, Request};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::Read;

/// The header that carries the token: a page of another origin can't send it without being asked first, which is refused.
const TOKEN: &str = "x-stickslip-token";

/// The names and the secret of this server.
pub struct Guard {
    port: u16,
    token: String,
}

impl Guard {
    /// A guard with a new token.
    pub fn new(port: u16) -> std::io::Result<Guard> {
        let mut bytes = [0_u8; 16];
        match std::fs::File::open("/dev/urandom") {
            Ok(mut source) => source.read_exact(&mut bytes)?,
            // Where there is no such file, the keys of the standard library's tables come from the system.
            Err(_) => bytes.chunks_mut(8).for_each(|part| {
                part.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
            }),
        }
        Ok(Guard { port, token: bytes.iter().map(|b| format!("{b:02x}")).collect() })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Why a request is turned away.
    pub fn refuse(&self, request: &Request) -> Option<Reply> {
        let own = |host: &str| ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port));
        // A name that leads here from elsewhere is not ours, whatever it resolves to.
        if !request.header("host").is_some_and(own) {
            return Some(Reply::text(403, "foreign host"));
        }
        let origin = request.header("origin");
        if origin.is_some_and(|o| !o.strip_prefix("http://").is_some_and(own)) {
            return Some(Reply::text(403, "foreign origin"));
        }
        let site = request.header("sec-fetch-site");
        let asks = request.path.starts_with("/api/");
        if asks && site.is_some_and(|s| s != "same-origin" && s != "none") {
            return Some(Reply::text(403, "foreign site"));
        }
        if asks && !request.header(TOKEN).is_some_and(|token| same(token.as_bytes(), self.token.as_bytes())) {
            return Some(Reply::text(401, "the token is missing or wrong"));
        }
        None
    }
}

/// Comparison in a time that does not depend on where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}
