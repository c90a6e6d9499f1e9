//! The memory of a run: the bytes of arguments and allocated buffers, read and written as elements.

use std::borrow::Cow;
use std::sync::Arc;

use super::number::Number;
use crate::tensor::alloc::Charge;
use crate::tensor::{Element, Kind, dispatch};

/// Memory that one or more buffers refer to.
#[derive(Debug)]
pub(super) enum Region<'m> {
    Written(&'m mut [u8]),
    Read(Cow<'m, [u8]>),
    /// Allocated memory, counted in the budget of the process while the charge lives.
    Own(
        Vec<u8>,
        #[expect(dead_code, reason = "kept to be dropped")] Arc<Charge>,
    ),
}

impl Region<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Region::Written(bytes) => bytes,
            Region::Read(bytes) => bytes,
            Region::Own(bytes, _) => bytes,
        }
    }

    /// Returns the bytes, or `None` if the function does not write to this memory.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        match self {
            Region::Written(bytes) => Some(bytes),
            Region::Read(_) => None,
            Region::Own(bytes, _) => Some(bytes),
        }
    }

    /// Returns the element from a byte on, or `None` beyond the end.
    pub fn read(&self, kind: Kind, at: usize) -> Option<Number> {
        let bytes = self.bytes().get(at..)?.get(..kind.bytes())?;
        Some(dispatch!(kind, T => {
            let value: T = bytemuck::pod_read_unaligned(bytes);
            match kind {
                Kind::Bool => Number::truth(value.to_i64() != 0),
                Kind::U64 => Number::Int(i128::from(value.to_i64() as u64)),
                _ if kind.is_float() => Number::Float(value.to_f64()),
                _ => Number::Int(i128::from(value.to_i64())),
            }
        }))
    }

    pub fn write(&mut self, kind: Kind, at: usize, value: Number) -> Option<()> {
        let bytes = self.bytes_mut()?.get_mut(at..)?;
        let bytes = bytes.get_mut(..kind.bytes())?;
        dispatch!(kind, T => {
            let value: T = match value {
                Number::Int(value) => T::from_i64(value as i64),
                Number::Float(value) => T::from_f64(value),
            };
            bytes.copy_from_slice(bytemuck::bytes_of(&value));
        });
        Some(())
    }
}
