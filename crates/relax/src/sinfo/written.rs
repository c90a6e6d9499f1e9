//! Compares equal values by how they are written: `n * m` and `m * n` are the same dimension, but different texts.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::StructInfo;
use crate::value::Value;

/// A StructInfo that is only equal to another one if both are written the same way, for caching text to show.
#[derive(Clone, Debug, Default)]
pub struct AsWritten(pub StructInfo);

impl PartialEq for AsWritten {
    fn eq(&self, other: &AsWritten) -> bool {
        self.0 == other.0 && self.0.is_written_like(&other.0)
    }
}

impl Eq for AsWritten {}

impl Hash for AsWritten {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Deref for AsWritten {
    type Target = StructInfo;

    fn deref(&self) -> &StructInfo {
        &self.0
    }
}

impl StructInfo {
    /// Returns `true` if an equal StructInfo is written the same way.
    pub fn is_written_like(&self, other: &StructInfo) -> bool {
        if let (StructInfo::Tuple(a), StructInfo::Tuple(b)) = (self, other) {
            let mut pairs = a.iter().zip(b.iter());
            return a.is_same(b) || a.len() == b.len() && pairs.all(|(a, b)| a.is_written_like(b));
        }
        let dims = |sinfo: &StructInfo| {
            let mut dims = Vec::new();
            sinfo.for_each_dim(true, &mut |dim| {
                if dim.kind().is_some() {
                    dims.push(dim.clone());
                }
            });
            dims
        };
        let (ours, theirs) = (dims(self), dims(other));
        let mut pairs = ours.iter().zip(&theirs);
        ours.len() == theirs.len() && pairs.all(|(a, b)| a.is_written_like(b))
    }
}

impl Value {
    /// Returns `true` if an equal value is written the same way.
    pub fn is_written_like(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Sym(a), Value::Sym(b)) => a.is_written_like(b),
            (Value::List(a), Value::List(b)) => {
                a.iter().zip(b.iter()).all(|(a, b)| a.is_written_like(b))
            }
            (Value::Annotation(a), Value::Annotation(b)) => a.is_written_like(b),
            (a, b) => match (a.struct_info(), b.struct_info()) {
                (Some(a), Some(b)) => a.is_written_like(&b),
                _ => true,
            },
        }
    }
}
