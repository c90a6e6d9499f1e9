//! Recipes of the boxes of a single-shot detector.

use super::Recipe::Made;
use super::arithmetic::{counted, extents, joined, part, reshaped, scaled, with_axis, with_number};
use super::elementwise::as_dtype;
use super::{Build, Refusal, Rows, Val};
use crate::dtype::DType;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("vision.multibox_prior", Made(prior)),
    ("vision.multibox_transform_loc", Made(transform_loc)),
];

/// Returns the boxes around the centre of each pixel, as fractions of the image.
fn prior(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let [_, _, height, width] = extents(b, &x)?;
    let (sizes, ratios) = (b.floats("sizes")?, b.floats("ratios")?);
    let (steps, offsets) = (b.floats("steps")?, b.floats("offsets")?);
    let (&[down, across], &[offset_down, offset_across]) = (&steps[..], &offsets[..]) else {
        return Refusal::new("`steps` and `offsets` have not two values");
    };
    let Some(&first) = sizes.first() else {
        return Refusal::new("`vision.multibox_prior` without `sizes`");
    };
    let centres = |b: &mut Build<'_>, shape: &[i64], step: f64, extent: i64, offset: f64| {
        let step = if step > 0.0 {
            step
        } else {
            1.0 / extent as f64
        };
        let at = counted(b, shape, DType::F32)?;
        let at = scaled(b, &at, step, offset * step)?;
        let shape = vec![height, width, 1];
        b.op("broadcast_to", vec![at.into(), shape.into()], [])
    };
    let column = centres(b, &[width, 1], across, width, offset_across)?;
    let row = centres(b, &[height, 1, 1], down, height, offset_down)?;
    let aspect = height as f64 / width as f64;
    let of_sizes = sizes.iter().map(|it| (it * aspect, *it));
    let of_ratios = ratios.iter().skip(1).map(|it| it.sqrt());
    let of_ratios = of_ratios.map(|it| (first * aspect * it, first / it));
    let mut sides = Vec::new();
    for (wide, high) in of_sizes.chain(of_ratios) {
        sides.push(scaled(b, &column, 1.0, -wide / 2.0)?);
        sides.push(scaled(b, &row, 1.0, -high / 2.0)?);
        sides.push(scaled(b, &column, 1.0, wide / 2.0)?);
        sides.push(scaled(b, &row, 1.0, high / 2.0)?);
    }
    let count = height * width * (sides.len() / 4) as i64;
    let boxes = joined(b, &sides, -1)?;
    let boxes = reshaped(b, &boxes, &[1, count, 4])?;
    let boxes = if b.bool("clip")? {
        clipped(b, &boxes)?
    } else {
        boxes
    };
    let dtype = b.dtype_of(&x)?;
    as_dtype(b, &boxes, dtype)
}

fn clipped(b: &mut Build<'_>, x: &Val) -> Result<Val, Refusal> {
    b.op("clip", vec![x.into(), 0.0.into(), 1.0.into()], [])
}

/// Returns the class, the score and the corners of each box, the boxes of objects first.
fn transform_loc(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (classes, moves, anchors) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let [batch, kinds, count] = extents(b, &classes)?;
    let is_background_kept = b.bool("keep_background")?;
    let first = i64::from(!is_background_kept);
    let objects = part(b, &classes, 1, first, kinds)?;
    let axis = || [("axis", vec![1].into())];
    let score = b.op("max", vec![(&objects).into()], axis())?;
    let class = b.op("argmax", vec![objects.into()], [("axis", 1.into())])?;
    let class = scaled(b, &class, 1.0, first as f64)?;
    let threshold = b.float("threshold")?;
    let is_weak = with_number(b, "less", &score, threshold)?;
    let none = b.number(0.0, b.dtype_of(&class)?);
    let class = b.call("where", &[&is_weak, &none, &class])?;
    let is_object = with_number(b, "greater", &class, 0.0)?;
    let dtype = b.dtype_of(&moves)?;
    let label = as_dtype(b, &class, dtype)?;
    let label = scaled(b, &label, 1.0, -first as f64)?;
    let score = as_dtype(b, &score, dtype)?;
    let mut rows = Vec::new();
    for column in [label, score] {
        rows.push(with_axis(b, &column, -1)?);
    }
    let moves = reshaped(b, &moves, &[batch, count, 4])?;
    rows.extend(corners(b, &anchors, &moves)?);
    let boxes = joined(b, &rows, -1)?;
    if is_background_kept {
        let all = b.number(count as f64, DType::I32);
        let shape = vec![batch];
        let args = vec![shape.into(), all.into(), DType::I32.into()];
        let found = b.op("full", args, [])?;
        return Ok(b.tuple(&[boxes, found]));
    }
    let place = counted(b, &[1, count], DType::I32)?;
    let behind = scaled(b, &place, 1.0, count as f64)?;
    let place = b.call("where", &[&is_object, &place, &behind])?;
    let named = [("axis", 1.into()), ("dtype", DType::I64.into())];
    let order = b.op("argsort", vec![place.into()], named)?;
    let order = with_axis(b, &order, -1)?;
    let shape = vec![batch, count, 6];
    let order = b.op("broadcast_to", vec![order.into(), shape.into()], [])?;
    let args = vec![boxes.into(), order.into()];
    let boxes = b.op("gather_elements", args, [("axis", 1.into())])?;
    let found = as_dtype(b, &is_object, DType::I32)?;
    let found = b.op("sum", vec![found.into()], axis())?;
    Ok(b.tuple(&[boxes, found]))
}

/// Returns the left, top, right and bottom of the moved anchors, each with a last axis of one.
fn corners(b: &mut Build<'_>, anchors: &Val, moves: &Val) -> Result<[Val; 4], Refusal> {
    let variances = b.floats("variances")?;
    let is_clipped = b.bool("clip")?;
    let &[of_x, of_y, of_width, of_height] = &variances[..] else {
        return Refusal::new("`variances` has not four values");
    };
    let mut ends = Vec::new();
    for (at, (of_centre, of_extent)) in [(of_x, of_width), (of_y, of_height)]
        .into_iter()
        .enumerate()
    {
        let at = at as i64;
        let start = part(b, anchors, 2, at, at + 1)?;
        let end = part(b, anchors, 2, at + 2, at + 3)?;
        let extent = b.call("subtract", &[&end, &start])?;
        let both = b.call("add", &[&start, &end])?;
        let centre = scaled(b, &both, 0.5, 0.0)?;
        let moved = part(b, moves, 2, at, at + 1)?;
        let moved = scaled(b, &moved, of_centre, 0.0)?;
        let moved = b.call("multiply", &[&moved, &extent])?;
        let centre = b.call("add", &[&moved, &centre])?;
        let grown = part(b, moves, 2, at + 2, at + 3)?;
        let grown = scaled(b, &grown, of_extent, 0.0)?;
        let grown = b.call("exp", &[&grown])?;
        let half = b.call("multiply", &[&grown, &extent])?;
        let half = scaled(b, &half, 0.5, 0.0)?;
        for side in ["subtract", "add"] {
            let corner = b.call(side, &[&centre, &half])?;
            ends.push(if is_clipped {
                clipped(b, &corner)?
            } else {
                corner
            });
        }
    }
    let ends: [Val; 4] = ends
        .try_into()
        .map_err(|_| Refusal("boxes have two axes".to_owned()))?;
    let [left, right, top, bottom] = ends;
    Ok([left, top, right, bottom])
}
