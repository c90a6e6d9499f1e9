//! Other shapes and dtypes of a buffer: `y = x.view(32)`, as FlattenBuffer prints it, and `x.view("int32")`.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::Reader;
use super::arith::Number;
use super::buffer::dims_of;
use crate::body::{Expr as Source, ExprId};
use crate::enclosing::PyValue;
use crate::prim_facts::{BufferFact, BufferOrigin};
use crate::tir::{Binary, Buffer, BufferId, Data, Expr};

impl Reader<'_> {
    /// Reads a view of a buffer without strides. Returns `None` for any other expression.
    pub fn view(
        &mut self,
        name: &SmolStr,
        value: ExprId,
        range: TextRange,
    ) -> Option<(BufferFact, BufferId)> {
        let body = self.body;
        let Source::Call { callee, args } = &body.exprs[value] else {
            return None;
        };
        let base = match &body.exprs[*callee] {
            Source::Attribute { base, name } if name.text == "view" => *base,
            _ => return None,
        };
        let is_plain = args.iter().all(|arg| arg.keyword.is_none() && !arg.starred);
        let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
        let source = self.buffer_id(self.buffer_named(base)?)?;
        let of = self.func.buffer(source).clone();
        let as_dtype = match &body.exprs[*args.first()?] {
            Source::Str(text) => Some(DType::parse(text)?),
            // A constant of the file.
            Source::Name(name) if self.lookup(name).is_none() => match self.around.env.get(name) {
                Some(PyValue::Str(text)) => Some(DType::parse(text)?),
                _ => None,
            },
            _ => None,
        };
        if of.strides.is_some() || !is_plain {
            return None;
        }
        self.value(base);
        let dtype = as_dtype.unwrap_or(of.dtype);
        let (shape, offset) = match as_dtype {
            Some(dtype) => self.reinterpreted(&of, dtype, range)?,
            None => (self.reshaped(&of, &args, range), of.offset.clone()),
        };
        let fact = BufferFact {
            origin: BufferOrigin::View,
            shape: Some(dims_of(&shape)),
            dtype: Some(dtype),
            strides: None,
            offset: None,
            scope: Some(of.scope.clone()),
        };
        let id = BufferId(self.func.buffers.len() as u32);
        self.func.buffers.push(Buffer {
            name: name.clone(),
            dtype,
            shape,
            strides: None,
            offset,
            data: Data::View(source),
            scope: of.scope,
            range,
        });
        Some((fact, id))
    }

    /// Returns the new dimensions. One may be -1, which is what remains.
    fn reshaped(&mut self, of: &Buffer, dims: &[ExprId], range: TextRange) -> Vec<Expr> {
        let open = dims
            .iter()
            .position(|&at| self.silent(|it| it.value(at).int()) == Some(-1));
        let mut shape: Vec<Expr> = dims.iter().map(|&at| self.dim(at)).collect();
        if let Some(open) = open {
            let others: Vec<Expr> = (shape.iter().enumerate())
                .filter(|(at, _)| *at != open)
                .map(|(_, dim)| dim.clone())
                .collect();
            let (all, others) = (self.product(&of.shape, range), self.product(&others, range));
            shape[open] = self.binary(Binary::FloorDiv, all, others, range).expr;
        }
        shape
    }

    fn product(&mut self, dims: &[Expr], range: TextRange) -> Number {
        let one = Number::int(1, range);
        dims.iter().fold(one, |product, dim| {
            let dim = Number::strong(self.copy(dim, range));
            self.binary(Binary::Mul, product, dim, range)
        })
    }

    /// Returns the shape and the offset with elements of another dtype.
    fn reinterpreted(
        &mut self,
        of: &Buffer,
        dtype: DType,
        range: TextRange,
    ) -> Option<(Vec<Expr>, Option<Expr>)> {
        let (old, new) = (of.dtype.bits, dtype.bits);
        if dtype.lanes != 1 || old == 0 || new == 0 || old % new != 0 && new % old != 0 {
            return None;
        }
        let (op, ratio) = if new > old {
            (Binary::FloorDiv, new / old)
        } else {
            (Binary::Mul, old / new)
        };
        let mut scaled = |expr: &Expr| {
            let number = Number::strong(self.copy(expr, range));
            self.binary(op, number, Number::int(ratio.into(), range), range)
                .expr
        };
        let mut shape = of.shape.clone();
        let last = shape.last_mut()?;
        *last = scaled(last);
        Some((shape, of.offset.as_ref().map(scaled)))
    }
}
