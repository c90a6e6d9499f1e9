//! `relax.showLowered`: what a function, or every one of a file, becomes on its way to the virtual machine.

use ide::Cancellable;
use serde_json::{Value, json};
use vm::listing::Stage;

use super::execute_command::LowerArguments;
use crate::line_index::Lines;
use crate::lowered::{Wanted, listing, stage_named};
use crate::session::Snapshot;

/// A question, with what it takes to answer it without the session.
pub struct Question {
    wanted: Wanted,
    lines: Lines,
}

/// Takes the text out of the snapshot: lowering is too long to keep one.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a question to a snapshot may be cancelled"
)]
pub fn question(
    snapshot: &Snapshot,
    params: LowerArguments,
) -> Cancellable<Result<Question, String>> {
    let Some(document) = snapshot.document(&params.uri) else {
        return Ok(Err(format!(
            "`{}` is not open, or holds no TVMScript",
            params.uri.as_str()
        )));
    };
    let stage = match params.stage.as_deref().map(stage_named) {
        None => Stage::default(),
        Some(Ok(stage)) => stage,
        Some(Err(why)) => return Ok(Err(why)),
    };
    Ok(Ok(Question {
        wanted: Wanted {
            text: document.lines.text().clone(),
            dialect: snapshot.config.dialect,
            function: params.function,
            line: params.line,
            stage,
        },
        lines: document.lines.clone(),
    }))
}

/// The text of a stage with its language, and where each of its lines comes from; or why there is none.
pub fn answer(question: &Question) -> Result<Value, String> {
    let stage = question.wanted.stage;
    let listing = listing(&question.wanted)?;
    let links: Vec<Value> = listing
        .lines
        .iter()
        .map(|(line, range)| json!({"line": line, "range": question.lines.to_range(*range)}))
        .collect();
    let language = match stage {
        Stage::Bytecode => "relax-bytecode",
        Stage::Normalized | Stage::ExplicitMemory | Stage::ShapeLowered => "python",
    };
    Ok(json!({
        "text": listing.text,
        "language": language,
        "stage": stage.name(),
        "links": links,
    }))
}
