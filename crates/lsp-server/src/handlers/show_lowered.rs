//! `relax.showLowered`: shows one or all functions of a file at a stage of lowering.

use futures::FutureExt;

use super::execute_command::{Call, CommandAnswer, hand_over, refused};
use crate::session::{Event, LowerCall, SessionHandle};

/// The title of its progress.
pub const TITLE: &str = "Lowering";

pub fn answer(session: &SessionHandle, mut call: Call) -> CommandAnswer {
    let arguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let lower = move |cancelled, reply| {
        Event::Lower(LowerCall {
            arguments,
            title: call.token.is_none().then_some(TITLE),
            cancelled,
            reply,
        })
    };
    let lowered = hand_over(session, lower);
    async move { Ok(lowered.await??) }.boxed()
}
