//! Fixes a parameter annotation of the callee that an argument does not match: it is as likely wrong as the call.

use hir::body::Expr;
use hir::facts::{Def, VarKind};
use hir::file_items;
use relax::{Diagnostic, FunctionKind};
use smol_str::SmolStr;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};

use super::Fixes;
use super::parameter::{MAX_TRIED, changes};
use crate::semantics::FunctionContext;

/// Changes the annotation of the callee's parameter to fit the argument.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let Some((wanted, given)) = &diagnostic.differing else {
        return;
    };
    let mut around = cx.body.exprs_around(diagnostic.range).into_iter();
    let callee = around.find_map(|expr| match &cx.body.exprs[expr] {
        Expr::Call { callee, args } => {
            let mut args = args.iter().map(|it| cx.body.range(it.value));
            let is_argument = args.any(|it| it == diagnostic.range);
            is_argument.then_some(*callee)
        }
        _ => None,
    });
    let ways = [(wanted, given)];
    match callee.and_then(|it| cx.facts.def(it)) {
        Some(Def::Global(name)) => {
            let Some(there) = global(cx, name) else {
                return;
            };
            for (title, edit) in changes(&there, annotations(&there.tree), &ways).take(MAX_TRIED) {
                let edit = edit.moved(there.start);
                let checking = fixes.checking_of_file(cx);
                if checking.improves(&edit) == Some(true) {
                    fixes.possible_outside("correct-callee", format!("{title} of `{name}`"), edit);
                }
            }
        }
        Some(Def::Var(var)) if cx.facts.var(*var).kind == VarKind::Function => {
            let var = cx.facts.var(*var);
            let def = cx.function_def(var.name_range);
            for (title, edit) in changes(cx, annotations(&def), &ways).take(MAX_TRIED) {
                if fixes.checking(cx).improves(&edit) == Some(true) {
                    let title = format!("{title} of `{}`", var.name);
                    fixes.possible("correct-callee", title, edit);
                }
            }
        }
        _ => {}
    }
}

fn global<'db>(cx: &FunctionContext<'db>, name: &SmolStr) -> Option<FunctionContext<'db>> {
    let file = cx.function.file(cx.db);
    let module = cx.function.module(cx.db);
    let mut functions = file_items(cx.db, file).functions.iter();
    let callee = functions.find(|it| {
        it.module(cx.db) == module
            && it.name(cx.db) == *name
            && it.kind(cx.db) == FunctionKind::Relax
    });
    FunctionContext::new(cx.db, file, *callee?)
}

/// Returns the annotations of the parameters, with the parameters' names.
fn annotations(def: &ast::FunctionDef) -> impl Iterator<Item = (SyntaxNode, String)> + use<> {
    let params = def.params().into_iter().flat_map(|it| it.params());
    params.filter_map(|param| {
        let (name, annotation) = (param.name()?, param.annotation()?);
        let place = format!("in the annotation of `{}`", name.text());
        Some((annotation.syntax().clone(), place))
    })
}
