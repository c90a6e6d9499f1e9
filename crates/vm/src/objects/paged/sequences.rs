//! Sequences: adding, removing, forking, shortening and sliding them.

use super::blocks::BORROWED;
use super::tree::Tree;
use super::{Cache, unknown};
use crate::error::{RunError, RunResult};
use crate::objects::{Caller, returned};
use crate::value::Value;

#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The last block.
    pub last: usize,
    pub len: i64,
    /// The maximum number of tokens, if the sequence slides.
    pub window: Option<i64>,
    /// The number of tokens in the last block that do not slide out.
    pub sink: i64,
    /// The tree of the tokens that were appended last.
    pub tree: Tree,
}

impl Cache {
    /// Adds a sequence that ends in a block.
    fn insert(&mut self, id: i64, last: usize) {
        self.blocks[last].users += 1;
        let chain = self.blocks.chain(last);
        let sequence = Sequence {
            last,
            len: chain.iter().map(|&at| self.blocks[at].len).sum(),
            window: None,
            sink: 0,
            tree: Tree::default(),
        };
        self.sequences.insert(id, sequence);
    }

    pub fn add(&mut self, id: i64) -> RunResult<()> {
        self.must_be_new(id)?;
        let block = self.blocks.take();
        self.insert(id, block);
        Ok(())
    }

    fn must_be_new(&self, id: i64) -> RunResult<()> {
        if self.sequences.contains_key(&id) {
            return Err(RunError::argument(format!(
                "the cache already has a sequence {id}"
            )));
        }
        Ok(())
    }

    pub fn remove(&mut self, id: i64) -> RunResult<()> {
        let sequence = self.sequences.remove(&id).ok_or_else(|| unknown(id))?;
        let mut at = Some(sequence.last);
        while let Some(block) = at.filter(|&block| self.blocks[block].users == 1) {
            at = self.blocks.leave(block);
        }
        if let Some(block) = at {
            self.blocks[block].users -= 1;
        }
        Ok(())
    }

    /// Makes `child` start with the tokens of `parent`, up to a position or all of them.
    pub fn fork(
        &mut self,
        call: &mut Caller<'_>,
        parent: i64,
        child: i64,
        position: Option<i64>,
    ) -> RunResult<()> {
        self.must_be_new(child)?;
        let block = self.branch(call, parent, position)?;
        self.insert(child, block);
        Ok(())
    }

    /// Returns a block that follows the tokens of a sequence, up to a position or all of them.
    fn branch(
        &mut self,
        call: &mut Caller<'_>,
        parent: i64,
        position: Option<i64>,
    ) -> RunResult<usize> {
        let from = self.sequence(parent)?.clone();
        let position = position.unwrap_or(from.len);
        if !(0..=from.len).contains(&position) {
            return Err(RunError::argument(format!(
                "sequence {parent} has {} tokens, so it cannot be forked at {position}",
                from.len
            )));
        }
        if !from.tree.committed {
            return Err(uncommitted(parent));
        }
        if from.window.is_some() {
            let kept = from.len - self.blocks[from.last].len + from.sink;
            if position > kept {
                return Err(RunError::argument(format!(
                    "sequence {parent} slides, so it can be forked within its first {kept} tokens, not at {position}"
                )));
            }
        }
        let page_size = self.config.page_size;
        let at_end = position == from.len && position % page_size == 0;
        if at_end && self.blocks[from.last].len > 0 {
            // Tokens that are appended to the parent later go to a new block.
            let block = self.blocks.take();
            self.blocks[block].start = from.len;
            self.blocks[block].parent = Some(from.last);
            self.blocks[block].users = 1;
            self.sequence_mut(parent)?.last = block;
        }
        let block = self.blocks.take();
        let last = self.sequence(parent)?.last;
        let mut offset = position;
        for forked in self.blocks.chain(last) {
            if forked != last && self.blocks[forked].len <= offset {
                offset -= self.blocks[forked].len;
                continue;
            }
            let in_page = offset % page_size;
            self.split(parent, forked, block, offset - in_page)?;
            self.blocks[block].start = position - in_page;
            self.blocks[block].len = in_page;
            if in_page > 0 {
                let source = self.blocks[forked].pages.first().copied();
                let source = source.ok_or_else(|| RunError::argument("a token has no page"))?;
                let target = self.blocks.take_page()?;
                self.blocks[block].pages.push(target);
                self.copy_page(call, source, target, in_page)?;
            }
            break;
        }
        Ok(block)
    }

    /// Splits a block after the forked tokens, which are whole pages, and links a new block to the first part.
    fn split(&mut self, parent: i64, forked: usize, child: usize, moved: i64) -> RunResult<()> {
        let before = self.blocks[forked].parent;
        let pages = usize::try_from(moved / self.config.page_size).unwrap_or(0);
        if pages == 0 {
            if let Some(before) = before {
                self.blocks[before].users += 1;
            }
            self.blocks[child].parent = before;
            return Ok(());
        }
        let shared = self.blocks.take();
        let block = &mut self.blocks[forked];
        let kept: Vec<i32> = block.pages.drain(..pages.min(block.pages.len())).collect();
        let start = block.start;
        block.start += moved;
        block.len -= moved;
        block.parent = Some(shared);
        self.blocks[child].parent = Some(shared);
        let block = &mut self.blocks[shared];
        block.pages = kept;
        block.start = start;
        block.len = moved;
        block.parent = before;
        block.users = 2;
        let sequence = self.sequence_mut(parent)?;
        if sequence.window.is_some() && sequence.last == forked {
            sequence.sink -= moved;
        }
        Ok(())
    }

    fn copy_page(
        &mut self,
        call: &mut Caller<'_>,
        source: i32,
        target: i32,
        len: i64,
    ) -> RunResult<()> {
        for at in 0..self.pages.len() {
            let pages = std::mem::take(&mut self.pages[at]);
            let numbers = [i64::from(source), i64::from(target), len].map(Value::int);
            let args = std::iter::once(pages).chain(numbers).collect();
            let mut args = call(&self.functions.copy_page, args)?;
            self.pages[at] = returned(&mut args, 0)?.into();
        }
        Ok(())
    }

    /// Limits a sequence to a number of tokens and always keeps its first tokens.
    pub fn slide(&mut self, id: i64, window: i64, sink: i64) -> RunResult<()> {
        let layers_slide = self.config.layers.contains(&super::Attention::Window);
        if !self.config.slides && !layers_slide {
            return Err(RunError::argument(
                "the cache is made without sliding windows",
            ));
        }
        if !(0..window).contains(&sink) {
            return Err(RunError::argument(format!(
                "a window of {window} tokens cannot keep the first {sink} for ever"
            )));
        }
        let sequence = self.sequence(id)?;
        if sequence.window.is_some() {
            return Err(RunError::argument(format!(
                "sequence {id} already has a sliding window"
            )));
        }
        // Blocks before the last one do not slide.
        let before = sequence.len - self.blocks[sequence.last].len;
        let sequence = self.sequence_mut(id)?;
        sequence.sink = (sink - before).max(0);
        sequence.window = Some(window);
        Ok(())
    }

    /// Removes the last tokens of a sequence.
    pub fn pop(&mut self, call: &mut Caller<'_>, id: i64, count: i64) -> RunResult<()> {
        let (mut at, len) = {
            let sequence = self.sequence(id)?;
            (sequence.last, sequence.len)
        };
        if !(0..=len).contains(&count) {
            return Err(RunError::argument(format!(
                "sequence {id} has {len} tokens, so {count} cannot be taken off"
            )));
        }
        let mut left = count;
        while left > 0 && self.blocks[at].users == 1 {
            let block_len = self.blocks[at].len;
            if left > block_len
                && let Some(parent) = self.blocks[at].parent
            {
                left -= block_len;
                self.blocks.leave(at);
                at = parent;
                let sequence = self.sequence_mut(id)?;
                sequence.last = at;
                sequence.len -= block_len;
                continue;
            }
            let page_size = self.config.page_size;
            let pages = (block_len - left + page_size - 1) / page_size;
            while self.blocks[at].pages.len() as i64 > pages {
                if let Some(page) = self.blocks[at].pages.pop() {
                    self.blocks.leave_page(page);
                }
            }
            self.blocks[at].len -= left;
            self.sequence_mut(id)?.len -= left;
            left = 0;
        }
        if left > 0 {
            // The remaining block is shared, so replace the sequence with a fork of itself.
            let position = self.sequence(id)?.len - left;
            let block = self.branch(call, id, Some(position))?;
            self.remove(id)?;
            self.insert(id, block);
        }
        Ok(())
    }

    /// Makes room for tokens at the end of a sequence, and lets others slide out.
    pub(super) fn reserve(&mut self, id: i64, count: i64) -> RunResult<()> {
        let sequence = self.sequence(id)?;
        let (last, may_borrow) = (
            sequence.last,
            sequence.window.is_some() && self.config.slides,
        );
        if count < 1 {
            return Err(RunError::argument(format!(
                "{count} tokens cannot be appended to sequence {id}"
            )));
        }
        let block = &self.blocks[last];
        if block.users != 1 {
            return Err(RunError::argument(format!(
                "the end of sequence {id} is shared with a fork, so nothing can be appended to it"
            )));
        }
        let page_size = self.config.page_size;
        let end = block.len - block.sink + block.offset + count;
        let pages = (end + page_size - 1) / page_size;
        while (self.blocks[last].pages.len() as i64) < pages {
            let page = if may_borrow && self.blocks.free_pages() == 0 {
                BORROWED
            } else {
                self.blocks.take_page()?
            };
            self.blocks[last].pages.push(page);
        }
        self.blocks[last].len += count;
        self.slide_out(id)?;
        for at in 0..self.blocks[last].pages.len() {
            if self.blocks[last].pages[at] == BORROWED {
                self.blocks[last].pages[at] = self.blocks.take_page()?;
            }
        }
        Ok(())
    }

    fn slide_out(&mut self, id: i64) -> RunResult<()> {
        let slides = self.config.slides;
        let sequence = self.sequence(id)?;
        let (last, len, sink) = (sequence.last, sequence.len, sequence.sink);
        let Some(window) = sequence.window.filter(|&window| slides && len > window) else {
            return Ok(());
        };
        let page_size = self.config.page_size;
        let out = len - window;
        let block = &mut self.blocks[last];
        if sink > 0 && block.sink == 0 {
            block.sink = sink;
            block.offset = sink;
        }
        let first = (block.sink + page_size - 1) / page_size;
        let mut page = (block.offset + out) / page_size;
        let in_page = (block.offset + out) % page_size;
        let mut left = Vec::new();
        while page > first {
            left.push(block.pages.remove(first as usize));
            page -= 1;
        }
        block.len -= out;
        block.offset = page * page_size + in_page;
        for page in left {
            self.blocks.leave_page(page);
        }
        self.sequence_mut(id)?.len = window;
        Ok(())
    }
}

pub(super) fn uncommitted(id: i64) -> RunError {
    RunError::argument(format!(
        "the token tree of sequence {id} is not committed: \
         `vm.builtin.attention_kv_cache_commit_accepted_token_tree_nodes` says which tokens stay"
    ))
}
