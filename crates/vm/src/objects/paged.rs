//! The paged KV cache of attention: keys and values of several sequences, in pages of equal size.
//!
//! A sequence is a chain of blocks with pages. Forked sequences share the blocks before the fork. A round is
//! `begin_forward`, then the attention of each layer, then `end_forward`. Attention is computed by functions of the
//! program; their arguments follow TVM's convention.

mod attention;
mod batch;
mod blocks;
mod inspect;
mod sequences;
mod tree;

use rustc_hash::FxHashMap;

use super::counted;
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;
pub use attention::Output;
use batch::Batch;
use blocks::Blocks;
use sequences::Sequence;

/// What a layer stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Keys and values of each head.
    Heads,
    /// One latent vector for all heads.
    Latent,
    /// Keys and values of each head. Attention only sees a sliding window.
    Window,
}

/// When the rotary embedding is applied to queries and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rope {
    None,
    /// Before keys are stored.
    Normal,
    /// Inside attention.
    Inline,
}

#[derive(Debug)]
pub struct Config {
    pub page_size: i64,
    /// The number of the first layer in this cache.
    pub first_layer: i64,
    /// What each layer stores.
    pub layers: Vec<Attention>,
    pub query_heads: i64,
    pub kv_heads: i64,
    pub key_dim: i64,
    pub value_dim: i64,
    pub pages: i64,
    pub slides: bool,
    pub layer_window: i64,
    pub rope: Rope,
    pub rope_scale: f64,
    pub rope_theta: f64,
    pub rope_factors: Option<Tensor>,
    pub kind: Kind,
}

/// The attention functions of the program. Each may be missing.
#[derive(Debug, Default)]
pub struct Functions {
    pub append: Value,
    pub append_latent: Value,
    pub ragged: Value,
    pub prefill: Value,
    pub decode: Value,
    pub prefill_window: Value,
    pub decode_window: Value,
    pub tree_paged: Value,
    pub tree_ragged: Value,
    pub latent: Value,
    /// Functions that merge results: the one for paged attention, then the general one.
    pub merge: Vec<Value>,
    pub split_rotary: Value,
    pub copy_page: Value,
    pub debug_get: Value,
    pub compact_copy: Value,
    /// `true` if functions over pages take the depth as their first argument, as in TVM 0.19.
    pub take_depth: bool,
}

#[derive(Debug)]
pub struct Cache {
    config: Config,
    functions: Functions,
    /// The pages of each layer, as a tensor. It is moved out while a function writes to it.
    pages: Vec<Value>,
    blocks: Blocks,
    sequences: FxHashMap<i64, Sequence>,
    batch: Option<Batch>,
}

impl Cache {
    pub fn new(mut config: Config, functions: Functions) -> RunResult<Cache> {
        let sizes = [
            config.page_size,
            config.kv_heads,
            config.key_dim,
            config.query_heads,
        ];
        if sizes.iter().any(|&size| size < 1) {
            return Err(RunError::argument(
                "page size, heads and their features must be positive",
            ));
        }
        let has = |kind: Attention| config.layers.contains(&kind);
        if has(Attention::Latent) && config.slides {
            return Err(RunError::unsupported(
                "latent attention (MLA) has no sliding window",
            ));
        }
        if config.slides && config.rope != Rope::None {
            config.rope = Rope::Inline;
        }
        // Sliding windows of layers replace those of sequences.
        config.slides &= !has(Attention::Window);
        if config.rope_factors.is_some() && config.rope != Rope::Normal {
            return Err(RunError::argument(
                "factors of the rotary embedding need its normal mode",
            ));
        }
        let mut cache = Cache {
            pages: Vec::with_capacity(config.layers.len()),
            blocks: Blocks::new(config.pages),
            config,
            functions,
            sequences: FxHashMap::default(),
            batch: None,
        };
        for at in 0..cache.config.layers.len() {
            let pages = Tensor::zeros(cache.config.kind, &cache.page_shape(at)?)?;
            cache.pages.push(pages.into());
        }
        Ok(cache)
    }

    fn page_shape(&self, layer: usize) -> RunResult<Vec<usize>> {
        let it = &self.config;
        let dims = match it.layers.get(layer) {
            Some(Attention::Latent) => vec![it.pages, it.page_size, it.key_dim],
            _ => vec![it.pages, 2, it.kv_heads, it.page_size, it.key_dim],
        };
        dims.into_iter()
            .map(|dim| {
                usize::try_from(dim)
                    .map_err(|_| RunError::shape(format!("a cache has no dimension {dim}")))
            })
            .collect()
    }

    pub fn clear(&mut self) {
        self.blocks = Blocks::new(self.config.pages);
        self.sequences.clear();
        self.batch = None;
    }

    pub fn is_empty(&self) -> bool {
        self.sequences.is_empty() && self.blocks.are_all_free()
    }

    pub fn free_pages(&self) -> usize {
        self.blocks.free_pages()
    }

    /// Returns the total number of tokens of all sequences.
    pub fn tokens(&self) -> i64 {
        self.sequences.values().map(|sequence| sequence.len).sum()
    }

    fn sequence(&self, id: i64) -> RunResult<&Sequence> {
        self.sequences.get(&id).ok_or_else(|| unknown(id))
    }

    fn sequence_mut(&mut self, id: i64) -> RunResult<&mut Sequence> {
        self.sequences.get_mut(&id).ok_or_else(|| unknown(id))
    }

    fn batch(&self) -> RunResult<&Batch> {
        self.batch.as_ref().ok_or_else(|| {
            RunError::argument(
                "`vm.builtin.kv_state_begin_forward` must name the sequences before attention",
            )
        })
    }

    pub fn describe(&self) -> String {
        format!(
            "KV cache of {}, {}, {}",
            counted(self.config.layers.len(), "layer"),
            counted(self.sequences.len(), "sequence"),
            counted(usize::try_from(self.tokens()).unwrap_or(0), "token"),
        )
    }
}

fn unknown(id: i64) -> RunError {
    RunError::argument(format!("the cache has no sequence {id}"))
}
