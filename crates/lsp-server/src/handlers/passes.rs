//! `relax.passes`: the stages of a compilation, from a folder of dumps.

use ide::difference::Difference;
use ide::passes::Sequence;
use lsp_types::Uri;
use serde::Deserialize;
use serde_json::{Value, json};
use text_size::TextRange;

use crate::compilation::dumps;
use crate::line_index::Lines;
use crate::session::{Refusal, Survey};
use crate::uri;

#[derive(Debug, Deserialize)]
pub struct PassesArguments {
    /// A folder.
    pub uri: Uri,
}

pub fn answer(mut survey: Survey, arguments: PassesArguments) -> Result<Value, Refusal> {
    let Some(folder) = uri::path(&arguments.uri) else {
        let uri = arguments.uri.as_str();
        let why = format!("`{uri}` is no folder of this machine");
        return Err(Refusal::Impossible(why));
    };
    let read = dumps::read(&[folder], &survey.files());
    if !survey.go_on() {
        return Err(Refusal::Cancelled);
    }
    let (dumps, stages) = read.map_err(|error| Refusal::Impossible(format!("{error:#}")))?;
    let sequence = Sequence::of(stages);
    let lines = sequence.stages.iter();
    let answer = SequenceAnswer {
        lines: lines
            .map(|it| Lines::new(it.snapshot.text.clone(), survey.client.encoding))
            .collect(),
        uris: dumps.iter().map(|it| uri::of_path(&it.path)).collect(),
        seconds: dumps.iter().map(|it| it.seconds).collect(),
        sequence,
    };
    let stages = 0..answer.sequence.stages.len();
    Ok(json!({
        "uri": arguments.uri,
        "stages": stages.map(|at| answer.stage(at)).collect::<Vec<_>>(),
        "firstIllFormed": answer.sequence.first_ill_formed(),
    }))
}

struct SequenceAnswer {
    sequence: Sequence,
    /// One for each stage.
    lines: Vec<Lines>,
    uris: Vec<Option<Uri>>,
    seconds: Vec<Option<f64>>,
}

impl SequenceAnswer {
    fn stage(&self, at: usize) -> Value {
        let (stage, step) = (&self.sequence.stages[at], &self.sequence.steps[at]);
        let figures = &stage.figures;
        let lines = &self.lines[at];
        let errors = stage.errors.iter().map(
            |it| json!({"code": it.code, "message": it.message, "range": lines.to_range(it.range)}),
        );
        json!({
            "uri": self.uris[at],
            "label": stage.label,
            "pass": stage.pass,
            "seconds": self.seconds[at],
            "parent": step.parent,
            "before": step.before,
            "partial": step.is_partial,
            "unchanged": self.sequence.is_idle(at),
            "summary": self.sequence.summary(at),
            "relaxFunctions": figures.relax_functions,
            "primFuncs": figures.prim_funcs,
            "bindings": figures.bindings,
            "operators": figures.operators,
            "calls": figures.calls,
            "storages": figures.storages,
            "plannedBytes": figures.planned.as_ref().map(ToString::to_string),
            "changed": self.changed(at),
            "errors": errors.collect::<Vec<_>>(),
        })
    }

    /// The functions that a pass changed.
    fn changed(&self, at: usize) -> Vec<Value> {
        let (stage, step) = (&self.sequence.stages[at], &self.sequence.steps[at]);
        let Some(before) = step.before else {
            return Vec::new();
        };
        let old = &self.sequence.stages[before].snapshot;
        let difference = Difference::described(&step.difference, old, &stage.snapshot);
        let side = |name: &str, range: TextRange, at: usize| json!({"name": name, "range": self.lines[at].to_range(range)});
        let functions = difference.functions.iter();
        functions
            .filter(|it| it.outcome.name() != "unchanged")
            .map(|it| {
                json!({
                    "outcome": it.outcome.name(),
                    "functions": it.outcome.functions(),
                    "before": it.before.as_ref().map(|it| side(&it.name, it.range, before)),
                    "after": it.after.as_ref().map(|it| side(&it.name, it.range, at)),
                    "changes": it.changes.len(),
                })
            })
            .collect()
    }
}
