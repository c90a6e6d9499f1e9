//! Enters a function: binds the variables of its parameters, and computes the extents of its buffers.

use std::borrow::Cow;

use hir::tir::{self, BufferId, Data, Expr, ExprKind, ParamKind, VarId, int};
use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::memory::Region;
use super::number::Number;
use super::{BoundBuffer, Ended, Machine, Step};
use crate::error::RunError;
use crate::tensor::Kind;
use crate::tensor::alloc::Charge;
use crate::tir::signature::{Argument, Arguments, Operand};
use crate::tir::trap::{Check, Trap};
use crate::tir::{MOST_ELEMENTS, MOST_EXTENT};

/// An extent or a stride that the function computes, to compare with that of the argument.
struct Comparison<'e> {
    wanted: &'e Expr,
    actual: i64,
    /// The extent of the dimension. A stride is not compared if this is at most 1.
    needed: Option<i64>,
    check: Check,
    range: TextRange,
}

impl<'m> Machine<'m, '_> {
    pub(super) fn enter(&mut self, arguments: &Arguments, operands: &'m mut [Operand]) -> Step<()> {
        self.take(arguments, operands)?;
        let func = self.func;
        for (param, argument) in func.params.iter().zip(&arguments.all) {
            if let (ParamKind::Scalar(var), Argument::Scalar(bits)) = (param.kind, argument) {
                self.set(var, of_bits(*bits, func.var(var).dtype));
            }
        }
        // Bind plain variables first, in order, then compare expressions over them.
        let mut later = Vec::new();
        for (param, argument) in func.params.iter().zip(&arguments.all) {
            if let (ParamKind::Buffer(id), Argument::Buffer { dims, .. }) = (param.kind, argument) {
                self.shape(func.buffer(id), dims, &mut later)?;
            }
        }
        for it in later {
            self.compare(it)?;
        }
        for id in 0..func.buffers.len() {
            let place = self.bound_buffer(id, arguments)?;
            self.places.push(place);
        }
        Ok(())
    }

    /// Takes the memory of the arguments: one region for each operand.
    fn take(&mut self, arguments: &Arguments, operands: &'m mut [Operand]) -> Step<()> {
        let wrong = |error: RunError| Ended::Error(error, None);
        for (at, operand) in operands.iter_mut().enumerate() {
            self.regions.push(match (operand, arguments.written[at]) {
                (Operand::Tensor(tensor), true) => {
                    Region::Written(tensor.memory_mut().map_err(wrong)?)
                }
                (Operand::Tensor(tensor), false) => Region::Read(tensor.memory().map_err(wrong)?),
                (Operand::Scalar(_) | Operand::Same(..), _) => Region::Read(Cow::default()),
            });
        }
        Ok(())
    }

    /// Binds the variables in a parameter's shape, strides and offset. An argument tensor is row-major without an
    /// offset.
    fn shape<'e>(
        &mut self,
        buffer: &'e tir::Buffer,
        dims: &[i64],
        later: &mut Vec<Comparison<'e>>,
    ) -> Step<()> {
        let range = buffer.range;
        for (k, (wanted, &actual)) in buffer.shape.iter().zip(dims).enumerate() {
            fits(actual, buffer, k)?;
            let check = Check::Shape(buffer.name.clone(), k);
            if !self.bind_variable(wanted, actual, &check, range)? {
                later.push(Comparison {
                    wanted,
                    actual,
                    needed: None,
                    check,
                    range,
                });
            }
        }
        for (k, wanted) in buffer.strides.iter().flatten().enumerate() {
            let inner = dims.iter().skip(k + 1);
            let actual = inner.fold(1i64, |all, dim| all.wrapping_mul(*dim));
            let check = Check::Stride(buffer.name.clone(), k);
            if !self.bind_variable(wanted, actual, &check, range)? {
                later.push(Comparison {
                    wanted,
                    actual,
                    needed: Some(dims[k]),
                    check,
                    range,
                });
            }
        }
        if let Some(offset) = &buffer.offset {
            self.bind_variable(offset, 0, &Check::Memory(buffer.name.clone()), range)?;
        }
        Ok(())
    }

    /// Binds a variable without a value to an extent or a stride, which must fit the variable's dtype. Returns `false`
    /// if `expr` is not such a variable.
    fn bind_variable(
        &mut self,
        expr: &Expr,
        actual: i64,
        check: &Check,
        range: TextRange,
    ) -> Step<bool> {
        let ExprKind::Var(var) = expr.kind else {
            return Ok(false);
        };
        if self.value_of(var).is_some() {
            return Ok(false);
        }
        let held = int::wrap(i128::from(actual), expr.dtype);
        if expr.dtype.bits < 64 && held != i128::from(actual) {
            return Err(trap(check.clone(), actual, held as i64, range));
        }
        self.set(var, Number::Int(held));
        Ok(true)
    }

    fn compare(&mut self, it: Comparison<'_>) -> Step<()> {
        let wanted = self.extent(it.wanted)?;
        if it.actual == wanted || it.needed.is_some_and(|dim| dim <= 1) {
            return Ok(());
        }
        Err(trap(it.check, it.actual, wanted, it.range))
    }

    /// Computes the extents of a buffer, and allocates its memory if it has its own.
    fn bound_buffer(&mut self, id: usize, arguments: &Arguments) -> Step<BoundBuffer> {
        let buffer = &self.func.buffers[id];
        let mut dims = Vec::with_capacity(buffer.shape.len());
        for (k, dim) in buffer.shape.iter().enumerate() {
            dims.push(match buffer.data {
                Data::Param(at) => arguments.dims(at)[k],
                Data::View(_) | Data::Alloc => {
                    let dim = self.extent(dim)?;
                    fits(dim, buffer, k)?;
                    dim
                }
            });
        }
        let strides = match &buffer.strides {
            Some(strides) => Some(
                strides
                    .iter()
                    .map(|stride| self.extent(stride))
                    .collect::<Step<Vec<i64>>>()?,
            ),
            None => None,
        };
        let (region, start, elements) = match buffer.data {
            Data::Param(at) => arguments.memory(at),
            Data::View(of) => {
                let from = self.place(of).clone();
                let bytes = from.elements * self.func.buffer(of).dtype.bytes() as u64;
                let elements = bytes / buffer.dtype.bytes() as u64;
                (from.region, from.start, elements)
            }
            Data::Alloc => {
                let (region, elements) = self.allocated(BufferId(id as u32), &dims)?;
                (region, 0, elements)
            }
        };
        Ok(BoundBuffer {
            region,
            start,
            dims,
            strides,
            elements,
        })
    }

    /// Allocates the memory of a buffer, and returns its region and number of elements.
    fn allocated(&mut self, id: BufferId, dims: &[i64]) -> Step<(usize, u64)> {
        let buffer = self.func.buffer(id);
        let check = || Check::OutOfMemory(buffer.name.clone());
        let mut elements = 1u64;
        for &dim in dims {
            let product = u128::from(elements) * u128::from(dim as u64);
            if product > u128::from(MOST_ELEMENTS) {
                let (product, most) = (product as u64 as i64, MOST_ELEMENTS as i64);
                return Err(trap(check(), product, most, buffer.range));
            }
            elements = product as u64;
        }
        let bytes = elements * buffer.dtype.bytes() as u64;
        // Check in the same order as native code: the budget first.
        let taken = Charge::take(bytes).ok();
        let memory = taken.and_then(|charge| {
            let memory = bytemuck::allocation::try_zeroed_vec(bytes as usize);
            Some(Region::Own(memory.ok()?, charge))
        });
        let Some(memory) = memory else {
            let bytes = bytes as i64;
            return Err(trap(check(), bytes, bytes, buffer.range));
        };
        self.regions.push(memory);
        Ok((self.regions.len() - 1, elements))
    }

    pub(super) fn value_of(&self, var: VarId) -> Option<Number> {
        self.vars[var.0 as usize]
    }

    pub(super) fn kind(&self, id: BufferId) -> Step<Kind> {
        let buffer = self.func.buffer(id);
        Kind::of(buffer.dtype).map_err(|error| Ended::Error(error, Some(buffer.range)))
    }
}

pub(super) fn trap(check: Check, value: i64, extent: i64, range: TextRange) -> Ended {
    let trap = Trap {
        check,
        value,
        extent,
    };
    Ended::Trap(trap, range)
}

/// Checks that an extent is not negative and fits 32 bits, in which programs may count.
fn fits(dim: i64, buffer: &tir::Buffer, at: usize) -> Step<()> {
    if (0..=MOST_EXTENT).contains(&dim) {
        return Ok(());
    }
    let check = Check::Extent(buffer.name.clone(), at);
    Err(trap(check, dim, MOST_EXTENT, buffer.range))
}

/// Decodes a number from the bits of an argument.
fn of_bits(bits: u64, dtype: DType) -> Number {
    match (dtype.code, dtype.bits) {
        (Code::Float, 64) => Number::Float(f64::from_bits(bits)),
        (Code::Float | Code::BFloat, _) => Number::Float(f64::from(f32::from_bits(bits as u32))),
        _ => Number::Int(int::wrap(i128::from(bits as i64), dtype)),
    }
}
