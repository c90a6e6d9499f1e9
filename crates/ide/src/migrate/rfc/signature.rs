//! Migrates the header of a function and the first lines of its body: shape variables and purity. Lists what has no
//! equivalent.

use std::collections::BTreeSet;

use relax::release::Release;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};
use text_size::TextRange;

use super::{Scope, prim_func};
use crate::migrate::Pass;
use crate::migrate::type_vars::{dimension, namespace, start};

/// The first release that tracks which functions have effects (#14394).
const PURITY: Release = Release::V0_16;

pub fn stage(pass: &mut Pass<'_>, scope: &Scope) {
    quote(pass, scope);
    declare(pass, scope);
    purity(pass, scope);
    nested_functions(pass, scope);
}

/// Returns the annotations of the header.
fn header(scope: &Scope) -> impl Iterator<Item = SyntaxNode> {
    let params = scope.function.params().map(|it| it.syntax().clone());
    let ret = scope.function.ret().map(|it| it.syntax().clone());
    params
        .into_iter()
        .chain(ret)
        .flat_map(|it| it.descendants())
}

/// Returns the shape variables that the header uses, as names or inside strings.
pub fn of_header(pass: &Pass<'_>, scope: &Scope) -> BTreeSet<String> {
    let names = header(scope)
        .filter_map(ast::NameExpr::cast)
        .map(|it| it.text());
    let mut all: BTreeSet<String> = names.filter(|it| scope.is_free(pass, it)).collect();
    for node in header(scope).filter(|it| it.kind() == SyntaxKind::STRING_LIT) {
        let text = pass.slice(node.text_range());
        let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
        all.extend(words.filter(|it| !it.is_empty()).map(str::to_owned));
    }
    all
}

/// Rewrites `(n, n * 4)` in the header to `("n", "n * 4")`.
fn quote(pass: &mut Pass<'_>, scope: &Scope) {
    let names = header(scope).filter_map(ast::NameExpr::cast);
    let names: Vec<ast::NameExpr> = names.filter(|it| scope.is_free(pass, &it.text())).collect();
    let mut quoted: Vec<TextRange> = Vec::new();
    for name in names {
        let dim = dimension(&name).filter(|it| !pass.slice(*it).contains(['"', '\'', '\n']));
        match dim {
            Some(dim) if quoted.last() != Some(&dim) => quoted.push(dim),
            Some(_) => {}
            None => pass.leave(name.range(), "this name is not bound anywhere"),
        }
    }
    for dim in quoted {
        pass.insert(dim.start(), "\"");
        pass.insert(dim.end(), "\"");
    }
}

/// Adds `n = T.int64()` for each shape variable that the body uses.
fn declare(pass: &mut Pass<'_>, scope: &Scope) {
    let Some(body) = scope.function.body() else {
        return;
    };
    let known = of_header(pass, scope);
    let mut variables: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for node in scope.nodes(pass) {
        let Some(name) =
            ast::NameExpr::cast(node).filter(|it| body.range().contains_range(it.range()))
        else {
            continue;
        };
        let text = name.text();
        let is_dimension = known.contains(text.as_str()) || dimension(&name).is_some();
        let is_other = text == "_" || hir::enclosing::BUILTINS.contains(&text.as_str());
        if is_dimension && !is_other && scope.is_free(pass, &text) && seen.insert(text.clone()) {
            variables.push(text);
        }
    }
    let (false, Some(at)) = (variables.is_empty(), start(pass, &body)) else {
        return;
    };
    let Some(tir) = namespace(pass) else { return };
    let line = pass.text[..at.into()].rfind('\n').map_or(0, |it| it + 1);
    let indent = &pass.text[line..at.into()];
    let lines = variables
        .iter()
        .map(|it| format!("{it} = {tir}.int64()\n{indent}"));
    let lines: String = lines.collect();
    pass.insert(at, lines);
    import(pass, &tir);
}

/// Imports `T` in a file that imports other parts of TVMScript.
fn import(pass: &mut Pass<'_>, tir: &str) {
    let module = if pass.transition.to.has_tirx() {
        "tirx"
    } else {
        "tir"
    };
    let is_there = ["tirx", "tir"]
        .iter()
        .any(|it| pass.imports.named(&format!("tvm.script.{it}")).is_some());
    if !is_there && let Some(end) = pass.imports.end_of("tvm.script") {
        pass.import(end, format!(", {module} as {tir}"));
    }
}

/// Adds `pure=False` to the decorator of a function with effects.
fn purity(pass: &mut Pass<'_>, scope: &Scope) {
    if pass.transition.to < PURITY {
        return;
    }
    if scope.has_effects(pass)
        && let Some(expr) = scope.function.decorators().find_map(|it| it.expr())
        && pass.script_name(&expr).as_deref() == Some("R.function")
    {
        pass.insert(expr.range().end(), "(pure=False)");
    }
}

/// Decorates local functions. Lists inner PrimFuncs, constants without a text form, and parameters without an
/// annotation.
fn nested_functions(pass: &mut Pass<'_>, scope: &Scope) {
    for node in scope.function.syntax().descendants().skip(1) {
        if let Some(function) = prim_func(pass, &node) {
            if let Some(name) = function.name() {
                let message = "a PrimFunc cannot be nested in a function: move it to the module";
                pass.leave(name.text_range(), message);
            }
        } else if let Some(function) = ast::FunctionDef::cast(node.clone()) {
            if function.decorators().next().is_none() {
                let at = function.range().start();
                let line = pass.text[..at.into()].rfind('\n').map_or(0, |it| it + 1);
                let indent = pass.text[line..at.into()].to_owned();
                pass.insert(at, format!("@{}\n{indent}", scope.relax("function")));
            }
        } else if let Some(param) = ast::Param::cast(node.clone()) {
            if let (None, Some(name)) = (param.annotation(), param.name()) {
                pass.leave(
                    name.text_range(),
                    "since TVM 0.16 a parameter needs an annotation",
                );
            }
        } else if let Some(subscript) = ast::SubscriptExpr::cast(node)
            && let Some(Expr::NameExpr(base)) = subscript.base()
            && base.text() == "meta"
            && scope.is_free(pass, "meta")
        {
            pass.leave(
                subscript.range(),
                "the text does not contain the value of this constant",
            );
        }
    }
}

/// Returns `true` if a node is part of an annotation.
pub fn is_annotation(node: &SyntaxNode) -> bool {
    let mut inner = node.clone();
    for outer in node.ancestors().skip(1) {
        let range = inner.text_range();
        let is_it = |it: Option<Expr>| it.is_some_and(|it| it.range() == range);
        if let Some(it) = ast::AnnAssignStmt::cast(outer.clone()) {
            return is_it(it.annotation());
        }
        if let Some(it) = ast::Param::cast(outer.clone()) {
            return is_it(it.annotation());
        }
        if let Some(it) = ast::FunctionDef::cast(outer.clone()) {
            return is_it(it.ret());
        }
        let is_keyword = ast::Arg::cast(outer.clone()).and_then(|it| it.keyword());
        if is_keyword.is_some_and(|it| matches!(it.text(), "type_args" | "sinfo_args" | "ty_args"))
        {
            return true;
        }
        inner = outer;
    }
    false
}
