//! `relax-lsp lsp`: the server on standard input and output.

use std::process::ExitCode;

use clap::Args;
use tokio::io::BufReader;
use tokio_util::sync::CancellationToken;

#[cfg(unix)]
use crate::connection::wait_until_closed;
use crate::connection::{FrameWriter, Frames};
use crate::memory::STACK;
use crate::server::{self, Ended};

#[derive(Args, Default)]
pub struct Lsp {
    /// Accepted because editors pass it; the server always uses standard input and output
    #[arg(long)]
    stdio: bool,
    /// The process id of the editor; the server ends when the editor ends
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client_process_id: Option<u32>,
}

pub fn execute(command: &Lsp) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .build()?;
    let input = Frames::new(BufReader::new(tokio::io::stdin()));
    let output = FrameWriter(tokio::io::stdout());
    let gone = CancellationToken::new();
    #[cfg(unix)]
    {
        let gone = gone.clone();
        std::thread::spawn(move || {
            if wait_until_closed().is_ok() {
                gone.cancel();
            }
        });
    }
    let ended = runtime.block_on(server::serve(
        input,
        output,
        command.client_process_id,
        gone,
    ));
    // A thread may still be waiting for standard input, which would keep the runtime alive.
    runtime.shutdown_background();
    Ok(match ended {
        Ended::AfterShutdown => ExitCode::SUCCESS,
        Ended::Abruptly => ExitCode::FAILURE,
    })
}
