//! Resizing images and sampling them on grids.

use super::window;
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor, show_shape};
use crate::value::Value;

/// The input positions that an output element reads along one axis, with their weights. `None` if it is outside when
/// cropping.
type Taps = Option<Vec<(usize, f32)>>;

struct Resize {
    method: String,
    mode: String,
    rounding: String,
    alpha: f32,
    exclude: bool,
}

impl Resize {
    /// Returns the taps of every output element along an axis.
    fn taps(&self, input: usize, output: usize, roi: (f32, f32)) -> RunResult<Vec<Taps>> {
        (0..output)
            .map(|o| self.tap(o, input, output, roi))
            .collect()
    }

    fn tap(&self, o: usize, input: usize, output: usize, roi: (f32, f32)) -> RunResult<Taps> {
        let (x, n, m) = (o as f32, input as f32, output as f32);
        let scale = n / m;
        let whole = self.method == "nearest_neighbor"
            && self.mode == "asymmetric"
            && matches!(&*self.rounding, "floor" | "")
            && output.is_multiple_of(input);
        let at = match &*self.mode {
            "half_pixel" => (x + 0.5) * scale - 0.5,
            "align_corners" => (n - 1.0) / (m - 1.0) * x,
            "asymmetric" if whole => (o / (output / input)) as f32,
            "asymmetric" => scale * x,
            "pytorch_half_pixel" if output > 1 => (x + 0.5) * scale - 0.5,
            "pytorch_half_pixel" => 0.0,
            "tf_half_pixel_for_nn" => (x + 0.5) * scale,
            "tf_crop_and_resize" if output > 1 => {
                roi.0 * (n - 1.0) + x * (roi.1 - roi.0) * (n - 1.0) / (m - 1.0)
            }
            "tf_crop_and_resize" => 0.5 * (roi.0 + roi.1) * (n - 1.0),
            other => {
                return Err(RunError::argument(format!(
                    "unknown coordinate transformation {other:?}"
                )));
            }
        };
        if self.mode == "tf_crop_and_resize" && (at < 0.0 || at > n - 1.0) {
            return Ok(None);
        }
        let clip = |i: i64| i.clamp(0, input as i64 - 1) as usize;
        let floor = at.floor();
        let base = floor as i64;
        let part = at - floor;
        Ok(Some(match &*self.method {
            "nearest_neighbor" => vec![(clip(self.nearest(at, whole)?), 1.0)],
            "linear" => vec![(clip(base), 1.0 - part), (clip(base + 1), part)],
            "cubic" => {
                let (a, t) = (self.alpha, part);
                let mut weights = [
                    a * (t * t * t - 2.0 * t * t + t),
                    (a + 2.0) * t * t * t - (3.0 + a) * t * t + 1.0,
                    -(a + 2.0) * t * t * t + (3.0 + 2.0 * a) * t * t - a * t,
                    -a * t * t * t + a * t * t,
                ];
                if self.exclude {
                    for (i, weight) in weights.iter_mut().enumerate() {
                        let i = i as i64;
                        if base - 1 + i < 0 || base + i > input as i64 {
                            *weight = 0.0;
                        }
                    }
                    let sum: f32 = weights.iter().sum();
                    for weight in &mut weights {
                        *weight /= sum;
                    }
                }
                (0..4)
                    .map(|i| (clip(base - 1 + i as i64), weights[i]))
                    .collect()
            }
            other => {
                return Err(RunError::argument(format!(
                    "{other:?} is not a resize method"
                )));
            }
        }))
    }

    fn nearest(&self, at: f32, whole: bool) -> RunResult<i64> {
        let rounding = match &*self.rounding {
            _ if whole => return Ok(at as i64),
            "" if self.mode == "align_corners" => "round",
            "" => "floor",
            other => other,
        };
        Ok(match rounding {
            "round" => at.round_ties_even(),
            "round_prefer_floor" => (at - 0.5).ceil(),
            "round_prefer_ceil" => (at + 0.5).floor(),
            // The margin avoids rounding errors for coordinates that should be integers.
            "floor" => (at + 1e-5).floor(),
            "ceil" => (at - 1e-5).ceil(),
            other => {
                return Err(RunError::argument(format!(
                    "{other:?} is not a rounding method"
                )));
            }
        } as i64)
    }
}

fn resize(args: &Args<'_>, spatial: usize) -> RunResult<Value> {
    let x = args.operand(0)?;
    let canonical = window::canonical("NC", spatial);
    let layout = args.str_or("layout", &canonical)?;
    let data = window::to_layout(&x, &layout, &canonical)?.cast(Kind::F32)?;
    let mut size = args.dims("size")?;
    if size.len() == 1 {
        size = vec![size[0]; spatial];
    }
    if size.len() != spatial || data.shape().contains(&0) {
        return Err(RunError::shape(format!(
            "size {size:?} does not fit the image"
        )));
    }
    let method = Resize {
        method: args.str_or("method", "linear")?.to_string(),
        mode: args
            .str_or("coordinate_transformation_mode", "half_pixel")?
            .to_string(),
        rounding: args
            .str_or("rounding_method", if spatial == 2 { "round" } else { "" })?
            .to_string(),
        alpha: args.float_or("cubic_alpha", -0.75)? as f32,
        exclude: args.int_or("cubic_exclude", 0)? != 0,
    };
    let roi = args.floats("roi")?.unwrap_or(vec![0.0; 2 * spatial]);
    let outside = args.float_or("extrapolation_value", 0.0)? as f32;
    let input = window::three(&data.shape()[2..], 1);
    let output = window::three(&size, 1);
    let mut taps = Vec::new();
    for axis in 0..3usize {
        taps.push(match axis.checked_sub(3 - spatial) {
            None => vec![Some(vec![(0, 1.0)])],
            Some(own) => {
                let bound = |i: usize| roi.get(i).copied().unwrap_or(0.0) as f32;
                method.taps(
                    input[axis],
                    output[axis],
                    (bound(own), bound(own + spatial)),
                )?
            }
        });
    }
    let mut shape = data.shape()[..2].to_vec();
    shape.extend_from_slice(&size);
    let (values, area) = (data.values::<f32>()?, input.iter().product::<usize>());
    let result = Tensor::generate::<f32>(&shape, |out| {
        map::in_rows(out, output[2], 16, |row, out| {
            let (plane, d, h) = (
                row / output[1] / output[0],
                row / output[1] % output[0],
                row % output[1],
            );
            let plane = &values[plane * area..(plane + 1) * area];
            for (slot, w) in out.iter_mut().zip(&taps[2]) {
                *slot = match (&taps[0][d], &taps[1][h], w) {
                    (Some(d), Some(h), Some(w)) => interpolate(plane, input, d, h, w),
                    _ => outside,
                };
            }
        });
        Ok(())
    })?;
    let kind = args.dtype("out_dtype")?.unwrap_or(x.kind());
    Ok(window::from_layout(&result.cast(kind)?, &layout, &canonical)?.into())
}

fn interpolate(
    plane: &[f32],
    [_, height, width]: [usize; 3],
    d: &[(usize, f32)],
    h: &[(usize, f32)],
    w: &[(usize, f32)],
) -> f32 {
    let mut sum = 0.0;
    for &(d, d_weight) in d {
        for &(h, h_weight) in h {
            let row = &plane[(d * height + h) * width..][..width];
            let line: f32 = w.iter().map(|&(w, weight)| row[w] * weight).sum();
            sum += line * h_weight * d_weight;
        }
    }
    sum
}

fn resize2d(args: &Args<'_>) -> RunResult<Value> {
    resize(args, 2)
}

fn resize3d(args: &Args<'_>) -> RunResult<Value> {
    resize(args, 3)
}

/// Returns the coordinates, in [-1, 1], to which an affine map sends each output element.
fn affine_grid(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let mut size = args.dims("size")?;
    if size.len() == 1 {
        size = vec![size[0]; 2];
    }
    let ndim = size.len();
    let &[batch, rows, columns] = x.shape() else {
        return Err(RunError::shape("the maps need three dimensions"));
    };
    if rows != ndim || columns != ndim + 1 {
        return Err(RunError::shape(format!(
            "maps of shape {} do not fit {ndim} dimensions",
            show_shape(x.shape())
        )));
    }
    let corners = args.bool_or("align_corners", true)?;
    let matrix = x.cast(Kind::F64)?;
    let matrix = matrix.values::<f64>()?;
    let mut shape = vec![batch, ndim];
    shape.extend_from_slice(&size);
    let area: usize = size.iter().product();
    let grid = Tensor::from_fn::<f64>(&shape, |i| {
        let (row, mut rest) = (&matrix[i / area * columns..], i % area);
        let mut value = row[ndim];
        for axis in (0..ndim).rev() {
            let (at, extent) = ((rest % size[axis]) as f64, size[axis] as f64);
            rest /= size[axis];
            let coordinate = if corners {
                -1.0 + at * ((2.0 - 1e-7) / (extent - 1.0))
            } else {
                -1.0 + 1.0 / extent + at * (2.0 / extent)
            };
            value += row[ndim - 1 - axis] * coordinate;
        }
        value
    })?;
    Ok(grid.cast(x.kind())?.into())
}

/// How `grid_sample` treats coordinates outside the image.
#[derive(Clone, Copy, PartialEq)]
enum Padding {
    Zeros,
    Border,
    Reflection,
}

fn reflect(x: f32, extent: f32, corners: bool) -> f32 {
    let (size, start) = if corners {
        (extent - 1.0, 0.0)
    } else {
        (extent, -0.5)
    };
    if x >= start && x <= size + start || size <= 0.0 {
        return x;
    }
    let distance = (start - x).abs();
    let times = (distance / size).trunc();
    let extra = distance - times * size;
    if times % 2.0 == 0.0 {
        extra + start
    } else {
        size - extra + start
    }
}

/// How a sample follows from the elements around its position.
#[derive(Clone, Copy)]
enum Sampling {
    Nearest,
    Bilinear,
    Bicubic,
}

/// Reads values between the elements of an image with the extents `dims`.
struct Sampler<'d> {
    dims: &'d [usize],
    sampling: Sampling,
    padding: Padding,
    corners: bool,
}

impl Sampler<'_> {
    fn clamp(&self, at: f32, axis: usize) -> f32 {
        let extent = self.dims[axis] as f32;
        let last = extent - 1.0;
        match self.padding {
            Padding::Zeros => at,
            Padding::Border => at.max(0.0).min(last),
            Padding::Reflection => reflect(at, extent, self.corners).max(0.0).min(last),
        }
    }

    /// Returns the position along an axis for a coordinate of the grid, which is from -1 to 1.
    fn position(&self, coordinate: f32, axis: usize) -> f32 {
        let extent = self.dims[axis] as f32;
        let at = if self.corners {
            (coordinate + 1.0) * (extent - 1.0) / 2.0
        } else {
            -0.5 + (coordinate + 1.0) * extent / 2.0
        };
        match self.sampling {
            Sampling::Bicubic => at,
            Sampling::Nearest | Sampling::Bilinear => self.clamp(at, axis),
        }
    }

    /// Returns an element of the image, or 0 outside of it.
    fn element(&self, image: &[f32], at: &[f32]) -> f32 {
        let mut place = 0;
        for (&at, &extent) in at.iter().zip(self.dims) {
            if !(at >= 0.0 && at < extent as f32) {
                return 0.0;
            }
            place = place * extent + at as usize;
        }
        image[place]
    }

    fn sample(&self, image: &[f32], at: &[f32]) -> f32 {
        match self.sampling {
            Sampling::Nearest => {
                let at: Vec<f32> = at.iter().map(|v| v.round_ties_even()).collect();
                self.element(image, &at)
            }
            Sampling::Bilinear => (0..1usize << at.len())
                .map(|corner| {
                    let mut weight = 1.0;
                    let corner: Vec<f32> = at
                        .iter()
                        .enumerate()
                        .map(|(axis, &at)| {
                            let high = corner >> axis & 1 == 1;
                            let part = at - at.floor();
                            weight *= if high { part } else { 1.0 - part };
                            at.floor() + f32::from(u8::from(high))
                        })
                        .collect();
                    self.element(image, &corner) * weight
                })
                .sum(),
            Sampling::Bicubic => (0..16)
                .map(|tap| {
                    let mut weight = 1.0;
                    let taps = [tap / 4, tap % 4];
                    let place: Vec<f32> = (0..2)
                        .map(|axis| {
                            let (floor, part) = (at[axis].floor(), at[axis] - at[axis].floor());
                            weight *= cubic(part + 1.0 - taps[axis] as f32);
                            let at = floor - 1.0 + taps[axis] as f32;
                            self.clamp(at, axis).trunc()
                        })
                        .collect();
                    self.element(image, &place) * weight
                })
                .sum(),
        }
    }
}

fn grid_sample(args: &Args<'_>) -> RunResult<Value> {
    let (x, grid) = (args.operand(0)?, args.operand(1)?);
    let spatial = x.ndim().saturating_sub(2);
    let fits = (spatial == 2 || spatial == 3)
        && grid.ndim() == x.ndim()
        && grid.shape()[0] == x.shape()[0]
        && grid.shape()[1] == spatial;
    if !fits {
        return Err(RunError::shape(format!(
            "a grid of shape {} does not sample {}",
            show_shape(grid.shape()),
            show_shape(x.shape())
        )));
    }
    let corners = args.bool_or("align_corners", false)?;
    let padding = match &*args.str_or("padding_mode", "zeros")? {
        "zeros" => Padding::Zeros,
        "border" => Padding::Border,
        "reflection" => Padding::Reflection,
        other => {
            return Err(RunError::argument(format!(
                "unknown padding mode {other:?}"
            )));
        }
    };
    let method = args.str_or("method", "bilinear")?;
    let sampling = match (&*method, spatial) {
        ("nearest", _) => Sampling::Nearest,
        ("bilinear", _) => Sampling::Bilinear,
        ("bicubic", 2) => Sampling::Bicubic,
        _ => {
            return Err(RunError::argument(format!(
                "{method:?} is not a supported sampling method"
            )));
        }
    };
    let (wide, points) = (x.cast(Kind::F32)?, grid.cast(Kind::F32)?);
    let (values, points) = (wide.values::<f32>()?, points.values::<f32>()?);
    let mut shape = x.shape()[..2].to_vec();
    shape.extend_from_slice(&grid.shape()[2..]);
    let sampler = Sampler {
        dims: &x.shape()[2..],
        sampling,
        padding,
        corners,
    };
    let area: usize = sampler.dims.iter().product();
    let out_area: usize = grid.shape()[2..].iter().product();
    let channels = x.shape()[1];
    let sample = |i: usize| -> f32 {
        let (plane, point) = (i / out_area, i % out_area);
        let batch = plane / channels;
        // The grid has the last axis first.
        let coordinate = |axis| points[(batch * spatial + spatial - 1 - axis) * out_area + point];
        let at = (0..spatial).map(|axis| sampler.position(coordinate(axis), axis));
        let at: Vec<f32> = at.collect();
        sampler.sample(&values[plane * area..(plane + 1) * area], &at)
    };
    let result = Tensor::generate::<f32>(&shape, |out| {
        map::in_parts(out, 64, |start, part| {
            for (i, slot) in part.iter_mut().enumerate() {
                *slot = sample(start + i);
            }
        });
        Ok(())
    })?;
    Ok(result.cast(x.kind())?.into())
}

/// The cubic convolution kernel with parameter -0.75.
fn cubic(distance: f32) -> f32 {
    const A: f32 = -0.75;
    let t = distance.abs();
    if t <= 1.0 {
        ((A + 2.0) * t - (A + 3.0)) * t * t + 1.0
    } else {
        ((A * t - 5.0 * A) * t + 8.0 * A) * t - 4.0 * A
    }
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.image.affine_grid", affine_grid),
    Kernel::new("relax.image.grid_sample", grid_sample),
    Kernel::new("relax.image.resize2d", resize2d),
    Kernel::new("relax.image.resize3d", resize3d),
];
