//! Migrates functions in the syntax of the RFC of 2022: adds namespaces to names, changes brackets of annotations to
//! parentheses, declares shape variables, and gives calls the StructInfo of their results.
//!
//! Each pass does one stage of a function, since each stage reads the output of the previous one.

mod annotations;
mod calls;
mod names;
mod purity;
mod scope;
mod signature;
mod values;

use std::cell::OnceCell;
use std::rc::Rc;

use relax::release::Release;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use self::purity::Effects;
use self::scope::{Bindings, Scope};
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

/// Data about the whole file that is read once per pass.
pub struct Proposal {
    bindings: Bindings,
    effects: OnceCell<Effects>,
}

impl Proposal {
    fn effects(&self, pass: &Pass<'_>) -> &Effects {
        self.effects.get_or_init(|| Effects::of(pass))
    }
}

impl Pass<'_> {
    fn proposal(&self) -> Rc<Proposal> {
        let proposal = self.proposal.get_or_init(|| {
            Rc::new(Proposal {
                bindings: Bindings::of(self.tree.syntax()),
                effects: OnceCell::new(),
            })
        });
        Rc::clone(proposal)
    }
}

/// Returns `node` if it is a PrimFunc inside a function.
fn prim_func(pass: &Pass<'_>, node: &SyntaxNode) -> Option<ast::FunctionDef> {
    let function = ast::FunctionDef::cast(node.clone())?;
    let body = function.body()?;
    let is_relax = decorators::is_relax_function(pass, &function);
    (!is_relax && decorators::is_in_prim_func(pass, body.syntax())).then_some(function)
}

/// Returns the elements of a tuple or list.
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

/// Returns the TVMScript name of the callee of a call.
fn callee_name(pass: &Pass<'_>, expr: &Expr) -> Option<String> {
    let Expr::CallExpr(call) = expr else {
        return None;
    };
    pass.script_name(&call.callee()?)
}
