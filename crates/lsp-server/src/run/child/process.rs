//! A worker as a process: `relax-lsp` starts itself.

use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tracing::debug;

use super::WorkerResult;

/// More than any summary of outputs: what a child says beyond this is not read.
const MAX_ANSWER: u64 = 64 << 20;
const MAX_STDERR: u64 = 64 << 10;

/// Killed when it is dropped.
pub struct Worker(Child);

impl Worker {
    pub fn start() -> std::io::Result<Worker> {
        let child = Command::new(std::env::current_exe()?)
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        child.map(Worker)
    }

    /// Gives it a task, and waits until it ends.
    pub async fn converse(&mut self, mut task: Vec<u8>) -> Result<WorkerResult, String> {
        let Worker(child) = self;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("its process has no pipes".to_owned());
        };
        task.push(b'\n');
        // Standard input stays open until the end: the worker takes its closing for the parent's death.
        let (sent, answer, complaints) = tokio::join!(
            async {
                let sent = stdin.write_all(&task).await;
                (sent.and(stdin.flush().await), stdin)
            },
            read_up_to(stdout, MAX_ANSWER),
            read_up_to(stderr, MAX_STDERR),
        );
        let status = child.wait().await;
        drop(sent.1);
        Ok(WorkerResult {
            answer,
            complaints: String::from_utf8_lossy(&complaints).into_owned(),
            status: status.map_or_else(|_| "unknown".to_owned(), |status| status.to_string()),
        })
    }

    pub async fn end(&mut self) {
        if let Err(error) = self.0.kill().await {
            debug!(%error, "a worker that has ended already");
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
