//! Crops regions of images to one size, and decodes boxes from anchors.

use crate::error::{RunError, RunResult};
use crate::kernels::softmax::soften;
use crate::kernels::{Args, map, window};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

/// Images, and regions `(batch index, left, top, right, bottom)` of them.
struct Regions {
    data: Tensor,
    rois: Vec<f32>,
    size: [usize; 2],
    scale: f32,
    layout: String,
    kind: Kind,
}

fn regions(args: &Args<'_>) -> RunResult<Regions> {
    let (x, rois) = (args.operand(0)?, args.operand(1)?);
    let layout = args.str_or("layout", "NCHW")?;
    let data = window::to_layout(&x, &layout, "NCHW")?.cast(Kind::F32)?;
    if rois.ndim() != 2 || rois.shape()[1] != 5 {
        return Err(RunError::shape("a region is five numbers"));
    }
    let size = args.dims("pooled_size")?;
    let size = match *size {
        [both] => [both, both],
        [h, w] => [h, w],
        _ => return Err(RunError::argument("pooled_size is one number or two")),
    };
    let rois = rois.cast(Kind::F32)?.values::<f32>()?.into_owned();
    for roi in rois.chunks_exact(5) {
        crate::kernels::gather::position(roi[0] as i64, data.shape()[0])?;
    }
    Ok(Regions {
        data,
        rois,
        size,
        scale: args.float_or("spatial_scale", 1.0)? as f32,
        layout: layout.to_string(),
        kind: x.kind(),
    })
}

impl Regions {
    /// Computes each element of each region's result from one channel of its image.
    fn pool(
        &self,
        f: impl Fn(&[f32], [usize; 2], &[f32], [usize; 2]) -> f32 + Sync + Send,
    ) -> RunResult<Value> {
        let &[batch, channels, height, width] = self.data.shape() else {
            return Err(RunError::shape("the images need four dimensions"));
        };
        let values = self.data.values::<f32>()?;
        let count = self.rois.len() / 5;
        let area = self.size[0] * self.size[1];
        let shape = [count, channels, self.size[0], self.size[1]];
        let result = Tensor::generate::<f32>(&shape, |out| {
            map::in_parts(out, 64, |start, part| {
                for (i, slot) in part.iter_mut().enumerate() {
                    let i = start + i;
                    let (bin, plane) = (i % area, i / area);
                    let roi = &self.rois[plane / channels * 5..][..5];
                    let image = (roi[0] as i64).rem_euclid(batch as i64) as usize;
                    let plane = (image * channels + plane % channels) * height * width;
                    let plane = &values[plane..plane + height * width];
                    let bin = [bin / self.size[1], bin % self.size[1]];
                    *slot = f(plane, [height, width], roi, bin);
                }
            });
            Ok(())
        })?;
        let result = result.cast(self.kind)?;
        Ok(window::from_layout(&result, &self.layout, "NCHW")?.into())
    }
}

pub(super) fn roi_align(args: &Args<'_>) -> RunResult<Value> {
    let r = regions(args)?;
    let ratio = args.int_or("sample_ratio", -1)?;
    let aligned = args.bool_or("aligned", false)?;
    let average = match &*args.str_or("mode", "avg")? {
        "avg" => true,
        "max" => false,
        other => return Err(RunError::argument(format!("unknown mode {other:?}"))),
    };
    let (size, scale) = (r.size, r.scale);
    r.pool(|plane, [height, width], roi, [ph, pw]| {
        let (top, left) = (roi[2] * scale, roi[1] * scale);
        let extent = |low: f32, high: f32| {
            if aligned {
                high - low
            } else {
                (high - low).max(1.0)
            }
        };
        let bin = [
            extent(top, roi[4] * scale) / size[0] as f32,
            extent(left, roi[3] * scale) / size[1] as f32,
        ];
        let samples = bin.map(|b| if ratio > 0 { ratio } else { b.ceil() as i64 });
        let (mut sum, mut best) = (0.0f32, f32::MIN);
        for h in 0..samples[0] {
            for w in 0..samples[1] {
                let at = |start: f32, p: usize, i: i64, axis: usize| {
                    start
                        + p as f32 * bin[axis]
                        + (i as f32 + 0.5) * bin[axis] / samples[axis] as f32
                };
                let value = bilinear(
                    plane,
                    [height, width],
                    at(top, ph, h, 0),
                    at(left, pw, w, 1),
                );
                sum += value / (samples[0] * samples[1]) as f32;
                best = best.max(value);
            }
        }
        if average { sum } else { best }
    })
}

/// Interpolates between four pixels. Returns zero more than one pixel outside.
fn bilinear(plane: &[f32], [height, width]: [usize; 2], y: f32, x: f32) -> f32 {
    if y < -1.0 || x < -1.0 || y > height as f32 || x > width as f32 || plane.is_empty() {
        return 0.0;
    }
    let (y, x) = (
        y.max(0.0).min(height as f32 - 1.0),
        x.max(0.0).min(width as f32 - 1.0),
    );
    let (y0, x0) = (y.floor() as usize, x.floor() as usize);
    let (y1, x1) = ((y0 + 1).min(height - 1), (x0 + 1).min(width - 1));
    let (dy, dx) = (y - y0 as f32, x - x0 as f32);
    let at = |y: usize, x: usize| plane[y * width + x];
    at(y0, x0) * (1.0 - dy) * (1.0 - dx)
        + at(y0, x1) * (1.0 - dy) * dx
        + at(y1, x0) * dy * (1.0 - dx)
        + at(y1, x1) * dy * dx
}

pub(super) fn roi_pool(args: &Args<'_>) -> RunResult<Value> {
    let r = regions(args)?;
    let (size, scale) = (r.size, r.scale);
    r.pool(|plane, [height, width], roi, [ph, pw]| {
        let round = |v: f32| (v * scale + 0.5).floor() as i64;
        let span = |start: i64, end: i64, p: usize, bins: usize, extent: usize| {
            let bin = (end - start + 1).max(1) as f32 / bins as f32;
            let low = (p as f32 * bin).floor() as i64 + start;
            let high = ((p + 1) as f32 * bin).ceil() as i64 + start;
            let clip = |v: i64| v.clamp(0, extent as i64) as usize;
            (clip(low), clip(high))
        };
        let (h_low, h_high) = span(round(roi[2]), round(roi[4]), ph, size[0], height);
        let (w_low, w_high) = span(round(roi[1]), round(roi[3]), pw, size[1], width);
        if h_low >= h_high || w_low >= w_high {
            return 0.0;
        }
        (h_low..h_high)
            .flat_map(|h| plane[h * width + w_low..h * width + w_high].iter())
            .fold(f32::NEG_INFINITY, |best, &v| best.max(v))
    })
}

/// Returns boxes computed from anchors and offsets, and the scores of the classes.
pub(super) fn multibox_transform_loc(args: &Args<'_>) -> RunResult<Value> {
    let (scores, offsets, anchors) = (args.operand(0)?, args.operand(1)?, args.operand(2)?);
    let &[batch, classes, count] = scores.shape() else {
        return Err(RunError::shape("the scores need three dimensions"));
    };
    if offsets.len() != batch * count * 4 || anchors.len() != count * 4 {
        return Err(RunError::shape("four offsets for each anchor are needed"));
    }
    let variances = args.floats("variances")?.unwrap_or(vec![1.0; 4]);
    let &[vx, vy, vw, vh] = &*variances else {
        return Err(RunError::argument("four variances are needed"));
    };
    let (clip, threshold) = (
        args.bool_or("clip", false)?,
        args.float_or("threshold", 0.0)? as f32,
    );
    let background = args.bool_or("keep_background", true)?;
    let kind = scores.kind();
    let (offsets, anchors) = (offsets.cast(Kind::F32)?, anchors.cast(Kind::F32)?);
    let (offsets, anchors) = (offsets.values::<f32>()?, anchors.values::<f32>()?);
    let boxes = Tensor::from_fn::<f32>(&[batch, count, 4], |i| {
        let (place, which) = (i / 4, i % 4);
        let (anchor, offset) = (&anchors[place % count * 4..], &offsets[place * 4..]);
        // Coordinates 0 and 2 are vertical, 1 and 3 horizontal; offsets are ordered x, y, w, h.
        let vertical = which % 2 == 0;
        let (low, high) = if vertical {
            (anchor[1], anchor[3])
        } else {
            (anchor[0], anchor[2])
        };
        let (shift, stretch) = if vertical {
            (offset[1] * vy as f32, offset[3] * vh as f32)
        } else {
            (offset[0] * vx as f32, offset[2] * vw as f32)
        };
        let center = shift * (high - low) + (low + high) * 0.5;
        let half = 0.5 * stretch.exp() * (high - low);
        let edge = if which < 2 {
            center - half
        } else {
            center + half
        };
        if clip { edge.clamp(0.0, 1.0) } else { edge }
    })?;
    let wide = scores.permuted(&[0, 2, 1])?.cast(Kind::F32)?;
    let lines = wide.values::<f32>()?;
    let soft = Tensor::generate::<f32>(&[batch, count, classes], |out| {
        map::in_rows(out, classes, 8, |i, out| {
            out.copy_from_slice(&lines[i * classes..(i + 1) * classes]);
            soften(out);
            for (class, score) in out.iter_mut().enumerate() {
                if *score < threshold || (class == 0 && !background) {
                    *score = 0.0;
                }
            }
        });
        Ok(())
    })?;
    let soft = soft.permuted(&[0, 2, 1])?.contiguous()?;
    Ok(Value::tuple([
        boxes.cast(kind)?.into(),
        soft.cast(kind)?.into(),
    ]))
}
