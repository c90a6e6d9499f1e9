//! The sequence as JSON.

use ide::difference::Difference;
use ide::passes::Sequence;
use serde_json::{Value, json};

use super::run::Runs;
use crate::compilation::dumps::Dump;

pub fn render(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>) -> Value {
    let stages = 0..sequence.stages.len();
    let mut object = json!({
        "stages": stages.map(|at| stage(sequence, dumps, at)).collect::<Vec<_>>(),
        "first_ill_formed": sequence.first_ill_formed(),
    });
    if let Some(runs) = runs {
        object["run"] = runs.to_json(dumps);
    }
    object
}

fn stage(sequence: &Sequence, dumps: &[Dump], at: usize) -> Value {
    let (stage, step) = (&sequence.stages[at], &sequence.steps[at]);
    let figures = &stage.figures;
    let functions = match sequence.before(at) {
        Some(before) => {
            let (old, new) = (&before.snapshot, &stage.snapshot);
            Difference::described(&step.difference, old, new).functions
        }
        None => Vec::new(),
    };
    let changed = functions
        .iter()
        .filter(|it| it.outcome.name() != "unchanged")
        .map(|it| {
            let name = |place: &Option<ide::difference::Place>| {
                place.as_ref().map(|place| place.name.clone())
            };
            json!({
                "before": name(&it.before),
                "after": name(&it.after),
                "outcome": it.outcome.name(),
                "functions": it.outcome.functions(),
                "changes": it.changes.len(),
            })
        });
    let errors = stage.errors.iter().map(|it| {
        let (line, col) = dumps[at].lines.line_col(it.range.start());
        json!({"code": it.code, "line": line, "col": col, "message": it.message})
    });
    json!({
        "path": dumps[at].path.to_string_lossy().replace('\\', "/"),
        "pass": stage.pass,
        "seconds": dumps[at].seconds,
        "parent": step.parent,
        "before": step.before,
        "partial": step.is_partial,
        "unchanged": sequence.is_idle(at),
        "relax_functions": figures.relax_functions,
        "prim_funcs": figures.prim_funcs,
        "bindings": figures.bindings,
        "operators": figures.operators,
        "calls": figures.calls,
        "storages": figures.storages,
        "planned_bytes": figures.planned.as_ref().map(ToString::to_string),
        "changed": changed.collect::<Vec<_>>(),
        "errors": errors.collect::<Vec<_>>(),
    })
}
