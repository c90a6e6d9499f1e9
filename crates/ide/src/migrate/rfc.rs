//! Functions of 2022 in the spelling that came after: names with their namespace, annotations in parentheses, shape
//! variables that are declared, calls that say the StructInfo of their results.
//!
//! Each pass does one stage of a function, since each stage reads what the one before it has written.

mod annotations;
mod calls;
mod names;
mod signature;

use std::collections::BTreeSet;

use relax::release::Release;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use super::{Pass, decorators};

const STAGES: &[fn(&mut Pass<'_>, &Scope)] = &[
    names::stage,
    annotations::stage,
    calls::stage,
    signature::stage,
];

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if !pass.transition.enters(Release::Unity) {
        return;
    }
    if let Some(subscript) = ast::SubscriptExpr::cast(node.clone()) {
        return annotations::buffer(pass, &subscript);
    }
    let Some(function) = ast::FunctionDef::cast(node.clone()) else {
        return;
    };
    let around = function.syntax().parent();
    let is_local = around.is_some_and(|it| decorators::is_in_relax_function(pass, &it));
    if is_local || !decorators::is_relax_function(pass, &function) {
        return;
    }
    let scope = Scope::of(pass, function);
    for stage in STAGES {
        let before = pass.edit.replacements().len();
        stage(pass, &scope);
        if pass.edit.replacements().len() > before {
            return;
        }
    }
}

/// A function, and what its names may stand for.
struct Scope {
    function: ast::FunctionDef,
    /// What `R` is called.
    relax: String,
    class: Option<String>,
    /// The functions of the class.
    functions: BTreeSet<String>,
    /// What the function binds.
    bound: BTreeSet<String>,
    /// What Python binds around it.
    around: BTreeSet<String>,
}

impl Scope {
    fn of(pass: &Pass<'_>, function: ast::FunctionDef) -> Scope {
        let class = function.syntax().ancestors().find_map(ast::ClassDef::cast);
        let methods = class
            .as_ref()
            .and_then(ast::ClassDef::body)
            .into_iter()
            .flat_map(|it| it.stmts());
        let methods = methods.filter_map(|it| match it {
            ast::Stmt::FunctionDef(it) => Some(it.name()?.text().to_owned()),
            _ => None,
        });
        let relax = pass.imports.named("tvm.script.relax");
        let file = pass.tree.syntax();
        let outer: Vec<SyntaxNode> = function.syntax().ancestors().skip(1).collect();
        let is_around = |it: &SyntaxNode| {
            let mut above = it.ancestors().skip(1);
            let home = above.find(is_scope);
            let is_seen = home.is_none_or(|it| outer.contains(&it) && !is_class(&it));
            is_seen && !function.range().contains_range(it.text_range())
        };
        Scope {
            relax: relax.unwrap_or_else(|| "R".to_owned()),
            functions: methods.collect(),
            class: class
                .and_then(|it| it.name())
                .map(|it| it.text().to_owned()),
            bound: bound(function.syntax().descendants().skip(1)),
            around: bound(file.descendants().filter(is_around)),
            function,
        }
    }

    /// The nodes of the function, without those of PrimFuncs in it.
    fn nodes(&self, pass: &Pass<'_>) -> Vec<SyntaxNode> {
        let nodes = self.function.syntax().descendants();
        let in_prim_func = |it: &SyntaxNode| {
            let mut inside = it.ancestors().take_while(|it| it != self.function.syntax());
            inside.any(|it| prim_func(pass, &it).is_some())
        };
        nodes.filter(|it| !in_prim_func(it)).collect()
    }

    /// Whether nothing that is known binds a name.
    fn is_free(&self, pass: &Pass<'_>, name: &str) -> bool {
        let is_bound = self.bound.contains(name) || self.around.contains(name);
        !is_bound && pass.imports.path(name).is_none()
    }

    /// A name under `R`.
    fn relax(&self, name: &str) -> String {
        format!("{}.{name}", self.relax)
    }
}

/// A PrimFunc inside a function.
fn prim_func(pass: &Pass<'_>, node: &SyntaxNode) -> Option<ast::FunctionDef> {
    let function = ast::FunctionDef::cast(node.clone())?;
    let body = function.body()?;
    let is_relax = decorators::is_relax_function(pass, &function);
    (!is_relax && decorators::is_in_prim_func(pass, body.syntax())).then_some(function)
}

fn is_class(node: &SyntaxNode) -> bool {
    ast::ClassDef::can_cast(node.kind())
}

fn is_scope(node: &SyntaxNode) -> bool {
    is_class(node) || ast::FunctionDef::can_cast(node.kind())
}

/// The names that nodes bind by themselves.
fn bound(nodes: impl Iterator<Item = SyntaxNode>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for node in nodes {
        let targets: Vec<Expr> = if let Some(it) = ast::AssignStmt::cast(node.clone()) {
            it.targets().collect()
        } else if let Some(it) = ast::AnnAssignStmt::cast(node.clone()) {
            it.target().into_iter().collect()
        } else if let Some(it) = ast::ForStmt::cast(node.clone()) {
            it.target().into_iter().collect()
        } else if let Some(it) = ast::WithStmt::cast(node.clone()) {
            it.items().filter_map(|it| it.target()).collect()
        } else {
            let param = ast::Param::cast(node.clone()).and_then(|it| it.name());
            let function = ast::FunctionDef::cast(node.clone()).and_then(|it| it.name());
            let class = ast::ClassDef::cast(node).and_then(|it| it.name());
            let named = param.or(function).or(class);
            names.extend(named.map(|it| it.text().to_owned()));
            continue;
        };
        for target in targets {
            let inside = target.syntax().descendants();
            names.extend(inside.filter_map(ast::NameExpr::cast).map(|it| it.text()));
        }
    }
    names
}

/// The elements of a tuple or list.
fn elements(expr: &Expr) -> Option<Vec<Expr>> {
    match expr {
        Expr::TupleExpr(it) => Some(it.elements().collect()),
        Expr::ListExpr(it) => Some(it.elements().collect()),
        Expr::ParenExpr(it) => elements(&it.expr()?),
        _ => None,
    }
}

fn is_hole(expr: &Expr) -> bool {
    matches!(expr, Expr::NameExpr(it) if it.text() == "_")
}

fn is_string(expr: &Expr) -> bool {
    expr.syntax().kind() == SyntaxKind::STRING_LIT
}

/// The name of `f` in `f(...)`, as TVMScript has it.
fn called(pass: &Pass<'_>, expr: &Expr) -> Option<String> {
    let Expr::CallExpr(call) = expr else {
        return None;
    };
    pass.script_name(&call.callee()?)
}
