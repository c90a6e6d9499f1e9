//! The budget for reading one piece. Its own text is always read. Code that its text only stands for, such as macros
//! that call macros twice, is read within a budget. Each piece has its own budget, so that its facts do not depend on
//! the cost of other pieces.

use std::cell::Cell;

/// The number of additional expressions that may be read, as a base and for each expression of the piece.
const BUDGET: usize = 1 << 13;
const FOR_EACH: usize = 16;

/// The number of expressions between two checks for a waiting edit.
const STRIDE: u32 = 64;

pub struct Effort<'a> {
    /// Unwinds if an edit waits.
    give_way: &'a dyn Fn(),
    steps: Cell<u32>,
    left: Cell<usize>,
}

impl<'a> Effort<'a> {
    pub fn new(give_way: &'a dyn Fn()) -> Effort<'a> {
        Effort {
            give_way,
            steps: Cell::new(0),
            left: Cell::new(BUDGET),
        }
    }

    /// Starts a piece with `written` expressions.
    pub(in crate::infer) fn begin_piece(&self, written: usize) {
        (self.give_way)();
        self.left.set(BUDGET + FOR_EACH * written);
    }

    /// Called before each expression.
    pub(in crate::infer) fn step(&self) {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(STRIDE) {
            (self.give_way)();
        }
    }

    /// Pays for expressions from elsewhere. Returns `false` if the budget does not suffice.
    pub(in crate::infer) fn spend(&self, expressions: usize) -> bool {
        let left = self.left.get().checked_sub(expressions);
        self.left.set(left.unwrap_or(0));
        left.is_some() && !self.is_spent()
    }

    /// Returns `true` if the budget is used up.
    pub(in crate::infer) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inference_checks_for_cancellation_regularly() {
        let looked = Cell::new(0);
        let give_way = || looked.set(looked.get() + 1);
        let effort = Effort::new(&give_way);
        (0..10 * STRIDE).for_each(|_| effort.step());
        assert_eq!(looked.get(), 10);
    }

    #[test]
    fn an_exhausted_budget_is_renewed_for_the_next_piece() {
        let effort = Effort::new(&|| ());
        assert!(effort.spend(BUDGET - 1) && !effort.is_spent());
        assert!(!effort.spend(2) && !effort.spend(0));
        effort.begin_piece(1);
        assert!(effort.spend(BUDGET) && effort.spend(2));
    }
}
