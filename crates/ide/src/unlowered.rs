//! Operators that a build will not lower. `LegalizeOps` only replaces an operator by a PrimFunc if the shape of its
//! result is known and it has a rule for its attributes, and leaves it without a word; the code generator then refuses the
//! module.

use hir::form::{ModuleForm, RowKind};
use relax::sinfo::{StructInfo, TensorShape};
use relax::{Code, FunctionKind};

use crate::analysis::{Analysis, Cancellable};
use crate::difference::Snapshot;
use crate::types::{Diagnostic, FileId};

/// Operators that other passes lower, or the virtual machine itself, by the start of their names.
const LOWERED_OTHERWISE: &[&str] = &[
    "relax.call_",
    "relax.invoke_",
    "relax.builtin.",
    "relax.memory.",
    "relax.vm.",
    "relax.dist.",
    "relax.inspect.",
    "relax.assert_op",
    "relax.print",
    "relax.make_closure",
    "relax.null_value",
    "relax.shape_of",
    "relax.tensor_to_shape",
    "relax.shape_to_tensor",
    "relax.hint_on_device",
    "relax.to_vdevice",
    "relax.wrap_param",
    // By DispatchSortScan, DispatchSampling, or as packed functions.
    "relax.argsort",
    "relax.sort",
    "relax.topk",
    "relax.cumsum",
    "relax.cumprod",
    "relax.multinomial_from_uniform",
    "relax.nonzero",
    "relax.unique",
    // Their results depend on values, and are legalized nevertheless.
    "relax.dynamic_strided_slice",
    "relax.full",
];

impl Analysis {
    /// Returns a warning for each operator that a build of the file would not lower.
    pub fn unlowered(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        Ok(unlowered(&self.snapshot(file)?))
    }
}

pub(crate) fn unlowered(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let form: &ModuleForm = &snapshot.form;
    let relax = form.functions.iter();
    let relax = relax.filter(|it| it.kind == FunctionKind::Relax);
    let found = relax.flat_map(|function| {
        let rows = (0..).zip(&function.rows);
        rows.filter_map(|(at, row)| {
            let op = row.op.filter(|_| row.kind == RowKind::Binding)?;
            let is_lowered = LOWERED_OTHERWISE.iter().any(|it| op.name.starts_with(it));
            let result = row.struct_info.as_ref().filter(|_| !is_lowered)?;
            let (why, remedy) = if lacks_shape(result) {
                let remedy = "; give an operand a shape with `R.match_cast`";
                ("the shape of its result is unknown".to_owned(), remedy)
            } else {
                (row.unlowered.as_ref()?.to_string(), "")
            };
            Some(Diagnostic {
                code: Code::UnloweredOperator.name(),
                severity: Code::UnloweredOperator.severity(),
                range: function.row_range(at),
                message: format!(
                    "no pass lowers `R.{}`: {why}, so LegalizeOps leaves it, and the build fails{remedy}",
                    op.script()
                ),
                related: Vec::new(),
                tags: Vec::new(),
            })
        })
    });
    found.collect()
}

fn lacks_shape(info: &StructInfo) -> bool {
    match info {
        StructInfo::Tensor(tensor) => !matches!(tensor.shape, TensorShape::Known(_)),
        StructInfo::Tuple(fields) => fields.iter().any(lacks_shape),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    /// TVM 0.27 leaves the first three calls, and fails at the fourth.
    #[test]
    fn attributes_without_a_rule_are_reported() {
        let program = r#"from tvm.script import relax as R

@R.function
def f(x: R.Tensor((1, 4, 4, 2), "float32"), w: R.Tensor((2, 3, 2, 2), "float32"), s: R.Tensor((3,), "float32")):
    a = R.nn.conv2d_transpose(x, w, data_layout="NHWC", kernel_layout="IOHW")
    b = R.nn.conv2d_transpose(x, w, out_layout="NHWC")
    c = R.nn.max_pool2d(x, layout="NHWC", out_layout="NCHW")
    d = R.nn.prelu(x, s, axis=1)
    e = R.nn.max_pool2d(x, layout="NHWC")
    g = R.nn.conv2d(x, w, out_layout="NCHW")
    h = R.nn.prelu(x, R.zeros((4,), "float32"), axis=-2)
    return h
"#;
        let fixture = Fixture::new(program);
        let found = fixture.analysis.unlowered(fixture.file).unwrap();
        let shown: Vec<&str> = found
            .iter()
            .filter_map(|it| Some(it.message.split_once(": ")?.1.split_once(", so")?.0))
            .collect();
        assert_eq!(
            shown,
            [
                "its layout is `data_layout=\"NHWC\"`, not `\"NCHW\"`",
                "its layout is `out_layout=\"NHWC\"`, not `\"NCHW\"`",
                "its layout is `out_layout=\"NCHW\"`, not `\"NHWC\"`",
                "dimension 1 is 4, but there are 3 slopes",
            ]
        );
    }
}
