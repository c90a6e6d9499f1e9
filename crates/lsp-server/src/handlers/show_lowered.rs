//! `relax.showLowered`: what a function, or every one of a file, becomes on its way to the virtual machine.

use futures::FutureExt;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::execute_command::{Answer, Call, refused};
use crate::run::child::WorkerError;
use crate::session::{Event, LowerCall, Refusal, SessionHandle};

/// What its progress is called.
pub const TITLE: &str = "Lowering";

pub fn answer(session: &SessionHandle, mut call: Call) -> Answer {
    let arguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let (reply, answer) = oneshot::channel();
    let cancelled = CancellationToken::new();
    let guard = cancelled.clone().drop_guard();
    session.tell(Event::Lower(LowerCall {
        arguments,
        title: call.token.is_none().then_some(TITLE),
        cancelled,
        reply,
    }));
    async move {
        let _guard = guard;
        let lowered = answer.await.map_err(|_| Refusal::Failed)?;
        lowered.map_err(|why| match why {
            WorkerError::Cancelled => Refusal::Cancelled,
            WorkerError::Refused(why) | WorkerError::Broken(why) => Refusal::Impossible(why),
        })
    }
    .boxed()
}
