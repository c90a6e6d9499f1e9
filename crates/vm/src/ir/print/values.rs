//! Prints operands and constants: variables, scalars, shapes, tensors, attributes of operators.

use relax::dialect::Dialect;
use relax::sym::SymExpr;

use super::{Printer, global};
use crate::bytecode::{Constant, Operand};
use crate::kernels::Arg;
use crate::tensor::{Scalar, Tensor};
use crate::value::Value;

/// The maximum number of elements of a constant that are printed.
const MOST_ELEMENTS: usize = 64;

impl Printer<'_> {
    /// Prints an operand as a dimension.
    pub(super) fn dimension(&self, operand: Operand) -> String {
        if let Operand::Const(id) = operand {
            match self.program.constant(id) {
                Some(Constant::Sym(value)) => return value.to_string(),
                Some(Constant::Value(Value::Prim(prim))) => return prim.value.to_string(),
                _ => {}
            }
        }
        self.operand(operand)
    }

    pub(super) fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(reg) | Operand::Last(reg) => self.names.of(reg).to_owned(),
            Operand::Int(value) => self.scalar(&value.to_string()),
            Operand::Callee(id) => match self.program.callee(id) {
                Some(callee) => format!("cls.{}", global(&self.program.callee_name(callee))),
                None => "None".to_owned(),
            },
            Operand::Const(id) => match self.program.constant(id) {
                Some(Constant::Value(value)) => self.value(value),
                Some(Constant::Attr(attr)) => literal(attr),
                Some(Constant::Shape(dims)) => shape(dims),
                Some(Constant::Sym(value)) => self.scalar(&value.to_string()),
                Some(Constant::Dim(dim)) => format!("R.str({:?})", dim.expr.to_string()),
                Some(Constant::DType(dtype)) => format!("R.dtype(\"{dtype}\")"),
                None => "None".to_owned(),
            },
        }
    }

    /// Prints a number as a value of Relax.
    pub(super) fn scalar(&self, text: &str) -> String {
        match self.spelling.release.dialect() {
            Dialect::Type => text.to_owned(),
            _ => format!("R.prim_value({text})"),
        }
    }

    pub(super) fn value(&self, value: &Value) -> String {
        match value {
            Value::Tensor(tensor) => constant(tensor),
            Value::Shape(dims) => {
                let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
                format!("R.shape([{}])", dims.join(", "))
            }
            Value::Prim(prim) => self.scalar(&number(prim.value)),
            Value::Str(text) => format!("R.str({text:?})"),
            Value::DType(dtype) => format!("R.dtype(\"{dtype}\")"),
            Value::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(|it| self.value(it)).collect();
                format!("({},)", fields.join(", "))
            }
            Value::Function(name) => format!("cls.{}", global(name)),
            Value::Packed(name) => format!("R.ExternFunc({name:?})"),
            Value::Null => "R.null_value()".to_owned(),
            Value::Closure(_) | Value::Storage(_) | Value::Object(_) | Value::Adt(_) => {
                value.describe()
            }
        }
    }
}

fn shape(dims: &[SymExpr]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    format!("R.shape([{}])", dims.join(", "))
}

fn number(value: Scalar) -> String {
    match value {
        Scalar::Float(value) if !value.is_finite() => format!("float(\"{value}\")"),
        other => other.to_string(),
    }
}

fn constant(tensor: &Tensor) -> String {
    if tensor.len() > MOST_ELEMENTS {
        return format!(
            "metadata[\"relax.expr.Constant\"]  # {:?} {}",
            tensor.shape(),
            tensor.dtype()
        );
    }
    format!(
        "R.const({}, \"{}\")",
        nested(tensor, tensor.shape(), 0),
        tensor.dtype()
    )
}

fn nested(tensor: &Tensor, shape: &[usize], start: usize) -> String {
    let Some((&extent, rest)) = shape.split_first() else {
        return tensor.get(start).map_or_else(String::new, number);
    };
    let step: usize = rest.iter().product();
    let items: Vec<String> = (0..extent)
        .map(|k| nested(tensor, rest, start + k * step))
        .collect();
    format!("[{}]", items.join(", "))
}

pub(super) fn literal(attr: &Arg) -> String {
    match attr {
        Arg::Value(value) => value.describe(),
        Arg::Default | Arg::None => "None".to_owned(),
        Arg::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Arg::Int(value) => value.to_string(),
        Arg::Float(value) => number(Scalar::Float(*value)),
        Arg::Str(value) => format!("{value:?}"),
        Arg::DType(dtype) => format!("\"{dtype}\""),
        Arg::IndexMap(map) => {
            let inputs: Vec<&str> = map.inputs.iter().map(|var| var.name.as_str()).collect();
            let outputs: Vec<String> = map.outputs.iter().map(ToString::to_string).collect();
            format!("lambda {}: ({},)", inputs.join(", "), outputs.join(", "))
        }
        Arg::List(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
