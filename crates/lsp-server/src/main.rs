//! `relax-lsp`: the language server for Relax, and the same analysis on the command line.
//!
//! Parses the command line, runs one subcommand, and exits with its code. Built for a browser, it is only the server
//! (`browser`).
#![cfg_attr(
    target_family = "wasm",
    allow(
        dead_code,
        unused_imports,
        reason = "the command line uses more of each module"
    )
)]

#[cfg(target_family = "wasm")]
mod browser;
mod capabilities;
#[cfg(not(target_family = "wasm"))]
mod children;
#[cfg(not(target_family = "wasm"))]
mod cli;
#[cfg(not(target_family = "wasm"))]
mod client_process;
mod compilation;
mod config;
mod connection;
#[cfg(not(target_family = "wasm"))]
mod dap;
mod documents;
mod exit;
mod handlers;
mod html;
mod line_difference;
mod line_index;
#[cfg(not(target_family = "wasm"))]
mod logging;
mod memory;
mod methods;
mod migration;
mod outbox;
mod pages;
mod path_inside;
#[cfg(not(target_family = "wasm"))]
mod playground;
mod regular_file;
mod run;
mod scratch;
mod server;
mod session;
mod sources;
mod targets;
mod tasks;
mod to_proto;
mod uri;
#[cfg(not(target_family = "wasm"))]
mod whole_file;
mod workspace;

#[cfg(not(target_family = "wasm"))]
use std::process::ExitCode;

#[cfg(not(target_family = "wasm"))]
fn main() -> ExitCode {
    let (command, is_leased) = cli::parse();
    if is_leased {
        children::hold_lease();
        if !command.limits_memory() {
            run::limits::limit_memory_to_available();
        }
    }
    logging::start();
    if matches!(command, cli::Command::Lsp(_) | cli::Command::Playground(_)) {
        memory::share_heap();
    }
    if matches!(command, cli::Command::Diff(_)) {
        memory::grow_in_large_steps();
    }
    // The size of the main thread's stack depends on the system.
    let work = std::thread::Builder::new()
        .stack_size(memory::STACK)
        .spawn(|| cli::execute(command));
    let result = match work {
        Ok(thread) => thread
            .join()
            .unwrap_or_else(|_| Err(anyhow::anyhow!("this is a fault of relax-lsp itself"))),
        Err(error) => Err(error.into()),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            cli::complain(&error);
            ExitCode::from(exit::COULD_NOT_RUN)
        }
    }
}

/// Callers use `browser` instead.
#[cfg(target_family = "wasm")]
fn main() {}
