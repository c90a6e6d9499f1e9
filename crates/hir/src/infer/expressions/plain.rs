//! Converts plain Python values between the surrounding code and a function.

use relax::script::ScriptPath;
use relax::sinfo::Tensor;
use relax::sym::SymExpr;
use relax::value::Value;

use crate::enclosing::PyValue;

/// Returns a plain Python value, if it is one.
pub(in crate::infer) fn plain(value: &Value) -> Option<PyValue> {
    Some(match value {
        Value::Int(value) => PyValue::Int(*value),
        Value::Float(value) => PyValue::Float(*value),
        Value::Str(value) => PyValue::Str(value.clone()),
        Value::Bool(value) => PyValue::Bool(*value),
        Value::List(items) => PyValue::list(items.iter().map(plain).collect::<Option<Vec<_>>>()?),
        _ => return None,
    })
}

/// Returns a value of the enclosing Python code, as a value inside the function.
pub(in crate::infer) fn python_value(value: &PyValue) -> Value {
    match value {
        PyValue::Array { .. }
        | PyValue::Metadata(_)
        | PyValue::Unknown
        | PyValue::IrModule(_)
        | PyValue::Script(_)
        | PyValue::Macro(_)
        | PyValue::Helper(_)
        | PyValue::Lambda(_)
        | PyValue::Function(_)
        | PyValue::ShapeVar(_, _) => Value::Unknown,
        PyValue::Dict(entries) => Value::Dict(
            entries
                .iter()
                .map(|(key, value)| (python_value(key), python_value(value)))
                .collect(),
        ),
        PyValue::Const { dims, dtype } => {
            let dims: Vec<SymExpr> = dims.iter().copied().map(SymExpr::int).collect();
            Value::Expr(Tensor::new(dims, Some(*dtype)).into())
        }
        PyValue::None => Value::None,
        PyValue::Bool(value) => Value::Bool(*value),
        PyValue::Int(value) => Value::Int(*value),
        PyValue::Float(value) => Value::Float(*value),
        PyValue::Str(value) => Value::Str(value.clone()),
        PyValue::List(items) => items
            .value_in_function(|items| Value::List(items.iter().map(python_value).collect()))
            .clone(),
        PyValue::Path(path) => match ScriptPath::of_path(path) {
            Some(path) => Value::Script(path),
            // `import numpy as np`, in contrast to `from m import n`
            None if !path.contains('.') => Value::PythonModule,
            None => Value::Unknown,
        },
    }
}
