//! The page and its engine on loopback.
//!
//! Who may ask: only requests whose `Host` is this server's own, from no foreign origin; whatever computes or reads the folder
//! also needs the token of the address that was printed. Each computation is a process of its own, so that it can be ended
//! whatever it does: when its client leaves, when its time is up, when the server ends.
mod api;
mod engine_process;
mod guard;
mod http;
mod listing;

pub use engine_process::serve_engine;

use guard::Guard;
use http::{Connection, Reply};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Most connections at one time: more are turned away.
const MOST_CONNECTIONS: usize = 64;
/// How often an interrupt is looked for.
const WATCH: Duration = Duration::from_millis(50);

/// Where the server stands, and what it serves.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What all connections share.
pub(crate) struct Shared {
    pub guard: Guard,
    /// The folder of scenarios.
    pub folder: PathBuf,
    /// The program that answers requests: see [`serve_engine`].
    pub engine: Vec<String>,
    pub engines: engine_process::Engines,
    connections: AtomicUsize,
}

impl Server {
    /// A server on a port of loopback, any free one where it is 0. `engine` is the command that answers one request.
    pub fn bind(folder: PathBuf, port: u16, engine: Vec<String>) -> std::io::Result<Server> {
        let folder = folder.canonicalize()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let shared = Shared {
            guard: Guard::new(port)?,
            folder,
            engine,
            engines: engine_process::Engines::default(),
            connections: AtomicUsize::new(0),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// Serves until `stop` is set, then ends what it has started.
    pub fn serve(self, stop: &AtomicBool) {
        std::thread::scope(|scope| {
            let (shared, address) = (self.shared.clone(), self.listener.local_addr());
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::thread::sleep(WATCH);
                }
                shared.engines.end_all();
                // Wakes the loop below.
                drop(address.map(TcpStream::connect));
            });
            for stream in self.listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let shared = self.shared.clone();
                std::thread::spawn(move || shared.take(stream));
            }
        });
    }
}

impl Shared {
    fn take(&self, stream: TcpStream) {
        let others = self.connections.fetch_add(1, Ordering::Relaxed);
        let mut connection = Connection::new(stream);
        if others < MOST_CONNECTIONS {
            self.answer(&mut connection);
        } else {
            connection.reply(&Reply::text(503, "too many connections"));
        }
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    fn answer(&self, connection: &mut Connection) {
        let request = match connection.read() {
            Ok(request) => request,
            Err(refused) => return connection.reply(&refused),
        };
        if let Some(refused) = self.guard.refuse(&request) {
            return connection.reply(&refused);
        }
        match request.path.strip_prefix("/api/") {
            Some(call) => api::answer(self, call, &request, connection),
            None => connection.reply(&page(&request)),
        }
    }
}

fn page(request: &http::Request) -> Reply {
    if request.method != "GET" && request.method != "HEAD" {
        return Reply::text(405, "the page is only read");
    }
    match crate::page::asset(request.path.trim_start_matches('/')) {
        Some(asset) => Reply::new(200, asset.media, asset.bytes.to_vec()),
        None => Reply::text(404, "there is no such page"),
    }
}
