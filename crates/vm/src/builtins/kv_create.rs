//! `vm.builtin.paged_attention_kv_cache_create*`: creates a paged cache, for the argument order of each release.

use super::{Builtin, done};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::objects::State;
use crate::objects::paged::{Attention, Cache, Config, Functions, Rope};
use crate::tensor::Tensor;
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.paged_attention_kv_cache_create", run: create },
    Builtin { name: "vm.builtin.paged_attention_kv_cache_create_reduced", run: create_reduced },
];

/// The arguments that every release begins with.
struct Sizes {
    most_sequences: i64,
    tokens: i64,
    page_size: i64,
    slides: bool,
    layer_window: i64,
    first_layer: i64,
    layers: i64,
}

impl Sizes {
    fn read(call: &mut Call<'_, '_, '_>) -> RunResult<Sizes> {
        let (config, layers) = (call.dims(0)?, call.dims(1)?);
        let (
            &[
                most_sequences,
                tokens,
                _chunk,
                page_size,
                slides,
                ref more @ ..,
            ],
            &[first, end],
        ) = (&*config, &*layers)
        else {
            return Err(RunError::argument(
                "a cache needs its most sequences, tokens, tokens of a round, page size and whether windows slide, \
                 and the first and last layer of one device",
            ));
        };
        let layer_window = more.first().copied().unwrap_or(1024);
        if page_size < 1 || layer_window < 1 || end < first {
            return Err(RunError::argument("the sizes of a cache must be positive"));
        }
        Ok(Sizes {
            most_sequences,
            tokens,
            page_size,
            slides: slides != 0,
            layer_window,
            first_layer: first,
            layers: end - first,
        })
    }

    fn pages(&self) -> i64 {
        let pages = (self.tokens + self.page_size - 1) / self.page_size + 1;
        // A window may touch up to two more pages than its tokens fill.
        let more = if self.slides { 2 } else { 0 };
        pages + more * self.most_sequences
    }
}

fn rope(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Rope> {
    match call.int(at)? {
        0 => Ok(Rope::None),
        1 => Ok(Rope::Normal),
        2 => Ok(Rope::Inline),
        mode => Err(RunError::argument(format!(
            "unknown mode {mode} of the rotary embedding"
        ))),
    }
}

fn number(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<f64> {
    let value = call.peek(at)?;
    let scalar = value.as_scalar();
    let scalar =
        scalar.ok_or_else(|| RunError::argument(format!("argument {at} is not a number")))?;
    Ok(scalar.as_f64())
}

/// Returns the factors of the rotary embedding, or `None` for 0 or a missing argument.
fn factors(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Option<Tensor>> {
    Ok(match call.peek(at)? {
        Value::Tensor(tensor) if tensor.ndim() > 0 => Some(tensor),
        _ => None,
    })
}

fn function(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Value> {
    Ok(match call.peek(at)? {
        value @ (Value::Function(_) | Value::Packed(_)) => value,
        _ => Value::Null,
    })
}

/// Reads `("tirx", function)`, or an empty tuple.
fn backend(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Value> {
    let value = call.peek(at)?;
    let Value::Tuple(fields) = &value else {
        return function(call, at);
    };
    match &**fields {
        [] => Ok(Value::Null),
        [Value::Str(name), function] if name == "tirx" || name == "tir" => Ok(function.clone()),
        [Value::Str(name), ..] => Err(RunError::unsupported(format!(
            "attention of the library {name:?} needs a device that this machine does not have"
        ))),
        _ => Err(RunError::argument(format!(
            "argument {at} must be the name of a library and a function, but is {}",
            value.describe()
        ))),
    }
}

fn no_transfer(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<()> {
    let transfers = call.peek(at).ok().and_then(|value| value.as_scalar());
    if transfers.is_some_and(crate::tensor::Scalar::is_true) {
        return Err(RunError::unsupported(
            "a cache that is sent to other devices needs several of them",
        ));
    }
    Ok(())
}

/// Takes 28 arguments, and an optional one that is ignored.
fn create(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    if !matches!(call.peek(6), Ok(Value::Shape(_))) {
        return Err(RunError::unsupported(
            "these arguments are for FlashInfer, which only runs on a GPU",
        ));
    }
    if !(28..=29).contains(&call.len()) {
        return Err(RunError::argument(format!(
            "creating a paged KV cache takes 28 arguments, but {} are given",
            call.len()
        )));
    }
    let sizes = Sizes::read(call)?;
    let layers = call
        .dims(6)?
        .iter()
        .skip(usize::try_from(sizes.first_layer).unwrap_or(0))
        .take(usize::try_from(sizes.layers).unwrap_or(0))
        .map(|&kind| match kind {
            0 => Ok(Attention::Heads),
            1 => Ok(Attention::Latent),
            3 => Ok(Attention::Window),
            kind => Err(RunError::unsupported(format!(
                "attention kind {kind} is not defined in TVM"
            ))),
        })
        .collect::<RunResult<Vec<_>>>()?;
    if layers.len() as i64 != sizes.layers {
        return Err(RunError::argument(format!(
            "{} layers need as many kinds of attention, not {}",
            sizes.layers,
            layers.len()
        )));
    }
    no_transfer(call, 7)?;
    let merge = match call.peek(23)? {
        Value::Tuple(functions) => functions.to_vec(),
        other => vec![other],
    };
    let functions = Functions {
        append: function(call, 13)?,
        append_latent: function(call, 14)?,
        ragged: backend(call, 15)?,
        prefill: backend(call, 16)?,
        decode: backend(call, 17)?,
        prefill_window: backend(call, 18)?,
        decode_window: backend(call, 19)?,
        tree_paged: backend(call, 20)?,
        tree_ragged: backend(call, 21)?,
        latent: backend(call, 22)?,
        merge,
        split_rotary: function(call, 24)?,
        copy_page: function(call, 25)?,
        debug_get: function(call, 26)?,
        compact_copy: function(call, 27)?,
        take_depth: false,
    };
    let config = Config {
        page_size: sizes.page_size,
        first_layer: sizes.first_layer,
        layers,
        query_heads: call.int(2)?,
        kv_heads: call.int(3)?,
        key_dim: call.int(4)?,
        value_dim: call.int(5)?,
        pages: sizes.pages(),
        slides: sizes.slides,
        layer_window: sizes.layer_window,
        rope: rope(call, 8)?,
        rope_scale: number(call, 9)?,
        rope_theta: number(call, 10)?,
        rope_factors: factors(call, 11)?,
        kind: call.tensor(12)?.kind(),
    };
    done(State::Paged(Box::new(Cache::new(config, functions)?)))
}

/// Takes 23 arguments, and an optional one that says whether the cache is sent to other devices.
fn create_reduced(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    if !(23..=24).contains(&call.len()) {
        return Err(RunError::argument(format!(
            "creating a paged KV cache takes 23 arguments here, but {} are given",
            call.len()
        )));
    }
    let sizes = Sizes::read(call)?;
    no_transfer(call, 23)?;
    let functions = Functions {
        append: function(call, 9)?,
        prefill: function(call, 10)?,
        decode: function(call, 11)?,
        prefill_window: function(call, 12)?,
        decode_window: function(call, 13)?,
        ragged: function(call, 14)?,
        merge: vec![function(call, 15)?],
        split_rotary: function(call, 16)?,
        copy_page: function(call, 17)?,
        debug_get: function(call, 18)?,
        compact_copy: function(call, 19)?,
        tree_ragged: function(call, 20)?,
        tree_paged: function(call, 21)?,
        take_depth: true,
        ..Functions::default()
    };
    let dim = call.int(4)?;
    let layers = usize::try_from(sizes.layers).unwrap_or(0);
    let config = Config {
        page_size: sizes.page_size,
        first_layer: sizes.first_layer,
        layers: vec![Attention::Heads; layers],
        query_heads: call.int(2)?,
        kv_heads: call.int(3)?,
        key_dim: dim,
        value_dim: dim,
        pages: sizes.pages(),
        slides: sizes.slides,
        layer_window: sizes.layer_window,
        rope: rope(call, 5)?,
        rope_scale: number(call, 6)?,
        rope_theta: number(call, 7)?,
        rope_factors: factors(call, 22)?,
        kind: call.tensor(8)?.kind(),
    };
    done(State::Paged(Box::new(Cache::new(config, functions)?)))
}
