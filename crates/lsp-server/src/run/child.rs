//! The parent's side of a worker: starts `relax-lsp worker`, sends what it is to do, keeps the limits.
//!
//! Whatever the program does happens in the child: the worst it can do is end its own process.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::job::{Job, Limits, LowerJob, Task};
use super::outcome::{Cause, Outcome};
use crate::run::lowered::Lowered;

/// More than any summary of outputs: what a child says beyond this is not read.
const MAX_ANSWER: u64 = 64 << 20;
const MAX_STDERR: u64 = 64 << 10;

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

/// Runs the job in a child process, to its end, its limit, or until `cancelled`.
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

async fn work<A: DeserializeOwned>(
    task: &Task,
    cancelled: &CancellationToken,
) -> Result<A, WorkerError> {
    let limits = task.limits();
    let mut child = start().map_err(|error| {
        WorkerError::Broken(format!("cannot start a process for the program: {error}"))
    })?;
    // Dropping the child on any of these ways out kills it.
    let answer = tokio::select! {
        biased;
        () = cancelled.cancelled() => Err(WorkerError::Cancelled),
        answer = converse(&mut child, task) => answer,
        () = tokio::time::sleep(Duration::from_secs(limits.time_seconds)) => {
            Err(WorkerError::Refused(format!(
                "stopped after {} s, the time limit (setting `relax.run.timeLimitSeconds`)",
                limits.time_seconds
            )))
        }
    };
    if let Err(error) = child.kill().await {
        debug!(%error, "a worker that has ended already");
    }
    answer
}

fn start() -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

async fn converse<A: DeserializeOwned>(child: &mut Child, task: &Task) -> Result<A, WorkerError> {
    let broken = |what: &str| WorkerError::Broken(format!("the run failed: {what}"));
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(broken("its process has no pipes"));
    };
    let mut line = serde_json::to_vec(task).map_err(|error| broken(&error.to_string()))?;
    line.push(b'\n');
    // Standard input stays open until the end: the worker takes its closing for the parent's death.
    let (sent, answer, complaints) = tokio::join!(
        async {
            let sent = stdin.write_all(&line).await;
            (sent.and(stdin.flush().await), stdin)
        },
        read_up_to(stdout, MAX_ANSWER),
        read_up_to(stderr, MAX_STDERR),
    );
    let ended = child.wait().await;
    drop(sent.1);
    serde_json::from_slice(&answer).map_err(|error| {
        warn!(%error, ?ended, "a worker gave no answer");
        let complaints = String::from_utf8_lossy(&complaints);
        ended_badly(ended.ok(), &complaints, task.limits())
    })
}

async fn read_up_to(from: impl AsyncRead + Unpin, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut from = from.take(limit);
    // What was read before an error is what there is.
    let _ = from.read_to_end(&mut bytes).await;
    bytes
}

/// A child that ended without an answer was stopped by the system, or by the failure to allocate.
fn ended_badly(status: Option<ExitStatus>, complaints: &str, limits: Limits) -> WorkerError {
    if complaints.contains(OUT_OF_MEMORY) {
        return WorkerError::Refused(format!(
            "out of memory: more than {} MB were needed (setting `relax.run.memoryLimitMb`)",
            limits.memory_mb
        ));
    }
    let status = status.map_or_else(|| "unknown".to_owned(), |status| status.to_string());
    let last = complaints.lines().last().unwrap_or_default();
    WorkerError::Broken(format!(
        "the process of the program ended without a result ({status}) {last}"
    ))
}
