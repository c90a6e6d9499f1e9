//! Standard output of the subcommands.

use std::io::{ErrorKind, Write};
use std::path::Path;

use clap::ValueEnum;

use crate::line_difference::LineDifference;

/// How an answer is printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Readable text
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// Writes `text` to standard output. A closed pipe (`| head`) is not an error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Returns the change of a file as a patch for `git apply` and `patch -p1`; empty if nothing changes.
pub fn patch(path: &Path, before: &str, after: &str) -> String {
    let path = path.display();
    let hunks = LineDifference::of(before, after).hunks();
    if hunks.is_empty() {
        return hunks;
    }
    format!("--- a/{path}\n+++ b/{path}\n{hunks}")
}
