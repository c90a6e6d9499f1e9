//! A worker as a process: `relax-lsp` starts itself.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::WorkerResult;
use crate::children::{self, Child, MAX_ANSWER, MAX_ERRORS, read_up_to};

/// A worker process, which ends when this is dropped.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Its standard error, read in the background.
    complaints: JoinHandle<Vec<u8>>,
}

impl Worker {
    /// Waits until another worker may compute. Returns `None` if this is `cancelled` before.
    pub async fn slot(cancelled: &CancellationToken) -> Option<impl Sized> {
        children::slot(cancelled).await
    }

    pub fn start() -> io::Result<Worker> {
        let mut command = children::this_program()?;
        command.arg("worker");
        let (child, pipes) = Child::start(command)?;
        Ok(Worker {
            child,
            stdin: pipes.stdin,
            answers: BufReader::new(pipes.stdout),
            complaints: tokio::spawn(read_up_to(pipes.stderr, MAX_ERRORS)),
        })
    }

    /// Sends a task, and waits until the worker answers or ends. Standard input stays open, since its closing tells
    /// the worker that the parent has ended.
    pub(super) async fn converse(&mut self, mut task: Vec<u8>) -> Result<WorkerResult, String> {
        task.push(b'\n');
        let mut answer = Vec::new();
        let mut answers = (&mut self.answers).take(MAX_ANSWER);
        let (sent, _) = tokio::join!(
            async {
                self.stdin.write_all(&task).await?;
                self.stdin.flush().await
            },
            // After a read error, use what was read before it.
            answers.read_until(b'\n', &mut answer),
        );
        if sent.is_ok() && answer.ends_with(b"\n") {
            return Ok(WorkerResult {
                answer,
                complaints: String::new(),
                status: "running".to_owned(),
            });
        }
        let status = self.child.wait().await;
        let complaints = (&mut self.complaints).await.unwrap_or_default();
        Ok(WorkerResult {
            answer,
            complaints: String::from_utf8_lossy(&complaints).into_owned(),
            status: status.map_or_else(|_| "unknown".to_owned(), |status| status.to_string()),
        })
    }

    /// Returns `true` if the worker can take another task.
    pub fn is_alive(&mut self) -> bool {
        self.child.is_alive()
    }

    pub async fn end(&mut self) {
        if let Err(error) = self.child.end().await {
            debug!(%error, "a worker that has ended already");
        }
    }
}
