//! How much evaluation may do before it says that it does not know.

use std::cell::Cell;

/// Steps that any file may take: an expression evaluated, a part of a value copied or compared.
const OF_ANY: usize = 1 << 18;
/// Steps of one expression inside of a function.
const OF_EXPRESSION: usize = 1 << 10;

/// Steps that are left. What is left depends on the text before alone, so that the same text means the same.
#[derive(Debug)]
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    /// For all that stands at the top of a file of so many bytes: enough for each expression that is written there.
    pub fn of_file(bytes: usize) -> Budget {
        Budget(Cell::new(OF_ANY + bytes))
    }

    /// For an expression of so many bytes.
    pub fn of_expression(bytes: usize) -> Budget {
        Budget(Cell::new(OF_EXPRESSION + bytes))
    }

    pub fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Whether there are so many steps left, which are gone then. Once there are not, there are none.
    pub fn spend(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}
