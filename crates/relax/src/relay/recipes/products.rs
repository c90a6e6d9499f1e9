//! Recipes of products of matrices.

use super::Recipe::Made;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("nn.dense", Made(|b| { let (x, w) = (b.input(0)?, b.input(1)?); product(b, &x, &w, false, true) })),
    ("nn.contrib_dense_pack", Made(packed_dense)),
    ("nn.matmul", Made(matmul)),
    ("nn.batch_matmul", Made(matmul)),
    ("einsum", Made(|b| { let x = b.input(0)?; let how = b.str("equation")?; b.op("einsum", vec![x.into(), how.into()], []) })),
];

/// The rows of a packed weight lie in blocks: (blocks, columns, rows of a block).
fn packed_dense(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let dims: Result<[SymExpr; 3], _> = b.dims(&w)?.try_into();
    let Ok([blocks, columns, rows]) = dims else {
        return Refusal::new("`nn.contrib_dense_pack` of a weight that is not packed");
    };
    let w = swapped(b, &w)?;
    let shape = vec![blocks.mul(&rows), columns];
    let w = b.op("reshape", vec![w.into(), shape.into()], [])?;
    product(b, &x, &w, false, true)
}

fn matmul(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, y) = (b.input(0)?, b.input(1)?);
    let (tx, ty) = (b.bool("transpose_a")?, b.bool("transpose_b")?);
    product(b, &x, &y, tx, ty)
}

/// Returns `R.matmul`, with the last two axes of either operand swapped first.
pub(super) fn product(
    b: &mut Build<'_>,
    x: &Val,
    y: &Val,
    swap_x: bool,
    swap_y: bool,
) -> Result<Val, Refusal> {
    let x = if swap_x { swapped(b, x)? } else { x.clone() };
    let y = if swap_y { swapped(b, y)? } else { y.clone() };
    let own = b.dtype_of(&x)?;
    let dtype = b.opt_dtype("out_dtype")?.filter(|it| *it != own);
    typed_product(b, &x, &y, dtype)
}

pub(super) fn typed_product(
    b: &mut Build<'_>,
    x: &Val,
    y: &Val,
    dtype: Option<DType>,
) -> Result<Val, Refusal> {
    match dtype {
        Some(dtype) => b.op(
            "matmul",
            vec![x.into(), y.into()],
            [("out_dtype", Arg::DType(dtype))],
        ),
        None => b.call("matmul", &[x, y]),
    }
}

/// Swaps the last two axes.
pub(super) fn swapped(b: &mut Build<'_>, x: &Val) -> Result<Val, Refusal> {
    let rank = b.rank(x)? as i64;
    if rank == 2 {
        return b.call("permute_dims", &[x]);
    }
    let axes: Vec<i64> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    b.op("permute_dims", vec![x.into()], [("axes", axes.into())])
}
