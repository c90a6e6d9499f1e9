//! `unsupported-statement`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnsupportedStatement,
    rule: "A Relax function holds bindings, dataflow blocks, `if`/`else`, local functions and a return; other Python statements, such as loops, have no meaning in it.",
    source: "the StructInfo specification, \"Grammar\"; TVM's parser rejects them",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    for i in range(3):
        x = R.exp(x)
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    x1 = R.exp(x)
    x2 = R.exp(x1)
    return x2
"#,
    fix: "Write the steps out, or build the function in Python with `relax.BlockBuilder`.",
};
