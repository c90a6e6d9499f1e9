//! Python operators that are not defined for Relax values, with the Relax operators to use instead.

use super::{OpDef, by_script};
use crate::dtype::DType;
use crate::release::Release;
use crate::value::Value;

/// A Python operator, the Relax operator to use instead, and the one for truth values.
const MEANT: &[(&str, &str, &str)] = &[
    ("@", "matmul", "matmul"),
    ("&", "bitwise_and", "logical_and"),
    ("|", "bitwise_or", "logical_or"),
    ("^", "bitwise_xor", "logical_xor"),
    ("~", "bitwise_not", "logical_not"),
    ("<<", "left_shift", "left_shift"),
    (">>", "right_shift", "right_shift"),
    ("==", "equal", "equal"),
    ("!=", "not_equal", "not_equal"),
    ("and", "logical_and", "logical_and"),
    ("or", "logical_or", "logical_or"),
    ("not", "logical_not", "logical_not"),
];

/// Returns the Relax operator for an unsupported Python operator.
pub fn meant_by_python(
    operator: &str,
    operands: &[&Value],
    release: Release,
) -> Option<&'static OpDef> {
    let is_truth = |value: &&Value| match value {
        Value::Expr(sinfo) => sinfo
            .as_tensor()
            .is_some_and(|tensor| tensor.dtype == Some(DType::BOOL)),
        _ => false,
    };
    let (_, usual, of_truth) = MEANT.iter().find(|(known, ..)| *known == operator)?;
    let name = if operands.iter().all(is_truth) {
        of_truth
    } else {
        usual
    };
    by_script(name, release)
}
