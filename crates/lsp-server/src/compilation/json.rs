//! Comparisons and stages as JSON in snake case, which editors get in camel case. The caller chooses the format of
//! positions: line and column, or a range of the protocol.

use ide::Diagnostic;
use ide::difference::{Difference, FunctionChanges, Place, RowChange};
use ide::passes::Sequence;
use serde_json::{Map, Value, json};
use text_size::TextRange;

use crate::line_index::LineColumns;

/// Returns the fields for a range of a text.
pub type Locate<'a> = dyn Fn(TextRange) -> Value + 'a;

pub fn difference(difference: &Difference, before: &Locate<'_>, after: &Locate<'_>) -> Value {
    let functions = difference.functions.iter();
    json!({
        "equal": difference.is_empty(),
        "functions": functions.map(|it| function(it, before, after)).collect::<Vec<_>>(),
    })
}

fn function(function: &FunctionChanges, before: &Locate<'_>, after: &Locate<'_>) -> Value {
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

fn change(change: &RowChange, before: &Locate<'_>, after: &Locate<'_>) -> Value {
    json!({
        "what": change.what,
        "before": change.before.as_ref().map(|it| place(it, before)),
        "after": change.after.as_ref().map(|it| place(it, after)),
        "parts": change.parts,
        "moved": change.moved,
    })
}

/// Converts a function or a row of one side.
pub fn place(place: &Place, locate: &Locate<'_>) -> Value {
    let named = json!({
        "name": place.name,
        "struct_info": place.struct_info,
        "text": place.line,
    });
    with(named, locate(place.range))
}

/// How the stages of a sequence are written.
pub struct StageFormat<'a> {
    pub sequence: &'a Sequence,
    /// Converts a function of a stage.
    pub function: &'a dyn Fn(&Place, usize) -> Value,
    /// Converts the range of an error in a stage.
    pub locate: &'a dyn Fn(TextRange, usize) -> Value,
}

impl StageFormat<'_> {
    /// Converts a stage whose step is known.
    pub fn stage(&self, at: usize) -> Value {
        let sequence = self.sequence;
        let (stage, step) = (&sequence.stages[at], &sequence.steps[at]);
        let figures = &stage.figures;
        let error = |it: &Diagnostic| {
            let mistake = json!({"code": it.code, "message": it.message});
            with(mistake, (self.locate)(it.range, at))
        };
        json!({
            "pass": stage.pass,
            "parent": sequence.parents()[at],
            "before": step.before,
            "partial": step.is_partial,
            "unchanged": sequence.is_idle(at),
            "summary": sequence.summary(at),
            "relax_functions": figures.relax_functions,
            "prim_funcs": figures.prim_funcs,
            "bindings": figures.bindings,
            "operators": figures.operators,
            "calls": figures.calls,
            "storages": figures.storages,
            "planned_bytes": figures.planned.as_ref().map(ToString::to_string),
            "changed": self.changed(at),
            "errors": stage.errors.iter().map(error).collect::<Vec<_>>(),
            "warnings": stage.warnings.iter().map(error).collect::<Vec<_>>(),
        })
    }

    /// Converts the functions that a pass changed.
    fn changed(&self, at: usize) -> Vec<Value> {
        let Some(before) = self.sequence.steps[at].before else {
            return Vec::new();
        };
        let difference = self.sequence.difference(at);
        let functions = difference.functions.iter();
        let changed = functions.filter(|it| it.outcome.name() != "unchanged");
        changed
            .map(|it| {
                json!({
                    "before": it.before.as_ref().map(|it| (self.function)(it, before)),
                    "after": it.after.as_ref().map(|it| (self.function)(it, at)),
                    "outcome": it.outcome.name(),
                    "functions": it.outcome.functions(),
                    "changes": it.changes.len(),
                })
            })
            .collect()
    }
}

/// Converts a range to lines and columns, starting at 1.
pub fn line_and_column(lines: &LineColumns, range: TextRange) -> Value {
    let (line, col) = lines.line_col(range.start());
    json!({"line": line, "col": col})
}

/// Adds the fields of another object to an object.
pub fn with(mut object: Value, fields: Value) -> Value {
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields);
    }
    object
}

/// Converts the field names to camel case, as editor protocols use them.
pub fn in_camel_case(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(in_camel_case).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields = fields.map(|(name, value)| (camel_case(&name), in_camel_case(value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        plain => plain,
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|it| it.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}
