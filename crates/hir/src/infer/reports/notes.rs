//! Ranges and notes that several reports share.

use relax::diagnostics::{Code, Diagnostic};
use text_size::TextRange;

use crate::body::{Expr, ExprId};
use crate::facts::Def;
use crate::infer::Infer;

impl Infer<'_> {
    /// Returns the range of a call's callee, or of any other whole expression.
    pub(in crate::infer) fn callee_range(&self, expr: ExprId) -> TextRange {
        match &self.body.exprs[expr] {
            Expr::Call { callee, .. } => self.range(*callee),
            _ => self.range(expr),
        }
    }

    /// Adds a note about where an operand got its StructInfo.
    pub(in crate::infer) fn add_origin(&self, at: ExprId, diagnostic: &mut Diagnostic) {
        if let Some(Def::Var(var)) = self.facts.def(at) {
            let var = self.var(*var);
            let note = format!(
                "`{}` is `{}`",
                var.name,
                var.struct_info.quoted(self.cx.release.dialect())
            );
            diagnostic.related.push((var.name_range, note));
        }
    }

    /// Reports a statement or operator that Relax does not have.
    pub(in crate::infer) fn unsupported(&mut self, range: TextRange, what: &str) {
        let message = format!("{what} is not supported in a Relax function");
        self.report(Code::UnsupportedStatement, range, message);
    }
}
