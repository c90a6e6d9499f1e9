//! Calls that read functions or annotations: `call_tir` and its relatives, packed functions, closures.

use super::Infer;
use crate::body::{Arg, Expr, ExprId};
use crate::diagnostics::Code;
use crate::dialect::Dialect;
use crate::dtype::DType;
use crate::facts::Def;
use crate::item_tree::FunctionKind;
use crate::ops::OpDef;
use crate::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use crate::value::Value;

/// The keywords by which the dialects spell the StructInfo of a result.
const OUT: &[&str] = &["out_sinfo", "out_ty"];
const ARGS: &[&str] = &["sinfo_args", "ty_args"];

impl Infer<'_> {
    pub(super) fn special_call(&mut self, expr: ExprId, op: &'static OpDef, args: &[Arg]) -> Value {
        let sinfo = match op.script() {
            "call_tir"
            | "call_tir_with_grad"
            | "call_dps_packed"
            | "call_py_func"
            | "dist.call_tir"
            | "dist.call_tir_local_view" => self.call_destination(expr, args, 2),
            "call_tir_inplace" => self.call_destination(expr, args, 3),
            "call_packed"
            | "call_pure_packed"
            | "call_builtin_with_ctx"
            | "call_inplace_packed" => self.call_packed(op.script(), args),
            "invoke_closure" | "invoke_pure_closure" => {
                self.given_struct_info(args).unwrap_or(StructInfo::Object)
            }
            _ => StructInfo::Unknown,
        };
        Value::Expr(sinfo)
    }

    /// `R.call_tir(f, args, out)`: the result is what the call says it is.
    fn call_destination(&mut self, expr: ExprId, args: &[Arg], out_at: usize) -> StructInfo {
        self.callee_exists(args);
        let Some(out) = Infer::operand_of(args, out_at, OUT) else {
            let out = if self.is_type_dialect() {
                "out_ty"
            } else {
                "out_sinfo"
            };
            let range = self.callee_range(expr);
            let message = format!("the call needs `{out}`: the StructInfo of what it computes");
            self.report(Code::ArgumentCount, range, message);
            return StructInfo::Unknown;
        };
        let value = self.facts.value(out.value).clone();
        // The RFC gives a shape, and the dtype by keyword.
        if let (Dialect::Rfc, Value::List(_)) = (self.cx.dialect, &value)
            && !is_list_of_annotations(&value)
        {
            let dtype = Infer::operand_of(args, usize::MAX, &["dtype"]).and_then(|a| {
                match self.facts.value(a.value) {
                    Value::Str(text) => DType::parse(text),
                    _ => None,
                }
            });
            return match self.dims(out.value, &value) {
                super::dims::Dims::Known(dims) => Tensor::new(dims, dtype).into(),
                super::dims::Dims::Var { name, id, shape } => {
                    let ndim = match &shape {
                        Shape::Known(values) => Some(values.len()),
                        Shape::Unknown(ndim) => *ndim,
                    };
                    let values = match shape {
                        Shape::Known(values) => Some(values),
                        Shape::Unknown(_) => None,
                    };
                    let shape = TensorShape::Var {
                        name,
                        id,
                        ndim,
                        values,
                    };
                    StructInfo::Tensor(Tensor {
                        shape,
                        dtype,
                        vdevice: None,
                    })
                }
                _ => StructInfo::Unknown,
            };
        }
        let out = out.value;
        let sinfo = match (&self.body.exprs[out], value) {
            // One output in a list is that output.
            (Expr::List(items) | Expr::Tuple(items), value) if items.len() == 1 => match value {
                Value::List(values) => {
                    let item = items[0];
                    values
                        .first()
                        .map_or(StructInfo::Unknown, |v| self.as_annotation(item, v))
                }
                _ => StructInfo::Unknown,
            },
            (_, value) => self.as_annotation(out, &value),
        };
        self.check_sym_vars(&sinfo, self.range(out));
        sinfo
    }

    /// The first argument of `call_tir` is a PrimFunc of the module.
    fn callee_exists(&mut self, args: &[Arg]) {
        let Some(callee) = args.first() else { return };
        if let Some(Def::Global(name)) = self.facts.defs.get(&callee.value).cloned()
            && let Some(global) = self.cx.globals.get(&name)
            && global.kind == FunctionKind::Relax
        {
            let range = self.range(callee.value);
            let message = format!("`{name}` is a Relax function, not a PrimFunc: call it directly");
            self.report(Code::ArgumentType, range, message);
        }
    }

    fn call_packed(&mut self, op: &str, args: &[Arg]) -> StructInfo {
        if op == "call_inplace_packed" {
            return self.given_struct_info(args).unwrap_or(StructInfo::Object);
        }
        let wrong = if self.is_type_dialect() {
            "sinfo_args"
        } else {
            "ty_args"
        };
        let right = if self.is_type_dialect() {
            "ty_args"
        } else {
            "sinfo_args"
        };
        if let Some(keyword) = args
            .iter()
            .filter_map(|a| a.keyword.as_ref())
            .find(|k| k.text == wrong)
        {
            let range = keyword.range;
            let message = format!(
                "`{wrong}` is ignored in this dialect, and the result is an Object: write `{right}`"
            );
            self.report(Code::IgnoredArgument, range, message);
            return StructInfo::Object;
        }
        self.given_struct_info(args).unwrap_or(StructInfo::Object)
    }

    /// The StructInfo that `sinfo_args=` or `ty_args=` gives.
    fn given_struct_info(&mut self, args: &[Arg]) -> Option<StructInfo> {
        let arg = Infer::operand_of(args, usize::MAX, ARGS)?;
        let value = self.facts.value(arg.value).clone();
        let sinfo = match (&self.body.exprs[arg.value], value) {
            (Expr::List(items) | Expr::Tuple(items), Value::List(values)) if values.len() == 1 => {
                self.as_annotation(*items.first()?, values.first()?)
            }
            (_, value) => self.as_annotation(arg.value, &value),
        };
        self.check_sym_vars(&sinfo, self.range(arg.value));
        Some(sinfo)
    }
}

fn is_list_of_annotations(value: &Value) -> bool {
    matches!(value, Value::List(items)
        if items.iter().any(|i| matches!(i, Value::Annotation(_) | Value::Script(_))))
}
