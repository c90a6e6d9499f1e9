//! Attention over the cache: the arguments of the program's functions, and merging of partial results.

use super::batch::{Depth, Pages};
use super::{Attention, Cache, Rope};
use crate::error::{RunError, RunResult};
use crate::objects::{Caller, returned};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

/// The rotary embedding of layers with a sliding window: scale and theta.
const WINDOW_ROPE: (f64, f64) = (1.0, 10_000.0);

/// The result of attention with its log-sum-exp, by which two results are merged.
pub struct Output {
    pub values: Tensor,
    pub lse: Tensor,
}

impl Cache {
    /// Returns the index of a model's layer in this cache, and what it stores.
    fn layer(&self, number: i64) -> RunResult<(usize, Attention)> {
        let at = number - self.config.first_layer;
        let found = usize::try_from(at).ok();
        let found = found.and_then(|at| Some((at, *self.config.layers.get(at)?)));
        found.ok_or_else(|| {
            RunError::argument(format!(
                "the cache has {} layers, and no layer {number}",
                self.config.layers.len()
            ))
        })
    }

    fn takes(&self, layer: i64, tensors: &[&Tensor], heads: bool) -> RunResult<usize> {
        let (at, kind) = self.layer(layer)?;
        if heads && kind == Attention::Latent {
            return Err(RunError::argument(format!(
                "layer {layer} keeps latent vectors (MLA), which this function does not read"
            )));
        }
        for tensor in tensors {
            if tensor.kind() != self.config.kind {
                return Err(RunError::dtype(format!(
                    "the cache holds {}, and is given {}",
                    self.config.kind.dtype(),
                    tensor.dtype()
                )));
            }
        }
        Ok(at)
    }

    fn lse(&self) -> RunResult<Tensor> {
        let total = self.batch()?.total;
        empty(Kind::F32, &[total, self.config.query_heads])
    }

    /// Takes queries, keys and values in one tensor, stores the keys and values, and attends to everything.
    pub fn fused(
        &mut self,
        call: &mut Caller<'_>,
        layer: i64,
        qkv: &Tensor,
        scale: f64,
    ) -> RunResult<Tensor> {
        let at = self.takes(layer, &[qkv], true)?;
        let config = &self.config;
        let (batch, total) = (self.batch()?, self.batch()?.total);
        let width = config.query_heads + 2 * config.kv_heads;
        let rows = qkv.shape().first().map_or(0, |&rows| rows as i64);
        if qkv.shape().get(1..) != Some(&[width as usize, config.key_dim as usize]) || rows < total
        {
            return Err(RunError::shape(format!(
                "a round of {total} tokens needs queries, keys and values of shape ({total}, {width}, {}), not {}",
                config.key_dim,
                crate::tensor::show_shape(qkv.shape())
            )));
        }
        let qkv = first_rows(qkv, total)?;
        let kind = config.kind;
        let heads = |heads: i64| empty(kind, &[total, heads, config.key_dim]);
        let last = match &config.rope_factors {
            Some(factors) => factors.clone().into(),
            None => Value::int(i64::from(config.rope == Rope::Normal)),
        };
        let args = vec![
            qkv.into(),
            batch.positions.clone().into(),
            heads(config.query_heads)?.into(),
            heads(config.kv_heads)?.into(),
            heads(config.kv_heads)?.into(),
            last,
        ];
        let mut args = call(&self.functions.split_rotary, args)?;
        let [q, k, v] = [2, 3, 4].map(|at| returned(&mut args, at));
        let (q, k, v) = (q?, k?, v?);
        let first = self.batch()?.append_first;
        if first {
            self.append(call, at, vec![k.clone(), v.clone()])?;
        }
        let output = self.attend(call, at, &q, &k, &v, scale)?;
        if !first {
            self.append(call, at, vec![k, v])?;
        }
        Ok(output)
    }

    /// Attends to the keys and values of this round, and to those stored in a layer.
    pub fn shared(
        &mut self,
        call: &mut Caller<'_>,
        layer: i64,
        [q, k, v]: [&Tensor; 3],
        scale: f64,
    ) -> RunResult<Tensor> {
        let at = self.takes(layer, &[q, k, v], true)?;
        self.must_have_rows(&[q, k, v])?;
        self.attend(call, at, q, k, v, scale)
    }

    pub fn append_latent(
        &mut self,
        call: &mut Caller<'_>,
        layer: i64,
        kv: &Tensor,
    ) -> RunResult<()> {
        let at = self.takes(layer, &[kv], false)?;
        if self.config.layers[at] != Attention::Latent {
            return Err(RunError::argument(format!(
                "layer {layer} keeps keys and values, not latent vectors (MLA)"
            )));
        }
        self.append(call, at, vec![kv.clone()])
    }

    fn append(&mut self, call: &mut Caller<'_>, at: usize, data: Vec<Tensor>) -> RunResult<()> {
        let places = self.batch()?.places_tensor.clone();
        let function = match data.len() {
            1 => &self.functions.append_latent,
            _ => &self.functions.append,
        };
        let pages = std::mem::take(&mut self.pages[at]);
        let data = data.into_iter().map(Value::from);
        let args = std::iter::once(pages).chain(data).chain([places.into()]);
        let mut args = call(function, args.collect())?;
        self.pages[at] = returned(&mut args, 0)?.into();
        Ok(())
    }

    fn attend(
        &self,
        call: &mut Caller<'_>,
        at: usize,
        q: &Tensor,
        k: &Tensor,
        v: &Tensor,
        scale: f64,
    ) -> RunResult<Tensor> {
        let slides = self.config.layers[at] == Attention::Window;
        let (own, causal) = if self.batch()?.append_first {
            (None, false)
        } else {
            let own = self.self_attention(call, q, k, v, scale, self.config.rope)?;
            (Some(own), slides)
        };
        let output = self.attend_pages(call, at, q, scale, own, causal)?;
        let output = output.ok_or_else(|| RunError::argument("there is nothing to attend to"))?;
        Ok(output.values)
    }

    /// Attends to the keys and values of this round. Those of latent layers have no rotary embedding.
    pub fn attend_round(
        &self,
        call: &mut Caller<'_>,
        layer: i64,
        [q, k, v]: [&Tensor; 3],
        scale: f64,
    ) -> RunResult<Output> {
        let at = self.takes(layer, &[q, k, v], false)?;
        self.must_have_rows(&[q, k, v])?;
        let rope = match self.config.layers[at] {
            Attention::Latent => Rope::None,
            Attention::Heads | Attention::Window => self.config.rope,
        };
        self.self_attention(call, q, k, v, scale, rope)
    }

    /// Attends to the stored keys and values. Returns nothing if there are none.
    pub fn cross(
        &self,
        call: &mut Caller<'_>,
        layer: i64,
        q: &Tensor,
        scale: f64,
    ) -> RunResult<Option<Output>> {
        let at = self.takes(layer, &[q], false)?;
        self.must_have_rows(&[q])?;
        match self.config.layers[at] {
            Attention::Latent => self.kept_latent(call, at, q, scale),
            Attention::Heads | Attention::Window => {
                self.attend_pages(call, at, q, scale, None, false)
            }
        }
    }

    fn must_have_rows(&self, tensors: &[&Tensor]) -> RunResult<()> {
        let total = self.batch()?.total;
        for tensor in tensors {
            if tensor.ndim() != 3 || tensor.shape()[0] as i64 != total {
                return Err(RunError::shape(format!(
                    "a round of {total} tokens is given {}",
                    Value::Tensor((*tensor).clone()).describe()
                )));
            }
        }
        Ok(())
    }

    fn self_attention(
        &self,
        call: &mut Caller<'_>,
        q: &Tensor,
        k: &Tensor,
        v: &Tensor,
        scale: f64,
        rope: Rope,
    ) -> RunResult<Output> {
        let batch = self.batch()?;
        let starts = Value::from(batch.starts_tensor.clone());
        let width = v.shape().get(2).map_or(0, |&width| width as i64);
        let values = empty(q.kind(), &[batch.total, self.config.query_heads, width])?;
        let mut args: Vec<Value> = vec![
            q.clone().into(),
            starts.clone(),
            k.clone().into(),
            v.clone().into(),
            starts,
            batch.positions.clone().into(),
        ];
        let own = (self.config.rope_scale, self.config.rope_theta);
        let function = match &batch.masks[0] {
            None => {
                args.push(batch.first_positions.clone().into());
                &self.functions.ragged
            }
            Some(mask) => {
                args.extend([mask.starts.clone().into(), mask.spans.clone().into()]);
                &self.functions.tree_ragged
            }
        };
        let at = args.len();
        args.extend([values.into(), self.lse()?.into()]);
        if batch.masks[0].is_none() {
            args.push(Value::int(1));
        }
        args.extend(rotary(rope, own, scale));
        if self.functions.take_depth && batch.masks[0].is_some() {
            args.push(Value::int(batch.ids.len() as i64));
        }
        output(call, function, args, at)
    }

    /// Attends to the pages of each depth, and merges the results into the given one.
    fn attend_pages(
        &self,
        call: &mut Caller<'_>,
        at: usize,
        q: &Tensor,
        scale: f64,
        mut merged: Option<Output>,
        causal: bool,
    ) -> RunResult<Option<Output>> {
        let batch = self.batch()?;
        let slides = self.config.layers[at] == Attention::Window;
        for (depth, it) in batch.depths.iter().enumerate() {
            if it.pages.numbers.is_empty() {
                continue;
            }
            let (pages, rope) = match it.window.as_ref().filter(|_| slides) {
                Some(window) => (window, WINDOW_ROPE),
                None => (&it.pages, (self.config.rope_scale, self.config.rope_theta)),
            };
            let own_window = slides || self.config.slides;
            let functions = &self.functions;
            let mask = batch.masks[depth].as_ref().filter(|_| batch.append_first);
            let decodes = it.decodes && mask.is_none();
            let function = match (mask.is_some(), decodes, own_window) {
                (true, ..) => &functions.tree_paged,
                (false, true, false) => &functions.decode,
                (false, true, true) => &functions.decode_window,
                (false, false, false) => &functions.prefill,
                (false, false, true) => &functions.prefill_window,
            };
            let mut args: Vec<Value> = Vec::new();
            if functions.take_depth {
                args.push(Value::int(depth as i64));
            }
            args.push(q.clone().into());
            if !decodes {
                args.push(it.starts.clone().into());
            }
            args.extend(self.tables(at, pages));
            args.extend([
                pages.positions.clone().into(),
                batch.positions.clone().into(),
            ]);
            let out = args.len();
            args.extend(self.outputs(q)?);
            if !decodes && mask.is_none() {
                args.push(Value::int(i64::from(causal)));
            }
            args.extend(rotary(self.config.rope, rope, scale));
            if let Some(mask) = mask {
                args.extend([mask.starts.clone().into(), mask.spans.clone().into()]);
            }
            let part = output(call, function, args, out)?;
            merged = Some(self.merge(call, merged, part)?);
        }
        Ok(merged)
    }

    fn kept_latent(
        &self,
        call: &mut Caller<'_>,
        at: usize,
        q: &Tensor,
        scale: f64,
    ) -> RunResult<Option<Output>> {
        let mut merged = None;
        for it in &self.batch()?.depths {
            if it.pages.numbers.is_empty() {
                continue;
            }
            let Depth { starts, pages, .. } = it;
            let mut args: Vec<Value> = vec![q.clone().into(), starts.clone().into()];
            args.extend(self.tables(at, pages));
            let out = args.len();
            args.extend(self.outputs(q)?);
            args.extend([Value::int(0), Value::float(scale)]);
            let part = output(call, &self.functions.latent, args, out)?;
            merged = Some(self.merge(call, merged, part)?);
        }
        Ok(merged)
    }

    fn tables(&self, at: usize, pages: &Pages) -> [Value; 4] {
        [
            self.pages[at].clone(),
            pages.starts.clone().into(),
            pages.numbers.clone().into(),
            pages.lengths.clone().into(),
        ]
    }

    /// Allocates the outputs of attention.
    fn outputs(&self, q: &Tensor) -> RunResult<[Value; 2]> {
        let config = &self.config;
        let dims = [self.batch()?.total, config.query_heads, config.value_dim];
        Ok([empty(q.kind(), &dims)?.into(), self.lse()?.into()])
    }

    fn merge(
        &self,
        call: &mut Caller<'_>,
        merged: Option<Output>,
        part: Output,
    ) -> RunResult<Output> {
        match merged {
            None => Ok(part),
            Some(merged) => self.merge_by(call, 0, merged, part),
        }
    }

    /// Merges two results with a function of the program.
    pub fn merge_by(
        &self,
        call: &mut Caller<'_>,
        function: usize,
        into: Output,
        part: Output,
    ) -> RunResult<Output> {
        let function = self.functions.merge.get(function);
        let args = [into.values, into.lse, part.values, part.lse];
        output(
            call,
            function.unwrap_or(&Value::Null),
            args.map(Value::from).into(),
            0,
        )
    }
}

fn rotary(rope: Rope, (rope_scale, theta): (f64, f64), scale: f64) -> [Value; 4] {
    [
        Value::int(i64::from(rope == Rope::Inline)),
        Value::float(rope_scale),
        Value::float(theta),
        Value::float(scale),
    ]
}

fn empty(kind: Kind, dims: &[i64]) -> RunResult<Tensor> {
    let dims: Vec<usize> = dims.iter().map(|&dim| dim.max(0) as usize).collect();
    Tensor::zeros(kind, &dims)
}

/// Calls a function that writes a result of attention to two consecutive arguments.
fn output(
    call: &mut Caller<'_>,
    function: &Value,
    args: Vec<Value>,
    at: usize,
) -> RunResult<Output> {
    let mut args = call(function, args)?;
    Ok(Output {
        values: returned(&mut args, at)?,
        lse: returned(&mut args, at + 1)?,
    })
}

fn first_rows(tensor: &Tensor, rows: i64) -> RunResult<Tensor> {
    let mut shape = tensor.shape().to_vec();
    match shape.first_mut() {
        Some(first) if *first as i64 != rows => *first = rows.max(0) as usize,
        _ => return Ok(tensor.clone()),
    }
    tensor.fitted(&shape)
}
