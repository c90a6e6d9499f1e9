//! Calls under `T`: their results, with dtypes.

use relax::dtype::DType;
use smol_str::SmolStr;

use super::resolve::Resolve;
use super::value::{Value, meet};
use super::{BufferFact, BufferOrigin, buffer};
use crate::body::{Arg, Expr, ExprId};
use crate::tir::{Math, Unary};

/// Calls whose value has the dtype in which their operands meet.
const ARITHMETIC: &[&str] = &[
    "min",
    "max",
    "Min",
    "Max",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "FloorDiv",
    "FloorMod",
    "floordiv",
    "floormod",
    "truncdiv",
    "truncmod",
    "indexdiv",
    "indexmod",
    "ceildiv",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "shift_left",
    "shift_right",
];
/// Calls whose value is true or false.
const TRUTH: &[&str] = &[
    "LT",
    "LE",
    "GT",
    "GE",
    "EQ",
    "NE",
    "And",
    "Or",
    "Not",
    "all",
    "any",
    "likely",
    "isnan",
    "isinf",
    "isfinite",
    "isnullptr",
];

/// What a call makes that a name can be given to.
pub(super) enum Made {
    Buffer(super::BufferFact),
    Pointer(BufferFact),
    No,
}

impl Resolve<'_> {
    pub fn call(&mut self, callee: ExprId, args: &[Arg]) -> Value {
        let Some(path) = self.script(callee) else {
            self.callee(callee);
            self.args(args);
            return Value::Unknown;
        };
        self.callee(callee);
        match self.make(&path, args) {
            Made::Buffer(_) | Made::Pointer(_) => return Value::Unknown,
            Made::No => {}
        }
        self.script_call(&path, args)
    }

    /// Reads the arguments of what makes a buffer or memory; of nothing else.
    pub fn make(&mut self, path: &str, args: &[Arg]) -> Made {
        let (params, origin) = match path {
            "match_buffer" => (buffer::MATCH, BufferOrigin::Match),
            "alloc_buffer"
            | "sblock_alloc_buffer"
            | "alloc_local"
            | "alloc_shared"
            | "smem"
            | "tmem"
            | "alloc_tensor" => (buffer::BUFFER, BufferOrigin::Alloc),
            "Buffer" | "buffer" | "decl_buffer" | "buffer_decl" => {
                (buffer::BUFFER, BufferOrigin::View)
            }
            "allocate" => {
                let fact = self.buffer(args, buffer::ALLOCATE, BufferOrigin::Alloc);
                return Made::Pointer(fact);
            }
            _ => return Made::No,
        };
        let mut fact = self.buffer(args, params, origin);
        match path {
            "alloc_local" => fact.scope = Some(SmolStr::new_static("local")),
            "tmem" => fact.scope = Some(SmolStr::new_static("tmem")),
            "alloc_shared" | "smem" => fact.scope = Some(SmolStr::new_static("shared")),
            // The default is the whole buffer that is matched.
            "match_buffer" if fact.shape.is_none() && args.len() == 1 => fact.dtype = None,
            _ => {}
        }
        Made::Buffer(fact)
    }

    fn script_call(&mut self, path: &str, args: &[Arg]) -> Value {
        if let Some(dtype) = DType::of_constructor(path) {
            self.args(args);
            let is_value = args.iter().any(|arg| arg.keyword.is_none());
            return if is_value || dtype == DType::HANDLE {
                Value::number(Some(dtype))
            } else {
                Value::Other
            };
        }
        let count = args.len();
        let plain = args.iter().all(|arg| arg.keyword.is_none() && !arg.starred);
        let arithmetic = ARITHMETIC.contains(&path);
        let function = Unary::parse(path).is_some() && count == 1
            || (Math::parse(path).is_some() || arithmetic) && count == 2;
        if plain && function {
            let values: Vec<Value> = args.iter().map(|arg| self.operand(arg.value)).collect();
            let dtype = match values.as_slice() {
                _ if TRUTH.contains(&path) => Some(DType::BOOL),
                [one] => one.dtype(),
                [a, b] => meet(a, b),
                _ => None,
            };
            return Value::number(dtype);
        }
        if TRUTH.contains(&path) {
            self.args(args);
            return Value::number(Some(DType::BOOL));
        }
        match (path, args) {
            ("cast", [value, dtype]) | ("Cast" | "reinterpret", [dtype, value]) if plain => {
                self.operand(value.value);
                Value::number(self.dtype(dtype.value))
            }
            ("if_then_else" | "Select", [test, then, otherwise]) if plain => {
                self.operand(test.value);
                let (a, b) = (self.operand(then.value), self.operand(otherwise.value));
                Value::number(meet(&a, &b))
            }
            ("meta_var" | "I.meta_var", [arg]) => self.expr(arg.value),
            _ => {
                self.args(args);
                Value::Unknown
            }
        }
    }

    fn is_str(&self, at: ExprId) -> bool {
        matches!(self.body.exprs[at], Expr::Str(_))
    }

    /// Reads the arguments of an unknown function as expressions; `dtype=` names a dtype.
    pub fn args(&mut self, args: &[Arg]) {
        for arg in args {
            let is_dtype = arg
                .keyword
                .as_ref()
                .is_some_and(|name| name.text == "dtype");
            if is_dtype && self.is_str(arg.value) {
                self.dtype(arg.value);
            } else {
                self.expr(arg.value);
            }
        }
    }

    /// The argument of a parameter, by keyword or position.
    pub fn arg(args: &[Arg], at: usize, name: &str) -> Option<ExprId> {
        let keyword = |arg: &&Arg| arg.keyword.as_ref().is_some_and(|k| k.text == name);
        let positional = || {
            args.get(at)
                .filter(|arg| arg.keyword.is_none() && !arg.starred)
        };
        args.iter()
            .find(keyword)
            .or_else(positional)
            .map(|arg| arg.value)
    }
}
