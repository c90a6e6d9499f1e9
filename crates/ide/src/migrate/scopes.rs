//! Finds the bindings of a name in a PrimFunc, and the scope of each.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxNode, SyntaxToken};
use text_size::TextRange;

use super::functions::bound_names;
use super::{Pass, blocks};

/// Blocks that are replaced with statements, so that their bodies move to the enclosing suite.
const UNWRAPPED: &[&str] = &["T.LetStmt", "T.allocate", "T.realize"];

pub struct Binding {
    pub name: SyntaxToken,
    /// The range in which the name refers to this binding, unless another binding shadows it.
    reach: TextRange,
    /// The number of earlier bindings of the name that the parser of the target release sees in the same scope, an
    /// outer one or an inner one, after blocks are unwrapped.
    earlier: usize,
}

impl Binding {
    /// Returns all bindings of a function, in the order of the text.
    pub fn all(pass: &Pass<'_>, function: &ast::FunctionDef) -> Vec<Binding> {
        let mut all = Vec::new();
        let mut add = |target: SyntaxToken, reach: TextRange, suite: Option<ast::Suite>| {
            if let Some(suite) = suite {
                let binding = Binding {
                    name: target,
                    reach,
                    earlier: 0,
                };
                all.push((unwrapped(pass, suite), binding));
            }
        };
        if let Some(body) = function.body() {
            let params = function.params().into_iter().flat_map(|it| it.params());
            for param in params.filter_map(|it| it.name()) {
                add(param, body.range(), Some(body.clone()));
            }
        }
        for node in function.syntax().descendants() {
            let (targets, body): (Vec<Expr>, _) =
                if let Some(it) = ast::AssignStmt::cast(node.clone()) {
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
            for target in targets.iter().flat_map(bound_names) {
                add(target, reach, suite.clone());
            }
        }
        all.sort_by_key(|it| it.1.name.text_range().start());
        let mut seen = BindingCounts::default();
        let all = all.into_iter().map(|(suite, mut binding)| {
            binding.earlier = seen.count(binding.name.text().into(), &suite);
            binding
        });
        all.collect()
    }
}

/// The number of bindings of each name in each suite so far: by its own statements, and by those inside.
#[derive(Default)]
struct BindingCounts {
    own: FxHashMap<(SmolStr, SyntaxNode), usize>,
    inside: FxHashMap<(SmolStr, SyntaxNode), usize>,
}

impl BindingCounts {
    /// Adds a binding. Returns the number of earlier ones in the same suite, in suites around it, and inside it.
    fn count(&mut self, name: SmolStr, suite: &ast::Suite) -> usize {
        let is_suite = |it: &SyntaxNode| ast::Suite::can_cast(it.kind());
        let suite = suite.syntax();
        let mut earlier = 0;
        for around in suite.ancestors().filter(is_suite) {
            let key = (name.clone(), around);
            if key.1 == *suite {
                earlier += self.inside.get(&key).copied().unwrap_or_default();
                *self.own.entry(key.clone()).or_default() += 1;
            } else {
                earlier += self.own.get(&key).copied().unwrap_or_default();
            }
            *self.inside.entry(key).or_default() += 1;
        }
        earlier
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

/// Renames the name that a target binds if its scope already binds it, and returns `true` if it did. The parsers of
/// older releases accept a second binding; those since 0.24 reject it.
pub fn is_renamed(pass: &mut Pass<'_>, target: &Expr) -> bool {
    let Expr::NameExpr(target) = target else {
        return false;
    };
    let name = target.text();
    let Some(names) = pass.names_around(target.syntax()) else {
        return false;
    };
    let all = names.bound(&name);
    let at = all.binary_search_by_key(&target.range().start(), |it| it.name.text_range().start());
    let Some(this) = at.ok().map(|at| &all[at]).filter(|it| it.earlier > 0) else {
        return false;
    };
    let mut number = this.earlier;
    let fresh = loop {
        let new = format!("{name}_{number}");
        if !names.has_identifier(&new) {
            break new;
        }
        number += 1;
    };
    let used = names.used(&name).iter().map(AstNode::range);
    for range in used.filter(|it| this.reach.contains_range(*it) || *it == target.range()) {
        pass.replace(range, fresh.clone());
    }
    true
}
