//! Reports calls with effects where only pure calls are allowed.

use relax::diagnostics::{Code, Severity};

use crate::body::ExprId;
use crate::infer::Infer;

impl Infer<'_> {
    /// Records an impure call. In a dataflow block, it is an error.
    pub(in crate::infer) fn impure_call(&mut self, expr: ExprId, what: &str) {
        // Annotations are not executed, and a call is not a dimension.
        if self.frame().annotating {
            return;
        }
        let range = self.callee_range(expr);
        if self.in_dataflow() {
            let block = self.dataflow_range();
            let message = format!("{what} is impure: a dataflow block holds pure calls only");
            // Unity printed what it accepted.
            let may_be_unity = self.is_printed() && !self.cx.releases.since.has_purity();
            let has_purity = self.cx.release.has_purity() && !may_be_unity;
            let diagnostic = self.report(Code::ImpureCallInDataflow, range, message);
            if !has_purity {
                diagnostic.severity = Severity::Warning;
            }
            if let Some(block) = block {
                diagnostic
                    .related
                    .push((block, "the dataflow block".to_owned()));
            }
            return;
        }
        self.frame().impure.push((range, what.into()));
    }
}
