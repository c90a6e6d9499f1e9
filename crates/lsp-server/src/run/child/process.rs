//! A worker as a process: `relax-lsp` starts itself.

use std::io;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tracing::debug;

use super::WorkerResult;

/// The maximum size of an answer, larger than any summary of outputs. The rest is not read.
const MAX_ANSWER: u64 = 64 << 20;
const MAX_STDERR: u64 = 64 << 10;

/// A worker process, which is killed when this is dropped.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Its standard error, read in the background.
    complaints: JoinHandle<Vec<u8>>,
}

impl Worker {
    pub fn start() -> io::Result<Worker> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("its process has no pipes"));
        };
        Ok(Worker {
            child,
            stdin,
            answers: BufReader::new(stdout),
            complaints: tokio::spawn(read_up_to(stderr, MAX_STDERR)),
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
        matches!(self.child.try_wait(), Ok(None))
    }

    pub async fn end(&mut self) {
        if let Err(error) = self.child.kill().await {
            debug!(%error, "a worker that has ended already");
        }
    }
}

async fn read_up_to(from: impl AsyncRead + Unpin, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut from = from.take(limit);
    // After a read error, use what was read before it.
    let _ = from.read_to_end(&mut bytes).await;
    bytes
}
