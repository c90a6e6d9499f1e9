//! Resolves the names of a function in the syntax of 2022.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Proposal, prim_func};
use crate::migrate::Pass;
use crate::migrate::functions::Methods;

/// The names that each function or class of a file binds in its own scope. The file's own names are under its root.
pub struct Bindings(FxHashMap<SyntaxNode, FxHashSet<String>>);

impl Bindings {
    pub fn of(file: &SyntaxNode) -> Bindings {
        let mut names: FxHashMap<SyntaxNode, FxHashSet<String>> = FxHashMap::default();
        for node in file.descendants() {
            let bound = bound(&node);
            if !bound.is_empty() {
                let mut above = node.ancestors().skip(1);
                let home = above.find(is_scope).unwrap_or_else(|| file.clone());
                names.entry(home).or_default().extend(bound);
            }
        }
        Bindings(names)
    }

    fn has(&self, home: &SyntaxNode, name: &str) -> bool {
        self.0.get(home).is_some_and(|it| it.contains(name))
    }
}

/// A function, and the names that are visible in it.
pub struct Scope {
    pub function: ast::FunctionDef,
    /// The local name of the `relax` namespace, usually `R`.
    relax: String,
    pub class: Option<String>,
    methods: Option<Rc<Methods>>,
    /// The names that the function binds.
    bound: BTreeSet<String>,
    /// The enclosing functions, and the file.
    around: Vec<SyntaxNode>,
    proposal: Rc<Proposal>,
}

impl Scope {
    pub fn of(pass: &Pass<'_>, function: ast::FunctionDef) -> Scope {
        let class = function.syntax().ancestors().find_map(ast::ClassDef::cast);
        let relax = pass.imports.named("tvm.script.relax");
        let around = function.syntax().ancestors().skip(1);
        let around = around.filter(|it| is_function(it) || it.parent().is_none());
        let inside = function.syntax().descendants().skip(1);
        Scope {
            relax: relax.unwrap_or_else(|| "R".to_owned()),
            methods: class.as_ref().map(|it| pass.methods(it)),
            class: class
                .and_then(|it| it.name())
                .map(|it| it.text().to_owned()),
            bound: inside.flat_map(|it| bound(&it)).collect(),
            around: around.collect(),
            proposal: pass.proposal(),
            function,
        }
    }

    /// Returns the nodes of the function, without those inside PrimFuncs.
    pub fn nodes(&self, pass: &Pass<'_>) -> Vec<SyntaxNode> {
        let mut nodes = Vec::new();
        let mut walk = self.function.syntax().preorder();
        while let Some(event) = walk.next() {
            let syntax::WalkEvent::Enter(node) = event else {
                continue;
            };
            if &node != self.function.syntax() && prim_func(pass, &node).is_some() {
                walk.skip_subtree();
            } else {
                nodes.push(node);
            }
        }
        nodes
    }

    /// Returns `true` if the function binds a name.
    pub fn binds(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    /// Returns `true` if the Python code around the function binds a name.
    pub fn is_bound_around(&self, name: &str) -> bool {
        let mut homes = self.around.iter();
        homes.any(|home| self.proposal.bindings.has(home, name))
    }

    /// Returns `true` if the class has a function of this name.
    pub fn is_method(&self, name: &str) -> bool {
        let methods = self.methods.as_ref();
        methods.is_some_and(|it| it.contains_key(name))
    }

    /// Returns `true` if no known statement binds a name.
    pub fn is_free(&self, pass: &Pass<'_>, name: &str) -> bool {
        !self.binds(name) && !self.is_bound_around(name) && pass.imports.path(name).is_none()
    }

    /// Returns `true` if the function calls something with effects.
    pub fn has_effects(&self, pass: &Pass<'_>) -> bool {
        self.proposal.effects(pass).has(&self.function)
    }

    /// Returns `name` in the `R` namespace.
    pub fn relax(&self, name: &str) -> String {
        format!("{}.{name}", self.relax)
    }
}

fn is_function(node: &SyntaxNode) -> bool {
    ast::FunctionDef::can_cast(node.kind())
}

fn is_scope(node: &SyntaxNode) -> bool {
    is_function(node) || ast::ClassDef::can_cast(node.kind())
}

/// Returns the names that a node itself binds.
fn bound(node: &SyntaxNode) -> Vec<String> {
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
        let class = ast::ClassDef::cast(node.clone()).and_then(|it| it.name());
        let named = param.or(function).or(class);
        return named.map(|it| it.text().to_owned()).into_iter().collect();
    };
    let inside = targets.iter().flat_map(|it| it.syntax().descendants());
    let names = inside.filter_map(ast::NameExpr::cast);
    names.map(|it| it.text()).collect()
}
