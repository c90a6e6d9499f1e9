//! The metadata of a text: the constants and variables that the text names `meta[KEY][INDEX]`.
//!
//! The block is a graph of nodes as JSON, with the tensors in base64. Only the parts that the language needs are read.

mod tensors;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use relax::relay::{Dim, Type, Value};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use smol_str::{SmolStr, format_smolstr};

use super::body::MetaRef;
pub use tensors::Constant;

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
    Attributes(Vec<(SmolStr, Value)>),
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
        let mut entries = FxHashMap::default();
        let read = || -> Option<()> {
            let root = serde_json::from_str::<Json>(text).ok()?;
            let nodes = root.get("nodes")?.as_array()?;
            let tensors = root.get("b64ndarrays").and_then(Json::as_array);
            let tensors = tensors.map_or(&[][..], Vec::as_slice);
            let node = |at: usize| nodes.get(at);
            let map = node(index(root.get("root")?)?)?;
            let keys = map.get("keys")?.as_array()?;
            for (key, list) in keys.iter().zip(map.get("data")?.as_array()?) {
                let list = node(index(list)?)?.get("data")?.as_array()?;
                let key = key.as_str()?;
                let read = list.iter().map(|it| {
                    let entry = index(it).and_then(node);
                    entry.map_or(Entry::Misplaced, |it| entry_of(key, it, nodes, tensors))
                });
                entries.insert(key.into(), read.collect::<Vec<_>>());
            }
            Some(())
        };
        let is_read = { read }().is_some();
        Metadata { entries, is_read }
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

    /// Returns the record of attributes of a call.
    pub fn attributes(&self, reference: &MetaRef) -> Option<Vec<(SmolStr, Value)>> {
        match self.entry(reference) {
            Some(Entry::Attributes(attrs)) => Some(attrs.clone()),
            _ => None,
        }
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

fn entry_of(key: &str, node: &Json, nodes: &[Json], tensors: &[Json]) -> Entry {
    let attr = |name: &str| node.get("attrs").and_then(|it| it.get(name));
    let constant = || {
        let tensor = tensors.get(index(attr("data")?)?)?.as_str()?;
        Constant::read(tensor).map(|it| Entry::Constant(Arc::new(it)))
    };
    let kind = node.get("type_key").and_then(Json::as_str);
    if kind.is_some_and(|kind| kind != key) {
        return Entry::Misplaced;
    }
    let entry = match kind {
        Some("relay.Constant") => constant(),
        Some("tir.Var" | "tir.SizeVar") => {
            let name = attr("name").and_then(|it| text_of(it, nodes));
            name.map(|it| Entry::Var(it.into()))
        }
        Some("IntImm" | "runtime.BoxInt") => int(node).map(Entry::Int),
        Some(kind) if kind.starts_with("relay.attrs.") => node
            .get("attrs")
            .map(|it| Entry::Attributes(attributes(it, nodes))),
        _ => None,
    };
    entry.unwrap_or(Entry::Other)
}

/// Returns the index of a node, which TVM writes as a number or as a string.
fn index(value: &Json) -> Option<usize> {
    match value {
        Json::String(text) => text.parse().ok(),
        value => usize::try_from(value.as_u64()?).ok(),
    }
}

/// Returns the integer of a node.
fn int(node: &Json) -> Option<i64> {
    let value = node.get("attrs").and_then(|it| it.get("value"));
    let value = value.or_else(|| node.get("repr_str"))?;
    value.as_str()?.parse().ok()
}

/// Returns the attributes by their names. Lists are nodes of their own. Other values are not read, since the block
/// does not distinguish the index of a node from a number.
fn attributes(attrs: &Json, nodes: &[Json]) -> Vec<(SmolStr, Value)> {
    let list = |value: &Json| -> Option<Value> {
        let items = nodes.get(index(value)?)?.get("data")?.as_array()?;
        let int_at = |it: &Json| nodes.get(index(it)?).and_then(int).map(Value::Int);
        let ints: Option<Vec<Value>> = items.iter().map(int_at).collect();
        ints.map(Value::List)
    };
    let entries = attrs.as_object().into_iter().flatten();
    let read = entries.map(|(name, value)| {
        let value = list(value).unwrap_or(Value::Opaque);
        (SmolStr::from(name.as_str()), value)
    });
    read.collect()
}

/// Returns a string, which may be a node of its own.
fn text_of<'a>(value: &'a Json, nodes: &'a [Json]) -> Option<&'a str> {
    let node = index(value).and_then(|it| nodes.get(it));
    let named = node.and_then(|it| it.get("repr_str"));
    named.unwrap_or(value).as_str()
}
