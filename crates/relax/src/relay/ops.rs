//! The operators of Relay in TVM 0.19, one row each: inputs, attributes, and the type relation.
//!
//! Each family is a file with rows and relations. Rows are keyed by TVM's names.

mod annotate;
mod conv;
mod create;
mod dynamic;
mod elementwise;
mod image;
mod index;
mod join;
mod linear;
mod memory;
mod norm;
mod pool;
mod quantized;
mod random;
mod reduce;
mod reshape;
mod search;
mod slice;
mod sparse;
#[cfg(test)]
mod tests;
mod transform;
mod vision;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::attrs::{self, AttrDef};
use super::site::Relation;

/// One operator.
#[derive(Debug)]
pub struct Op {
    pub name: &'static str,
    /// The names of its inputs, separated by spaces.
    pub inputs: &'static str,
    pub attrs: &'static str,
    pub relation: Relation,
    /// The record of attributes that a call names with `attrs_type_key="..."`, if the operator has none.
    pub key: Option<&'static str>,
    /// `true` if it takes any number of inputs.
    pub is_variadic: bool,
}

/// A parsed row.
#[derive(Debug)]
pub struct Entry {
    pub op: &'static Op,
    pub inputs: Vec<&'static str>,
    pub attrs: Vec<AttrDef>,
}

const FAMILIES: &[&[Op]] = &[
    elementwise::OPS,
    reduce::OPS,
    transform::OPS,
    reshape::OPS,
    join::OPS,
    slice::OPS,
    create::OPS,
    index::OPS,
    search::OPS,
    linear::OPS,
    conv::OPS,
    pool::OPS,
    norm::OPS,
    image::OPS,
    vision::OPS,
    random::OPS,
    sparse::OPS,
    quantized::OPS,
    dynamic::OPS,
    annotate::OPS,
    memory::OPS,
];

static ENTRIES: LazyLock<FxHashMap<&'static str, Entry>> = LazyLock::new(|| {
    let ops = FAMILIES.iter().flat_map(|it| it.iter());
    ops.map(|op| {
        let entry = Entry {
            op,
            inputs: op.inputs.split_whitespace().collect(),
            attrs: attrs::parse(op.attrs),
        };
        (op.name, entry)
    })
    .collect()
});

/// Returns the operator with a name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ENTRIES.get(name)
}

/// Returns every operator, in no particular order.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.values()
}

impl Entry {
    pub fn attr(&self, name: &str) -> Option<&AttrDef> {
        self.attrs.iter().find(|it| it.name == name)
    }
}

const fn op(
    name: &'static str,
    inputs: &'static str,
    attrs: &'static str,
    relation: Relation,
) -> Op {
    Op {
        name,
        inputs,
        attrs,
        relation,
        key: None,
        is_variadic: false,
    }
}

impl Op {
    /// Sets the record of attributes that calls name.
    const fn keyed(mut self, key: &'static str) -> Op {
        self.key = Some(key);
        self
    }

    const fn variadic(mut self) -> Op {
        self.is_variadic = true;
        self
    }
}
