//! What the metadata of a text holds: constants and variables that the text names `meta[KEY][INDEX]`.
//!
//! The block is a graph of nodes as JSON, with the tensors in base64. Only what the language needs is read.

mod json;
mod tensors;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use relax::relay::{Dim, Type, Value};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::body::MetaRef;
use json::Json;
pub use tensors::Constant;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// What stands under each key, in order.
    entries: FxHashMap<SmolStr, Vec<Entry>>,
    /// Whether the block could not be read, so that nothing is known of it.
    is_broken: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Constant(Arc<Constant>),
    /// A variable of a shape.
    Var(SmolStr),
    Int(i64),
    /// The attributes of an operator.
    Attributes(Vec<(SmolStr, Value)>),
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
            let root = Json::parse(text)?;
            let nodes = root.get("nodes")?.items()?;
            let tensors = root.get("b64ndarrays").and_then(Json::items).unwrap_or(&[]);
            let node = |at: usize| nodes.get(at);
            let map = node(root.get("root")?.index()?)?;
            let keys = map.get("keys")?.items()?;
            for (key, list) in keys.iter().zip(map.get("data")?.items()?) {
                let list = node(list.index()?)?.get("data")?.items()?;
                let read = list.iter().map(|it| {
                    let entry = it.index().and_then(node);
                    entry.map_or(Entry::Other, |it| entry_of(it, nodes, tensors))
                });
                entries.insert(key.text()?.into(), read.collect::<Vec<_>>());
            }
            Some(())
        };
        let is_broken = { read }().is_none();
        Metadata { entries, is_broken }
    }

    pub fn referent(&self, reference: &MetaRef) -> Referent {
        if self.is_broken {
            return Referent::Other;
        }
        match self.entry(reference) {
            Some(Entry::Constant(it)) => Referent::Constant(Arc::clone(it)),
            Some(_) => Referent::Other,
            None => Referent::Missing,
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
            Some(Entry::Var(name)) => Dim::Var(name.clone()),
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

    fn entry(&self, reference: &MetaRef) -> Option<&Entry> {
        self.entries
            .get(&reference.key)?
            .get(reference.index? as usize)
    }
}

fn entry_of(node: &Json, nodes: &[Json], tensors: &[Json]) -> Entry {
    let attr = |name: &str| node.get("attrs").and_then(|it| it.get(name));
    let constant = || {
        let tensor = tensors.get(attr("data")?.index()?)?.text()?;
        Constant::read(tensor).map(|it| Entry::Constant(Arc::new(it)))
    };
    let kind = node.get("type_key").and_then(Json::text);
    let entry = match kind {
        Some("relay.Constant") => constant(),
        Some("tir.Var" | "tir.SizeVar") => {
            let name = attr("name").and_then(Json::text);
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

/// The integer of a node.
fn int(node: &Json) -> Option<i64> {
    let value = node.get("attrs").and_then(|it| it.get("value"));
    let value = value.or_else(|| node.get("repr_str"))?;
    value.text()?.parse().ok()
}

/// Attributes by their names. Lists are nodes of their own; other values are not read, since the block does not tell
/// the number of a node from a number.
fn attributes(attrs: &Json, nodes: &[Json]) -> Vec<(SmolStr, Value)> {
    let list = |value: &Json| -> Option<Value> {
        let items = nodes.get(value.index()?)?.get("data")?.items()?;
        let int_at = |it: &Json| nodes.get(it.index()?).and_then(int).map(Value::Int);
        let ints: Option<Vec<Value>> = items.iter().map(int_at).collect();
        ints.map(Value::List)
    };
    let Json::Map(entries) = attrs else {
        return Vec::new();
    };
    let read = entries.iter().map(|(name, value)| {
        let value = list(value).unwrap_or(Value::Opaque);
        (SmolStr::from(name.as_str()), value)
    });
    read.collect()
}
