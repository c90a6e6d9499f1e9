//! `relax-lsp`: the language server for Relax, and the same analysis on the command line.
//!
//! Reads as the program's shape: parse the command line, run one subcommand, exit with its code.

mod capabilities;
mod cli;
mod config;
mod connection;
mod from_proto;
mod handlers;
mod line_index;
mod logging;
mod outbox;
mod run;
mod server;
mod session;
mod to_proto;

use std::process::ExitCode;

fn main() -> ExitCode {
    let command = cli::parse();
    logging::start();
    match cli::execute(command) {
        Ok(code) => code,
        Err(error) => {
            cli::complain(&error);
            ExitCode::from(cli::COULD_NOT_RUN)
        }
    }
}
