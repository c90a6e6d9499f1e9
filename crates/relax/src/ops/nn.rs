//! Neural network operators that keep or pad the shape: activations, softmax, dropout, pad.
//!
//! Convolutions, pooling, normalizations and losses are in `nn_conv`, `nn_pool`, `nn_norm` and `nn_loss`.

use super::Default::{Float, Int, Str};
use super::{
    At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Sharding, Stop, Topi, explicit_dims, opt,
    req, tensor, tensor_of_ndim, tuple,
};
use crate::release::{Release, Releases};
use crate::sinfo::Tensor;
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/nn/nn.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input.");

const SOFTMAX: &[Param] = &[
    DATA,
    opt("axis", Kind::Int, Int(-1)).doc("The axis along which the result sums to one."),
];

pub static OPS: &[OpDef] = &[
    OpDef::new("relax.nn.relu", &[DATA], same)
        .doc(
            "The larger of zero and each element.",
            "data: S, any dtype → S",
            "y = R.nn.relu(x)",
        )
        .source(SOURCE)
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("nn.relu"))
        .usage(10),
    OpDef::new("relax.nn.relu6", &[DATA], clipped)
        .releases(Releases::since(Release::V0_21))
        .doc(
            "Each element, clamped to the range from 0 to 6.",
            "data: S, any dtype → S",
            "y = R.nn.relu6(x)",
        )
        .source("python/tvm/relax/op/nn/nn.py"),
    OpDef::new(
        "relax.nn.leakyrelu",
        &[
            DATA,
            opt("alpha", Kind::Float, Float(0.01)).doc("The slope below zero."),
        ],
        same_floating,
    )
    .doc(
        "Each element, those below zero multiplied by `alpha`.",
        "data: S, float → S",
        "y = R.nn.leakyrelu(x, alpha=0.02)",
    )
    .source(SOURCE)
    .familiar(&["leaky_relu"]),
    OpDef::new(
        "relax.nn.prelu",
        &[
            DATA,
            req("alpha", Kind::Tensor).doc("The slope below zero of each channel."),
            opt("axis", Kind::Int, Int(1)).doc("The axis of the channels."),
        ],
        prelu,
    )
    .releases(Releases::since(Release::V0_21))
    .doc(
        "Each element, those below zero multiplied by the slope of their channel.",
        "data: S, float · alpha: (c,) → S",
        "y = R.nn.prelu(x, alpha, axis=1)",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.gelu", &[DATA], same_floating)
        .doc(
            "Gaussian error linear unit.",
            "data: S, float → S",
            "y = R.nn.gelu(x)",
        )
        .source(SOURCE)
        .sharding(Sharding::Same)
        .usage(33),
    OpDef::new("relax.nn.gelu_tanh", &[DATA], same_floating)
        .doc(
            "Gaussian error linear unit, approximated with tanh.",
            "data: S, float → S",
            "y = R.nn.gelu_tanh(x)",
        )
        .source(SOURCE)
        .sharding(Sharding::Same),
    OpDef::new("relax.nn.selu", &[DATA], same_floating)
        .releases(Releases::since(Release::V0_20))
        .doc(
            "Scaled exponential linear unit.",
            "data: S, float → S",
            "y = R.nn.selu(x)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.silu", &[DATA], same_floating)
        .doc(
            "Each element times its sigmoid.",
            "data: S, float → S",
            "y = R.nn.silu(x)",
        )
        .source(SOURCE)
        .sharding(Sharding::Same)
        .familiar(&["swish"])
        .usage(34),
    OpDef::new(
        "relax.nn.softplus",
        &[
            DATA,
            opt("beta", Kind::Float, Float(1.0)).doc("The sharpness of the bend."),
            opt("threshold", Kind::Float, Float(20.0))
                .doc("The input above which the function is linear."),
        ],
        same_floating,
    )
    .releases(Releases::since(Release::V0_20))
    .doc(
        "A smooth form of relu: log(1 + exp(beta * x)) / beta.",
        "data: S, float → S",
        "y = R.nn.softplus(x, beta=1.0, threshold=20.0)",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.softmax", SOFTMAX, softmax)
        .doc(
            "The exponential of each element, scaled so that an axis sums to one.",
            "data: S, float → S",
            "y = R.nn.softmax(x, axis=-1)",
        )
        .source(SOURCE)
        .sharding(Sharding::Reduce)
        .topi(Topi::renamed(
            "nn.softmax",
            &[("x", "data"), ("axis", "axis")],
        ))
        .usage(31),
    OpDef::new("relax.nn.log_softmax", SOFTMAX, softmax)
        .doc(
            "The logarithm of softmax.",
            "data: S, float → S",
            "y = R.nn.log_softmax(x, axis=-1)",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.nn.dropout",
        &[
            DATA,
            opt("rate", Kind::Float, Float(0.5))
                .doc("The probability of an element to become zero."),
        ],
        dropout,
    )
    .doc(
        "Sets elements to zero at random and scales up the rest; also returns the mask.",
        "data: S → (S, S)",
        "gv = R.nn.dropout(x, rate=0.5)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.nn.pad",
        &[
            DATA,
            PAD_WIDTH,
            opt("pad_value", Kind::Expr, Int(0)).doc("The value of the padding."),
            opt("pad_mode", Kind::Str, Str("constant")).doc(PAD_MODE),
        ],
        pad,
    )
    .releases(Releases::until(Release::V0_19))
    .doc(PAD_SUMMARY, PAD_SHAPES, "y = R.nn.pad(x, (0, 0, 1, 1))")
    .source(SOURCE),
    OpDef::new(
        "relax.nn.pad",
        &[
            DATA,
            PAD_WIDTH,
            opt("pad_mode", Kind::Str, Str("constant")).doc(PAD_MODE),
            opt("pad_value", Kind::Float, Float(0.0)).doc("The value of the padding."),
        ],
        pad,
    )
    .releases(Releases::since(Release::V0_20))
    .doc(PAD_SUMMARY, PAD_SHAPES, "y = R.nn.pad(x, (0, 0, 1, 1))")
    .source(SOURCE),
    OpDef::new(
        "relax.nn.pixel_shuffle",
        &[
            DATA,
            req("upscale_factor", Kind::Int).doc("The factor by which height and width grow."),
        ],
        pixel_shuffle,
    )
    .releases(Releases::since(Release::V0_21))
    .doc(
        "Moves groups of channels into height and width.",
        "data: (..., c·r², h, w) → (..., c, h·r, w·r)",
        "y = R.nn.pixel_shuffle(x, 2)",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.batch_flatten", &[DATA], batch_flatten)
        .releases(Releases::since(Release::V0_24))
        .doc(
            "Joins all axes but the first.",
            "data: (b, d1, ..., dn) → (b, d1·...·dn)",
            "y = R.nn.batch_flatten(x)",
        )
        .source(SOURCE),
];

const PAD_WIDTH: Param =
    req("pad_width", Kind::Ints).doc("The numbers of elements to add before and after each axis: (before, after, before, after, ...).");
const PAD_MODE: &str = "`constant`, `reflect`, `replicate` or `circular`.";
const PAD_SUMMARY: &str = "Adds elements before and after each axis.";
const PAD_SHAPES: &str = "data: (d1, ..., dn) → (d1 + before1 + after1, ...)";

fn same(c: &Call<'_>) -> Infer {
    c.tensor(0).map(Into::into)
}

/// TVM builds a clip, whose rule accepts anything.
fn clipped(c: &Call<'_>) -> Infer {
    c.sinfo(0)
}

fn same_floating(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    c.floating(0, &data, true)?;
    Ok(data.into())
}

fn softmax(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let Some(ndim) = data.ndim() else {
        return Ok(data.into());
    };
    c.floating(0, &data, true)?;
    c.axis(1, ndim)?;
    Ok(data.into())
}

fn prelu(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    c.tensor(1)?;
    let Some(ndim) = data.ndim() else {
        return Ok(data.into());
    };
    c.floating(0, &data, false)?;
    c.axis(2, ndim)?;
    Ok(data.into())
}

fn dropout(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    Ok(tuple(vec![data.clone().into(), data.into()]))
}

fn pad(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let widths = c.syms(1)?.unwrap_or_default();
    let Some(ndim) = data.ndim() else {
        return Err(c.error(
            OpErrorKind::Rank,
            At::param(0),
            "a tensor of unknown rank cannot be padded",
        ));
    };
    if widths.len() != 2 * ndim {
        return Err(c.error_with(
            OpErrorKind::Value,
            At::param(1),
            format!(
                "`pad_width` must have {} elements, two for each dimension, but has {}",
                2 * ndim,
                widths.len()
            ),
            At::param(0),
            format!("{ndim} dimensions here"),
        ));
    }
    let Some(dims) = explicit_dims(&data) else {
        return Ok(tensor_of_ndim(Some(ndim), data.dtype));
    };
    let padded = dims
        .iter()
        .zip(widths.chunks_exact(2))
        .map(|(dim, width)| width.iter().fold(dim.clone(), |sum, w| sum.add(w)))
        .collect();
    Ok(tensor(padded, data.dtype))
}

fn pixel_shuffle(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let factor = c.positive(1)?;
    let ndim = match data.ndim() {
        Some(ndim) if ndim >= 3 => ndim,
        ndim => return Err(too_few(c, ndim, 3)),
    };
    let Some(dims) = explicit_dims(&data) else {
        return Ok(tensor_of_ndim(Some(ndim), data.dtype));
    };
    let (r, squared) = (
        SymExpr::int(factor),
        SymExpr::int(factor.saturating_mul(factor)),
    );
    let channel = ndim - 3;
    let mut out = dims.to_vec();
    if c.indivisible(&out[channel], &squared) {
        return Err(c.error_with(
            OpErrorKind::Shape,
            At::dim(0, channel),
            format!(
                "the number of channels is `{}`, which is not a multiple of `{squared}`, the square of `upscale_factor`",
                out[channel]
            ),
            At::param(1),
            format!("`{factor}` here"),
        ));
    }
    out[channel] = out[channel].truncdiv(&squared);
    out[channel + 1] = out[channel + 1].mul(&r);
    out[channel + 2] = out[channel + 2].mul(&r);
    Ok(tensor(out, data.dtype))
}

fn batch_flatten(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    match data.ndim() {
        Some(ndim) if ndim < 2 => return Err(too_few(c, Some(ndim), 2)),
        Some(2) => return Ok(data.into()),
        _ => {}
    }
    let flat = match explicit_dims(&data) {
        Some([batch, rest @ ..]) => {
            let product = SymExpr::product(rest);
            Tensor::new(vec![batch.clone(), product], data.dtype)
        }
        _ => Tensor::of_ndim(Some(2), data.dtype),
    };
    Ok(flat.with_vdevice(data.vdevice).into())
}

fn too_few(c: &Call<'_>, ndim: Option<usize>, least: usize) -> Stop {
    c.error(
        OpErrorKind::Rank,
        At::param(0),
        match ndim {
            Some(ndim) => format!("`data` must have at least {least} dimensions, but has {ndim}"),
            None => {
                format!("`data` must have at least {least} dimensions, but its rank is not known")
            }
        },
    )
}
