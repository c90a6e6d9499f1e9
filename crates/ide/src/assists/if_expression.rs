//! `y = a if c else b` of a tensor `c` becomes an `if` with branches: the expression is Python's own, which takes
//! every tensor for true.

use relax::sinfo::StructInfo;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::Assists;
use crate::code_action::ActionKind;
use crate::dataflow::DataflowBlock;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn to_statement(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(stmt) = cx.around::<ast::AssignStmt>(range) else {
        return;
    };
    let targets: Vec<Expr> = stmt.targets().collect();
    let ([Expr::NameExpr(target)], Some(Expr::IfExpr(value))) = (targets.as_slice(), stmt.value())
    else {
        return;
    };
    let (Some(test), Some(then), Some(otherwise)) = (value.test(), value.then(), value.or_else())
    else {
        return;
    };
    let around = cx.body.exprs_around(test.range()).into_iter();
    let mut tests = around.filter(|expr| cx.body.range(*expr) == test.range());
    let is_relax = tests.any(|expr| {
        let sinfo = cx.facts.value(expr).struct_info();
        matches!(sinfo, Some(StructInfo::Tensor(_)))
    });
    if !is_relax
        || !cx.alone_on_its_lines(stmt.range())
        || DataflowBlock::around(cx, stmt.range()).is_some()
    {
        return;
    }
    let title = "Write it as `if` and `else`";
    assists.add("if-statement", title, ActionKind::RefactorRewrite, || {
        let indent = cx.indent(stmt.range().start());
        let (step, newline) = (cx.indent_step(), cx.newline());
        let name = cx.slice(target.range());
        let branch = |value: &Expr| {
            let value = cx.slice(value.range());
            format!("{newline}{indent}{step}{name} = {value}{newline}{indent}")
        };
        let text = format!(
            "if {}:{}else:{}",
            cx.slice(test.range()),
            branch(&then),
            branch(&otherwise).trim_end()
        );
        SourceEdit::replace(stmt.range(), text)
    });
}
