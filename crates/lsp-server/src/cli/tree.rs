//! `relax-lsp tree`: prints the syntax tree of a file, one node or token per line with its byte range.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use ide::Language;

use super::output;
use crate::sources;

#[derive(Args)]
pub struct Tree {
    /// The file to parse
    file: PathBuf,
}

pub fn execute(command: &Tree) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.file)?;
    let tree = match sources::language(&command.file) {
        Language::Relay => format!("{:#?}", syntax::relay::parse(&text).syntax()),
        Language::Python | Language::Cell => format!("{:#?}", syntax::parse(&text).syntax()),
    };
    output::print_text(tree)?;
    Ok(ExitCode::SUCCESS)
}
