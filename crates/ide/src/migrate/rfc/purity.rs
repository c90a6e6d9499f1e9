//! Finds the functions with effects: those that use an operator with effects, and their callers.

use relax::ops::{self, Purity};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxNode, SyntaxToken};

use super::callee_name;
use crate::migrate::{Pass, decorators};

/// The functions of a file that have effects.
pub struct Effects(FxHashSet<SyntaxNode>);

impl Effects {
    pub fn of(pass: &Pass<'_>) -> Effects {
        let mut callers: FxHashMap<SyntaxNode, Vec<SyntaxNode>> = FxHashMap::default();
        let mut found: Vec<SyntaxNode> = Vec::new();
        let functions = pass.tree.syntax().descendants();
        for function in functions.filter_map(ast::FunctionDef::cast) {
            if !is_outermost(pass, &function) {
                continue;
            }
            let calls = Calls::of(pass, &function);
            if calls.has_effects {
                found.push(function.syntax().clone());
            }
            for callee in calls.functions {
                let callers = callers.entry(callee).or_default();
                callers.push(function.syntax().clone());
            }
        }
        let mut effects = FxHashSet::default();
        while let Some(function) = found.pop() {
            if let Some(callers) = callers.remove(&function) {
                found.extend(callers);
            }
            effects.insert(function);
        }
        Effects(effects)
    }

    pub fn has(&self, function: &ast::FunctionDef) -> bool {
        self.0.contains(function.syntax())
    }
}

/// Returns `true` for a Relax function that is not local.
fn is_outermost(pass: &Pass<'_>, function: &ast::FunctionDef) -> bool {
    let around = function.syntax().parent();
    decorators::is_relax_function(pass, function)
        && !around.is_some_and(|it| decorators::is_in_relax_function(pass, &it))
}

/// The calls in a function.
struct Calls {
    /// `true` if an operator with effects is among them.
    has_effects: bool,
    /// Calls of Relax functions of the class.
    functions: FxHashSet<SyntaxNode>,
}

impl Calls {
    fn of(pass: &Pass<'_>, function: &ast::FunctionDef) -> Calls {
        let mut calls = Calls {
            has_effects: false,
            functions: FxHashSet::default(),
        };
        let class = function.syntax().ancestors().find_map(ast::ClassDef::cast);
        let methods = class.map(|it| pass.methods(&it));
        let Some(body) = function.body() else {
            return calls;
        };
        for call in body.syntax().descendants().filter_map(ast::CallExpr::cast) {
            if let Some(name) = callee_name(pass, &Expr::CallExpr(call.clone())) {
                let op = name.strip_prefix("R.");
                let op = op.and_then(|it| ops::by_script(it, pass.transition.to));
                calls.has_effects |= op.is_some_and(|it| it.purity == Purity::Impure);
                continue;
            }
            let name = match call.callee() {
                Some(Expr::AttributeExpr(it)) => it.name(),
                Some(Expr::NameExpr(it)) => it.token(),
                _ => None,
            };
            let methods = methods.as_ref().zip(name.as_ref().map(SyntaxToken::text));
            let callee = methods.and_then(|(methods, name)| methods.get(name)?.first());
            if let Some(callee) = callee.filter(|it| decorators::is_relax_function(pass, it)) {
                calls.functions.insert(callee.syntax().clone());
            }
        }
        calls
    }
}
