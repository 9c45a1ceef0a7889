//! What the page asks of the server.
use super::Shared;
use super::http::{Connection, Reply, Request};
use super::listing;

/// Answers a call.
pub fn answer(shared: &Shared, call: &str, request: &Request, connection: &mut Connection) {
    let reply = match (request.method.as_str(), call) {
        ("POST", "engine") => {
            if shared.engines.free() {
                let done = shared.engines.answer(&shared.engine, &shared.folder, &request.body, connection);
                // A client that has left, or an engine that can't start: the connection ends without an answer.
                drop(done);
                return;
            }
            Reply::text(429, "too many computations at one time")
        }
        ("GET", "list") => Reply::new(200, "application/json", listing::list(&shared.folder).to_string().into_bytes()),
        ("GET", "file") => match listing::open(&shared.folder, &request.asked("name").unwrap_or_default()) {
            Ok(text) => Reply::new(200, "text/plain; charset=utf-8", text.into_bytes()),
            Err(why) => Reply::text(404, why),
        },
        ("PUT", "file") => {
            match listing::save(&shared.folder, &request.asked("name").unwrap_or_default(), &request.body) {
                Ok(()) => Reply::text(200, "saved"),
                Err(why) => Reply::text(403, why),
            }
        }
        (_, "engine" | "list" | "file") => Reply::text(405, "this is not asked in that way"),
        _ => Reply::text(404, "there is no such call"),
    };
    connection.reply(&reply);
}
