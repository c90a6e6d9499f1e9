//! The command line: subcommands and their arguments. Each subcommand has its own file.

mod check;
mod colour;
mod cost;
mod dap;
mod diff;
mod doctor;
mod explain;
mod facts;
mod fmt;
mod graph;
mod help;
mod lower;
mod lsp;
mod mcp;
mod migrate;
mod origin;
mod output;
mod passes;
mod playground;
mod progress;
mod record;
mod reduce;
mod report;
mod run;
mod shell;
mod table;
mod target;
mod translate;
mod tree;
mod verify;
mod welcome;
mod worker;

pub use output::complain;
pub use run::result_text;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Language server and tools for Relax, the graph-level IR of Apache TVM, written as TVMScript.
#[derive(Parser)]
#[command(name = "relax-lsp", version, about, max_term_width = 100)]
struct Arguments {
    /// End when standard input is closed, as a child of another `relax-lsp`
    #[arg(long = "lease", hide = true)]
    is_leased: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serve an editor over standard input and output (the default)
    Lsp(lsp::Lsp),
    /// Report the errors in files and directories
    Check(check::Check),
    /// Explain the code of a diagnostic, or list all codes
    Explain(explain::Explain),
    /// Format TVMScript as TVM prints it
    Fmt(fmt::Fmt),
    /// Report operations, bytes and planned memory, without a run
    Cost(cost::Cost),
    /// Compare two modules by what they compute, whatever the names
    Diff(diff::Diff),
    /// Report which Python, TVM, settings and editors are found
    Doctor(doctor::Doctor),
    /// Print everything inferred about a file as JSON
    Facts(facts::Facts),
    /// Draw dataflow graphs: a page, Graphviz, Model Explorer
    Graph(graph::GraphCommand),
    /// Run a function on the built-in virtual machine
    Run(run::Run),
    /// Debug functions for an editor: the Debug Adapter Protocol
    Dap(dap::Dap),
    /// Print a function at a stage of lowering
    Lower(lower::Lower),
    /// Convert files to another release of TVM
    Migrate(migrate::Migrate),
    /// Serve agents: the Model Context Protocol
    Mcp(mcp::Mcp),
    /// Print completions for a shell
    Completions(shell::Completions),
    /// Print the manual page, as `man -l -` reads it
    Man(shell::Man),
    /// Try a program in a browser
    Playground(playground::Playground),
    /// Show what each pass changed, and which one broke the module
    Passes(passes::Passes),
    /// Run a Python program, and record the modules that it builds
    Record(record::Record),
    /// Say which line or node a binding of a recording came from
    Origin(origin::OriginCommand),
    /// Compare an imported model with ONNX Runtime or PyTorch, node by node
    Verify(verify::Verify),
    /// Reduce a program to the part that still shows a problem
    Reduce(reduce::Reduce),
    /// Write what each pass changed as one HTML file
    Report(passes::report::Report),
    /// Translate a Relay text to Relax
    Translate(translate::Translate),
    /// Print the syntax tree of a file
    Tree(tree::Tree),
    /// Run the program that a parent `relax-lsp` sends over standard input
    #[command(hide = true)]
    Worker,
    /// Introduce this program, when it is started in a terminal without arguments
    #[command(skip)]
    Welcome,
}

impl Command {
    /// Returns `true` if the subcommand sets a memory limit with a message of its own.
    pub fn limits_memory(&self) -> bool {
        matches!(self, Command::Run(_))
    }
}

/// Parses the command line. Without a subcommand, an editor gets the server, and a person in a terminal the
/// introduction. The second value is `true` for a child of another `relax-lsp`.
pub fn parse() -> (Command, bool) {
    let person = || std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let matches = help::in_groups(Arguments::command()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let command = arguments.command.unwrap_or_else(|| {
        if person() {
            Command::Welcome
        } else {
            Command::Lsp(lsp::Lsp::default())
        }
    });
    (command, arguments.is_leased)
}

pub fn execute(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Lsp(command) => lsp::execute(&command),
        Command::Check(command) => check::execute(&command),
        Command::Explain(command) => explain::execute(&command),
        Command::Fmt(command) => fmt::execute(&command),
        Command::Cost(command) => cost::execute(&command),
        Command::Diff(command) => diff::execute(&command),
        Command::Doctor(command) => doctor::execute(&command),
        Command::Facts(command) => facts::execute(&command),
        Command::Graph(command) => graph::execute(&command),
        Command::Run(command) => run::execute(command),
        Command::Dap(command) => dap::execute(&command),
        Command::Lower(command) => lower::execute(&command),
        Command::Migrate(command) => migrate::execute(&command),
        Command::Mcp(command) => mcp::execute(&command),
        Command::Completions(command) => shell::completions(&command),
        Command::Man(command) => shell::man(&command),
        Command::Playground(command) => playground::execute(&command),
        Command::Passes(command) => passes::execute(&command),
        Command::Record(command) => record::execute(&command),
        Command::Origin(command) => origin::execute(&command),
        Command::Verify(command) => verify::execute(&command),
        Command::Reduce(command) => reduce::execute(&command),
        Command::Report(command) => passes::report::execute(&command),
        Command::Translate(command) => translate::execute(&command),
        Command::Tree(command) => tree::execute(&command),
        Command::Worker => worker::execute(),
        Command::Welcome => welcome::execute(),
    }
}
