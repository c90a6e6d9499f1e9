//! Formats types in TVM's notation: `Tensor[(1, ?), float32]`, `fn (A) -> B`, `List[A]`.

use std::fmt::{self, Display, Formatter};

use super::{Dim, FunctionType, Tensor, Type, TypeVar};

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Unknown | Type::Hole(_) => f.write_str("_"),
            Type::Tensor(it) => it.fmt(f),
            Type::Tuple(fields) => {
                f.write_str("(")?;
                list(f, fields)?;
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
            Type::Function(it) => it.fmt(f),
            Type::Adt { name, args } => {
                write!(f, "{name}[")?;
                list(f, args)?;
                f.write_str("]")
            }
            Type::Ref(to) => write!(f, "ref({to})"),
            Type::Var(var) => var.fmt(f),
        }
    }
}

impl Display for Tensor {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.shape.is_empty() {
            return self.dtype.fmt(f);
        }
        f.write_str("Tensor[(")?;
        list(f, &self.shape)?;
        write!(f, "), {}]", self.dtype)
    }
}

impl Display for Dim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Int(value) => value.fmt(f),
            Dim::Any => f.write_str("?"),
            Dim::Var(name) => f.write_str(name),
        }
    }
}

impl Display for FunctionType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("fn ")?;
        if !self.type_params.is_empty() {
            f.write_str("[")?;
            list(f, &self.type_params)?;
            f.write_str("]")?;
        }
        f.write_str("(")?;
        list(f, &self.params)?;
        write!(f, ") -> {}", self.ret)
    }
}

impl Display for TypeVar {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn list(f: &mut Formatter<'_>, items: &[impl Display]) -> fmt::Result {
    for (at, item) in items.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { ", " })?;
        item.fmt(f)?;
    }
    Ok(())
}
