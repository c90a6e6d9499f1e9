//! Which local function of a function a place is in.

use text_size::TextRange;

use crate::facts::FunctionFact;

/// The local functions in order, each with its number among the functions and with the place of the one around it.
pub(super) struct Locals(Vec<(TextRange, usize, Option<usize>)>);

impl Locals {
    /// Of a function and the functions inside it.
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

    /// From the first to the last.
    pub fn range(&self) -> TextRange {
        let ranges = self.0.iter().map(|(range, ..)| *range);
        ranges.reduce(TextRange::cover).unwrap_or_default()
    }

    /// The number of the innermost around a range.
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
