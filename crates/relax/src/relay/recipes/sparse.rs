//! Recipes of sparse matrices, as rows or as blocks: they become dense, by their coordinates.

use super::Recipe::Made;
use super::arithmetic::{counted, extents, joined, part, reshaped, scaled, with_number};
use super::elementwise::as_dtype;
use super::products::swapped;
use super::search::counted_before;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("nn.sparse_dense", Made(sparse_dense)),
    ("nn.internal.sparse_dense_padded", Made(sparse_dense)),
    ("nn.sparse_conv2d", Made(sparse_conv2d)),
    ("nn.sparse_add", Made(sparse_add)),
    ("nn.sparse_transpose", Made(sparse_transpose)),
    ("sparse_reshape", Made(sparse_reshape)),
];

/// Returns the row of each element, by where the rows begin.
fn rows(b: &mut Build<'_>, begins: &Val, count: i64) -> Result<Val, Refusal> {
    let places = counted(b, &[count], DType::I32)?;
    let begins = as_dtype(b, begins, DType::I32)?;
    let row = counted_before(b, &begins, &places, true, DType::I64)?;
    scaled(b, &row, 1.0, -1.0)
}

/// Returns the matrix of the elements or blocks in the inputs from `at` on, which has this number of columns.
fn dense(b: &mut Build<'_>, at: usize, width: &SymExpr) -> Result<Val, Refusal> {
    let (values, columns, begins) = (b.input(at)?, b.input(at + 1)?, b.input(at + 2)?);
    let [ends] = extents(b, &begins)?;
    let (count, height, length) = match b.rank(&values)? {
        1 => {
            let [count] = extents(b, &values)?;
            (count, 1, 1)
        }
        2 => {
            let [count, height] = extents(b, &values)?;
            (count, height, 1)
        }
        _ => {
            let [count, height, length] = extents(b, &values)?;
            (count, height, length)
        }
    };
    let Some(width) = width.as_int().filter(|it| length > 0 && it % length == 0) else {
        return Refusal::new(format!(
            "`{}` of a matrix whose blocks do not fill it, or whose width is only known at run time",
            b.name()
        ));
    };
    let row = rows(b, &begins, count)?;
    let row = reshaped(b, &row, &[count, 1])?;
    let column = as_dtype(b, &columns, DType::I64)?;
    let column = reshaped(b, &column, &[count, 1])?;
    let place = joined(b, &[row, column], 1)?;
    let dtype = b.dtype_of(&values)?;
    let (down, across) = (ends - 1, width / length);
    let zero = b.number(0.0, dtype);
    let shape = vec![down, across, height, length];
    let empty = b.op("full", vec![shape.into(), zero.into(), dtype.into()], [])?;
    let values = reshaped(b, &values, &[count, height, length])?;
    let args = vec![empty.into(), place.into(), values.into()];
    let blocks = b.op("scatter_nd", args, [("reduction", Arg::Str("add".into()))])?;
    let axes = vec![0, 2, 1, 3];
    let blocks = b.op("permute_dims", vec![blocks.into()], [("axes", axes.into())])?;
    reshaped(b, &blocks, &[down * height, width])
}

/// Returns an extent of a dense input.
fn extent(b: &Build<'_>, x: &Val, axis: usize) -> Result<SymExpr, Refusal> {
    match b.dims(x)?.get(axis) {
        Some(extent) => Ok(extent.clone()),
        None => Refusal::new(format!("`{}` of another rank", b.name())),
    }
}

fn sparse_dense(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let width = extent(b, &x, 1)?;
    let sparse = dense(b, 1, &width)?;
    let (left, right) = if b.bool("sparse_lhs")? {
        (sparse, x)
    } else {
        (x, sparse)
    };
    let right = swapped(b, &right)?;
    b.call("matmul", &[&left, &right])
}

/// A convolution with windows of one pixel multiplies the channels of each pixel.
fn sparse_conv2d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, layout) = (b.input(0)?, b.str("layout")?);
    if b.ints("kernel_size")?.iter().any(|it| *it != 1) {
        return Refusal::new("`nn.sparse_conv2d` with windows of several pixels");
    }
    let width = extent(b, &x, if layout == "NCHW" { 1 } else { 3 })?;
    let kernel = dense(b, 1, &width)?;
    if layout != "NCHW" {
        let kernel = swapped(b, &kernel)?;
        return b.call("matmul", &[&x, &kernel]);
    }
    let args = vec![Arg::from(&kernel)];
    let kernel = b.op("expand_dims", args, [("axis", vec![2, 3].into())])?;
    b.call("nn.conv2d", &[&x, &kernel])
}

fn sparse_add(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let width = extent(b, &x, 1)?;
    let sparse = dense(b, 1, &width)?;
    b.call("add", &[&x, &sparse])
}

/// Sorts the elements of a square matrix by their columns.
fn sparse_transpose(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (values, columns, begins) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let ([count], [ends]) = (extents(b, &values)?, extents(b, &begins)?);
    let index = b.dtype_of(&columns)?;
    let row = rows(b, &begins, count)?;
    let column = as_dtype(b, &columns, DType::I64)?;
    let key = scaled(b, &column, ends as f64, 0.0)?;
    let key = b.call("add", &[&key, &row])?;
    let order = b.op("argsort", vec![key.into()], [("dtype", DType::I64.into())])?;
    let mut taken = |x: &Val| {
        let args = vec![x.into(), (&order).into()];
        b.op("take", args, [("axis", 0.into())])
    };
    let (values, row, column) = (taken(&values)?, taken(&row)?, taken(&columns)?);
    let row = as_dtype(b, &row, index)?;
    let firsts = counted(b, &[ends], index)?;
    let begins = counted_before(b, &column, &firsts, false, index)?;
    Ok(b.tuple(&[values, row, begins]))
}

/// Returns the coordinates of the same elements in a tensor of another shape.
fn sparse_reshape(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (places, before, after) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let ([rank], [new_rank]) = (extents(b, &before)?, extents(b, &after)?);
    let dtype = b.dtype_of(&places)?;
    let (before, after) = (as_dtype(b, &before, dtype)?, as_dtype(b, &after, dtype)?);
    // An extent of -1 is what the others leave.
    let (whole, known) = (b.call("prod", &[&before])?, b.call("prod", &[&after])?);
    let known = b.call("negative", &[&known])?;
    let rest = b.call("floor_divide", &[&whole, &known])?;
    let is_open = with_number(b, "less", &after, 0.0)?;
    let after = b.call("where", &[&is_open, &rest, &after])?;
    let mut number: Option<Val> = None;
    for axis in 0..rank {
        let column = part(b, &places, 1, axis, axis + 1)?;
        number = Some(match number {
            Some(number) => {
                let extent = part(b, &before, 0, axis, axis + 1)?;
                let number = b.call("multiply", &[&number, &extent])?;
                b.call("add", &[&number, &column])?
            }
            None => column,
        });
    }
    let Some(mut number) = number else {
        return Refusal::new("`sparse_reshape` of a scalar");
    };
    let mut columns = Vec::new();
    for axis in (0..new_rank).rev() {
        let extent = part(b, &after, 0, axis, axis + 1)?;
        columns.push(b.call("floor_mod", &[&number, &extent])?);
        if axis > 0 {
            number = b.call("floor_divide", &[&number, &extent])?;
        }
    }
    columns.reverse();
    let places = joined(b, &columns, 1)?;
    Ok(b.tuple(&[places, after]))
}
