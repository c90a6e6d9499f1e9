//! Functions made of schedulable blocks, which newer releases require to be declared so.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::nearest_name::nearest_str;
use relax::release::Release;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::Outside;
use crate::body::{Arg, Body, Expr};
use crate::prim_facts::{PrimDefKind, PrimFacts};

/// Reports the decorator of a function that has blocks, but not `s_tir=True`.
pub(super) fn undeclared(
    body: &Body,
    around: &Outside<'_>,
    facts: &PrimFacts,
) -> Option<Diagnostic> {
    if around.s_tir || !around.is_required(Release::declares_blocks) {
        return None;
    }
    let is_block = |kind: &PrimDefKind| matches!(kind, PrimDefKind::Block(_));
    if !facts.defs.iter().any(|it| is_block(&it.kind)) {
        return None;
    }
    let decorator = *body.function.decorators.first()?;
    let range = body.range(decorator);
    let misspelt = |arg: &Arg| {
        let keyword = arg.keyword.as_ref();
        keyword.is_some_and(|it| nearest_str(&it.text, ["s_tir"].into_iter()).is_some())
    };
    if matches!(&body.exprs[decorator], Expr::Call { args, .. } if args.iter().any(misspelt)) {
        return None;
    }
    let (at, text) = match &body.exprs[decorator] {
        Expr::Call { args, .. } => match args.last() {
            Some(last) => (body.range(last.value).end(), ", s_tir=True"),
            None => (range.end() - TextSize::of(')'), "s_tir=True"),
        },
        _ => (range.end(), "(s_tir=True)"),
    };
    let at = TextRange::empty(at);
    let message = "TVM 0.25 and later accept `T.sblock` only in functions that are declared with `s_tir=True`";
    let mut diagnostic = Diagnostic::new(Code::OtherDialect, range, message);
    diagnostic.severity = Severity::Error;
    diagnostic.instead = Some((at, SmolStr::new_static(text)));
    Some(diagnostic)
}
