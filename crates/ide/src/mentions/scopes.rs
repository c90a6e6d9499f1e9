//! The scopes of Python code, and the definition of a name that is visible from a place.

use hir::{Database, SourceFile};
use syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

/// The definitions of one name. Tests define modules of the same name in many functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions(Vec<Definition>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Definition {
    /// The start of the Python function around it.
    scope: Option<TextSize>,
    start: TextSize,
    index: usize,
}

impl Definitions {
    pub fn add(&mut self, tree: &SyntaxNode, start: TextSize, index: usize) {
        let scope = scopes_around(tree, start).next();
        let definition = Definition {
            scope,
            start,
            index,
        };
        let at = self.0.partition_point(|it| *it < definition);
        self.0.insert(at, definition);
    }

    /// Returns the index of the definition that is visible from an offset: in the innermost scope, the last one before
    /// the offset, or else the first after it. A name with one definition always means that one.
    pub fn seen_from(&self, tree: &SyntaxNode, at: TextSize) -> Option<usize> {
        if let [only] = self.0.as_slice() {
            return Some(only.index);
        }
        let scopes = scopes_around(tree, at).map(Some).chain([None]);
        scopes.map(|scope| self.in_scope(scope)).find_map(|it| {
            let before = it.partition_point(|it| it.start <= at);
            it.get(before.saturating_sub(1)).map(|it| it.index)
        })
    }

    pub fn first(&self) -> Option<usize> {
        self.0.iter().map(|it| it.index).min()
    }

    fn in_scope(&self, scope: Option<TextSize>) -> &[Definition] {
        let first = self.0.partition_point(|it| it.scope < scope);
        let count = self.0[first..].partition_point(|it| it.scope == scope);
        &self.0[first..first + count]
    }
}

/// Returns the starts of the Python functions around an offset, innermost first.
fn scopes_around(tree: &SyntaxNode, offset: TextSize) -> impl Iterator<Item = TextSize> + use<> {
    let token = syntax::tokens_at(tree, offset).right_biased();
    let nodes = token.into_iter().flat_map(|it| it.parent_ancestors());
    let starts = nodes.filter(is_scope).map(|it| it.text_range().start());
    starts.filter(move |&start| start < offset)
}

/// Returns the range of the Python function around a definition that begins at an offset, or of the file.
pub fn scope_around(db: &Database, file: SourceFile, start: TextSize) -> TextRange {
    let tree = file.source(db).parse.syntax();
    let token = tree.token_at_offset(start).right_biased();
    let mut nodes = token.into_iter().flat_map(|it| it.parent_ancestors());
    let scope = nodes.find(|it| is_scope(it) && it.text_range().start() < start);
    scope.map_or(tree.text_range(), |it| it.text_range())
}

/// Returns the range of the Python function that begins at an offset, or of the file.
pub fn scope_at(db: &Database, file: SourceFile, start: TextSize) -> TextRange {
    let tree = file.source(db).parse.syntax();
    let token = syntax::tokens_at(&tree, start).right_biased();
    let mut nodes = token.into_iter().flat_map(|it| it.parent_ancestors());
    let scope = nodes.find(|it| is_scope(it) && it.text_range().start() == start);
    scope.map_or(tree.text_range(), |it| it.text_range())
}

/// Returns the Python function whose scope contains a token. The function's own name is in the outer scope.
pub fn function_around(token: &SyntaxToken) -> Option<TextRange> {
    let mut at = token.parent()?;
    if matches!(at.kind(), K::FUNCTION_DEF | K::CLASS_DEF) {
        at = at.parent()?;
    }
    at.ancestors().find(is_scope).map(|it| it.text_range())
}

/// Returns `true` if names bound in a node are local to it.
pub fn is_scope(node: &SyntaxNode) -> bool {
    matches!(node.kind(), K::FUNCTION_DEF | K::LAMBDA_EXPR)
}

#[cfg(test)]
mod tests {
    use syntax::ast::AstNode;

    use super::*;

    #[test]
    fn a_name_means_the_last_definition_before_it_or_else_the_first_after_it() {
        let tree = syntax::parse("a = 1\nb = 2\nc = 3\n").tree();
        let mut definitions = Definitions::default();
        for (index, start) in [6, 12].into_iter().enumerate() {
            definitions.add(tree.syntax(), start.into(), index);
        }
        let seen = [0, 6, 7, 12, 17].map(|at: u32| definitions.seen_from(tree.syntax(), at.into()));
        assert_eq!(seen, [0, 0, 0, 1, 1].map(Some));
    }
}
