//! Locates a buffer of native code for what runs outside of the code.

use std::borrow::Cow;
use std::ops::Range;

use hir::tir::BufferId;
use relax::dtype::DType;

use super::super::nest::BufferArgument;
use super::super::signature::Operand;
use super::memory::Taken;
use crate::error::RunResult;
use crate::tensor::Kind;

/// The location of a buffer, by the slots that describe it.
#[derive(Clone, Debug)]
pub(super) enum BufferSlots {
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

impl BufferSlots {
    pub fn dtype(&self) -> DType {
        match self {
            BufferSlots::Param { dtype, .. } | BufferSlots::Own { dtype, .. } => *dtype,
        }
    }

    pub fn kind(&self) -> RunResult<Kind> {
        Kind::of(self.dtype())
    }

    pub fn place<'s>(&self, slots: &'s [u64]) -> BufferArgument<'s> {
        match self {
            BufferSlots::Param { elements, dims, .. } => BufferArgument {
                dims: &slots[dims.clone()],
                elements: slots[*elements],
            },
            BufferSlots::Own { dims, .. } => {
                let dims = &slots[dims.clone()];
                BufferArgument {
                    dims,
                    elements: dims.iter().product(),
                }
            }
        }
    }

    /// Returns the address of the function's own memory.
    pub fn address(&self, slots: &[u64]) -> Option<u64> {
        match *self {
            BufferSlots::Own { address, .. } => Some(slots[address]),
            BufferSlots::Param { .. } => None,
        }
    }

    /// Returns the bytes, either of the function's own memory or of an operand.
    pub fn as_bytes<'m>(
        &self,
        own: &'m Taken,
        slots: &[u64],
        operands: &'m [Operand],
    ) -> Option<&'m [u8]> {
        match *self {
            BufferSlots::Own { address, .. } => own.as_bytes(slots[address]),
            BufferSlots::Param { at, .. } => match operands.get(at)? {
                Operand::Tensor(tensor) => match tensor.bytes().ok()? {
                    Cow::Borrowed(bytes) => Some(bytes),
                    Cow::Owned(_) => None,
                },
                _ => None,
            },
        }
    }
}
