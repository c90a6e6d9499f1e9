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

#[cfg(test)]
mod tests {
    use crate::document_highlight::tests::check;

    #[test]
    fn a_dataflow_block_and_its_output_belong_together() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    wi$0th R.dataflow():
#   ^^^^ read
        y = R.exp(x)
        R.output(y)
#       ^^^^^^^^ read
    return y
"#,
        );
    }

    #[test]
    fn branches_belong_together_and_those_inside_them_do_not() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
#   ^^ read
        if c:
            y = R.exp(x)
        else:
            y = R.log(x)
    el$0se:
#   ^^^^ read
        y = x
    return y
"#,
        );
    }

    #[test]
    fn a_function_and_its_results_belong_together() {
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
#   ^^^ read
        @R.function
        def g(y: R.Tensor((4,), "float32")):
            return y
        ret$0urn g(x)
#       ^^^^^^ read
"#,
        );
    }

    #[test]
    fn python_keywords_are_not_highlighted() {
        check("def f(x):\n    retu$0rn x\n");
    }
}
