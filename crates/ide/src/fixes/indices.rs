//! Fixes the number of indices of a buffer.

use hir::prim_facts::{AxisFact, Dim, PrimDef, PrimDefKind, PrimFacts, Target};
use relax::Diagnostic;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Adds missing indices: axes or loops with the extent of the dimension, or else 0. Removes surplus ones.
pub fn count(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let facts = hir::function_prim_facts(cx.db, cx.function);
    let Some(subscript) = cx.around::<ast::SubscriptExpr>(diagnostic.range) else {
        return;
    };
    let (Some(base), Some(index)) = (subscript.base(), subscript.index()) else {
        return;
    };
    let Some(shape) = shape_of(facts, base.range()) else {
        return;
    };
    let given: Vec<TextRange> = match &index {
        Expr::TupleExpr(tuple) => tuple.elements().map(|it| it.range()).collect(),
        one => vec![one.range()],
    };
    let Some(last) = given.last() else { return };
    if let Some(missing) = shape.get(given.len()..).filter(|it| !it.is_empty()) {
        let mut used: Vec<&str> = cx.names_in(index.range());
        let mut added: Vec<&str> = Vec::new();
        for dim in missing {
            let name = running(facts, subscript.range(), dim, &used).unwrap_or("0");
            used.push(name);
            added.push(name);
        }
        let text = added.join(", ");
        let title = format!("Add `{text}`");
        let edit = SourceEdit::insert(last.end(), format!(", {text}"));
        fixes.possible("add-indices", title, edit);
    } else if let Some([kept, surplus @ ..]) = given.get(shape.len().saturating_sub(1)..)
        && !surplus.is_empty()
    {
        let surplus: Vec<&str> = surplus.iter().map(|it| cx.slice(*it)).collect();
        let title = format!("Remove `{}`", surplus.join("`, `"));
        let edit = SourceEdit::delete(TextRange::new(kept.end(), last.end()));
        fixes.possible("remove-indices", title, edit);
    }
}

/// Returns the shape of the buffer that is named at a range.
fn shape_of(facts: &PrimFacts, range: TextRange) -> Option<&[Dim]> {
    let Target::Def(id) = facts.mention_at(range)?.target else {
        return None;
    };
    match &facts.def(id).kind {
        PrimDefKind::Buffer(buffer) => buffer.shape.as_deref(),
        _ => None,
    }
}

/// Returns the nearest unused axis that runs over a dimension, or else the nearest such loop.
fn running<'f>(facts: &'f PrimFacts, at: TextRange, dim: &Dim, used: &[&str]) -> Option<&'f str> {
    let visible: Vec<&PrimDef> = facts.visible_at(at.start()).map(|(_, def)| def).collect();
    let in_block = visible
        .iter()
        .any(|def| matches!(def.kind, PrimDefKind::Axis(_)));
    let stop = |def: &PrimDef| match &def.kind {
        PrimDefKind::Axis(AxisFact { stop, .. }) => Some(*stop),
        PrimDefKind::Loop(it) if !in_block => Some(it.stop),
        _ => None,
    };
    let unused = visible
        .iter()
        .filter(|def| !used.contains(&def.name.as_str()));
    let fits = unused.filter(|def| {
        stop(def).is_some_and(|stop| match (stop.and_then(|it| it.value), dim.value) {
            (Some(stop), Some(dim)) => stop == dim,
            _ => true,
        })
    });
    fits.map(|def| def.name.as_str()).next()
}
