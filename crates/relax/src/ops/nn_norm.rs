//! Normalizations: batch, layer, group, instance and root mean square.

use super::Default::{Bool, Float, Int};
use super::{
    At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req, tuple,
};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/nn/nn.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input.");
const GAMMA: Param = req("gamma", Kind::Tensor).doc("The scale of the result (gamma).");
const BETA: Param = req("beta", Kind::Tensor).doc("The shift of the result (beta).");
const MEAN: Param = req("moving_mean", Kind::Tensor).doc("The running mean.");
const VAR: Param = req("moving_var", Kind::Tensor).doc("The running variance.");
const EPSILON: Param =
    opt("epsilon", Kind::Float, Float(1e-5)).doc("Added to the variance for numerical stability.");
const CENTER: Param = opt("center", Kind::Bool, Bool(true)).doc("Add `beta`.");
const SCALE: Param = opt("scale", Kind::Bool, Bool(true)).doc("Multiply by `gamma`.");
const MOMENTUM: Param = opt("momentum", Kind::Float, Float(0.1))
    .doc("The weight of the batch's mean and variance in the update of the running ones.");
const BATCH_AXIS: Param = req("axis", Kind::Int).doc("The axis of the channels.");
const AXES: Param = req("axes", Kind::Ints).doc("The axes that are normalized.");
const CHANNEL_AXIS: Param = req("channel_axis", Kind::Int).doc("The axis of the channels.");

const BATCH_SUMMARY: &str =
    "Normalizes each channel to mean 0 and variance 1; also returns the running mean and variance.";
const BATCH_SHAPES: &str =
    "data: S, float · gamma, beta, moving_mean, moving_var: (c,) → (S, (c,), (c,))";
const BATCH_EXAMPLE: &str = "gv = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1)";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.nn.batch_norm",
        &[
            DATA, GAMMA, BETA, MEAN, VAR, BATCH_AXIS, EPSILON, CENTER, SCALE, MOMENTUM,
        ],
        batch_norm,
    )
    .releases(Releases::until(Release::V0_19))
    .doc(BATCH_SUMMARY, BATCH_SHAPES, BATCH_EXAMPLE)
    .source(SOURCE),
    OpDef::new(
        "relax.nn.batch_norm",
        &[
            DATA,
            GAMMA,
            BETA,
            MEAN,
            VAR,
            BATCH_AXIS,
            EPSILON,
            CENTER,
            SCALE,
            MOMENTUM,
            opt("training", Kind::Bool, Bool(true))
                .doc("Normalize by the input's own mean and variance."),
        ],
        batch_norm,
    )
    .releases(Releases::since(Release::V0_20))
    .doc(BATCH_SUMMARY, BATCH_SHAPES, BATCH_EXAMPLE)
    .source(SOURCE),
    OpDef::new(
        "relax.nn.layer_norm",
        &[DATA, GAMMA, BETA, AXES, EPSILON, CENTER, SCALE],
        layer_norm,
    )
    .doc(
        "Normalizes the elements along `axes` to mean 0 and variance 1.",
        "data: S, float · gamma, beta: the extents of S along axes → S",
        "y = R.nn.layer_norm(x, gamma, beta, axes=[-1])",
    )
    .source(SOURCE)
    .familiar(&["layernorm"]),
    OpDef::new(
        "relax.nn.group_norm",
        &[
            DATA,
            GAMMA,
            BETA,
            req("num_groups", Kind::Int).doc("The number of groups of channels."),
            CHANNEL_AXIS,
            AXES,
            EPSILON,
            CENTER,
            SCALE,
        ],
        group_norm,
    )
    .doc(
        "Normalizes each group of channels to mean 0 and variance 1.",
        "data: S, float · gamma, beta: (c,) → S",
        "y = R.nn.group_norm(x, gamma, beta, num_groups=2, channel_axis=1, axes=[2, 3])",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.nn.instance_norm",
        &[
            DATA,
            GAMMA,
            BETA,
            CHANNEL_AXIS,
            AXES,
            EPSILON,
            CENTER,
            SCALE,
        ],
        instance_norm,
    )
    .releases(Releases::since(Release::V0_21))
    .doc(
        "Normalizes each channel of each sample to mean 0 and variance 1.",
        "data: S · gamma, beta: (c,) → S",
        "y = R.nn.instance_norm(x, gamma, beta, channel_axis=1, axes=[2, 3])",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.nn.rms_norm",
        &[
            DATA,
            req("weight", Kind::Tensor).doc("The scale of the result (gamma)."),
            opt("axes", Kind::Ints, Int(-1)).doc("The axes that are normalized."),
            EPSILON,
        ],
        rms_norm,
    )
    .doc(
        "Divides the elements along `axes` by their root mean square.",
        "data: S, float · weight: the extents of S along axes → S",
        "y = R.nn.rms_norm(x, weight, axes=[-1], epsilon=1e-5)",
    )
    .source(SOURCE)
    .familiar(&["rmsnorm"])
    .usage(32),
];

/// The result of comparing statistics with the data.
enum Agreement {
    Proved,
    /// Some extents may differ, so the shape of the result is unknown.
    Open,
}

/// Checks that the other inputs have exactly the extents of `inputs[0]` along `axes`.
fn agree(c: &Call<'_>, inputs: &[Tensor], at: usize, axes: &[i64]) -> Result<Agreement, Stop> {
    let (data, statistics) = inputs.split_first().ok_or(Stop::Unknown)?;
    let front = match data.ndim() {
        Some(ndim) => Some(c.checked_axes(at, axes, ndim)?),
        None => None,
    };
    c.floating(0, data, true)?;
    for (i, tensor) in statistics.iter().enumerate() {
        same_dtype(c, data, i + 1, tensor)?;
        if tensor.ndim() != Some(axes.len()) {
            return Err(c.error_with(
                OpErrorKind::Rank,
                At::param(i + 1),
                format!(
                    "`{}` must have as many dimensions as there are axes, {}, but {}",
                    c.name(i + 1),
                    axes.len(),
                    rank_of(tensor)
                ),
                At::param(at),
                "the axes",
            ));
        }
    }
    // The first explicit extents: the data's along the axes, or else those of a statistic.
    let mut first: Option<Vec<(At, SymExpr)>> =
        front.zip(explicit_dims(data)).map(|(axes, dims)| {
            axes.iter()
                .map(|&axis| (At::dim(0, axis), dims[axis].clone()))
                .collect()
        });
    for (i, tensor) in statistics.iter().enumerate() {
        let Some(dims) = explicit_dims(tensor) else {
            continue;
        };
        let extents = dims
            .iter()
            .enumerate()
            .map(|(d, dim)| (At::dim(i + 1, d), dim.clone()));
        let Some(first) = &first else {
            first = Some(extents.collect());
            continue;
        };
        for ((at, extent), (other_at, other)) in extents.zip(first) {
            c.same_dim((at, &extent), (*other_at, other), "extent along the axis")?;
            if !c.cx.equal(&extent, other).is_yes() {
                return Ok(Agreement::Open);
            }
        }
    }
    Ok(Agreement::Proved)
}

fn same_dtype(c: &Call<'_>, data: &Tensor, i: usize, tensor: &Tensor) -> Result<(), Stop> {
    if data.dtype == tensor.dtype {
        return Ok(());
    }
    let text = |t: &Tensor| {
        t.dtype
            .map_or_else(|| "of unknown dtype".to_owned(), |d| format!("`{d}`"))
    };
    let error = c.error_with(
        OpErrorKind::DType,
        At::param(i),
        format!(
            "`{}` is {}, but `data` is {}",
            c.name(i),
            text(tensor),
            text(data)
        ),
        At::param(0),
        format!("{} here", text(data)),
    );
    Err(match (tensor.dtype, data.dtype) {
        (Some(dtype), Some(wanted)) => error.between(dtype, wanted),
        _ => error,
    })
}

fn rank_of(tensor: &Tensor) -> String {
    match tensor.ndim() {
        Some(ndim) => format!("it has {ndim}"),
        None => "its rank is not known".to_owned(),
    }
}

fn tensors<const N: usize>(c: &Call<'_>) -> Result<[Tensor; N], Stop> {
    let all = (0..N).map(|i| c.tensor(i)).collect::<Result<Vec<_>, _>>()?;
    all.try_into().map_err(|_| Stop::Unknown)
}

fn batch_norm(c: &Call<'_>) -> Infer {
    let inputs = tensors::<5>(c)?;
    let axis = c.int(5)?.ok_or_else(|| c.wrong_kind(5, "an integer"))?;
    let agreement = agree(c, &inputs, 5, &[axis])?;
    let [data, _, _, mean, var] = inputs;
    Ok(match agreement {
        Agreement::Proved => tuple(vec![data.into(), mean.into(), var.into()]),
        Agreement::Open => {
            let unknown = |ndim| {
                Tensor::of_ndim(ndim, data.dtype)
                    .with_vdevice(data.vdevice.clone())
                    .into()
            };
            tuple(vec![
                unknown(data.ndim()),
                unknown(Some(1)),
                unknown(Some(1)),
            ])
        }
    })
}

fn layer_norm(c: &Call<'_>) -> Infer {
    let inputs = tensors::<3>(c)?;
    let axes = c.ints(3)?.unwrap_or_default();
    let agreement = agree(c, &inputs, 3, &axes)?;
    let [data, ..] = inputs;
    Ok(data_or_rank(data, &agreement))
}

fn rms_norm(c: &Call<'_>) -> Infer {
    let inputs = tensors::<2>(c)?;
    let axes = c.ints(2)?.unwrap_or_default();
    let agreement = agree(c, &inputs, 2, &axes)?;
    let [data, ..] = inputs;
    Ok(data_or_rank(data, &agreement))
}

fn data_or_rank(data: Tensor, agreement: &Agreement) -> StructInfo {
    match agreement {
        Agreement::Proved => data.into(),
        Agreement::Open => Tensor::of_ndim(data.ndim(), data.dtype)
            .with_vdevice(data.vdevice)
            .into(),
    }
}

fn group_norm(c: &Call<'_>) -> Infer {
    let inputs = tensors::<3>(c)?;
    let groups = c.positive(3)?;
    let channel = channel_axis(c, &inputs[0], 4, 5)?;
    c.floating(0, &inputs[0], false)?;
    if let (Some(channel), Some(dims)) = (channel, explicit_dims(&inputs[0]))
        && c.indivisible(&dims[channel], &SymExpr::int(groups))
    {
        return Err(c.error_with(
            OpErrorKind::Shape,
            At::dim(0, channel),
            format!(
                "the number of channels, `{}`, is not divisible by the number of groups, {groups}",
                dims[channel]
            ),
            At::param(3),
            "the number of groups",
        ));
    }
    per_channel(c, &inputs, channel)?;
    let [data, ..] = inputs;
    Ok(data.into())
}

fn instance_norm(c: &Call<'_>) -> Infer {
    let inputs = tensors::<3>(c)?;
    let channel = channel_axis(c, &inputs[0], 3, 4)?;
    per_channel(c, &inputs, channel)?;
    let [data, ..] = inputs;
    Ok(data.into())
}

/// Returns the axis of the channels, which must not be among the normalized axes.
fn channel_axis(
    c: &Call<'_>,
    data: &Tensor,
    channel: usize,
    axes: usize,
) -> Result<Option<usize>, Stop> {
    let given = c.ints(axes)?.unwrap_or_default();
    let index = c.int(channel)?;
    let Some(ndim) = data.ndim() else {
        return Ok(None);
    };
    let index = index
        .map(|i| c.checked_axis(channel, i, ndim))
        .transpose()?
        .ok_or_else(|| c.wrong_kind(channel, "an integer"))?;
    if c.checked_axes(axes, &given, ndim)?.contains(&index) {
        return Err(c.error_with(
            OpErrorKind::Value,
            At::param(channel),
            format!("axis `{index}` holds the channels and cannot be among `axes`"),
            At::param(axes),
            "the axes",
        ));
    }
    Ok(Some(index))
}

/// Checks that every input after the data has one element for each channel.
fn per_channel(c: &Call<'_>, inputs: &[Tensor], channel: Option<usize>) -> Result<(), Stop> {
    let (data, rest) = inputs.split_first().ok_or(Stop::Unknown)?;
    for (i, tensor) in rest.iter().enumerate() {
        let i = i + 1;
        same_dtype(c, data, i, tensor)?;
        if tensor.ndim() != Some(1) {
            return Err(c.error(
                OpErrorKind::Rank,
                At::param(i),
                format!(
                    "`{}` must have 1 dimension, but {}",
                    c.name(i),
                    rank_of(tensor)
                ),
            ));
        }
        if let (Some(channel), Some(dims), Some([size, ..])) =
            (channel, explicit_dims(data), explicit_dims(tensor))
        {
            c.same_dim(
                (At::dim(i, 0), size),
                (At::dim(0, channel), &dims[channel]),
                "number of channels",
            )?;
        }
    }
    Ok(())
}
