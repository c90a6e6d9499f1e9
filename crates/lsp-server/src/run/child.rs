//! The parent's side of a worker: sends it a task, and enforces the limits. A worker is the process `relax-lsp
//! worker`, or in a browser another instance of the module.
//!
//! A program can only harm the child: the worst that it can do is to end its own process.

#[cfg(not(target_family = "wasm"))]
mod process;
#[cfg(target_family = "wasm")]
mod web_worker;

use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::job::{Job, Limits, LowerJob, StagesJob, Task};
use super::outcome::{Cause, Outcome, RunAnswer};
use crate::compilation::runs::Runs;
use crate::run::lowered::Lowered;
use crate::tasks;

#[cfg(not(target_family = "wasm"))]
pub use process::Worker;
#[cfg(target_family = "wasm")]
pub use web_worker::Worker;

/// The message of a process whose allocation failed, which begins with Rust's own text.
pub const OUT_OF_MEMORY: &str = "memory allocation of";

/// Why there is no answer.
#[derive(Debug)]
pub enum WorkerError {
    Cancelled,
    /// The task is not possible, or not within the limits.
    Refused(String),
    /// A bug of this program.
    Broken(String),
}

/// Runs a job in a worker until it ends, reaches a limit, or is `cancelled`. Uses the worker `idle`, which keeps
/// objects of earlier runs, if there is one. Returns the worker if it keeps objects for the next run.
pub async fn run(
    job: Job,
    idle: Option<Worker>,
    cancelled: &CancellationToken,
) -> (RunAnswer, Option<Worker>) {
    let failed = |outcome| RunAnswer {
        outcome,
        objects: Vec::new(),
    };
    let mut idle = idle;
    let Some(_slot) = Worker::slot(cancelled).await else {
        return (failed(Outcome::Cancelled), None);
    };
    let worker = match idle.take_if(Worker::is_alive) {
        Some(worker) => Ok(worker),
        None => start(),
    };
    let mut worker = match worker {
        Ok(worker) => worker,
        Err(error) => return (failed(error.into()), None),
    };
    let answer = answer_of(&mut worker, &Task::Run(job), cancelled).await;
    match answer.unwrap_or_else(|error| failed(error.into())) {
        answer if answer.objects.is_empty() => {
            worker.end().await;
            (answer, None)
        }
        answer => (answer, Some(worker)),
    }
}

impl From<WorkerError> for Outcome {
    fn from(error: WorkerError) -> Outcome {
        match error {
            WorkerError::Cancelled => Outcome::Cancelled,
            WorkerError::Refused(why) => Outcome::at_limit(why),
            WorkerError::Broken(why) => Outcome::failed(Cause::Internal, why),
        }
    }
}

/// Like `run`, for lowering functions to a stage.
pub async fn lower(job: LowerJob, cancelled: &CancellationToken) -> Result<Lowered, WorkerError> {
    let lowered: Result<Lowered, String> = work(&Task::Lower(job), cancelled).await?;
    lowered.map_err(WorkerError::Refused)
}

/// Like `run`, for running the stages of a compilation.
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
    /// Its standard error.
    complaints: String,
    /// Its exit status, as the system describes it.
    status: String,
}

async fn work<A: DeserializeOwned>(
    task: &Task,
    cancelled: &CancellationToken,
) -> Result<A, WorkerError> {
    let slot = Worker::slot(cancelled).await;
    let _slot = slot.ok_or(WorkerError::Cancelled)?;
    let mut worker = start()?;
    let answer = answer_of(&mut worker, task, cancelled).await;
    worker.end().await;
    answer
}

fn start() -> Result<Worker, WorkerError> {
    Worker::start().map_err(|error| {
        WorkerError::Broken(format!("cannot start a process for the program: {error}"))
    })
}

/// Waits for the answer of a worker. A worker without an answer has to be ended.
async fn answer_of<A: DeserializeOwned>(
    worker: &mut Worker,
    task: &Task,
    cancelled: &CancellationToken,
) -> Result<A, WorkerError> {
    let limits = task.limits();
    let broken = |what: String| WorkerError::Broken(format!("the run failed: {what}"));
    let text = serde_json::to_vec(task).map_err(|error| broken(error.to_string()))?;
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
    let ended = ended?;
    serde_json::from_slice(&ended.answer).map_err(|error| {
        warn!(%error, status = ended.status, "a worker gave no answer");
        ended_badly(&ended, limits)
    })
}

/// A child that ends without an answer was stopped by the system or by a failed allocation.
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
