//! Finds the local function that contains a position.

use text_size::TextRange;

use crate::facts::FunctionFact;

/// The local functions in order, with their indices among the functions and those of their enclosing functions in this
/// list.
pub(super) struct Locals(Vec<(TextRange, usize, Option<usize>)>);

impl Locals {
    /// Collects the local functions of a function.
    pub fn of(functions: &[FunctionFact]) -> Locals {
        let mut locals: Vec<(TextRange, usize, Option<usize>)> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (index, function) in functions.iter().enumerate().skip(1) {
            let range = function.range;
            while open
                .pop_if(|last| !locals[*last].0.contains_range(range))
                .is_some()
            {}
            locals.push((range, index, open.last().copied()));
            open.push(locals.len() - 1);
        }
        Locals(locals)
    }

    /// Returns the range from the first to the last.
    pub fn range(&self) -> TextRange {
        let ranges = self.0.iter().map(|(range, ..)| *range);
        ranges.reduce(TextRange::cover).unwrap_or_default()
    }

    /// Returns the index of the innermost function around a range.
    pub fn innermost(&self, at: TextRange) -> Option<usize> {
        let after = self.0.partition_point(|(it, ..)| it.start() <= at.start());
        let mut next = after.checked_sub(1);
        while let Some(place) = next {
            let (range, index, around) = self.0[place];
            if range.contains_range(at) {
                return Some(index);
            }
            next = around;
        }
        None
    }
}
