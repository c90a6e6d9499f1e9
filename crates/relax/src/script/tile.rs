//! Names under `T.tile`, and under groups of threads such as `T.cta` and `T.warp`: operations on whole tiles.

use super::Role::Intrinsic;
use super::{Entry, row};
use crate::release::{Release, Releases};

const TYPE: Releases = Releases::since(Release::V0_25);

/// Defines an operation with the common parameters: workspace, implementation, group of threads.
macro_rules! tile {
    ($name:literal, $params:literal, $doc:literal) => {
        row(
            $name,
            concat!(
                $params,
                ", workspace=None, dispatch=None, scope=None, **kwargs"
            ),
            Intrinsic,
            TYPE,
            $doc,
        )
    };
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    tile!("tile.add", "dst, src1, src2", "The sum of two tiles, or of a tile and a number."),
    tile!("tile.binary_chain", "output, data, operand0, operand1, op0, op1, reverse1=False", "Two consecutive operations."),
    tile!("tile.binary_reduce", "binary_output, reduce_output, binary_input1, binary_input2, binary_op, reduce_op, reduce_axes=-1", "An operation on two tiles, followed by a reduction."),
    tile!("tile.cast", "dst, src=None", "Converts to the dtype of the destination."),
    tile!("tile.copy", "dst, src", "Copies a tile."),
    tile!("tile.copy_async", "dst, src", "Begins to copy a tile."),
    tile!("tile.exp", "dst, src=None, bias=None, scale=None", "The exponential, after scaling and adding a bias."),
    tile!("tile.exp2", "dst, src=None, bias=None, scale=None", "Two to the power of each element, after scaling and adding a bias."),
    tile!("tile.fdiv", "dst, src1, src2", "The quotient of two tiles, or of a tile and a number."),
    tile!("tile.fill", "dst, value", "Fills a tile with one value."),
    tile!("tile.fma", "dst, src, scale, bias", "A product and a sum, element by element."),
    tile!("tile.gemm", "D, A, B, C, transpose_A=False, transpose_B=False, alpha=1.0, beta=0.0", "`D = alpha * A @ B + beta * C` of tiles."),
    tile!("tile.gemm_async", "C, A, B, SFA=None, SFB=None, transA=False, transB=False, accum=False", "Starts a product of tiles, optionally accumulated and with scale factors."),
    tile!("tile.log2", "dst, src=None, bias=None, scale=None", "The logarithm to base two, after scaling and adding a bias."),
    tile!("tile.max", "dst, src=None, axes=-1, accum=False", "The maximum over axes."),
    tile!("tile.maximum", "dst, src1, src2", "The larger one of two, element by element."),
    tile!("tile.memset", "dst, value", "Fills a tile with one value."),
    tile!("tile.min", "dst, src=None, axes=-1, accum=False", "The least over axes."),
    tile!("tile.minimum", "dst, src1, src2", "The smaller one of two, element by element."),
    tile!("tile.mul", "dst, src1, src2", "The product of two tiles, or of a tile and a number, element by element."),
    tile!("tile.permute_layout", "dst, src", "Moves the elements of a tile to another layout."),
    tile!("tile.reciprocal", "dst, src=None", "One over each element."),
    tile!("tile.reduce_negate", "output, input, reduce_op, reduce_axes=-1, accum=False", "A reduction over axes, negated."),
    row("tile.select", "dst, true_value, false_value, pred, scope=None", Intrinsic, TYPE, "Selects between two tiles by a condition on the indices."),
    tile!("tile.silu", "dst, src", "Each element times its sigmoid."),
    tile!("tile.sqrt", "dst, src=None, bias=None, scale=None", "The square root, after scaling and adding a bias."),
    tile!("tile.sub", "dst, src1, src2", "The difference of two tiles, or of a tile and a number."),
    tile!("tile.sum", "dst, src, axes=-1, accum=False", "The sum over axes."),
    tile!("tile.unary_reduce", "unary_output, reduce_output, unary_input, unary_op, reduce_op, bias=None, scale=None, reduce_axes=-1", "An operation on a tile, followed by a reduction."),
    tile!("tile.zero", "dst, src=None", "Fills a tile with zeros."),
];
