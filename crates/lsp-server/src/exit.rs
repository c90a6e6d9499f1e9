//! Exit codes of the process.

use std::io::Write;

/// Errors were found.
pub const PROBLEMS_FOUND: u8 = 1;
/// The command could not run: a missing file, invalid UTF-8, invalid arguments.
pub const COULD_NOT_RUN: u8 = 2;
/// The program that was run raised an error.
pub const PROGRAM_ERROR: u8 = 3;

/// Prints an error to standard error. Ignores a failure to do so.
pub fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr(), "relax-lsp: {error:#}");
}
