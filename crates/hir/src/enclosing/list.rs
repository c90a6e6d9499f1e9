//! Lists, dicts and texts that Python code makes, none of them larger than a reader can want.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use relax::parts::{Part, Parts, Weight};
use relax::value::Value;

use super::PyValue;

/// Bytes of a text that is put together.
const LONGEST_TEXT: usize = 1 << 16;

/// A list or a tuple.
#[derive(Debug)]
pub struct PyList {
    parts: Parts<PyValue>,
    inside: OnceLock<Value>,
}

impl PyList {
    /// What it stands for inside of a function, made once.
    pub(crate) fn inside(&self, make: impl FnOnce(&[PyValue]) -> Value) -> &Value {
        self.inside.get_or_init(|| make(&self.parts))
    }
}

impl Deref for PyList {
    type Target = [PyValue];

    fn deref(&self) -> &[PyValue] {
        &self.parts
    }
}

impl PartialEq for PyList {
    fn eq(&self, other: &PyList) -> bool {
        self.parts == other.parts
    }
}

impl Part for PyValue {
    fn weight(&self) -> Weight {
        match self {
            PyValue::List(items) => items.parts.weight(),
            PyValue::Dict(entries) => entries.weight(),
            _ => Weight::ONE,
        }
    }
}

impl PyValue {
    /// A list of these, unless it is too large.
    pub fn list(items: impl Into<Arc<[PyValue]>>) -> PyValue {
        let parts = Parts::new(items);
        if !parts.weight().fits() {
            return PyValue::Unknown;
        }
        PyValue::List(Arc::new(PyList {
            parts,
            inside: OnceLock::new(),
        }))
    }

    /// A dict of these, unless it is too large.
    pub fn dict(entries: impl Into<Arc<[(PyValue, PyValue)]>>) -> PyValue {
        let parts = Parts::new(entries);
        if parts.weight().fits() {
            PyValue::Dict(parts)
        } else {
            PyValue::Unknown
        }
    }

    /// A text that was put together, unless it is too long.
    pub fn text(text: String) -> PyValue {
        if text.len() <= LONGEST_TEXT {
            PyValue::Str(text.into())
        } else {
            PyValue::Unknown
        }
    }

    /// What it takes to read or copy all of the value.
    pub(crate) fn cost(&self) -> usize {
        match self {
            PyValue::Str(text) | PyValue::Path(text) => 1 + text.len() / 8,
            _ => self.weight().parts as usize,
        }
    }
}
