//! One `return`, at the end.

use hir::Diagnostic;
use hir::facts::VarKind;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// Returns what is bound last.
pub fn add(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(at) = cx.facts.functions.iter().position(|it| {
        it.range.contains_range(diagnostic.range) && diagnostic.range.contains_range(it.name_range)
    }) else {
        return;
    };
    let def = cx.function_def(diagnostic.range);
    let Some(last) = def.body().and_then(|it| it.stmts().last()) else {
        return;
    };
    let own = cx.facts.vars().filter(|it| it.function == at);
    let bound = own.filter(|it| {
        matches!(it.kind, VarKind::Var | VarKind::MatchCast) && !it.name.starts_with('_')
    });
    let value = bound.last().map_or("R.tuple()", |it| it.name.as_str());
    let indent = cx.indent(last.range().start());
    let text = format!("{indent}return {value}{}", cx.newline());
    let edit = SourceEdit::insert(cx.lines(last.range()).end(), text);
    fixes.preferred("add-return", format!("Return `{value}`"), edit);
}

/// A second `return` goes.
pub fn remove(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let stmt = cx.around::<ast::ReturnStmt>(diagnostic.range);
    if let Some(stmt) = stmt.filter(|it| cx.alone_on_its_lines(it.range())) {
        let edit = SourceEdit::delete(cx.lines(stmt.range()));
        fixes.preferred("remove-return", "Remove this `return`", edit);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::fixes::tests::check;

    #[test]
    fn a_function_returns_what_it_binds_last() {
        check(
            "missing-return",
            "add-return",
            r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
"#,
            expect![[r#"
                @R.function
                def f(x: R.Tensor((4,), "float32")):
                    y = R.exp(x)
                    return y
            "#]],
        );
    }

    #[test]
    fn a_second_return_goes() {
        check(
            "misplaced-return",
            "remove-return",
            r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
    return x
"#,
            expect![[r#"
                @R.function
                def f(x: R.Tensor((4,), "float32")):
                    y = R.exp(x)
                    return y
            "#]],
        );
    }
}
