//! Token trees, which speculative decoding appends: masks for attention, and accepting a branch.

use super::Cache;
use super::batch::{Batch, DEPTHS, OnDepths};
use crate::error::{RunError, RunResult};
use crate::objects::{Caller, ints, returned};
use crate::tensor::Tensor;
use crate::value::Value;

/// The maximum number of tokens in a tree.
const MOST_NODES: usize = 256;

#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The parent of each token; -1 for a root.
    pub parents: Vec<i64>,
    pub depths: Vec<i64>,
    pub is_chain: bool,
    /// `true` if the accepted tokens are already chosen.
    pub committed: bool,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            parents: Vec::new(),
            depths: Vec::new(),
            is_chain: true,
            committed: true,
        }
    }
}

/// The trees of the sequences whose last block is at one depth.
#[derive(Debug)]
pub(super) struct Mask {
    /// The start of each sequence's tokens.
    pub starts: Tensor,
    /// For each token, its preorder number and the number after its last descendant.
    pub spans: Tensor,
}

impl Cache {
    /// Adds the trees of a batch, and computes the mask of each depth that is not just chains.
    pub(super) fn plant(
        &mut self,
        ids: &[i64],
        lengths: &[i64],
        parents: &[i64],
        on: &OnDepths,
        append_first: bool,
    ) -> RunResult<Vec<Option<Mask>>> {
        let total: i64 = lengths.iter().sum();
        if total != parents.len() as i64 {
            return Err(RunError::argument(format!(
                "{total} tokens are appended, and the token tree has {}",
                parents.len()
            )));
        }
        let mut masks: Vec<Option<Mask>> = Vec::new();
        for depth in 0..on.depths() {
            // TVM only treats the last depth as a tree.
            masks.fill_with(|| None);
            let (mut starts, mut spans) = (vec![0], Vec::new());
            let mut is_chain = true;
            let mut taken = 0;
            for (at, (&id, &length)) in ids.iter().zip(lengths).enumerate() {
                let own = &parents[taken..taken + length as usize];
                taken += length as usize;
                let last = self.sequence(id)?.last;
                if append_first && !on.is_last(depth, at, last) {
                    starts.push(spans.len() as i32 / 2);
                    continue;
                }
                let len = self.blocks[last].len;
                let tree = &mut self.sequence_mut(id)?.tree;
                if tree.parents.len() as i64 > len {
                    return Err(RunError::argument(format!(
                        "the token tree of sequence {id} is longer than its last block"
                    )));
                }
                tree.parents.extend_from_slice(own);
                tree.grow(id)?;
                is_chain &= tree.is_chain;
                spans.extend(tree.spans());
                starts.push(spans.len() as i32 / 2);
            }
            let rows = spans.len() / 2;
            masks.push(if is_chain {
                None
            } else {
                Some(Mask {
                    starts: ints(&starts)?,
                    spans: Tensor::from_vec(&[rows, 2], spans)?,
                })
            });
            if !append_first {
                break;
            }
        }
        masks.resize_with(DEPTHS, || None);
        Ok(masks)
    }

    /// Keeps the path to one token of each tree, or no token.
    pub fn commit(&mut self, call: &mut Caller<'_>, ids: &[i64], leaves: &[i64]) -> RunResult<()> {
        if ids.len() != leaves.len() {
            return Err(RunError::argument(
                "each sequence whose tree is committed needs one accepted token",
            ));
        }
        let mut is_chain = true;
        for (&id, &leaf) in ids.iter().zip(leaves) {
            let tree = &self.sequence(id)?.tree;
            is_chain = tree.is_chain;
            if leaf != -1 && tree.committed {
                return Err(RunError::argument(format!(
                    "the token tree of sequence {id} is already committed"
                )));
            }
            if leaf < -1 || leaf >= tree.parents.len() as i64 {
                return Err(RunError::argument(format!(
                    "the token tree of sequence {id} has no token {leaf}"
                )));
            }
        }
        if !is_chain {
            self.compact(call, ids, leaves)?;
        }
        let lengths = self.batch()?.lengths.clone();
        let batch_ids = self.batch()?.ids.clone();
        for (at, (&id, &leaf)) in ids.iter().zip(leaves).enumerate() {
            let tree = &mut self.sequence_mut(id)?.tree;
            let kept = usize::try_from(leaf).map_or(0, |leaf| tree.depths[leaf] + 1);
            *tree = Tree::default();
            let (Some(&length), Some(&id)) = (lengths.get(at), batch_ids.get(at)) else {
                return Err(RunError::argument("a sequence is not in the batch"));
            };
            self.pop(call, id, length - kept)?;
        }
        Ok(())
    }

    /// Moves the keys and values of the accepted paths together.
    fn compact(&mut self, call: &mut Caller<'_>, ids: &[i64], leaves: &[i64]) -> RunResult<()> {
        let batch = self.batch()?;
        let (mut starts, mut from, mut to) = (vec![0], Vec::new(), Vec::new());
        for (at, (&id, &leaf)) in ids.iter().zip(leaves).enumerate() {
            if leaf != -1 {
                let tree = &self.sequence(id)?.tree;
                for (place, node) in tree.path(leaf).into_iter().enumerate() {
                    // A prefix that is already in place does not move.
                    if node == place as i64 && from.len() == starts[at] as usize {
                        continue;
                    }
                    from.push(batch.appended_to(at, node)?);
                    to.push(batch.appended_to(at, place as i64)?);
                }
            }
            starts.push(from.len() as i32);
        }
        let total = from.len();
        if total == 0 {
            return Ok(());
        }
        from.extend(to);
        let starts = ints(&starts)?;
        let places = Tensor::from_vec(&[2, total], from)?;
        let count = batch.ids.len() as i64;
        for at in 0..self.pages.len() {
            let args = vec![
                std::mem::take(&mut self.pages[at]),
                starts.clone().into(),
                places.clone().into(),
                Value::int(count),
            ];
            let mut args = call(&self.functions.compact_copy, args)?;
            self.pages[at] = returned(&mut args, 0)?.into();
        }
        Ok(())
    }
}

impl Tree {
    /// Adds the parents of new tokens.
    fn grow(&mut self, id: i64) -> RunResult<()> {
        if self.parents.len() > MOST_NODES {
            return Err(RunError::argument(format!(
                "the token tree of sequence {id} has {} tokens, and {MOST_NODES} are the most",
                self.parents.len()
            )));
        }
        self.is_chain = true;
        self.committed = false;
        self.depths.clear();
        for (node, &parent) in self.parents.iter().enumerate() {
            if parent < -1 || parent >= node as i64 {
                return Err(RunError::argument(format!(
                    "token {node} in the tree of sequence {id} cannot follow token {parent}"
                )));
            }
            self.is_chain &= parent == node as i64 - 1;
            let depth = usize::try_from(parent).map_or(0, |parent| self.depths[parent] + 1);
            self.depths.push(depth);
        }
        Ok(())
    }

    fn spans(&self) -> Vec<i32> {
        let count = self.parents.len();
        let mut below = vec![1; count];
        for node in (0..count).rev() {
            if let Ok(parent) = usize::try_from(self.parents[node]) {
                below[parent] += below[node];
            }
        }
        // The preorder number of the next child of each token, and of the next root.
        let mut next = vec![0; count];
        let mut roots = 0;
        let mut spans = Vec::with_capacity(count * 2);
        for node in 0..count {
            let slot = match usize::try_from(self.parents[node]) {
                Ok(parent) => &mut next[parent],
                Err(_) => &mut roots,
            };
            let start = *slot;
            *slot += below[node];
            next[node] = start + 1;
            spans.extend([start, start + below[node]]);
        }
        spans
    }

    /// Returns the tokens from a root to a leaf.
    fn path(&self, leaf: i64) -> Vec<i64> {
        let mut path = Vec::new();
        let mut node = leaf;
        while let Ok(at) = usize::try_from(node) {
            path.push(node);
            node = self.parents[at];
        }
        path.reverse();
        path
    }
}

impl Batch {
    /// Returns the position in the cache of a token that was appended in this round.
    fn appended_to(&self, sequence: usize, token: i64) -> RunResult<i32> {
        let start = self.starts.get(sequence).copied().map(i64::from);
        start
            .and_then(|start| usize::try_from(start + token).ok())
            .and_then(|at| self.places.get(at).copied())
            .ok_or_else(|| RunError::argument("a token of the tree is not in the batch"))
    }
}
