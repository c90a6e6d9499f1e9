//! Infers declarations of shape variables: `n = T.int64()`.

use relax::diagnostics::Code;
use relax::dtype::DType;
use relax::sinfo::StructInfo;
use relax::value::Value;

use crate::body::{Expr, ExprId, Name};
use crate::facts::VarKind;
use crate::infer::{Infer, Local};

impl Infer<'_> {
    /// Returns the dtype if the expression declares the assigned name: `T.int64()`.
    pub(in crate::infer) fn declares_shape_var(&self, expr: ExprId) -> Option<DType> {
        let Expr::Call { callee, args } = &self.body.exprs[expr] else {
            return None;
        };
        let only_size_var = args
            .iter()
            .all(|a| a.keyword.as_ref().is_some_and(|k| k.text == "is_size_var"));
        match self.facts.value(*callee) {
            Value::Script(path)
                if only_size_var && path.namespace == relax::script::Namespace::Tir =>
            {
                DType::of_constructor(&path.rest).filter(|d| d.is_int() || d.is_bool())
            }
            _ => None,
        }
    }

    /// Checks the annotation of a declaration: `value: R.Prim("float32") = T.int64()`.
    pub(in crate::infer) fn check_declared(
        &mut self,
        name: &Name,
        dtype: DType,
        annotation: Option<(ExprId, StructInfo)>,
    ) {
        if let Some((at, StructInfo::Prim(prim))) = annotation
            && let Some(annotated) = prim.dtype
            && annotated != dtype
        {
            let message =
                format!("annotated `{annotated}`, but the variable is declared `{dtype}`");
            let range = self.range(at);
            self.report(Code::DtypeMismatch, range, message);
            let var = self.sym_var(&name.text);
            self.note_reported(&var);
        }
    }

    pub(in crate::infer) fn declare_shape_var(&mut self, name: &Name, dtype: DType) {
        if dtype != DType::I64 && self.is_dimension(&name.text) {
            let message = format!(
                "`{}` is a dimension of the signature: its dtype is int64, not {dtype}",
                name.text
            );
            self.report(Code::DtypeMismatch, name.range, message);
        }
        if let Some(Local::Var(var)) = self.lookup(&name.text) {
            let fact = self.var(var);
            let is_prim = matches!(fact.struct_info, StructInfo::Prim(_));
            let (at, kind) = (fact.name_range, fact.kind);
            if !is_prim {
                let what = if kind == VarKind::Param {
                    "parameter"
                } else {
                    "variable"
                };
                let message = format!(
                    "`{}` is already a {what}: it cannot become a shape variable",
                    name.text
                );
                self.report(Code::Redefinition, name.range, message)
                    .related
                    .push((at, "bound here before".to_owned()));
                return;
            }
        }
        // If the variable exists, also in an enclosing function, the declaration refers to it.
        let mut var = self.sym_var(&name.text);
        if let Some(Local::Sym(owner)) = self.lookup(&name.text) {
            var.id = owner;
        }
        self.declared_at(&var, name.range);
        if dtype != DType::I64 && !self.is_dimension(&name.text) {
            self.base
                .with(&name.text, |it| it.sym.other_dtype = Some(dtype));
        }
        self.bind_local(name.text.clone(), Local::Sym(var.id));
    }
}
