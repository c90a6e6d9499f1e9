//! Recipes of operators that sample images at computed positions.

use super::Recipe::Made;
use super::arithmetic::{
    bordered, borders, counted, extents, joined, part, reshaped, scaled, with_axis, with_number,
};
use super::elementwise::as_dtype;
use super::shapes::converted;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("image.crop_and_resize", Made(crop_and_resize)),
    ("nn.deformable_conv2d", Made(deformable_conv2d)),
    ("nn.correlation", Made(correlation)),
];

/// Positions in images along one axis, in pixels.
struct Positions {
    at: Val,
    /// Whether they are in the image.
    inside: Val,
}

/// Resizes boxes of images to one size.
fn crop_and_resize(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, boxes, images) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let (layout, size) = (b.str("layout")?, b.ints("crop_size")?);
    let dtype = b.opt_dtype("out_dtype")?.unwrap_or(b.dtype_of(&x)?);
    let outside = b.float("extrapolation_value")?;
    let is_rounded = match b.str("method")?.as_str() {
        "bilinear" => false,
        "nearest_neighbor" => true,
        other => return Refusal::new(format!("`image.crop_and_resize` by the method {other}")),
    };
    let &[rows, columns] = &size[..] else {
        return Refusal::new("`crop_size` has not two values");
    };
    let x = converted(b, &x, &layout, "NCHW")?;
    let [_, _, height, width] = extents(b, &x)?;
    let x = as_dtype(b, &x, DType::F32)?;
    let boxes = as_dtype(b, &boxes, DType::F32)?;
    let x = b.op("take", vec![x.into(), images.into()], [("axis", 0.into())])?;
    let mut axes = Vec::new();
    for (at, extent, count) in [(0, height, rows), (1, width, columns)] {
        let place = in_boxes(b, &boxes, at, extent, count)?;
        let place = with_axis(b, &place, 2 - at)?;
        let inside = is_within(b, &place, (extent - 1) as f64, "less_equal")?;
        let at = if is_rounded {
            b.call("round", &[&place])?
        } else {
            place
        };
        axes.push(Positions { at, inside });
    }
    let [down, across] = &axes[..] else {
        return Refusal::new("`crop_size` has not two values");
    };
    let inside = b.call("logical_and", &[&down.inside, &across.inside])?;
    let shape = b.dims(&inside)?;
    let mut spread = |at: &Val| b.op("broadcast_to", vec![at.into(), shape.clone().into()], []);
    let (down, across) = (spread(&down.at)?, spread(&across.at)?);
    let sampled = sampled(b, &x, [&down, &across], [height, width])?;
    let inside = with_axis(b, &inside, 1)?;
    let outside = b.number(outside, DType::F32);
    let crops = b.call("where", &[&inside, &sampled, &outside])?;
    let crops = as_dtype(b, &crops, dtype)?;
    converted(b, &crops, "NCHW", &layout)
}

/// Returns the positions of the pixels of each crop along an axis, of shape (boxes, pixels). A box has its two starts
/// before its two ends, from 0 to 1.
fn in_boxes(
    b: &mut Build<'_>,
    boxes: &Val,
    axis: i64,
    extent: i64,
    count: i64,
) -> Result<Val, Refusal> {
    let start = part(b, boxes, 1, axis, axis + 1)?;
    let end = part(b, boxes, 1, axis + 2, axis + 3)?;
    let last = (extent - 1) as f64;
    if count < 2 {
        let both = b.call("add", &[&start, &end])?;
        return scaled(b, &both, last / 2.0, 0.0);
    }
    let begin = scaled(b, &start, last, 0.0)?;
    let reach = b.call("subtract", &[&end, &start])?;
    let step = scaled(b, &reach, last / (count - 1) as f64, 0.0)?;
    let steps = counted(b, &[count], DType::F32)?;
    let moved = b.call("multiply", &[&step, &steps])?;
    b.call("add", &[&begin, &moved])
}

/// Returns whether positions are at least 0 and before or at an end.
fn is_within(
    b: &mut Build<'_>,
    at: &Val,
    end: f64,
    is_before: &'static str,
) -> Result<Val, Refusal> {
    let after = with_number(b, "greater_equal", at, 0.0)?;
    let before = with_number(b, is_before, at, end)?;
    b.call("logical_and", &[&after, &before])
}

/// Samples images (NCHW) at positions in pixels, each of shape (images, height, width). Positions outside of an image
/// get the nearest pixel.
fn sampled(
    b: &mut Build<'_>,
    x: &Val,
    [down, across]: [&Val; 2],
    [height, width]: [i64; 2],
) -> Result<Val, Refusal> {
    let mut axes = Vec::new();
    for (at, extent) in [(across, width), (down, height)] {
        let pixel = 2.0 / extent.max(1) as f64;
        let at = scaled(b, at, pixel, pixel / 2.0 - 1.0)?;
        axes.push(with_axis(b, &at, 1)?);
    }
    let grid = joined(b, &axes, 1)?;
    let named = vec![
        ("method", Arg::Str("bilinear".into())),
        ("layout", Arg::Str("NCHW".into())),
        ("padding_mode", Arg::Str("border".into())),
        ("align_corners", false.into()),
    ];
    b.op_with("image.grid_sample", vec![x.into(), grid.into()], named)
}

/// Samples the pixels of each window at their moved positions, then multiplies them with the kernel.
fn deformable_conv2d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (layout, kernel_layout) = (b.str("data_layout")?, b.str("kernel_layout")?);
    let (x, moves, kernel) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let x = converted(b, &x, &layout, "NCHW")?;
    let moves = converted(b, &moves, &layout, "NCHW")?;
    let kernel = converted(b, &kernel, &kernel_layout, "OIHW")?;
    let ([batch, channels, height, width], [_, _, down, across]) =
        (extents(b, &x)?, extents(b, &moves)?);
    let [outs, _, rows, columns] = extents(b, &kernel)?;
    let groups = b.int("deformable_groups")?;
    if b.int("groups")? != 1 || groups < 1 || channels % groups != 0 {
        return Refusal::new("`nn.deformable_conv2d` of several groups");
    }
    let (strides, dilation) = (b.ints("strides")?, b.ints("dilation")?);
    let (&[stride_down, stride_across], &[row_step, column_step]) = (&strides[..], &dilation[..])
    else {
        return Refusal::new("`nn.deformable_conv2d` of images that have not two axes");
    };
    let [top, left, ..] = borders(b)?;
    let (images, taps) = (batch * groups, rows * columns);
    let x = reshaped(b, &x, &[images, channels / groups, height, width])?;
    let moves = reshaped(b, &moves, &[images, rows, columns, 2, down, across])?;
    let tap = |b: &mut Build<'_>, shape: &[i64], step: i64| {
        let tap = counted(b, shape, DType::F32)?;
        scaled(b, &tap, step as f64, 0.0)
    };
    let mut places = Vec::new();
    let mut is_inside: Option<Val> = None;
    for axis in 0..2 {
        let (of_tap, of_window, extent) = if axis == 0 {
            let window = counted(b, &[down, 1], DType::F32)?;
            let window = scaled(b, &window, stride_down as f64, -top as f64)?;
            (tap(b, &[rows, 1, 1, 1], row_step)?, window, height)
        } else {
            let window = counted(b, &[across], DType::F32)?;
            let window = scaled(b, &window, stride_across as f64, -left as f64)?;
            (tap(b, &[columns, 1, 1], column_step)?, window, width)
        };
        let place = b.call("add", &[&of_tap, &of_window])?;
        let moved = part(b, &moves, 3, axis, axis + 1)?;
        let moved = b.op("squeeze", vec![moved.into()], [("axis", vec![3].into())])?;
        let moved = as_dtype(b, &moved, DType::F32)?;
        let place = b.call("add", &[&moved, &place])?;
        let place = reshaped(b, &place, &[images, taps * down, across])?;
        let inside = is_within(b, &place, extent as f64, "less")?;
        is_inside = Some(match is_inside {
            Some(other) => b.call("logical_and", &[&other, &inside])?,
            None => inside,
        });
        places.push(place);
    }
    let (Some(is_inside), [down_at, across_at]) = (is_inside, &places[..]) else {
        return Refusal::new("`nn.deformable_conv2d` of images that have not two axes");
    };
    let found = sampled(b, &x, [down_at, across_at], [height, width])?;
    let is_inside = with_axis(b, &is_inside, 1)?;
    let zero = b.number(0.0, b.dtype_of(&found)?);
    let found = b.call("where", &[&is_inside, &found, &zero])?;
    let found = reshaped(b, &found, &[batch, channels * taps, down * across])?;
    let kernel = reshaped(b, &kernel, &[outs, channels * taps])?;
    let out = b.call("matmul", &[&kernel, &found])?;
    let out = reshaped(b, &out, &[batch, outs, down, across])?;
    let out = match b.opt_dtype("out_dtype")? {
        Some(dtype) => as_dtype(b, &out, dtype)?,
        None => out,
    };
    let home = b.str("out_layout")?;
    converted(
        b,
        &out,
        "NCHW",
        if home.is_empty() { &layout } else { &home },
    )
}

/// Compares each window of the first images with the windows around it in the second ones.
fn correlation(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (first, second) = (b.input(0)?, b.input(1)?);
    let (size, reach) = (b.int("kernel_size")?, b.int("max_displacement")?);
    let (stride, step) = (b.int("stride1")?, b.int("stride2")?);
    if size < 1 || reach < 0 || stride < 1 || step < 1 || b.str("layout")? != "NCHW" {
        return Refusal::new("`nn.correlation` of windows without elements");
    }
    let borders = borders(b)?;
    let (first, second) = (
        bordered(b, &first, borders)?,
        bordered(b, &second, borders)?,
    );
    let [batch, channels, height, width] = extents(b, &first)?;
    // The part that the windows cover when they are not displaced.
    let covered = |extent: i64| {
        let room = extent - 2 * (reach + (size - 1) / 2);
        let count = (room + stride - 1) / stride;
        (count > 0).then_some((count - 1) * stride + size)
    };
    let (Some(rows), Some(columns)) = (covered(height), covered(width)) else {
        return Refusal::new("`nn.correlation` of images that are smaller than a window");
    };
    let first = part(b, &first, 2, reach, reach + rows)?;
    let first = part(b, &first, 3, reach, reach + columns)?;
    let first = with_axis(b, &first, 2)?;
    let side = 2 * (reach / step) + 1;
    let displaced = |b: &mut Build<'_>, moves: &[i64], places: &[i64]| {
        let moves = counted(b, moves, DType::I64)?;
        let moves = scaled(b, &moves, step as f64, (reach - reach / step * step) as f64)?;
        let places = counted(b, places, DType::I64)?;
        b.call("add", &[&moves, &places])
    };
    let row = displaced(b, &[side, 1, 1, 1], &[rows, 1])?;
    let column = displaced(b, &[side, 1, 1], &[columns])?;
    let row = scaled(b, &row, width as f64, 0.0)?;
    let index = b.call("add", &[&row, &column])?;
    let pixels = reshaped(b, &second, &[batch, channels, height * width])?;
    let taken = b.op(
        "take",
        vec![pixels.into(), index.into()],
        [("axis", 2.into())],
    )?;
    let second = reshaped(b, &taken, &[batch, channels, side * side, rows, columns])?;
    let compared = if b.bool("is_multiply")? {
        b.call("multiply", &[&first, &second])?
    } else {
        let difference = b.call("subtract", &[&first, &second])?;
        b.call("abs", &[&difference])?
    };
    let mean = b.op("mean", vec![compared.into()], [("axis", vec![1].into())])?;
    if (size, stride) == (1, 1) {
        return Ok(mean);
    }
    let named = vec![
        ("pool_size", vec![size, size].into()),
        ("strides", vec![stride, stride].into()),
    ];
    b.op_with("nn.avg_pool2d", vec![mean.into()], named)
}
