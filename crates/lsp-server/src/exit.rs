//! Exit codes of the process.

use std::io::Write;

/// Exit code when problems of severity error were found.
pub const PROBLEMS_FOUND: u8 = 1;
/// Exit code when the command could not do its work: no such file, not UTF-8, bad arguments.
pub const COULD_NOT_RUN: u8 = 2;
/// Exit code when the program that was run raised an error.
pub const PROGRAM_ERROR: u8 = 3;

/// Says on standard error what went wrong; nothing is left to do if even that fails.
pub fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr(), "relax-lsp: {error:#}");
}
