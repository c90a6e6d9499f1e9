//! The parent's side of a worker: gives it a task, keeps the limits. A worker is `relax-lsp worker`, a process; in a
//! browser another instance of the module.
//!
//! Whatever the program does happens in the child: the worst it can do is end its own process.

#[cfg(not(target_family = "wasm"))]
mod process;
#[cfg(target_family = "wasm")]
mod web_worker;

use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::job::{Job, Limits, LowerJob, StagesJob, Task};
use super::outcome::{Cause, Outcome};
use crate::compilation::runs::Runs;
use crate::run::lowered::Lowered;
use crate::tasks;

#[cfg(not(target_family = "wasm"))]
use process::Worker;
#[cfg(target_family = "wasm")]
use web_worker::Worker;

/// What a process says that the system refuses memory; the beginning of it is Rust's own.
pub const OUT_OF_MEMORY: &str = "memory allocation of";

/// Why there is no answer.
#[derive(Debug)]
pub enum WorkerError {
    Cancelled,
    /// It cannot be done, or not within the limits.
    Refused(String),
    /// The fault is ours.
    Broken(String),
}

/// Runs the job in a worker, to its end, its limit, or until `cancelled`.
pub async fn run(job: Job, cancelled: &CancellationToken) -> Outcome {
    match work(&Task::Run(job), cancelled).await {
        Ok(outcome) => outcome,
        Err(WorkerError::Cancelled) => Outcome::Cancelled,
        Err(WorkerError::Refused(why)) => Outcome::failed(Cause::Program, why),
        Err(WorkerError::Broken(why)) => Outcome::failed(Cause::Internal, why),
    }
}

/// The same for what functions become at a stage.
pub async fn lower(job: LowerJob, cancelled: &CancellationToken) -> Result<Lowered, WorkerError> {
    let lowered: Result<Lowered, String> = work(&Task::Lower(job), cancelled).await?;
    lowered.map_err(WorkerError::Refused)
}

/// The same for the stages of a compilation.
pub async fn run_stages(
    job: StagesJob,
    cancelled: &CancellationToken,
) -> Result<Runs, WorkerError> {
    let runs: Result<Runs, String> = work(&Task::Stages(job), cancelled).await?;
    runs.map_err(WorkerError::Refused)
}

/// How a worker ended.
struct WorkerResult {
    answer: Vec<u8>,
    /// What it said besides.
    complaints: String,
    /// As its system tells it.
    status: String,
}

async fn work<A: DeserializeOwned>(
    task: &Task,
    cancelled: &CancellationToken,
) -> Result<A, WorkerError> {
    let limits = task.limits();
    let broken = |what: String| WorkerError::Broken(format!("the run failed: {what}"));
    let text = serde_json::to_vec(task).map_err(|error| broken(error.to_string()))?;
    let mut worker = Worker::start().map_err(|error| {
        WorkerError::Broken(format!("cannot start a process for the program: {error}"))
    })?;
    // Dropping the worker on any of these ways out ends it.
    let ended = tokio::select! {
        biased;
        () = cancelled.cancelled() => Err(WorkerError::Cancelled),
        ended = worker.converse(text) => ended.map_err(broken),
        () = tasks::sleep(Duration::from_secs(limits.time_seconds)) => {
            Err(WorkerError::Refused(format!(
                "stopped after {} s, the time limit (setting `relax.run.timeLimitSeconds`)",
                limits.time_seconds
            )))
        }
    };
    worker.end().await;
    let ended = ended?;
    serde_json::from_slice(&ended.answer).map_err(|error| {
        warn!(%error, status = ended.status, "a worker gave no answer");
        ended_badly(&ended, limits)
    })
}

/// A child that ended without an answer was stopped by the system, or by the failure to allocate.
fn ended_badly(ended: &WorkerResult, limits: Limits) -> WorkerError {
    if ended.complaints.contains(OUT_OF_MEMORY) {
        return WorkerError::Refused(format!(
            "out of memory: more than {} MB were needed (setting `relax.run.memoryLimitMb`)",
            limits.memory_mb
        ));
    }
    let last = ended.complaints.lines().last().unwrap_or_default();
    WorkerError::Broken(format!(
        "the process of the program ended without a result ({}) {last}",
        ended.status
    ))
}
