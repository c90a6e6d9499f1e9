//! Attributes that TVMScript evaluates while parsing: `x.ty`, `x.struct_info.shape[0]`, `y.ty.dtype`.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::nearest_name::{did_you_mean, nearest_str};
use relax::ops;
use relax::release::Release;
use relax::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use relax::sym::SymExpr;
use relax::value::Value;

use crate::body::{Expr, ExprId, Name};
use crate::facts::{ArgFact, CallFact, Def, OpRef};
use crate::infer::Infer;

/// Fields of a tensor that are read at run time, as the StructInfo dialect spells them: path and operator.
const FIELDS: &[(&[&str], &str)] = &[
    (&["dtype", "type_code"], "inspect.tensor_dtype_code"),
    (&["dtype", "bits"], "inspect.tensor_dtype_bits"),
    (&["dtype", "lanes"], "inspect.tensor_dtype_lanes"),
    (&["ndim"], "inspect.tensor_ndim"),
    (&["byte_offset"], "inspect.tensor_byte_offset"),
    (&["elem_offset"], "inspect.tensor_elem_offset"),
];

/// Such fields for each axis: `x.shape[0]`.
const FIELDS_OF_AXES: &[(&str, &str)] = &[
    ("shape", "inspect.tensor_shape_i"),
    ("strides", "inspect.tensor_stride_i"),
];

/// Attributes of PrimFunc buffers. Since 0.26, TVM represents these as variables, like those of Relax.
const OF_BUFFERS: &[&str] = &[
    "byte_offset",
    "dtype",
    "elem_offset",
    "ndim",
    "shape",
    "strides",
];

/// Those among them that the type of a tensor has.
const OF_TYPES: &[&str] = &["dtype", "ndim", "shape"];

/// Other attributes of TVM's expressions, in some release or of some kind.
const ATTRIBUTES: &[&str] = &[
    "args",
    "astype",
    "attrs",
    "checked_type",
    "checked_type_",
    "data",
    "dtype",
    "equal",
    "expr_ty",
    "fields",
    "handle",
    "id_",
    "index",
    "is_",
    "name",
    "name_hint",
    "op",
    "same_as",
    "script",
    "show",
    "sinfo_args",
    "span",
    "struct_info",
    "struct_info_",
    "sub",
    "tuple_value",
    "ty",
    "ty_args",
    "value",
    "values",
    "vid",
];

impl Infer<'_> {
    /// Infers `x.dtype.bits`, a scalar that is read at run time. Returns `None` for any other attribute.
    pub(in crate::infer) fn tensor_field(
        &mut self,
        expr: ExprId,
        base: ExprId,
        name: &str,
    ) -> Option<Value> {
        let dtype_of = |at: ExprId| match &self.body.exprs[at] {
            Expr::Attribute { base, name } if name.text == "dtype" => Some(*base),
            _ => None,
        };
        let (tensor, path) = match dtype_of(base) {
            Some(tensor) if self.is_tensor(tensor) => (tensor, vec!["dtype", name]),
            _ if self.is_tensor(base) => (base, vec![name]),
            _ => return None,
        };
        let (_, op) = FIELDS.iter().find(|(known, _)| *known == path)?;
        self.inspect(expr, op, &[tensor])
    }

    /// Infers `x.shape[axis]`.
    pub(in crate::infer) fn tensor_axis(
        &mut self,
        expr: ExprId,
        base: ExprId,
        axis: ExprId,
    ) -> Option<Value> {
        let Expr::Attribute { base: tensor, name } = &self.body.exprs[base] else {
            return None;
        };
        let (_, op) = FIELDS_OF_AXES
            .iter()
            .find(|(known, _)| *known == name.text)?;
        let tensor = *tensor;
        self.is_tensor(tensor)
            .then(|| self.inspect(expr, op, &[tensor, axis]))
            .flatten()
    }

    /// Reports `x.shape` as a value: only its extents are values.
    pub(in crate::infer) fn check_fields_of_axes(&mut self, expr: ExprId) {
        let Expr::Attribute { base, name } = &self.body.exprs[expr] else {
            return;
        };
        let is_list = FIELDS_OF_AXES.iter().any(|it| it.0 == name.text);
        if !is_list || !self.is_tensor(*base) {
            return;
        }
        let text = &name.text;
        let message = format!(
            "`{text}` of a tensor can only be indexed, `{text}[0]`: use `R.shape_of` for a Shape"
        );
        self.report(Code::UnknownAttribute, name.range, message);
    }

    /// Returns `true` if the file may be written for a release that has `x.shape` for tensors, up to 0.25.
    fn tensors_may_have_fields(&self) -> bool {
        self.cx.releases.since < Release::V0_26
    }

    fn is_tensor(&self, expr: ExprId) -> bool {
        self.cx.release.dialect() != Dialect::Rfc
            && self.tensors_may_have_fields()
            && matches!(self.facts.value(expr), Value::Expr(StructInfo::Tensor(_)))
    }

    fn inspect(&mut self, expr: ExprId, op: &str, operands: &[ExprId]) -> Option<Value> {
        let op = ops::by_script(op, self.cx.release)?;
        let args: Vec<ArgFact> = operands.iter().copied().map(ArgFact::One).collect();
        let values = operands
            .iter()
            .map(|&at| Some(self.facts.value(at).clone()));
        let values: Vec<Option<Value>> = values.collect();
        let call = CallFact {
            op: OpRef(op),
            args: args.clone(),
        };
        self.facts.calls.insert(expr, call);
        Some(Value::Expr(self.apply_rule(op, &values, expr, &args)))
    }

    /// Reports an attribute that no Relax value has.
    pub(in crate::infer) fn check_attribute(&mut self, base: ExprId, value: &Value, name: &Name) {
        let relax = match value {
            Value::ShapeVar { .. } => true,
            Value::Expr(sinfo) => matches!(
                sinfo,
                StructInfo::Tensor(_)
                    | StructInfo::DTensor(_)
                    | StructInfo::Shape(_)
                    | StructInfo::Tuple(_)
            ),
            _ => false,
        };
        let fields = FIELDS.iter().map(|(path, _)| path[0]);
        let of_axes = FIELDS_OF_AXES.iter().map(|(name, _)| *name);
        let known = || {
            fields
                .clone()
                .chain(of_axes.clone())
                .chain(ATTRIBUTES.iter().copied())
        };
        let text = name.text.as_str();
        let is_var = matches!(self.facts.def(base), Some(Def::Var(_)));
        if !self.tensors_may_have_fields()
            && is_var
            && !value.is_unknown()
            && OF_BUFFERS.contains(&text)
        {
            let hint = match value {
                Value::Expr(StructInfo::Tensor(_)) if OF_TYPES.contains(&text) => {
                    format!(": write `ty.{text}`")
                }
                _ => String::new(),
            };
            let message = format!(
                "`{text}` is an attribute of buffers, but this is {}{hint}",
                value.kind_name()
            );
            self.report(Code::UnknownAttribute, name.range, message);
            return;
        }
        if !relax || text.is_empty() || text.starts_with('_') || known().any(|it| it == text) {
            return;
        }
        let what = match &self.body.exprs[base] {
            Expr::Name(name) => format!("`{name}` is {}", value.kind_name()),
            _ => format!("this is {}", value.kind_name()),
        };
        let near = nearest_str(text, known());
        let hint = did_you_mean(near);
        let message = format!("{what}, which has no attribute `{text}`{hint}");
        self.report(Code::UnknownAttribute, name.range, message)
            .instead = near.map(|near| (name.range, near.into()));
    }

    /// Returns the value of `value.name` if it is a constant.
    pub(in crate::infer) fn value_attribute(value: &Value, name: &str) -> Value {
        match (value, name) {
            (Value::Annotation(sinfo), _) => annotation_attribute(sinfo, name),
            (Value::Expr(_) | Value::ShapeVar { .. } | Value::List(_), "struct_info" | "ty") => {
                match value.struct_info() {
                    Some(sinfo) if !sinfo.is_unknown() => Value::Annotation(sinfo),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }
}

fn annotation_attribute(sinfo: &StructInfo, name: &str) -> Value {
    match (sinfo, name) {
        (StructInfo::Tensor(tensor), "shape") => shape_of(tensor),
        (StructInfo::Tensor(tensor), "dtype") => tensor
            .known_dtype()
            .map_or(Value::Unknown, |d| Value::Str(d.to_string().into())),
        (StructInfo::Tensor(tensor), "ndim") => rank(tensor.ndim()),
        (StructInfo::Shape(Shape::Known(values)), "values") => dims(values),
        (StructInfo::Shape(shape), "ndim") => rank(shape.ndim()),
        (StructInfo::Tuple(fields), "fields") => {
            Value::List(fields.iter().cloned().map(Value::Annotation).collect())
        }
        _ => Value::Unknown,
    }
}

fn shape_of(tensor: &Tensor) -> Value {
    match &tensor.shape {
        TensorShape::Known(values) => dims(values),
        TensorShape::Var {
            name,
            id,
            ndim,
            values,
        } => Value::ShapeVar {
            name: name.clone(),
            id: *id,
            shape: match values {
                Some(values) => Shape::Known(values.clone()),
                None => Shape::Unknown(*ndim),
            },
        },
        TensorShape::Unknown(_) => Value::None,
    }
}

fn dims(values: &[SymExpr]) -> Value {
    let value = |dim: &SymExpr| dim.as_int().map_or(Value::Sym(dim.clone()), Value::Int);
    Value::List(values.iter().map(value).collect())
}

fn rank(ndim: Option<usize>) -> Value {
    Value::Int(ndim.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1))
}
