//! Hashes of rows: including everything that they depend on, and by themselves.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::{FunctionForm, Row, RowKind, Token};

/// Returns the hash of something that is compared literally.
pub(crate) fn word(what: impl Hash) -> u64 {
    mix(FxBuildHasher.hash_one(what))
}

/// Combines hashes in order.
pub(crate) fn fold(hash: u64, next: u64) -> u64 {
    mix(hash.rotate_left(5) ^ next)
}

/// Mixes the bits (the finalizer of SplitMix64).
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Stands for what a hash omits.
const ANY: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hashes of the rows of a function.
pub(crate) struct Hashes {
    /// Includes everything that the row depends on, down to the parameters: equal rows of equal functions have equal
    /// hashes.
    pub deep: Vec<u64>,
    /// Excludes the rows that it refers to.
    pub own: Vec<u64>,
}

impl Hashes {
    pub fn of(function: &FunctionForm, callee: &dyn Fn(u32) -> u64) -> Hashes {
        let count = function.rows.len();
        let mut hashes = Hashes {
            deep: Vec::with_capacity(count),
            own: Vec::with_capacity(count),
        };
        let mut params = 0u64;
        for (at, row) in (0..).zip(&function.rows) {
            let (mut deep, mut own) = (
                start(row, row.kind),
                start(row, without_allocation(row.kind)),
            );
            if row.kind == RowKind::Parameter {
                params += 1;
                deep = fold(deep, params);
            }
            for token in function.tokens(at) {
                let (below, alone) = match *token {
                    Token::Word(word) => (word, word),
                    // The outputs of a block come after it.
                    Token::Row { row, .. } if row >= at => (ANY, ANY),
                    Token::Row { row, nth } => {
                        (fold(hashes.deep[row as usize], u64::from(nth)), ANY)
                    }
                    Token::Sym(sym) if sym < function.signature_syms => (word(sym), ANY),
                    Token::Sym(_) => (ANY, ANY),
                    Token::Callee(at) => (callee(at), callee(at)),
                };
                deep = fold(deep, below);
                own = fold(own, alone);
            }
            hashes.deep.push(deep);
            hashes.own.push(own);
        }
        hashes
    }

    /// Returns a hash of the whole function, independent of the order of free rows.
    pub fn function_hash(&self, function: &FunctionForm) -> u64 {
        let (mut ordered, mut free) = (word(function.kind as u8), 0u64);
        for (row, &hash) in function.rows.iter().zip(&self.deep) {
            if row.kind == RowKind::Region {
                // Equal functions may declare none.
                continue;
            }
            if row.is_free {
                free = free.wrapping_add(hash);
            } else {
                ordered = fold(ordered, hash);
            }
        }
        fold(ordered, free)
    }

    /// Returns a hash of a row and of the rows that it refers to.
    pub fn neighbourhood(&self, function: &FunctionForm, row: u32) -> u64 {
        let operands = function.operands(row).map(|it| self.own[it as usize]);
        operands.fold(self.own[row as usize], fold)
    }
}

fn start(row: &Row, kind: RowKind) -> u64 {
    match kind {
        RowKind::Attribute => word((kind, row.name.as_str())),
        kind => word(kind),
    }
}

/// Ignores whether a buffer is a parameter or allocated.
fn without_allocation(kind: RowKind) -> RowKind {
    match kind {
        RowKind::Buffer => RowKind::Parameter,
        kind => kind,
    }
}
