//! Parts of recipes that compute positions: constant extents, counters, slices of columns.

use super::{Arg, Build, Refusal, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

/// The most elements of a tensor whose extents a recipe computes with: products of two such extents do not overflow.
const MOST_ELEMENTS: i64 = 1 << 31;

/// Returns the extents of a tensor, which must be constants.
pub(super) fn extents<const N: usize>(b: &Build<'_>, x: &Val) -> Result<[i64; N], Refusal> {
    let known: Option<Vec<i64>> = b.dims(x)?.iter().map(SymExpr::as_int).collect();
    let Some(known) = known else {
        return Refusal::new(format!(
            "`{}` needs extents that are only known at run time",
            b.name()
        ));
    };
    let mut extents = known.iter().map(|it| (*it).max(1));
    let count = extents.try_fold(1, |count: i64, it| count.checked_mul(it));
    if count.is_none_or(|it| it > MOST_ELEMENTS) {
        return Refusal::new(format!("`{}` of too many elements", b.name()));
    }
    known
        .try_into()
        .map_err(|_| Refusal(format!("`{}` needs a tensor of rank {N}", b.name())))
}

pub(super) fn reshaped(b: &mut Build<'_>, x: &Val, shape: &[i64]) -> Result<Val, Refusal> {
    let shape: Vec<SymExpr> = shape.iter().copied().map(SymExpr::int).collect();
    b.op("reshape", vec![x.into(), shape.into()], [])
}

/// Returns a part of the tensor along one axis.
pub(super) fn part(
    b: &mut Build<'_>,
    x: &Val,
    axis: usize,
    from: i64,
    to: i64,
) -> Result<Val, Refusal> {
    let args = vec![
        Arg::from(x),
        vec![axis as i64].into(),
        vec![from].into(),
        vec![to].into(),
    ];
    b.op("strided_slice", args, [])
}

/// Returns the numbers 0, 1, ... in a tensor of this shape.
pub(super) fn counted(b: &mut Build<'_>, shape: &[i64], dtype: DType) -> Result<Val, Refusal> {
    let count: i64 = shape.iter().product();
    let args = vec![0.into(), count.into(), 1.into(), dtype.into()];
    let numbers = b.op("arange", args, [])?;
    if shape.len() == 1 {
        return Ok(numbers);
    }
    reshaped(b, &numbers, shape)
}

/// Applies an operator to a tensor and a scalar of the same dtype.
pub(super) fn with_number(
    b: &mut Build<'_>,
    op: &'static str,
    x: &Val,
    value: f64,
) -> Result<Val, Refusal> {
    let value = b.number(value, b.dtype_of(x)?);
    b.call(op, &[x, &value])
}

/// Returns `x * factor + offset`.
pub(super) fn scaled(b: &mut Build<'_>, x: &Val, factor: f64, offset: f64) -> Result<Val, Refusal> {
    let mut x = x.clone();
    if factor != 1.0 {
        x = with_number(b, "multiply", &x, factor)?;
    }
    if offset != 0.0 {
        x = with_number(b, "add", &x, offset)?;
    }
    Ok(x)
}

/// Concatenates tensors along an axis.
pub(super) fn joined(b: &mut Build<'_>, parts: &[Val], axis: i64) -> Result<Val, Refusal> {
    let parts = b.tuple(parts);
    b.op("concat", vec![parts.into()], [("axis", axis.into())])
}

pub(super) fn with_axis(b: &mut Build<'_>, x: &Val, axis: i64) -> Result<Val, Refusal> {
    b.op("expand_dims", vec![x.into()], [("axis", vec![axis].into())])
}

/// Returns the padding at the top, left, bottom and right.
pub(super) fn borders(b: &Build<'_>) -> Result<[i64; 4], Refusal> {
    match b.ints("padding")?[..] {
        [all] => Ok([all; 4]),
        [rows, columns] => Ok([rows, columns, rows, columns]),
        [top, left, bottom, right] => Ok([top, left, bottom, right]),
        _ => Refusal::new("`padding` has neither 1, 2 nor 4 values"),
    }
}

/// Pads images (NCHW) with zeros.
pub(super) fn bordered(
    b: &mut Build<'_>,
    x: &Val,
    [top, left, bottom, right]: [i64; 4],
) -> Result<Val, Refusal> {
    if [top, left, bottom, right] == [0; 4] {
        return Ok(x.clone());
    }
    let widths = vec![0, 0, 0, 0, top, bottom, left, right];
    b.op("nn.pad", vec![x.into(), widths.into()], [])
}
