//! A phase of native code as a kernel: what its loops compute, over the same memory, as safe slices.
//!
//! The kernel runs where the numbers of a call prove that it does what the loops do; else the code of the phase runs.

use std::borrow::Cow;
use std::ops::Range;

use bytemuck::Pod;
use hir::tir::{BufferId, VarId};
use relax::dtype::{Code, DType};

use super::super::contraction::{Contraction, Init, Numbers, Place};
use super::super::signature::Operand;
use super::memory::{self, Taken};
use crate::error::RunResult;
use crate::kernels::contract::{Nest, Start, contract};
use crate::kernels::gemm::{Product, dispatch_product, product_kind};
use crate::tensor::stop::Stop;
use crate::tensor::{Element, Kind, dispatch};

/// Multiplications that take longer than finding out that they are a product.
const PAYS: usize = 1 << 12;

#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// Variables with the slots of their values.
    pub vars: Vec<(VarId, DType, usize)>,
    pub a: Held,
    pub b: Held,
    pub c: Held,
    pub contraction: Contraction,
}

/// A buffer, by the slots that describe it.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Param {
        at: usize,
        elements: usize,
        dims: Range<usize>,
        dtype: DType,
    },
    /// The function's own memory.
    Own {
        id: BufferId,
        address: usize,
        dims: Range<usize>,
        dtype: DType,
    },
}

/// Which kernels run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernels {
    None,
    /// Those that pay.
    Worth,
    /// However little they compute; those of floats only where their sums are exact, in any order.
    #[cfg(feature = "harness")]
    Any {
        floats: bool,
    },
}

impl Kernel {
    /// Runs in place of the phase; `false` where it does not.
    pub fn run(&self, which: Kernels, slots: &[u64], operands: &mut [Operand]) -> RunResult<bool> {
        let Some(nest) = self
            .proven(slots)
            .filter(|nest| self.is_wanted(nest, which))
        else {
            return Ok(false);
        };
        let done = dispatch_product!(product_kind(self.c.kind()?), T => {
            self.compute::<T>(&nest, slots, operands)
        });
        // The loops need no memory besides. They set what was begun, or nothing was.
        Stop::here().check()?;
        Ok(done.unwrap_or(false))
    }

    fn is_wanted(&self, nest: &Nest, which: Kernels) -> bool {
        match which {
            Kernels::None => false,
            Kernels::Worth => {
                let extents = nest.dims.iter().map(|dim| dim.extent);
                extents.fold(1usize, usize::saturating_mul) >= PAYS
            }
            #[cfg(feature = "harness")]
            Kernels::Any { floats } => floats || !self.c.dtype().is_float(),
        }
    }

    fn proven(&self, slots: &[u64]) -> Option<Nest> {
        let value = |&(var, dtype, slot): &(VarId, DType, usize)| {
            let bits = slots[slot];
            let is_unsigned = dtype.code == Code::UInt;
            let value = if is_unsigned {
                i128::from(bits)
            } else {
                i128::from(bits as i64)
            };
            (var, value)
        };
        self.contraction.proven(&Numbers {
            vars: self.vars.iter().map(value).collect(),
            a: self.a.place(slots),
            b: self.b.place(slots),
            c: self.c.place(slots),
        })
    }

    fn compute<T: Product>(
        &self,
        nest: &Nest,
        slots: &[u64],
        operands: &mut [Operand],
    ) -> RunResult<bool> {
        let own = |held: &Held| held.address(slots);
        let factors = [&self.a, &self.b];
        let factors = memory::take(&factors.into_iter().filter_map(own).collect::<Vec<u64>>());
        let mut result = memory::take(&own(&self.c).into_iter().collect::<Vec<u64>>());
        // The result leaves the operands, so that the factors can be read there.
        let mut tensor = None;
        if let Held::Param { at, .. } = self.c {
            let Some(operand) = operands.get_mut(at) else {
                return Ok(false);
            };
            tensor = Some((
                at,
                std::mem::replace(operand, Operand::Same(at, Vec::new())),
            ));
        }
        let done = (|| {
            let a = self.a.elements::<T>(&factors, slots, &*operands)?;
            let b = self.b.elements::<T>(&factors, slots, &*operands)?;
            let c = match &mut tensor {
                Some((_, Operand::Tensor(tensor))) => Some(tensor.bytes_mut()?),
                Some(_) => None,
                None => own(&self.c).and_then(|address| result.bytes(address)),
            };
            match (a, b, c) {
                (Some(a), Some(b), Some(c)) => self.write::<T>(nest, &a, &b, c),
                _ => Ok(false),
            }
        })();
        if let Some((at, operand)) = tensor {
            operands[at] = operand;
        }
        done
    }

    /// Computes into the bytes of the result.
    fn write<T: Product>(&self, nest: &Nest, a: &[T], b: &[T], c: &mut [u8]) -> RunResult<bool> {
        let kind = self.c.kind()?;
        let start = match self.contraction.init {
            Init::Kept => Start::Kept,
            Init::Int(value, _) if T::KIND.is_float() => Start::Value(from::<f64, T>(value as f64)),
            Init::Int(value, _) => Start::Value(T::from_i64(value as i64)),
            Init::Float(value, _) => Start::Value(from::<f64, T>(value)),
        };
        if kind == T::KIND {
            return match bytemuck::try_cast_slice_mut::<u8, T>(c) {
                Ok(c) => contract(nest, a, b, c, start).map(|()| true),
                Err(_) => Ok(false),
            };
        }
        dispatch!(kind, E => {
            let Ok(elements) = bytemuck::try_cast_slice_mut::<u8, E>(c) else {
                return Ok(false);
            };
            let mut made: Vec<T> = elements.iter().map(|&it| from::<E, T>(it)).collect();
            contract(nest, a, b, &mut made, start)?;
            for (slot, &value) in elements.iter_mut().zip(&made) {
                *slot = from::<T, E>(value);
            }
        });
        Ok(true)
    }
}

/// A number as another type holds it: integers wrap, floats are rounded.
fn from<E: Element, U: Element>(value: E) -> U {
    match (E::KIND, U::KIND) {
        (Kind::F64, _) | (_, Kind::F64) => U::from_f64(value.to_f64()),
        (from, _) if from.is_float() => U::from_f32(value.to_f32()),
        _ => U::from_i64(value.to_i64()),
    }
}

impl Held {
    fn dtype(&self) -> DType {
        match self {
            Held::Param { dtype, .. } | Held::Own { dtype, .. } => *dtype,
        }
    }

    fn kind(&self) -> RunResult<Kind> {
        Kind::of(self.dtype())
    }

    fn place<'s>(&self, slots: &'s [u64]) -> Place<'s> {
        match self {
            Held::Param { elements, dims, .. } => Place {
                dims: &slots[dims.clone()],
                elements: slots[*elements],
            },
            Held::Own { dims, .. } => {
                let dims = &slots[dims.clone()];
                Place {
                    dims,
                    elements: dims.iter().product(),
                }
            }
        }
    }

    /// The address of the function's own memory.
    fn address(&self, slots: &[u64]) -> Option<u64> {
        match *self {
            Held::Own { address, .. } => Some(slots[address]),
            Held::Param { .. } => None,
        }
    }

    /// The elements as the type that products are computed in.
    fn elements<'m, T: Product>(
        &self,
        own: &'m Taken,
        slots: &[u64],
        operands: &'m [Operand],
    ) -> RunResult<Option<Cow<'m, [T]>>> {
        let bytes = match *self {
            Held::Own { address, .. } => own.seen(slots[address]),
            Held::Param { at, .. } => match operands.get(at) {
                Some(Operand::Tensor(tensor)) => match tensor.bytes()? {
                    Cow::Borrowed(bytes) => Some(bytes),
                    Cow::Owned(_) => None,
                },
                _ => None,
            },
        };
        let Some(bytes) = bytes else { return Ok(None) };
        let kind = self.kind()?;
        if kind == T::KIND {
            return Ok(bytemuck::try_cast_slice(bytes).ok().map(Cow::Borrowed));
        }
        Ok(dispatch!(kind, E => converted::<E, T>(bytes).map(Cow::Owned)))
    }
}

fn converted<E: Element, T: Pod + Element>(bytes: &[u8]) -> Option<Vec<T>> {
    let elements = bytemuck::try_cast_slice::<u8, E>(bytes).ok()?;
    Some(elements.iter().map(|&it| from::<E, T>(it)).collect())
}
