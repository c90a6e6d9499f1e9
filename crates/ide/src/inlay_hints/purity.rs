//! Hints about purity: impure functions, and the outputs of dataflow blocks.

use hir::body::{Expr, Stmt, StmtKind};
use hir::facts::VarKind;

use super::Hinting;
use crate::semantics::var_at;
use crate::types::{HintKind, InlayHint};

impl Hinting<'_> {
    /// Adds a hint after the header of an impure function.
    pub(super) fn header(&self, hints: &mut Vec<InlayHint>) {
        for function in &self.facts.functions {
            let at = function.name_range.start();
            if !function.pure && self.shown.contains_inclusive(at) {
                hints.push(self.purity(at, "impure "));
            }
        }
    }

    /// Adds a hint after `with R.dataflow()`: the variables that are visible after the block.
    pub(super) fn dataflow(&self, stmt: &Stmt, hints: &mut Vec<InlayHint>) {
        let StmtKind::With { items, body } = &stmt.kind else {
            return;
        };
        let [(context, None)] = items.as_slice() else {
            return;
        };
        let is_dataflow = matches!(
            &self.body.exprs[*context],
            Expr::Call { callee, .. }
                if matches!(&self.body.exprs[*callee], Expr::Attribute { name, .. } if name.text == "dataflow")
        );
        let at = self.body.range(*context).end();
        if !is_dataflow || !self.shown.contains_inclusive(at) {
            return;
        }
        let whole = self.whole_block(stmt, body);
        let bound = whole.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.first(),
            StmtKind::AnnAssign { target, .. } => Some(target),
            _ => None,
        });
        let outputs: Vec<&str> = bound
            .filter_map(|target| match target {
                hir::body::Target::Name(name) => Some(name),
                _ => None,
            })
            .filter(|name| {
                var_at(self.facts, name.range)
                    .is_some_and(|var| var.kind == VarKind::Var && var.in_dataflow)
            })
            .map(|name| name.text.as_str())
            .collect();
        if !outputs.is_empty() {
            hints.push(self.purity(at, &format!(" → {}", outputs.join(", "))));
        }
    }

    /// Returns the statements of a `with`. In a long function they are stored apart from it.
    fn whole_block<'b>(&'b self, with: &Stmt, body: &'b [Stmt]) -> &'b [Stmt] {
        if !body.is_empty() {
            return body;
        }
        let mut whole = self.body.function.body.iter();
        let found = whole.find(|stmt| stmt.range.start() == with.range.start());
        match found.map(|stmt| &stmt.kind) {
            Some(StmtKind::With { body, .. }) => body,
            _ => &[],
        }
    }

    fn purity(&self, at: text_size::TextSize, label: &str) -> InlayHint {
        InlayHint {
            offset: at + self.start,
            label: label.to_owned(),
            links: Vec::new(),
            kind: HintKind::Purity,
            insert: None,
            explained: false,
        }
    }
}
