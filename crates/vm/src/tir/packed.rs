//! Packed functions that a PrimFunc calls. The host implements them.

use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

/// Arguments that a packed function changed, by their positions.
pub type Written = Vec<(usize, Tensor)>;

/// Calls a packed function.
pub type Host<'h> = dyn FnMut(&str, &[Value]) -> RunResult<Written> + 'h;

/// Checks that an argument has the same shape and dtype after a packed function changed it.
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
