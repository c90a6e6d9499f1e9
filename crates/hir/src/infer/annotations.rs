//! Annotations: `R.Tensor(...)` and its relatives as StructInfo.

pub(super) mod dims;
mod operands;

use relax::dialect::Dialect;
use relax::release::Release;
use std::sync::Arc;

use relax::arguments::{Misfit, bind};
use relax::diagnostics::Code;
use relax::dtype::DType;
use relax::nearest_name::nearest_str;
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape};
use relax::sym::SymExpr;
use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Arg, Expr, ExprId};
use crate::infer::Infer;
use crate::infer::annotations::dims::Dims;
use crate::misfits::Callee;

/// The constructors of annotations under `R`, with their parameters in order.
const CONSTRUCTORS: &[(&str, &[&str])] = &[
    ("Tensor", &["shape", "dtype", "vdevice", "ndim"]),
    (
        "DTensor",
        &["shape", "dtype", "device_mesh", "placement", "ndim"],
    ),
    ("Shape", &["values", "ndim"]),
    ("Prim", &["dtype", "value"]),
    ("Tuple", &["fields"]),
    ("Callable", &["params", "ret", "purity", "derive_func"]),
    ("Object", &[]),
    ("Any", &[]),
    (
        "dist.DTensor",
        &["shape", "dtype", "device_mesh", "placement", "ndim"],
    ),
];

/// Returns `true` if `R.<name>` creates an annotation.
pub(in crate::infer) fn is_constructor(name: &str) -> bool {
    CONSTRUCTORS.iter().any(|(known, _)| *known == name)
}

/// Returns the constructor that is most similar to an unknown name.
pub(in crate::infer) fn nearest_constructor(name: &str) -> Option<&'static str> {
    nearest_str(name, CONSTRUCTORS.iter().map(|(known, _)| *known))
}

/// The operands of a constructor, by parameter.
struct Operands {
    slots: Vec<Option<ExprId>>,
    /// `true` if there is an unknown keyword, which may stand for a missing operand such as the dtype.
    doubtful: bool,
}

impl Infer<'_> {
    /// Returns the StructInfo of an annotation.
    pub(in crate::infer) fn annotation(&mut self, expr: ExprId) -> StructInfo {
        let outer = std::mem::replace(&mut self.frame().annotating, true);
        let value = self.expr(expr);
        self.frame().annotating = outer;
        let sinfo = self.as_annotation(expr, &value);
        // Here a bare `R.Object` is an annotation, whatever it is elsewhere.
        if matches!(value, Value::Script(_)) {
            self.set_value(expr, Value::Annotation(sinfo.clone()));
        }
        sinfo
    }

    pub(in crate::infer) fn as_annotation(&mut self, expr: ExprId, value: &Value) -> StructInfo {
        match value {
            Value::Annotation(sinfo) => sinfo.clone(),
            Value::Script(path) => match bare(path, self.cx.release) {
                Some(sinfo) => sinfo,
                // A Python name for something in TVM.
                None if matches!(self.body.exprs[expr], Expr::Name(_)) => StructInfo::Unknown,
                None => self.not_an_annotation(expr),
            },
            Value::Unknown if self.is_python_type(expr) || self.is_of_prim_func(expr) => {
                self.not_an_annotation(expr)
            }
            Value::Unknown | Value::Expr(StructInfo::Unknown) => StructInfo::Unknown,
            // `-> None` is the empty tuple.
            Value::None => StructInfo::tuple([]),
            // `-> None` and lists are accepted where Python evaluates them to a proxy.
            Value::List(items) => {
                let fields = items.iter().map(|item| self.as_annotation(expr, item));
                StructInfo::tuple(fields.collect::<Vec<_>>())
            }
            _ => self.not_an_annotation(expr),
        }
    }

    /// Returns `true` for `int` and similar types, which say nothing about a Relax value.
    fn is_python_type(&self, expr: ExprId) -> bool {
        let Expr::Name(name) = &self.body.exprs[expr] else {
            return false;
        };
        matches!(
            name.as_str(),
            "bool" | "dict" | "float" | "int" | "list" | "str"
        ) && self.cx.release.dialect() != Dialect::Rfc
            && self.lookup(name).is_none()
            && self.cx.env.get(name).is_none()
            && !self.cx.env.may_have_more()
    }

    /// Returns `true` for `T.Buffer(...)` and `T.handle()`, which annotate parameters of a PrimFunc.
    fn is_of_prim_func(&self, expr: ExprId) -> bool {
        let Expr::Call { callee, .. } = self.body.exprs[expr] else {
            return false;
        };
        matches!(self.facts.value(callee), Value::Script(path)
            if path.namespace == Namespace::Tir && matches!(path.rest.as_str(), "Buffer" | "Ptr" | "handle"))
    }

    fn not_an_annotation(&mut self, expr: ExprId) -> StructInfo {
        let range = self.range(expr);
        let object = if self.cx.release.dialect() == Dialect::Type {
            "R.Any"
        } else {
            "R.Object"
        };
        self.report(
            Code::InvalidAnnotation,
            range,
            format!("this is not an annotation: write `R.Tensor(...)`, `R.Shape(...)`, `R.Tuple(...)`, `{object}`, ..."),
        );
        StructInfo::Unknown
    }

    /// Infers a call of a constructor.
    pub(in crate::infer) fn annotation_call(
        &mut self,
        expr: ExprId,
        name: &str,
        args: &[Arg],
    ) -> Value {
        let Some(operands) = self.constructor_operands(expr, name, args) else {
            for arg in args {
                self.expr(arg.value);
            }
            return Value::Annotation(StructInfo::Unknown);
        };
        let sinfo = match name {
            "Tensor" => self.tensor_annotation(&operands),
            "DTensor" | "dist.DTensor" => self.dtensor_annotation(&operands),
            "Shape" => self.shape_annotation(&operands),
            "Prim" if args.is_empty() && self.cx.release.dialect() != Dialect::Rfc => {
                let range = self.callee_range(expr);
                let message = if self.is_type_dialect() {
                    "`R.Prim` needs `dtype`"
                } else {
                    "`R.Prim` needs `dtype` or `value`"
                };
                self.report(Code::ArgumentCount, range, message);
                StructInfo::Unknown
            }
            "Prim" => self.prim_annotation(&operands),
            "Tuple" => self.tuple_annotation(args),
            "Callable" => self.callable_annotation(&operands),
            _ => StructInfo::Object,
        };
        Value::Annotation(sinfo)
    }

    fn constructor_operands(&mut self, expr: ExprId, name: &str, args: &[Arg]) -> Option<Operands> {
        let (_, params) = CONSTRUCTORS.iter().find(|(known, _)| *known == name)?;
        let mut slots = vec![None; params.len()];
        // In the Type dialect, a scalar has no value.
        let params = match name {
            "Prim" if self.is_type_dialect() => &params[..1],
            _ => params,
        };
        // The positional arguments of a tuple are its fields.
        let by_position = name != "Tuple";
        let args = args.iter();
        let args: Vec<&Arg> = args
            .filter(|arg| by_position || arg.keyword.is_some())
            .collect();
        if args.iter().any(|arg| arg.starred) {
            return None;
        }
        let binding = bind(params, &args);
        for (at, arg) in args.iter().enumerate() {
            if let Some(param) = binding.param(at) {
                slots[param] = Some(arg.value);
            }
        }
        let misfits = binding.misfits(params);
        let callee = Callee::Constructor(name, params);
        self.report_misfits(expr, callee, &args, &misfits);
        let mut misfits = misfits.iter();
        let doubtful = misfits.any(|it| matches!(it, Misfit::UnknownName(_)));
        // The shape variables of a signature are needed anyway.
        (!doubtful || self.frame().in_signature).then_some(Operands { slots, doubtful })
    }

    fn tensor_annotation(&mut self, operands: &Operands) -> StructInfo {
        let [shape, dtype, vdevice, ndim] = operands.slots[..] else {
            return StructInfo::Unknown;
        };
        let is_of_rfc = self.cx.release == Release::Rfc;
        let is_given = |at: &ExprId| match &self.body.exprs[*at] {
            Expr::None => false,
            Expr::Name(name) => name != "_" || !is_of_rfc,
            _ => true,
        };
        let (mut shape, mut dtype) = (shape.filter(is_given), dtype.filter(is_given));
        let mut shape_value = shape.map(|s| self.expr(s));
        if let (Some(_), Some(at), Some(Value::Str(_))) = (dtype, shape, &shape_value) {
            let range = self.range(at);
            let message =
                "the shape of a tensor must be a tuple of dimensions, but this is a string";
            // Before TVM 0.16, it was read letter by letter.
            if self.cx.release > Release::Unity {
                self.report(Code::InvalidAnnotation, range, message);
            }
            return StructInfo::Unknown;
        }
        // In `R.Tensor("float32")`, a string as the only argument is the dtype.
        if dtype.is_none() && matches!(shape_value, Some(Value::Str(_))) {
            dtype = shape.take();
            shape_value = None;
        }
        let dtype = match dtype {
            Some(at) => match self.dtype_operand(at) {
                Ok(dtype) => dtype,
                Err(()) => return StructInfo::Unknown,
            },
            None => operands.doubtful.then_some(DType::PYTHON),
        };
        let ndim = match ndim.map(|at| self.expr(at)) {
            None | Some(Value::Int(-1)) => None,
            Some(Value::Int(n)) => self.rank(n, operands),
            Some(value) => return self.rank_of_no_int(operands, &value),
        };
        let vdevice = vdevice.and_then(|at| self.vdevice(at));
        let shape = match (shape, shape_value) {
            (Some(at), Some(value)) if !matches!(value, Value::None) => match self.dims(at, &value)
            {
                Dims::Known(dims) => {
                    self.check_rank(operands, dims.len(), ndim);
                    TensorShape::Known(dims)
                }
                Dims::Var { name, id, shape } => match shape {
                    Shape::Known(values) => TensorShape::Var {
                        name,
                        id,
                        ndim: Some(values.len()),
                        values: Some(values),
                    },
                    Shape::Unknown(known) => TensorShape::Var {
                        name,
                        id,
                        ndim: known.or(ndim),
                        values: None,
                    },
                },
                Dims::Unknown => return StructInfo::Unknown,
                Dims::Wrong(range) => {
                    let wanted = "the shape of a tensor must be a tuple of dimensions or a variable that holds a Shape";
                    self.wrong_dims(at, range, wanted);
                    return StructInfo::Unknown;
                }
            },
            _ => TensorShape::Unknown(ndim),
        };
        StructInfo::Tensor(Tensor {
            shape,
            dtype,
            vdevice,
        })
    }

    fn dtensor_annotation(&mut self, operands: &Operands) -> StructInfo {
        let [shape, dtype, mesh, placement, ndim] = operands.slots[..] else {
            return StructInfo::Unknown;
        };
        let tensor = self.tensor_annotation(&Operands {
            slots: vec![shape, dtype, None, ndim],
            doubtful: operands.doubtful,
        });
        let mesh_at = mesh;
        let mesh = mesh.map(|at| self.expr(at));
        let placement_at = placement;
        let placement = placement.map(|at| self.expr(at));
        if let (Some(at), Some(Value::Str(mesh)), None) = (mesh_at, &mesh, &placement) {
            let message = format!(
                "a DTensor on `{mesh}` needs a `placement`: one entry for each dimension of the mesh"
            );
            let range = self.range(at);
            self.report(Code::InvalidAnnotation, range, message);
        }
        let (StructInfo::Tensor(tensor), Some(Value::Str(mesh)), Some(Value::Str(placement))) =
            (tensor, mesh, placement)
        else {
            return StructInfo::Unknown;
        };
        let placement: Vec<SmolStr> = placement
            .split(',')
            .map(|p| SmolStr::from(p.trim()))
            .collect();
        if let Some(at) = placement_at {
            self.check_placement(at, &placement, tensor.ndim());
        }
        StructInfo::DTensor(Arc::new(DTensor {
            tensor,
            mesh,
            placement,
        }))
    }

    /// Checks that each entry is `R`, or `S[axis]` with an axis of the tensor.
    fn check_placement(&mut self, at: ExprId, placement: &[SmolStr], ndim: Option<usize>) {
        for entry in placement {
            let axis = entry.strip_prefix("S[").and_then(|it| it.strip_suffix(']'));
            let message = match (entry.as_str(), axis.map(str::parse::<i64>), ndim) {
                ("R", ..) => continue,
                (_, Some(Ok(axis)), Some(ndim)) if axis >= ndim as i64 => {
                    format!("`{entry}` shards axis {axis} of a tensor of rank {ndim}")
                }
                (_, Some(Ok(_)), _) => continue,
                _ => format!("`{entry}` is not a placement: write `R` or `S[axis]`"),
            };
            let range = self.range(at);
            self.report(Code::InvalidAnnotation, range, message);
            return;
        }
    }

    fn shape_annotation(&mut self, operands: &Operands) -> StructInfo {
        let [values, ndim] = operands.slots[..] else {
            return StructInfo::Unknown;
        };
        let ndim = match ndim.map(|at| self.expr(at)) {
            None | Some(Value::Int(-1)) => None,
            Some(Value::Int(n)) => self.rank(n, operands),
            Some(value) => return self.rank_of_no_int(operands, &value),
        };
        let Some(at) = values else {
            return StructInfo::Shape(Shape::Unknown(ndim));
        };
        let value = self.expr(at);
        if matches!(value, Value::None) {
            return StructInfo::Shape(Shape::Unknown(ndim));
        }
        match self.dims(at, &value) {
            // In TVM, an empty list is the same as no list.
            Dims::Known(dims) if dims.is_empty() => StructInfo::Shape(Shape::Unknown(ndim)),
            Dims::Known(dims) => {
                self.check_rank(operands, dims.len(), ndim);
                StructInfo::Shape(Shape::Known(dims))
            }
            Dims::Var { shape, .. } => StructInfo::Shape(shape),
            Dims::Unknown => StructInfo::Unknown,
            Dims::Wrong(range) => {
                let wanted = "the values of a Shape must be a list of dimensions";
                self.wrong_dims(at, range, wanted);
                StructInfo::Unknown
            }
        }
    }

    fn prim_annotation(&mut self, operands: &Operands) -> StructInfo {
        let [dtype, value] = operands.slots[..] else {
            return StructInfo::Unknown;
        };
        let dtype = match dtype {
            Some(at) => match self.dtype_operand(at) {
                Ok(dtype) if dtype.is_none_or(|dtype| !dtype.is_python()) => {
                    self.check_scalar(at, dtype);
                    dtype
                }
                _ => return StructInfo::Unknown,
            },
            None => None,
        };
        let Some(at) = value else {
            return StructInfo::Prim(Prim { dtype, value: None });
        };
        match self.expr(at) {
            Value::Float(_) => StructInfo::Prim(Prim {
                dtype: dtype.or(Some(DType::F32)),
                value: None,
            }),
            Value::Bool(flag) => StructInfo::Prim(Prim {
                dtype: Some(DType::BOOL),
                value: Some(SymExpr::int(i64::from(flag))),
            }),
            value => {
                let value = self.dim(at, &value);
                StructInfo::Prim(Prim {
                    dtype: dtype.or(Some(DType::I64)),
                    value,
                })
            }
        }
    }

    fn tuple_annotation(&mut self, args: &[Arg]) -> StructInfo {
        let mut fields = Vec::new();
        if let [arg] = args
            && let Expr::Tuple(items) | Expr::List(items) = &self.body.exprs[arg.value]
        {
            for &item in items {
                fields.push(self.annotation(item));
            }
            let list = fields.iter().cloned().map(Value::Annotation).collect();
            self.set_value(arg.value, Value::List(list));
            return StructInfo::tuple(fields);
        }
        for arg in args {
            let value = self.expr(arg.value);
            match (arg.starred || args.len() == 1, value) {
                (_, Value::Annotation(sinfo)) => fields.push(sinfo),
                (true, Value::List(items)) => {
                    for item in items.iter() {
                        fields.push(self.as_annotation(arg.value, item));
                    }
                }
                (true, value) if value.is_unknown() => return StructInfo::Unknown,
                (_, value) => fields.push(self.as_annotation(arg.value, &value)),
            }
        }
        StructInfo::tuple(fields)
    }

    fn callable_annotation(&mut self, operands: &Operands) -> StructInfo {
        let [params, ret, purity, derive] = operands.slots[..] else {
            return StructInfo::Unknown;
        };
        let params = match params {
            Some(at) => match self.body.exprs[at].clone() {
                Expr::Tuple(items) | Expr::List(items) => {
                    let mut list = Vec::with_capacity(items.len());
                    for item in items {
                        list.push(self.annotation(item));
                    }
                    Some(list)
                }
                Expr::None => None,
                _ => Some(vec![self.annotation(at)]),
            },
            None => None,
        };
        let ret = ret.map(|at| self.annotation(at));
        if let Some(derive) = derive {
            self.expr(derive);
            if params.is_some() {
                let range = self.range(derive);
                let message =
                    "`derive_func` is for opaque functions: it is ignored if `params` is given";
                self.report(Code::IgnoredArgument, range, message);
            }
        }
        let pure = match purity.map(|at| (at, self.expr(at))) {
            Some((_, Value::Bool(pure))) => pure,
            Some((at, value)) => {
                if let Value::Str(_)
                | Value::Float(_)
                | Value::List(_)
                | Value::Expr(_)
                | Value::Annotation(_)
                | Value::Script(_) = value
                {
                    let message = format!(
                        "`purity` must be True or False, but is {}",
                        value.kind_name()
                    );
                    self.report(Code::InvalidAnnotation, self.range(at), message);
                }
                params.is_some()
            }
            None => params.is_some(),
        };
        StructInfo::callable(Callable {
            params: params.map(Into::into),
            // Only the host knows the result of a derivation function.
            ret: ret.unwrap_or(if derive.is_some() {
                StructInfo::Unknown
            } else {
                StructInfo::Object
            }),
            pure,
        })
    }

    /// Reads the RFC's `R.Tensor[(n, k), "float32"]`, `R.Tensor[_, "float32"]`, `R.Tuple[...]`.
    pub(in crate::infer) fn annotation_subscript(
        &mut self,
        path: &ScriptPath,
        index: ExprId,
    ) -> Value {
        if path.namespace != Namespace::Relax {
            self.expr(index);
            return Value::Unknown;
        }
        let parts: Vec<ExprId> = match &self.body.exprs[index] {
            Expr::Tuple(items) => items.clone(),
            _ => vec![index],
        };
        let sinfo = match path.rest.as_str() {
            "Tensor" => {
                let hole = |at: ExprId| matches!(&self.body.exprs[at], Expr::Name(n) if n == "_");
                // In Python, `R.Tensor[(n, m)]` is the same as `R.Tensor[n, m]`: only a shape.
                let exprs = &self.body.exprs;
                let is_shape =
                    |at: ExprId| matches!(exprs[at], Expr::Tuple(_) | Expr::List(_)) || hole(at);
                let is_pair = match parts.as_slice() {
                    &[shape, dtype] => matches!(exprs[dtype], Expr::Str(_)) || is_shape(shape),
                    &[one] => one == index || is_shape(one),
                    parts => parts.is_empty(),
                };
                let shape = parts.first().copied().filter(|&at| !hole(at));
                let dtype = parts.get(1).copied().filter(|&at| !hole(at));
                let (shape, dtype) = if is_pair {
                    (shape, dtype)
                } else {
                    (Some(index), None)
                };
                self.tensor_annotation(&Operands {
                    slots: vec![shape, dtype, None, None],
                    doubtful: false,
                })
            }
            "Tuple" => {
                let mut fields = Vec::with_capacity(parts.len());
                for part in parts {
                    fields.push(self.annotation(part));
                }
                StructInfo::tuple(fields)
            }
            "Shape" => self.shape_annotation(&Operands {
                slots: vec![Some(index), None],
                doubtful: false,
            }),
            _ => {
                self.expr(index);
                StructInfo::Unknown
            }
        };
        Value::Annotation(sinfo)
    }
}

/// Returns the StructInfo of an annotation without parentheses: `R.Tensor`, `R.Any`, `T.int64`.
fn bare(path: &ScriptPath, release: Release) -> Option<StructInfo> {
    if path.namespace == Namespace::Tir {
        let dtype = DType::of_constructor(&path.rest).filter(|it| !it.is_pointer())?;
        return (release.dialect() == Dialect::Type).then(|| StructInfo::prim(dtype));
    }
    Some(match path.rest.as_str() {
        "Tensor" => Tensor::of_ndim(None, None).into(),
        "Shape" => StructInfo::Shape(Shape::Unknown(None)),
        "Tuple" => StructInfo::tuple([]),
        "Void" => StructInfo::tuple([]),
        "Dim" => StructInfo::prim(DType::I64),
        "Object" | "Any" => StructInfo::Object,
        "Callable" => Callable::opaque(),
        "Prim" => StructInfo::Prim(Prim {
            dtype: None,
            value: None,
        }),
        _ => return None,
    })
}
