//! Moves statements out of a dataflow block that cannot contain them.

use relax::Diagnostic;
use syntax::ast::AstNode;

use super::Fixes;
use crate::dataflow::{DataflowBlock, Part};
use crate::semantics::FunctionContext;

/// Moves the statement before or after the block, or splits the block around it.
pub fn move_out(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(block) = DataflowBlock::around(cx, diagnostic.range) else {
        return;
    };
    let rewritten = block.range().len();
    if fixes.checks.spend_on_rewriting(rewritten).is_none() {
        return;
    }
    let bindings = block.bindings();
    let found = bindings
        .iter()
        .position(|it| it.range().contains_range(diagnostic.range));
    let Some(index) = found else { return };
    let mut parts = Vec::new();
    if index > 0 {
        parts.push(Part::Block(0..index));
    }
    parts.push(Part::Beside(index));
    if index + 1 < bindings.len() {
        parts.push(Part::Block(index + 1..bindings.len()));
    }
    if let Some(edit) = block.take_apart(cx, &parts) {
        fixes.certain("move-out", "Move it out of the dataflow block", edit);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::fixes::tests::check;

    #[test]
    fn impure_statements_move_out_of_dataflow_blocks() {
        check(
            "impure-call-in-dataflow",
            "move-out",
            r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        # told
        _ = R.print(y, format="{}")
        z = R.abs(y)
        R.output(z)
    return z
"#,
            expect![[r#"
                         y = R.exp(x)
                -        # told
                -        _ = R.print(y, format="{}")
                +        R.output(y)
                +    # told
                +    _ = R.print(y, format="{}")
                +    with R.dataflow():
                         z = R.abs(y)
            "#]],
        );
    }

    #[test]
    fn the_last_statement_moves_after_the_block() {
        check(
            "impure-call-in-dataflow",
            "move-out",
            r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.call_packed("g", y, sinfo_args=R.Tensor((4,), "float32"))
        R.output(z)
    return z
"#,
            expect![[r#"
                         y = R.exp(x)
                -        z = R.call_packed("g", y, sinfo_args=R.Tensor((4,), "float32"))
                -        R.output(z)
                +        R.output(y)
                +    z = R.call_packed("g", y, sinfo_args=R.Tensor((4,), "float32"))
                     return z
            "#]],
        );
    }

    #[test]
    fn an_if_replaces_the_dataflow_block_that_it_leaves_empty() {
        check(
            "control-flow-in-dataflow",
            "move-out",
            r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow():
        if c:
            y = R.exp(x)
        else:
            y = R.abs(x)
        R.output(y)
    return y
"#,
            expect![[r#"
                 def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
                -    with R.dataflow():
                -        if c:
                -            y = R.exp(x)
                -        else:
                -            y = R.abs(x)
                -        R.output(y)
                +    if c:
                +        y = R.exp(x)
                +    else:
                +        y = R.abs(x)
                     return y
            "#]],
        );
    }
}
