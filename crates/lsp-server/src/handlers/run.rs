//! `relax.run` and `relax.trace`

use super::execute_command::{Call, CommandAnswer, TRACE, hand_over, refused};
use crate::session::{Event, RunCall, SessionHandle};

pub fn answer(session: &SessionHandle, mut call: Call) -> CommandAnswer {
    let arguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let run = move |cancelled, reply| {
        Event::Run(RunCall {
            arguments,
            trace: call.command == TRACE,
            token: call.token,
            cancelled,
            reply,
        })
    };
    hand_over(session, run)
}
