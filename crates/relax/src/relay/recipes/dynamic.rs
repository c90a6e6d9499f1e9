//! Recipes of operators whose shapes are values.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::image::resized_to;
use super::indexing::{dense_of, slice, topk_of};
use super::shapes::{new_axes, one_hot_of};
use super::windows::{padded, upsampled, upsampled3d};
use super::{Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("dyn.reshape", Made(reshape)),
    ("dyn.tile", Made(|b| { let (x, reps) = (b.input(0)?, b.int_elements(1)?); b.op("tile", vec![x.into(), reps.into()], []) })),
    ("dyn.squeeze", Made(squeeze)),
    ("dyn.expand_dims", Made(expand_dims)),
    ("dyn.one_hot", Made(one_hot)),
    ("dyn.nn.pad", Made(|b| { let widths = b.int_elements(1)?; padded(b, widths, 2) })),
    ("dyn.nn.upsampling", Made(|b| { let scales = [number(b, 1)?, number(b, 2)?]; upsampled(b, scales) })),
    ("dyn.nn.upsampling3d", Made(|b| { let scales = [number(b, 1)?, number(b, 2)?, number(b, 3)?]; upsampled3d(b, scales) })),
    ("dyn.image.resize2d", Made(|b| { let size = b.int_elements(1)?; resized_to(b, size.iter().map(|it| (*it).max(0)).collect()) })),
    ("dyn.sparse_to_dense", Made(|b| { let shape = b.int_elements(3)?; dense_of(b, shape) })),
    ("dyn.broadcast_to", Made(|b| { let (x, shape) = (b.input(0)?, b.input(1)?); let shape = as_shape(b, &shape)?; b.call("broadcast_to", &[&x, &shape]) })),
    ("dyn.zeros", Made(|b| filled(b, "zeros"))),
    ("dyn.ones", Made(|b| filled(b, "ones"))),
    ("dyn.full", Made(full)),
    ("dyn.strided_slice", Made(strided_slice)),
    ("dyn.topk", Made(topk)),
];

/// Converts a vector of integers to a shape.
fn as_shape(b: &mut Build<'_>, vector: &Val) -> Result<Val, Refusal> {
    let wide = as_dtype(b, vector, DType::I64)?;
    b.call("tensor_to_shape", &[&wide])
}

fn number(b: &Build<'_>, at: usize) -> Result<f64, Refusal> {
    let elements = b.elements(at)?;
    elements
        .first()
        .copied()
        .ok_or_else(|| Refusal(format!("`{}` lacks a number", b.name())))
}

/// A 0 copies an extent if the elements are known; -1 is inferred.
fn reshape(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, shape) = (b.input(0)?, b.input(1)?);
    let Ok(codes) = b.int_elements(1) else {
        let shape = as_shape(b, &shape)?;
        return b.call("reshape", &[&x, &shape]);
    };
    let dims = b.dims(&x)?;
    let copies = !b.bool("allowzero")?;
    let extents = codes.iter().enumerate().map(|(at, code)| match code {
        0 if copies => dims.get(at).cloned(),
        _ => Some(SymExpr::int(*code)),
    });
    match extents.collect::<Option<Vec<_>>>() {
        Some(extents) => b.op("reshape", vec![x.into(), extents.into()], []),
        None => Refusal::new("`dyn.reshape` copies an extent that does not exist"),
    }
}

fn squeeze(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, axes) = (b.input(0)?, b.int_elements(1)?);
    if axes.is_empty() {
        return Ok(x);
    }
    b.op("squeeze", vec![x.into()], [("axis", axes.into())])
}

fn expand_dims(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (axis, count) = (number(b, 1)? as i64, b.int("num_newaxis")?);
    new_axes(b, &x, axis, count)
}

fn one_hot(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let depth = number(b, 3)? as i64;
    one_hot_of(b, depth)
}

fn filled(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let shape = b.input(0)?;
    let dtype = b.dtype("dtype")?;
    let shape = as_shape(b, &shape)?;
    b.op(op, vec![shape.into(), dtype.into()], [])
}

fn full(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (value, shape) = (b.input(0)?, b.input(1)?);
    let dtype = b.opt_dtype("dtype")?.unwrap_or(b.dtype_of(&value)?);
    let shape = as_shape(b, &shape)?;
    b.op("full", vec![shape.into(), value.into(), dtype.into()], [])
}

fn strided_slice(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let mut args = Vec::new();
    let x = b.input(0)?;
    if let (Ok(begin), Ok(end), Ok(strides)) =
        (b.int_elements(1), b.int_elements(2), b.int_elements(3))
    {
        return slice(b, &x, begin, end, strides, None);
    }
    if b.str("slice_mode")? != "end" {
        return Refusal::new("`dyn.strided_slice` by sizes");
    }
    args.push(x.into());
    for at in 1..4 {
        let vector = b.input(at)?;
        args.push(as_dtype(b, &vector, DType::I64)?.into());
    }
    b.op("dynamic_strided_slice", args, [])
}

fn topk(b: &mut Build<'_>) -> Result<Val, Refusal> {
    match b.constant(1) {
        Some(k) => topk_of(b, k as i64),
        None => Refusal::new("`dyn.topk` of a number that is only known at run time"),
    }
}
