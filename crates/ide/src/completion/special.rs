//! Completion where only few things are possible: outputs of a dataflow block, conditions, axes, loop iterators,
//! frames, and the known StructInfo of a value.

use hir::body::Expr;
use relax::FunctionKind;
use relax::script::Namespace;
use relax::script::{self, Role};
use relax::sinfo::TensorShape;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Site;
use super::document::key;
use super::item::{Completion, CompletionKind, Items, rank};
use super::member::rank_of_frame;
use super::name::{MAX_LOOKED_AT, MAX_VARS};
use crate::callee::{Callee, param_of, struct_info};
use crate::semantics::spelling::LINE;
use crate::semantics::var_at;

/// Frames: names that are used with `with`.
pub(super) const FRAMES: &[&str] = &[
    "dataflow",
    "block",
    "sblock",
    "init",
    "launch_thread",
    "attr",
    "Assert",
    "allocate",
    "allocate_const",
    "decl_buffer",
    "realize",
    "LetStmt",
    "hint",
    "If",
    "Then",
    "Else",
    "While",
];
/// Frames that cannot be statements of their own.
pub(super) const ONLY_ENTERED: &[&str] = &[
    "dataflow", "block", "sblock", "init", "LetStmt", "If", "Then", "Else", "While",
];
/// Parameters that name dimensions of the first operand.
const AXES: &[&str] = &["axis", "axes", "dim"];

impl Site<'_, '_> {
    /// Offers the bindings of a dataflow block that are not outputs yet; those that the block does not use come first.
    pub(super) fn outputs(self, items: &mut Items) {
        let (Some(facts), Some(block)) = (self.scope.facts(), self.block()) else {
            return;
        };
        let cursor = self.scope.relative(self.cursor.word.start());
        let call = self
            .cursor
            .call()
            .and_then(|(open, _)| self.scope.call_of(open));
        let given = call.map_or(&[][..], |(_, args)| args);
        let is_given = |name: &str| {
            self.scope.body().is_some_and(|body| {
                given.iter().any(|arg| {
                    !body.range(arg.value).contains_inclusive(cursor)
                        && matches!(&body.exprs[arg.value], Expr::Name(it) if it == name)
                })
            })
        };
        let mut seen: FxHashSet<&SmolStr> = FxHashSet::default();
        let may_be_meant = items.matcher();
        let names = self.scope.names(&may_be_meant).take(MAX_LOOKED_AT);
        let names = names.take_while(|name| block.contains_range(name.range));
        for (order, name) in names.enumerate() {
            if is_given(&name.text) || !seen.insert(&name.text) {
                continue;
            }
            if seen.len() > MAX_VARS {
                items.leave_out();
                break;
            }
            if let Some(var) = var_at(facts, name.range) {
                let rank = if var.used { rank::UNPROVEN } else { rank::FITS };
                let detail = var.struct_info.short_within(LINE).to_string();
                let item = Completion::new(name.text.clone(), CompletionKind::Variable);
                items.push(item.rank(rank).detail(detail).order(order));
            }
        }
    }

    /// Returns the innermost `with` around the cursor.
    fn block(self) -> Option<TextRange> {
        let function = self.scope.function?;
        let tree = function.source(self.scope.db).def()?;
        let at = self.scope.relative(self.cursor.word.start());
        let token = syntax::tokens_at(tree.syntax(), at).left_biased()?;
        let with = token.parent_ancestors().find_map(ast::WithStmt::cast)?;
        Some(with.range())
    }

    pub(super) fn truth_values(items: &mut Items) {
        for (order, name) in ["True", "False"].into_iter().enumerate() {
            let item = Completion::new(name, CompletionKind::Constant);
            items.push(item.rank(rank::FITS).order(order));
        }
    }

    /// Offers the dimensions of the first operand, by index.
    pub(super) fn axes(self, items: &mut Items) {
        let Some((open, _)) = self.cursor.call() else {
            return;
        };
        let Some(Callee::Op(op)) = self.scope.callee(open) else {
            return;
        };
        let param = param_of(op.params, open).map(|at| op.params[at].name);
        if !param.is_some_and(|it| AXES.contains(&it)) || !self.cursor.word.is_empty() {
            return;
        }
        let first = self.scope.operands(op, open).first().cloned().flatten();
        let sinfo = first.and_then(|value| value.struct_info());
        let Some(TensorShape::Known(dims)) =
            sinfo.as_ref().and_then(|it| Some(&it.as_tensor()?.shape))
        else {
            return;
        };
        let last = dims.last().map(|dim| ("-1".to_owned(), dim));
        let numbered = dims.iter().enumerate();
        let axes = numbered
            .map(|(axis, dim)| (axis.to_string(), dim))
            .chain(last);
        for (order, (axis, dim)) in axes.enumerate() {
            let item = Completion::new(axis, CompletionKind::Constant);
            let detail = format!("the dimension `{dim}`");
            items.push(item.detail(detail).rank(rank::FITS - 1).order(order));
        }
    }

    /// Completes `for ... in` in a PrimFunc.
    pub(super) fn loops(self, items: &mut Items) {
        let (alias, release) = (self.scope.alias(Namespace::Tir), self.scope.release());
        let rows = script::entries(Namespace::Tir);
        let rows = rows.filter(|it| it.role == Role::Loop && it.releases.contains(release));
        for entry in rows {
            let name = format!("{alias}.{}", entry.name);
            let params = entry.params.unwrap_or_default();
            let item = self.callable_item(&name, CompletionKind::Function, true);
            let item = item.detail(format!("({params})")).rank(rank::FITS);
            let item = item.order(entry.usage.into());
            items.push(item.doc(key(Namespace::Tir, entry.name, release)));
        }
        let range = self.callable_item("range", CompletionKind::Function, true);
        items.push(range.detail("(start, stop=None)").rank(rank::UNPROVEN));
        self.namespaces(items);
    }

    /// Completes `with`.
    pub(super) fn frames(self, items: &mut Items) {
        let prim = self.scope.kind() == Some(FunctionKind::PrimFunc);
        let namespace = if prim {
            Namespace::Tir
        } else {
            Namespace::Relax
        };
        let (alias, release) = (self.scope.alias(namespace), self.scope.release());
        let rows = script::entries(namespace);
        let rows = rows.filter(|it| FRAMES.contains(&it.name) && it.releases.contains(release));
        // The other frames are offered after the dot.
        for entry in rows.filter(|it| rank_of_frame(it) == rank::FITS) {
            let name = format!("{alias}.{}", entry.name);
            let takes = entry.params.is_some_and(|it| !it.is_empty());
            let item = self.callable_item(&name, CompletionKind::Statement, takes);
            items.push(
                item.rank(rank::FITS)
                    .order(entry.usage.into())
                    .doc(key(namespace, entry.name, release)),
            );
        }
        self.namespaces(items);
    }

    /// At the target of `R.match_cast`: offers the known StructInfo of the value.
    pub(super) fn of_cast_value(self, items: &mut Items) {
        let Some((open, false)) = self.cursor.call() else {
            return;
        };
        let Some(Callee::Entry(_, entry)) = self.scope.callee(open) else {
            return;
        };
        let (Some(facts), Some((_, args))) = (self.scope.facts(), self.scope.call_of(open)) else {
            return;
        };
        if entry.name != "match_cast" || open.position() != 1 {
            return;
        }
        let sinfo = args.first().map(|value| struct_info(facts, value.value));
        if let Some(sinfo) = sinfo.filter(|it| !it.is_unknown()) {
            let text = self.scope.written(&sinfo);
            let item = Completion::new(text, CompletionKind::Annotation);
            items.push(
                item.detail("the known StructInfo of the value")
                    .rank(rank::FITS - 1),
            );
        }
    }
}
