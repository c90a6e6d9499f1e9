//! Names bound by the Python code around a TVMScript function: modules, plain constants, shape variables.
//!
//! Evaluates what is plain (numbers, strings, tuples, arithmetic on them) and calls the rest unknown.

mod arrays;
mod bindings;
mod body_sizes;
mod budget;
mod builtins;
mod eval;
mod imports;
mod list;
mod loaded;
mod operators;
mod reach;
mod scan;
mod script_path;
mod star;
#[cfg(test)]
mod tests;
mod type_vars;
mod undefined;

use std::sync::Arc;

use relax::dtype::DType;
use relax::parts::Parts;
use relax::script::{ScriptPath, unbound_path};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::ast;

use crate::body::{Body, Expr, ExprId};
use crate::metadata::Metadata;

pub(crate) use arrays::constant;
use bindings::Bindings;
pub(crate) use budget::Budget;
pub(crate) use eval::{eval, write_plain};
pub use imports::imported;
pub use list::PyList;
pub(crate) use loaded::{Loaded, loaded_text};
pub(crate) use operators::{binary, compare, truth};
pub(crate) use reach::Reach;
pub(crate) use scan::Scanner;
pub(crate) use script_path::script_path;
pub(crate) use type_vars::mistake_of_type_var;
pub(crate) use undefined::{undefined_argument, undefined_name};

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
    List(Arc<PyList>),
    Dict(Parts<(PyValue, PyValue)>),
    /// A NumPy array with plain extents and a plain dtype.
    Array {
        dims: Vec<i64>,
        dtype: DType,
    },
    /// `R.const(...)`: a constant tensor.
    Const {
        dims: Vec<i64>,
        dtype: DType,
    },
    /// `tvm.ir.load_json("...")`.
    Metadata(Arc<Metadata>),
    /// `TypeVar("n")`, `T.Var("n", "int64")`: a variable of shapes, by its name.
    ShapeVar(SmolStr, Declared),
    /// A module or something in a module, by its dotted path: `tvm.script.relax`.
    Path(SmolStr),
    /// A class decorated with `I.ir_module`, by its name.
    IrModule(SmolStr),
    /// A function decorated with `R.function` or `T.prim_func` outside of a module.
    Script(ScriptKind),
    /// A function decorated with `R.macro`.
    Macro(Arc<ScriptMacro>),
    /// A Python function of the file that consists of a `return`. A call has the value of the returned expression.
    Helper(Arc<Body>),
    Lambda(Arc<ScriptLambda>),
    /// A Python function of the file, while the file is followed.
    Function(u32),
}

/// How a shape variable was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// `TypeVar("n")`. TVM uses the name that it is assigned to.
    TypeVar,
    /// A TypeVar that is not a shape variable, and the reason.
    Mistaken(&'static str),
    /// `T.Var("n", "int64")`
    Var,
}

/// A macro. A call is replaced by its body.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptMacro {
    pub body: Body,
    /// The number of expressions in it.
    pub expressions: usize,
    /// The values of its names; `None` if the caller's scope determines them.
    pub env: Option<Arc<Env>>,
    /// The nesting depth of macros in the environments of macros.
    depth: u32,
}

/// Macros that are nested deeper are unknown, since their calls would not be expanded.
const DEEPEST: u32 = 64;

/// A lambda such as `lambda i, j: (j, i)` in the enclosing code.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLambda {
    pub body: Body,
    pub expr: ExprId,
}

impl PyValue {
    /// Keeps what is the same in both branches; for two lists of equal length, their common elements. Returns `false`
    /// if nothing is.
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
        *self = PyValue::list(kept);
        true
    }

    /// Returns `true` if it is completely known data.
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
            | PyValue::ShapeVar(_, _)
            | PyValue::Lambda(_) => true,
            PyValue::Unknown
            | PyValue::Metadata(_)
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

/// The names that one scope binds at some point, and the enclosing scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Env {
    parent: Option<Arc<Env>>,
    names: Bindings,
    /// `true` if there is a `from m import *`, or this is a notebook cell: any name may come from elsewhere.
    star_import: bool,
    /// The sizes that the first statements of a function give to its shape variables.
    sizes: Vec<(SmolStr, i64)>,
}

impl Env {
    pub fn child(parent: &Arc<Env>) -> Env {
        Env {
            parent: Some(Arc::clone(parent)),
            ..Env::default()
        }
    }

    /// Returns the environment of a function: this one, with the sizes that its first statements give.
    pub fn of_function(self: &Arc<Env>, def: &ast::FunctionDef) -> Arc<Env> {
        let sizes = body_sizes::sizes(def, self);
        if sizes.is_empty() {
            return Arc::clone(self);
        }
        Arc::new(Env {
            sizes,
            ..Env::child(self)
        })
    }

    /// Returns `true` if the first statements of the function give some names a size.
    pub fn has_sizes(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// Returns the size that the first statements of the function give to a shape variable.
    pub fn size_of(&self, shape_var: &str) -> Option<i64> {
        let size = self.sizes.iter().rev().find(|(name, _)| name == shape_var);
        size.map(|(_, size)| *size)
    }

    pub fn set(&mut self, name: impl Into<SmolStr>, value: PyValue) {
        self.names.set(name.into(), value);
    }

    pub fn get(&self, name: &str) -> Option<&PyValue> {
        match self.names.get(name) {
            Some(value) => Some(value),
            None => self.parent.as_deref()?.get(name),
        }
    }

    /// Returns the names that a function's text may use, with their values.
    fn seen_by(&self, body: &Body) -> Env {
        let mut seen = Env {
            star_import: self.may_have_more(),
            ..Env::default()
        };
        let mut see = |name: &str| {
            let Some(value) = self.get(name) else { return };
            // Names used inside these values are not followed.
            seen.star_import |= matches!(value, PyValue::Helper(_) | PyValue::Lambda(_));
            seen.set(
                name,
                match value {
                    PyValue::Macro(it) if it.depth >= DEEPEST => PyValue::Unknown,
                    value => value.clone(),
                },
            );
        };
        for (_, expr) in body.exprs.iter() {
            match expr {
                Expr::Name(name) => see(name),
                // The string may be a dimension.
                Expr::Str(text) => text
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .for_each(&mut see),
                _ => {}
            }
        }
        seen
    }

    fn depth_of_macros(&self) -> u32 {
        let depths = self.names.iter().filter_map(|(_, value)| match value {
            PyValue::Macro(it) => Some(it.depth + 1),
            _ => None,
        });
        depths.max().unwrap_or(0)
    }

    /// Returns the plain values that enclosing functions bind, where inner bindings take precedence.
    fn known_in_functions(&self) -> Vec<(SmolStr, PyValue)> {
        let mut seen: FxHashMap<&SmolStr, &PyValue> = FxHashMap::default();
        let mut env = self;
        while let Some(parent) = env.parent.as_deref() {
            for (name, value) in env.names.iter() {
                seen.entry(name).or_insert(value);
            }
            env = parent;
        }
        let known = seen.into_iter().filter(|(_, value)| value.is_plain());
        known.map(|(n, v)| (n.clone(), v.clone())).collect()
    }

    /// Resolves a dotted name to a TVMScript name.
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

    /// Returns the names of the file's top level, as far as they are known.
    pub fn of_file(self: &Arc<Env>) -> &Arc<Env> {
        let mut env = self;
        while let Some(parent) = &env.parent {
            env = parent;
        }
        env
    }

    /// Returns `true` if a star import may bind an unknown name.
    pub fn may_have_more(&self) -> bool {
        self.star_import || self.parent.as_deref().is_some_and(Env::may_have_more)
    }

    /// Returns `true` if a name is definitely not bound.
    pub fn is_undefined(&self, name: &str) -> bool {
        self.get(name).is_none()
            && !self.may_have_more()
            && !BUILTINS.contains(&name)
            && !name.is_empty()
            && unbound_path(name).is_none()
    }

    /// Returns every visible name, innermost first.
    pub fn names(&self) -> impl Iterator<Item = &SmolStr> {
        let mut env = Some(self);
        std::iter::from_fn(move || {
            let here = env?;
            env = here.parent.as_deref();
            Some(here.names.iter().map(|(name, _)| name))
        })
        .flatten()
    }
}

/// Python builtins that programs use with TVMScript.
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
    "__build_class__",
    "__builtins__",
    "__debug__",
    "__import__",
    "__loader__",
    "__package__",
    "__spec__",
    "aiter",
    "anext",
    "ascii",
    "breakpoint",
    "compile",
    "delattr",
    "dir",
    "exit",
    "help",
    "quit",
    "ArithmeticError",
    "BaseException",
    "BufferError",
    "ConnectionError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "IOError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "RecursionError",
    "ReferenceError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "SyntaxError",
    "SystemError",
    "SystemExit",
    "TimeoutError",
    "UnboundLocalError",
    "UnicodeError",
    "UserWarning",
    "Warning",
    "ZeroDivisionError",
];
