//! Where a PrimFunc binds a name, and where that binding is in force.

use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::TextRange;

use super::{Pass, blocks};

/// Blocks that become statements beside what was in them.
const UNWRAPPED: &[&str] = &["T.LetStmt", "T.allocate", "T.realize"];

pub struct Binding {
    pub name: SyntaxToken,
    /// Where the name means this binding, unless another one comes between.
    reach: TextRange,
    /// The suite that holds it once the blocks around it are unwrapped.
    suite: TextRange,
}

impl Binding {
    /// Whether the new parser has both of them in one scope, or one in a scope around the other.
    fn meets(&self, other: &Binding) -> bool {
        self.suite.contains_range(other.suite) || other.suite.contains_range(self.suite)
    }
}

/// The bindings of a name in the function around a node, in the order of the text.
pub fn bindings(pass: &Pass<'_>, node: &SyntaxNode, name: &str) -> Vec<Binding> {
    let Some(function) = node.ancestors().find_map(ast::FunctionDef::cast) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let mut add = |target: SyntaxToken, reach: TextRange, suite: Option<ast::Suite>| {
        if let Some(suite) = suite.filter(|_| target.text() == name) {
            all.push(Binding {
                name: target,
                reach,
                suite: unwrapped(pass, suite).range(),
            });
        }
    };
    if let Some(body) = function.body() {
        let params = function.params().into_iter().flat_map(|it| it.params());
        for param in params.filter_map(|it| it.name()) {
            add(param, body.range(), Some(body.clone()));
        }
    }
    for node in function.syntax().descendants() {
        let (targets, body): (Vec<Expr>, _) = if let Some(it) = ast::AssignStmt::cast(node.clone())
        {
            (it.targets().collect(), None)
        } else if let Some(it) = ast::AnnAssignStmt::cast(node.clone()) {
            (it.target().into_iter().collect(), None)
        } else if let Some(it) = ast::ForStmt::cast(node.clone()) {
            (it.target().into_iter().collect(), it.body())
        } else if let Some(it) = ast::WithStmt::cast(node.clone()) {
            (it.items().filter_map(|it| it.target()).collect(), it.body())
        } else {
            continue;
        };
        let (reach, suite) = match body {
            Some(body) => (body.range(), Some(body)),
            None => {
                let suite = node.ancestors().find_map(ast::Suite::cast);
                let start = node.text_range().end();
                let end = suite.as_ref().map_or(start, |it| it.range().end());
                (TextRange::new(start, end), suite)
            }
        };
        for target in targets.iter().flat_map(names) {
            add(target, reach, suite.clone());
        }
    }
    all.sort_by_key(|it| it.name.text_range().start());
    all
}

/// The names that a target binds.
fn names(target: &Expr) -> Vec<SyntaxToken> {
    match target {
        Expr::NameExpr(it) => it.token().into_iter().collect(),
        Expr::TupleExpr(it) => it.elements().flat_map(|it| names(&it)).collect(),
        Expr::ListExpr(it) => it.elements().flat_map(|it| names(&it)).collect(),
        Expr::ParenExpr(it) => it.expr().iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}

fn unwrapped(pass: &Pass<'_>, suite: ast::Suite) -> ast::Suite {
    let mut suite = suite;
    while let Some(with) = suite.syntax().parent().and_then(ast::WithStmt::cast)
        && UNWRAPPED
            .iter()
            .any(|name| blocks::context(pass, &with, name).is_some())
        && let Some(around) = with.syntax().ancestors().find_map(ast::Suite::cast)
    {
        suite = around;
    }
    suite
}

/// Gives what a target binds a name of its own, where its scope already has that name. The parsers of older releases
/// took a second one; those since 0.24 refuse it.
pub fn is_renamed(pass: &mut Pass<'_>, target: &Expr) -> bool {
    let Expr::NameExpr(target) = target else {
        return false;
    };
    let name = target.text();
    let all = bindings(pass, target.syntax(), &name);
    let Some(at) = all
        .iter()
        .position(|it| it.name.text_range() == target.range())
    else {
        return false;
    };
    let (before, this) = (&all[..at], &all[at]);
    let first = before.iter().filter(|it| it.meets(this)).count();
    if first == 0 {
        return false;
    }
    let Some(function) = target.syntax().ancestors().find_map(ast::FunctionDef::cast) else {
        return false;
    };
    let tokens = function.syntax().descendants_with_tokens();
    let tokens = tokens.filter_map(syntax::NodeOrToken::into_token);
    let taken: Vec<SyntaxToken> = tokens.filter(|it| it.kind() == SyntaxKind::IDENT).collect();
    let mut number = first;
    let fresh = loop {
        let new = format!("{name}_{number}");
        if taken.iter().all(|it| it.text() != new) {
            break new;
        }
        number += 1;
    };
    let used = function
        .syntax()
        .descendants()
        .filter_map(ast::NameExpr::cast)
        .filter(|it| it.text() == name)
        .map(|it| it.range());
    for range in used.filter(|it| this.reach.contains_range(*it) || *it == target.range()) {
        pass.replace(range, fresh.clone());
    }
    true
}
