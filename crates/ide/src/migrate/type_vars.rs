//! Rewrites the shape variables of 0.27, `TypeVar("n")` and `def f[n]`, to strings in the signature.

use std::collections::BTreeSet;

use relax::release::Release;
use rustc_hash::FxHashMap;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};
use text_size::{TextRange, TextSize};

use super::functions::is_inside_one;
use super::{Pass, buffers, decorators};

/// The first release with `TypeVar` (#20107).
const TYPE_VARS: Release = Release::V0_27;

/// Runs once for the whole file, since a `TypeVar` is removed with its last use.
pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if !pass.transition.leaves(TYPE_VARS) || !ast::SourceFile::can_cast(node.kind()) {
        return;
    }
    let (inside, around): (Vec<_>, Vec<_>) = node
        .descendants()
        .filter_map(ast::AssignStmt::cast)
        .filter_map(|it| Some((declared(pass, &it)?, it)))
        .partition(|(_, it)| decorators::is_in_relax_function(pass, it.syntax()));
    for (_, assign) in &inside {
        declaration(pass, assign);
    }
    let variables: BTreeSet<String> = around.iter().map(|it| it.0.clone()).collect();
    let mut done = Vec::new();
    for function in node.descendants().filter_map(ast::FunctionDef::cast) {
        let around = function.syntax().parent();
        let is_local = around.is_some_and(|it| decorators::is_in_relax_function(pass, &it));
        if decorators::is_relax_function(pass, &function) && !is_local {
            if strings(pass, &function, &variables) {
                done.push(function.range());
            }
        } else if decorators::is_in_prim_func(pass, function.syntax()) {
            let listed = listed(&function);
            let is_variable = |name: &str| listed.contains(name) || variables.contains(name);
            if buffers::match_in_body(pass, &function, is_variable) {
                done.push(function.range());
            } else if let Some(list) = function.type_params() {
                let message = "before TVM 0.27 a PrimFunc cannot list its shape variables";
                pass.leave(list.range(), message);
            }
        }
    }
    drop_unused(pass, node, &around, &done);
}

/// Returns `true` if an expression is a call of `TypeVar`.
fn makes(pass: &Pass<'_>, value: &Expr) -> bool {
    let Expr::CallExpr(call) = value else {
        return false;
    };
    let Some(callee) = call.callee() else {
        return false;
    };
    match pass.imports.written(&callee).map(|it| it.path()) {
        Some(path) => path == "typing.TypeVar" || path == "tvm.script.ir.TypeVar",
        None => pass.slice(callee.range()) == "TypeVar",
    }
}

/// Returns the name that an assignment of a `TypeVar` binds.
fn declared(pass: &Pass<'_>, assign: &ast::AssignStmt) -> Option<String> {
    let mut targets = assign.targets();
    let (Some(Expr::NameExpr(target)), None) = (targets.next(), targets.next()) else {
        return None;
    };
    makes(pass, &assign.value()?).then(|| target.text())
}

/// Returns the local name of the `T` namespace. Printed files use it without an import.
pub fn namespace(pass: &Pass<'_>) -> Option<String> {
    let imported = pass.imports.named("tvm.script.tirx");
    let imported = imported.or_else(|| pass.imports.named("tvm.script.tir"));
    imported.or_else(|| pass.imports.path("T").map(|_| "T".to_owned()))
}

/// Rewrites `n = TypeVar("n")` inside a function to `n = T.int64()`.
fn declaration(pass: &mut Pass<'_>, assign: &ast::AssignStmt) {
    let Some(value) = assign.value() else { return };
    match namespace(pass) {
        Some(root) => pass.replace(value.range(), format!("{root}.int64()")),
        None => pass.leave(value.range(), NO_NAMESPACE),
    }
}

const NO_NAMESPACE: &str = "this becomes `T.int64()`: import `T` from `tvm.script`";

/// The type parameters of a function: `n` of `def f[n](...)`.
fn listed(function: &ast::FunctionDef) -> BTreeSet<String> {
    let list = function.type_params();
    let params = list.iter().flat_map(|it| it.params().collect::<Vec<_>>());
    let names = params.filter_map(|it| it.name().map(|it| it.text().to_owned()));
    names.collect()
}

/// Quotes the dimensions of a signature, drops its list of type parameters, and declares the variables that the body
/// uses. Returns `true` if the function no longer needs a `TypeVar`.
fn strings(pass: &mut Pass<'_>, function: &ast::FunctionDef, around: &BTreeSet<String>) -> bool {
    let listed = listed(function);
    let is_variable = |name: &str| listed.contains(name) || around.contains(name);
    let has_variables = !listed.is_empty() || !around.is_empty();
    let Some(body) = function.body().filter(|_| has_variables) else {
        return false;
    };
    let params = function.params().map(|it| it.syntax().clone());
    let ret = function.ret().map(|it| it.syntax().clone());
    let signature = params
        .into_iter()
        .chain(ret)
        .flat_map(|it| it.descendants());
    let names = signature.filter_map(ast::NameExpr::cast);
    let mut quoted: Vec<TextRange> = Vec::new();
    for name in names.filter(|it| is_variable(&it.text())) {
        let dim = dimension(&name).filter(|it| !pass.slice(*it).contains(['"', '\'', '\n']));
        let Some(dim) = dim else {
            let message = "TVM 0.26 does not accept a shape variable here as a string";
            pass.leave(name.range(), message);
            return false;
        };
        if quoted.last() != Some(&dim) {
            quoted.push(dim);
        }
    }
    let missing = missing(pass, &body, is_variable);
    let Some((start, namespace)) = start(pass, &body).zip(namespace(pass)) else {
        pass.leave(function.range(), NO_NAMESPACE);
        return false;
    };
    for dim in quoted {
        let text = format!("\"{}\"", pass.slice(dim));
        pass.replace(dim, text);
    }
    if let Some(list) = function.type_params() {
        pass.replace(list.range(), "");
    }
    let line = pass.text[..start.into()].rfind('\n').map_or(0, |it| it + 1);
    let indent = &pass.text[line..start.into()];
    let lines = missing
        .iter()
        .map(|it| format!("{it} = {namespace}.int64()\n{indent}"));
    let lines: String = lines.collect();
    if !lines.is_empty() {
        pass.insert(start, lines);
    }
    true
}

/// Returns the element of a shape that a name is part of.
pub fn dimension(name: &ast::NameExpr) -> Option<TextRange> {
    let is_list =
        |it: &SyntaxNode| ast::TupleExpr::can_cast(it.kind()) || ast::ListExpr::can_cast(it.kind());
    let mut at = name.syntax().clone();
    loop {
        let parent = at.parent()?;
        if is_list(&parent) {
            return Some(at.text_range());
        }
        at = Expr::can_cast(parent.kind()).then_some(parent)?;
    }
}

/// Returns the variables that a body uses without declaring them.
fn missing(pass: &Pass<'_>, body: &ast::Suite, is_variable: impl Fn(&str) -> bool) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut declared = BTreeSet::new();
    for node in body.syntax().descendants() {
        if let Some(it) = ast::AssignStmt::cast(node.clone()) {
            let targets = it.targets();
            declared.extend(targets.map(|it| pass.slice(it.range()).to_owned()));
        } else if let Some(it) = ast::NameExpr::cast(node) {
            used.insert(it.text());
        }
    }
    let missing = used.into_iter();
    let missing = missing.filter(|it| is_variable(it) && !declared.contains(it));
    missing.collect()
}

/// Returns the offset of the first statement after the docstring if it starts its line.
pub fn start(pass: &Pass<'_>, body: &ast::Suite) -> Option<TextSize> {
    start_besides(pass, body, &[])
}

/// The same, without statements that are removed.
pub fn start_besides(
    pass: &Pass<'_>,
    body: &ast::Suite,
    removed: &[TextRange],
) -> Option<TextSize> {
    let is_text = |it: &ast::Stmt| match it {
        ast::Stmt::ExprStmt(it) => it
            .expr()
            .is_some_and(|it| pass.slice(it.range()).starts_with(['"', '\''])),
        _ => false,
    };
    let mut stmts = body.stmts();
    let first = stmts.find(|it| !is_text(it) && !removed.contains(&it.range()))?;
    let first = first.range().start();
    let line = pass.text[..first.into()].rfind('\n').map_or(0, |it| it + 1);
    pass.text[line..first.into()]
        .trim()
        .is_empty()
        .then_some(first)
}

/// Removes unused variables, and then the import of `TypeVar`.
fn drop_unused(
    pass: &mut Pass<'_>,
    file: &SyntaxNode,
    around: &[(String, ast::AssignStmt)],
    done: &[TextRange],
) {
    let mut makers = 0;
    let mut used: FxHashMap<String, Vec<ast::NameExpr>> = FxHashMap::default();
    for name in file.descendants().filter_map(ast::NameExpr::cast) {
        used.entry(name.text()).or_default().push(name);
    }
    let used = |name: &str| used.get(name).map_or(&[] as &[_], Vec::as_slice);
    for (name, assign) in around {
        let uses = used(name).iter();
        let uses = uses.filter(|it| !assign.range().contains_range(it.range()));
        let is_done = |it: &&ast::NameExpr| is_inside_one(it.range(), done);
        let (gone, left): (Vec<_>, Vec<_>) = uses.partition(is_done);
        if left.is_empty() && !gone.is_empty() {
            pass.remove_stmt(assign);
            makers += 1;
        } else if left
            .iter()
            .any(|it| decorators::is_in_prim_func(pass, it.syntax()))
        {
            pass.leave(
                assign.range(),
                "before TVM 0.27 a PrimFunc cannot use `TypeVar`",
            );
        }
    }
    for import in file.descendants().filter_map(ast::ImportFromStmt::cast) {
        let mut names = import.names();
        let (Some(alias), None) = (names.next(), names.next()) else {
            continue;
        };
        let path = alias.path().map(|it| it.dotted());
        let module = import.module().map(|it| it.dotted());
        if module.as_deref() != Some("typing") || path.as_deref() != Some("TypeVar") {
            continue;
        }
        let local = alias
            .alias()
            .map_or("TypeVar".into(), |it| it.text().to_owned());
        if makers > 0 && used(&local).len() == makers {
            pass.remove_stmt(&import);
        }
    }
}
