//! Calls of packed functions: `T.call_packed("symbol", ...)`, with buffers as TVM passes them.

use text_size::TextRange;

use super::function::{Lower, Lowered};
use super::{BufferId, Packed, PackedArg, Stmt, StmtKind};
use crate::body::{self, Arg, ExprId};

/// What calls one under `T`.
const CALLS: &[&str] = &["call_packed", "tvm_call_packed", "call_cpacked"];

impl Lower<'_> {
    /// The statement that a call of a packed function is; `None` for another call.
    pub(super) fn packed(&mut self, call: ExprId, range: TextRange) -> Option<Lowered<Stmt>> {
        let (callee, args) = self.call_parts(call);
        let path = self.tir_path(callee)?;
        CALLS
            .contains(&path.as_str())
            .then(|| self.packed_call(args, range))
    }

    fn packed_call(&mut self, args: &[Arg], range: TextRange) -> Lowered<Stmt> {
        let mut args = args.iter().filter(|arg| arg.keyword.is_none());
        let symbol = match args.next().map(|arg| &self.body.exprs[arg.value]) {
            Some(body::Expr::Str(symbol)) => symbol.clone(),
            _ => return Err(self.error(range, "a packed function is named by a text")),
        };
        let args = args
            .map(|arg| self.packed_arg(arg.value))
            .collect::<Lowered<Vec<_>>>()?;
        Ok(Stmt {
            kind: StmtKind::Packed(Packed { symbol, args }),
            range,
        })
    }

    fn packed_arg(&mut self, at: ExprId) -> Lowered<PackedArg> {
        if let body::Expr::Str(text) = &self.body.exprs[at] {
            return Ok(PackedArg::Text(text.clone()));
        }
        let (callee, args) = self.call_parts(at);
        if self.tir_path(callee).as_deref() == Some("tvm_stack_make_array") {
            return self.stack_array(args, at).map(PackedArg::Buffer);
        }
        if let body::Expr::Attribute { name, .. } = &self.body.exprs[at]
            && name.text == "data"
        {
            return self.pointer(at).map(PackedArg::Buffer);
        }
        if let body::Expr::Name(name) = &self.body.exprs[at]
            && self.is_buffer(name)
        {
            return self.buffer_of(at).map(PackedArg::Buffer);
        }
        self.expr(at).map(PackedArg::Number)
    }

    /// `T.tvm_stack_make_array(data, shape, strides, ndim, dtype, offset)`: a buffer, all of it, as it is.
    fn stack_array(&mut self, args: &[Arg], at: ExprId) -> Lowered<BufferId> {
        let range = self.range(at);
        let [data, _, strides, ndim, _, offset] = args else {
            return Err(self.error(range, "an array is made of six arguments"));
        };
        let buffer = self.pointer(data.value)?;
        let (strides, offset) = (self.expr(strides.value)?, self.expr(offset.value)?);
        let ndim = self.expr(ndim.value)?.as_int();
        let whole = strides.as_int() == Some(0)
            && offset.as_int() == Some(0)
            && ndim == Some(self.func.buffer(buffer).shape.len() as i64);
        if !whole {
            return Err(self.error(range, "this is a part of a buffer, or has another form"));
        }
        Ok(buffer)
    }
}
