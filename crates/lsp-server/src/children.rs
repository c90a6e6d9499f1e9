//! The processes that work for this one: workers, subcommands for agents, programs in Python. Nothing else starts them.
//!
//! A child holds a lease, its standard input: it ends when that closes, which the system does however this process ends.
//! It is killed with all that it has started.

mod group;

use std::io::{self, Read};
use std::process::{self, Command, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::thread::{self, available_parallelism};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use crate::exit::COULD_NOT_RUN;

/// The maximum size of a child's answer, larger than any summary of outputs. The rest is dropped.
pub const MAX_ANSWER: u64 = 64 << 20;
/// The maximum size of what a child writes to standard error.
pub const MAX_ERRORS: u64 = 64 << 10;

/// The number of children that may compute at once, even on a machine with few processors.
const FEW: usize = 4;

/// Waits until another child may compute. Returns `None` if this is `cancelled` before.
pub async fn slot(cancelled: &CancellationToken) -> Option<SemaphorePermit<'static>> {
    static SLOTS: LazyLock<Semaphore> = LazyLock::new(|| {
        Semaphore::new(available_parallelism().map_or(FEW, |it| it.get().max(FEW)))
    });
    tokio::select! {
        biased;
        () = cancelled.cancelled() => None,
        slot = SLOTS.acquire() => slot.ok(),
    }
}

/// Returns the command that starts this program.
pub fn this_program() -> io::Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}

/// A child whose pipes are awaited. It is killed with all that it has started when this is dropped.
pub struct Child(tokio::process::Child);

pub struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

impl Child {
    pub fn start(mut command: Command) -> io::Result<(Child, Pipes)> {
        group::lead(&mut command);
        let mut child = tokio::process::Command::from(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("its process has no pipes"));
        };
        let pipes = Pipes {
            stdin,
            stdout,
            stderr,
        };
        Ok((Child(child), pipes))
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.0.wait().await
    }

    /// Kills it, and waits until it has ended.
    pub async fn end(&mut self) -> io::Result<()> {
        self.kill();
        self.0.wait().await.map(drop)
    }

    fn kill(&self) {
        // There is no id once it has been waited for.
        if let Some(id) = self.0.id() {
            group::kill(id);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a child until it ends, and returns the beginning of what it writes. It is killed if this future is dropped.
pub async fn output(command: Command) -> io::Result<Output> {
    let (mut child, pipes) = Child::start(command)?;
    let _lease = pipes.stdin;
    let (status, stdout, stderr) = tokio::join!(
        child.wait(),
        read_up_to(pipes.stdout, MAX_ANSWER),
        read_up_to(pipes.stderr, MAX_ERRORS),
    );
    Ok(Output {
        status: status?,
        stdout,
        stderr,
    })
}

/// Reads until the end, and returns the first `limit` bytes. After a read error, returns what was read before it.
pub async fn read_up_to(from: impl AsyncRead + Unpin, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut from = from.take(limit);
    let _ = from.read_to_end(&mut bytes).await;
    // A child that cannot write would wait for ever.
    let _ = tokio::io::copy(&mut from.into_inner(), &mut tokio::io::sink()).await;
    bytes
}

/// A child whose pipes block, for a subcommand. It is killed like a [`Child`], and so is what it leaves behind when it
/// ends by itself. `None` once it has been waited for.
pub struct BlockingChild(Option<process::Child>);

impl BlockingChild {
    pub fn start(mut command: Command) -> io::Result<(BlockingChild, process::ChildStdin)> {
        group::lead(&mut command);
        let mut child = command.stdin(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take();
        let child = BlockingChild(Some(child));
        let stdin = stdin.ok_or_else(|| io::Error::other("its process has no input"))?;
        Ok((child, stdin))
    }

    pub fn output(&mut self) -> Option<process::ChildStdout> {
        self.0.as_mut()?.stdout.take()
    }

    /// Kills it, and waits until it has ended.
    pub fn end(&mut self) {
        if let Some(mut child) = self.0.take() {
            group::kill(child.id());
            let _ = child.wait();
        }
    }
}

impl Drop for BlockingChild {
    fn drop(&mut self) {
        self.end();
    }
}

/// Runs a child until it ends, and returns what it writes to pipes. What it has started ends with it: otherwise that
/// would hold the pipes.
pub fn blocking_output(mut command: Command) -> io::Result<Output> {
    group::lead(&mut command);
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    let _lease = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let [stdout, stderr] = [
            scope.spawn(|| read_all(stdout)),
            scope.spawn(|| read_all(stderr)),
        ];
        let status = group::wait(&mut child)?;
        let [stdout, stderr] = [stdout, stderr].map(|it| it.join().unwrap_or_default());
        Ok(Output {
            status,
            stdout,
            stderr,
        })
    })
}

/// Returns what was read before an error.
fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

/// The side of a child: ends this process when its standard input, which is empty, is closed.
pub fn hold_lease() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        end_of_lease()
    });
}

/// Ends this process, because the one that started it has ended.
pub fn end_of_lease() -> ! {
    std::process::exit(COULD_NOT_RUN.into())
}
