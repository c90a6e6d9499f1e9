//! `relax-lsp completions` and `relax-lsp man`: shell completions and the manual page of the command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use super::Arguments;
use super::output::{self, Output};
use crate::whole_file;

#[derive(Args)]
pub struct Completions {
    /// The shell to print completions for
    shell: Shell,
}

#[derive(Args)]
pub struct Man {
    /// The command whose page is printed; without one, the page of the whole program
    command: Option<String>,
    /// Write the pages of all commands to DIR instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

pub fn completions(command: &Completions) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(
        command.shell,
        &mut Arguments::command(),
        "relax-lsp",
        &mut text,
    );
    output::print(&Output::Program(String::from_utf8(text)?))?;
    Ok(ExitCode::SUCCESS)
}

pub fn man(man: &Man) -> anyhow::Result<ExitCode> {
    let mut program = Arguments::command();
    if let Some(folder) = &man.out {
        let cannot = || format!("cannot write to `{}`", folder.display());
        std::fs::create_dir_all(folder).with_context(cannot)?;
        let mut program = program.disable_help_subcommand(true);
        program.build();
        write_pages(program, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(name) = &man.command {
        program.build();
        let command = program.find_subcommand(name);
        program = command
            .with_context(|| format!("there is no command `{name}`"))?
            .clone();
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(program).render(&mut text)?;
    output::print(&Output::Program(String::from_utf8(text)?))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages of a command and of those below it.
fn write_pages(command: Command, folder: &Path) -> anyhow::Result<()> {
    for below in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        write_pages(below.clone(), folder)?;
    }
    let page = clap_mangen::Man::new(command);
    let path = folder.join(page.get_filename());
    Ok(whole_file::write_with(&path, |mut file| {
        page.render(&mut file)
    })?)
}
