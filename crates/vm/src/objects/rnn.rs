//! The state of recurrent layers: a history of states for each sequence, so that tokens can be taken back.

use rustc_hash::FxHashMap;

use super::{Caller, counted, ints, returned};
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

#[derive(Debug)]
pub struct State {
    /// The number of states kept for each sequence.
    history: usize,
    /// The initial states of a layer.
    init: Vec<Tensor>,
    /// The functions that read and write a state.
    get: Vec<Value>,
    set: Vec<Value>,
    /// For each layer and state, the slots of sequences with their histories.
    storage: Vec<Vec<Value>>,
    free: Vec<usize>,
    slots: usize,
    sequences: FxHashMap<i64, Sequence>,
    batch: Option<Batch>,
}

#[derive(Clone, Copy, Debug)]
struct Sequence {
    slot: usize,
    /// The index of the current state in the history.
    at: usize,
    /// The number of tokens that can be taken back.
    back: usize,
}

#[derive(Debug)]
struct Batch {
    ids: Vec<i64>,
    lengths: Vec<i64>,
    slots: Tensor,
    history: Tensor,
}

impl State {
    pub fn new(
        layers: usize,
        slots: usize,
        history: usize,
        [get, set]: [Vec<Value>; 2],
        init: Vec<Tensor>,
    ) -> RunResult<State> {
        if layers == 0 || slots == 0 || history == 0 || init.is_empty() {
            return Err(RunError::argument(
                "a state needs layers, sequences, a history and initial values",
            ));
        }
        if get.len() != init.len() || set.len() != init.len() {
            return Err(RunError::argument(format!(
                "{} states need as many functions that get and set them, not {} and {}",
                init.len(),
                get.len(),
                set.len()
            )));
        }
        let mut storage = Vec::with_capacity(layers);
        for _ in 0..layers {
            let states = init.iter().map(|init| {
                let shape: Vec<usize> = [slots, history]
                    .into_iter()
                    .chain(init.shape().iter().copied())
                    .collect();
                Tensor::zeros(init.kind(), &shape).map(Value::from)
            });
            storage.push(states.collect::<RunResult<Vec<_>>>()?);
        }
        Ok(State {
            history,
            init,
            get,
            set,
            storage,
            free: (0..slots).rev().collect(),
            slots,
            sequences: FxHashMap::default(),
            batch: None,
        })
    }

    pub fn clear(&mut self) {
        self.sequences.clear();
        self.free = (0..self.slots).rev().collect();
        self.batch = None;
    }

    fn sequence(&self, id: i64) -> RunResult<Sequence> {
        self.sequences
            .get(&id)
            .copied()
            .ok_or_else(|| RunError::argument(format!("the state has no sequence {id}")))
    }

    fn take_slot(&mut self, id: i64) -> RunResult<usize> {
        if self.sequences.contains_key(&id) {
            return Err(RunError::argument(format!(
                "the state already has a sequence {id}"
            )));
        }
        self.free.pop().ok_or_else(|| {
            RunError::argument(format!(
                "the state has room for {}",
                counted(self.slots, "sequence")
            ))
        })
    }

    pub fn add(&mut self, id: i64) -> RunResult<()> {
        let slot = self.take_slot(id)?;
        let sequence = Sequence {
            slot,
            at: 0,
            back: 0,
        };
        self.sequences.insert(id, sequence);
        for layer in &mut self.storage {
            for (state, init) in layer.iter_mut().zip(&self.init) {
                let start = slot * self.history * init.byte_len();
                write(state, start, &init.bytes()?)?;
            }
        }
        Ok(())
    }

    pub fn remove(&mut self, id: i64) -> RunResult<()> {
        let sequence = self.sequence(id)?;
        self.sequences.remove(&id);
        self.free.push(sequence.slot);
        Ok(())
    }

    pub fn fork(&mut self, parent: i64, child: i64) -> RunResult<()> {
        let from = self.sequence(parent)?;
        let slot = self.take_slot(child)?;
        self.sequences.insert(child, Sequence { slot, ..from });
        for layer in &mut self.storage {
            for (state, init) in layer.iter_mut().zip(&self.init) {
                let size = self.history * init.byte_len();
                let bytes = read(state, from.slot * size, size)?;
                write(state, slot * size, &bytes)?;
            }
        }
        Ok(())
    }

    pub fn pop(&mut self, id: i64, count: i64) -> RunResult<()> {
        let sequence = self.sequence(id)?;
        let back = usize::try_from(count).ok();
        let Some(back) = back.filter(|&back| back <= sequence.back) else {
            return Err(RunError::argument(format!(
                "{} of sequence {id} can be taken back, not {count}",
                counted(sequence.back, "token")
            )));
        };
        let popped = Sequence {
            at: (sequence.at + self.history - back) % self.history,
            back: sequence.back - back,
            ..sequence
        };
        self.sequences.insert(id, popped);
        Ok(())
    }

    pub fn begin(&mut self, ids: &[i64], lengths: &[i64], tree: Option<&[i64]>) -> RunResult<()> {
        if ids.len() != lengths.len() || ids.is_empty() {
            return Err(RunError::argument(format!(
                "a round needs sequences and as many lengths, not {} and {}",
                ids.len(),
                lengths.len()
            )));
        }
        let chain = lengths
            .iter()
            .flat_map(|&length| (0..length).map(|at| at - 1));
        if tree.is_some_and(|tree| !tree.iter().copied().eq(chain)) {
            return Err(RunError::unsupported(
                "a state of recurrent layers takes chains of tokens, not trees",
            ));
        }
        let (mut slots, mut history) = (Vec::new(), Vec::new());
        for &id in ids {
            let sequence = self.sequence(id)?;
            slots.push(sequence.slot as i32);
            history.push(sequence.at as i32);
        }
        self.batch = Some(Batch {
            ids: ids.to_vec(),
            lengths: lengths.to_vec(),
            slots: ints(&slots)?,
            history: ints(&history)?,
        });
        Ok(())
    }

    pub fn end(&mut self) -> RunResult<()> {
        let Some(batch) = self.batch.take() else {
            return Ok(());
        };
        for (&id, &length) in batch.ids.iter().zip(&batch.lengths) {
            let sequence = self.sequence(id)?;
            let next = Sequence {
                at: (sequence.at + 1) % self.history,
                back: match length {
                    ..=1 => (sequence.back + 1).min(self.history - 1),
                    _ => 0,
                },
                ..sequence
            };
            self.sequences.insert(id, next);
        }
        Ok(())
    }

    /// Gathers the states of the round's sequences into a new tensor.
    pub fn get(
        &self,
        call: &mut Caller<'_>,
        layer: i64,
        state: i64,
        out: Tensor,
    ) -> RunResult<Tensor> {
        let (layer, state) = self.place(layer, state)?;
        let batch = self.batch()?;
        let args = vec![
            self.storage[layer][state].clone(),
            batch.slots.clone().into(),
            batch.history.clone().into(),
            out.into(),
        ];
        returned(&mut call(&self.get[state], args)?, 3)
    }

    pub fn set(
        &mut self,
        call: &mut Caller<'_>,
        layer: i64,
        state: i64,
        data: &Tensor,
    ) -> RunResult<()> {
        let (layer, state) = self.place(layer, state)?;
        let batch = self.batch()?;
        let rest = [batch.slots.clone(), batch.history.clone(), data.clone()];
        let storage = std::mem::take(&mut self.storage[layer][state]);
        let args = std::iter::once(storage).chain(rest.map(Value::from));
        let mut args = call(&self.set[state], args.collect())?;
        self.storage[layer][state] = returned(&mut args, 0)?.into();
        Ok(())
    }

    /// Returns the current state of a sequence.
    pub fn read(&self, layer: i64, state: i64, id: i64) -> RunResult<Tensor> {
        let (layer, state) = self.place(layer, state)?;
        let sequence = self.sequence(id)?;
        let init = &self.init[state];
        let size = init.byte_len();
        let start = (sequence.slot * self.history + sequence.at) * size;
        let bytes = read(&self.storage[layer][state], start, size)?;
        Tensor::from_bytes(init.kind(), init.shape(), &bytes)
    }

    fn batch(&self) -> RunResult<&Batch> {
        self.batch.as_ref().ok_or_else(|| {
            RunError::argument(
                "`vm.builtin.kv_state_begin_forward` must name the sequences before a state is read",
            )
        })
    }

    fn place(&self, layer: i64, state: i64) -> RunResult<(usize, usize)> {
        let (at, of) = (usize::try_from(layer).ok(), usize::try_from(state).ok());
        match (at, of) {
            (Some(at), Some(of)) if at < self.storage.len() && of < self.init.len() => Ok((at, of)),
            _ => Err(RunError::argument(format!(
                "the model has {} layers of {} states, and no state {state} of layer {layer}",
                self.storage.len(),
                self.init.len()
            ))),
        }
    }

    pub fn describe(&self) -> String {
        format!(
            "state of {}, {}",
            counted(self.storage.len(), "layer"),
            counted(self.sequences.len(), "sequence")
        )
    }
}

fn read(state: &Value, start: usize, size: usize) -> RunResult<Vec<u8>> {
    let bytes = match state {
        Value::Tensor(tensor) => tensor.bytes()?,
        _ => return Err(RunError::argument("a state is in use")),
    };
    Ok(bytes[start..start + size].to_vec())
}

fn write(state: &mut Value, start: usize, bytes: &[u8]) -> RunResult<()> {
    match state {
        Value::Tensor(tensor) => {
            tensor.bytes_mut()?[start..start + bytes.len()].copy_from_slice(bytes);
            Ok(())
        }
        _ => Err(RunError::argument("a state is in use")),
    }
}
