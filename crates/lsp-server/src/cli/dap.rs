//! `relax-lsp dap`: a debugger for editors.

use std::process::ExitCode;

use clap::Args;
use tokio::io::BufReader;

use crate::connection::{Frames, MessageReader};

#[derive(Args)]
pub struct Dap {}

pub fn execute(_: &Dap) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut input = Frames::new(BufReader::new(tokio::io::stdin()));
    crate::dap::serve(|| runtime.block_on(input.next()), std::io::stdout());
    // A thread may still be waiting for standard input, which would keep the runtime alive.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}
