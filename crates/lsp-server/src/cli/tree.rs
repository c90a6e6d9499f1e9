//! `relax-lsp tree`: the syntax tree of a file, one node or token a line with its place in bytes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::output;
use crate::sources;

#[derive(Args)]
pub struct Tree {
    /// The file
    file: PathBuf,
}

pub fn execute(command: &Tree) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.file)?;
    let parse = syntax::parse(&text);
    output::print(&format!("{:#?}", parse.syntax()))?;
    Ok(ExitCode::SUCCESS)
}
