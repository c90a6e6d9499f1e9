//! Fixes the letters of `T.axis.remap`, one for each axis: `S` for spatial, `R` for reduce.

use relax::{Diagnostic, FunctionKind};
use syntax::ast::{AstNode, Expr, Stmt};
use text_size::TextRange;

use super::Fixes;
use crate::dataflow::last_name;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Replaces an unknown letter with either of the two.
pub fn kinds(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(remap) = Remap::around(cx, diagnostic.range) else {
        return;
    };
    if remap.letters != diagnostic.range {
        return;
    }
    let old = cx.slice(remap.letters);
    for (kind, what) in [('S', "spatial"), ('R', "reduce")] {
        let known = |c: char| matches!(c, 'S' | 'R' | '"' | '\'');
        let new: String = old
            .chars()
            .map(|c| if known(c) { c } else { kind })
            .collect();
        let title = format!("Write `{new}`: the axis is {what}");
        let edit = SourceEdit::replace(remap.letters, new);
        fixes.possible("axis-kind", title, edit);
    }
}

/// Adjusts the number of letters to the number of names and loops. Added axes are spatial.
pub fn count(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(remap) = Remap::around(cx, diagnostic.range) else {
        return;
    };
    let old = cx.slice(remap.letters).trim_matches(['"', '\'']);
    if remap.names != remap.loops || remap.loops == 0 {
        return;
    }
    let letters = old.chars().chain(std::iter::repeat('S'));
    let new: String = letters.take(remap.loops).collect();
    let title = format!("Write `\"{new}\"`");
    let edit = SourceEdit::replace(remap.letters, format!("\"{new}\""));
    fixes.possible("axis-letters", title, edit);
}

/// A statement `vi, vj = T.axis.remap("SS", [i, j])`.
struct Remap {
    names: usize,
    letters: TextRange,
    loops: usize,
}

impl Remap {
    fn around(cx: &FunctionContext<'_>, at: TextRange) -> Option<Remap> {
        let Some(Stmt::AssignStmt(stmt)) = cx.around::<Stmt>(at) else {
            return None;
        };
        let Some(Expr::CallExpr(call)) = stmt.value() else {
            return None;
        };
        let is_remap = cx.function.kind(cx.db) == FunctionKind::PrimFunc
            && last_name(&call.callee()?)? == "remap";
        let mut args = call.arg_list()?.args().filter_map(|it| it.value());
        let (Expr::StringLit(letters), Expr::ListExpr(loops)) = (args.next()?, args.next()?) else {
            return None;
        };
        let names = match stmt.targets().next()? {
            Expr::TupleExpr(names) => names.elements().count(),
            _ => 1,
        };
        is_remap.then(|| Remap {
            names,
            letters: letters.syntax().text_range(),
            loops: loops.elements().count(),
        })
    }
}
