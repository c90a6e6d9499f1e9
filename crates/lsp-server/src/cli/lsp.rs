//! `relax-lsp lsp`: the server on standard input and output.

use std::process::ExitCode;

use super::STACK;
use crate::server::{self, Ended};
use clap::Args;

#[derive(Args, Default)]
pub struct Lsp {
    /// Accepted because editors pass it: the server always speaks over standard input and output
    #[arg(long)]
    stdio: bool,
    /// Accepted because editors pass it: the server ends when its standard input does
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client_process_id: Option<u32>,
}

pub fn execute() -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .build()?;
    let ended = runtime.block_on(server::serve(tokio::io::stdin(), tokio::io::stdout()));
    // Standard input may still be open, with a thread waiting on it that would keep the runtime.
    runtime.shutdown_background();
    Ok(match ended {
        Ended::AfterShutdown => ExitCode::SUCCESS,
        Ended::Abruptly => ExitCode::FAILURE,
    })
}
