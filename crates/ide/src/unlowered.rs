//! Operators that a build will not lower. `LegalizeOps` only replaces an operator by a PrimFunc if the shape of its
//! result is known, and leaves it without a word; the code generator then refuses the module.

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
            lacks_shape(result).then(|| Diagnostic {
                code: Code::UnloweredOperator.name(),
                severity: Code::UnloweredOperator.severity(),
                range: function.row_range(at),
                message: format!(
                    "no pass lowers `R.{}`: the shape of its result is unknown, so LegalizeOps leaves it, and the build \
                     fails; give an operand a shape with `R.match_cast`",
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
