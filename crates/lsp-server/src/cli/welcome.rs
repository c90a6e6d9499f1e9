//! The output of `relax-lsp` alone in a terminal: an introduction.

use std::process::ExitCode;

use super::output;

const WELCOME: &str = concat!(
    "relax-lsp ",
    env!("CARGO_PKG_VERSION"),
    ", a language server and tools for Relax, the graph-level IR of Apache TVM

An editor starts the language server by itself, as `relax-lsp`. In a terminal, try:

  relax-lsp playground                       open a page with example programs in a browser
  relax-lsp check .                          report mistakes in the TVMScript of this folder
  relax-lsp check . --fix                    ... and apply the safe fixes
  relax-lsp run FILE.py::Module.main         run a function on generated inputs, without TVM
  relax-lsp run FILE.py --trace              ... and print the value of each binding
  relax-lsp migrate --to 0.27 --diff .       convert the files to another release of TVM
  relax-lsp explain shape-mismatch           explain a diagnostic
  relax-lsp doctor                           show what it finds: Python, TVM, settings, editors

All commands: relax-lsp --help
"
);

pub fn execute() -> anyhow::Result<ExitCode> {
    output::print_text(WELCOME)?;
    Ok(ExitCode::SUCCESS)
}
