//! Reads code in place of an expression that stands for it: inlined functions, iterations of comprehensions, nested
//! tuples. All of it counts for the budget.

use relax::parts::Part;

use crate::body::{Body, ExprId};
use crate::facts::FunctionFact;
use crate::incremental::base::Base;
use crate::incremental::names::Names;
use crate::infer::{Context, Frame, Infer, TOO_MUCH};

/// The cost of starting to read a function, in expressions.
const CALL: usize = 32;
/// The maximum nesting depth of inlined functions.
const DEEPEST: u32 = 16;

impl Infer<'_> {
    /// Reads code again for another element. Each expression counts for the budget.
    pub(in crate::infer) fn read_again<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.repeated, true);
        let read = read(self);
        self.repeated = before;
        read
    }

    /// Pays for a value created at `expr`, which may be larger than its text if it contains tuples.
    pub(in crate::infer) fn pay_for_value<T: Part + Default>(
        &mut self,
        expr: ExprId,
        value: T,
    ) -> T {
        let weight = value.weight();
        if weight.depth > 2 && !self.may_read(expr, weight.parts as usize / 4) {
            return T::default();
        }
        value
    }

    /// Reads `body` as a function in place of `expr`. Returns `None` if the number of expressions exceeds the budget.
    pub(in crate::infer) fn read_elsewhere<T>(
        &mut self,
        expr: ExprId,
        (body, expressions): (&Body, usize),
        cx: &Context<'_>,
        read: impl FnOnce(&mut Infer<'_>) -> T,
    ) -> Option<(T, Frame)> {
        if self.depth >= DEEPEST {
            self.report_left_out(expr, TOO_MUCH);
            return None;
        }
        if !self.may_read(expr, CALL + expressions) {
            return None;
        }
        let (mut names, around) = (Names::default(), Default::default());
        let base = Base::without_pieces(&mut names, &around);
        let mut inner = Infer::new(body, cx, base);
        inner.depth = self.depth + 1;
        inner.repeated = self.repeated;
        inner.facts.functions.push(FunctionFact::default());
        inner.frames.push(Frame::default());
        let read = read(&mut inner);
        let frame = inner.frames.pop()?;
        if inner.facts.left_out {
            self.report_left_out(expr, TOO_MUCH);
        }
        Some((read, frame))
    }
}
