//! What tests of all crates share. Only `[dev-dependencies]` and the package `tests` name this crate.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write as _;

/// Names a file to which each skipped test adds a line: its name, a tab, the reason. `test.sh` prints it at its end.
const LIST: &str = "RELAX_SKIPPED";

/// Says that the running test, or a part of it, cannot check anything on this machine. libtest only shows the output of
/// tests that fail.
pub fn skip(why: impl Display) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    eprintln!("skipped: {test}: {why}");
    let Some(list) = std::env::var_os(LIST) else {
        return;
    };
    let list = OpenOptions::new().create(true).append(true).open(list);
    // One write, so that lines of tests in parallel stay whole.
    let written = list.and_then(|mut list| list.write_all(format!("{test}\t{why}\n").as_bytes()));
    if let Err(error) = written {
        panic!("{LIST} cannot be written: {error}");
    }
}
