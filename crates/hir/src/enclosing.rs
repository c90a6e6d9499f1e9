//! What the Python code around a TVMScript function binds: modules, plain constants, shape variables.
//!
//! Evaluates what is plain (numbers, strings, tuples, arithmetic on them) and calls the rest unknown.

mod arrays;
mod builtins;
mod eval;
mod operators;
mod reach;
mod scan;
mod star;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::body::{Body, ExprId};
use crate::dtype::DType;

pub(crate) use arrays::constant;
pub(crate) use eval::{eval, write_plain};
pub(crate) use operators::{binary, compare};
pub(crate) use reach::Reach;
pub(crate) use scan::Scanner;

/// What a name of the enclosing Python code stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum PyValue {
    Unknown,
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(SmolStr),
    /// A list or a tuple.
    List(Arc<[PyValue]>),
    Dict(Arc<[(PyValue, PyValue)]>),
    /// A NumPy array, of which extents and dtype are plain.
    Array {
        dims: Vec<i64>,
        dtype: DType,
    },
    /// `R.const(...)`: a constant tensor.
    Const {
        dims: Vec<i64>,
        dtype: DType,
    },
    /// `TypeVar("n")`, `T.Var("n", "int64")`: a variable of shapes, by its name.
    ShapeVar(SmolStr),
    /// A module or something in a module, by its dotted path: `tvm.script.relax`.
    Path(SmolStr),
    /// A class decorated with `I.ir_module`, by its name.
    IrModule(SmolStr),
    /// A function decorated with `R.function` or `T.prim_func` outside of a module.
    Script(ScriptKind),
    /// A function decorated with `R.macro`.
    Macro(Arc<ScriptMacro>),
    /// A Python function of the file that is a `return` alone, so that a call of it stands for what it returns.
    Helper(Arc<Body>),
    Lambda(Arc<ScriptLambda>),
    /// A Python function of the file, while the file is followed.
    Function(u32),
}

/// A macro: what a call of it is replaced by.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptMacro {
    pub body: Body,
    /// What its names stand for; `None` where that is for the place of the call to say.
    pub env: Option<Arc<Env>>,
}

/// `lambda i, j: (j, i)` in the enclosing code.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLambda {
    pub body: Body,
    pub expr: ExprId,
}

impl PyValue {
    /// Keeps what the two ways to here agree on, which of two lists of one length is part of the elements; `false`
    /// where that is nothing.
    fn agree(&mut self, other: &PyValue) -> bool {
        if self == other {
            return true;
        }
        let (PyValue::List(items), PyValue::List(others)) = (&mut *self, other) else {
            return false;
        };
        if items.len() != others.len() {
            return false;
        }
        let mut kept = items.to_vec();
        for (item, other) in kept.iter_mut().zip(others.iter()) {
            if !item.agree(other) {
                *item = PyValue::Unknown;
            }
        }
        *items = kept.into();
        true
    }

    /// Whether it is data, all of which is known.
    fn is_plain(&self) -> bool {
        match self {
            PyValue::List(items) => items.iter().all(PyValue::is_plain),
            PyValue::Dict(entries) => entries
                .iter()
                .all(|(key, value)| key.is_plain() && value.is_plain()),
            PyValue::None
            | PyValue::Bool(_)
            | PyValue::Int(_)
            | PyValue::Float(_)
            | PyValue::Str(_)
            | PyValue::Path(_)
            | PyValue::Array { .. }
            | PyValue::Const { .. }
            | PyValue::ShapeVar(_)
            | PyValue::Lambda(_) => true,
            PyValue::Unknown
            | PyValue::IrModule(_)
            | PyValue::Script(_)
            | PyValue::Macro(_)
            | PyValue::Helper(_)
            | PyValue::Function(_) => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptKind {
    Relax,
    PrimFunc,
    Macro,
}

/// The names that one scope binds at some point, and the scope around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Env {
    parent: Option<Arc<Env>>,
    names: FxHashMap<SmolStr, PyValue>,
    /// `from m import *` stands here, or this is a cell of a notebook: any name may come from elsewhere.
    star_import: bool,
}

impl Env {
    pub fn child(parent: &Arc<Env>) -> Env {
        Env {
            parent: Some(Arc::clone(parent)),
            ..Env::default()
        }
    }

    pub fn set(&mut self, name: impl Into<SmolStr>, value: PyValue) {
        self.names.insert(name.into(), value);
    }

    pub fn get(&self, name: &str) -> Option<&PyValue> {
        match self.names.get(name) {
            Some(value) => Some(value),
            None => self.parent.as_deref()?.get(name),
        }
    }

    /// The names that functions around this place bind to what is plain, inner ones over outer ones.
    fn known_in_functions(&self) -> Vec<(SmolStr, PyValue)> {
        let mut seen: FxHashMap<&SmolStr, &PyValue> = FxHashMap::default();
        let mut env = self;
        while let Some(parent) = env.parent.as_deref() {
            for (name, value) in &env.names {
                seen.entry(name).or_insert(value);
            }
            env = parent;
        }
        let known = seen.into_iter().filter(|(_, value)| value.is_plain());
        known.map(|(n, v)| (n.clone(), v.clone())).collect()
    }

    /// What a dotted name leads to in TVMScript.
    pub fn script_path(&self, names: &[SmolStr]) -> Option<ScriptPath> {
        let (root, rest) = names.split_first()?;
        match self.get(root) {
            Some(PyValue::Path(path)) => {
                let mut path = path.to_string();
                for name in rest {
                    path.push('.');
                    path.push_str(name);
                }
                ScriptPath::of_path(&path)
            }
            Some(_) => None,
            None => unbound_path(root).map(|root| ScriptPath {
                rest: rest.join(".").into(),
                ..root
            }),
        }
    }

    /// The names of the file itself, as far as it is read.
    pub fn of_file(&self) -> &Env {
        let mut env = self;
        while let Some(parent) = env.parent.as_deref() {
            env = parent;
        }
        env
    }

    /// Whether a name that is not here may still be bound by a star import.
    pub fn may_have_more(&self) -> bool {
        self.star_import || self.parent.as_deref().is_some_and(Env::may_have_more)
    }

    /// Every name in reach, innermost first.
    pub fn names(&self) -> impl Iterator<Item = &SmolStr> {
        let mut env = Some(self);
        std::iter::from_fn(move || {
            let here = env?;
            env = here.parent.as_deref();
            Some(here.names.keys())
        })
        .flatten()
    }
}

/// The parts of TVMScript that a dotted path can lead into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// `R`
    Relax,
    /// `T`
    Tir,
    /// `I`
    Ir,
    /// `tvm.relax`, whose functions build the same expressions that `R` does.
    Python,
}

impl Namespace {
    /// The namespace that `path` is: `tvm.script.relax`, `tvm.script.parser.tir`, `tvm.tirx.script`.
    pub fn of_path(path: &str) -> Option<Namespace> {
        let in_script = path.starts_with("tvm.") && path.split('.').any(|part| part == "script");
        if !in_script {
            return None;
        }
        match path
            .rsplit('.')
            .find(|part| !matches!(*part, "script" | "parser" | "builder" | "ir_builder"))?
        {
            "relax" => Some(Namespace::Relax),
            "tir" | "tirx" => Some(Namespace::Tir),
            "ir" => Some(Namespace::Ir),
            _ => None,
        }
    }

    /// The letter that printed TVMScript uses; it counts even where its import is commented out.
    pub fn of_letter(name: &str) -> Option<Namespace> {
        match name {
            "R" => Some(Namespace::Relax),
            "T" => Some(Namespace::Tir),
            "I" => Some(Namespace::Ir),
            _ => None,
        }
    }
}

/// A dotted name resolved: a namespace and what stands behind it (`nn.conv2d`; empty for the namespace itself).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPath {
    pub namespace: Namespace,
    pub rest: SmolStr,
}

impl ScriptPath {
    /// What the dotted path `path` means, if it leads into TVMScript.
    pub fn of_path(path: &str) -> Option<ScriptPath> {
        // `tvm.script.ir_module` is exported at the top as well.
        if let Some(rest) = path.strip_prefix("tvm.script.")
            && matches!(rest, "ir_module" | "prim_func")
        {
            let namespace = if rest == "ir_module" {
                Namespace::Ir
            } else {
                Namespace::Tir
            };
            return Some(ScriptPath {
                namespace,
                rest: rest.into(),
            });
        }
        if let Some(rest) = path.strip_prefix("tvm.relax")
            && (rest.is_empty() || rest.starts_with('.'))
            && !rest.starts_with(".script")
        {
            let rest = rest.trim_start_matches('.');
            let rest = rest
                .strip_prefix("op.")
                .unwrap_or(if rest == "op" { "" } else { rest });
            return Some(ScriptPath {
                namespace: Namespace::Python,
                rest: rest.into(),
            });
        }
        let mut at = path.len();
        loop {
            if let Some(namespace) = Namespace::of_path(&path[..at]) {
                // The longest prefix whose last part names the namespace.
                let last = path[..at].rsplit('.').next().unwrap_or_default();
                if matches!(last, "relax" | "tir" | "tirx" | "ir") || at == path.len() {
                    let rest = path[at..].trim_start_matches('.').into();
                    return Some(ScriptPath { namespace, rest });
                }
            }
            at = path[..at].rfind('.')?;
        }
    }
}

/// What a name that the enclosing code does not bind stands for.
pub fn unbound_path(name: &str) -> Option<ScriptPath> {
    Namespace::of_letter(name).map(|namespace| ScriptPath {
        namespace,
        rest: SmolStr::default(),
    })
}

/// Python's builtins that programs use around TVMScript.
pub const BUILTINS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "dict",
    "enumerate",
    "filter",
    "float",
    "getattr",
    "hasattr",
    "id",
    "int",
    "isinstance",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "zip",
    "frozenset",
    "complex",
    "divmod",
    "format",
    "hash",
    "issubclass",
    "callable",
    "chr",
    "ord",
    "vars",
    "locals",
    "globals",
    "staticmethod",
    "classmethod",
    "property",
    "NotImplemented",
    "Exception",
    "ValueError",
    "TypeError",
    "RuntimeError",
    "KeyError",
    "IndexError",
    "AssertionError",
    "NotImplementedError",
    "AttributeError",
    "ImportError",
    "StopIteration",
    "__name__",
    "__file__",
    "__doc__",
    "bin",
    "hex",
    "oct",
    "eval",
    "exec",
    "open",
    "input",
    "bytearray",
    "memoryview",
];
