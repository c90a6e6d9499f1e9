//! The number that a PrimFunc returns: it is stored in a buffer of one element, which is the last parameter.

use text_size::TextRange;

use super::value::Value;
use super::{Reader, arith};
use crate::body::ExprId;
use crate::enclosing::PyValue;
use crate::tir::{self, Buffer, BufferId, Data, Param, ParamKind, StmtKind};

impl Reader<'_> {
    /// Reads `return value` and `T.ret(value)`.
    pub fn returns(&mut self, value: ExprId, range: TextRange) {
        let at = self.range(value);
        let value = self.operand(value);
        // TVM keeps strings as they are.
        if let Value::Python(PyValue::Str(_)) = value {
            return self.not_a_number(range);
        }
        let Some(number) = self.number_of(value, at) else {
            return self.missing(range);
        };
        let value = self.strong(number);
        let buffer = match self.func.result {
            Some(buffer) => buffer,
            None => self.result(value.dtype, range),
        };
        let value = arith::cast(value, self.func.buffer(buffer).dtype);
        let kind = StmtKind::Store {
            buffer,
            indices: Vec::new(),
            value,
        };
        self.emit(kind, range);
    }

    fn result(&mut self, dtype: relax::dtype::DType, range: TextRange) -> BufferId {
        let buffer = BufferId(self.func.buffers.len() as u32);
        let param = self.func.params.len();
        self.func.buffers.push(Buffer {
            name: "return".into(),
            dtype,
            shape: Vec::new(),
            strides: None,
            offset: None,
            data: Data::Param(param),
            scope: "global".into(),
            range,
        });
        self.func.params.push(Param {
            name: "return".into(),
            kind: ParamKind::Buffer(buffer),
        });
        self.func.result = Some(buffer);
        buffer
    }

    /// Refuses a function that returns before its end.
    pub fn returns_last(&mut self) {
        let Some(result) = self.func.result else {
            return;
        };
        let mut early = None;
        let mut returns = 0;
        tir::for_each_stmt(&self.func.body, &mut |stmt| {
            if is_return(stmt, result) {
                returns += 1;
                early = early.or(Some(stmt.range));
            }
        });
        if let Some(range) = early
            && at_end(&self.func.body, result) != returns
        {
            self.refuse(
                range,
                "a PrimFunc that returns before its end does not run here",
            );
        }
    }
}

fn is_return(stmt: &tir::Stmt, result: BufferId) -> bool {
    matches!(stmt.kind, StmtKind::Store { buffer, .. } if buffer == result)
}

/// Counts the returns that are the last statement of the function.
fn at_end(body: &[tir::Stmt], result: BufferId) -> usize {
    let Some(last) = body.last() else {
        return 0;
    };
    match &last.kind {
        StmtKind::If {
            then, otherwise, ..
        } => at_end(then, result) + at_end(otherwise, result),
        StmtKind::Block(block) => at_end(&block.body, result),
        _ => usize::from(is_return(last, result)),
    }
}
