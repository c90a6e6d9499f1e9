//! A round: the sequences of a batch, the number of tokens appended to each, and the page tables that attention reads.
//!
//! Sequences that share blocks are read together: the first blocks of all chains form one depth, all later blocks
//! another, each with its own tables.

use super::Cache;
use super::tree::{Mask, Tree};
use crate::error::{RunError, RunResult};
use crate::objects::ints;
use crate::objects::paged::sequences::uncommitted;
use crate::tensor::Tensor;

/// The number of depths with their own tables.
pub(super) const DEPTHS: usize = 2;

/// Blocks that at least this many sequences share are read once by prefill instead of by decode.
const MOST_SHARED: f64 = 32.0;

#[derive(Debug)]
pub(super) struct Batch {
    pub ids: Vec<i64>,
    pub lengths: Vec<i64>,
    pub total: i64,
    /// Whether keys and values are stored before or after attention reads them.
    pub append_first: bool,
    pub depths: Vec<Depth>,
    pub masks: Vec<Option<Mask>>,
    /// The start of each sequence's tokens.
    pub starts: Vec<i32>,
    pub starts_tensor: Tensor,
    /// The positions of the first tokens.
    pub first_positions: Tensor,
    pub positions: Tensor,
    /// The position of each token in the cache; -1 if it is not stored.
    pub places: Vec<i32>,
    pub places_tensor: Tensor,
}

/// The tables of one depth.
#[derive(Debug)]
pub(super) struct Depth {
    pub decodes: bool,
    pub starts: Tensor,
    pub pages: Pages,
    /// The page table for layers with a sliding window.
    pub window: Option<Pages>,
}

#[derive(Debug)]
pub(super) struct Pages {
    pub starts: Tensor,
    pub numbers: Tensor,
    /// The number of tokens in the last page; with sliding windows also the offsets of windows and the numbers of sink
    /// tokens.
    pub lengths: Tensor,
    pub positions: Tensor,
}

/// The blocks of the sequences of a batch.
pub(super) struct OnDepths {
    /// For each depth, the block of each sequence.
    blocks: Vec<Vec<Option<usize>>>,
    /// For each sequence, the blocks after the last depth.
    trailing: Vec<Vec<usize>>,
}

impl OnDepths {
    pub fn depths(&self) -> usize {
        self.blocks.len()
    }

    /// Returns `true` if the last block of a sequence is read at this depth.
    pub fn is_last(&self, depth: usize, sequence: usize, last: usize) -> bool {
        self.blocks[depth][sequence] == Some(last)
            || depth + 1 == DEPTHS && !self.trailing[sequence].is_empty()
    }
}

/// Sequences that read one block together, and the number of tokens appended to them.
#[derive(Clone, Copy)]
struct Chunk {
    block: Option<usize>,
    length: i64,
}

impl Cache {
    pub fn begin(&mut self, ids: &[i64], lengths: &[i64], tree: Option<&[i64]>) -> RunResult<()> {
        if ids.len() != lengths.len() || ids.is_empty() {
            return Err(RunError::argument(format!(
                "a round needs sequences and as many lengths, not {} and {}",
                ids.len(),
                lengths.len()
            )));
        }
        if let Some(length) = lengths.iter().find(|&&length| length < 1) {
            return Err(RunError::argument(format!(
                "{length} tokens cannot be appended to a sequence"
            )));
        }
        let mut before = Vec::with_capacity(ids.len());
        let mut first_positions = Vec::with_capacity(ids.len());
        for (&id, &length) in ids.iter().zip(lengths) {
            let sequence = self.sequence_mut(id)?;
            let open = if sequence.tree.committed {
                0
            } else {
                sequence.tree.parents.len() as i64
            };
            first_positions.push((sequence.len - open) as i32);
            sequence.len += length;
            let last = sequence.last;
            before.push(self.blocks[last].len);
        }
        let decodes = lengths.iter().all(|&length| length == 1);
        let on = self.on_depths(ids)?;
        let chunks: Vec<(Vec<Chunk>, bool)> = (0..on.depths())
            .map(|depth| self.chunks(&on.blocks[depth], lengths, depth + 1 != DEPTHS, decodes))
            .collect();
        let mut append_first =
            !self.config.slides && chunks.last().is_some_and(|(_, decodes)| *decodes);
        for &id in ids {
            append_first |= !self.sequence(id)?.tree.committed;
        }
        let masks = match tree {
            Some(parents) => {
                self.may_plant()?;
                self.plant(ids, lengths, parents, &on, append_first)?
            }
            None => {
                for &id in ids {
                    let tree = &mut self.sequence_mut(id)?.tree;
                    if !tree.committed {
                        return Err(uncommitted(id));
                    }
                    *tree = Tree::default();
                }
                (0..DEPTHS).map(|_| None).collect()
            }
        };
        if append_first {
            self.reserve_all(ids, lengths)?;
        }
        let mut depths = Vec::with_capacity(chunks.len());
        for (depth, (chunks, decodes)) in chunks.iter().enumerate() {
            depths.push(self.depth(depth, chunks, *decodes, &on)?);
        }
        if !append_first {
            self.reserve_all(ids, lengths)?;
        }
        let mut starts = vec![0];
        let (mut positions, mut places) = (Vec::new(), Vec::new());
        for (at, (&id, &length)) in ids.iter().zip(lengths).enumerate() {
            let (first, before) = (first_positions[at], before[at]);
            self.positions(id, length, first, &mut positions)?;
            self.places(id, length, before, &mut places)?;
            starts.push(places.len() as i32);
        }
        self.batch = Some(Batch {
            ids: ids.to_vec(),
            lengths: lengths.to_vec(),
            total: lengths.iter().sum(),
            append_first,
            depths,
            masks,
            starts_tensor: ints(&starts)?,
            starts,
            first_positions: ints(&first_positions)?,
            positions: ints(&positions)?,
            places_tensor: ints(&places)?,
            places,
        });
        Ok(())
    }

    fn may_plant(&self) -> RunResult<()> {
        let config = &self.config;
        let refused = if config.layers.first() == Some(&super::Attention::Latent) {
            "latent attention (MLA)"
        } else if config.slides {
            "a sliding window"
        } else if config.rope == super::Rope::Inline {
            "a rotary embedding within attention"
        } else {
            return Ok(());
        };
        Err(RunError::unsupported(format!(
            "token trees do not go with {refused}"
        )))
    }

    fn reserve_all(&mut self, ids: &[i64], lengths: &[i64]) -> RunResult<()> {
        for (&id, &length) in ids.iter().zip(lengths) {
            self.reserve(id, length)?;
        }
        Ok(())
    }

    fn on_depths(&self, ids: &[i64]) -> RunResult<OnDepths> {
        let mut chains = Vec::with_capacity(ids.len());
        for &id in ids {
            chains.push(self.blocks.chain(self.sequence(id)?.last));
        }
        let most = chains.iter().map(Vec::len).max().unwrap_or(0).min(DEPTHS);
        Ok(OnDepths {
            blocks: (0..most)
                .map(|depth| chains.iter().map(|it| it.get(depth).copied()).collect())
                .collect(),
            trailing: chains
                .iter()
                .map(|it| it.get(DEPTHS..).unwrap_or_default().to_vec())
                .collect(),
        })
    }

    /// Returns the sequences of a depth, grouped by shared blocks if that saves enough, and whether decode reads them.
    fn chunks(
        &self,
        blocks: &[Option<usize>],
        lengths: &[i64],
        may_join: bool,
        decodes: bool,
    ) -> (Vec<Chunk>, bool) {
        let each = blocks.iter().zip(lengths);
        let single: Vec<Chunk> = each
            .map(|(&block, &length)| Chunk { block, length })
            .collect();
        let mut joined: Vec<Chunk> = Vec::with_capacity(single.len());
        for chunk in &single {
            match joined.last_mut() {
                Some(last) if last.block == chunk.block => last.length += chunk.length,
                _ => joined.push(*chunk),
            }
        }
        let pages = |chunks: &[Chunk]| -> usize {
            let blocks = chunks.iter().filter_map(|chunk| chunk.block);
            blocks.map(|block| self.blocks[block].pages.len()).sum()
        };
        let (all, apart) = (pages(&single), pages(&joined));
        let shared = if apart > 0 {
            all as f64 / apart as f64
        } else {
            0.0
        };
        let decodes = decodes && shared < MOST_SHARED;
        let chunks = if decodes || !may_join { single } else { joined };
        (chunks, decodes)
    }

    fn depth(
        &self,
        depth: usize,
        chunks: &[Chunk],
        decodes: bool,
        on: &OnDepths,
    ) -> RunResult<Depth> {
        let page_size = self.config.page_size;
        let layers_slide = self.config.layers.contains(&super::Attention::Window);
        let mut starts = vec![0];
        let (mut plain, mut window) = (Table::default(), Table::default());
        for (at, chunk) in chunks.iter().enumerate() {
            starts.push(starts[at] + chunk.length as i32);
            let Some(block) = chunk.block else {
                plain.push(&[], Lengths::default());
                window.push(&[], Lengths::default());
                continue;
            };
            let mut blocks = vec![block];
            if depth + 1 == DEPTHS {
                blocks.extend(&on.trailing[at]);
            }
            let mut pages = Vec::new();
            let mut len = 0;
            for &block in &blocks {
                pages.extend_from_slice(&self.blocks[block].pages);
                len += self.blocks[block].len;
            }
            let first = &self.blocks[block];
            let last = &self.blocks[blocks[blocks.len() - 1]];
            let (offset, count) = self.layer_window(len);
            let lengths = Lengths {
                last_page: last.last_page(len, page_size),
                offset: if layers_slide { offset } else { last.offset },
                sink: last.sink,
                position: first.start,
            };
            plain.push(&pages, lengths);
            let seen = pages.len() - count.min(pages.len());
            let position = (first.start + len - self.config.layer_window).max(0);
            window.push(
                &pages[seen..],
                Lengths {
                    position,
                    ..lengths
                },
            );
        }
        Ok(Depth {
            decodes,
            starts: ints(&starts)?,
            pages: plain.finish(self.config.slides)?,
            window: layers_slide.then(|| window.finish(true)).transpose()?,
        })
    }

    /// Returns the start of a layer's window in its first page, and the number of its pages.
    fn layer_window(&self, len: i64) -> (i64, usize) {
        let (page_size, window) = (self.config.page_size, self.config.layer_window);
        if len == 0 {
            return (0, 0);
        }
        let offset = if len <= window {
            0
        } else {
            (len - window) % page_size
        };
        let pages = (offset + len.min(window) + page_size - 1) / page_size;
        (offset, usize::try_from(pages).unwrap_or(0))
    }

    fn positions(&self, id: i64, length: i64, first: i32, out: &mut Vec<i32>) -> RunResult<()> {
        let tree = &self.sequence(id)?.tree;
        if tree.depths.is_empty() {
            out.extend((0..length as i32).map(|at| first + at));
            return Ok(());
        }
        let before = tree.depths.len() - (length as usize).min(tree.depths.len());
        out.extend(
            tree.depths[before..]
                .iter()
                .map(|&depth| first + depth as i32),
        );
        Ok(())
    }

    fn places(&self, id: i64, length: i64, before: i64, out: &mut Vec<i32>) -> RunResult<()> {
        let page_size = self.config.page_size;
        let block = &self.blocks[self.sequence(id)?.last];
        for at in 0..length {
            let in_block = block.len - length + at;
            out.push(if before + at < block.sink {
                block.place_at(before + at, page_size)?
            } else if in_block < block.sink {
                // This token has already slid out.
                -1
            } else {
                block.place_at(in_block - block.sink + block.offset, page_size)?
            });
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Default)]
struct Lengths {
    last_page: i64,
    offset: i64,
    sink: i64,
    position: i64,
}

struct Table {
    starts: Vec<i32>,
    pages: Vec<i32>,
    lengths: [Vec<i32>; 3],
    positions: Vec<i32>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            starts: vec![0],
            pages: Vec::new(),
            lengths: Default::default(),
            positions: Vec::new(),
        }
    }
}

impl Table {
    fn push(&mut self, pages: &[i32], lengths: Lengths) {
        self.pages.extend_from_slice(pages);
        self.starts.push(self.pages.len() as i32);
        let values = [lengths.last_page, lengths.offset, lengths.sink];
        for (row, value) in self.lengths.iter_mut().zip(values) {
            row.push(value as i32);
        }
        self.positions.push(lengths.position as i32);
    }

    fn finish(self, slides: bool) -> RunResult<Pages> {
        let count = self.positions.len();
        Ok(Pages {
            starts: ints(&self.starts)?,
            numbers: ints(&self.pages)?,
            lengths: if slides {
                Tensor::from_vec(&[3, count], self.lengths.concat())?
            } else {
                ints(&self.lengths[0])?
            },
            positions: ints(&self.positions)?,
        })
    }
}
