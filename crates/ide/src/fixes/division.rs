//! Fixes floats in PrimFuncs where integers are required: `/`, and dimensions with a decimal point.

use relax::{Diagnostic, FunctionKind};
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `a / b` to `a // b`.
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
        fixes.preferred("floor-division", "Use integer division `//`", edit);
    }
}

/// Rewrites a dimension `4.0` to `4`.
pub fn whole_number(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let old = cx.slice(diagnostic.range);
    let is_prim = cx.function.kind(cx.db) == FunctionKind::PrimFunc;
    let number = old.trim_end_matches('0').strip_suffix('.');
    if let Some(number) = number.filter(|it| is_prim && it.parse::<u64>().is_ok()) {
        let edit = SourceEdit::replace(diagnostic.range, number);
        fixes.preferred("whole-number", format!("Write `{number}`"), edit);
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
                     for i in range(4):
                -        B[i] = A[i] / 2
                +        B[i] = A[i] // 2
            "#]],
        );
    }

    #[test]
    fn a_float_dimension_becomes_an_integer() {
        check(
            "dtype-mismatch",
            "whole-number",
            r#"@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (10.0, 4), "float32")
    A[0, 0] = T.float32(1)
"#,
            expect![[r#"
                 def f(a: T.handle):
                -    A = T.match_buffer(a, (10.0, 4), "float32")
                +    A = T.match_buffer(a, (10, 4), "float32")
                     A[0, 0] = T.float32(1)
            "#]],
        );
    }
}
