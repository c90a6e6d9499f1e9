//! `relax-lsp completions` and `relax-lsp man`: shell completions and the manual page of the command line.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, output};

#[derive(Args)]
pub struct Completions {
    /// The shell to print completions for
    shell: Shell,
}

#[derive(Args)]
pub struct Man {}

pub fn completions(command: &Completions) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(
        command.shell,
        &mut Arguments::command(),
        "relax-lsp",
        &mut text,
    );
    output::print(&String::from_utf8(text)?)?;
    Ok(ExitCode::SUCCESS)
}

pub fn man(_: &Man) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut text)?;
    output::print(&String::from_utf8(text)?)?;
    Ok(ExitCode::SUCCESS)
}
