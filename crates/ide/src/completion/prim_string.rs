//! Completes strings in PrimFuncs: names of blocks, kinds of axes, and annotations that TVM interprets.

use hir::prim_facts::PrimDefKind;
use relax::dtype;
use relax::script::{self, Entry, Marked};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::SyntaxKind;

use super::Site;
use super::document::mark_key;
use super::item::{Completion, CompletionKind, Items, rank};
use crate::callee::{Callee, param_at, param_of};
use crate::cursor::Open;

/// Common vector lengths.
const LANES: &[u16] = &[2, 4, 8, 16, 32, 64];
/// The number of dtypes in the list that are common in vectors.
const OF_VECTORS: usize = 12;
/// The maximum number of axes for which all mixed kinds are offered.
const MAX_MIXED: usize = 4;
/// The number of bytes on each side of the cursor that are searched for blocks.
const NEARBY: usize = 1 << 18;
/// The text before the name of a block, in both `T.block` and `T.sblock`.
const BLOCK: &str = "block(\"";
/// Common names of blocks.
const USUAL_BLOCKS: &[&str] = &["root", "update", "init"];

impl Site<'_, '_> {
    /// Completes strings that only PrimFuncs have. Returns `false` if the cursor is in another string.
    pub(super) fn prim_strings(self, items: &mut Items) -> bool {
        let Some((open, within)) = self.cursor.call() else {
            return false;
        };
        let Some(Callee::Entry(path, entry)) = self.scope.callee(open) else {
            return false;
        };
        if let Some(of) = self.marked(open, entry) {
            self.marks(of, items);
            return true;
        }
        let first = !within && param_of(&entry.params(), open) == Some(0);
        match path.rest.as_str() {
            "axis.remap" if first => self.axis_kinds(items),
            "block" | "sblock" if first => self.block_names(items),
            _ => return false,
        }
        true
    }

    /// Returns what an annotation key at the cursor annotates.
    fn marked(self, open: &Open, entry: &Entry) -> Option<Marked> {
        let param = param_at(entry, open)?.name;
        let of = Marked::by(entry.name, param)?;
        let innermost = self.cursor.open.first()?;
        let in_dict = innermost.bracket == SyntaxKind::L_BRACE && !innermost.current().colon;
        let is_key = in_dict || param == "attr_key" && innermost.is_call();
        is_key.then_some(of)
    }

    fn marks(self, of: Marked, items: &mut Items) {
        let release = self.scope.release();
        for (order, mark) in script::marks_of(of, release).enumerate() {
            let item = Completion::new(mark.key, CompletionKind::Constant);
            let item = item.detail(mark.doc).rank(rank::FITS).order(order);
            items.push(item.doc(mark_key(of, mark.key, release)));
        }
    }

    /// In `vi, vj, vk = T.axis.remap("SSR", ...)`: offers a letter for each name on the left.
    fn axis_kinds(self, items: &mut Items) {
        let line = self.scope.text.get(usize::from(self.cursor.line.start)..);
        let targets = line
            .and_then(|line| line.split_once('='))
            .map_or("", |it| it.0);
        let names: Vec<&str> = targets.split(',').map(str::trim).collect();
        let names: Vec<&str> = names.into_iter().filter(|it| !it.is_empty()).collect();
        // An axis called `k` is most often reduced over.
        let letter = |name: &&str| {
            let name = name.strip_prefix('v').unwrap_or(name).trim_matches('_');
            if name.starts_with(['k', 'r']) {
                'R'
            } else {
                'S'
            }
        };
        let likely: String = names.iter().map(letter).collect();
        let count = names.len().max(1);
        let reduced_last = (0..=count).map(|r| "S".repeat(count - r) + &"R".repeat(r));
        let mixed = (0..1_usize << count.min(MAX_MIXED)).filter(|_| count <= MAX_MIXED);
        let mixed = mixed.map(|bits| {
            let letter = |at| if bits >> at & 1 == 1 { 'R' } else { 'S' };
            (0..count).rev().map(letter).collect()
        });
        let all = std::iter::once(likely).chain(reduced_last).chain(mixed);
        for (order, kinds) in all.filter(|kinds| !kinds.is_empty()).enumerate() {
            if !items.contains(&kinds) {
                let item = Completion::new(kinds, CompletionKind::Constant);
                items.push(item.rank(rank::FITS).order(order));
            }
        }
    }

    /// Offers names of blocks elsewhere in the file, and buffers that no block is named after yet.
    fn block_names(self, items: &mut Items) {
        let function = self.scope.function;
        let facts = function.map(|function| hir::function_prim_facts(self.scope.db, function));
        let defs = || facts.iter().flat_map(|facts| &facts.defs);
        let typed = self
            .cursor
            .string
            .map(|range| self.scope.relative(range.start()));
        let blocks = defs().filter(|def| matches!(def.kind, PrimDefKind::Block(_)));
        let others =
            blocks.filter(|def| typed.is_none_or(|at| !def.name_range.contains_inclusive(at)));
        let used: FxHashSet<&str> = others.map(|def| def.name.as_str()).collect();
        let buffers = defs().filter(|def| matches!(def.kind, PrimDefKind::Buffer(_)));
        let buffers = buffers.map(|def| def.name.as_str());
        let names = buffers
            .chain(self.blocks_nearby())
            .chain(USUAL_BLOCKS.iter().copied());
        for (order, name) in names.filter(|name| !used.contains(name)).enumerate() {
            if !items.contains(name) {
                let item = Completion::new(name, CompletionKind::Constant);
                items.push(item.rank(rank::FITS).order(order));
            }
        }
    }

    /// Searches the text only, without analysing the other functions.
    fn blocks_nearby(&self) -> impl Iterator<Item = &str> {
        let (text, at) = (self.scope.text, usize::from(self.cursor.offset));
        let start = text.floor_char_boundary(at.saturating_sub(NEARBY));
        let end = text.floor_char_boundary(at.saturating_add(NEARBY));
        let nearby = &text[start..end];
        let opened = nearby.match_indices(BLOCK);
        opened.filter_map(move |(found, _)| {
            let name = nearby[found + BLOCK.len()..].split('"').next()?;
            let scope = start + found + BLOCK.len();
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            let typed = (scope..=scope + name.len()).contains(&at);
            (!typed && !name.is_empty() && name.chars().all(is_name)).then_some(name)
        })
    }

    /// Adds vector dtypes, after the dtypes of their elements, and pointers.
    pub(super) fn vector_names(items: &mut Items) {
        let handle = Completion::new("handle", CompletionKind::DType);
        items.push(handle.rank(rank::OTHER));
        let elements = dtype::NAMES
            .iter()
            .take(OF_VECTORS)
            .filter(|name| **name != "bool");
        let vectors =
            elements.flat_map(|name| LANES.iter().map(move |lanes| format!("{name}x{lanes}")));
        for (order, name) in vectors.enumerate() {
            let item = Completion::new(SmolStr::from(name), CompletionKind::DType);
            items.push(item.rank(rank::RARE).order(order));
        }
    }
}
