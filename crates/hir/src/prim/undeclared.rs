//! Buffers that `T.Buffer` makes in the body: no statement declares them, and newer releases require a declaration
//! where an element is used.

use relax::diagnostics::{Code, Diagnostic};
use relax::release::Release;
use text_size::{TextRange, TextSize};

use super::Reader;
use crate::body::{Expr, ExprId};
use crate::prim_facts::PrimDefId;

impl Reader<'_> {
    /// Notes a buffer that `callee` makes, unless the call declares it or a release of the file accepts it.
    pub fn note_undeclared(&mut self, buffer: PrimDefId, path: &str, callee: ExprId) {
        let s_tir = self.has_s_tir();
        let releases = self.around.releases;
        let mut releases = Release::ALL.iter().filter(|it| releases.contains(**it));
        let is_asked = self.around.checked && releases.all(|it| it.declares_buffers(s_tir));
        if path == "Buffer" && is_asked {
            let end = self.range(callee).end();
            let name = TextRange::new(end - TextSize::of(path), end);
            self.undeclared.insert(buffer, name);
        }
    }

    /// Reports a buffer at its first use.
    pub fn check_declared(&mut self, buffer: PrimDefId) {
        let Some(made) = self.undeclared.remove(&buffer) else {
            return;
        };
        let name = &self.facts.def(buffer).name;
        let message = format!(
            "`T.Buffer` does not declare `{name}`, which TVM 0.24 and later require: write `T.decl_buffer`"
        );
        let mut diagnostic = Diagnostic::new(Code::OtherDialect, made, message);
        diagnostic.instead = Some((made, "decl_buffer".into()));
        self.diagnose(diagnostic);
    }

    /// Runs `inside` over text that names parts of buffers but uses no element, as `T.reads` does.
    pub fn without_elements<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let undeclared = std::mem::take(&mut self.undeclared);
        let result = inside(self);
        self.undeclared = undeclared;
        result
    }

    /// Returns whether the decorator is `@T.prim_func(s_tir=True)`.
    fn has_s_tir(&self) -> bool {
        let mut decorators = self.body.function.decorators.iter();
        decorators.any(|it| match &self.body.exprs[*it] {
            Expr::Call { args, .. } => args.iter().any(|arg| {
                let is_it = arg.keyword.as_ref().is_some_and(|it| it.text == "s_tir");
                is_it && matches!(self.body.exprs[arg.value], Expr::Bool(true))
            }),
            _ => false,
        })
    }
}
