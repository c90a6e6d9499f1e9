//! Scaled dot-product attention over `(batch, sequence, heads, dimension)`.

use ndarray::{ArrayView2, ArrayView4, Axis, Ix2, Ix4};
use num_traits::Float;

use super::gemm::Product;
use super::join::{concatenate, part_of};
use super::math::Math;
use super::softmax::{compute_kind, soften};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::parallel;
use crate::tensor::{Kind, Tensor, alloc, show_shape};
use crate::value::Value;

struct Inputs {
    q: Tensor,
    k: Tensor,
    v: Tensor,
    /// The bias, broadcast to `(batch, heads, query, key)`.
    bias: Option<Tensor>,
    scale: f64,
    /// Query `i` attends to key `j` if `j <= i + offset`.
    causal: Option<usize>,
}

fn attention(args: &Args<'_>) -> RunResult<Value> {
    let (q, k, v) = (args.operand(0)?, args.operand(1)?, args.operand(2)?);
    let bias = args.opt_tensor("bias")?;
    Ok(attention_of(args, &q, &k, &v, bias)?.into())
}

/// Attention over sequences of different lengths, concatenated along the second axis. Each attends to its own keys.
fn attention_var_len(args: &Args<'_>) -> RunResult<Value> {
    let (q, k, v) = (args.operand(0)?, args.operand(1)?, args.operand(2)?);
    let starts = |name: &str| -> RunResult<Option<Vec<i64>>> { args.opt_ints(name) };
    let q_starts = starts("seqstart_q")?
        .ok_or_else(|| RunError::argument("argument seqstart_q is missing"))?;
    let k_starts = starts("seqstart_k")?.unwrap_or_else(|| q_starts.clone());
    if q.ndim() != 4 || k.ndim() != 4 || v.ndim() != 4 || q_starts.len() != k_starts.len() {
        return Err(RunError::shape("the sequences do not fit"));
    }
    let parts = q_starts
        .windows(2)
        .zip(k_starts.windows(2))
        .map(|(own, keys)| {
            let q = sequence(&q, own)?;
            attention_of(args, &q, &sequence(&k, keys)?, &sequence(&v, keys)?, None)
        })
        .collect::<RunResult<Vec<Tensor>>>()?;
    Ok(concatenate(&parts, 1)?.into())
}

/// Returns the elements of one sequence.
fn sequence(x: &Tensor, bounds: &[i64]) -> RunResult<Tensor> {
    let extent = x.shape()[1];
    let at = |i: usize| usize::try_from(bounds[i]).ok().filter(|&b| b <= extent);
    match (at(0), at(1)) {
        (Some(start), Some(end)) if start <= end => part_of(x, 1, start, end),
        _ => Err(RunError::argument(format!(
            "sequence starts {bounds:?} are out of order or of range"
        ))),
    }
}

fn attention_of(
    args: &Args<'_>,
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    bias: Option<Tensor>,
) -> RunResult<Tensor> {
    if args.opt_int("window_size")?.is_some() {
        return Err(RunError::unsupported("attention in a sliding window"));
    }
    let (&[batch, queries, heads, width], &[k_batch, keys, k_heads, k_width]) =
        (q.shape(), k.shape())
    else {
        return Err(RunError::shape("query and key need four dimensions"));
    };
    let fits = (k_batch, k_heads, k_width) == (batch, heads, width)
        && v.ndim() == 4
        && v.shape()[..3] == k.shape()[..3];
    if !fits {
        return Err(RunError::shape(format!(
            "query {}, key {} and value {} do not fit",
            show_shape(q.shape()),
            show_shape(k.shape()),
            show_shape(v.shape())
        )));
    }
    let causal = match &*args.str_or("causal_mask", "")? {
        "" => None,
        "TopLeft" => Some(0),
        "BottomRight" => Some(queries.abs_diff(keys)),
        other => return Err(RunError::argument(format!("unknown causal mask {other:?}"))),
    };
    let kind = q.kind();
    let compute = compute_kind(kind)?;
    let bias = bias
        .map(|bias| map::broadcast_to(&bias.cast(compute)?, &[batch, heads, queries, keys]))
        .transpose()?;
    let inputs = Inputs {
        q: q.cast(compute)?,
        k: k.cast(compute)?,
        v: v.cast(compute)?,
        bias,
        scale: args.float_or("scale", 1.0 / (width as f64).sqrt())?,
        causal,
    };
    let result = if compute == Kind::F64 {
        attend::<f64>(&inputs)?
    } else {
        attend::<f32>(&inputs)?
    };
    result.permuted(&[0, 2, 1, 3])?.cast(kind)
}

/// Returns the result as `(batch, heads, query, dimension)`.
fn attend<T: Product + Float + Math>(inputs: &Inputs) -> RunResult<Tensor> {
    let (q, k, v) = (
        by_head(&inputs.q)?,
        by_head(&inputs.k)?,
        by_head(&inputs.v)?,
    );
    let (batch, queries, heads, _) = q.dim();
    let (keys, width) = (k.dim().1, v.dim().3);
    let bias = inputs.bias.as_ref().map(Tensor::values::<T>).transpose()?;
    let scale = T::from(inputs.scale).unwrap_or_else(T::one);
    Tensor::generate::<T>(&[batch, heads, queries, width], |out| {
        if out.is_empty() || keys == 0 {
            return Ok(());
        }
        parallel::in_blocks(out, queries * width, |i, out| {
            let (b, h) = (i / heads, i % heads);
            let (q, k, v) = (head(&q, b, h)?, head(&k, b, h)?, head(&v, b, h)?);
            let mut scores = alloc::zeroed::<T>(queries * keys)?;
            T::product(q, k.reversed_axes(), &mut scores)?;
            for (row, scores) in scores.chunks_exact_mut(keys).enumerate() {
                for score in scores.iter_mut() {
                    *score = *score * scale;
                }
                if let Some(bias) = &bias {
                    let bias = &bias[(i * queries + row) * keys..][..keys];
                    for (score, &bias) in scores.iter_mut().zip(bias) {
                        *score = *score + bias;
                    }
                }
                let seen = inputs
                    .causal
                    .map_or(keys, |offset| (row + offset + 1).min(keys));
                soften(&mut scores[..seen]);
                scores[seen..].fill(T::zero());
            }
            let scores = ArrayView2::from_shape((queries, keys), &scores)
                .map_err(|error| RunError::shape(error.to_string()))?;
            T::product(scores, v, out)
        })
    })
}

/// Returns the elements by batch, position, head and dimension.
fn by_head<T: Product>(x: &Tensor) -> RunResult<ArrayView4<'_, T>> {
    x.array::<T>()?
        .view()
        .into_dimensionality::<Ix4>()
        .map_err(|error| RunError::shape(error.to_string()))
}

/// Returns the matrix of one head.
fn head<'x, T>(
    x: &'x ArrayView4<'_, T>,
    batch: usize,
    head: usize,
) -> RunResult<ArrayView2<'x, T>> {
    x.index_axis(Axis(0), batch)
        .index_axis_move(Axis(1), head)
        .into_dimensionality::<Ix2>()
        .map_err(|error| RunError::shape(error.to_string()))
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nn.attention", attention),
    Kernel::new("relax.nn.attention_bias", attention),
    Kernel::new("relax.nn.attention_var_len", attention_var_len),
];
