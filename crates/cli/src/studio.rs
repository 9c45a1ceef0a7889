//! `studio`: the page on loopback.
use crate::output::{data, failed, say, wrong};
use crate::stop;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::AtomicBool;
use stickslip_studio::server::{Server, serve_engine};

/// Prints the address of the page and serves it until an interrupt.
pub fn studio(folder: Option<PathBuf>, port: u16, no_open: bool) -> ExitCode {
    let folder = folder.unwrap_or_else(|| PathBuf::from("."));
    if !folder.is_dir() {
        let name = folder.display();
        return wrong(format_args!(
            "error[cli::no-folder]: `{name}` is not a folder\nhint: stickslip studio scenarios"
        ));
    }
    let engine = match std::env::current_exe() {
        Ok(program) => vec![program.to_string_lossy().into_owned(), "studio-engine".into()],
        Err(e) => {
            say(format_args!("error[cli::studio]: this program can't find itself: {e}"));
            return failed();
        }
    };
    let server = match Server::bind(folder, port, engine) {
        Ok(server) => server,
        Err(e) => {
            return wrong(format_args!("error[cli::port]: port {port} can't be used: {e}\nhint: leave out --port"));
        }
    };
    let address = server.address();
    if let Err(code) = data(&format!("{address}\n")) {
        return code;
    }
    if !no_open {
        open(&address);
    }
    static NEVER: AtomicBool = AtomicBool::new(false);
    server.serve(stop::on_interrupt().unwrap_or(&NEVER));
    ExitCode::SUCCESS
}

/// Answers one request, for the server.
pub fn engine(folder: &Path) -> ExitCode {
    match serve_engine(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => failed(),
    }
}

/// Opens the browser; where there is none, the address stands on the terminal.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = Command::new(program).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
