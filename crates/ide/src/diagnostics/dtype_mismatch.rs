//! `dtype-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::DtypeMismatch,
    rule: "The operands of an operator have dtypes that it does not take together.",
    source: "the StructInfo specification, \"Derivation Rules\", and the rule of the operator in TVM",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "int32")):
    z = R.add(x, y)
    return z
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "int32")):
    z = R.add(x, R.astype(y, "float32"))
    return z
"#,
    fix: "Convert one operand with `R.astype`.",
};
