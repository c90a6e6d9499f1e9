//! The metadata of a text: what TVM prints as `metadata["ir.GenericConst"][0]`, and Relay as `meta[relay.Constant][0]`.
//!
//! TVM saves it as a graph of nodes in JSON, with the tensors in base64. Only the parts that the languages need are
//! read.

mod attributes;
mod graph;
mod tensors;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;

use relax::relay::ops::Entry as Operator;
use relax::relay::{Dim, Type, Value};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use attributes::RawAttribute;
use graph::Graph;
pub use tensors::{Constant, Statistics};

/// A key and an index, as in `metadata["ir.GenericConst"][0]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MetaRef {
    pub key: SmolStr,
    pub index: Option<u32>,
}

/// The keys of tensors in Relax, the newest first.
pub const CONSTANT_KEYS: [&str; 2] = ["ir.GenericConst", "relax.expr.Constant"];

/// TVM counts constants from 0. No program has this many.
const MOST_ENTRIES: usize = 1 << 20;

#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// The entries under each key, in order.
    entries: FxHashMap<SmolStr, Vec<Entry>>,
    /// Whether the block was read. Without a block, Python may pass the entries to the parser.
    is_read: bool,
}

impl PartialEq for Metadata {
    /// Compares by pointer first: an edit leaves most metadata in place, and constants may be large.
    fn eq(&self, other: &Metadata) -> bool {
        let is_same = || self.is_read == other.is_read && self.entries == other.entries;
        std::ptr::eq(self, other) || is_same()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Constant(Arc<Constant>),
    /// A variable of a shape.
    Var(SmolStr),
    Int(i64),
    /// The attributes of an operator.
    Attributes(Vec<(SmolStr, RawAttribute)>),
    /// A node whose kind differs from its key.
    Misplaced,
    Other,
}

/// The entry that a reference refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum Referent {
    Constant(Arc<Constant>),
    /// An entry that is not a tensor, or that was not read.
    Other,
    /// The metadata has no such entry.
    Missing,
}

impl Metadata {
    pub fn read(text: &str) -> Metadata {
        let entries = Graph::with(text, |graph| {
            let lists = graph.lists()?;
            let read = lists.into_iter().map(|(key, nodes)| {
                let entry = |at: &usize| entry_of(&key, *at, graph);
                let entries = nodes.iter().map(entry).collect();
                (key, entries)
            });
            Some(read.collect())
        });
        Metadata {
            is_read: entries.is_some(),
            entries: entries.unwrap_or_default(),
        }
    }

    /// Creates metadata from the types of constants, by their keys and indices.
    pub fn of_constants(constants: Vec<(MetaRef, Constant)>) -> Metadata {
        let mut metadata = Metadata::default();
        for (reference, constant) in constants {
            let index = reference.index.map(|it| it as usize);
            let Some(index) = index.filter(|it| *it < MOST_ENTRIES) else {
                continue;
            };
            let entries = metadata.entries.entry(reference.key).or_default();
            entries.resize(entries.len().max(index + 1), Entry::Other);
            entries[index] = Entry::Constant(Arc::new(constant));
        }
        metadata
    }

    /// Returns whether the text has a block of metadata that was read.
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    pub fn referent(&self, reference: &MetaRef) -> Referent {
        match self.entry(reference) {
            Some(Entry::Constant(it)) => Referent::Constant(Arc::clone(it)),
            Some(Entry::Misplaced) => Referent::Missing,
            None if self.is_read || !is_type_key(&reference.key) => Referent::Missing,
            Some(_) | None => Referent::Other,
        }
    }

    /// Returns the tensors under each key, with their indices.
    pub fn constants(&self) -> impl Iterator<Item = (MetaRef, &Arc<Constant>)> {
        self.entries.iter().flat_map(|(key, entries)| {
            entries.iter().enumerate().filter_map(|(at, entry)| {
                let Entry::Constant(constant) = entry else {
                    return None;
                };
                let reference = MetaRef {
                    key: key.clone(),
                    index: Some(at as u32),
                };
                Some((reference, constant))
            })
        })
    }

    /// Returns the type of a constant.
    pub fn ty(&self, reference: &MetaRef) -> Type {
        match self.referent(reference) {
            Referent::Constant(it) => it.ty(),
            Referent::Other | Referent::Missing => Type::Unknown,
        }
    }

    pub fn dim(&self, reference: &MetaRef) -> Dim {
        match self.entry(reference) {
            Some(Entry::Var(name)) => Dim::Var(self.var(reference, name)),
            Some(Entry::Int(value)) => Dim::Int(*value),
            _ => Dim::Any,
        }
    }

    /// Returns the value of an attribute.
    pub fn value(&self, reference: &MetaRef) -> Value {
        match self.entry(reference) {
            Some(Entry::Int(value)) => Value::Int(*value),
            _ => Value::Opaque,
        }
    }

    /// Returns the record of attributes of a call of `operator`, whose row says how to read them.
    pub fn attributes(
        &self,
        reference: &MetaRef,
        operator: Option<&Operator>,
    ) -> Option<Vec<(SmolStr, Value)>> {
        let Some(Entry::Attributes(attrs)) = self.entry(reference) else {
            return None;
        };
        let record = reference.key.as_str();
        let read = attrs.iter().map(|(name, raw)| {
            let kind = operator.and_then(|it| it.attr(name)).map(|it| it.kind);
            let value = kind.map_or(Value::Opaque, |kind| raw.value(record, name, kind));
            (name.clone(), value)
        });
        Some(read.collect())
    }

    /// Returns the name of a variable, with its number if others have the same name.
    fn var(&self, reference: &MetaRef, name: &SmolStr) -> SmolStr {
        let same = |it: &&Entry| matches!(it, Entry::Var(other) if other == name);
        let count = self.entries.values().flatten().filter(same).count();
        match reference.index {
            Some(index) if count > 1 => format_smolstr!("{name}_{index}"),
            _ => name.clone(),
        }
    }

    fn entry(&self, reference: &MetaRef) -> Option<&Entry> {
        self.entries
            .get(&reference.key)?
            .get(reference.index? as usize)
    }
}

/// Returns whether a key may be that of an object of TVM: these have a namespace, or begin with a capital.
fn is_type_key(key: &str) -> bool {
    key.is_empty() || key.contains('.') || key.starts_with(|it: char| it.is_ascii_uppercase())
}

fn entry_of(key: &str, node: usize, graph: &Graph<'_>) -> Entry {
    let Some(kind) = graph.kind(node) else {
        return Entry::Other;
    };
    if kind != key {
        return Entry::Misplaced;
    }
    let entry = match kind {
        "relay.Constant" | "relax.expr.Constant" | "ir.GenericConst" => {
            let tensor = graph.tensor(node);
            let constant = tensor.and_then(Constant::read);
            constant.map(|it| Entry::Constant(Arc::new(it)))
        }
        "tir.Var" | "tir.SizeVar" => {
            let name = graph.field(node, "name").and_then(|it| graph.text(it));
            name.map(|it| Entry::Var(it.into()))
        }
        "IntImm" | "ir.IntImm" | "runtime.BoxInt" => graph.int(node).map(Entry::Int),
        kind if kind.starts_with("relay.attrs.") => {
            Some(Entry::Attributes(attributes::read(graph, node)))
        }
        _ => None,
    };
    entry.unwrap_or(Entry::Other)
}
