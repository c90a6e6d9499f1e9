//! Recipes of convolutions, pooling and padding.

use smol_str::SmolStr;

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::shapes::converted;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::relay::attrs::Value as Attr;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("nn.conv1d", Made(|b| conv(b, "nn.conv1d"))),
    ("nn.conv2d", Made(|b| conv(b, "nn.conv2d"))),
    ("nn.contrib_conv2d_NCHWc", Made(blocked_conv)),
    ("nn.contrib_depthwise_conv2d_NCHWc", Made(blocked_conv)),
    ("nn.conv3d", Made(|b| conv(b, "nn.conv3d"))),
    ("nn.conv1d_transpose", Made(|b| transposed(b, "nn.conv1d_transpose"))),
    ("nn.conv2d_transpose", Made(|b| transposed(b, "nn.conv2d_transpose"))),
    ("nn.conv3d_transpose", Made(|b| transposed(b, "nn.conv3d_transpose"))),
    ("nn.max_pool1d", Made(|b| pool(b, "nn.max_pool1d"))),
    ("nn.max_pool2d", Made(|b| pool(b, "nn.max_pool2d"))),
    ("nn.max_pool3d", Made(|b| pool(b, "nn.max_pool3d"))),
    ("nn.avg_pool1d", Made(|b| pool(b, "nn.avg_pool1d"))),
    ("nn.avg_pool2d", Made(|b| pool(b, "nn.avg_pool2d"))),
    ("nn.avg_pool3d", Made(|b| pool(b, "nn.avg_pool3d"))),
    ("nn.adaptive_avg_pool1d", Made(|b| adaptive(b, "nn.adaptive_avg_pool1d"))),
    ("nn.adaptive_avg_pool2d", Made(|b| adaptive(b, "nn.adaptive_avg_pool2d"))),
    ("nn.adaptive_avg_pool3d", Made(|b| adaptive(b, "nn.adaptive_avg_pool3d"))),
    ("nn.adaptive_max_pool1d", Made(|b| adaptive_max(b, "W"))),
    ("nn.adaptive_max_pool2d", Made(|b| adaptive_max(b, "HW"))),
    ("nn.adaptive_max_pool3d", Made(|b| adaptive_max(b, "DHW"))),
    ("nn.global_avg_pool2d", Made(|b| global(b, "mean"))),
    ("nn.global_max_pool2d", Made(|b| global(b, "max"))),
    ("nn.pad", Made(pad)),
    ("nn.mirror_pad", Made(mirror_pad)),
    ("nn.upsampling", Made(upsampling)),
    ("nn.upsampling3d", Made(upsampling3d)),
];

/// Returns the attributes that both have under the same name.
pub(super) fn shared(
    b: &Build<'_>,
    names: &[&'static str],
) -> Result<Vec<(&'static str, Arg)>, Refusal> {
    names
        .iter()
        .map(|&name| {
            let arg = match b.attr(name) {
                Attr::Int(value) => Arg::Int(value),
                Attr::Bool(value) => Arg::Bool(value),
                Attr::Float(value) => Arg::Float(value),
                Attr::Str(text) => Arg::Str(text),
                Attr::List(_) => Arg::Ints(b.ints(name)?),
                Attr::None => Arg::None,
                Attr::Opaque => return Refusal::new(format!("`{name}` is not a plain value")),
            };
            Ok((name, arg))
        })
        .collect()
}

fn call(
    b: &mut Build<'_>,
    op: &'static str,
    args: &[&Val],
    named: Vec<(&'static str, Arg)>,
) -> Result<Val, Refusal> {
    let args = args.iter().map(|it| Arg::Val((*it).clone())).collect();
    b.op_with(op, args, named)
}

pub(super) fn layouts(b: &Build<'_>) -> Result<Vec<(&'static str, Arg)>, Refusal> {
    let mut named = shared(
        b,
        &[
            "strides",
            "padding",
            "dilation",
            "groups",
            "data_layout",
            "kernel_layout",
        ],
    )?;
    let out = b.str("out_layout")?;
    if !out.is_empty() {
        named.push(("out_layout", Arg::Str(out)));
    }
    Ok(named)
}

/// Merges the blocks of channels, and splits them again after the convolution.
fn blocked_conv(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let (data, kernel) = (b.str("data_layout")?, b.str("kernel_layout")?);
    let out = b.str("out_layout")?;
    let x = converted(b, &x, &data, "NCHW")?;
    let w = converted(b, &w, &kernel, "OIHW")?;
    let named = shared(b, &["strides", "padding", "dilation", "groups"])?;
    let found = call(b, "nn.conv2d", &[&x, &w], named)?;
    let found = match b.opt_dtype("out_dtype")? {
        Some(dtype) => as_dtype(b, &found, dtype)?,
        None => found,
    };
    converted(b, &found, "NCHW", if out.is_empty() { &data } else { &out })
}

/// Returns the argument for a dtype that differs from the input's.
fn out_dtype(
    b: &Build<'_>,
    x: &Val,
    dtype: Option<DType>,
) -> Result<Option<(&'static str, Arg)>, Refusal> {
    let own = b.dtype_of(x)?;
    Ok(dtype
        .filter(|it| *it != own)
        .map(|it| ("out_dtype", Arg::DType(it))))
}

fn conv(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let dtype = b.opt_dtype("out_dtype")?;
    conv_of(b, op, &x, &w, dtype)
}

pub(super) fn conv_of(
    b: &mut Build<'_>,
    op: &'static str,
    x: &Val,
    w: &Val,
    dtype: Option<DType>,
) -> Result<Val, Refusal> {
    let mut named = layouts(b)?;
    named.extend(out_dtype(b, x, dtype)?);
    let w = depthwise(b, w)?;
    call(b, op, &[x, &w], named)
}

/// A depthwise kernel is (channels, multiplier, ...) in Relay, and (channels * multiplier, 1, ...) in Relax.
fn depthwise(b: &mut Build<'_>, w: &Val) -> Result<Val, Refusal> {
    let (groups, layout) = (b.int("groups")?, b.str("kernel_layout")?);
    if groups == 1 {
        return Ok(w.clone());
    }
    let dims = b.dims(w)?;
    let (Some(o), Some(i)) = (layout.find('O'), layout.find('I')) else {
        return Ok(w.clone());
    };
    let is_plain = layout.len() == dims.len();
    let known = |at: usize| dims.get(at).and_then(SymExpr::as_int);
    match (known(o), known(i)) {
        (Some(channels), Some(multiplier)) if is_plain && channels == groups && multiplier > 1 => {
            let mut shape = dims.clone();
            shape[o] = SymExpr::int(channels * multiplier);
            shape[i] = SymExpr::int(1);
            if o < i && i == o + 1 {
                return b.op("reshape", vec![w.into(), shape.into()], []);
            }
            Refusal::new("a depthwise kernel whose multiplier is not beside its channels")
        }
        // HWIO kernels of depthwise convolutions are really HWOI: (h, w, channels, multiplier).
        _ => Ok(w.clone()),
    }
}

fn transposed(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let dtype = b.opt_dtype("out_dtype")?;
    transposed_of(b, op, &x, &w, dtype)
}

pub(super) fn transposed_of(
    b: &mut Build<'_>,
    op: &'static str,
    x: &Val,
    w: &Val,
    dtype: Option<DType>,
) -> Result<Val, Refusal> {
    let mut named = layouts(b)?;
    // TVM's default has more numbers than a single axis needs.
    let mut padding = b.ints("output_padding")?;
    padding.truncate(b.rank(w)?.saturating_sub(2));
    named.push(("output_padding", padding.into()));
    named.extend(out_dtype(b, x, dtype)?);
    call(b, op, &[x, w], named)
}

fn pool(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    pool_of(b, op, &x)
}

pub(super) fn pool_of(b: &mut Build<'_>, op: &'static str, x: &Val) -> Result<Val, Refusal> {
    let mut named = shared(
        b,
        &["pool_size", "strides", "padding", "dilation", "ceil_mode"],
    )?;
    if b.site().entry.attr("count_include_pad").is_some() {
        named.extend(shared(b, &["count_include_pad"])?);
    }
    let layout = b.str("layout")?;
    let plain: String = layout.chars().filter(char::is_ascii_uppercase).collect();
    named.push(("layout", Arg::Str(plain.as_str().into())));
    if layout == plain.as_str() {
        return call(b, op, &[x], named);
    }
    // A window is within one channel, which need not be split.
    let whole = converted(b, x, &layout, &plain)?;
    let pooled = call(b, op, &[&whole], named)?;
    converted(b, &pooled, &plain, &layout)
}

fn adaptive(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let size = b.opt_ints("output_size")?.unwrap_or_default();
    if size.is_empty() {
        return Ok(x);
    }
    let mut named = vec![("output_size", Arg::Ints(size))];
    named.extend(shared(b, &["layout"])?);
    call(b, op, &[&x], named)
}

/// Relax only has adaptive average pooling. To a single element, the maximum is a reduction.
fn adaptive_max(b: &mut Build<'_>, letters: &str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let size = b.opt_ints("output_size")?.unwrap_or_default();
    let layout = b.str("layout")?;
    if size.is_empty() {
        return Ok(x);
    }
    if size.iter().all(|it| *it == 1) {
        return spatial(b, &x, "max", &layout, letters);
    }
    // If the extents divide evenly, all windows have the same size.
    let dims = b.dims(&x)?;
    let mut windows = Vec::new();
    for (at, letter) in letters.chars().enumerate() {
        let wanted = size.get(at).or(size.first()).copied().unwrap_or(1);
        let extent = layout.find(letter).and_then(|it| dims.get(it)?.as_int());
        match extent {
            Some(extent) if wanted > 0 && extent % wanted == 0 => windows.push(extent / wanted),
            _ => return uneven_windows(b, x, &size, &layout, letters),
        }
    }
    let op = match letters.len() {
        1 => "nn.max_pool1d",
        2 => "nn.max_pool2d",
        _ => "nn.max_pool3d",
    };
    let named = vec![
        ("pool_size", Arg::Ints(windows.clone())),
        ("strides", Arg::Ints(windows)),
        ("layout", Arg::Str(layout)),
    ];
    call(b, op, &[&x], named)
}

/// The maximum number of windows along an axis that are computed separately.
const MOST_WINDOWS: i64 = 64;

/// Computes windows of different sizes: axis by axis, each window separately.
fn uneven_windows(
    b: &mut Build<'_>,
    x: Val,
    size: &[i64],
    layout: &str,
    letters: &str,
) -> Result<Val, Refusal> {
    let mut x = x;
    for (at, letter) in letters.chars().enumerate() {
        let count = size.get(at).or(size.first()).copied().unwrap_or(1);
        let axis = layout.find(letter).unwrap_or_default();
        let extent = b.dims(&x)?.get(axis).and_then(SymExpr::as_int);
        let Some(extent) = extent.filter(|_| (1..=MOST_WINDOWS).contains(&count)) else {
            return Refusal::new("adaptive pooling by the maximum of many windows");
        };
        let axis = axis as i64;
        let mut windows = Vec::new();
        for window in 0..count {
            let (from, to) = (
                window * extent / count,
                ((window + 1) * extent + count - 1) / count,
            );
            let args = vec![
                Arg::from(&x),
                vec![axis].into(),
                vec![from].into(),
                vec![to].into(),
            ];
            let part = b.op("strided_slice", args, [])?;
            let named = [("axis", vec![axis].into()), ("keepdims", true.into())];
            windows.push(b.op("max", vec![part.into()], named)?);
        }
        let windows = b.tuple(&windows);
        x = b.op("concat", vec![windows.into()], [("axis", axis.into())])?;
    }
    Ok(x)
}

fn global(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let layout = b.str("layout")?;
    spatial(b, &x, op, &layout, "HW")
}

fn spatial(
    b: &mut Build<'_>,
    x: &Val,
    op: &'static str,
    layout: &SmolStr,
    letters: &str,
) -> Result<Val, Refusal> {
    let axes: Vec<i64> = letters
        .chars()
        .filter_map(|it| layout.find(it).map(|at| at as i64))
        .collect();
    b.op(
        op,
        vec![x.into()],
        [("axis", axes.into()), ("keepdims", true.into())],
    )
}

/// Returns the widths of a padding as a flat list.
fn widths(b: &Build<'_>) -> Result<Vec<i64>, Refusal> {
    let pairs = b.site().pairs("pad_width");
    match pairs {
        Ok(pairs) => Ok(pairs.iter().flat_map(|it| [it.0, it.1]).collect()),
        Err(_) => Refusal::new("`pad_width` is not a plain value"),
    }
}

fn pad(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let widths = widths(b)?;
    padded(b, widths, 1)
}

/// `value` is the index of the input that fills the border.
pub(super) fn padded(b: &mut Build<'_>, widths: Vec<i64>, value: usize) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let mode = b.str("pad_mode")?;
    if mode != "constant" {
        let mode = if mode == "edge" {
            "replicate".into()
        } else {
            mode
        };
        return b.op(
            "nn.pad",
            vec![x.into(), widths.into()],
            [("pad_mode", mode.into())],
        );
    }
    let Some(value) = b.constant(value) else {
        return Refusal::new("`nn.pad` with a value that is only known at run time");
    };
    b.op(
        "nn.pad",
        vec![x.into(), widths.into()],
        [("pad_value", value.into())],
    )
}

fn mirror_pad(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, widths) = (b.input(0)?, widths(b)?);
    if b.str("mode")? != "REFLECT" {
        return Refusal::new("`nn.mirror_pad` that repeats the edge");
    }
    b.op(
        "nn.pad",
        vec![x.into(), widths.into()],
        [("pad_mode", Arg::Str("reflect".into()))],
    )
}

fn upsampling(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let scales = [b.float("scale_h")?, b.float("scale_w")?];
    upsampled(b, scales)
}

pub(super) fn upsampled(b: &mut Build<'_>, scales: [f64; 2]) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (layout, method) = (b.str("layout")?, b.str("method")?);
    let dims = b.dims(&x)?;
    let mut size = Vec::new();
    for (letter, scale) in "HW".chars().zip(scales) {
        match layout.find(letter).and_then(|at| dims.get(at)?.as_int()) {
            Some(extent) => size.push(((extent as f64 * scale).round() as i64).max(0)),
            None => {
                return Refusal::new("`nn.upsampling` of an extent that is only known at run time");
            }
        }
    }
    let coordinates = if b.bool("align_corners")? {
        "align_corners"
    } else {
        "asymmetric"
    };
    resized(b, &x, size, layout, &method, coordinates)
}

pub(super) fn resized(
    b: &mut Build<'_>,
    x: &Val,
    size: Vec<i64>,
    layout: SmolStr,
    method: &str,
    coordinates: &'static str,
) -> Result<Val, Refusal> {
    let method = match method {
        "nearest_neighbor" => "nearest_neighbor",
        "bilinear" | "linear" => "linear",
        _ => "cubic",
    };
    let rounding = if method == "nearest_neighbor" {
        "floor"
    } else {
        ""
    };
    let named = vec![
        ("layout", Arg::Str(layout)),
        ("method", Arg::Str(method.into())),
        (
            "coordinate_transformation_mode",
            Arg::Str(coordinates.into()),
        ),
        ("rounding_method", Arg::Str(rounding.into())),
    ];
    b.op_with("image.resize2d", vec![x.into(), size.into()], named)
}

fn upsampling3d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let scales = [
        b.float("scale_d")?,
        b.float("scale_h")?,
        b.float("scale_w")?,
    ];
    upsampled3d(b, scales)
}

pub(super) fn upsampled3d(b: &mut Build<'_>, scales: [f64; 3]) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (layout, method) = (b.str("layout")?, b.str("method")?);
    let dims = b.dims(&x)?;
    let mut size = Vec::new();
    for (letter, scale) in "DHW".chars().zip(scales) {
        match layout.find(letter).and_then(|at| dims.get(at)?.as_int()) {
            Some(extent) => size.push(((extent as f64 * scale).round() as i64).max(0)),
            None => {
                return Refusal::new(
                    "`nn.upsampling3d` of an extent that is only known at run time",
                );
            }
        }
    }
    let nearest = method == "nearest_neighbor";
    let named = vec![
        ("layout", Arg::Str(layout)),
        (
            "method",
            Arg::Str(if nearest { method } else { "linear".into() }),
        ),
        (
            "coordinate_transformation_mode",
            b.str("coordinate_transformation_mode")?.into(),
        ),
        (
            "rounding_method",
            Arg::Str(if nearest { "floor" } else { "" }.into()),
        ),
    ];
    b.op_with("image.resize3d", vec![x.into(), size.into()], named)
}
