//! Blocks: runs of pages, each linked to the previous block.

use crate::error::{RunError, RunResult};

/// A placeholder for a page that exists only until the window slides.
pub(super) const BORROWED: i32 = -1;

#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub pages: Vec<i32>,
    pub len: i64,
    /// The position of its first token.
    pub start: i64,
    /// The number of tokens at its start that never slide out.
    pub sink: i64,
    /// The start of its window.
    pub offset: i64,
    pub parent: Option<usize>,
    /// The number of blocks that follow it and of sequences that end in it.
    pub users: usize,
}

impl Block {
    /// Returns the position in the cache of a token of the block.
    pub fn place(&self, token: i64, page_size: i64) -> RunResult<i32> {
        let at = if token < self.sink {
            token
        } else {
            token - self.sink + self.offset
        };
        self.place_at(at, page_size)
    }

    /// Returns the position in the cache for an offset from the start of the pages.
    pub fn place_at(&self, at: i64, page_size: i64) -> RunResult<i32> {
        let page = usize::try_from(at / page_size)
            .ok()
            .and_then(|page| self.pages.get(page));
        let page = page.ok_or_else(|| RunError::argument("a token has no page in the cache"))?;
        i32::try_from(i64::from(*page) * page_size + at % page_size)
            .map_err(|_| RunError::argument("the cache is larger than its positions can count"))
    }

    /// Returns the number of used tokens in the last page, given the total number.
    pub fn last_page(&self, len: i64, page_size: i64) -> i64 {
        if len == 0 {
            return 0;
        }
        (len - self.sink + self.offset - 1) % page_size + 1
    }
}

#[derive(Debug)]
pub(super) struct Blocks {
    all: Vec<Block>,
    free: Vec<usize>,
    free_pages: Vec<i32>,
    pages: usize,
}

impl Blocks {
    pub fn new(pages: i64) -> Blocks {
        let pages = i32::try_from(pages).unwrap_or(i32::MAX).max(0);
        Blocks {
            all: Vec::new(),
            free: Vec::new(),
            free_pages: (0..pages).rev().collect(),
            pages: pages as usize,
        }
    }

    pub fn are_all_free(&self) -> bool {
        self.free.len() == self.all.len() && self.free_pages.len() == self.pages
    }

    pub fn free_pages(&self) -> usize {
        self.free_pages.len()
    }

    pub fn take(&mut self) -> usize {
        if let Some(at) = self.free.pop() {
            self.all[at] = Block::default();
            return at;
        }
        self.all.push(Block::default());
        self.all.len() - 1
    }

    pub fn take_page(&mut self) -> RunResult<i32> {
        self.free_pages
            .pop()
            .ok_or_else(|| RunError::argument("the cache is full: it has no page left"))
    }

    pub fn leave_page(&mut self, page: i32) {
        if page != BORROWED {
            self.free_pages.push(page);
        }
    }

    /// Frees a block and its pages, and returns the previous block.
    pub fn leave(&mut self, at: usize) -> Option<usize> {
        for page in std::mem::take(&mut self.all[at].pages) {
            self.leave_page(page);
        }
        self.free.push(at);
        self.all[at].parent
    }

    /// Returns the chain of blocks that ends with a block, in order.
    pub fn chain(&self, last: usize) -> Vec<usize> {
        let mut chain = vec![last];
        while let Some(parent) = chain.last().and_then(|&at| self.all[at].parent) {
            chain.push(parent);
        }
        chain.reverse();
        chain
    }
}

impl std::ops::Index<usize> for Blocks {
    type Output = Block;

    fn index(&self, at: usize) -> &Block {
        &self.all[at]
    }
}

impl std::ops::IndexMut<usize> for Blocks {
    fn index_mut(&mut self, at: usize) -> &mut Block {
        &mut self.all[at]
    }
}
