//! Translates expressions of numbers of up to 32 bits, and tests of them, to steps of a stack machine. 16-bit floats
//! are computed in 32 bits, and rounded after every step. Indices may have 64 bits if their values need only 32.

use half::{bf16, f16};
use hir::tir::{Binary, BufferId, Compare, Expr, ExprKind, PrimFunc, Unary};
use relax::dtype::{Code, DType};

use super::Access;
use super::read::access;
use crate::kernels::sweep::{Convert, Half, Int, Op, Order};
use crate::tir::functions::{self, Body};

/// The maximum number of steps, since each holds a run of elements.
const LONG: usize = 64;

/// An expression as steps.
#[derive(Debug)]
pub struct Steps {
    pub ops: Vec<Op>,
    /// The elements that it reads, in order.
    pub reads: Vec<Access>,
    /// The indices whose values it uses, in order.
    pub indices: Vec<Expr>,
}

/// Returns the steps of an expression, or `None` if it contains anything else.
pub fn read(func: &PrimFunc, expr: &Expr) -> Option<Steps> {
    let mut reader = Reader {
        func,
        made: Steps {
            ops: Vec::new(),
            reads: Vec::new(),
            indices: Vec::new(),
        },
    };
    if expr.dtype.is_bool() {
        reader.test(expr)?;
    } else if expr.dtype.is_int() {
        reader.int(expr)?;
    } else {
        reader.float(expr)?;
    }
    let is_short = reader.made.ops.len() <= LONG;
    is_short.then_some(reader.made)
}

struct Reader<'f> {
    func: &'f PrimFunc,
    made: Steps,
}

impl Reader<'_> {
    fn push(&mut self, op: Op) {
        self.made.ops.push(op);
    }

    fn load(&mut self, buffer: BufferId, indices: &[Expr]) -> Option<Op> {
        self.made.reads.push(access(self.func, buffer, indices)?);
        Some(Op::Load(self.made.reads.len() - 1))
    }

    fn float(&mut self, expr: &Expr) -> Option<()> {
        let half = match expr.dtype {
            DType::F32 => None,
            DType::F16 => Some(Half::F16),
            DType::BF16 => Some(Half::BF16),
            _ => return None,
        };
        let op = match &expr.kind {
            ExprKind::Load(buffer, indices) => self.load(*buffer, indices)?,
            ExprKind::Int(value) => Op::Constant(constant(*value as f64, half)),
            ExprKind::Float(value) => Op::Constant(constant(*value, half)),
            // This type can represent all numbers of narrower types.
            ExprKind::Cast(inner) if inner.dtype.is_bool() => return self.test(inner),
            ExprKind::Cast(inner) if inner.dtype.is_int() => {
                self.int(inner)?;
                Op::Convert(match inner.dtype {
                    DType::U32 => Convert::UnsignedToFloat,
                    _ => Convert::IntToFloat,
                })
            }
            ExprKind::Cast(inner) => {
                self.float(inner)?;
                self.made.ops.extend(half.map(Op::Round));
                return Some(());
            }
            ExprKind::Binary(op, a, b) => {
                self.float(a)?;
                self.float(b)?;
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
                self.float(a)?;
                unary(*function)?
            }
            ExprKind::Math(function, a, b) => {
                self.float(a)?;
                self.float(b)?;
                match functions::of(function.name())? {
                    Body::Two(single, _) => Op::Two(single),
                    Body::One(..) => return None,
                }
            }
            ExprKind::Select(test, a, b) => {
                self.test(test)?;
                self.float(a)?;
                self.float(b)?;
                Op::Select
            }
            ExprKind::Reinterpret(inner) if half.is_none() => return self.int(inner),
            _ => return None,
        };
        self.push(op);
        // The result is one of the operands, so it needs no rounding.
        let is_rounded = matches!(
            op,
            Op::Load(_) | Op::Constant(_) | Op::Neg | Op::Abs | Op::Min | Op::Max | Op::Select
        );
        if !is_rounded {
            self.made.ops.extend(half.map(Op::Round));
        }
        Some(())
    }

    /// Translates an integer. One of 64 bits must be a value that 32 bits can represent.
    fn int(&mut self, expr: &Expr) -> Option<()> {
        let (dtype, is_wide) = (expr.dtype, expr.dtype.bits > 32);
        if let ExprKind::Int(value) = expr.kind {
            let bits = match dtype {
                DType::U32 => value as u32 as i32,
                _ => i32::try_from(value).ok()?,
            };
            self.push(Op::IntConstant(bits));
            return Some(());
        }
        if is_index(expr) {
            self.made.indices.push(expr.clone());
            self.push(Op::Index(self.made.indices.len() - 1));
            return Some(());
        }
        match &expr.kind {
            ExprKind::Load(buffer, indices) if !is_wide => {
                let op = self.load(*buffer, indices)?;
                self.push(op);
            }
            ExprKind::Cast(inner) if inner.dtype.is_bool() => {
                self.test(inner)?;
                self.push(Op::Convert(Convert::TruthToInt));
            }
            ExprKind::Cast(inner) if inner.dtype.is_int() => {
                self.int(inner)?;
                // The bits of an unsigned number of 32 bits are another number in a wider dtype.
                if is_wide && (inner.dtype == DType::U32 || dtype == DType::U64) {
                    return None;
                }
                if inner.dtype != dtype {
                    self.wrap(dtype);
                }
            }
            ExprKind::Cast(inner) if !is_wide => {
                self.float(inner)?;
                self.push(Op::Convert(match dtype.code {
                    Code::UInt => Convert::FloatToUnsigned,
                    _ => Convert::FloatToInt,
                }));
                self.wrap(dtype);
            }
            ExprKind::Select(test, a, b) => {
                self.test(test)?;
                self.int(a)?;
                self.int(b)?;
                self.push(Op::Select);
            }
            ExprKind::Unary(Unary::Neg, a) if !is_wide => {
                self.push(Op::IntConstant(0));
                self.int(a)?;
                self.push(Op::Int(Int::Sub));
                self.wrap(dtype);
            }
            ExprKind::Unary(Unary::BitNot, a) if !is_wide => {
                self.int(a)?;
                self.push(Op::IntConstant(-1));
                self.push(Op::Int(Int::Xor));
                self.wrap(dtype);
            }
            ExprKind::Unary(Unary::Abs, a) if !is_wide => {
                self.int(a)?;
                if dtype.code != Code::UInt {
                    self.push(Op::Convert(Convert::IntAbs));
                    self.wrap(dtype);
                }
            }
            ExprKind::Reinterpret(inner) if dtype.bits == 32 && inner.dtype == DType::F32 => {
                self.float(inner)?;
            }
            ExprKind::Binary(op @ (Binary::Min | Binary::Max), a, b) if dtype != DType::U32 => {
                self.int(a)?;
                self.int(b)?;
                self.push(Op::Int(match op {
                    Binary::Min => Int::Min,
                    _ => Int::Max,
                }));
            }
            ExprKind::Binary(op, a, b) if !is_wide => return self.arithmetic(*op, dtype, a, b),
            _ => return None,
        }
        Some(())
    }

    fn arithmetic(&mut self, op: Binary, dtype: DType, a: &Expr, b: &Expr) -> Option<()> {
        let is_unsigned = dtype.code == Code::UInt;
        let int = match op {
            Binary::Add => Int::Add,
            Binary::Sub => Int::Sub,
            Binary::Mul => Int::Mul,
            Binary::BitAnd => Int::And,
            Binary::BitOr => Int::Or,
            Binary::BitXor => Int::Xor,
            Binary::ShiftLeft => Int::ShiftLeft,
            Binary::ShiftRight if is_unsigned => Int::ShiftRightUnsigned,
            Binary::ShiftRight => Int::ShiftRight,
            _ => return self.division(op, dtype, a, b),
        };
        self.int(a)?;
        self.int(b)?;
        // A shift counts modulo the width.
        if matches!(op, Binary::ShiftLeft | Binary::ShiftRight) {
            self.push(Op::IntConstant(i32::from(dtype.bits) - 1));
            self.push(Op::Int(Int::And));
        }
        self.push(Op::Int(int));
        let grows = matches!(int, Int::Add | Int::Sub | Int::Mul | Int::ShiftLeft);
        if grows {
            self.wrap(dtype);
        }
        Some(())
    }

    /// Translates a division by a constant, which must be positive.
    fn division(&mut self, op: Binary, dtype: DType, a: &Expr, b: &Expr) -> Option<()> {
        let by = i32::try_from(b.as_int()?).ok().filter(|by| *by > 0)?;
        let int = match op {
            Binary::FloorDiv => Int::FloorDiv,
            Binary::FloorMod => Int::FloorMod,
            Binary::Div | Binary::TruncDiv => Int::TruncDiv,
            Binary::TruncMod => Int::TruncMod,
            _ => return None,
        };
        let is_remainder = matches!(int, Int::FloorMod | Int::TruncMod);
        let rounds_down = dtype.code == Code::UInt || matches!(int, Int::FloorDiv | Int::FloorMod);
        self.int(a)?;
        // A division of unsigned numbers of 32 bits is only translated if it is a shift.
        let by = u32::try_from(by).ok()?;
        let (int, by) = match (rounds_down && by.is_power_of_two(), is_remainder) {
            (true, true) => (Int::And, by - 1),
            (true, false) if dtype.code == Code::UInt => {
                (Int::ShiftRightUnsigned, by.trailing_zeros())
            }
            (true, false) => (Int::ShiftRight, by.trailing_zeros()),
            (false, _) if dtype == DType::U32 => return None,
            (false, _) => (int, by),
        };
        self.push(Op::IntConstant(by as i32));
        self.push(Op::Int(int));
        Some(())
    }

    /// Wraps an integer to a dtype.
    fn wrap(&mut self, dtype: DType) {
        if dtype.bits < 32 {
            self.push(Op::Convert(match dtype.code {
                Code::UInt => Convert::Unsigned(dtype.bits),
                _ => Convert::Signed(dtype.bits),
            }));
        }
    }

    /// Translates a test to steps whose result is 0 or 1.
    fn test(&mut self, expr: &Expr) -> Option<()> {
        let op = match &expr.kind {
            ExprKind::Load(buffer, indices) if expr.dtype == DType::BOOL => {
                self.load(*buffer, indices)?
            }
            ExprKind::Int(value) => Op::Constant(f32::from(u8::from(*value != 0))),
            // `0 < T.Cast("int64", test)`, as TVM prints `where`.
            ExprKind::Compare(Compare::Lt | Compare::Ne, zero, number)
                if zero.as_int() == Some(0) && of_truth(number).is_some() =>
            {
                return self.test(of_truth(number)?);
            }
            ExprKind::Compare(Compare::Gt | Compare::Ne, number, zero)
                if zero.as_int() == Some(0) && of_truth(number).is_some() =>
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
                if a.dtype.is_float() {
                    self.float(a)?;
                    self.float(b)?;
                    Op::Compare(order)
                } else if a.dtype.is_int() {
                    self.ordered(a)?;
                    self.ordered(b)?;
                    Op::CompareInt(order)
                } else {
                    return None;
                }
            }
            ExprKind::And(a, b) => self.both(a, b, Op::Min)?,
            ExprKind::Or(a, b) => self.both(a, b, Op::Max)?,
            ExprKind::Not(a) => {
                self.push(Op::Constant(1.0));
                self.test(a)?;
                Op::Sub
            }
            ExprKind::Select(test, a, b) => {
                self.test(test)?;
                self.test(a)?;
                self.test(b)?;
                Op::Select
            }
            ExprKind::Cast(inner) if inner.dtype.is_bool() => return self.test(inner),
            ExprKind::Cast(inner) if inner.dtype.is_int() => {
                self.int(inner)?;
                Op::Convert(Convert::IntToTruth)
            }
            ExprKind::Cast(inner) => {
                self.float(inner)?;
                Op::Convert(Convert::FloatToTruth)
            }
            _ => return None,
        };
        self.push(op);
        Some(())
    }

    /// Translates an integer to one with a sign that is ordered in the same way.
    fn ordered(&mut self, expr: &Expr) -> Option<()> {
        self.int(expr)?;
        if expr.dtype == DType::U32 {
            self.push(Op::IntConstant(i32::MIN));
            self.push(Op::Int(Int::Xor));
        }
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

/// Returns `true` if an integer is computed from variables and constants as indices are.
fn is_index(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Var(_) => expr.dtype.is_int(),
        ExprKind::Cast(inner) => expr.dtype.is_int() && is_index(inner),
        ExprKind::Binary(op, a, b) => {
            !matches!(
                op,
                Binary::BitAnd
                    | Binary::BitOr
                    | Binary::BitXor
                    | Binary::ShiftLeft
                    | Binary::ShiftRight
            ) && is_index(a)
                && is_index(b)
        }
        _ => false,
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
