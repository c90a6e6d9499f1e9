//! Vectors, as lowered programs have them: a statement over vectors is a loop over their lanes.

use relax::diagnostics::Code;
use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::Reader;
use super::arith::Number;
use super::nest::for_stmt;
use super::value::Value;
use crate::body::ExprId;
use crate::tir::{
    self, Binary, Buffer, BufferId, Data, ExprKind, ForKind, PrimFunc, Stmt, StmtKind, VarId,
};

/// The most lanes of a vector.
const MOST_LANES: i64 = 1 << 10;

/// The lanes of the vectors in a statement.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    var: VarId,
    count: i64,
}

/// The elements of a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    count: i64,
    step: i64,
}

impl Reader<'_> {
    /// Returns the number of the lane in a statement over vectors.
    pub fn lane(&mut self, count: i64, range: TextRange) -> tir::Expr {
        let lanes = match self.lanes {
            Some(lanes) => {
                if lanes.count != count {
                    self.refuse(range, "the vectors of this statement differ in length");
                }
                lanes
            }
            None => {
                let var = self.var(SmolStr::new_static("lane"), DType::I32);
                Lanes { var, count }
            }
        };
        self.lanes = Some(lanes);
        self.var_expr(lanes.var, range)
    }

    /// Refuses vectors outside of stores.
    pub fn refuse_vectors(&mut self, range: TextRange) {
        if self.lanes.take().is_some() {
            self.refuse(range, "a vector can only be stored in a buffer here");
        }
    }

    /// Reads `T.Ramp(base, stride, lanes)` and `T.Broadcast(value, lanes)`.
    pub fn vector(&mut self, path: &str, args: &[ExprId], range: TextRange) -> Option<Value> {
        let (value, stride, lanes) = match (path, args) {
            ("Ramp" | "ramp", &[base, stride, lanes]) => (base, Some(stride), lanes),
            ("Broadcast" | "broadcast", &[value, lanes]) => (value, None, lanes),
            _ => return None,
        };
        let value = self.typed(value);
        let stride = stride.map(|at| self.number(at));
        let lanes_at = self.range(lanes);
        let lanes = self.typed(lanes);
        if let Some(dtype) = lanes.as_ref().map(|it| it.dtype).filter(|it| it.is_float()) {
            let message = format!("the number of lanes must be an integer, but this is {dtype}");
            self.report(Code::DtypeMismatch, lanes_at, message);
            return Some(Value::Untyped);
        }
        let count = lanes.and_then(|it| it.as_int());
        let Some(count) = count.filter(|it| (1..=MOST_LANES).contains(it)) else {
            self.refuse(range, "the length of a vector must be a constant");
            return Some(Value::Untyped);
        };
        let lane = Number::strong(self.lane(count, range));
        let value = value.map(Number::strong);
        Some(match stride {
            None => value.into(),
            Some(stride) => {
                let both = value.zip(stride);
                let sum = both.map(|(base, stride)| {
                    let distance = self.binary(Binary::Mul, lane, stride, range);
                    self.binary(Binary::Add, base, distance, range)
                });
                sum.into()
            }
        })
    }

    /// Returns the indices of one lane of `A[i:i + 4]`.
    pub fn lane_of(
        &mut self,
        mut starts: Vec<tir::Expr>,
        steps: Steps,
        range: TextRange,
    ) -> Vec<tir::Expr> {
        let lane = Number::strong(self.lane(steps.count, range));
        let step = Number::int(i128::from(steps.step), range);
        let lane = self.binary(Binary::Mul, lane, step, range);
        if let Some(last) = starts.pop() {
            let at = self.binary(Binary::Add, Number::strong(last), lane, range);
            starts.push(at.expr);
        }
        starts
    }

    /// Adds a store; of a vector, a loop of stores.
    pub fn emit_store(
        &mut self,
        buffer: BufferId,
        indices: Vec<tir::Expr>,
        value: tir::Expr,
        range: TextRange,
    ) {
        let Some(Lanes { var, count }) = self.lanes.take() else {
            let kind = StmtKind::Store {
                buffer,
                indices,
                value,
            };
            return self.emit(kind, range);
        };
        let store = |buffer, indices, value| Stmt {
            kind: StmtKind::Store {
                buffer,
                indices,
                value,
            },
            range,
        };
        let memory = self.func.root(buffer);
        let is_same = |it: BufferId| self.func.root(it) == memory;
        if indices.iter().any(|it| it.loads_from(&is_same)) {
            self.refuse(
                range,
                "a vector cannot be stored where its own elements say",
            );
        }
        if !reads_elsewhere(&self.func, &value, buffer, &indices) {
            return self.emit_lanes(var, count, store(buffer, indices, value));
        }
        // A vector is read whole before any of it is stored.
        let whole = BufferId(self.func.buffers.len() as u32);
        let dtype = value.dtype;
        self.func.buffers.push(Buffer {
            name: SmolStr::new_static("vector"),
            dtype,
            shape: vec![tir::Expr::int(i128::from(count), DType::I32, range)],
            strides: None,
            offset: None,
            data: Data::Alloc,
            scope: SmolStr::new_static("local"),
            range,
        });
        let lane = self.var_expr(var, range);
        self.emit_lanes(var, count, store(whole, vec![lane], value));
        let next = self.var(SmolStr::new_static("lane"), DType::I32);
        let lane = self.var_expr(next, range);
        let mut indices = indices;
        for index in &mut indices {
            self.substitute(index, var, &lane);
        }
        let part = tir::Expr {
            dtype,
            kind: ExprKind::Load(whole, vec![lane]),
            range,
        };
        self.emit_lanes(next, count, store(buffer, indices, part));
    }

    /// Turns a buffer of vectors into one of scalars: the lanes are one more dimension.
    pub fn divide_vectors(&mut self, id: BufferId) {
        let buffer = &mut self.func.buffers[id.0 as usize];
        let is_memory = matches!(buffer.data, Data::Alloc | Data::View(_));
        let lanes = i128::from(buffer.dtype.lanes);
        if lanes > 1 && is_memory && buffer.strides.is_none() && buffer.offset.is_none() {
            let range = buffer.range;
            buffer.shape.push(tir::Expr::int(lanes, DType::I32, range));
            buffer.dtype.lanes = 1;
        }
    }

    fn emit_lanes(&mut self, var: VarId, count: i64, stmt: Stmt) {
        let range = stmt.range;
        let min = tir::Expr::int(0, DType::I32, range);
        let extent = tir::Expr::int(i128::from(count), DType::I32, range);
        let kind = ForKind::Vectorized;
        let made = for_stmt(var, min, extent, 1, kind, vec![stmt], range);
        self.out.push(made);
    }
}

/// Returns `true` if a value has elements of a buffer's memory other than those at the indices.
fn reads_elsewhere(
    func: &PrimFunc,
    value: &tir::Expr,
    buffer: BufferId,
    indices: &[tir::Expr],
) -> bool {
    let mut found = match &value.kind {
        ExprKind::Load(from, at) if *from == buffer => {
            let mut pairs = at.iter().zip(indices);
            !pairs.all(|(a, b)| a.is_same_formula(b))
        }
        ExprKind::Load(from, _) => func.root(*from) == func.root(buffer),
        _ => false,
    };
    value.for_each_child(&mut |child| found |= reads_elsewhere(func, child, buffer, indices));
    found
}

impl Steps {
    /// Returns the elements of a slice, if the end is written as the start plus a constant.
    pub fn between(start: &tir::Expr, stop: &tir::Expr, step: i64) -> Option<Steps> {
        let distance = match (start.as_int(), stop.as_int(), &stop.kind) {
            (Some(start), Some(stop), _) => stop.checked_sub(start)?,
            (_, _, ExprKind::Binary(Binary::Add, from, by)) if from.is_same_formula(start) => {
                by.as_int()?
            }
            _ => return None,
        };
        let is_whole = distance.checked_rem(step)? == 0;
        let count = distance / step;
        ((1..=MOST_LANES).contains(&count) && is_whole).then_some(Steps { count, step })
    }
}
