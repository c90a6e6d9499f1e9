//! `relax-lsp worker`: the child process in which a program runs. One job in, on the first line of standard
//! input; one outcome out.

use std::io::{BufRead, Read};
use std::process::ExitCode;

use anyhow::Context;

use super::output;
use crate::run::execute;
use crate::run::job::{Job, Limits};
use crate::run::kept::Keeper;
use crate::run::listener::{Keep, Tracer};

pub fn execute() -> anyhow::Result<ExitCode> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("no job on standard input")?;
    let job: Job = serde_json::from_str(&line).context("no job on standard input")?;
    drop(line);
    limit(job.limits);
    std::thread::spawn(end_with_parent);
    let mut keeper = job.keep.clone().map(Keeper::new);
    let (outcome, leaves) = if job.trace {
        execute::execute(&job, &mut Tracer::keeping(keeper.as_mut()))
    } else {
        execute::execute(&job, &mut Keep::default())
    };
    if let Some(keeper) = &mut keeper {
        for (name, value) in &leaves {
            keeper.keep(name, value);
        }
    }
    output::print(&serde_json::to_string(&outcome)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The parent keeps standard input open as long as it lives and wants the result.
fn end_with_parent() {
    let mut rest = [0; 64];
    while std::io::stdin().lock().read(&mut rest).is_ok_and(|n| n > 0) {}
    std::process::exit(super::COULD_NOT_RUN.into());
}

/// Has the system refuse memory and processor time beyond the limits, whatever this process does.
/// The parent watches the clock; this is for when it cannot.
#[cfg(unix)]
fn limit(limits: Limits) {
    use rlimit::Resource;
    // The vm itself keeps tensors within the limit; this is for everything else, address space that is
    // reserved and never used included.
    let bytes = limits
        .memory_mb
        .saturating_mul(2 << 20)
        .saturating_add(2 << 30);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let seconds = limits.time_seconds.saturating_mul(cores).saturating_add(1);
    for (resource, value) in [
        (Resource::AS, bytes),
        (Resource::CPU, seconds),
        (Resource::CORE, 0),
    ] {
        if let Err(error) = resource.set(value, value) {
            // A stricter limit is in force already.
            tracing::debug!(%error, ?resource, "limit not set");
        }
    }
}

#[cfg(not(unix))]
fn limit(_limits: Limits) {}
