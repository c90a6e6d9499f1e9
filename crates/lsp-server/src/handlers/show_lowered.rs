//! `relax.showLowered`: what a function, or every one of a file, becomes on its way to the virtual machine.

use serde_json::{Value, json};
use vm::listing::Stage;

use super::execute_command::LowerArguments;
use crate::line_index::Lines;
use crate::lowered::{Lowered, stage_named};
use crate::run::job::{Limits, LowerJob};
use crate::session::Snapshot;

/// What a worker needs to lower, and what it takes to understand its answer.
pub struct Question {
    pub job: LowerJob,
    pub stage: Stage,
    pub lines: Lines,
}

pub fn question(snapshot: &Snapshot, params: LowerArguments) -> Result<Question, String> {
    let Some(document) = snapshot.document(&params.uri) else {
        let uri = params.uri.as_str();
        return Err(format!("`{uri}` is not open, or holds no TVMScript"));
    };
    let stage = match params.stage.as_deref() {
        None => Stage::default(),
        Some(name) => stage_named(name)?,
    };
    let config = &snapshot.config;
    Ok(Question {
        job: LowerJob {
            text: (&**document.lines.text()).into(),
            dialect: config.dialect.map(|dialect| dialect.name().to_owned()),
            function: params.function,
            line: params.line,
            stage: stage.name().to_owned(),
            limits: Limits::of(&config.run),
        },
        stage,
        lines: document.lines.clone(),
    })
}

/// The text of a stage with its language, and where each of its lines comes from.
pub fn answer(lowered: &Lowered, stage: Stage, lines: &Lines) -> Value {
    let links: Vec<Value> = lowered
        .lines()
        .map(|(line, range)| json!({"line": line, "range": lines.to_range(range)}))
        .collect();
    let language = match stage {
        Stage::Bytecode => "relax-bytecode",
        Stage::Normalized | Stage::ExplicitMemory | Stage::ShapeLowered => "python",
    };
    json!({
        "text": lowered.text,
        "language": language,
        "stage": stage.name(),
        "links": links,
    })
}
