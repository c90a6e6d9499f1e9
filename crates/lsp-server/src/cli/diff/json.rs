//! A difference as JSON.

use ide::difference::{Difference, FunctionChanges, Place, RowChange};
use serde_json::{Value, json};

use crate::compilation::sides::Side;

pub fn render(difference: &Difference, before: &Side, after: &Side) -> Value {
    let functions = difference.functions.iter();
    json!({
        "before": before.path,
        "after": after.path,
        "equal": difference.is_empty(),
        "functions": functions
            .map(|it| function(it, before, after))
            .collect::<Vec<_>>(),
    })
}

fn function(function: &FunctionChanges, before: &Side, after: &Side) -> Value {
    let changes = function.changes.iter();
    json!({
        "kind": function.kind.name(),
        "outcome": function.outcome.name(),
        "functions": function.outcome.functions(),
        "before": function.before.as_ref().map(|it| place(it, before)),
        "after": function.after.as_ref().map(|it| place(it, after)),
        "changes": changes.map(|it| change(it, before, after)).collect::<Vec<_>>(),
    })
}

fn change(change: &RowChange, before: &Side, after: &Side) -> Value {
    json!({
        "what": change.what,
        "before": change.before.as_ref().map(|it| place(it, before)),
        "after": change.after.as_ref().map(|it| place(it, after)),
        "parts": change.parts,
        "moved": change.moved,
    })
}

fn place(place: &Place, side: &Side) -> Value {
    let (line, col) = side.lines.line_col(place.range.start());
    json!({
        "name": place.name,
        "line": line,
        "col": col,
        "struct_info": place.struct_info,
        "text": place.line,
    })
}
