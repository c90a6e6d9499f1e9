//! Packed functions that a PrimFunc calls: the host has them.

use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

/// What arguments of a packed function have become, by their positions.
pub type Written = Vec<(usize, Tensor)>;

/// Calls a packed function.
pub type Host<'h> = dyn FnMut(&str, &[Value]) -> RunResult<Written> + 'h;

/// What a packed function made of an argument has its shape and dtype.
pub(super) fn has_form(symbol: &str, given: &Tensor, made: &Tensor) -> RunResult<()> {
    if given.shape() == made.shape() && given.kind() == made.kind() {
        return Ok(());
    }
    Err(RunError::shape(format!(
        "packed function `{symbol}` made {} of {}",
        Value::Tensor(made.clone()).describe(),
        Value::Tensor(given.clone()).describe()
    )))
}
