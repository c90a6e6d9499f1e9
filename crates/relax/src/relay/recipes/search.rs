//! Recipes of searches, of indices that are computed, and of diagonals.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("searchsorted", Made(searchsorted)),
    ("invert_permutation", Made(|b| { let x = b.input(0)?; let dtype = b.dtype_of(&x)?; b.op("argsort", vec![x.into()], [("dtype", dtype.into())]) })),
    ("unravel_index", Made(unravel_index)),
    ("matrix_set_diag", Made(matrix_set_diag)),
];

/// Counts how many elements of the sequence are before each value. Relax only searches in vectors.
fn searchsorted(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (sequence, values) = (b.input(0)?, b.input(1)?);
    let (right, dtype) = (b.bool("right")?, b.dtype("dtype")?);
    if b.rank(&sequence)? == 1 {
        let named = [
            ("out_int32", (dtype == DType::I32).into()),
            ("right", right.into()),
        ];
        let found = b.op("bucketize", vec![values.into(), sequence.into()], named);
        if let Ok(found) = found {
            return as_dtype(b, &found, dtype);
        }
    }
    let (sequence, values) = (b.input(0)?, b.input(1)?);
    let row = [("axis", vec![-2].into())];
    let row = if b.rank(&sequence)? == 1 {
        sequence
    } else {
        b.op("expand_dims", vec![sequence.into()], row)?
    };
    let column = [("axis", vec![-1].into())];
    let column = b.op("expand_dims", vec![values.into()], column)?;
    let before = if right { "less_equal" } else { "less" };
    let is_before = b.call(before, &[&row, &column])?;
    let counted = as_dtype(b, &is_before, dtype)?;
    b.op("sum", vec![counted.into()], [("axis", vec![-1].into())])
}

/// Divides by the extents, from the last to the first.
fn unravel_index(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, shape) = (b.input(0)?, b.input(1)?);
    let Some(rank) = b.dims(&shape)?.first().and_then(SymExpr::as_int) else {
        return Refusal::new("`unravel_index` into a rank that is only known at run time");
    };
    let dtype = b.dtype_of(&x)?;
    let shape = as_dtype(b, &shape, dtype)?;
    let is_scalar = b.rank(&x)? == 0;
    let mut rest = x;
    let mut rows = Vec::new();
    for at in (0..rank).rev() {
        let args = vec![
            Arg::from(&shape),
            vec![0].into(),
            vec![at].into(),
            vec![at + 1].into(),
        ];
        let extent = b.op("strided_slice", args, [])?;
        let mut row = b.call("floor_mod", &[&rest, &extent])?;
        if !is_scalar {
            row = b.op("expand_dims", vec![row.into()], [("axis", vec![0].into())])?;
        }
        rows.push(row);
        if at > 0 {
            rest = b.call("floor_divide", &[&rest, &extent])?;
        }
    }
    rows.reverse();
    let rows = b.tuple(&rows);
    b.op("concat", vec![rows.into()], [("axis", 0.into())])
}

/// Takes the value of its diagonal at each place that is on one.
fn matrix_set_diag(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, diagonal) = (b.input(0)?, b.input(1)?);
    let (low, high) = (b.int("k1")?, b.int("k2")?);
    let dims = b.dims(&x)?;
    let known = |dims: &[SymExpr], from_end: usize| -> Option<i64> {
        dims.len()
            .checked_sub(from_end)
            .and_then(|at| dims[at].as_int())
    };
    let given = b.dims(&diagonal)?;
    let (Some(rows), Some(columns), Some(length)) =
        (known(&dims, 2), known(&dims, 1), known(&given, 1))
    else {
        return Refusal::new("`matrix_set_diag` of extents that are only known at run time");
    };
    let number = |b: &Build<'_>, it: i64| b.number(it as f64, DType::I64);
    let count = |b: &mut Build<'_>, to: i64| {
        let args = vec![0.into(), to.into(), 1.into(), DType::I64.into()];
        b.op("arange", args, [])
    };
    let row = count(b, rows)?;
    let shape = vec![SymExpr::int(-1), SymExpr::int(1)];
    let row = b.op("reshape", vec![row.into(), shape.into()], [])?;
    let column = count(b, columns)?;
    let offset = b.call("subtract", &[&column, &row])?;
    let place = b.call("minimum", &[&row, &column])?;
    let (first, last) = (number(b, low), number(b, high));
    let (is_set, place, diagonals) = if low == high {
        (b.call("equal", &[&offset, &first])?, place, diagonal)
    } else {
        let above = b.call("greater_equal", &[&offset, &first])?;
        let below = b.call("less_equal", &[&offset, &last])?;
        let is_set = b.call("logical_and", &[&above, &below])?;
        // The diagonals lie one after the other, the highest first.
        let band = b.call("subtract", &[&last, &offset])?;
        let length_of_all = number(b, length);
        let begin = b.call("multiply", &[&band, &length_of_all])?;
        let place = b.call("add", &[&begin, &place])?;
        let place = aligned(b, &place, &offset, [rows, columns, length])?;
        let mut shape = given;
        shape.truncate(shape.len().saturating_sub(2));
        shape.push(SymExpr::int((high - low + 1) * length));
        let flat = b.op("reshape", vec![diagonal.into(), shape.into()], [])?;
        (is_set, place, flat)
    };
    let taken = b.op(
        "take",
        vec![diagonals.into(), place.into()],
        [("axis", (-1).into()), ("mode", Arg::Str("clip".into()))],
    )?;
    b.call("where", &[&is_set, &taken, &x])
}

/// Moves the places on the diagonals that end where the longest one ends.
fn aligned(
    b: &mut Build<'_>,
    place: &Val,
    offset: &Val,
    [rows, columns, length]: [i64; 3],
) -> Result<Val, Refusal> {
    let (above, below) = (
        b.bool("super_diag_right_align")?,
        b.bool("sub_diag_right_align")?,
    );
    if !above && !below {
        return Ok(place.clone());
    }
    let number = |b: &Build<'_>, it: i64| b.number(it as f64, DType::I64);
    let (zero, rows, columns) = (number(b, 0), number(b, rows), number(b, columns));
    let to_right = b.call("maximum", &[offset, &zero])?;
    let to_left = b.call("minimum", &[offset, &zero])?;
    let width = b.call("subtract", &[&columns, &to_right])?;
    let height = b.call("add", &[&rows, &to_left])?;
    let own = b.call("minimum", &[&width, &height])?;
    let length = number(b, length);
    let mut shift = b.call("subtract", &[&length, &own])?;
    if above != below {
        let is_above = b.call("greater_equal", &[offset, &zero])?;
        shift = if above {
            b.call("where", &[&is_above, &shift, &zero])?
        } else {
            b.call("where", &[&is_above, &zero, &shift])?
        };
    }
    b.call("add", &[place, &shift])
}
