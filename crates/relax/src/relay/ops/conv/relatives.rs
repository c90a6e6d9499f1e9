//! Operators related to convolutions: gradients of kernels, deformable windows, correlation, and kernels that are
//! prepared for an algorithm.

use super::window::{both_ends, window};
use super::{Answer, Dim, Layout, Mistake, Site, Stop, convert, dimensions};
use crate::diagnostics::Code;
use crate::relay::types::{Tensor, Type};

/// The three layouts are those of the gradient, of the data and of the kernel.
pub(super) fn backward_weight(site: &Site<'_>) -> Result<Answer, Stop> {
    let (grad, data) = (site.tensor(0)?, site.tensor(1)?);
    let parse = |text| Layout::parse(text).map_err(|_| Stop::Unknown);
    let (home, kernel_home) = (parse("NCHW")?, parse("OIHW")?);
    let in_home = |tensor: &Tensor, at: usize, name: &'static str| {
        let layout = site.layout(name)?;
        match convert(&tensor.shape, &layout, &home) {
            Some(shape) => Ok(shape),
            None => site.wrong_rank(at, &dimensions(layout.ndim() as i64)),
        }
    };
    let outputs = in_home(grad, 0, "data_layout")?;
    let inputs = in_home(data, 1, "kernel_layout")?;
    let groups = site.int("groups")?.max(1);
    let size = site.opt_dims("kernel_size")?.ok_or(Stop::Unknown)?;
    let is_depthwise = inputs[1].is(groups) && outputs[1].is(groups);
    let per_group = if is_depthwise {
        site.opt_int("channels")?
            .map_or(Dim::Any, |it| Dim::Int(it / groups))
    } else {
        inputs[1].map(|it| it.checked_div(groups))
    };
    let mut shape = vec![outputs[1].clone(), per_group];
    shape.extend(size);
    let layout = site.layout("out_layout")?;
    let shape = convert(&shape, &kernel_home, &layout).ok_or(Stop::Unknown)?;
    Answer::tensor(shape, site.dtype("out_dtype")?.unwrap_or(grad.dtype))
}

pub(super) fn deformable(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let w = window(site, "NCHW", "OIHW")?;
    let per_group = w.data[1].map(|it| it.checked_div(w.groups));
    let (channels, size, expected) = match (&w.channels, &w.kernel_size) {
        (Some(channels), Some(size)) => {
            let mut shape = vec![channels.clone(), per_group];
            shape.extend_from_slice(size);
            let wanted = convert(&shape, &w.kernel_home, &w.kernel).ok_or(Stop::Unknown)?;
            (channels.clone(), size.clone(), Some(wanted))
        }
        _ => {
            let kernel = site.tensor(2)?;
            let Some(known) = convert(&kernel.shape, &w.kernel, &w.kernel_home) else {
                return site.wrong_rank(2, &dimensions(w.kernel.ndim() as i64));
            };
            if per_group.differs(&known[1]) {
                return Mistake::new(
                    Code::ShapeMismatch,
                    format!(
                        "the data has {} channels in {} group(s), so the kernel has to take {per_group}; it takes {}",
                        w.data[1], w.groups, known[1]
                    ),
                )
                .of([0, 2])
                .between(per_group, &known[1])
                .stop();
            }
            (known[0].clone(), known[2..].to_vec(), None)
        }
    };
    let mut out = vec![w.data[0].clone(), channels];
    for (at, extent) in w.data[2..].iter().enumerate() {
        let (padding, stride, dilation) = (w.padding[at], w.strides[at], w.dilation[at]);
        out.push(extent.with(&size[at], |extent, size| {
            let reach = (size - 1).checked_mul(dilation)?.checked_add(1)?;
            let room = extent + padding - reach;
            room.checked_div_euclid(stride)?.checked_add(1)
        }));
    }
    let shape = convert(&out, &w.home, &w.out).ok_or(Stop::Unknown)?;
    let answer = Answer::tensor(shape, site.dtype("out_dtype")?.unwrap_or(data.dtype))?;
    Ok(match expected {
        Some(shape) => answer.expecting(2, Type::tensor(shape, data.dtype)),
        None => answer,
    })
}

pub(super) fn correlation(site: &Site<'_>) -> Result<Answer, Stop> {
    let (one, other) = (site.of_rank(0, 4)?, site.of_rank(1, 4)?);
    if site.str("layout")? != "NCHW" {
        return site.wrong_value("layout", "has to be NCHW".into());
    }
    let reach = site.int("max_displacement")?;
    let (stride, step) = (site.int("stride1")?, site.int("stride2")?);
    if stride < 1 {
        return site.wrong_value("stride1", "has to be at least 1".into());
    }
    if step < 1 {
        return site.wrong_value("stride2", "has to be at least 1".into());
    }
    let size = site.int("kernel_size")?;
    for (name, value) in [
        ("max_displacement", reach),
        ("kernel_size", size),
        ("stride1", stride),
        ("stride2", step),
    ] {
        if i32::try_from(value).is_err() {
            return site.wrong_value(name, "has to be an integer of 32 bits".into());
        }
    }
    let padding = both_ends(site, 2)?;
    let border = reach + (size - 1) / 2;
    let extent = |dim: &Dim, padding: i64| {
        dim.map(|it| {
            let room = it.checked_add(padding)?.checked_sub(2 * border)?;
            room.checked_add(stride - 1)?.checked_div(stride)
        })
    };
    let side = 2 * (reach / step) + 1;
    let shape = [
        one.shape[0].clone(),
        Dim::Int(side.saturating_mul(side)),
        extent(&one.shape[2], padding[0]),
        extent(&other.shape[3], padding[1]),
    ];
    Answer::tensor(shape, one.dtype)
}

/// A kernel for Winograd's algorithm: its spatial axes first, as large as the tiles that it computes.
pub(super) fn winograd_weight(site: &Site<'_>) -> Result<Answer, Stop> {
    let spatial = site.tensor(0)?.rank().saturating_sub(2);
    let weight = match spatial {
        3 => site.of_rank(0, 5)?,
        _ => site.of_rank(0, 4)?,
    };
    let tile = site.int("tile_size")?;
    let grown = |dim: &Dim| dim.map(|it| (it - 1).checked_add(tile));
    let dims = &weight.shape[2..];
    let mut shape: Vec<Dim> = match dims {
        // A depth that is too small or too large for the algorithm stays as it is.
        [depth, height, width] if !depth.as_int().is_some_and(|it| (3..8).contains(&it)) => {
            if depth.as_int().is_none() {
                return Err(Stop::Unknown);
            }
            vec![grown(height), grown(width), depth.clone()]
        }
        dims => dims.iter().map(grown).collect(),
    };
    shape.extend_from_slice(&weight.shape[..2]);
    Answer::tensor(shape, weight.dtype)
}

pub(super) fn nnpack_weight(site: &Site<'_>) -> Result<Answer, Stop> {
    let weight = site.of_rank(0, 4)?;
    let mut shape = weight.shape[..2].to_vec();
    shape.extend([Dim::Int(8), Dim::Int(8)]);
    Answer::tensor(shape, site.dtype("out_dtype")?.unwrap_or(weight.dtype))
}

/// A kernel as blocks of a matrix, padded to whole blocks.
pub(super) fn gemm_weight(site: &Site<'_>) -> Result<Answer, Stop> {
    let weight = site.of_rank(0, 4)?;
    let (columns, rows) = (site.int("tile_N")?, site.int("tile_K")?);
    for (name, tile) in [("tile_N", columns), ("tile_K", rows)] {
        if !(1..=4096).contains(&tile) {
            return site.wrong_value(name, format!("{tile} is out of range"));
        }
    }
    let inputs = (weight.shape[0].with(&weight.shape[1], i64::checked_mul))
        .with(&weight.shape[2], i64::checked_mul);
    let blocks = |dim: &Dim, whole: i64, tile: i64| {
        dim.map(|it| {
            (it - 1)
                .div_euclid(whole)
                .checked_add(1)?
                .checked_mul(whole / tile)
        })
    };
    let (across, down) = (
        blocks(&weight.shape[3], columns, columns),
        blocks(&inputs, 4 * rows, rows),
    );
    let block = if weight.dtype.is_int() && weight.dtype.bits == 8 {
        [Dim::Int(columns), Dim::Int(rows)]
    } else {
        [Dim::Int(rows), Dim::Int(columns)]
    };
    let shape: Vec<Dim> = [across, down].into_iter().chain(block).collect();
    Answer::tensor(shape, weight.dtype)
}
