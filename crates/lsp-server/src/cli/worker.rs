//! `relax-lsp worker`: the child process in which programs are compiled and run. Each line of standard input is a
//! task, and each line of standard output an answer. The process ends after a task, unless a run returned objects that
//! a later run may use.

use std::io::BufRead;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::Context;

use super::output::{self, Output};
use crate::children::end_of_lease;
use crate::run::job::{Limits, Task};
use crate::run::kept_objects::KeptObjects;
use crate::run::limits::limit_memory;
use crate::run::worker;

pub fn execute() -> anyhow::Result<ExitCode> {
    let (sender, lines) = channel();
    std::thread::spawn(move || read_lines(&sender));
    let mut objects = KeptObjects::default();
    let mut seconds = 0;
    for (number, task) in tasks(&lines).enumerate() {
        let task = task?;
        let limits = task.limits();
        if number == 0 {
            // Kept objects count for the limits of later runs.
            limit_memory(limits.memory_mb);
        }
        seconds += limits.time_seconds;
        limit_processor(Limits {
            time_seconds: seconds,
            ..limits
        });
        let answer = worker::answer(&task, Some(&mut objects))?;
        output::print(&Output::Answer(format!("{answer}\n")))?;
        if objects.names().is_empty() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tasks(lines: &Receiver<String>) -> impl Iterator<Item = anyhow::Result<Task>> {
    let read = |line: String| serde_json::from_str(&line).context("no task on standard input");
    lines.iter().map(read)
}

/// Reads tasks. The parent keeps standard input open while it is alive and waits for results.
fn read_lines(to: &Sender<String>) {
    for line in std::io::stdin().lock().lines() {
        if line.is_ok_and(|line| to.send(line).is_err()) {
            break;
        }
    }
    end_of_lease()
}

/// Limits the processor time. The parent watches the clock; this is for the case that it cannot.
#[cfg(unix)]
fn limit_processor(limits: Limits) {
    use rlimit::Resource;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let seconds = limits.time_seconds.saturating_mul(cores).saturating_add(1);
    for (resource, value) in [(Resource::CPU, seconds), (Resource::CORE, 0)] {
        // There may already be a stricter limit. The limit of processor time grows with each task.
        let set = resource
            .get()
            .and_then(|(_, most)| resource.set(value.min(most), most));
        if let Err(error) = set {
            tracing::debug!(%error, ?resource, "limit not set");
        }
    }
}

#[cfg(not(unix))]
fn limit_processor(_limits: Limits) {}
