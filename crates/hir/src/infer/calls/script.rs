//! Infers functions of `R`, `T` and `I` that are not operators: constants, shapes, call statements.

use relax::arguments;
use relax::bare::bare_name;
use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::ops;
use relax::release::Release;
use relax::script;
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::{Prim, Shape, StructInfo, Tensor};
use relax::sym::SymExpr;
use relax::value::Value;

use crate::body::{Arg, Expr, ExprId};
use crate::devices::{mistake_of_vdevice, vdevice};
use crate::enclosing::{self, PyValue};
use crate::facts::Def;
use crate::infer::Infer;
use crate::infer::annotations::dims::Dims;
use crate::infer::expressions::plain::plain;

impl Infer<'_> {
    /// Infers a call of a name under `R`, `T` or `I`. Returns `None` if it may be an operator.
    pub(in crate::infer) fn script_call(
        &mut self,
        expr: ExprId,
        path: &ScriptPath,
        args: &[Arg],
    ) -> Option<Value> {
        match path.namespace {
            Namespace::Relax => self.relax_call(expr, &path.rest, args),
            Namespace::Tir => Some(self.tir_call(expr, &path.rest, args)),
            Namespace::Ir => Some(self.ir_call(expr, &path.rest, args)),
            Namespace::Python => self.python_call(expr, &path.rest, args),
        }
    }

    /// Returns `true` if the call determines its StructInfo, so that an annotation does not override it.
    pub(in crate::infer) fn is_fully_given(&self, expr: ExprId) -> bool {
        const WHOLE: &[&str] = &[
            "const",
            "dtype",
            "prim_value",
            "shape",
            "ShapeExpr",
            "str",
            "tuple",
        ];
        let Expr::Call { callee, .. } = &self.body.exprs[expr] else {
            return false;
        };
        matches!(self.facts.value(*callee), Value::Script(path)
            if path.namespace == Namespace::Relax && WHOLE.contains(&path.rest.as_str()))
    }

    fn relax_call(&mut self, expr: ExprId, name: &str, args: &[Arg]) -> Option<Value> {
        // Before TVM 0.16, this is a value outside of annotations.
        let is_value = self.cx.release <= Release::Unity && !self.frame().annotating;
        if name == "Tuple" && is_value && args.len() <= 1 {
            return self.python_call(expr, name, args);
        }
        if crate::infer::annotations::is_constructor(name) {
            return Some(self.annotation_call(expr, name, args));
        }
        if self.is_miscalled(expr, Namespace::Relax, name, args) {
            self.values(args);
            return Some(Value::Unknown);
        }
        Some(match name {
            "const" => self.constant(args),
            "shape" | "ShapeExpr" => self.shape(args),
            "prim_value" => self.prim_value(args),
            "str" => self.string(args),
            "dtype" => match self.values(args).first() {
                Some(Value::Str(text)) => Value::DType(text.clone()),
                _ => Value::Expr(StructInfo::Object),
            },
            "tuple" => {
                let values = self.values(args);
                let fields = values.iter().map(|v| v.struct_info().unwrap_or_default());
                let tuple = StructInfo::tuple(fields.collect::<Vec<_>>());
                Value::Expr(self.pay_for_value(expr, tuple))
            }
            "match_cast" => {
                let cast = self.match_cast(args);
                if !self.is_by_python() {
                    self.casts.push(expr);
                }
                cast
            }
            "match_shape" => self.match_shape(args),
            "dataflow" => {
                self.values(args);
                Value::Dataflow
            }
            "output" | "outputs" => {
                self.output(expr, args);
                Value::Nothing
            }
            "func_attr" => {
                let values = self.values(args);
                if let (Some(attrs), Some(arg)) = (values.first(), args.first()) {
                    self.force_pure(attrs, arg.value);
                    self.check_global_symbol(attrs, arg.value);
                    self.check_attributes(attrs, arg.value);
                }
                Value::Nothing
            }
            "func_ret_value" => {
                self.values(args);
                let returned = args.first().map(|arg| arg.value);
                let range = self.range(expr);
                self.record_return(returned, range);
                Value::Nothing
            }
            "func_name" => {
                self.values(args);
                let range = self.range(expr);
                let message = "the name of the function comes from its `def`";
                self.report(Code::Redefinition, range, message);
                Value::Nothing
            }
            "func_ret_struct_info" | "func_ret_ty" => {
                self.values(args);
                Value::Nothing
            }
            "ExternFunc" => {
                let values = self.values(args);
                match (values.first(), values.get(1)) {
                    (_, Some(Value::Annotation(sinfo))) => Value::Expr(sinfo.clone()),
                    (Some(Value::Str(symbol)), None) => Value::Extern(symbol.clone()),
                    _ => Value::Unknown,
                }
            }
            // Evaluated by Python while the script is parsed.
            "emit_te" => self.emit_te(expr, args),
            "TupleGetItem" => self.tuple_get_item(expr, args),
            "emit" | "emit_match_cast" | "emit_with_sinfo" | "emit_with_ty" | "emit_with_type"
            | "arg" | "dist.const" => self.builder_call(name, args),
            // Blocks of the builder: their variables are not visible after them.
            "If" | "Then" | "Else" | "SeqExpr" | "function" | "macro" | "lookup_vdevice"
            | "get_shape_of" => {
                self.values(args);
                Value::Unknown
            }
            // Names that exist but are not Relax values, such as a device.
            _ if script::find(Namespace::Relax, name, self.cx.release).is_some() => {
                self.values(args);
                Value::Unknown
            }
            _ => return None,
        })
    }

    /// Evaluates every argument.
    pub(in crate::infer) fn values(&mut self, args: &[Arg]) -> Vec<Value> {
        args.iter().map(|arg| self.expr(arg.value)).collect()
    }

    /// Infers `R.const(value, dtype)`.
    fn constant(&mut self, args: &[Arg]) -> Value {
        let mut value = Value::Unknown;
        let mut dtype = Value::None;
        let operand = args.first().map(|a| a.value);
        for (k, arg) in args.iter().enumerate() {
            let evaluated = self.expr(arg.value);
            match arg.keyword.as_ref().map(|k| k.text.as_str()) {
                Some("dtype") => dtype = evaluated,
                Some("value") => value = evaluated,
                None if k == 0 => value = evaluated,
                None if k == 1 => dtype = evaluated,
                _ => {}
            }
        }
        if let Some(at) = operand.filter(|&at| self.tir_dtype(at).is_some()) {
            let range = self.range(at);
            let message = "`R.const` takes a Python number: give its dtype as the second argument";
            self.report(Code::ArgumentType, range, message);
            return Value::Unknown;
        }
        let dtype = match dtype {
            Value::Str(text) => match DType::parse(&text) {
                Some(dtype) if dtype.is_pointer() => {
                    if let Some(arg) = args.get(1) {
                        let range = self.range(arg.value);
                        let message = "a constant has no dtype `handle`: it holds numbers";
                        self.report(Code::UnknownDtype, range, message);
                    }
                    return Value::Unknown;
                }
                Some(dtype) => Some(dtype),
                None => {
                    if let Some(arg) = args.get(1) {
                        self.unknown_dtype(arg.value, &text);
                    }
                    return Value::Unknown;
                }
            },
            Value::None => None,
            Value::Int(_) | Value::Float(_) => {
                if let Some(arg) = args.get(1) {
                    let range = self.range(arg.value);
                    let message = "the dtype of a constant must be a string, such as \"float32\"";
                    self.report(Code::ArgumentType, range, message);
                }
                return Value::Unknown;
            }
            _ => return Value::Unknown,
        };
        if let Some(operand) = operand
            && let Some(float) = self.printed_float(operand, &value, dtype)
        {
            value = float;
        }
        if let Some(operand) = operand
            && !self.check_constant(operand, &value, dtype)
        {
            return Value::Unknown;
        }
        let python = match plain(&value) {
            Some(plain) => plain,
            // An array of the enclosing code: `R.const(np.zeros((2, 2)))`.
            None => match operand {
                Some(operand) => enclosing::eval(self.body, operand, self.cx.env),
                None => return Value::Unknown,
            },
        };
        match enclosing::constant(&python, None) {
            Some(PyValue::Const {
                dims,
                dtype: natural,
            }) => {
                let dims: Vec<SymExpr> = dims.into_iter().map(SymExpr::int).collect();
                Value::Expr(Tensor::new(dims, dtype.or(Some(natural))).into())
            }
            _ => Value::Unknown,
        }
    }

    /// Infers `R.shape([n, 4])`.
    fn shape(&mut self, args: &[Arg]) -> Value {
        let Some(arg) = args.first() else {
            return Value::Unknown;
        };
        let value = self.expr(arg.value);
        self.check_sym_operands(&args[..1], std::slice::from_ref(&value));
        match self.dims(arg.value, &value) {
            Dims::Known(dims) => Value::Expr(StructInfo::Shape(Shape::Known(dims))),
            Dims::Var { shape, .. } => Value::Expr(StructInfo::Shape(shape)),
            Dims::Unknown => Value::Unknown,
            Dims::Wrong(range) => {
                self.report(
                    Code::ArgumentType,
                    range,
                    "`R.shape` takes a list of dimensions",
                );
                Value::Unknown
            }
        }
    }

    /// Infers `R.str(text)`.
    fn string(&mut self, args: &[Arg]) -> Value {
        let values = self.values(args);
        if let (Some(arg), Some(value)) = (args.first(), values.first())
            && let Value::None
            | Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::List(_)
            | Value::Expr(StructInfo::String | StructInfo::Tensor(_) | StructInfo::Tuple(_)) =
                value
        {
            let message = format!("`R.str` takes a string, but this is {}", value.kind_name());
            let range = self.range(arg.value);
            self.report(Code::ArgumentType, range, message);
        }
        Value::Expr(if self.cx.release.has_string_type() {
            StructInfo::String
        } else {
            StructInfo::Object
        })
    }

    fn prim_value(&mut self, args: &[Arg]) -> Value {
        let values = self.values(args);
        self.check_sym_operands(args, &values);
        if let (Some(arg), Some(value)) = (args.first(), values.first())
            && let Value::None
            | Value::Str(_)
            | Value::List(_)
            | Value::ShapeVar { .. }
            | Value::Expr(
                StructInfo::Tensor(_)
                | StructInfo::Tuple(_)
                | StructInfo::Shape(_)
                | StructInfo::Callable(_)
                | StructInfo::Object,
            ) = value
        {
            let message = format!(
                "`R.prim_value` takes a number, but this is {}",
                value.kind_name()
            );
            let range = self.range(arg.value);
            // Until TVM 0.25, a string becomes a constant of TIR.
            let is_old = self.cx.release.dialect() == Dialect::StructInfo;
            let taken = is_old && matches!(value, Value::Str(_));
            let reported = self.facts.diagnostics.len();
            self.report(Code::ArgumentType, range, message);
            if taken {
                self.turn_into_warnings(reported);
            }
            return Value::Unknown;
        }
        if let (Some(arg), Some(Value::Expr(StructInfo::Prim(_))), Dialect::StructInfo) =
            (args.first(), values.first(), self.cx.release.dialect())
            && !self.is_of_python(arg.value)
        {
            let message = "`R.prim_value` takes a number or a shape variable, but this is already a Relax value";
            let range = self.range(arg.value);
            self.report(Code::ArgumentType, range, message);
            return Value::Unknown;
        }
        let dtype = args.first().and_then(|arg| self.tir_dtype(arg.value));
        let float = if self.is_type_dialect() {
            DType::F64
        } else {
            DType::F32
        };
        match values.first() {
            Some(Value::Int(value)) => {
                prim(dtype.unwrap_or(DType::I64), Some(SymExpr::int(*value)))
            }
            Some(Value::Sym(value)) if value.is_boolean() => prim(DType::BOOL, Some(value.clone())),
            Some(Value::Sym(value)) => prim(DType::I64, Some(value.clone())),
            // Before 0.26, TVM first checks for an integer, and a Python bool is one.
            Some(Value::Bool(value)) => {
                let dtype = if self.is_type_dialect() {
                    DType::BOOL
                } else {
                    DType::I64
                };
                prim(dtype, Some(SymExpr::int(i64::from(*value))))
            }
            Some(Value::Float(_)) => prim(dtype.unwrap_or(float), None),
            Some(Value::Expr(StructInfo::Prim(prim))) => {
                Value::Expr(StructInfo::Prim(prim.clone()))
            }
            // Whatever number it is, TVM makes a scalar of it.
            _ => Value::Expr(StructInfo::Prim(Prim { dtype, value: None })),
        }
    }

    /// Infers `R.TupleGetItem(t, 0)`.
    fn tuple_get_item(&mut self, expr: ExprId, args: &[Arg]) -> Value {
        let values = self.values(args);
        if args.iter().any(|a| a.starred) {
            return Value::Unknown;
        }
        let (Some(tuple), Some(index)) = (
            arguments::find(args, 0, &["tuple_value", "tuple"]),
            arguments::find(args, 1, &["index"]),
        ) else {
            let range = self.callee_range(expr);
            let message = "`R.TupleGetItem` takes a tuple and an index";
            self.report(Code::ArgumentCount, range, message);
            return Value::Unknown;
        };
        let tuple = self.facts.value(tuple.value).struct_info();
        match (tuple, self.facts.value(index.value), values.len()) {
            (Some(tuple), &Value::Int(at), _) => {
                Value::Expr(self.tuple_field(expr, &tuple, at, index.value))
            }
            (_, value @ (Value::None | Value::List(_) | Value::Str(_) | Value::Float(_)), _) => {
                let message = format!(
                    "the index of a tuple must be an integer constant, but this is {}",
                    value.kind_name()
                );
                let range = self.range(index.value);
                self.report(Code::ArgumentType, range, message);
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }

    /// Reads `R.output(gv, ...)`.
    fn output(&mut self, expr: ExprId, args: &[Arg]) {
        let range = self.range(expr);
        let Some(ended) = self.end_block() else {
            self.values(args);
            // It is in a branch of an `if`, which is reported.
            if self.in_dataflow() {
                self.unclear_output();
                return;
            }
            self.report(
                Code::InvalidOutput,
                range,
                "`R.output` is only allowed at the end of a `with R.dataflow()` block",
            );
            return;
        };
        // An `R.output` with an undefined name may only be too early.
        if ended && !self.has_unclear_output() {
            self.report(
                Code::InvalidOutput,
                range,
                "a dataflow block can have only one `R.output`",
            );
        }
        for arg in args {
            let reported = self.facts.diagnostics.len();
            self.expr(arg.value);
            let is_reported = self.facts.diagnostics.len() > reported;
            let at = self.range(arg.value);
            match self.facts.def(arg.value).cloned() {
                Some(Def::Var(var)) => {
                    if !self.output_var(var, at) && !is_reported {
                        let name = self.var(var).name.clone();
                        let bound = self.var(var).name_range;
                        let message = format!("`{name}` is not bound in this dataflow block");
                        self.unclear_output();
                        self.report(Code::InvalidOutput, at, message)
                            .related
                            .push((bound, "bound here".to_owned()));
                    }
                }
                _ if self.facts.value(arg.value).is_unknown() => self.unclear_output(),
                _ => {
                    self.unclear_output();
                    self.report(
                        Code::InvalidOutput,
                        at,
                        "the outputs of a dataflow block must be its variables",
                    );
                }
            }
        }
    }

    /// Infers a function of `tvm.relax` that builds expressions like `R`. Only Python knows the results of others.
    fn python_call(&mut self, expr: ExprId, name: &str, args: &[Arg]) -> Option<Value> {
        match name {
            "const" => Some(self.constant(args)),
            "ShapeExpr" => Some(self.shape(args)),
            "prim_value" | "PrimValue" => Some(self.prim_value(args)),
            "TupleGetItem" => Some(self.tuple_get_item(expr, args)),
            "Tuple" => {
                let values = self.values(args);
                let fields = values.first().filter(|v| matches!(v, Value::List(_)));
                let tuple = match fields {
                    None if args.is_empty() => Some(StructInfo::tuple(Vec::new())),
                    fields => fields.and_then(Value::struct_info),
                };
                Some(tuple.map_or(Value::Unknown, Value::Expr))
            }
            "Call" => {
                self.values(args);
                Some(self.expression_node(args))
            }
            "If" => Some(self.if_node(args)),
            "SeqExpr" => Some(self.sequence_node(args)),
            _ if ops::by_script(name, self.cx.release).is_some() => None,
            // `relax.dataflow()` in 2022.
            _ if bare_name(name, self.cx.release).is_some() => self.relax_call(expr, name, args),
            _ => {
                self.values(args);
                Some(Value::Unknown)
            }
        }
    }

    fn ir_call(&mut self, expr: ExprId, name: &str, args: &[Arg]) -> Value {
        let values = self.values(args);
        match name {
            "vdevice" => {
                if let Some((at, message)) = mistake_of_vdevice(self.body, expr) {
                    let range = self.range(at);
                    self.report(Code::ArgumentType, range, message);
                }
                Value::Device(vdevice(self.body, expr))
            }
            "meta_var" => values.into_iter().next().unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        }
    }

    /// Returns `true` if the callee is TVM's class of virtual devices.
    pub(in crate::infer) fn makes_device(&self, callee: ExprId) -> bool {
        let path = self.python_path(callee);
        matches!(
            path.as_deref(),
            Some("tvm.ir.VDevice" | "tvm.ir.global_info.VDevice")
        )
    }

    /// Returns `true` if the assigned expression is `I.meta_var(...)`, whose value stays in Python.
    pub(in crate::infer) fn is_meta_var(&self, expr: ExprId) -> bool {
        let Expr::Call { callee, .. } = &self.body.exprs[expr] else {
            return false;
        };
        matches!(self.facts.value(*callee), Value::Script(path)
            if matches!(path.namespace, Namespace::Ir | Namespace::Tir) && path.rest == "meta_var")
    }
}

fn prim(dtype: DType, value: Option<SymExpr>) -> Value {
    Value::Expr(StructInfo::Prim(Prim {
        dtype: Some(dtype),
        value,
    }))
}
