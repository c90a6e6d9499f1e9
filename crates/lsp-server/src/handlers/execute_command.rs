//! `workspace/executeCommand`: the table of commands. Runs and lowerings go to the session, which owns the child
//! processes. Viewing the values of a run and drawing a graph only need a snapshot.

use futures::FutureExt;
use futures::future::BoxFuture;
use lsp_types::{ExecuteCommandOptions, ExecuteCommandParams, ProgressToken, ServerCapabilities};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{
    cost, diff, follow, migrate, passes, record, release, run, show_graph, show_lowered, tensor,
    work_done,
};
use crate::capabilities::Client;
use crate::methods::{Progress, text};
use crate::session::{Event, Refusal, SessionHandle, Snapshot, Survey};

pub const RUN: &str = "relax.run";
/// Like `relax.run`, with the value of every binding.
pub const TRACE: &str = "relax.trace";

/// Runs a program of the user, and keeps what it makes with TVM.
pub const RECORD: &str = "relax.record";

pub struct Command {
    pub name: &'static str,
    pub progress: Option<Progress>,
    execute: fn(&SessionHandle, Call) -> CommandAnswer,
}

/// A command with the data that the client sends.
pub struct Call {
    pub command: &'static str,
    argument: Value,
    /// The client's own progress token, if it sent one.
    pub token: Option<ProgressToken>,
}

pub type CommandAnswer = BoxFuture<'static, Result<Value, Refusal>>;

pub const COMMANDS: &[Command] = &[
    // Runs show their own, more detailed progress.
    Command {
        name: RUN,
        progress: None,
        execute: run::answer,
    },
    Command {
        name: TRACE,
        progress: None,
        execute: run::answer,
    },
    Command {
        name: RECORD,
        progress: None,
        execute: record::answer,
    },
    Command {
        name: "relax.showLowered",
        progress: Some(Progress {
            title: show_lowered::TITLE,
            own: true,
        }),
        execute: show_lowered::answer,
    },
    Command {
        name: "relax.showGraph",
        progress: Some(Progress {
            title: "Drawing the graph",
            own: false,
        }),
        execute: |session, call| read(session, call, show_graph::answer),
    },
    Command {
        name: "relax.passes",
        progress: Some(COMPARING),
        execute: passes::answer,
    },
    Command {
        name: "relax.diff",
        progress: Some(COMPARING),
        execute: |session, call| survey(session, call, COMPARING, diff::answer),
    },
    Command {
        name: "relax.follow",
        progress: Some(COMPARING),
        execute: |session, call| survey(session, call, COMPARING, follow::answer),
    },
    Command {
        name: "relax.migrate",
        progress: Some(MIGRATING),
        execute: |session, call| survey(session, call, MIGRATING, migrate::answer),
    },
    Command {
        name: "relax.cost",
        progress: Some(Progress {
            title: cost::TITLE,
            own: true,
        }),
        execute: cost::answer,
    },
    Command {
        name: "relax.release",
        progress: None,
        execute: |session, call| read(session, call, release::answer),
    },
    // Shows a tensor that a run kept.
    Command {
        name: "relax.tensor",
        progress: None,
        execute: |session, call| read(session, call, tensor::answer),
    },
];

/// The progress of commands that compare modules.
const COMPARING: Progress = Progress {
    title: passes::TITLE,
    own: true,
};

const MIGRATING: Progress = Progress {
    title: "Migrating",
    own: true,
};

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    capabilities.execute_command_provider = Some(ExecuteCommandOptions {
        commands: COMMANDS.iter().map(|it| it.name.to_owned()).collect(),
        work_done_progress_options: work_done(),
    });
}

pub fn answer(
    session: &SessionHandle,
    params: ExecuteCommandParams,
) -> impl Future<Output = Result<String, Refusal>> + Send + use<> {
    let answer = execute(session, params).unwrap_or_else(refused);
    async move { text(&answer.await?) }
}

fn execute(
    session: &SessionHandle,
    params: ExecuteCommandParams,
) -> Result<CommandAnswer, Refusal> {
    let name = params.command;
    let unknown = || Refusal::Invalid(format!("there is no command `{name}`"));
    let command = COMMANDS
        .iter()
        .find(|it| it.name == name)
        .ok_or_else(unknown)?;
    let [argument] = <[Value; 1]>::try_from(params.arguments).map_err(|given| {
        Refusal::Invalid(format!("`{name}` takes one argument, not {}", given.len()))
    })?;
    let token = params.work_done_progress_params.work_done_token;
    let call = Call {
        command: command.name,
        argument,
        token,
    };
    Ok((command.execute)(session, call))
}

impl Call {
    /// Parses the only argument of a command.
    pub fn argument<A: DeserializeOwned>(&mut self) -> Result<A, Refusal> {
        let argument = serde_json::from_value(self.argument.take());
        argument.map_err(|error| {
            Refusal::Invalid(format!("the argument of `{}`: {error}", self.command))
        })
    }
}

/// Sends a command to the session. Dropping the answer, as `$/cancelRequest` does, cancels the work.
pub fn hand_over<R: Send + 'static>(
    session: &SessionHandle,
    event: impl FnOnce(CancellationToken, oneshot::Sender<R>) -> Event,
) -> BoxFuture<'static, Result<R, Refusal>> {
    let (reply, answer) = oneshot::channel();
    let cancelled = CancellationToken::new();
    let guard = cancelled.clone().drop_guard();
    session.send(event(cancelled, reply));
    async move {
        let _guard = guard;
        answer.await.map_err(|_| Refusal::Failed)
    }
    .boxed()
}

/// Answers a command from a snapshot.
fn read<A: DeserializeOwned + Send + 'static>(
    session: &SessionHandle,
    mut call: Call,
    answer: fn(&Snapshot, A) -> Result<Value, Refusal>,
) -> CommandAnswer {
    match call.argument() {
        Ok(argument) => session.read(argument, answer).boxed(),
        Err(refusal) => refused(refusal),
    }
}

/// Answers a command that reads files, as the editor has them.
fn survey<A: DeserializeOwned + Send + 'static>(
    session: &SessionHandle,
    mut call: Call,
    progress: Progress,
    answer: fn(Survey, A) -> Result<Value, Refusal>,
) -> CommandAnswer {
    let argument = match call.argument() {
        Ok(argument) => argument,
        Err(refusal) => return refused(refusal),
    };
    let title = call.token.is_none().then_some(progress.title);
    let found = session.survey(title, argument, answer);
    async move { found.await? }.boxed()
}

pub fn refused(refusal: Refusal) -> CommandAnswer {
    std::future::ready(Err(refusal)).boxed()
}
