//! `T.match_buffer`: a buffer over a parameter, or over a part of another buffer.

use relax::diagnostics::Code;
use relax::dtype::DType;
use text_size::TextRange;

use super::arith::{self, Number};
use super::value::Value;
use super::{Entity, Reader};
use crate::prim_facts::{Access, PrimDefId, Target};
use crate::tir::{Binary, Buffer, BufferId, Data, Expr, ExprKind, ParamKind};

impl Reader<'_> {
    /// Reads `T.match_buffer` of a handle, or of a part of another buffer.
    pub fn match_buffer(&mut self, id: BufferId, of: Value, range: TextRange) {
        let (source, starts) = match of {
            Value::Handle(Some(at)) => {
                self.check_at_top(range);
                self.func.buffers[id.0 as usize].data = Data::Param(at);
                let param = &mut self.func.params[at];
                if let ParamKind::Buffer(earlier) = param.kind {
                    // Only one of the buffers would be compared with the argument.
                    let message = already_matched(&param.name);
                    self.rematched.push((earlier, param.name.clone(), range));
                    self.refuse(range, message);
                } else {
                    param.kind = ParamKind::Buffer(id);
                }
                return;
            }
            Value::Buffer(source) => (self.buffer_id(source), Vec::new()),
            Value::Region { buffer, starts, .. } => (self.buffer_id(buffer), starts),
            Value::Number(Number { expr, .. }) => match expr.kind {
                ExprKind::Load(source, indices) => (Some(source), indices),
                _ => (None, Vec::new()),
            },
            _ => (None, Vec::new()),
        };
        let Some(source) = source else {
            self.refuse_whole(range, "this is not a known buffer");
            return;
        };
        if !starts.is_empty() && starts.len() != self.func.buffer(source).shape.len() {
            self.refuse(range, "a region must have one part for each dimension");
            return;
        }
        let strides = self.strides(source, range);
        let mut offset = self.func.buffer(source).offset.clone();
        offset = offset.map(|it| self.copy(&it, range));
        for (start, stride) in starts.into_iter().zip(&strides) {
            let step = self.in_memory(Binary::Mul, start, stride.clone(), range);
            offset = Some(match offset {
                Some(offset) => self.in_memory(Binary::Add, offset, step, range),
                None => step,
            });
        }
        // The innermost dimensions of the view have the strides of the buffer that it is part of.
        let view = &mut self.func.buffers[id.0 as usize];
        let rank = view.shape.len();
        let own = strides.get(strides.len().saturating_sub(rank)..);
        view.strides = own.filter(|it| it.len() == rank).map(<[Expr]>::to_vec);
        view.offset = offset;
        view.data = Data::View(source);
    }

    /// Reports a parameter that is matched inside of a loop, a block or a branch.
    fn check_at_top(&mut self, range: TextRange) {
        if self.scopes.len() > 1 || !self.frames.is_empty() {
            let message = "a parameter is matched to a buffer at the top of the function, before loops and blocks";
            self.report(Code::MisplacedBlockStatement, range, message);
        }
    }

    /// Reports a handle that is matched again, if the function uses the buffer that it had: it has the last one only.
    pub fn check_rematched(&mut self) {
        for (earlier, handle, range) in std::mem::take(&mut self.rematched) {
            let is_it = |entity: &Entity| matches!(entity, Entity::Buffer(at) if *at == earlier);
            let def = self.entities.iter().position(is_it);
            let def = def.map(|at| Target::Def(PrimDefId(at as u32)));
            let mut mentions = self.facts.mentions.iter();
            let is_used =
                mentions.any(|it| Some(&it.target) == def.as_ref() && it.access != Access::Define);
            if is_used && self.is_checked() {
                self.report(Code::Redefinition, range, already_matched(&handle));
            }
        }
    }

    /// Returns the strides of a buffer, in elements.
    fn strides(&mut self, buffer: BufferId, range: TextRange) -> Vec<Expr> {
        let Buffer { strides, shape, .. } = self.func.buffer(buffer).clone();
        if let Some(strides) = strides {
            return strides.iter().map(|it| self.copy(it, range)).collect();
        }
        let mut strides = Vec::with_capacity(shape.len());
        let mut step = Expr::int(1, DType::I64, range);
        for dim in shape.iter().rev() {
            let dim = self.copy(dim, range);
            strides.push(self.copy(&step, range));
            step = self.in_memory(Binary::Mul, step, dim, range);
        }
        strides.reverse();
        strides
    }

    /// Computes a position in memory, in 64 bits.
    fn in_memory(&mut self, op: Binary, a: Expr, b: Expr, range: TextRange) -> Expr {
        let wide = |it| Number::strong(arith::cast(it, DType::I64));
        self.binary(op, wide(a), wide(b), range).expr
    }
}

fn already_matched(handle: &str) -> String {
    format!("`{handle}` is already matched to a buffer")
}
