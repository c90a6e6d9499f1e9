//! The budget for reading one piece. Its own text is always read. Code that its text only stands for, such as macros
//! that call macros twice, is read within a budget. Each piece has its own budget, so that its facts do not depend on
//! the cost of other pieces.

use std::cell::Cell;

use crate::give_way::GiveWay;

/// The number of additional expressions that may be read, as a base and for each expression of the piece.
const BUDGET: usize = 1 << 13;
const FOR_EACH: usize = 16;

pub struct Effort<'a> {
    give_way: GiveWay<'a>,
    left: Cell<usize>,
}

impl<'a> Effort<'a> {
    pub fn new(give_way: &'a dyn Fn()) -> Effort<'a> {
        Effort {
            give_way: GiveWay::new(give_way),
            left: Cell::new(BUDGET),
        }
    }

    /// Starts a piece with `written` expressions.
    pub(in crate::infer) fn begin_piece(&self, written: usize) {
        self.give_way.now();
        self.left.set(BUDGET + FOR_EACH * written);
    }

    /// Called before each expression.
    pub(in crate::infer) fn step(&self) {
        self.give_way.after(1);
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
    fn an_exhausted_budget_is_renewed_for_the_next_piece() {
        let effort = Effort::new(&|| ());
        assert!(effort.spend(BUDGET - 1) && !effort.is_spent());
        assert!(!effort.spend(2) && !effort.spend(0));
        effort.begin_piece(1);
        assert!(effort.spend(BUDGET) && effort.spend(2));
    }
}
