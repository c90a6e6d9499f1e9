//! Convolutions of one, two and three spatial dimensions, and their transposes.

mod relatives;
mod window;

use super::{Op, op};
use crate::diagnostics::Code;
use crate::ops::layout::Layout;
use crate::relay::site::{Answer, Mistake, Site, Stop, convert, dimensions};
use crate::relay::types::{Dim, Tensor, Type};
pub(super) use window::both_ends;
use window::{Window, window};

const CONV1D: &str = "strides: ints = [1], padding: ints = [0, 0], dilation: ints = [1], groups: int = 1, channels: int = None, kernel_size: ints = None, data_layout: str = \"NCW\", kernel_layout: str = \"OIW\", out_layout: str = \"\", out_dtype: dtype = void";
pub(super) const CONV2D: &str = "strides: ints = [1, 1], padding: ints = [0, 0], dilation: ints = [1, 1], groups: int = 1, channels: int = None, kernel_size: ints = None, data_layout: str = \"NCHW\", kernel_layout: str = \"OIHW\", out_layout: str = \"\", out_dtype: dtype = void";
const CONV3D: &str = "strides: ints = [1, 1, 1], padding: ints = [0, 0, 0], dilation: ints = [1, 1, 1], groups: int = 1, channels: int = None, kernel_size: ints = None, data_layout: str = \"NCDHW\", kernel_layout: str = \"OIDHW\", out_layout: str = \"\", out_dtype: dtype = void";
const CONV1D_TRANSPOSE: &str = "channels: int = None, kernel_size: ints = None, strides: ints = [1], output_padding: ints = [0], padding: ints = [0], dilation: ints = [1], groups: int = 1, data_layout: str = \"NCW\", kernel_layout: str = \"IOW\", out_layout: str = \"\", out_dtype: dtype = void";
pub(super) const CONV2D_TRANSPOSE: &str = "channels: int = None, kernel_size: ints = None, strides: ints = [1, 1], output_padding: ints = [0, 0], padding: ints = [0, 0], dilation: ints = [1, 1], groups: int = 1, data_layout: str = \"NCHW\", kernel_layout: str = \"IOHW\", out_layout: str = \"\", out_dtype: dtype = void";
const CONV3D_TRANSPOSE: &str = "channels: int = None, kernel_size: ints = None, strides: ints = [1, 1, 1], output_padding: ints = [0, 0, 0], padding: ints = [0, 0, 0], dilation: ints = [1, 1, 1], groups: int = 1, data_layout: str = \"NCDHW\", kernel_layout: str = \"IODHW\", out_layout: str = \"\", out_dtype: dtype = void";
const DEFORMABLE: &str = "strides: ints = [1, 1], padding: ints = [0, 0], dilation: ints = [1, 1], deformable_groups: int = 1, groups: int = 1, channels: int = None, kernel_size: ints = None, data_layout: str = \"NCHW\", kernel_layout: str = \"OIHW\", out_layout: str = \"\", out_dtype: dtype = void";
const WINOGRAD: &str = "tile_size: int, strides: ints = [1, 1], padding: ints = [0, 0], dilation: ints = [1, 1], groups: int = 1, channels: int = None, kernel_size: ints = None, data_layout: str = \"NCHW\", kernel_layout: str = \"OIHW\", out_layout: str = \"\", out_dtype: dtype = void";
const WINOGRAD_3D: &str = "tile_size: int, strides: ints = [1, 1, 1], padding: ints = [0, 0, 0], dilation: ints = [1, 1, 1], groups: int = 1, channels: int = None, kernel_size: ints = None, data_layout: str = \"NCDHW\", kernel_layout: str = \"OIDHW\", out_layout: str = \"\", out_dtype: dtype = void";
const BINARY: &str = "strides: ints = [1, 1], padding: ints = [0, 0], kernel_size: ints = [3, 3], channels: int = None, activation_bits: int = 1, weight_bits: int = 1, data_layout: str = \"NCHW\", kernel_layout: str = \"OIHW\", pack_dtype: dtype = void, out_dtype: dtype = void, unipolar: bool = true";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("nn.conv1d", "data weight", CONV1D, |site| conv(site, "NCW", "OIW")),
    op("nn.conv2d", "data weight", CONV2D, conv2d),
    op("nn.conv3d", "data weight", CONV3D, |site| conv(site, "NCDHW", "OIDHW")),
    op("nn.contrib_depthwise_conv2d_NCHWc", "data weight", CONV2D, given_kernel),
    op("nn.contrib_conv2d_NCHWc", "data weight", CONV2D, given_kernel),
    op("nn.contrib_conv2d_gemm_without_weight_transform", "data weight", CONV2D, given_kernel),
    op("nn.contrib_conv2d_winograd_without_weight_transform", "data weight", WINOGRAD, given_kernel),
    op("nn.contrib_conv3d_winograd_without_weight_transform", "data weight", WINOGRAD_3D, |site| packed_kernel(site, "NCDHW")),
    op("nn.contrib_conv2d_winograd_weight_transform", "weight", "tile_size: int", relatives::winograd_weight),
    op("nn.contrib_conv3d_winograd_weight_transform", "weight", "tile_size: int", relatives::winograd_weight),
    op("nn.contrib_conv2d_winograd_nnpack_weight_transform", "weight", "convolution_algorithm: int, out_dtype: dtype = void", relatives::nnpack_weight),
    op("nn.contrib_conv2d_gemm_weight_transform", "weights", "tile_N: int, tile_K: int", relatives::gemm_weight),
    op("nn.conv1d_transpose", "data weight", CONV1D_TRANSPOSE, |site| transposed(site, "NCW", "IOW")),
    op("nn.conv2d_transpose", "data weight", CONV2D_TRANSPOSE, conv2d_transpose),
    op("nn.conv3d_transpose", "data weight", CONV3D_TRANSPOSE, |site| transposed(site, "NCDHW", "IODHW")),
    op("nn.conv2d_backward_weight", "grad data", CONV2D, relatives::backward_weight),
    op("nn.deformable_conv2d", "data offset weight", DEFORMABLE, relatives::deformable),
    op("nn.bitserial_conv2d", "data weight", BINARY, given_kernel),
    op("nn.correlation", "data1 data2", "kernel_size: int = 1, max_displacement: int = 1, stride1: int = 1, stride2: int = 1, padding: ints = [0, 0], is_multiply: bool = true, layout: str = \"NCHW\"", relatives::correlation),
];

pub(super) fn conv2d(site: &Site<'_>) -> Result<Answer, Stop> {
    // oneDNN's kernels of grouped convolutions have an axis for the group.
    let is_grouped = site.int("groups")? > 1 && site.str("kernel_layout")?.contains('G');
    conv(site, "NCHW", if is_grouped { "GOIHW" } else { "OIHW" })
}

pub(super) fn conv2d_transpose(site: &Site<'_>) -> Result<Answer, Stop> {
    let is_grouped = site.int("groups")? > 1 && site.str("kernel_layout")?.contains('G');
    transposed(site, "NCHW", if is_grouped { "GIOHW" } else { "IOHW" })
}

pub(super) fn conv(site: &Site<'_>, home: &str, kernel_home: &str) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let w = window(site, home, kernel_home)?;
    let weight = weight(site)?;
    let grouped = w.kernel_home.position('G').is_some();
    let in_channels = &w.data[1];
    let per_group = in_channels.map(|it| it.checked_div(w.groups));
    let known = match weight {
        Some(weight) => convert(&weight.shape, &w.kernel, &w.kernel_home),
        None => None,
    };
    let (channels, kernel, expected) = match (&w.channels, &w.kernel_size) {
        (Some(channels), Some(size)) => {
            let is_depthwise = w.groups > 1
                && in_channels.is(w.groups)
                && known.as_ref().is_some_and(|it| it[0].is(w.groups));
            let mut shape = if grouped {
                let of_group = channels.map(|it| it.checked_div(w.groups));
                vec![Dim::Int(w.groups), of_group, per_group]
            } else if is_depthwise {
                let multiplier = channels.with(in_channels, i64::checked_div);
                vec![in_channels.clone(), multiplier]
            } else {
                vec![channels.clone(), per_group]
            };
            shape.extend_from_slice(size);
            let wanted = convert(&shape, &w.kernel_home, &w.kernel);
            (channels.clone(), size.clone(), wanted)
        }
        _ => {
            let Some(weight) = weight else {
                return Err(Stop::Wait);
            };
            let Some(known) = known else {
                return site.wrong_rank(1, &dimensions(w.kernel.ndim() as i64));
            };
            let first = known.len() - w.strides.len();
            agrees(site, weight, &w, &known, first)?;
            if grouped {
                return Err(Stop::Unknown);
            }
            if per_group.differs(&known[1]) {
                return Mistake::new(
                    Code::ShapeMismatch,
                    format!(
                        "the data has {in_channels} channels in {} group(s), so the kernel has to take {per_group}; it takes {}",
                        w.groups, known[1]
                    ),
                )
                .of([0, 1])
                .between(per_group, &known[1])
                .stop();
            }
            (known[0].clone(), known[first..].to_vec(), None)
        }
    };
    let mut out = vec![w.data[0].clone(), channels];
    for (at, extent) in w.data[2..].iter().enumerate() {
        let reach = kernel[at].map(|it| (it - 1).checked_mul(w.dilation[at])?.checked_add(1));
        let (padding, stride) = (w.padding[at], w.strides[at]);
        out.push(extent.with(&reach, |extent, reach| {
            (extent + padding - reach).div_euclid(stride).checked_add(1)
        }));
    }
    finish(site, data, &w, out, expected, weight)
}

/// Returns the kernel, if it is known.
fn weight<'a>(site: &Site<'a>) -> Result<Option<&'a Tensor>, Stop> {
    match site.types.get(1) {
        Some(Type::Hole(_)) => Ok(None),
        _ => site.tensor(1).map(Some),
    }
}

/// Checks that the kernel matches the attributes.
fn agrees(
    site: &Site<'_>,
    weight: &Tensor,
    w: &Window,
    known: &[Dim],
    first: usize,
) -> Result<(), Stop> {
    let wrong = |name: &'static str, said: &Dim, is: &Dim| {
        Mistake::new(
            Code::ShapeMismatch,
            format!(
                "`{name}` of `{}` says {said}, the kernel {weight} has {is}",
                site.name()
            ),
        )
        .of([1])
        .attr(name)
        .between(said, is)
        .stop()
    };
    if let Some(size) = &w.kernel_size {
        for (said, is) in size.iter().zip(&known[first..]) {
            if said.differs(is) {
                return wrong("kernel_size", said, is);
            }
        }
    }
    match &w.channels {
        Some(said) if w.kernel_home.position('O') == Some(0) && said.differs(&known[0]) => {
            wrong("channels", said, &known[0])
        }
        _ => Ok(()),
    }
}

fn finish(
    site: &Site<'_>,
    data: &Tensor,
    w: &Window,
    out: Vec<Dim>,
    expected: Option<Vec<Dim>>,
    weight: Option<&Tensor>,
) -> Result<Answer, Stop> {
    let shape = convert(&out, &w.home, &w.out).ok_or(Stop::Unknown)?;
    let dtype = site.dtype("out_dtype")?.unwrap_or(data.dtype);
    let answer = Answer::tensor(shape, dtype)?;
    Ok(match expected {
        Some(shape) => {
            let dtype = weight.map_or(data.dtype, |it| it.dtype);
            answer.expecting(1, Type::tensor(shape, dtype))
        }
        None => answer,
    })
}

pub(super) fn transposed(site: &Site<'_>, home: &str, kernel_home: &str) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let w = window(site, home, kernel_home)?;
    let weight = weight(site)?;
    let grouped = w.kernel_home.position('G').is_some();
    let output_padding = site.ints("output_padding")?;
    if output_padding.len() < w.strides.len() {
        return site.wrong_value("output_padding", "has too few values".into());
    }
    let in_channels = &w.data[1];
    let (channels, kernel, expected) = match (&w.channels, &w.kernel_size) {
        (Some(channels), Some(size)) => {
            let of_group = |dim: &Dim| dim.map(|it| it.checked_div(w.groups));
            let mut shape = if grouped {
                vec![
                    Dim::Int(w.groups),
                    of_group(in_channels),
                    of_group(channels),
                ]
            } else {
                vec![in_channels.clone(), of_group(channels)]
            };
            shape.extend_from_slice(size);
            let wanted = convert(&shape, &w.kernel_home, &w.kernel);
            (channels.clone(), size.clone(), wanted)
        }
        _ => {
            let Some(weight) = weight else {
                return Err(Stop::Wait);
            };
            let Some(known) = convert(&weight.shape, &w.kernel, &w.kernel_home) else {
                return site.wrong_rank(1, &dimensions(w.kernel.ndim() as i64));
            };
            if grouped {
                return Err(Stop::Unknown);
            }
            let first = known.len() - w.strides.len();
            agrees(site, weight, &w, &known, first)?;
            if in_channels.differs(&known[0]) {
                return Mistake::new(
                    Code::ShapeMismatch,
                    format!(
                        "the data has {in_channels} channels, the kernel takes {}",
                        known[0]
                    ),
                )
                .of([0, 1])
                .between(in_channels, &known[0])
                .stop();
            }
            (known[1].clone(), known[first..].to_vec(), None)
        }
    };
    let mut out = vec![w.data[0].clone(), channels];
    for (at, extent) in w.data[2..].iter().enumerate() {
        let reach = kernel[at].map(|it| (it - 1).checked_mul(w.dilation[at])?.checked_add(1));
        let (padding, stride) = (w.padding[at], w.strides[at]);
        out.push(extent.with(&reach, |extent, reach| {
            let spread = (extent - 1).checked_mul(stride)?;
            (spread + reach - padding).checked_add(output_padding[at])
        }));
    }
    finish(site, data, &w, out, expected, weight)
}

/// For a packed kernel, only the attributes determine the result.
fn given_kernel(site: &Site<'_>) -> Result<Answer, Stop> {
    packed_kernel(site, "NCHW")
}

fn packed_kernel(site: &Site<'_>, home: &str) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let count = home.len() - 2;
    let home = Layout::parse(home).map_err(|_| Stop::Unknown)?;
    let layout = site.layout("data_layout")?;
    let shape = convert(&data.shape, &layout, &home).ok_or(Stop::Unknown)?;
    let out_layout = match site.attr("out_layout") {
        crate::relay::Value::Str(name) if !name.is_empty() => site.layout("out_layout")?,
        _ => layout,
    };
    let channels = site.opt_int("channels")?.ok_or(Stop::Unknown)?;
    let kernel = site.ints_of("kernel_size", count)?;
    let strides = site.ints_of("strides", count)?;
    let dilation = match site.entry.attr("dilation") {
        Some(_) => site.ints_of("dilation", count)?,
        None => vec![1; count],
    };
    let padding = both_ends(site, count)?;
    let mut out = vec![shape[0].clone(), Dim::Int(channels)];
    for (at, extent) in shape[2..].iter().enumerate() {
        out.push(extent.map(|extent| {
            let reach = (kernel[at] - 1).checked_mul(dilation[at])?.checked_add(1)?;
            let room = extent + padding[at] - reach;
            room.checked_div_euclid(strides[at])?.checked_add(1)
        }));
    }
    let dtype = site.dtype("out_dtype")?.unwrap_or(data.dtype);
    Answer::tensor(
        convert(&out, &home, &out_layout).ok_or(Stop::Unknown)?,
        dtype,
    )
}
