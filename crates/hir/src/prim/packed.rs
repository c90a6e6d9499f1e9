//! Calls of packed functions: `T.call_packed("symbol", ...)`, with buffers as TVM passes them.

use text_size::TextRange;

use super::Reader;
use super::value::Value;
use crate::body::{Arg, ExprId};
use crate::enclosing::PyValue;
use crate::tir::{BufferId, Packed, PackedArg, StmtKind};

/// The names under `T` that call a packed function.
const CALLS: &[&str] = &[
    "call_packed",
    "tvm_call_packed",
    "call_cpacked",
    "tvm_call_cpacked",
];

impl Reader<'_> {
    /// Reads a call of a packed function as a statement. Returns `false` for another call.
    pub fn packed(&mut self, call: ExprId, range: TextRange) -> bool {
        let (callee, args) = self.call_parts(call);
        let is_packed = self
            .script(callee)
            .is_some_and(|it| CALLS.contains(&it.as_str()));
        if !is_packed {
            return false;
        }
        self.callee(callee);
        self.facts.calls_host = true;
        let named = |arg: &&Arg| arg.keyword.is_some();
        self.silent_args(args.iter().filter(named));
        let mut args = args.iter().filter(|arg| arg.keyword.is_none());
        let symbol = args.next().map(|arg| self.value(arg.value));
        let args: Vec<_> = args.map(|arg| self.packed_arg(arg.value)).collect();
        let Some(Value::Python(PyValue::Str(symbol))) = symbol else {
            self.refuse(range, "the name of a packed function must be a string");
            return true;
        };
        if let Some(args) = args.into_iter().collect() {
            self.emit(StmtKind::Packed(Packed { symbol, args }), range);
        }
        true
    }

    fn packed_arg(&mut self, at: ExprId) -> Option<PackedArg> {
        let (callee, args) = self.call_parts(at);
        if self.script(callee).as_deref() == Some("tvm_stack_make_array") {
            self.callee(callee);
            return self.stack_array(args, at).map(PackedArg::Buffer);
        }
        match self.value(at) {
            Value::Python(PyValue::Str(text)) => Some(PackedArg::Text(text)),
            Value::Pointer(Some(buffer)) => Some(PackedArg::Buffer(buffer)),
            Value::Buffer(id) => self.buffer_id(id).map(PackedArg::Buffer),
            value => {
                let number = self.number_of(value, self.range(at))?;
                Some(PackedArg::Number(self.strong(number)))
            }
        }
    }

    /// Returns the buffer of `T.tvm_stack_make_array(data, shape, strides, ndim, dtype, offset)`, if the call passes
    /// all of it unchanged.
    fn stack_array(&mut self, args: &[Arg], at: ExprId) -> Option<BufferId> {
        let range = self.range(at);
        let [data, shape, strides, ndim, dtype, offset] = args else {
            self.silent_args(args);
            self.refuse(range, "an array takes six arguments");
            return None;
        };
        self.silent_args([shape, dtype]);
        let memory = self.value(data.value);
        let strides = self.typed(strides.value)?.as_int();
        let offset = self.typed(offset.value)?.as_int();
        let ndim = self.typed(ndim.value)?.as_int();
        let Value::Pointer(Some(buffer)) = memory else {
            self.no_memory(data.value);
            return None;
        };
        let rank = self.func.buffer(buffer).shape.len() as i64;
        if strides != Some(0) || offset != Some(0) || ndim != Some(rank) {
            self.refuse(range, "this is a part of a buffer, or has another form");
            return None;
        }
        Some(buffer)
    }
}
