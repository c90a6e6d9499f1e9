//! `relax.run` and `relax.trace`

use futures::FutureExt;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::execute_command::{Answer, Call, TRACE, refused};
use crate::session::{Event, Refusal, RunCall, SessionHandle};

pub fn answer(session: &SessionHandle, mut call: Call) -> Answer {
    let arguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let (reply, answer) = oneshot::channel();
    let cancelled = CancellationToken::new();
    // Dropped with the future, which is what `$/cancelRequest` does.
    let guard = cancelled.clone().drop_guard();
    session.tell(Event::Run(RunCall {
        arguments,
        trace: call.command == TRACE,
        token: call.token,
        cancelled,
        reply,
    }));
    async move {
        let _guard = guard;
        answer.await.map_err(|_| Refusal::Failed)
    }
    .boxed()
}
