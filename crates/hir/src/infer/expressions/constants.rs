//! `R.const`: the accepted values, their bounds, and the floats that TVM prints as strings.

use relax::diagnostics::{Code, Severity};
use relax::dtype::DType;
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::infer::Infer;
use crate::infer::expressions::python_operators::is_relax_only;

impl Infer<'_> {
    /// Returns `true` if `R.const` accepts the value. Reports it otherwise.
    pub(in crate::infer) fn check_constant(
        &mut self,
        operand: ExprId,
        value: &Value,
        dtype: Option<DType>,
    ) -> bool {
        let is_tuple = matches!(self.body.exprs[operand], Expr::Tuple(_));
        let message = match value {
            Value::Str(_) => {
                "`R.const` takes a number or an array: for a string write `R.str`".to_owned()
            }
            Value::List(_) if is_tuple => {
                "`R.const` takes a number, a list or an array: write a list".to_owned()
            }
            Value::List(items) if is_ragged(items) => {
                "the lists of a constant must have equal lengths".to_owned()
            }
            Value::List(items) if has_text(items) => {
                "the elements of a constant must be numbers".to_owned()
            }
            value
                if is_relax_only(value)
                    || matches!(value, Value::None | Value::Dict(_) | Value::Sym(_)) =>
            {
                format!(
                    "`R.const` takes a number or an array, but this is {}",
                    value.kind_name()
                )
            }
            value => return self.check_bounds(operand, value, dtype),
        };
        let range = self.range(operand);
        self.report(Code::ArgumentType, range, message);
        false
    }

    /// Returns the float for which TVM prints the string `value`, and reports that TVM's parser rejects the string
    /// (`src/script/printer/doc_printer/python_doc_printer.cc`).
    pub(in crate::infer) fn printed_float(
        &mut self,
        operand: ExprId,
        value: &Value,
        dtype: Option<DType>,
    ) -> Option<Value> {
        let Value::Str(text) = value else { return None };
        dtype.filter(|it| it.is_float())?;
        let float = Value::Float(match text.as_str() {
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            "nan" => f64::NAN,
            _ => return None,
        });
        self.set_value(operand, float.clone());
        let instead = format!("float(\"{text}\")");
        let message = format!(
            "TVM prints `\"{text}\"` for this constant, but its parser rejects it: write `{instead}`"
        );
        let range = self.range(operand);
        let diagnostic = self.report(Code::ArgumentType, range, message);
        diagnostic.severity = Severity::Warning;
        diagnostic.instead = Some((range, instead.into()));
        Some(float)
    }

    /// Reports integers that don't fit the dtype: NumPy 2 rejects them, and NumPy 1 wraps them.
    fn check_bounds(&mut self, operand: ExprId, value: &Value, dtype: Option<DType>) -> bool {
        let bounds = dtype.and_then(bounds);
        let Some((least, most)) = bounds else {
            return true;
        };
        let Some(number) = out_of_bounds(value, least, most) else {
            return true;
        };
        let dtype = dtype.map_or_else(String::new, |dtype| dtype.to_string());
        let message =
            format!("`{number}` does not fit into {dtype}, which ranges from {least} to {most}");
        let range = self.range(operand);
        let severity = if self.is_type_dialect() {
            Severity::Error
        } else {
            Severity::Warning
        };
        self.report(Code::ArgumentValue, range, message).severity = severity;
        true
    }
}

fn bounds(dtype: DType) -> Option<(i64, i64)> {
    Some(match dtype.to_string().as_str() {
        "int8" => (i64::from(i8::MIN), i64::from(i8::MAX)),
        "int16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "uint8" => (0, i64::from(u8::MAX)),
        "uint16" => (0, i64::from(u16::MAX)),
        "uint32" => (0, i64::from(u32::MAX)),
        "uint64" => (0, i64::MAX),
        _ => return None,
    })
}

/// Returns an integer of the value that is out of bounds.
fn out_of_bounds(value: &Value, least: i64, most: i64) -> Option<i64> {
    match value {
        Value::Int(number) => (*number < least || *number > most).then_some(*number),
        Value::List(items) => items
            .iter()
            .find_map(|item| out_of_bounds(item, least, most)),
        _ => None,
    }
}

fn has_text(items: &[Value]) -> bool {
    items.iter().any(|item| match item {
        Value::Str(_) => true,
        Value::List(items) => has_text(items),
        _ => false,
    })
}

/// Returns `true` if nested lists are known to have different shapes.
fn is_ragged(items: &[Value]) -> bool {
    let lists = || items.iter().filter(|item| matches!(item, Value::List(_)));
    let numbers = items
        .iter()
        .any(|item| matches!(item, Value::Int(_) | Value::Float(_) | Value::Bool(_)));
    let mut lengths = lists().map(|item| match item {
        Value::List(items) => items.len(),
        _ => 0,
    });
    let first = lengths.next();
    (first.is_some() && numbers)
        || lengths.any(|length| Some(length) != first)
        || lists().any(|item| matches!(item, Value::List(items) if is_ragged(items)))
}
