//! Translates float expressions of up to 32 bits, and tests of them, to steps of a stack machine. 16-bit floats are computed in 32 bits,
//! and rounded after every step.

use half::{bf16, f16};
use hir::tir::{Binary, Compare, Expr, ExprKind, PrimFunc, Unary};
use relax::dtype::DType;

use super::Access;
use super::read::access;
use crate::kernels::sweep::{Half, Op, Order};
use crate::tir::functions::{self, Body};

/// The maximum number of steps, since each holds a run of elements.
const LONG: usize = 64;

/// Returns the steps of an expression and the elements that it reads, in order; `None` if the expression contains
/// anything else.
pub fn read(func: &PrimFunc, expr: &Expr) -> Option<(Vec<Op>, Vec<Access>)> {
    let mut reader = Reader {
        func,
        ops: Vec::new(),
        reads: Vec::new(),
    };
    if expr.dtype.is_bool() {
        reader.test(expr)?;
    } else {
        reader.expr(expr)?;
    }
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
        let half = match expr.dtype {
            DType::F32 => None,
            DType::F16 => Some(Half::F16),
            DType::BF16 => Some(Half::BF16),
            _ => return None,
        };
        let op = match &expr.kind {
            ExprKind::Load(buffer, indices) => {
                self.reads.push(access(self.func, *buffer, indices)?);
                Op::Load(self.reads.len() - 1)
            }
            ExprKind::Int(value) => Op::Constant(constant(*value as f64, half)),
            ExprKind::Float(value) => Op::Constant(constant(*value, half)),
            // This type can represent all numbers of narrower types.
            ExprKind::Cast(inner) if inner.dtype.is_bool() => return self.test(inner),
            ExprKind::Cast(inner) => {
                self.expr(inner)?;
                self.ops.extend(half.map(Op::Round));
                return Some(());
            }
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
            ExprKind::Select(test, a, b) => {
                self.test(test)?;
                self.expr(a)?;
                self.expr(b)?;
                Op::Select
            }
            _ => return None,
        };
        self.ops.push(op);
        // The result is one of the operands, so it needs no rounding.
        let is_rounded = matches!(
            op,
            Op::Load(_) | Op::Constant(_) | Op::Neg | Op::Abs | Op::Min | Op::Max | Op::Select
        );
        if !is_rounded {
            self.ops.extend(half.map(Op::Round));
        }
        Some(())
    }

    /// Translates a test to steps whose result is 0 or 1.
    fn test(&mut self, expr: &Expr) -> Option<()> {
        let op = match &expr.kind {
            ExprKind::Load(buffer, indices) if expr.dtype == DType::BOOL => {
                self.reads.push(access(self.func, *buffer, indices)?);
                Op::Load(self.reads.len() - 1)
            }
            // `0 < T.Cast("int64", test)`, as TVM prints `where`.
            ExprKind::Compare(Compare::Lt | Compare::Ne, zero, number)
                if zero.as_int() == Some(0) =>
            {
                return self.test(of_truth(number)?);
            }
            ExprKind::Compare(Compare::Gt | Compare::Ne, number, zero)
                if zero.as_int() == Some(0) =>
            {
                return self.test(of_truth(number)?);
            }
            ExprKind::Compare(op, a, b) => {
                let (order, a, b) = match op {
                    Compare::Eq => (Order::Eq, a, b),
                    Compare::Ne => (Order::Ne, a, b),
                    Compare::Lt => (Order::Lt, a, b),
                    Compare::Le => (Order::Le, a, b),
                    Compare::Gt => (Order::Lt, b, a),
                    Compare::Ge => (Order::Le, b, a),
                };
                self.expr(a)?;
                self.expr(b)?;
                Op::Compare(order)
            }
            ExprKind::And(a, b) => self.both(a, b, Op::Min)?,
            ExprKind::Or(a, b) => self.both(a, b, Op::Max)?,
            ExprKind::Not(a) => {
                self.ops.push(Op::Constant(1.0));
                self.test(a)?;
                Op::Sub
            }
            _ => return None,
        };
        self.ops.push(op);
        Some(())
    }

    fn both(&mut self, a: &Expr, b: &Expr, op: Op) -> Option<Op> {
        self.test(a)?;
        self.test(b)?;
        Some(op)
    }
}

/// Returns the truth value that an integer is.
fn of_truth(number: &Expr) -> Option<&Expr> {
    match &number.kind {
        ExprKind::Cast(test) if test.dtype.is_bool() && number.dtype.is_int() => Some(test),
        _ => None,
    }
}

fn constant(value: f64, half: Option<Half>) -> f32 {
    match half {
        None => value as f32,
        Some(Half::F16) => f16::from_f64(value).to_f32(),
        Some(Half::BF16) => bf16::from_f64(value).to_f32(),
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
