//! Reports calls whose arguments do not fit the parameters of the callee.

use relax::arguments::Misfit;

use crate::body::{Arg, ExprId};
use crate::infer::Infer;
use crate::misfits::{self, Callee};

impl Infer<'_> {
    /// Reports why a call is invalid.
    pub(in crate::infer) fn report_misfits(
        &mut self,
        call: ExprId,
        callee: Callee<'_>,
        args: &[&Arg],
        misfits: &[Misfit],
    ) {
        let called = self.callee_range(call);
        let release = self.cx.release;
        let found = misfits::reports(self.body, called, callee, args, misfits, release);
        self.facts.diagnostics.extend(found);
    }
}
