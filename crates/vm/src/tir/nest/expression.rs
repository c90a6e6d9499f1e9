//! Expressions of float32 as steps over a stack.

use hir::tir::{Binary, Expr, ExprKind, PrimFunc, Unary};
use relax::dtype::DType;

use super::Access;
use super::read::access;
use crate::kernels::sweep::Op;
use crate::tir::functions::{self, Body};

/// Steps that are worth holding a run of elements for each.
const LONG: usize = 64;

/// The steps of an expression, and what it reads, in order; `None` where it has others.
pub fn read(func: &PrimFunc, expr: &Expr) -> Option<(Vec<Op>, Vec<Access>)> {
    let mut reader = Reader {
        func,
        ops: Vec::new(),
        reads: Vec::new(),
    };
    reader.expr(expr)?;
    let is_short = reader.ops.len() <= LONG;
    is_short.then_some((reader.ops, reader.reads))
}

struct Reader<'f> {
    func: &'f PrimFunc,
    ops: Vec<Op>,
    reads: Vec<Access>,
}

impl Reader<'_> {
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        if expr.dtype != DType::F32 {
            return None;
        }
        let op = match &expr.kind {
            ExprKind::Load(buffer, indices) => {
                self.reads.push(access(self.func, *buffer, indices)?);
                Op::Load(self.reads.len() - 1)
            }
            ExprKind::Int(value) => Op::Constant(*value as f64 as f32),
            ExprKind::Float(value) => Op::Constant(*value as f32),
            ExprKind::Binary(op, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                match op {
                    Binary::Add => Op::Add,
                    Binary::Sub => Op::Sub,
                    Binary::Mul => Op::Mul,
                    Binary::Div => Op::Div,
                    Binary::Min => Op::Min,
                    Binary::Max => Op::Max,
                    _ => return None,
                }
            }
            ExprKind::Unary(function, a) => {
                self.expr(a)?;
                unary(*function)?
            }
            ExprKind::Math(function, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                match functions::of(function.name())? {
                    Body::Two(single, _) => Op::Two(single),
                    Body::One(..) => return None,
                }
            }
            _ => return None,
        };
        self.ops.push(op);
        Some(())
    }
}

fn unary(function: Unary) -> Option<Op> {
    Some(match function {
        Unary::Neg => Op::Neg,
        Unary::Abs => Op::Abs,
        Unary::Sqrt => Op::Sqrt,
        Unary::Rsqrt => Op::Rsqrt,
        Unary::Exp => Op::Exp,
        Unary::Sigmoid => Op::Sigmoid,
        Unary::Tanh => Op::Tanh,
        function => match functions::of(function.name())? {
            Body::One(single, _) => Op::One(single),
            Body::Two(..) => return None,
        },
    })
}
