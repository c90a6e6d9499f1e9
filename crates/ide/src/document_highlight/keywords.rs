//! Finds keywords that belong together: `if` and `else`, `def` and each `return`, a dataflow block and its `R.output`.

use hir::{Database, SourceFile};
use syntax::ast::{self, AstNode, Stmt};
use syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use crate::dataflow::DataflowBlock;
use crate::semantics::function_at;

/// Returns the keywords related to the one at an offset, including itself. Returns nothing outside of TVMScript.
pub fn related(db: &Database, file: SourceFile, offset: TextSize) -> Vec<TextRange> {
    if function_at(db, file, offset).is_none() {
        return Vec::new();
    }
    let tree = file.source(db).parse.tree();
    let mut tokens = syntax::tokens_at(tree.syntax(), offset);
    tokens.find_map(|token| of(&token)).unwrap_or_default()
}

fn of(token: &SyntaxToken) -> Option<Vec<TextRange>> {
    let parent = token.parent()?;
    let mut found = Vec::new();
    match token.kind() {
        K::IF_KW | K::ELIF_KW | K::ELSE_KW => {
            let clause = matches!(parent.kind(), K::ELIF_CLAUSE | K::ELSE_CLAUSE);
            let whole = if clause { parent.parent()? } else { parent };
            let clauses = whole.children().filter(|it| {
                whole.kind() == K::IF_STMT && matches!(it.kind(), K::ELIF_CLAUSE | K::ELSE_CLAUSE)
            });
            for node in std::iter::once(whole.clone()).chain(clauses) {
                found.extend(keywords(&node, &[K::IF_KW, K::ELIF_KW, K::ELSE_KW]));
            }
        }
        K::WITH_KW => {
            found.push(token.text_range());
            let block = DataflowBlock::new(ast::WithStmt::cast(parent)?)?;
            found.push(block.output?.callee()?.range());
        }
        K::DEF_KW | K::RETURN_KW => {
            let def = parent.ancestors().find_map(ast::FunctionDef::cast)?;
            found.extend(keywords(def.syntax(), &[K::DEF_KW]));
            returns(def.body()?.stmts(), &mut found);
        }
        _ => return None,
    }
    Some(found)
}

fn keywords(node: &SyntaxNode, kinds: &[K]) -> impl Iterator<Item = TextRange> {
    let tokens = node
        .children_with_tokens()
        .filter_map(syntax::SyntaxElement::into_token);
    let tokens = tokens.filter(|it| kinds.contains(&it.kind()));
    tokens.map(|it| it.text_range())
}

/// Collects the `return`s of one function, without its local functions.
fn returns(stmts: impl Iterator<Item = Stmt>, found: &mut Vec<TextRange>) {
    for stmt in stmts {
        match stmt {
            Stmt::ReturnStmt(it) => found.extend(keywords(it.syntax(), &[K::RETURN_KW])),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => {
                let suites = other.syntax().children().flat_map(|child| {
                    let own = ast::Suite::cast(child.clone());
                    own.into_iter()
                        .chain(child.children().filter_map(ast::Suite::cast))
                });
                for suite in suites {
                    returns(suite.stmts(), found);
                }
            }
        }
    }
}
