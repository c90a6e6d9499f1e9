//! Reads back the contents of a cache: positions of a round, keys and values of a sequence.

use super::{Attention, Cache};
use crate::error::{RunError, RunResult};
use crate::objects::{Caller, ints, returned};
use crate::tensor::Tensor;
use crate::value::Value;

impl Cache {
    /// Returns the position of each token of the round in its sequence.
    pub fn positions_of_round(&self) -> RunResult<Tensor> {
        Ok(self.batch()?.positions.clone())
    }

    /// Copies tokens of a sequence to tensors with a row for each layer: keys and values, or latent vectors.
    pub fn read(
        &self,
        call: &mut Caller<'_>,
        id: i64,
        tokens: std::ops::Range<i64>,
        mut data: Vec<Tensor>,
    ) -> RunResult<Vec<Tensor>> {
        let sequence = self.sequence(id)?;
        if tokens.start < 0 || tokens.end > sequence.len || tokens.is_empty() {
            return Err(RunError::argument(format!(
                "sequence {id} has {} tokens: {} to {} is out of range",
                sequence.len, tokens.start, tokens.end
            )));
        }
        let wanted = match data.len() {
            1 => Attention::Latent,
            _ => Attention::Heads,
        };
        if self.config.layers.iter().any(|&kind| kind != wanted) {
            return Err(RunError::argument(
                "a layer of the cache stores something else",
            ));
        }
        let mut places = Vec::new();
        for at in self.blocks.chain(sequence.last) {
            let block = &self.blocks[at];
            for token in 0..block.len {
                places.push(block.place(token, self.config.page_size)?);
            }
        }
        let range = tokens.start as usize..tokens.end as usize;
        let places = ints(places.get(range).unwrap_or_default())?;
        for (layer, pages) in self.pages.iter().enumerate() {
            let mut args = vec![pages.clone(), places.clone().into()];
            args.extend(data.drain(..).map(Value::from));
            let count = args.len();
            args.push(Value::int(layer as i64));
            let mut args = call(&self.functions.debug_get, args)?;
            for at in 2..count {
                data.push(returned(&mut args, at)?);
            }
        }
        Ok(data)
    }
}
