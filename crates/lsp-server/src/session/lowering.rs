//! What functions become on their way to the virtual machine, for an editor: made in a child process, since a small
//! program may become a large one.

use lsp_types::NumberOrString;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{Event, Session};
use crate::handlers::execute_command::LowerArguments;
use crate::handlers::show_lowered::{self, Question};
use crate::outbox::while_it_lasts;
use crate::run::child::{self, NoAnswer};

/// A request to lower, as a handler hands it over.
pub struct LowerCall {
    pub arguments: LowerArguments,
    /// Whether the client shows the progress itself.
    pub shown: bool,
    /// Cancelled when the client takes the request back.
    pub cancelled: CancellationToken,
    pub reply: oneshot::Sender<Result<Value, NoAnswer>>,
}

impl Session {
    pub fn start_lowering(&mut self, call: LowerCall) {
        let asked = show_lowered::question(&self.snapshot(), call.arguments);
        let Question { job, stage, lines } = match asked {
            Ok(question) => question,
            Err(why) => {
                let _ = call.reply.send(Err(NoAnswer::Refused(why)));
                return;
            }
        };
        self.works += 1;
        let token = NumberOrString::String(format!("relax-lsp/lowering/{}", self.works));
        let number = self.active.add(token.clone(), call.cancelled.clone());
        let may_show = self.client.progress && !call.shown;
        let outbox = may_show.then(|| self.outbox.clone());
        let events = self.events.clone();
        self.runtime.spawn(async move {
            let lowered = child::lower(job, &call.cancelled);
            let lowered = while_it_lasts(outbox, token, "Lowering", true, lowered).await;
            let answer = lowered.map(|it| show_lowered::answer(&it, stage, &lines));
            let _ = call.reply.send(answer);
            let _ = events.send(Event::Over(number));
        });
    }
}
