//! stdout and stderr, without the panics of `println!` when nobody listens.
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

const WRONG_REQUEST: u8 = 2;
const NOT_TRUSTED: u8 = 1;

/// Data for whoever reads stdout. A reader that has gone away (`| head -1`) is content; any other failure ends in
/// exit 1.
pub fn data(text: &str) -> Result<(), ExitCode> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            say(format_args!("error[cli::stdout]: the output can't be written: {e}"));
            Err(failed())
        }
        _ => Ok(()),
    }
}

/// Talk for people on stderr; nothing can be done where even that is closed.
pub fn say(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The run failed or can't be trusted.
pub fn failed() -> ExitCode {
    ExitCode::from(NOT_TRUSTED)
}

/// The request was wrong.
pub fn wrong(why: impl std::fmt::Display) -> ExitCode {
    say(why);
    ExitCode::from(WRONG_REQUEST)
}
