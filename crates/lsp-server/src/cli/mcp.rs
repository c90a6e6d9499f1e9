//! `relax-lsp mcp`: the subcommands as tools of the Model Context Protocol, over standard input and output.
//!
//! A thin layer: each call starts this program with the arguments of its row, and returns what it prints.

mod input;
mod roots;
mod tools;

use std::path::PathBuf;
use std::process::{ExitCode, Output};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tokio_util::sync::CancellationToken;

use crate::children;
use crate::exit::COULD_NOT_RUN;
use input::Input;
use roots::Roots;
use tools::{Row, TOOLS};

/// The time limit of a call.
const TIME_LIMIT: Duration = Duration::from_mins(10);

const INSTRUCTIONS: &str = "Tools for Relax, the graph-level IR of Apache TVM, written as TVMScript in Python files. \
    Check a program before you hand it over; run a function to see its values; no TVM is needed.";

#[derive(Args)]
pub struct Mcp {
    /// The folders whose TVMScript may be read; by default those that the client shares as its roots, or else the
    /// working folder
    roots: Vec<PathBuf>,
}

pub fn execute(command: &Mcp) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let over = CancellationToken::new();
        let server = Server {
            roots: command.roots.clone(),
            over: over.clone(),
        };
        let stdin = tokio::io::stdin();
        let pipes = (Input { stdin, over }, tokio::io::stdout());
        let service = server.serve(pipes).await?;
        service.waiting().await?;
        anyhow::Ok(())
    })?;
    // A thread may still be waiting for standard input, which would keep the runtime alive.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

struct Server {
    roots: Vec<PathBuf>,
    /// Cancelled when the client has gone.
    over: CancellationToken,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let name = Implementation::new("relax-lsp", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(tool).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let row = TOOLS.iter().find(|row| row.name == request.name);
        let row = row.ok_or_else(|| {
            ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None)
        })?;
        let arguments = request.arguments.unwrap_or_default();
        let called = async {
            let roots = Roots::of(&self.roots, &context.peer).await?;
            call(row, &arguments, &roots, &context.ct).await
        };
        // Dropping a call kills its process.
        let called = tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(anyhow!("cancelled")),
            () = self.over.cancelled() => Err(anyhow!("the input has ended")),
            called = called => called,
        };
        let result = match called {
            Ok(output) => tool_result(&output),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(format!("{error:#}"))]),
        };
        Ok(result.into())
    }
}

fn tool(row: &Row) -> Tool {
    let annotations = ToolAnnotations::with_title(row.title).read_only(true);
    Tool::new(row.name, row.doc, row.schema()).with_annotations(annotations)
}

/// Returns the output of a row's subcommand.
async fn call(
    row: &Row,
    arguments: &serde_json::Map<String, serde_json::Value>,
    roots: &Roots,
    cancelled: &CancellationToken,
) -> anyhow::Result<Output> {
    let folder = tempfile::tempdir()?;
    let arguments = row.arguments(arguments, folder.path(), roots)?;
    let _slot = children::slot(cancelled).await.context("cancelled")?;
    let mut command = children::this_program()?;
    command.arg("--lease").args(arguments);
    let ended = tokio::time::timeout(TIME_LIMIT, children::output(command)).await;
    Ok(ended.context("it took longer than ten minutes and was stopped")??)
}

fn tool_result(output: &Output) -> CallToolResult {
    let [mut said, complaint] =
        [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    if !complaint.is_empty() {
        said = format!("{said}{complaint}");
    }
    let content = vec![ContentBlock::text(said)];
    // Reported problems and errors of the program that was run are answers, not failures.
    let failed = output
        .status
        .code()
        .is_none_or(|it| it == i32::from(COULD_NOT_RUN));
    if failed {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    }
}
