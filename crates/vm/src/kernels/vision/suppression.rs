//! Non-maximum suppression of boxes.

use crate::error::{RunError, RunResult};
use crate::kernels::Args;
use crate::kernels::sort::order;
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

/// Returns `batch`, `boxes` and `width` of a matrix of boxes for each batch element.
fn batched(x: &Tensor) -> RunResult<[usize; 3]> {
    match x.shape() {
        &[batch, boxes, width] => Ok([batch, boxes, width]),
        _ => Err(RunError::shape("the boxes need three dimensions")),
    }
}

fn column(index: i64, width: usize) -> RunResult<usize> {
    usize::try_from(index)
        .ok()
        .filter(|&index| index < width)
        .ok_or_else(|| RunError::argument(format!("boxes of {width} numbers have no {index}")))
}

/// Returns the intersection over union of two boxes.
fn overlap(a: &[f32], b: &[f32]) -> f32 {
    let bounds = |v: &[f32]| {
        let (left, right) = (v[0].min(v[2]), v[0].max(v[2]));
        let (top, bottom) = (v[1].min(v[3]), v[1].max(v[3]));
        [left, top, right, bottom]
    };
    let (a, b) = (bounds(a), bounds(b));
    let width = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let height = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let shared = width * height;
    let area = |v: [f32; 4]| (v[2] - v[0]) * (v[3] - v[1]);
    let both = area(a) + area(b) - shared;
    if both <= 0.0 { 0.0 } else { shared / both }
}

/// Moves boxes whose score exceeds a threshold to the front. Returns their number, the boxes, and their old positions.
pub(super) fn get_valid_counts(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let [batch, boxes, width] = batched(&x)?;
    let threshold = args.float_or("score_threshold", 0.0)? as f32;
    let score = column(args.int_or("score_index", 1)?, width)?;
    let id = match args.int_or("id_index", 0)? {
        id if id < 0 => None,
        id => Some(column(id, width)?),
    };
    let wide = x.cast(Kind::F32)?;
    let values = wide.values::<f32>()?;
    let mut counts = vec![0i32; batch];
    let mut kept = vec![-1.0f32; values.len()];
    let mut places = vec![-1i32; batch * boxes];
    for (i, row) in values.chunks_exact(width.max(1)).enumerate() {
        if row[score] > threshold && id.is_none_or(|id| row[id] >= 0.0) {
            let (b, from) = (i / boxes, i % boxes);
            let to = b * boxes + counts[b] as usize;
            kept[to * width..(to + 1) * width].copy_from_slice(row);
            places[to] = from as i32;
            counts[b] += 1;
        }
    }
    Ok(Value::tuple([
        Tensor::from_vec(&[batch], counts)?.into(),
        Tensor::from_vec(x.shape(), kept)?.cast(x.kind())?.into(),
        Tensor::from_vec(&[batch, boxes], places)?.into(),
    ]))
}

/// The attributes of suppression within one list of boxes.
struct Suppression {
    most: usize,
    threshold: f32,
    force: bool,
    top: usize,
    coordinates: usize,
    score: usize,
    id: Option<usize>,
    sigma: f32,
    least: f32,
}

impl Suppression {
    fn compares(&self, a: &[f32], b: &[f32]) -> bool {
        self.force || self.id.is_none_or(|id| a[id] == b[id])
    }

    fn overlap(&self, a: &[f32], b: &[f32]) -> f32 {
        let at = self.coordinates..self.coordinates + 4;
        overlap(&a[at.clone()], &b[at])
    }

    /// Keeps the row and the position of each box that stays, and sets those of the others to -1.
    fn hard(&self, rows: &mut [Vec<f32>], places: &mut [i32]) {
        let mut kept = 0;
        for j in 0..rows.len() {
            let (head, tail) = rows.split_at_mut(j + 1);
            let row = &mut head[j];
            if row[self.score] > 0.0 && kept < self.most {
                kept += 1;
                for (k, other) in tail.iter_mut().enumerate() {
                    if other[self.score] > 0.0
                        && self.compares(row, other)
                        && self.overlap(row, other) >= self.threshold
                    {
                        other[self.score] = -1.0;
                        places[j + 1 + k] = -1;
                    }
                }
            } else {
                row.fill(-1.0);
                places[j] = -1;
            }
        }
    }

    /// Repeatedly picks the best box and reduces the scores of boxes that overlap it. Returns the number of picked
    /// boxes.
    fn soft(&self, rows: &mut [Vec<f32>], places: &mut [i32]) -> usize {
        let mut picked = 0;
        while picked < rows.len().min(self.most) {
            let mut best: Option<usize> = None;
            for j in picked..rows.len() {
                let score = rows[j][self.score];
                let bar = best.map_or(self.least, |best| rows[best][self.score]);
                if places[j] >= 0 && score > bar {
                    best = Some(j);
                }
            }
            let Some(best) = best else { break };
            rows.swap(best, picked);
            places.swap(best, picked);
            let (head, tail) = rows.split_at_mut(picked + 1);
            let row = &head[picked];
            for (k, other) in tail.iter_mut().enumerate() {
                let place = &mut places[picked + 1 + k];
                if *place < 0 || other[self.score] <= self.least || !self.compares(row, other) {
                    continue;
                }
                let overlap = self.overlap(row, other);
                if overlap >= self.threshold {
                    *place = -1;
                } else {
                    other[self.score] *= (-0.5 / self.sigma * overlap * overlap).exp();
                    if other[self.score] <= self.least {
                        *place = -1;
                    }
                }
            }
            picked += 1;
        }
        for row in &mut rows[picked..] {
            row.fill(-1.0);
        }
        picked
    }
}

fn unlimited(value: i64) -> usize {
    usize::try_from(value)
        .ok()
        .filter(|&n| n > 0)
        .unwrap_or(usize::MAX)
}

pub(super) fn non_max_suppression(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let [batch, boxes, width] = batched(&x)?;
    let coordinates = column(args.int_or("coord_start", 2)?, width)?;
    column(coordinates as i64 + 3, width)?;
    let rule = Suppression {
        most: unlimited(args.int_or("max_output_size", -1)?),
        threshold: args.float_or("iou_threshold", 0.5)? as f32,
        force: args.bool_or("force_suppress", false)?,
        top: unlimited(args.int_or("top_k", -1)?),
        coordinates,
        score: column(args.int_or("score_index", 1)?, width)?,
        id: match args.int_or("id_index", 0)? {
            id if id < 0 => None,
            id => Some(column(id, width)?),
        },
        sigma: args.float_or("soft_nms_sigma", 0.0)? as f32,
        least: args.float_or("score_threshold", 0.0)? as f32,
    };
    let (counts, names) = (
        args.operand(1)?.cast(Kind::I64)?,
        args.operand(2)?.cast(Kind::I32)?,
    );
    if counts.len() != batch || names.len() != batch * boxes {
        return Err(RunError::shape(
            "the counts and indices are not those of the boxes",
        ));
    }
    let return_indices = args.bool_or("return_indices", true)?;
    let wide = x.cast(Kind::F32)?;
    let (values, counts, names) = (
        wide.values::<f32>()?,
        counts.values::<i64>()?,
        names.values::<i32>()?,
    );
    let mut out = vec![-1.0f32; values.len()];
    let mut out_places = vec![-1i32; batch * boxes];
    let mut out_counts = vec![0i32; batch];
    for b in 0..batch {
        let row = |i: usize| &values[(b * boxes + i) * width..][..width];
        let valid = (counts[b].max(0) as usize).min(boxes);
        let mut ranks: Vec<usize> = (0..valid).collect();
        ranks.sort_by(|&i, &j| order(row(j)[rule.score], row(i)[rule.score]));
        ranks.truncate(rule.top);
        let mut rows: Vec<Vec<f32>> = ranks.iter().map(|&i| row(i).to_vec()).collect();
        let mut places: Vec<i32> = ranks.iter().map(|&i| i as i32).collect();
        let named = |place: i32| names[b * boxes + place as usize];
        let own = &mut out_places[b * boxes..(b + 1) * boxes];
        if rule.sigma > 0.0 {
            let picked = rule.soft(&mut rows, &mut places);
            out_counts[b] = picked as i32;
            for (slot, &place) in own.iter_mut().zip(&places[..picked]) {
                *slot = named(place);
            }
        } else {
            rule.hard(&mut rows, &mut places);
            let kept: Vec<i32> = places.iter().copied().filter(|&place| place >= 0).collect();
            out_counts[b] = kept.len() as i32;
            for (slot, place) in own.iter_mut().zip(kept) {
                *slot = named(place);
            }
        }
        if !return_indices && args.bool_or("invalid_to_bottom", false)? {
            let (good, bad): (Vec<_>, Vec<_>) =
                rows.into_iter().partition(|row| row[rule.score] >= 0.0);
            rows = good;
            rows.extend(bad.iter().map(|row| vec![-1.0; row.len()]));
        }
        for (i, row) in rows.iter().enumerate() {
            out[(b * boxes + i) * width..][..width].copy_from_slice(row);
        }
    }
    let out: Value = Tensor::from_vec(x.shape(), out)?.cast(x.kind())?.into();
    if !return_indices {
        return Ok(out);
    }
    let places: Value = Tensor::from_vec(&[batch, boxes], out_places)?.into();
    let counts: Value = Tensor::from_vec(&[batch, 1], out_counts)?.into();
    Ok(if rule.sigma > 0.0 {
        Value::tuple([out, places, counts])
    } else {
        Value::tuple([places, counts])
    })
}

/// Suppresses boxes within every class. Returns the remaining boxes by batch and class, in order of score.
pub(super) fn all_class_non_max_suppression(args: &Args<'_>) -> RunResult<Value> {
    let (boxes, scores) = (args.operand(0)?, args.operand(1)?);
    let (&[batch, classes, count], &[box_batch, box_count, 4]) = (scores.shape(), boxes.shape())
    else {
        return Err(RunError::shape("the boxes or scores have another shape"));
    };
    if (box_batch, box_count) != (batch, count) {
        return Err(RunError::shape(
            "one score of each class for each box is needed",
        ));
    }
    let most = args
        .scalar("max_output_boxes_per_class")?
        .as_i64()
        .unwrap_or(0);
    let most = most.max(0) as usize;
    let threshold = args.float_or("iou_threshold", 0.5)? as f32;
    let least = args.float_or("score_threshold", 0.0)? as f32;
    let (boxes, wide) = (boxes.cast(Kind::F32)?, scores.cast(Kind::F32)?);
    let (boxes, values) = (boxes.values::<f32>()?, wide.values::<f32>()?);
    let kept: Vec<Vec<usize>> = (0..batch * classes)
        .map(|i| {
            let own = &values[i * count..(i + 1) * count];
            let corners = |at: usize| &boxes[(i / classes * count + at) * 4..][..4];
            let mut ranks: Vec<usize> = (0..count).collect();
            ranks.sort_by(|&a, &b| order(own[b], own[a]));
            let mut kept: Vec<usize> = Vec::new();
            for at in ranks.into_iter().filter(|&at| own[at] > least) {
                let free = kept
                    .iter()
                    .all(|&other| overlap(corners(other), corners(at)) < threshold);
                if kept.len() < most && free {
                    kept.push(at);
                }
            }
            if threshold > 0.0 { kept } else { Vec::new() }
        })
        .collect();
    if &*args.str_or("output_format", "onnx")? == "onnx" {
        let rows: Vec<i64> = kept
            .iter()
            .enumerate()
            .flat_map(|(i, kept)| {
                kept.iter()
                    .flat_map(move |&at| [(i / classes) as i64, (i % classes) as i64, at as i64])
            })
            .collect();
        let total = rows.len() / 3;
        return Ok(Value::tuple([
            Tensor::from_vec(&[total, 3], rows)?.into(),
            Tensor::from_vec(&[1], vec![total as i64])?.into(),
        ]));
    }
    let width = classes * count;
    let (mut indices, mut best) = (vec![0i64; batch * width * 2], vec![0.0f32; batch * width]);
    let mut totals = vec![0i64; batch];
    for (i, kept) in kept.iter().enumerate() {
        let (b, class) = (i / classes, i % classes);
        for &at in kept {
            let to = b * width + totals[b] as usize;
            indices[to * 2] = class as i64;
            indices[to * 2 + 1] = at as i64;
            best[to] = values[i * count + at];
            totals[b] += 1;
        }
    }
    Ok(Value::tuple([
        Tensor::from_vec(&[batch, width, 2], indices)?.into(),
        Tensor::from_vec(&[batch, width], best)?.into(),
        Tensor::from_vec(&[batch], totals)?.into(),
    ]))
}
