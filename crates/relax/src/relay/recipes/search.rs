//! Recipes of searches, of indices that are computed, and of diagonals.

use super::Recipe::Made;
use super::arithmetic::{counted, extents, joined, part, scaled, with_axis};
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
    ("unique", Made(unique)),
];

/// Counts how many elements of the sequence are before each value. Relax only searches in vectors.
fn searchsorted(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (sequence, values) = (b.input(0)?, b.input(1)?);
    let (right, dtype) = (b.bool("right")?, b.dtype("dtype")?);
    counted_before(b, &sequence, &values, right, dtype)
}

/// Counts how many elements of the sequence are before each value, with those that equal it if `right`.
pub(super) fn counted_before(
    b: &mut Build<'_>,
    sequence: &Val,
    values: &Val,
    right: bool,
    dtype: DType,
) -> Result<Val, Refusal> {
    let is_vector = b.rank(sequence)? == 1;
    if is_vector {
        let named = [
            ("out_int32", (dtype == DType::I32).into()),
            ("right", right.into()),
        ];
        let found = b.op("bucketize", vec![values.into(), sequence.into()], named);
        if let Ok(found) = found {
            return as_dtype(b, &found, dtype);
        }
    }
    let row = if is_vector {
        sequence.clone()
    } else {
        with_axis(b, sequence, -2)?
    };
    let column = with_axis(b, values, -1)?;
    let before = if right { "less_equal" } else { "less" };
    let is_before = b.call(before, &[&row, &column])?;
    let counted = as_dtype(b, &is_before, dtype)?;
    b.op("sum", vec![counted.into()], [("axis", vec![-1].into())])
}

/// Sorts the elements; the first of each run of equal ones has the next number.
fn unique(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let [count] = extents(b, &x)?;
    let dtype = b.dtype_of(&x)?;
    if count == 0 {
        return Refusal::new("`unique` of no elements");
    }
    let order = b.op(
        "argsort",
        vec![x.clone().into()],
        [("dtype", DType::I32.into())],
    )?;
    let sorted = b.op(
        "take",
        vec![x.clone().into(), (&order).into()],
        [("axis", 0.into())],
    )?;
    let (before, after) = (
        part(b, &sorted, 0, 0, count - 1)?,
        part(b, &sorted, 0, 1, count)?,
    );
    let is_new = b.call("not_equal", &[&before, &after])?;
    let is_new = as_dtype(b, &is_new, DType::I32)?;
    let first = counted(b, &[1], DType::I32)?;
    let is_new = joined(b, &[first, is_new], 0)?;
    let number = b.op("cumsum", vec![is_new.into()], [("axis", 0.into())])?;
    let found = part(b, &number, 0, count - 1, count)?;
    let found = scaled(b, &found, 1.0, 1.0)?;
    let filled = |b: &mut Build<'_>, value: f64, dtype: DType| {
        let value = b.number(value, dtype);
        b.op(
            "full",
            vec![vec![count].into(), value.into(), dtype.into()],
            [],
        )
    };
    // Where each value occurs first, by the number of the value; after the last one the length.
    let ends = filled(b, count as f64, DType::I32)?;
    let mut first = scattered(b, &ends, &number, &order, "min")?;
    let mut number_of = number;
    if !b.bool("sorted")? {
        let by_first = b.op(
            "argsort",
            vec![(&first).into()],
            [("dtype", DType::I32.into())],
        )?;
        let renumbered = b.op(
            "argsort",
            vec![by_first.into()],
            [("dtype", DType::I32.into())],
        )?;
        number_of = b.op(
            "take",
            vec![renumbered.into(), number_of.into()],
            [("axis", 0.into())],
        )?;
        first = b.op("sort", vec![first.into()], [])?;
    }
    let zeros = filled(b, 0.0, dtype)?;
    let values = scattered(b, &zeros, &number_of, &sorted, "update")?;
    let none = filled(b, 0.0, DType::I32)?;
    let inverse = scattered(b, &none, &order, &number_of, "update")?;
    let mut fields = vec![values, first, inverse, found];
    if b.bool("return_counts")? {
        let one = filled(b, 1.0, DType::I32)?;
        fields.push(scattered(b, &none, &number_of, &one, "add")?);
    }
    Ok(b.tuple(&fields))
}

fn scattered(
    b: &mut Build<'_>,
    onto: &Val,
    places: &Val,
    values: &Val,
    reduction: &'static str,
) -> Result<Val, Refusal> {
    let args = vec![onto.into(), places.into(), values.into()];
    let named = [
        ("axis", 0.into()),
        ("reduction", Arg::Str(reduction.into())),
    ];
    b.op("scatter_elements", args, named)
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
