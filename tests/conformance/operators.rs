//! Compares a small program for each operator and kind of operand with the results of an installed TVM.

use relax::release::Release;
use std::fmt::Write as _;

use relax::ops::{self, Default, Kind, OpDef, Rule};

use super::tvm::{IMPORTS, ask};
use super::verdicts::assert_agree;

/// The kind of the tensor operands.
const TENSORS: &[(&str, &str)] = &[
    ("matrix", r#"R.Tensor((4, 6), "float32")"#),
    ("integers", r#"R.Tensor((4, 6), "int64")"#),
    ("booleans", r#"R.Tensor((4, 6), "bool")"#),
    ("symbolic", r#"R.Tensor(("n", 6), "float32")"#),
    ("image", r#"R.Tensor((1, 4, 8, 8), "float32")"#),
    ("vector", r#"R.Tensor((6,), "float16")"#),
    ("scalar", r#"R.Tensor((), "float32")"#),
    ("rank", r#"R.Tensor(dtype="float32", ndim=2)"#),
    ("unknown", "R.Tensor"),
];

/// Operators whose calls need more than operands of the right kinds, or that TVM evaluates while it parses.
const LEFT_OUT: &[&str] = &[
    "relax.assert_op",
    "relax.builtin.stop_lift_params",
    "relax.grad.end_checkpoint",
    "relax.grad.start_checkpoint",
    "relax.print",
];

/// Returns the operands of a call as source, `x` for every tensor; `None` if a parameter needs a value that cannot be
/// generated.
fn operands(op: &OpDef) -> Option<String> {
    let mut text = String::new();
    for param in op.params {
        if param.star {
            return None;
        }
        if param.default != Default::Required {
            continue;
        }
        let operand = match param.kind {
            Kind::Tensor => "x",
            Kind::Tensors => "[x, x]",
            Kind::Shape => "R.shape([24])",
            Kind::Int => "0",
            Kind::Ints => "[0]",
            Kind::Float => "0.5",
            Kind::Bool => "True",
            Kind::DType => "\"float32\"",
            Kind::Expr
            | Kind::Str
            | Kind::Annotation
            | Kind::Function
            | Kind::VDevice
            | Kind::Any => return None,
        };
        let _ = write!(text, "{}={operand}, ", param.name);
    }
    text.contains('x').then_some(text)
}

fn programs() -> Vec<(String, String)> {
    let mut programs = Vec::new();
    for op in ops::all() {
        let known = op.releases.contains(Release::NEWEST) && matches!(op.rule, Rule::Infer(_));
        // Only passes emit `R.inspect`.
        let written = !op.name.starts_with("relax.inspect.");
        if !known || !written || LEFT_OUT.contains(&op.name) {
            continue;
        }
        let Some(operands) = operands(op) else {
            continue;
        };
        for (kind, tensor) in TENSORS {
            let text = format!(
                "{IMPORTS}\n@R.function(pure=False)\ndef main(x: {tensor}):\n    y = R.{}({operands})\n    return y\n",
                op.script(),
            );
            programs.push((format!("{} of {kind}", op.script()), text));
        }
    }
    programs
}

#[test]
fn every_operator_infers_what_the_installed_tvm_infers() {
    let programs = programs();
    assert!(programs.len() > 500, "{} programs", programs.len());
    if let Some(records) = ask(&programs) {
        assert_agree(&programs, &records);
    }
}
