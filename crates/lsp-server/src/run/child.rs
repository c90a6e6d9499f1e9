//! The parent's side of a run: starts `relax-lsp worker`, sends the job, keeps the limits.
//!
//! Whatever the program does happens in the child: the worst it can do is end its own process.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::job::Job;
use super::outcome::{Cause, Outcome};

/// More than any summary of outputs: what a child says beyond this is not read.
const MAX_ANSWER: u64 = 64 << 20;
const MAX_STDERR: u64 = 64 << 10;

/// Runs the job in a child process, to its end, its limit, or until `cancelled`.
pub async fn run(job: &Job, cancelled: &CancellationToken) -> Outcome {
    let limit = Duration::from_secs(job.limits.time_seconds);
    let mut child = match start() {
        Ok(child) => child,
        Err(error) => {
            let message = format!("cannot start a process for the program: {error}");
            return Outcome::failed(Cause::Internal, message);
        }
    };
    // Dropping the child on any of these ways out kills it.
    let outcome = tokio::select! {
        biased;
        () = cancelled.cancelled() => Outcome::Cancelled,
        outcome = converse(&mut child, job) => outcome,
        () = tokio::time::sleep(limit) => Outcome::failed(
            Cause::Program,
            format!(
                "stopped after {} s, the time limit (setting `relax.run.timeLimitSeconds`)",
                job.limits.time_seconds
            ),
        ),
    };
    if let Err(error) = child.kill().await {
        debug!(%error, "a worker that has ended already");
    }
    outcome
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

async fn converse(child: &mut Child, job: &Job) -> Outcome {
    let broken = |what: &str| Outcome::failed(Cause::Internal, format!("the run failed: {what}"));
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return broken("its process has no pipes");
    };
    let mut line = match serde_json::to_vec(job) {
        Ok(line) => line,
        Err(error) => return broken(&error.to_string()),
    };
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
    match serde_json::from_slice::<Outcome>(&answer) {
        Ok(outcome) => outcome,
        Err(error) => {
            warn!(%error, ?ended, "a worker gave no outcome");
            ended_badly(ended.ok(), &String::from_utf8_lossy(&complaints), job)
        }
    }
}

async fn read_up_to(from: impl AsyncRead + Unpin, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut from = from.take(limit);
    // What was read before an error is what there is.
    let _ = from.read_to_end(&mut bytes).await;
    bytes
}

/// A child that ended without an outcome was stopped by the system, or by the failure to allocate.
fn ended_badly(status: Option<ExitStatus>, complaints: &str, job: &Job) -> Outcome {
    if complaints.contains("memory allocation of") {
        return Outcome::failed(
            Cause::Program,
            format!(
                "out of memory: more than {} MB were needed (setting `relax.run.memoryLimitMb`)",
                job.limits.memory_mb
            ),
        );
    }
    let status = status.map_or_else(|| "unknown".to_owned(), |status| status.to_string());
    let last = complaints.lines().last().unwrap_or_default();
    Outcome::failed(
        Cause::Internal,
        format!("the process of the program ended without a result ({status}) {last}"),
    )
}
