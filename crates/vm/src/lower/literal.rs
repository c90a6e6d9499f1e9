//! Converts constants of the program: nested lists to tensors, plain values to attributes.

use relax::dtype::DType;
use relax::value::Value as Known;

use crate::error::RunResult;
use crate::kernels::Arg;
use crate::tensor::{Kind, Scalar, Tensor, dispatch};

/// Converts a number or a nested list of numbers to a tensor. Returns `None` if it is not constant.
pub(super) fn tensor(value: &Known, dtype: DType) -> Option<RunResult<Tensor>> {
    let mut shape = Vec::new();
    let mut at = value;
    while let Known::List(items) = at {
        shape.push(items.len());
        match items.first() {
            Some(first) => at = first,
            None => break,
        }
    }
    let mut scalars = Vec::new();
    flatten(value, &mut scalars)?;
    Some(Kind::of(dtype).and_then(|kind| {
        let tensor = dispatch!(kind, T => {
            let values: Vec<T> = scalars.iter().map(|s| s.to::<T>(kind)).collect();
            Tensor::from_vec(&shape, values)?
        });
        Ok(tensor.with_kind(kind))
    }))
}

fn flatten(value: &Known, scalars: &mut Vec<Scalar>) -> Option<()> {
    match value {
        Known::Int(value) => scalars.push(Scalar::Int(*value)),
        Known::Float(value) => scalars.push(Scalar::Float(*value)),
        Known::Bool(value) => scalars.push(Scalar::Bool(*value)),
        Known::List(items) => {
            for item in items.iter() {
                flatten(item, scalars)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Converts a plain value to an attribute. Returns `None` if any part of it is not constant.
pub(super) fn attribute(value: &Known) -> Option<Arg> {
    Some(match value {
        Known::None => Arg::None,
        Known::Bool(value) => Arg::Bool(*value),
        Known::Int(value) => Arg::Int(*value),
        Known::Float(value) => Arg::Float(*value),
        Known::Str(value) => Arg::Str(value.clone()),
        Known::IndexMap(map) => Arg::IndexMap(map.clone()),
        Known::List(items) => Arg::List(items.iter().map(attribute).collect::<Option<_>>()?),
        _ => return None,
    })
}
