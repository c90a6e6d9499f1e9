//! `relax-lsp dap`: a debugger for editors.

use std::process::ExitCode;

use clap::Args;

#[derive(Args)]
pub struct Dap {}

pub fn execute(_: &Dap) -> anyhow::Result<ExitCode> {
    let input = std::io::BufReader::new(std::io::stdin());
    crate::dap::serve(input, std::io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
