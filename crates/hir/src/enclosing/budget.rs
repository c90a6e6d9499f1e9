//! Limits the evaluation of Python code.

use std::cell::Cell;

/// The number of steps for any file. A step evaluates an expression, or copies or compares a part of a value.
const OF_ANY: usize = 1 << 18;
/// The number of steps for one expression inside a function.
const OF_EXPRESSION: usize = 1 << 10;

/// The number of steps between two checks for a waiting edit.
const STRIDE: usize = 1 << 10;

/// The remaining steps. They depend only on the preceding text, so that the same text has the same meaning.
pub(crate) struct Budget<'a> {
    left: Cell<usize>,
    /// Unwinds if an edit waits.
    give_way: &'a dyn Fn(),
}

impl<'a> Budget<'a> {
    /// Returns the budget for the top level of a file: enough for each of its expressions.
    pub fn of_file(bytes: usize, give_way: &'a dyn Fn()) -> Budget<'a> {
        Budget {
            left: Cell::new(OF_ANY + bytes),
            give_way,
        }
    }

    /// Returns the budget for an expression of the given length, which is so small that it need not give way.
    pub fn of_expression(bytes: usize) -> Budget<'static> {
        Budget {
            left: Cell::new(OF_EXPRESSION + bytes),
            give_way: &|| (),
        }
    }

    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Takes steps from the budget. Returns `false` if there are not enough; then none are left.
    pub fn spend(&self, steps: usize) -> bool {
        let before = self.left.get();
        let left = before.checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        if before / STRIDE != self.left.get() / STRIDE {
            self.give_way();
        }
        left.is_some()
    }

    pub fn give_way(&self) {
        (self.give_way)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluation_checks_for_cancellation_regularly() {
        let checks = Cell::new(0);
        let give_way = || checks.set(checks.get() + 1);
        let budget = Budget::of_file(0, &give_way);
        (0..10 * STRIDE).for_each(|_| assert!(budget.spend(1)));
        assert_eq!(checks.get(), 10);
        assert!(budget.spend(2 * STRIDE));
        assert_eq!(checks.get(), 11);
    }
}
