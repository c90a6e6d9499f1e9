//! Buffers that newer releases reject where an element is used, since no statement before declares them: those that
//! `T.Buffer` makes in the body, and scalars of a block whose accesses TVM lists at its start.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::release::Release;
use text_size::{TextRange, TextSize};

use super::Reader;
use super::block::OpenBlock;
use crate::body::ExprId;
use crate::prim_facts::{PrimDefId, PrimDefKind};

impl Reader<'_> {
    /// Notes a buffer that `callee` makes, unless the call declares it or a release of the file accepts it.
    pub fn note_undeclared(&mut self, buffer: PrimDefId, path: &str, callee: ExprId) {
        let s_tir = self.around.s_tir;
        let is_asked = |it: Release| it.declares_buffers(s_tir);
        if path == "Buffer" && self.around.is_required(is_asked) {
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

    /// Reports the first scalar of a block that does not list what it reads and writes: TVM lists it instead, and the
    /// scalar with it.
    pub fn check_scalars(&mut self, block: &OpenBlock) {
        let is_listed = block.says("reads") && block.says("writes");
        if is_listed || !self.around.is_required(Release::lists_scalars_of_blocks) {
            return;
        }
        let mut defs = self
            .facts
            .defs
            .iter()
            .filter(|it| it.block == Some(block.id));
        let scalar = defs.find_map(|it| match it.kind {
            // A value of unknown dtype may be anything.
            PrimDefKind::Let {
                mutable: true,
                dtype: Some(dtype),
                ..
            } => Some((it, dtype)),
            _ => None,
        });
        let Some((scalar, dtype)) = scalar else {
            return;
        };
        let (name, range) = (&scalar.name, scalar.name_range);
        let message = format!(
            "TVM 0.26 and later reject `{name}`, which is memory, in a block without `T.reads` and `T.writes`: list \
             them, or bind a value: `{name}: T.let[T.{dtype}]`"
        );
        let mut diagnostic = Diagnostic::new(Code::OtherDialect, range, message);
        diagnostic.severity = Severity::Error;
        self.facts.diagnostics.push(diagnostic);
    }

    /// Runs `inside` over text that names parts of buffers but uses no element, as `T.reads` does.
    pub fn without_elements<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let undeclared = std::mem::take(&mut self.undeclared);
        let result = inside(self);
        self.undeclared = undeclared;
        result
    }
}
