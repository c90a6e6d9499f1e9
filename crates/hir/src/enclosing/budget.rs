//! Limits the evaluation of Python code.

use std::cell::Cell;

/// The number of steps for any file. A step evaluates an expression, or copies or compares a part of a value.
const OF_ANY: usize = 1 << 18;
/// The number of steps for one expression inside a function.
const OF_EXPRESSION: usize = 1 << 10;

/// The remaining steps. They depend only on the preceding text, so that the same text has the same meaning.
#[derive(Debug)]
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    /// Returns the budget for the top level of a file: enough for each of its expressions.
    pub fn of_file(bytes: usize) -> Budget {
        Budget(Cell::new(OF_ANY + bytes))
    }

    /// Returns the budget for an expression of the given length.
    pub fn of_expression(bytes: usize) -> Budget {
        Budget(Cell::new(OF_EXPRESSION + bytes))
    }

    pub fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes steps from the budget. Returns `false` if there are not enough; then none are left.
    pub fn spend(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}
