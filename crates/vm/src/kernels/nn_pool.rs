//! Pooling: maximum, average, adaptive average, in one to three dimensions.

use super::window::{self, Window};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor};
use crate::value::Value;

/// Returns float32 for half floats and `int64` for integers.
pub(super) fn pooling_kind(kind: Kind) -> Kind {
    match kind {
        Kind::F64 => Kind::F64,
        kind if kind.is_float() => Kind::F32,
        _ => Kind::I64,
    }
}

/// The data of a pooling operator, as three-dimensional planes.
pub(super) struct Planes {
    pub data: Tensor,
    pub input: [usize; 3],
    pub output: [usize; 3],
    pub window: Window,
    /// The part of `window.after` that `ceil_mode` added.
    pub offset: [usize; 3],
    layout: String,
    canonical: String,
    shape: Vec<usize>,
    kind: Kind,
}

/// Reads the data at `operand`, the window, and the extents of the result.
pub(super) fn planes(args: &Args<'_>, operand: usize, spatial: usize) -> RunResult<Planes> {
    let x = args.operand(operand)?;
    let canonical = window::canonical("NC", spatial);
    let layout = args.str_or("layout", &canonical)?;
    let data = window::to_layout(&x, &layout, &canonical)?;
    let dims = data.shape().to_vec();
    let pool = args
        .opt_ints("pool_size")?
        .filter(|size| !size.is_empty())
        .unwrap_or(vec![1]);
    let pool = if pool.len() == 1 {
        vec![pool[0]; spatial]
    } else {
        pool
    };
    let kernel = pool
        .iter()
        .map(|&k| usize::try_from(k).ok().filter(|&k| k > 0))
        .collect::<Option<Vec<_>>>()
        .filter(|kernel| kernel.len() == spatial)
        .ok_or_else(|| RunError::argument(format!("pool_size {pool:?} is out of range")))?;
    let mut window = Window::of(args, &kernel)?;
    let ceil = args.bool_or("ceil_mode", false)?;
    let input = window::three(&dims[2..], 1);
    let mut offset = [0; 3];
    if ceil {
        for (axis, offset) in offset.iter_mut().enumerate().skip(3 - spatial) {
            *offset = window.stride[axis] - 1;
            window.after[axis] += *offset;
        }
    }
    let mut output = window.output(input)?;
    if ceil {
        for axis in 3 - spatial..3 {
            // Drop a last window that would start in the padding.
            if (output[axis] - 1) * window.stride[axis] >= input[axis] + window.before[axis] {
                output[axis] -= 1;
            }
        }
    }
    let mut shape = dims[..2].to_vec();
    shape.extend_from_slice(&output[3 - spatial..]);
    let kind = x.kind();
    Ok(Planes {
        data: data.cast(pooling_kind(kind))?,
        input,
        output,
        window,
        offset,
        layout: layout.to_string(),
        canonical,
        shape,
        kind,
    })
}

/// Returns the taps `lo..hi` of output `o` that read inside the input.
pub(super) fn taps(p: &Planes, axis: usize, o: usize) -> (usize, usize) {
    let dilation = p.window.dilation[axis];
    let start = (o * p.window.stride[axis]) as isize - p.window.before[axis] as isize;
    let lo = if start < 0 {
        (start.unsigned_abs()).div_ceil(dilation)
    } else {
        0
    };
    let room = p.input[axis] as isize - start;
    let hi = if room <= 0 {
        0
    } else {
        (room as usize).div_ceil(dilation)
    };
    let hi = hi.min(p.window.kernel[axis]);
    (lo.min(hi), hi)
}

/// Returns the number of elements that an average divides by.
pub(super) fn divisor(p: &Planes, at: [usize; 3], include_pad: bool) -> usize {
    (0..3)
        .map(|axis| {
            if !include_pad {
                let (lo, hi) = taps(p, axis, at[axis]);
                return hi - lo;
            }
            let start = at[axis] * p.window.stride[axis];
            let end = start + p.window.reach(axis) - 1;
            let last =
                p.input[axis] + p.window.before[axis] + p.window.after[axis] - p.offset[axis] - 1;
            end.min(last).saturating_sub(start) / p.window.dilation[axis] + 1
        })
        .product()
}

fn slide<T: Element>(
    p: &Planes,
    initial: T,
    step: impl Fn(T, T) -> T + Sync + Send,
    finish: impl Fn(T, [usize; 3]) -> T + Sync + Send,
) -> RunResult<Tensor> {
    let values = p.data.values::<T>()?;
    let [_, in_h, in_w] = p.input;
    let [out_d, out_h, out_w] = p.output;
    let area: usize = p.input.iter().product();
    let taps_each: usize = p.window.kernel.iter().product();
    Tensor::generate::<T>(&p.shape, |out| {
        map::in_rows(out, out_w, taps_each, |row, out| {
            let (plane, d, h) = (row / out_h / out_d, row / out_h % out_d, row % out_h);
            let plane = &values[plane * area..(plane + 1) * area];
            let (d_lo, d_hi) = taps(p, 0, d);
            let (h_lo, h_hi) = taps(p, 1, h);
            for (w, slot) in out.iter_mut().enumerate() {
                let (w_lo, w_hi) = taps(p, 2, w);
                let mut sum = initial;
                for kd in d_lo..d_hi {
                    for kh in h_lo..h_hi {
                        let line =
                            (p.window.input(0, kd, d) * in_h + p.window.input(1, kh, h)) * in_w;
                        for kw in w_lo..w_hi {
                            sum = step(sum, plane[line + p.window.input(2, kw, w)]);
                        }
                    }
                }
                *slot = finish(sum, [d, h, w]);
            }
        });
        Ok(())
    })
}

fn placed(p: &Planes, result: &Tensor) -> RunResult<Value> {
    Ok(window::from_layout(&result.cast(p.kind)?, &p.layout, &p.canonical)?.into())
}

fn max_pool(args: &Args<'_>, spatial: usize) -> RunResult<Value> {
    let p = planes(args, 0, spatial)?;
    let result = match p.data.kind() {
        Kind::F64 => slide::<f64>(&p, f64::MIN, |a, b| if b > a { b } else { a }, |v, _| v)?,
        Kind::F32 => slide::<f32>(&p, f32::MIN, |a, b| if b > a { b } else { a }, |v, _| v)?,
        _ => slide::<i64>(&p, lowest(p.kind), i64::max, |v, _| v)?,
    };
    placed(&p, &result)
}

fn lowest(kind: Kind) -> i64 {
    match kind {
        Kind::I8 => i64::from(i8::MIN),
        Kind::I16 => i64::from(i16::MIN),
        Kind::I32 => i64::from(i32::MIN),
        Kind::I64 => i64::MIN,
        _ => 0,
    }
}

fn avg_pool(args: &Args<'_>, spatial: usize) -> RunResult<Value> {
    let p = planes(args, 0, spatial)?;
    let pad = args.bool_or("count_include_pad", spatial != 2)?;
    let count = |at: [usize; 3]| divisor(&p, at, pad).max(1);
    let result = match p.data.kind() {
        Kind::F64 => slide::<f64>(&p, 0.0, |a, b| a + b, |v, at| v / count(at) as f64)?,
        Kind::F32 => slide::<f32>(&p, 0.0, |a, b| a + b, |v, at| v / count(at) as f32)?,
        _ => slide::<i64>(&p, 0, i64::wrapping_add, |v, at| v / count(at) as i64)?,
    };
    placed(&p, &result)
}

/// Chooses windows so that the result has the requested extents.
fn adaptive_avg_pool(args: &Args<'_>, spatial: usize) -> RunResult<Value> {
    let x = args.operand(0)?;
    let canonical = window::canonical("NC", spatial);
    let layout = args.str_or("layout", &canonical)?;
    let data = window::to_layout(&x, &layout, &canonical)?;
    let dims = data.shape().to_vec();
    let input = window::three(&dims[2..], 1);
    let wanted = match args.opt_ints("output_size")? {
        None => dims[2..].to_vec(),
        Some(size) => {
            let size = if size.len() == 1 {
                vec![size[0]; spatial]
            } else {
                size
            };
            size.iter()
                .map(|&n| usize::try_from(n).ok().filter(|&n| n > 0))
                .collect::<Option<Vec<_>>>()
                .filter(|size| size.len() == spatial)
                .ok_or_else(|| {
                    RunError::argument(format!("output_size {size:?} is out of range"))
                })?
        }
    };
    let output = window::three(&wanted, 1);
    let mut shape = dims[..2].to_vec();
    shape.extend_from_slice(&wanted);
    let data = data.cast(Kind::F64)?;
    let values = data.values::<f64>()?;
    let area: usize = input.iter().product();
    let span = |axis: usize, o: usize| {
        (
            o * input[axis] / output[axis],
            ((o + 1) * input[axis]).div_ceil(output[axis]),
        )
    };
    let result = Tensor::generate::<f64>(&shape, |out| {
        map::in_parts(out, area.max(1), |start, part| {
            for (i, slot) in part.iter_mut().enumerate() {
                let i = start + i;
                let (w, h, d) = (
                    i % output[2],
                    i / output[2] % output[1],
                    i / output[2] / output[1] % output[0],
                );
                let plane = i / output[2] / output[1] / output[0] * area;
                let (ds, hs, ws) = (span(0, d), span(1, h), span(2, w));
                let mut sum = 0.0;
                for d in ds.0..ds.1 {
                    for h in hs.0..hs.1 {
                        let line = plane + (d * input[1] + h) * input[2];
                        sum += values[line + ws.0..line + ws.1].iter().sum::<f64>();
                    }
                }
                let count = (ds.1 - ds.0) * (hs.1 - hs.0) * (ws.1 - ws.0);
                *slot = sum / count as f64;
            }
        });
        Ok(())
    })?;
    Ok(window::from_layout(&result.cast(x.kind())?, &layout, &canonical)?.into())
}

macro_rules! by_dimension {
    ($($run:ident = $family:ident($spatial:literal);)+) => {
        $(fn $run(args: &Args<'_>) -> RunResult<Value> {
            $family(args, $spatial)
        })+
    };
}

by_dimension! {
    adaptive_avg_pool1d = adaptive_avg_pool(1);
    adaptive_avg_pool2d = adaptive_avg_pool(2);
    adaptive_avg_pool3d = adaptive_avg_pool(3);
    avg_pool1d = avg_pool(1);
    avg_pool2d = avg_pool(2);
    avg_pool3d = avg_pool(3);
    max_pool1d = max_pool(1);
    max_pool2d = max_pool(2);
    max_pool3d = max_pool(3);
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nn.adaptive_avg_pool1d", adaptive_avg_pool1d),
    Kernel::new("relax.nn.adaptive_avg_pool2d", adaptive_avg_pool2d),
    Kernel::new("relax.nn.adaptive_avg_pool3d", adaptive_avg_pool3d),
    Kernel::new("relax.nn.avg_pool1d", avg_pool1d),
    Kernel::new("relax.nn.avg_pool2d", avg_pool2d),
    Kernel::new("relax.nn.avg_pool3d", avg_pool3d),
    Kernel::new("relax.nn.max_pool1d", max_pool1d),
    Kernel::new("relax.nn.max_pool2d", max_pool2d),
    Kernel::new("relax.nn.max_pool3d", max_pool3d),
];
