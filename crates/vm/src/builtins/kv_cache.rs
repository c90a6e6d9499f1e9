//! `vm.builtin.attention_kv_cache_*` for the paged cache: attention, sliding windows, token trees, and inspection.

use super::{Builtin, done, nothing, with_state, wrong_state};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::objects::paged::{Cache, Output};
use crate::objects::{Caller, State};
use crate::tensor::Tensor;
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.attention_kv_cache_enable_sliding_window_for_seq", run: slide },
    Builtin { name: "vm.builtin.attention_kv_cache_commit_accepted_token_tree_nodes", run: commit },
    Builtin { name: "vm.builtin.attention_kv_cache_empty", run: |call| {
        done(Value::bool(with_cache(call, |cache, _| Ok(cache.is_empty()))?))
    } },
    Builtin { name: "vm.builtin.attention_kv_cache_get_num_available_pages", run: |call| {
        done(Value::int(with_cache(call, |cache, _| Ok(cache.free_pages()))? as i64))
    } },
    Builtin { name: "vm.builtin.attention_kv_cache_get_total_sequence_length", run: |call| {
        done(Value::int(with_cache(call, |cache, _| Ok(cache.tokens()))?))
    } },
    Builtin { name: "vm.builtin.attention_kv_cache_get_query_positions", run: |call| {
        done(with_cache(call, |cache, _| cache.positions_of_round())?)
    } },
    Builtin { name: "vm.builtin.attention_kv_cache_debug_get_kv", run: |call| read(call, 2) },
    Builtin { name: "vm.builtin.attention_kv_cache_debug_get_kv_mla", run: |call| read(call, 1) },
    Builtin { name: "vm.builtin.attention_kv_cache_attention_with_fused_qkv", run: fused },
    Builtin { name: "vm.builtin.attention_kv_cache_attention_with_shared_kv", run: shared },
    Builtin { name: "vm.builtin.attention_kv_cache_self_attention", run: attend_round },
    Builtin { name: "vm.builtin.attention_kv_cache_cross_attention", run: cross },
    Builtin { name: "vm.builtin.attention_kv_cache_append_mla_kv", run: append_latent },
    Builtin { name: "vm.builtin.attention_kv_cache_merge_attn_output_inplace", run: merge },
];

fn with_cache<T>(
    call: &mut Call<'_, '_, '_>,
    run: impl FnOnce(&mut Cache, &mut Caller<'_>) -> RunResult<T>,
) -> RunResult<T> {
    with_state(call, |state, caller| match state {
        State::Paged(cache) => run(cache, caller),
        other => wrong_state(other, "a paged KV cache"),
    })
}

/// Returns an argument, which also stays in its register.
fn tensor(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Tensor> {
    match call.peek(at)? {
        Value::Tensor(tensor) => Ok(tensor),
        other => Err(RunError::argument(format!(
            "argument {at} must be a tensor, but is {}",
            other.describe()
        ))),
    }
}

/// Writes the rows of a round to an argument, which may have more rows.
fn write(call: &mut Call<'_, '_, '_>, at: usize, rows: Tensor) -> RunResult<()> {
    let mut out = tensor(call, at)?;
    if out.shape() == rows.shape() {
        return call.write(at, rows);
    }
    let fits = out.kind() == rows.kind()
        && out.shape().get(1..) == rows.shape().get(1..)
        && out.len() >= rows.len();
    if !fits {
        return Err(RunError::shape(format!(
            "argument {at} cannot hold {}",
            Value::Tensor(rows).describe()
        )));
    }
    let bytes = rows.bytes()?;
    out.bytes_mut()?[..bytes.len()].copy_from_slice(&bytes);
    call.write(at, out)
}

fn write_output(call: &mut Call<'_, '_, '_>, at: usize, output: Output) -> RunResult<()> {
    write(call, at, output.values)?;
    write(call, at + 1, output.lse)
}

/// Returns a factor of attention scores.
fn number(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<f64> {
    let value = call.peek(at)?;
    let scalar = value.as_scalar().ok_or_else(|| {
        RunError::argument(format!(
            "argument {at} must be a number, but is {}",
            value.describe()
        ))
    })?;
    Ok(scalar.as_f64())
}

/// Arguments `(cache, sequence, window, sinks)`.
fn slide(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (id, window, sinks) = (call.int(1)?, call.int(2)?, call.int(3)?);
    with_cache(call, |cache, _| cache.slide(id, window, sinks))?;
    nothing()
}

/// Arguments `(cache, sequences, accepted tokens)`.
fn commit(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (ids, leaves) = (call.dims(1)?, call.dims(2)?);
    with_cache(call, |cache, caller| cache.commit(caller, &ids, &leaves))?;
    nothing()
}

/// Arguments `(cache, sequence, start, end, tensors...)`.
fn read(call: &mut Call<'_, '_, '_>, count: usize) -> RunResult<Outcome> {
    let id = call.int(1)?;
    let tokens = call.int(2)?..call.int(3)?;
    let data = (4..4 + count)
        .map(|at| tensor(call, at))
        .collect::<RunResult<Vec<_>>>()?;
    let data = with_cache(call, |cache, caller| cache.read(caller, id, tokens, data))?;
    for (at, tensor) in data.into_iter().enumerate() {
        call.write(4 + at, tensor)?;
    }
    nothing()
}

/// Arguments `(cache, layer, scale, qkv, out)`.
fn fused(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, scale) = (call.int(1)?, number(call, 2)?);
    let qkv = tensor(call, 3)?;
    let out = with_cache(call, |cache, caller| {
        cache.fused(caller, layer, &qkv, scale)
    })?;
    write(call, 4, out)?;
    nothing()
}

/// Arguments `(cache, layer, scale, q, k, v, out)`.
fn shared(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, scale) = (call.int(1)?, number(call, 2)?);
    let (q, k, v) = (tensor(call, 3)?, tensor(call, 4)?, tensor(call, 5)?);
    let out = with_cache(call, |cache, caller| {
        cache.shared(caller, layer, [&q, &k, &v], scale)
    })?;
    write(call, 6, out)?;
    nothing()
}

/// Arguments `(cache, layer, scale, q, k, v, out, lse)`.
fn attend_round(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, scale) = (call.int(1)?, number(call, 2)?);
    let (q, k, v) = (tensor(call, 3)?, tensor(call, 4)?, tensor(call, 5)?);
    let output = with_cache(call, |cache, caller| {
        cache.attend_round(caller, layer, [&q, &k, &v], scale)
    })?;
    write_output(call, 6, output)?;
    nothing()
}

/// Arguments `(cache, layer, scale, q, out, lse)`.
fn cross(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, scale) = (call.int(1)?, number(call, 2)?);
    let q = tensor(call, 3)?;
    let output = with_cache(call, |cache, caller| cache.cross(caller, layer, &q, scale))?;
    if let Some(output) = output {
        write_output(call, 4, output)?;
    }
    nothing()
}

/// Arguments `(cache, layer, kv)`.
fn append_latent(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let layer = call.int(1)?;
    let kv = tensor(call, 2)?;
    with_cache(call, |cache, caller| {
        cache.append_latent(caller, layer, &kv)
    })?;
    done(call.value(0)?)
}

/// Arguments `(cache, out, lse, other out, other lse)`.
fn merge(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let mut output = |at: usize| -> RunResult<Output> {
        Ok(Output {
            values: tensor(call, at)?,
            lse: tensor(call, at + 1)?,
        })
    };
    let (into, part) = (output(1)?, output(3)?);
    let merged = with_cache(call, |cache, caller| cache.merge_by(caller, 1, into, part))?;
    let result = [merged.values.clone().into(), merged.lse.clone().into()];
    write_output(call, 1, merged)?;
    done(Value::tuple(result))
}
