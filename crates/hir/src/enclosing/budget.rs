//! Limits the evaluation of Python code.

use std::cell::Cell;

use crate::give_way::GiveWay;

/// The number of steps for any file. A step evaluates an expression, or copies or compares a part of a value.
const OF_ANY: usize = 1 << 18;
/// The number of steps for one expression inside a function.
const OF_EXPRESSION: usize = 1 << 10;

/// The remaining steps. They depend only on the preceding text, so that the same text has the same meaning.
pub(crate) struct Budget<'a> {
    left: Cell<usize>,
    give_way: GiveWay<'a>,
}

impl<'a> Budget<'a> {
    /// Returns the budget for the top level of a file: enough for each of its expressions. Calls `give_way` regularly.
    pub fn of_file(bytes: usize, give_way: &'a dyn Fn()) -> Budget<'a> {
        Budget {
            left: Cell::new(OF_ANY + bytes),
            give_way: GiveWay::new(give_way),
        }
    }

    /// Returns the budget for an expression of the given length. It takes about as long as parsing the expression, so it
    /// does not give way.
    pub fn of_expression(bytes: usize) -> Budget<'static> {
        Budget {
            left: Cell::new(OF_EXPRESSION + bytes),
            give_way: GiveWay::new(&|| ()),
        }
    }

    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Takes steps from the budget. Returns `false` if there are not enough; then none are left.
    pub fn spend(&self, steps: usize) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        self.give_way.after(steps);
        left.is_some()
    }

    /// Unwinds if an edit waits.
    pub fn give_way(&self) {
        self.give_way.now();
    }
}
