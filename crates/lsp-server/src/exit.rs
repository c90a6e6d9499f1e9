//! Exit codes of the process.

/// Errors were found.
pub const PROBLEMS_FOUND: u8 = 1;
/// The command could not run: a missing file, invalid UTF-8, invalid arguments.
pub const COULD_NOT_RUN: u8 = 2;
/// The program that was run raised an error.
pub const PROGRAM_ERROR: u8 = 3;
