//! `relax-lsp worker`: the child process in which a program is compiled and run. One task in, on the first line of
//! standard input; one answer out.

use std::io::{BufRead, Read};
use std::process::ExitCode;

use anyhow::Context;

use super::output;
use crate::run::job::{Limits, Task};
use crate::run::limits::limit_memory;
use crate::run::worker;

pub fn execute() -> anyhow::Result<ExitCode> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("no task on standard input")?;
    let task: Task = serde_json::from_str(&line).context("no task on standard input")?;
    drop(line);
    std::thread::spawn(end_with_parent);
    limit_memory(task.limits().memory_mb);
    limit_processor(task.limits());
    output::print(&worker::answer(&task)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The parent keeps standard input open as long as it lives and wants the result.
fn end_with_parent() {
    let mut rest = [0; 64];
    while std::io::stdin().lock().read(&mut rest).is_ok_and(|n| n > 0) {}
    std::process::exit(crate::exit::COULD_NOT_RUN.into());
}

/// Has the system refuse processor time beyond the limits. The parent watches the clock; this is for when it cannot.
#[cfg(unix)]
fn limit_processor(limits: Limits) {
    use rlimit::Resource;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let seconds = limits.time_seconds.saturating_mul(cores).saturating_add(1);
    for (resource, value) in [(Resource::CPU, seconds), (Resource::CORE, 0)] {
        if let Err(error) = resource.set(value, value) {
            // A stricter limit is in force already.
            tracing::debug!(%error, ?resource, "limit not set");
        }
    }
}

#[cfg(not(unix))]
fn limit_processor(_limits: Limits) {}
