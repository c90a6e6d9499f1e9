//! Divisions of integers in PrimFuncs, where `/` is that of floats.

use hir::{Diagnostic, FunctionKind};
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// `a / b` becomes `a // b`.
pub fn floor(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if cx.function.kind(cx.db) != FunctionKind::PrimFunc {
        return;
    }
    let division = cx.around::<ast::BinaryExpr>(diagnostic.range);
    let op = division
        .filter(|it| it.range() == diagnostic.range)
        .and_then(|it| it.op_token());
    if let Some(op) = op.filter(|it| it.text() == "/") {
        let edit = SourceEdit::replace(op.text_range(), "//");
        fixes.preferred("floor-division", "Round down: write `//`", edit);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::fixes::tests::check;

    #[test]
    fn a_division_of_integers_rounds_down() {
        check(
            "dtype-mismatch",
            "floor-division",
            r#"@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] / 2
"#,
            expect![[r#"
                @T.prim_func
                def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
                    for i in range(4):
                        B[i] = A[i] // 2
            "#]],
        );
    }
}
