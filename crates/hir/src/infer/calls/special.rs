//! Infers operators that need functions or annotations: `call_tir` and similar, packed functions, closures.

use relax::FunctionKind;
use relax::arguments;
use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::ops::{self, Default, Kind, OpDef, Param};
use relax::release::Release;
use relax::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use relax::value::Value;

use crate::body::{Arg, Expr, ExprId};
use crate::facts::{ArgFact, Def};
use crate::infer::Infer;
use crate::infer::annotations::dims::Dims;
use crate::infer::calls::prim_func::CallTirArgs;

/// The keywords for the StructInfo of a result in each dialect.
const OUT: &[&str] = &["out_sinfo", "out_ty"];
const ARGS: &[&str] = &["sinfo_args", "ty_args"];
const ARGS_OF_RFC: &[&str] = &["type_args"];
/// The branch renamed them (tlc-pack/relax#386).
const ARGS_OF_UNITY: &[&str] = &["sinfo_args", "type_args"];

impl Infer<'_> {
    pub(in crate::infer) fn special_call(
        &mut self,
        expr: ExprId,
        op: &'static OpDef,
        args: &[Arg],
    ) -> Value {
        self.check_operand_kinds(expr, op);
        let sinfo = match op.script() {
            "call_tir"
            | "call_tir_with_grad"
            | "call_dps_packed"
            | "call_py_func"
            | "dist.call_tir"
            | "dist.call_tir_local_view" => self.call_destination(expr, op, args, 2),
            "call_tir_inplace" => self.call_destination(expr, op, args, 3),
            "call_packed"
            | "call_pure_packed"
            | "call_builtin_with_ctx"
            | "call_inplace_packed" => self.call_packed(op.script(), args),
            "invoke_closure" | "invoke_pure_closure" => {
                self.check_closure_args(args);
                self.given_struct_info(args).unwrap_or(StructInfo::Object)
            }
            _ => StructInfo::Unknown,
        };
        if matches!(
            op.script(),
            "call_packed" | "call_pure_packed" | "call_inplace_packed" | "call_dps_packed"
        ) || op.script() == "call_builtin_with_ctx"
        {
            self.check_packed(expr, op, &sinfo);
        }
        Value::Expr(sinfo)
    }

    /// Reports operands that are neither functions nor Relax values where these are required.
    fn check_operand_kinds(&mut self, expr: ExprId, op: &OpDef) {
        let Some(call) = self.facts.call(expr) else {
            return;
        };
        let given = op.params.iter().zip(&call.args);
        let operands = given.flat_map(|(param, fact)| match fact {
            ArgFact::Absent => Vec::new(),
            ArgFact::One(at) => vec![(param, *at)],
            ArgFact::Many(all) => all.iter().map(|at| (param, *at)).collect(),
        });
        let operands: Vec<(&Param, ExprId)> = operands.collect();
        for (param, at) in operands {
            let value = self.facts.value(at);
            let wanted = match (param.kind, value) {
                (Kind::Expr, Value::None) if param.default == Default::Required || param.star => {
                    "a Relax expression"
                }
                (
                    Kind::Function,
                    Value::None | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Dict(_),
                ) => "a function",
                _ => continue,
            };
            let message = format!(
                "`R.{}`: `{}` must be {wanted}, but is {}",
                op.script(),
                param.name,
                value.kind_name()
            );
            let range = self.range(at);
            self.report(Code::ArgumentType, range, message);
        }
    }

    /// Checks that the inputs of a closure are a tuple display or a single value.
    fn check_closure_args(&mut self, args: &[Arg]) {
        let Some(inputs) = arguments::find(args, 1, &["args"]) else {
            return;
        };
        let is_name = matches!(self.body.exprs[inputs.value], Expr::Name(_));
        let message = match self.facts.value(inputs.value) {
            Value::Expr(StructInfo::Tuple(_)) if is_name => {
                "write out the inputs of a closure as a tuple, `(x, y)`: a variable that holds a tuple is not accepted"
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) => {
                "the inputs of a closure must be a tuple of Relax expressions"
            }
            _ => return,
        };
        let range = self.range(inputs.value);
        self.report(Code::ArgumentType, range, message);
    }

    /// Infers `R.call_tir(f, args, out)`, whose result is given explicitly.
    fn call_destination(
        &mut self,
        expr: ExprId,
        op: &OpDef,
        args: &[Arg],
        out_at: usize,
    ) -> StructInfo {
        self.callee_exists(expr, args);
        // At first the shape came before the function (tlc-pack/relax#76).
        let is_shape_first = self.cx.release == Release::Rfc
            && args
                .first()
                .is_some_and(|it| matches!(self.facts.value(it.value), Value::List(_)));
        let out_at = if is_shape_first { 0 } else { out_at };
        let Some(out) = arguments::find(args, out_at, OUT) else {
            return StructInfo::Unknown;
        };
        let value = self.facts.value(out.value).clone();
        let out = out.value;
        let sinfo = match (&self.body.exprs[out], value) {
            // The RFC gives a shape, with the dtype as a keyword; the unity branch did so at first, too.
            (_, value @ (Value::List(_) | Value::ShapeVar { .. }))
                if self.cx.release <= Release::Unity && !is_list_of_annotations(&value) =>
            {
                self.shape_and_dtype(out, &value, args)
            }
            // A list with one output stands for that output.
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
        if !self.check_outputs(expr, out, &sinfo) {
            return sinfo;
        }
        let reported = self.facts.diagnostics.len();
        let may_fit = out_at != 3 || self.check_inplace(args, &sinfo);
        let inplace = (out_at == 3)
            .then(|| arguments::find(args, 2, &["inplace_indices"]))
            .flatten()
            .map(|a| a.value);
        let before = self.facts.diagnostics.len();
        if may_fit {
            let at = op.params.iter().position(|it| it.name == "tir_vars");
            let tir_vars = at.and_then(|at| arguments::find(args, at, &["tir_vars"]));
            let given = CallTirArgs {
                inplace,
                tir_vars: tir_vars.map(|it| it.value),
                out,
            };
            self.check_against_prim_func(expr, args, &given, &sinfo);
            self.mark_as_form_errors(before);
            self.mark_as_comparison_errors(before);
        }
        // An argument that the PrimFunc does not take is not an output either.
        if self.facts.diagnostics.len() > before {
            self.facts.diagnostics.drain(reported..before);
        }
        // The actual result differs from the declared one, so users of it know neither.
        let refused = |it: &Diagnostic| {
            it.code == Code::ShapeMismatch
                && it.severity == Severity::Error
                && it.range == self.range(out)
        };
        let contradicted = self.facts.diagnostics.last().is_some_and(refused);
        if let Some(Def::Global(name)) = args.first().and_then(|f| self.facts.def(f.value)).cloned()
        {
            self.note_refused(&name, expr);
        }
        if contradicted {
            return StructInfo::Unknown;
        }
        sinfo
    }

    /// Checks that memory can be allocated for each output: it must be a tensor with explicit dimensions.
    fn check_outputs(&mut self, expr: ExprId, out: ExprId, sinfo: &StructInfo) -> bool {
        let op = self.facts.call(expr).map_or("", |call| call.op.0.script());
        // Calls of the distributed dialect have other outputs.
        if self.cx.release.dialect() == Dialect::Rfc || op.starts_with("dist.") {
            return true;
        }
        let written = match &self.body.exprs[out] {
            Expr::List(items) | Expr::Tuple(items) => items.clone(),
            _ => vec![out],
        };
        let outputs = match sinfo {
            StructInfo::Tuple(fields)
                if matches!(self.body.exprs[out], Expr::List(_) | Expr::Tuple(_)) =>
            {
                fields.to_vec()
            }
            sinfo => vec![sinfo.clone()],
        };
        for (at, output) in outputs.iter().enumerate() {
            let lacks = match output {
                StructInfo::Unknown | StructInfo::DTensor(_) => continue,
                StructInfo::Tensor(tensor) => match &tensor.shape {
                    TensorShape::Known(_) => continue,
                    _ => "its shape must be written out, dimension by dimension",
                },
                StructInfo::Tuple(_) => "several outputs must be written as a list",
                _ => "it must be a tensor",
            };
            let message = format!(
                "`R.{op}` allocates memory for its output `{}`: {lacks}",
                output.quoted(self.cx.release.dialect())
            );
            let range = self.range(written.get(at).copied().unwrap_or(out));
            self.report(Code::InvalidAnnotation, range, message);
            return false;
        }
        true
    }

    /// Reads the RFC's `(n, 4), dtype="float32"`.
    fn shape_and_dtype(&mut self, at: ExprId, shape: &Value, args: &[Arg]) -> StructInfo {
        let dtype = arguments::find(args, usize::MAX, &["dtype"]);
        let dtype = dtype.map(|it| self.facts.value(it.value).clone());
        let (exprs, values) = match (&self.body.exprs[at], shape) {
            (Expr::Tuple(exprs) | Expr::List(exprs), Value::List(values)) => (exprs, values),
            _ => return self.of_shape_and_dtype(at, shape, dtype.as_ref()),
        };
        let is_shape = |it: &Value| matches!(it, Value::List(_) | Value::ShapeVar { .. });
        if !values.iter().any(is_shape) {
            return self.of_shape_and_dtype(at, shape, dtype.as_ref());
        }
        let shapes = exprs.iter().zip(values.iter()).enumerate();
        let fields = shapes.map(|(place, (at, shape))| {
            let dtype = match &dtype {
                Some(Value::List(dtypes)) => dtypes.get(place),
                dtype => dtype.as_ref(),
            };
            self.of_shape_and_dtype(*at, shape, dtype)
        });
        let fields: Vec<StructInfo> = fields.collect();
        StructInfo::tuple(fields)
    }

    fn of_shape_and_dtype(
        &mut self,
        at: ExprId,
        shape: &Value,
        dtype: Option<&Value>,
    ) -> StructInfo {
        let dtype = dtype.and_then(|it| match it {
            Value::Str(text) => DType::parse(text),
            _ => None,
        });
        match self.dims(at, shape) {
            Dims::Known(dims) => Tensor::new(dims, dtype).into(),
            Dims::Var {
                shape: Shape::Known(dims),
                ..
            } => Tensor::new(dims, dtype).into(),
            Dims::Var {
                name,
                id,
                shape: Shape::Unknown(ndim),
            } => {
                let shape = TensorShape::Var {
                    name,
                    id,
                    ndim,
                    values: None,
                };
                StructInfo::Tensor(Tensor {
                    shape,
                    dtype,
                    vdevice: None,
                })
            }
            _ => StructInfo::Unknown,
        }
    }

    /// Checks that the first argument of `call_tir` is a PrimFunc of the module.
    fn callee_exists(&mut self, expr: ExprId, args: &[Arg]) {
        let Some(callee) = args.first() else { return };
        let op = self.facts.call(expr).map_or("", |c| c.op.0.script());
        let is_list = matches!(self.facts.value(callee.value), Value::List(_));
        if self.cx.release.dialect() != Dialect::Rfc && is_list {
            let range = self.range(callee.value);
            let message = format!(
                "`R.{op}` takes the function as its first argument, but these are its arguments"
            );
            self.report(Code::ArgumentType, range, message);
            return;
        }
        let is_new = self.cx.release.names_modules();
        if (is_new || self.may_be_newer())
            && matches!(op, "call_tir" | "call_tir_with_grad" | "call_tir_inplace")
            && let Value::Str(symbol) | Value::Extern(symbol) = self.facts.value(callee.value)
        {
            let message = format!(
                "`R.{op}` calls a PrimFunc of the module: for the packed function `{symbol}` write `R.call_dps_packed`"
            );
            let range = self.range(callee.value);
            let report = self.report(Code::ArgumentType, range, message);
            if !is_new {
                report.severity = Severity::Warning;
            }
            return;
        }
        if self.cx.release >= Release::V0_25
            && matches!(op, "call_tir" | "call_tir_with_grad" | "call_tir_inplace")
            && let Some(Def::Var(_)) = self.facts.def(callee.value)
            && !self.facts.value(callee.value).is_unknown()
        {
            let message = format!("`R.{op}` calls a PrimFunc of the module by its name");
            let range = self.range(callee.value);
            self.report(Code::ArgumentType, range, message);
            return;
        }
        if let Some(Def::Global(name)) = self.facts.def(callee.value).cloned()
            && let Some(global) = self.cx.globals.get(&name)
            && global.kind == FunctionKind::Relax
        {
            let range = self.range(callee.value);
            let message = format!("`{name}` is a Relax function, not a PrimFunc: call it directly");
            self.report(Code::ArgumentType, range, message);
        }
    }

    fn call_packed(&mut self, op: &str, args: &[Arg]) -> StructInfo {
        if let Some(callee) = args
            .first()
            .filter(|arg| arg.keyword.is_none() && !arg.starred)
            && let Value::Expr(StructInfo::Tensor(_) | StructInfo::Shape(_) | StructInfo::Tuple(_)) =
                self.facts.value(callee.value)
        {
            let range = self.range(callee.value);
            let message =
                format!("`R.{op}` takes the name of the packed function as its first argument");
            self.report(Code::ArgumentType, range, message);
        }
        if op == "call_inplace_packed" {
            let given = self.given_struct_info(args).unwrap_or(StructInfo::Object);
            return self.inplace_packed(args, given);
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
            self.report(Code::IgnoredArgument, range, message).instead =
                Some((range, right.into()));
            // TVM infers an Object, and later errors have the same cause.
            return StructInfo::Unknown;
        }
        self.given_struct_info(args).unwrap_or(StructInfo::Object)
    }

    /// Returns `true` if the callee is a packed function with the result of `R.memory.view`, as in lowered modules.
    pub(in crate::infer) fn makes_view(&self, callee: ExprId) -> bool {
        let Expr::Call { args, .. } = &self.body.exprs[callee] else {
            return false;
        };
        let Some(Expr::Call { args, .. }) = args.get(1).map(|a| &self.body.exprs[a.value]) else {
            return false;
        };
        args.iter().any(|arg| {
            arg.keyword
                .as_ref()
                .is_some_and(|k| k.text == "derive_func")
                && matches!(self.facts.value(arg.value), Value::Str(name)
                    if VIEW_DERIVATIONS.contains(&name.as_str()))
        })
    }

    /// Infers a view of the first operand, by shape, dtype and offset.
    pub(in crate::infer) fn view_call(&mut self, args: &[Arg]) -> Value {
        let values = self.values(args);
        let Some(op) = ops::by_script("memory.view", self.cx.release) else {
            return Value::Unknown;
        };
        let mut operands: Vec<Option<Value>> = values.into_iter().map(Some).collect();
        operands.resize(op.params.len(), None);
        self.infer_operator(op, &operands)
    }

    /// Returns the StructInfo in `sinfo_args=` or `ty_args=`.
    pub(in crate::infer) fn given_struct_info(&mut self, args: &[Arg]) -> Option<StructInfo> {
        let names = match self.cx.release {
            Release::Rfc => ARGS_OF_RFC,
            Release::Unity => ARGS_OF_UNITY,
            _ => ARGS,
        };
        let arg = arguments::find(args, usize::MAX, names)?;
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

/// Functions by which TVM derives the result of the packed function that creates views.
const VIEW_DERIVATIONS: &[&str] = &[
    "tvm.relax.struct_info.infer_view_sinfo",
    "tvm.relax.type.infer_view_ty",
];

fn is_list_of_annotations(value: &Value) -> bool {
    matches!(value, Value::List(items)
        if items.iter().any(|i| matches!(i, Value::Annotation(_) | Value::Script(_))))
}
