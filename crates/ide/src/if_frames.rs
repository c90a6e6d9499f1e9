//! The builder's form of a branch: `with R.If(test):` around `with R.Then():` and `with R.Else():`.

use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::{TextRange, TextSize};

use crate::dataflow::last_name;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// A statement `with R.If(test):` with its frames.
pub struct Frames {
    pub with: ast::WithStmt,
    call: ast::CallExpr,
    test: TextRange,
    then: ast::WithStmt,
    otherwise: Option<ast::WithStmt>,
}

impl Frames {
    pub fn new(with: &ast::WithStmt) -> Option<Frames> {
        let call = frame(with, "If")?;
        let test = call.arg_list()?.args().next()?.value()?.range();
        let inner: Vec<Stmt> = with.body()?.stmts().collect();
        let (then, otherwise) = match inner.as_slice() {
            [Stmt::WithStmt(then)] => (then, None),
            [Stmt::WithStmt(then), Stmt::WithStmt(otherwise)] => {
                frame(otherwise, "Else")?;
                (then, Some(otherwise.clone()))
            }
            _ => return None,
        };
        frame(then, "Then")?;
        Some(Frames {
            with: with.clone(),
            call,
            test,
            then: then.clone(),
            otherwise,
        })
    }

    /// Returns the edit that writes the frames as `if` and `else`.
    pub fn to_statement(&self, cx: &FunctionContext<'_>) -> Option<SourceEdit> {
        let outer = cx.indent(self.with.range().start());
        let step = cx.indent(self.then.range().start()).strip_prefix(outer)?;
        let start = |with: &ast::WithStmt| cx.lines(TextRange::empty(with.range().start()));
        let before = TextRange::new(self.with.range().start(), self.test.start());
        let mut edit = SourceEdit::replace(before, "if ")
            .and_delete(TextRange::new(self.test.end(), self.call.range().end()));
        // A comment between the headers belongs to the branch.
        let header = cx.lines(TextRange::empty(self.call.range().end()));
        let then = start(&self.then);
        let end = cx.lines(self.with.range()).end();
        let then_end = match &self.otherwise {
            Some(otherwise) => {
                let line = start(otherwise);
                let call = frame(otherwise, "Else")?.range();
                let old = TextRange::new(otherwise.range().start(), call.end());
                let inner = TextRange::new(line.end(), end);
                edit = edit
                    .and_delete(TextRange::at(line.start(), TextSize::of(step)))
                    .and_replace(old, "else")
                    .and_all(cx.dedented(inner, outer, step)?);
                line.start()
            }
            None => end,
        };
        let inner = TextRange::new(then.end(), then_end);
        let is_plain = cx
            .slice(TextRange::new(header.end(), then.end()))
            .lines()
            .count()
            == 1
            && !cx.slice(then).contains('#');
        if !is_plain {
            return None;
        }
        Some(
            edit.and_delete(then)
                .and_all(cx.dedented(inner, outer, step)?),
        )
    }
}

/// Returns the call of `with R.If(...):` if it opens a frame of this name.
fn frame(with: &ast::WithStmt, name: &str) -> Option<ast::CallExpr> {
    let mut items = with.items();
    let (Some(item), None) = (items.next(), items.next()) else {
        return None;
    };
    let Expr::CallExpr(call) = item.context()? else {
        return None;
    };
    (last_name(&call.callee()?)? == name && with.body()?.is_block()).then_some(call)
}
