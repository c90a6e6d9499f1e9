//! Long work asks between its steps whether an edit waits.

use std::cell::Cell;

/// The number of steps between two checks.
const STRIDE: usize = 64;

pub(crate) struct GiveWay<'a> {
    /// Unwinds if an edit waits.
    check: &'a dyn Fn(),
    /// The steps since the last check.
    steps: Cell<usize>,
}

impl<'a> GiveWay<'a> {
    pub fn new(check: &'a dyn Fn()) -> GiveWay<'a> {
        GiveWay {
            check,
            steps: Cell::new(0),
        }
    }

    /// Counts steps, and checks after each [`STRIDE`] of them.
    pub fn after(&self, steps: usize) {
        let steps = self.steps.get().saturating_add(steps);
        if steps >= STRIDE {
            self.now();
        } else {
            self.steps.set(steps);
        }
    }

    pub fn now(&self) {
        self.steps.set(0);
        (self.check)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_checks_for_edits_regularly() {
        let checks = Cell::new(0);
        let check = || checks.set(checks.get() + 1);
        let give_way = GiveWay::new(&check);
        (0..10 * STRIDE).for_each(|_| give_way.after(1));
        assert_eq!(checks.get(), 10);
        give_way.after(5 * STRIDE);
        assert_eq!(checks.get(), 11);
        give_way.after(STRIDE - 1);
        assert_eq!(checks.get(), 11);
    }
}
