//! Checks calls of names under `R` and `T` that are not operators against the declared parameters.

use relax::arguments::bind;
use relax::dialect::Dialect;
use relax::script;
use relax::script::Namespace;

use crate::body::{Arg, ExprId};
use crate::infer::Infer;
use crate::misfits::Callee;

/// Functions whose Python signature is exactly that of their rows.
const CHECKED: &[(Namespace, &str)] = &[
    (Namespace::Relax, "const"),
    (Namespace::Relax, "dataflow"),
    (Namespace::Relax, "dtype"),
    (Namespace::Relax, "func_attr"),
    (Namespace::Relax, "prim_value"),
    (Namespace::Relax, "shape"),
    (Namespace::Relax, "str"),
    (Namespace::Tir, "index_map"),
];

impl Infer<'_> {
    /// Returns `true` and reports it if Python would reject a call.
    pub(in crate::infer) fn is_miscalled(
        &mut self,
        expr: ExprId,
        namespace: Namespace,
        name: &str,
        args: &[Arg],
    ) -> bool {
        let release = self.cx.release;
        if release.dialect() == Dialect::Rfc
            || !CHECKED.contains(&(namespace, name))
            || args.iter().any(|arg| arg.starred)
        {
            return false;
        }
        let Some(entry) = script::find(namespace, name, release) else {
            return false;
        };
        let params = entry.params();
        let misfits = bind(&params, args).misfits(&params);
        let given: Vec<&Arg> = args.iter().collect();
        self.report_misfits(
            expr,
            Callee::Script(namespace, name, &params),
            &given,
            &misfits,
        );
        !misfits.is_empty()
    }
}
