//! The statically known value of an expression, which is an operand of an operator's inference rule.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::dtype::DType;
use crate::parts::{Part, Parts, Weight};
use crate::script::ScriptPath;
use crate::sinfo::{Callable, Prim, Shape, StructInfo, VDevice};
use crate::sym::{SymExpr, SymVar};

/// The statically known value of an expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Only Python knows the value.
    #[default]
    Unknown,
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(SmolStr),
    /// A shape expression that is not a constant, or a scalar variable of the signature.
    Sym(SymExpr),
    /// A dtype: `R.dtype("float32")`.
    DType(SmolStr),
    /// A Python list or tuple literal.
    List(Parts<Value>),
    /// A Python dict literal.
    Dict(Parts<(Value, Value)>),
    /// A Relax value: a tensor, a shape, a tuple, a function...
    Expr(StructInfo),
    /// A variable that holds a Shape. A tensor created with it takes its shape from that variable.
    ShapeVar {
        name: SmolStr,
        id: u32,
        shape: Shape,
    },
    /// A virtual device: `tvm.ir.VDevice("cuda", 0)`.
    Device(VDevice),
    /// A map from the indices of one layout to those of another: `lambda i, j: (j, i)`.
    IndexMap(Arc<IndexMap>),
    /// An annotation used as an argument (`out_sinfo=R.Tensor(...)`).
    Annotation(StructInfo),
    /// A function of the module, by name.
    Global(SmolStr),
    /// A function of the host, by its global symbol (`R.ExternFunc("f")`).
    Extern(SmolStr),
    /// A name under `R`, `T` or `I` that has not been called.
    Script(ScriptPath),
    /// The module of the function (`Module`, `cls`).
    Module,
    /// A Python module (`tvm`, after `import tvm`).
    PythonModule,
    /// `R.match_cast(value, target)` before it is bound.
    MatchCast(Box<MatchCast>),
    /// `R.dataflow()` before it is entered.
    Dataflow,
    /// The result of a call that is a statement (`R.output(...)`, `R.func_attr(...)`).
    Nothing,
}

/// A value, and the StructInfo that it is cast to at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchCast {
    pub value: StructInfo,
    pub target: StructInfo,
}

/// A map from indices to indices.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexMap {
    pub inputs: Vec<SymVar>,
    pub outputs: Vec<SymExpr>,
}

impl Part for Value {
    fn weight(&self) -> Weight {
        match self {
            Value::List(items) => items.weight(),
            Value::Dict(entries) => entries.weight(),
            Value::Expr(sinfo) | Value::Annotation(sinfo) => sinfo.weight(),
            _ => Weight::ONE,
        }
    }
}

impl Value {
    /// Returns a list of these items, unless it is too large.
    pub fn list(items: impl Into<Parts<Value>>) -> Value {
        let items = items.into();
        if items.weight().fits() {
            Value::List(items)
        } else {
            Value::Unknown
        }
    }

    /// Returns a dict of these entries, unless it is too large.
    pub fn dict(entries: impl Into<Parts<(Value, Value)>>) -> Value {
        let entries = entries.into();
        if entries.weight().fits() {
            Value::Dict(entries)
        } else {
            Value::Unknown
        }
    }

    /// Returns the StructInfo of this value as a Relax expression, or `None` if it cannot be one.
    pub fn struct_info(&self) -> Option<StructInfo> {
        Some(match self {
            Value::Unknown | Value::Global(_) => StructInfo::Unknown,
            Value::Expr(sinfo) => sinfo.clone(),
            Value::Bool(_) => StructInfo::prim(DType::BOOL),
            Value::Int(value) => StructInfo::Prim(Prim {
                dtype: Some(DType::I64),
                value: Some(SymExpr::int(*value)),
            }),
            Value::Float(_) => StructInfo::prim(DType::F32),
            Value::Sym(expr) => StructInfo::Prim(Prim {
                dtype: Some(if expr.is_boolean() {
                    DType::BOOL
                } else {
                    DType::I64
                }),
                value: Some(expr.clone()),
            }),
            Value::Str(_) => StructInfo::String,
            Value::List(items) => {
                let fields = items.iter().map(Value::struct_info);
                StructInfo::tuple(fields.collect::<Option<Vec<_>>>()?)
            }
            Value::ShapeVar { shape, .. } => StructInfo::Shape(shape.clone()),
            Value::Extern(_) => Callable::opaque(),
            Value::DType(_) => StructInfo::Object,
            Value::MatchCast(cast) => cast.target.clone(),
            Value::None
            | Value::Dict(_)
            | Value::Annotation(_)
            | Value::IndexMap(_)
            | Value::Device(_)
            | Value::Script(_)
            | Value::Module
            | Value::PythonModule
            | Value::Dataflow
            | Value::Nothing => return None,
        })
    }

    /// Returns the value as a symbolic integer, if it is one.
    pub fn sym(&self) -> Option<SymExpr> {
        match self {
            Value::Int(value) => Some(SymExpr::int(*value)),
            Value::Sym(expr) => Some(expr.clone()),
            Value::Expr(StructInfo::Prim(prim)) => prim.value.clone(),
            _ => None,
        }
    }

    /// Returns the kind of the value for messages such as "must be a Tensor, but is a Shape".
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Unknown => "not known",
            Value::None => "None",
            Value::Bool(_) => "a truth value",
            Value::Int(_) | Value::Sym(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Str(_) => "a string",
            Value::DType(_) => "a dtype",
            Value::List(_) => "a list",
            Value::Dict(_) => "a dict",
            Value::ShapeVar { .. } => "a Shape",
            Value::IndexMap(_) => "a function of indices",
            Value::Device(_) => "a device",
            Value::Annotation(_) => "an annotation",
            Value::Global(_) | Value::Extern(_) => "a function",
            Value::Script(_) => "a name that is not called",
            Value::Module => "the module",
            Value::PythonModule => "a Python module",
            Value::MatchCast(_) | Value::Dataflow | Value::Nothing => "no value",
            Value::Expr(sinfo) => match sinfo {
                StructInfo::Unknown => "not known",
                StructInfo::Object => "an Object",
                StructInfo::String => "a string",
                StructInfo::Prim(_) => "a scalar",
                StructInfo::Shape(_) => "a Shape",
                StructInfo::Tensor(_) => "a Tensor",
                StructInfo::DTensor(_) => "a DTensor",
                StructInfo::Tuple(_) => "a Tuple",
                StructInfo::Callable(_) => "a function",
            },
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown | Value::Expr(StructInfo::Unknown))
    }
}
