//! Recipes of operators that move blocks of elements between axes, or spread elements apart.

use super::Recipe::Made;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("nn.depth_to_space", Made(depth_to_space)),
    ("nn.space_to_depth", Made(space_to_depth)),
    ("nn.space_to_batch_nd", Made(space_to_batch)),
    ("nn.batch_to_space_nd", Made(batch_to_space)),
    ("nn.dilate", Made(dilate)),
    ("sliding_window", Made(sliding_window)),
    ("vision.yolo_reorg", Made(yolo_reorg)),
];

/// Splits axes by a reshape, permutes the parts, and merges them by another reshape.
fn rearranged(
    b: &mut Build<'_>,
    x: &Val,
    parts: Vec<SymExpr>,
    order: Vec<i64>,
    merged: Vec<SymExpr>,
) -> Result<Val, Refusal> {
    let split = b.op("reshape", vec![x.into(), parts.into()], [])?;
    let moved = b.op("permute_dims", vec![split.into()], [("axes", order.into())])?;
    b.op("reshape", vec![moved.into(), merged.into()], [])
}

/// Returns the extents of four axes in the order NCHW, and whether the channels are last.
fn pixels(b: &Build<'_>, x: &Val) -> Result<([SymExpr; 4], bool), Refusal> {
    let layout = b.str("layout")?;
    let dims: Result<[SymExpr; 4], _> = b.dims(x)?.try_into();
    match (layout.as_str(), dims) {
        ("NCHW", Ok(dims)) => Ok((dims, false)),
        ("NHWC", Ok([n, h, w, c])) => Ok(([n, c, h, w], true)),
        _ => Refusal::new(format!("`{}` of the layout {layout}", b.name())),
    }
}

fn depth_to_space(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let ([n, c, h, w], channels_last) = pixels(b, &x)?;
    let size = SymExpr::int(b.int("block_size")?);
    let depth = c.floordiv(&size.mul(&size));
    let (height, width) = (h.mul(&size), w.mul(&size));
    let block_first = b.str("mode")? == "DCR";
    let block = if block_first {
        [size.clone(), size, depth.clone()]
    } else {
        [depth.clone(), size.clone(), size]
    };
    let (parts, order, merged) = if channels_last {
        let order = if block_first {
            [0, 1, 3, 2, 4, 5]
        } else {
            [0, 1, 4, 2, 5, 3]
        };
        let parts = [n.clone(), h, w].into_iter().chain(block).collect();
        (parts, order, vec![n, height, width, depth])
    } else {
        let order = if block_first {
            [0, 3, 4, 1, 5, 2]
        } else {
            [0, 1, 4, 2, 5, 3]
        };
        let parts = [n.clone()].into_iter().chain(block).chain([h, w]).collect();
        (parts, order, vec![n, depth, height, width])
    };
    rearranged(b, &x, parts, order.to_vec(), merged)
}

fn space_to_depth(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let ([n, c, h, w], channels_last) = pixels(b, &x)?;
    let size = SymExpr::int(b.int("block_size")?);
    let depth = c.mul(&size).mul(&size);
    let (height, width) = (h.floordiv(&size), w.floordiv(&size));
    let rows = [height.clone(), size.clone(), width.clone(), size];
    let (parts, order, merged) = if channels_last {
        let parts = [n.clone()].into_iter().chain(rows).chain([c]).collect();
        (parts, [0, 1, 3, 2, 4, 5], vec![n, height, width, depth])
    } else {
        let parts = [n.clone(), c].into_iter().chain(rows).collect();
        (parts, [0, 3, 5, 1, 2, 4], vec![n, depth, height, width])
    };
    rearranged(b, &x, parts, order.to_vec(), merged)
}

/// As in TVM, the pixels are read in another order than they lie in.
fn yolo_reorg(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let dims: Result<[SymExpr; 4], _> = b.dims(&x)?.try_into();
    let Ok([n, c, h, w]) = dims else {
        return Refusal::new("`vision.yolo_reorg` of a tensor that is not of the layout NCHW");
    };
    let stride = SymExpr::int(b.int("stride")?);
    let area = stride.mul(&stride);
    let parts = vec![
        n.clone(),
        c.floordiv(&area),
        h.clone(),
        stride.clone(),
        w.clone(),
        stride.clone(),
    ];
    let merged = vec![n, c.mul(&area), h.floordiv(&stride), w.floordiv(&stride)];
    rearranged(b, &x, parts, vec![0, 3, 5, 1, 2, 4], merged)
}

/// The blocks along one axis after the batch.
struct Blocks {
    size: SymExpr,
    /// How many elements are padded or cropped on each side of the axis.
    before: i64,
    after: i64,
}

fn blocks(b: &Build<'_>, sides: &'static str) -> Result<Vec<Blocks>, Refusal> {
    let Ok(widths) = b.site().pairs(sides) else {
        return Refusal::new(format!("`{sides}` is not a plain value"));
    };
    let sizes = b.ints("block_shape")?.into_iter();
    let blocks = sizes.zip(widths).map(|(size, (before, after))| Blocks {
        size: SymExpr::int(size),
        before,
        after,
    });
    Ok(blocks.collect())
}

fn space_to_batch(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let blocks = blocks(b, "paddings")?;
    let mut widths = vec![0; 2 * b.rank(&x)?];
    for (at, it) in blocks.iter().enumerate() {
        if let Some(sides) = widths.get_mut(2 * at + 2..2 * at + 4) {
            sides.copy_from_slice(&[it.before, it.after]);
        }
    }
    let x = if widths.iter().all(|it| *it == 0) {
        x
    } else {
        let value = b.float("pad_value")?;
        let args = vec![x.into(), widths.into()];
        b.op("nn.pad", args, [("pad_value", value.into())])?
    };
    let mut dims = b.dims(&x)?.into_iter();
    let batch = dims.next().unwrap_or(SymExpr::int(1));
    let (mut parts, mut merged) = (vec![batch.clone()], vec![batch]);
    // The axes of the blocks come first, then the batch, then the axes of the grid.
    let (mut inside, mut outside) = (Vec::new(), vec![0]);
    for Blocks { size, .. } in &blocks {
        let count = dims.next().unwrap_or(SymExpr::int(1)).floordiv(size);
        merged[0] = merged[0].mul(size);
        merged.push(count.clone());
        outside.push(parts.len() as i64);
        inside.push(parts.len() as i64 + 1);
        parts.extend([count, size.clone()]);
    }
    for rest in dims {
        merged.push(rest.clone());
        outside.push(parts.len() as i64);
        parts.push(rest);
    }
    inside.extend(outside);
    rearranged(b, &x, parts, inside, merged)
}

fn batch_to_space(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let blocks = blocks(b, "crops")?;
    let mut dims = b.dims(&x)?.into_iter();
    let mut batch = dims.next().unwrap_or(SymExpr::int(1));
    let mut parts: Vec<SymExpr> = blocks.iter().map(|it| it.size.clone()).collect();
    for size in &parts {
        batch = batch.floordiv(size);
    }
    let mut order = vec![parts.len() as i64];
    parts.push(batch.clone());
    let mut merged = vec![batch];
    for (at, Blocks { size, .. }) in blocks.iter().enumerate() {
        let count = dims.next().unwrap_or(SymExpr::int(1));
        merged.push(count.mul(size));
        order.extend([parts.len() as i64, at as i64]);
        parts.push(count);
    }
    for rest in dims {
        merged.push(rest.clone());
        order.push(parts.len() as i64);
        parts.push(rest);
    }
    let ends: Vec<SymExpr> = { merged.iter().skip(1).zip(&blocks) }
        .map(|(extent, it)| extent.sub(&SymExpr::int(it.after)))
        .collect();
    let whole = rearranged(b, &x, parts, order, merged)?;
    if blocks.iter().all(|it| (it.before, it.after) == (0, 0)) {
        return Ok(whole);
    }
    let axes: Vec<i64> = (1..=blocks.len() as i64).collect();
    let begins: Vec<i64> = blocks.iter().map(|it| it.before).collect();
    let args = vec![whole.into(), axes.into(), begins.into(), ends.into()];
    b.op("strided_slice", args, [])
}

/// Pads each element to a block, and cuts the last block.
fn dilate(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (strides, value) = (b.ints("strides")?, b.float("dilation_value")?);
    let dims = b.dims(&x)?;
    let (mut parts, mut widths, mut spread) = (Vec::new(), Vec::new(), Vec::new());
    let (mut axes, mut ends) = (Vec::new(), Vec::new());
    for (axis, (dim, stride)) in dims.iter().zip(&strides).enumerate() {
        parts.push(dim.clone());
        widths.extend([0, 0]);
        let step = SymExpr::int(*stride);
        spread.push(dim.mul(&step));
        if *stride > 1 {
            parts.push(SymExpr::int(1));
            widths.extend([0, stride - 1]);
            axes.push(axis as i64);
            let gap = SymExpr::int(stride - 1);
            ends.push(dim.mul(&step).sub(&gap));
        }
    }
    if axes.is_empty() {
        return Ok(x);
    }
    let blocks = b.op("reshape", vec![x.into(), parts.into()], [])?;
    let args = vec![blocks.into(), widths.into()];
    let padded = b.op("nn.pad", args, [("pad_value", value.into())])?;
    let spread = b.op("reshape", vec![padded.into(), spread.into()], [])?;
    let begins = vec![0; axes.len()];
    let args = vec![spread.into(), axes.into(), begins.into(), ends.into()];
    b.op("strided_slice", args, [])
}

/// Takes the elements of the windows along one axis after the other.
fn sliding_window(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let mut x = b.input(0)?;
    let (sizes, strides) = (b.ints("window_shape")?, b.ints("strides")?);
    let rank = b.rank(&x)?;
    let first = b.axis(b.int("axis")?, rank);
    let dims = b.dims(&x)?;
    let range = |b: &mut Build<'_>, count: i64, step: i64, shape: [i64; 2]| {
        let args = vec![
            0.into(),
            (count * step).into(),
            step.into(),
            DType::I64.into(),
        ];
        let steps = b.op("arange", args, [])?;
        let shape = shape.map(SymExpr::int).to_vec();
        b.op("reshape", vec![steps.into(), Arg::Dims(shape)], [])
    };
    for (at, (size, stride)) in sizes.iter().zip(&strides).enumerate().rev() {
        let Some(extent) = dims.get(first + at).and_then(SymExpr::as_int) else {
            return Refusal::new("`sliding_window` of an extent that is only known at run time");
        };
        let count = (extent - size + stride).div_euclid((*stride).max(1));
        let begins = range(b, count, *stride, [-1, 1])?;
        let offsets = range(b, *size, 1, [1, -1])?;
        let places = b.call("add", &[&begins, &offsets])?;
        let axis = (first + at) as i64;
        x = b.op(
            "take",
            vec![x.into(), places.into()],
            [("axis", axis.into())],
        )?;
    }
    let (first, count) = (first as i64, sizes.len() as i64);
    if count == 1 {
        return Ok(x);
    }
    let windows = (0..count).map(|it| first + 2 * it);
    let inside = (0..count).map(|it| first + 2 * it + 1);
    let order: Vec<i64> = (0..first).chain(windows).chain(inside).collect();
    b.op("permute_dims", vec![x.into()], [("axes", order.into())])
}
