//! What the metadata of a text holds: constants and variables that the text names `meta[KEY][INDEX]`.
//!
//! The block is a graph of nodes as JSON, with the tensors in base64. Only what the language needs is read.

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
    /// What stands under each key, in order.
    entries: FxHashMap<SmolStr, Vec<Entry>>,
    /// Whether the block was read. Where there is none, Python may hand the entries over.
    is_read: bool,
}

impl PartialEq for Metadata {
    /// An edit leaves most metadata where it is, and constants may be large.
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
    /// A node of another kind than its key says.
    Misplaced,
    Other,
}

/// What a reference stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Referent {
    Constant(Arc<Constant>),
    /// Something that is no tensor, or that is not read.
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

    pub fn referent(&self, reference: &MetaRef) -> Referent {
        match self.entry(reference) {
            Some(Entry::Constant(it)) => Referent::Constant(Arc::clone(it)),
            Some(Entry::Misplaced) => Referent::Missing,
            None if self.is_read => Referent::Missing,
            Some(_) | None => Referent::Other,
        }
    }

    /// The type of a constant.
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

    /// The value of an attribute.
    pub fn value(&self, reference: &MetaRef) -> Value {
        match self.entry(reference) {
            Some(Entry::Int(value)) => Value::Int(*value),
            _ => Value::Opaque,
        }
    }

    /// The record of attributes of a call.
    pub fn attributes(&self, reference: &MetaRef) -> Option<Vec<(SmolStr, Value)>> {
        match self.entry(reference) {
            Some(Entry::Attributes(attrs)) => Some(attrs.clone()),
            _ => None,
        }
    }

    /// The name of a variable, with its number if others have the name too.
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

/// The number of a node: TVM writes it as a number or as text.
fn index(value: &Json) -> Option<usize> {
    match value {
        Json::String(text) => text.parse().ok(),
        value => usize::try_from(value.as_u64()?).ok(),
    }
}

/// The integer of a node.
fn int(node: &Json) -> Option<i64> {
    let value = node.get("attrs").and_then(|it| it.get("value"));
    let value = value.or_else(|| node.get("repr_str"))?;
    value.as_str()?.parse().ok()
}

/// Attributes by their names. Lists are nodes of their own; other values are not read, since the block does not tell
/// the number of a node from a number.
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

/// A string, which may be a node of its own.
fn text_of<'a>(value: &'a Json, nodes: &'a [Json]) -> Option<&'a str> {
    let node = index(value).and_then(|it| nodes.get(it));
    let named = node.and_then(|it| it.get("repr_str"));
    named.unwrap_or(value).as_str()
}
