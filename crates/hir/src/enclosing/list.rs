//! Lists, dicts and strings that Python code creates, up to a maximum size.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use relax::parts::{Part, Parts, Weight};
use relax::value::Value;

use super::PyValue;

/// The maximum length of a concatenated string.
const LONGEST_TEXT: usize = 1 << 16;

/// A list or a tuple.
#[derive(Debug)]
pub struct PyList {
    parts: Parts<PyValue>,
    inside: OnceLock<Value>,
}

impl PyList {
    /// Returns its value inside a function, computed once.
    pub(crate) fn value_in_function(&self, make: impl FnOnce(&[PyValue]) -> Value) -> &Value {
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
    /// Returns a list of these items, unless it is too large.
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

    /// Returns a dict of these entries, unless it is too large.
    pub fn dict(entries: impl Into<Arc<[(PyValue, PyValue)]>>) -> PyValue {
        let parts = Parts::new(entries);
        if parts.weight().fits() {
            PyValue::Dict(parts)
        } else {
            PyValue::Unknown
        }
    }

    /// Returns a concatenated string, unless it is too long.
    pub fn text(text: String) -> PyValue {
        if text.len() <= LONGEST_TEXT {
            PyValue::Str(text.into())
        } else {
            PyValue::Unknown
        }
    }

    /// Returns the cost of reading or copying the whole value.
    pub(crate) fn cost(&self) -> usize {
        match self {
            PyValue::Str(text) | PyValue::Path(text) => 1 + text.len() / 8,
            _ => self.weight().parts as usize,
        }
    }
}
