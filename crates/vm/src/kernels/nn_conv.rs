//! Convolutions and transposed convolutions in one to three dimensions, computed with matrix products.

use ndarray::ArrayView2;

use super::gemm::{Product, add_scaled, dispatch_product, product_kind};
use super::window::{self, Window};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::parallel;
use crate::tensor::stop::Stop;
use crate::tensor::{Tensor, alloc};
use crate::value::Value;

/// The number of elements of unfolded input at a time.
const BLOCK: usize = 1 << 20;

#[derive(Clone, Copy)]
struct Geometry {
    /// The number of input channels of a group.
    channels: usize,
    /// The number of output channels of a group.
    filters: usize,
    groups: usize,
    input: [usize; 3],
    output: [usize; 3],
    window: Window,
}

impl Geometry {
    fn taps(&self) -> usize {
        self.window.kernel.iter().product()
    }

    fn input_area(&self) -> usize {
        self.input.iter().product()
    }

    fn output_area(&self) -> usize {
        self.output.iter().product()
    }

    /// Converts a tap number to its three indices.
    fn tap(&self, index: usize) -> [usize; 3] {
        let [_, h, w] = self.window.kernel;
        [index / (h * w), index / w % h, index % w]
    }
}

/// Copies the inputs that one tap reads for the output lines `lines` (numbers of `(d, h)`) of one channel.
fn unfold<T: Product>(
    g: &Geometry,
    plane: &[T],
    tap: [usize; 3],
    lines: std::ops::Range<usize>,
    out: &mut [T],
) {
    let [_, out_h, out_w] = g.output;
    let [in_d, in_h, in_w] = g.input;
    let (lo, hi) = g.window.valid(2, tap[2], in_w, out_w);
    let d_valid = g.window.valid(0, tap[0], in_d, g.output[0]);
    let h_valid = g.window.valid(1, tap[1], in_h, out_h);
    for (line, out) in lines.zip(out.chunks_exact_mut(out_w.max(1))) {
        let (d, h) = (line / out_h, line % out_h);
        let inside = (d_valid.0..d_valid.1).contains(&d) && (h_valid.0..h_valid.1).contains(&h);
        if !inside || lo >= hi {
            out.fill(T::default());
            continue;
        }
        let row = (g.window.input(0, tap[0], d) * in_h + g.window.input(1, tap[1], h)) * in_w;
        let first = row + g.window.input(2, tap[2], lo);
        out[..lo].fill(T::default());
        out[hi..].fill(T::default());
        let seen = &mut out[lo..hi];
        match g.window.stride[2] {
            1 => seen.copy_from_slice(&plane[first..first + seen.len()]),
            step => {
                for (slot, &value) in seen.iter_mut().zip(plane[first..].iter().step_by(step)) {
                    *slot = value;
                }
            }
        }
    }
}

/// Computes one group of one batch element. `out` is `(filters, area)`.
fn convolve<T: Product>(g: &Geometry, x: &[T], weight: &[T], out: &mut [T]) -> RunResult<()> {
    let (taps, area) = (g.taps(), g.output_area());
    let depth = g.channels * taps;
    if area == 0 || g.filters == 0 || depth == 0 {
        return Ok(());
    }
    let bad = |error: ndarray::ShapeError| RunError::shape(error.to_string());
    let weights = ArrayView2::from_shape((g.filters, depth), weight).map_err(bad)?;
    let pointwise = taps == 1
        && g.window.stride == [1; 3]
        && g.window.before == [0; 3]
        && g.window.after == [0; 3];
    if pointwise {
        let x = ArrayView2::from_shape((g.channels, area), x).map_err(bad)?;
        return T::product(weights, x, out);
    }
    // With few filters, add every tap to the result directly.
    if g.filters < 4 {
        let mut seen = alloc::zeroed::<T>(area)?;
        let lines = g.output[0] * g.output[1];
        for (row, filter) in out.chunks_exact_mut(area).zip(weight.chunks_exact(depth)) {
            Stop::of_thread().check()?;
            for (i, &w) in filter.iter().enumerate() {
                let plane = &x[i / taps * g.input_area()..(i / taps + 1) * g.input_area()];
                unfold(g, plane, g.tap(i % taps), 0..lines, &mut seen);
                add_scaled(row, w, &seen);
            }
        }
        return Ok(());
    }
    let width = g.output[2];
    let lines = g.output[0] * g.output[1];
    let per_block = (BLOCK / (depth * width).max(1)).clamp(1, lines.max(1));
    let mut columns = alloc::zeroed::<T>(depth * per_block * width)?;
    let mut result = alloc::zeroed::<T>(if per_block < lines {
        g.filters * per_block * width
    } else {
        0
    })?;
    let mut first = 0;
    while first < lines {
        let block = per_block.min(lines - first);
        let size = block * width;
        let columns = &mut columns[..depth * size];
        map::in_rows(columns, size, 1, |i, row| {
            let plane = &x[i / taps * g.input_area()..(i / taps + 1) * g.input_area()];
            unfold(g, plane, g.tap(i % taps), first..first + block, row);
        });
        let view = ArrayView2::from_shape((depth, size), &*columns).map_err(bad)?;
        if block == lines {
            T::product(weights, view, out)?;
        } else {
            let result = &mut result[..g.filters * size];
            T::product(weights, view, result)?;
            for (row, part) in out.chunks_exact_mut(area).zip(result.chunks_exact(size)) {
                row[first * width..first * width + size].copy_from_slice(part);
            }
        }
        first += block;
    }
    Ok(())
}

/// Computes the transposed convolution of one group of one batch element. `out` starts as zeros.
fn spread<T: Product>(g: &Geometry, x: &[T], weight: &[T], out: &mut [T]) -> RunResult<()> {
    // The geometry describes the convolution whose gradient this is, so its output is our input.
    let (taps, area) = (g.taps(), g.output_area());
    let depth = g.filters * taps;
    if area == 0 || depth == 0 || g.channels == 0 || out.is_empty() {
        return Ok(());
    }
    let bad = |error: ndarray::ShapeError| RunError::shape(error.to_string());
    let weights = ArrayView2::from_shape((g.channels, depth), weight).map_err(bad)?;
    let x = ArrayView2::from_shape((g.channels, area), x).map_err(bad)?;
    let mut columns = alloc::zeroed::<T>(depth * area)?;
    T::product(weights.t(), x, &mut columns)?;
    let [_, out_h, out_w] = g.output;
    let [in_d, in_h, in_w] = g.input;
    map::in_rows(out, g.input_area(), taps, |filter, plane| {
        for t in 0..taps {
            let tap = g.tap(t);
            let (w_lo, w_hi) = g.window.valid(2, tap[2], in_w, out_w);
            let (h_lo, h_hi) = g.window.valid(1, tap[1], in_h, out_h);
            let (d_lo, d_hi) = g.window.valid(0, tap[0], in_d, g.output[0]);
            let seen = &columns[(filter * taps + t) * area..(filter * taps + t + 1) * area];
            for d in d_lo..d_hi {
                for h in h_lo..h_hi {
                    let row =
                        (g.window.input(0, tap[0], d) * in_h + g.window.input(1, tap[1], h)) * in_w;
                    let line = &seen[(d * out_h + h) * out_w..];
                    for (w, &value) in line.iter().enumerate().take(w_hi).skip(w_lo) {
                        let at = row + g.window.input(2, tap[2], w);
                        plane[at] = T::sum_of(plane[at], value);
                    }
                }
            }
        }
    });
    Ok(())
}

struct Operands {
    data: Tensor,
    weight: Tensor,
    out_layout: String,
    layout: String,
}

fn operands(args: &Args<'_>, spatial: usize, filter_prefix: &str) -> RunResult<Operands> {
    let layout = window::canonical("NC", spatial);
    let filter = window::canonical(filter_prefix, spatial);
    let data_layout = args.str_or("data_layout", &layout)?;
    let kernel_layout = args.str_or("kernel_layout", &filter)?;
    let out_layout = args.str_or("out_layout", &data_layout)?;
    let out_layout = if out_layout.is_empty() {
        data_layout.clone()
    } else {
        out_layout
    };
    Ok(Operands {
        data: window::to_layout(&args.operand(0)?, &data_layout, &layout)?,
        weight: window::to_layout(&args.operand(1)?, &kernel_layout, &filter)?,
        out_layout: out_layout.to_string(),
        layout,
    })
}

fn group_count(args: &Args<'_>) -> RunResult<usize> {
    usize::try_from(args.int_or("groups", 1)?)
        .ok()
        .filter(|&groups| groups > 0)
        .ok_or_else(|| RunError::argument("groups must be positive"))
}

fn channel_error(channels: usize, filters: usize, groups: usize) -> RunError {
    RunError::shape(format!(
        "{channels} channels in {groups} groups do not fit filters of {filters} channels"
    ))
}

fn conv(args: &Args<'_>, spatial: usize) -> RunResult<Value> {
    let o = operands(args, spatial, "OI")?;
    let groups = group_count(args)?;
    let (dims, filter) = (o.data.shape().to_vec(), o.weight.shape().to_vec());
    if dims[1] != filter[1] * groups || !filter[0].is_multiple_of(groups) {
        return Err(channel_error(dims[1], filter[1], groups));
    }
    let window = Window::of(args, &filter[2..])?;
    let input = window::three(&dims[2..], 1);
    let g = Geometry {
        channels: filter[1],
        filters: filter[0] / groups,
        groups,
        input,
        output: window.output(input)?,
        window,
    };
    let mut shape = vec![dims[0], filter[0]];
    shape.extend_from_slice(&g.output[3 - spatial..]);
    run(args, &o, &g, &shape, Direction::Forward)
}

fn conv_transpose(args: &Args<'_>, spatial: usize) -> RunResult<Value> {
    let o = operands(args, spatial, "IO")?;
    let groups = group_count(args)?;
    let (dims, filter) = (o.data.shape().to_vec(), o.weight.shape().to_vec());
    if dims[1] != filter[0] || !dims[1].is_multiple_of(groups) {
        return Err(channel_error(dims[1], filter[0], groups));
    }
    let window = Window::of(args, &filter[2..])?;
    let extra = match args.opt_ints("output_padding")? {
        None => vec![0; spatial],
        Some(extra) if extra.len() == 1 => vec![extra[0]; spatial],
        Some(extra) => extra,
    };
    let extra: Vec<usize> = extra.iter().map(|&e| e.max(0) as usize).collect();
    let extra = window::three(&extra, 0);
    let source = window::three(&dims[2..], 1);
    let mut result = [0; 3];
    for axis in 0..3 {
        let full =
            source[axis].saturating_sub(1) * window.stride[axis] + window.reach(axis) + extra[axis];
        result[axis] = full
            .checked_sub(window.before[axis] + window.after[axis])
            .ok_or_else(|| RunError::shape("the padding is larger than the result"))?;
    }
    let g = Geometry {
        channels: dims[1] / groups,
        filters: filter[1],
        groups,
        input: result,
        output: source,
        window,
    };
    let mut shape = vec![dims[0], filter[1] * groups];
    shape.extend_from_slice(&result[3 - spatial..]);
    run(args, &o, &g, &shape, Direction::Transposed)
}

#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Transposed,
}

/// Runs `compute` on every group of every batch element.
fn run(
    args: &Args<'_>,
    o: &Operands,
    g: &Geometry,
    shape: &[usize],
    direction: Direction,
) -> RunResult<Value> {
    let kind = args.dtype("out_dtype")?.unwrap_or(o.data.kind());
    let compute = product_kind(kind);
    let (data, weight) = (o.data.cast(compute)?, o.weight.cast(compute)?);
    let result =
        dispatch_product!(compute, T => groups_of::<T>(g, &data, &weight, shape, direction))?;
    let result = result.cast(kind)?;
    Ok(window::from_layout(&result, &o.out_layout, &o.layout)?.into())
}

fn groups_of<T: Product>(
    g: &Geometry,
    data: &Tensor,
    weight: &Tensor,
    shape: &[usize],
    direction: Direction,
) -> RunResult<Tensor> {
    let (x, w) = (data.values::<T>()?, weight.values::<T>()?);
    let (area, data_area) = match direction {
        Direction::Forward => (g.output_area(), g.input_area()),
        Direction::Transposed => (g.input_area(), g.output_area()),
    };
    Tensor::generate::<T>(shape, |out| {
        let (size, data_size) = (g.filters * area, g.channels * data_area);
        if out.is_empty() || size == 0 {
            return Ok(());
        }
        let filter_size = w.len() / g.groups;
        parallel::in_blocks(out, size, |i, out| {
            let x = &x[i * data_size..(i + 1) * data_size];
            let w = &w[i % g.groups * filter_size..][..filter_size];
            match direction {
                Direction::Forward => convolve(g, x, w, out),
                Direction::Transposed => spread(g, x, w, out),
            }
        })
    })
}

fn conv1d(args: &Args<'_>) -> RunResult<Value> {
    conv(args, 1)
}

fn conv2d(args: &Args<'_>) -> RunResult<Value> {
    conv(args, 2)
}

fn conv3d(args: &Args<'_>) -> RunResult<Value> {
    conv(args, 3)
}

fn conv1d_transpose(args: &Args<'_>) -> RunResult<Value> {
    conv_transpose(args, 1)
}

fn conv2d_transpose(args: &Args<'_>) -> RunResult<Value> {
    conv_transpose(args, 2)
}

fn conv3d_transpose(args: &Args<'_>) -> RunResult<Value> {
    conv_transpose(args, 3)
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nn.conv1d", conv1d),
    Kernel::new("relax.nn.conv1d_transpose", conv1d_transpose),
    Kernel::new("relax.nn.conv2d", conv2d),
    Kernel::new("relax.nn.conv2d_transpose", conv2d_transpose),
    Kernel::new("relax.nn.conv3d", conv3d),
    Kernel::new("relax.nn.conv3d_transpose", conv3d_transpose),
];
