//! `relax-lsp run`

use std::process::ExitCode;

use clap::Args;

#[derive(Args)]
pub struct Run {}

pub fn execute(_: Run) -> anyhow::Result<ExitCode> {
    anyhow::bail!("nothing to run on")
}
