//! Recipes of normalisation, softmax, biases and losses.

use super::Recipe::Made;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("nn.bias_add", Made(bias_add)),
    ("nn.softmax", Made(|b| along(b, "nn.softmax"))),
    ("nn.fast_softmax", Made(|b| along(b, "nn.softmax"))),
    ("nn.log_softmax", Made(|b| along(b, "nn.log_softmax"))),
    ("nn.batch_norm", Made(batch_norm)),
    ("nn.layer_norm", Made(layer_norm)),
    ("nn.group_norm", Made(group_norm)),
    ("nn.instance_norm", Made(instance_norm)),
    ("nn.l2_normalize", Made(l2_normalize)),
    ("nn.lrn", Made(local_response_norm)),
    ("nn.fifo_buffer", Made(fifo_buffer)),
    ("nn.dropout", Made(|b| { let x = b.input(0)?; let rate = b.float("rate")?; b.op("nn.dropout", vec![x.into()], [("rate", rate.into())]) })),
    ("nn.prelu", Made(prelu)),
    ("nn.cross_entropy", Made(|b| cross_entropy(b, true))),
    ("nn.cross_entropy_with_logits", Made(|b| cross_entropy(b, false))),
    ("nn.nll_loss", Made(nll_loss)),
];

/// Reshapes a vector so that it broadcasts along `axis` of a tensor with that rank.
fn along_axis(b: &mut Build<'_>, vector: &Val, axis: usize, rank: usize) -> Result<Val, Refusal> {
    if axis + 1 == rank {
        return Ok(vector.clone());
    }
    let Some(extent) = b.dims(vector)?.first().cloned() else {
        return Refusal::new(format!("`{}` needs a vector", b.name()));
    };
    let mut shape = vec![SymExpr::int(1); rank - axis];
    shape[0] = extent;
    b.op("reshape", vec![vector.into(), shape.into()], [])
}

fn bias_add(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, bias) = (b.input(0)?, b.input(1)?);
    let rank = b.rank(&x)?;
    let axis = b.axis(b.int("axis")?, rank);
    let bias = along_axis(b, &bias, axis, rank)?;
    b.call("add", &[&x, &bias])
}

fn prelu(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, alpha) = (b.input(0)?, b.input(1)?);
    let rank = b.rank(&x)?;
    let axis = b.axis(b.int("axis")?, rank);
    let alpha = along_axis(b, &alpha, axis, rank)?;
    let zero = b.number(0.0, b.dtype_of(&x)?);
    let above = b.call("maximum", &[&x, &zero])?;
    let below = b.call("minimum", &[&x, &zero])?;
    let below = b.call("multiply", &[&below, &alpha])?;
    b.call("add", &[&above, &below])
}

fn along(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let (x, axis) = (b.input(0)?, b.int("axis")?);
    b.op(op, vec![x.into()], [("axis", axis.into())])
}

fn inputs(b: &Build<'_>) -> Vec<Arg> {
    b.inputs().iter().map(Arg::from).collect()
}

fn scaled(b: &Build<'_>) -> Result<[(&'static str, Arg); 3], Refusal> {
    Ok([
        ("epsilon", b.float("epsilon")?.into()),
        ("center", b.bool("center")?.into()),
        ("scale", b.bool("scale")?.into()),
    ])
}

fn batch_norm(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let args = inputs(b);
    let axis = b.int("axis")?;
    let [epsilon, center, scale] = scaled(b)?;
    let named = [("axis", axis.into()), epsilon, center, scale];
    let [axis, epsilon, center, scale] = named.clone();
    // Since 0.20, the operator may be in training mode, which changes the moving averages.
    let training = ("training", Arg::Bool(false));
    let infers = b.op(
        "nn.batch_norm",
        args.clone(),
        [axis, epsilon, center, scale, training],
    );
    infers.or_else(|_| b.op("nn.batch_norm", args, named))
}

fn layer_norm(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let args = inputs(b);
    let axes = vec![b.int("axis")?];
    let [epsilon, center, scale] = scaled(b)?;
    b.op(
        "nn.layer_norm",
        args,
        [("axes", axes.into()), epsilon, center, scale],
    )
}

/// Returns the number of channels, and the axes after the batch and the channels.
fn channels(b: &Build<'_>) -> Result<(i64, Vec<i64>), Refusal> {
    let x = b.input(0)?;
    let rank = b.rank(&x)?;
    let axis = b.axis(b.int("axis")?, rank);
    let others = (1..rank).filter(|it| *it != axis).map(|it| it as i64);
    Ok((axis as i64, others.collect()))
}

fn group_norm(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let mut args = inputs(b);
    args.push(b.int("num_groups")?.into());
    let (axis, others) = channels(b)?;
    let [epsilon, center, scale] = scaled(b)?;
    let named = [
        ("channel_axis", axis.into()),
        ("axes", others.into()),
        epsilon,
        center,
        scale,
    ];
    b.op("nn.group_norm", args, named)
}

fn instance_norm(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, gamma, beta) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let rank = b.rank(&x)?;
    let (axis, others) = channels(b)?;
    let dtype = b.dtype_of(&x)?;
    let keep = |axes: &[i64]| {
        [
            ("axis", Arg::Ints(axes.to_vec())),
            ("keepdims", true.into()),
        ]
    };
    let mean = b.op("mean", vec![Arg::from(&x)], keep(&others))?;
    let difference = b.call("subtract", &[&x, &mean])?;
    let squares = b.call("multiply", &[&difference, &difference])?;
    let variance = b.op("mean", vec![squares.into()], keep(&others))?;
    let epsilon = b.number(b.float("epsilon")?, dtype);
    let variance = b.call("add", &[&variance, &epsilon])?;
    let scale = b.call("rsqrt", &[&variance])?;
    let mut out = b.call("multiply", &[&difference, &scale])?;
    if b.bool("scale")? {
        let gamma = along_axis(b, &gamma, axis as usize, rank)?;
        out = b.call("multiply", &[&out, &gamma])?;
    }
    if b.bool("center")? {
        let beta = along_axis(b, &beta, axis as usize, rank)?;
        out = b.call("add", &[&out, &beta])?;
    }
    Ok(out)
}

fn l2_normalize(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axes = b.ints("axis")?;
    let squares = b.call("multiply", &[&x, &x])?;
    let named = [("axis", axes.into()), ("keepdims", true.into())];
    let sum = b.op("sum", vec![squares.into()], named)?;
    let least = b.number(b.float("eps")?, b.dtype_of(&x)?);
    let sum = b.call("maximum", &[&sum, &least])?;
    let length = b.call("sqrt", &[&sum])?;
    b.call("divide", &[&x, &length])
}

/// Divides by a power of the mean of the squares in a window of channels.
fn local_response_norm(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, size) = (b.input(0)?, b.int("size")?);
    let (dims, dtype) = (b.dims(&x)?, b.dtype_of(&x)?);
    let axis = b.axis(b.int("axis")?, dims.len());
    let Some(channels) = dims.get(axis).filter(|_| axis > 0) else {
        return Refusal::new("`nn.lrn` along the batch");
    };
    let outside = SymExpr::product(&dims[1..axis]);
    let inside = SymExpr::product(&dims[axis + 1..]);
    // Pools along the channels, as if they were the rows of an image.
    let image = vec![dims[0].clone(), outside, channels.clone(), inside];
    let squares = b.call("multiply", &[&x, &x])?;
    let squares = b.op("reshape", vec![squares.into(), image.into()], [])?;
    let named = vec![
        ("pool_size", vec![size, 1].into()),
        ("padding", vec![size / 2, 0, size / 2, 0].into()),
        ("count_include_pad", true.into()),
    ];
    let mean = b.op_with("nn.avg_pool2d", vec![squares.into()], named)?;
    let mean = b.op("reshape", vec![mean.into(), dims.into()], [])?;
    let alpha = b.number(b.float("alpha")?, dtype);
    let scaled = b.call("multiply", &[&mean, &alpha])?;
    let bias = b.number(b.float("bias")?, dtype);
    let moved = b.call("add", &[&scaled, &bias])?;
    let beta = b.number(b.float("beta")?, dtype);
    let scale = b.call("power", &[&moved, &beta])?;
    b.call("divide", &[&x, &scale])
}

/// Appends the data, and drops as much from the front.
fn fifo_buffer(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (data, buffer) = (b.input(0)?, b.input(1)?);
    let rank = b.rank(&data)?;
    let axis = b.axis(b.int("axis")?, rank);
    let (new, old) = (b.dims(&data)?, b.dims(&buffer)?);
    let both = b.tuple(&[buffer, data]);
    let axes = vec![axis as i64];
    let joined = b.op("concat", vec![both.into()], [("axis", axes[0].into())])?;
    let (Some(new), Some(old)) = (new.get(axis), old.get(axis)) else {
        return Refusal::new("`nn.fifo_buffer` of scalars");
    };
    let (begin, end) = (vec![new.clone()], vec![new.add(old)]);
    b.op(
        "strided_slice",
        vec![joined.into(), axes.into(), begin.into(), end.into()],
        [],
    )
}

/// Computes the mean over the batch of `-sum(log(x) * y)`.
fn cross_entropy(b: &mut Build<'_>, takes_log: bool) -> Result<Val, Refusal> {
    let (x, y) = (b.input(0)?, b.input(1)?);
    let Some(batch) = b.dims(&x)?.first().and_then(SymExpr::as_int) else {
        return Refusal::new("`nn.cross_entropy` over a batch that is only known at run time");
    };
    let dtype = b.dtype_of(&x)?;
    let x = if takes_log { b.call("log", &[&x])? } else { x };
    let product = b.call("multiply", &[&x, &y])?;
    let sum = b.call("sum", &[&product])?;
    let batch = b.number(-batch as f64, dtype);
    b.call("divide", &[&sum, &batch])
}

fn nll_loss(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let args = inputs(b);
    let (how, ignored) = (b.str("reduction")?, b.int("ignore_index")?);
    b.op(
        "nn.nll_loss",
        args,
        [("reduction", how.into()), ("ignore_index", ignored.into())],
    )
}
