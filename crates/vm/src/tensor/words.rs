//! Accesses elements as bytes or as words of their width, for kernels that move elements without interpreting them.

use std::borrow::Cow;
use std::sync::Arc;

use bytemuck::Pod;
use ndarray::{ArrayViewMut, IxDyn};

use super::alloc::{self, Charge};
use super::array::{Array, Bytes};
use super::{Element, Kind, SharedBytes, Tensor, dispatch};
use crate::error::{RunError, RunResult};

/// Copies a strided array to row-major order.
pub(super) fn copy_row_major<T: Element>(array: &Array<T>, out: &mut [T]) {
    if let Ok(mut view) = ArrayViewMut::from_shape(IxDyn(array.shape()), out) {
        view.assign(&array.view());
    }
}

fn wrong_width(kind: Kind) -> RunError {
    RunError::dtype(format!("{} elements are not that wide", kind.dtype()))
}

impl Tensor {
    /// Returns the bytes of the elements in row-major order.
    pub fn bytes(&self) -> RunResult<Cow<'_, [u8]>> {
        Ok(dispatch!(self.kind(), T => match self.values::<T>()? {
            Cow::Borrowed(values) => Cow::Borrowed(bytemuck::cast_slice(values)),
            Cow::Owned(values) => Cow::Owned(bytemuck::cast_slice(&values).to_vec()),
        }))
    }

    /// Returns the bytes for writing, in row-major order; copies shared elements first. Bool bytes must stay 0 or 1.
    pub fn bytes_mut(&mut self) -> RunResult<&mut [u8]> {
        Ok(dispatch!(self.kind(), T => bytemuck::cast_slice_mut::<T, u8>(self.values_mut::<T>()?)))
    }

    /// Creates a tensor from bytes in native byte order.
    pub fn from_bytes(kind: Kind, shape: &[usize], bytes: &[u8]) -> RunResult<Tensor> {
        let mut needed = bytes.len();
        let tensor = Tensor::from_fill(kind, shape, |target| {
            needed = target.len();
            if needed == bytes.len() {
                target.copy_from_slice(bytes);
            }
        })?;
        if needed != bytes.len() {
            return Err(RunError::shape(format!(
                "{} bytes where {needed} are needed",
                bytes.len()
            )));
        }
        Ok(tensor)
    }

    /// Creates a tensor that borrows row-major elements from shared bytes, in native byte order. They don't count for
    /// the budget. Unaligned elements are copied, and so are truth values, which have to be 0 or 1.
    pub fn borrowing(
        kind: Kind,
        shape: &[usize],
        bytes: &SharedBytes,
        offset: usize,
    ) -> RunResult<Tensor> {
        let length = alloc::element_count(shape, kind.bytes())? * kind.bytes();
        let part = offset..offset.saturating_add(length);
        let elements = (**bytes).as_ref().get(part.clone()).ok_or_else(|| {
            RunError::shape(format!("{length} bytes are needed from byte {offset} on"))
        })?;
        let array = match kind {
            Kind::Bool => None,
            _ => {
                dispatch!(kind, T => Array::within(shape, &Bytes::Shared(Arc::clone(bytes)), part).map(T::data))
            }
        };
        match array {
            Some(data) => Ok(Tensor {
                data,
                charge: Charge::take(0)?,
            }),
            None => Tensor::from_bytes(kind, shape, elements),
        }
    }

    /// Creates a tensor whose bytes `fill` writes, in row-major and native byte order.
    pub fn from_fill(
        kind: Kind,
        shape: &[usize],
        mut fill: impl FnMut(&mut [u8]),
    ) -> RunResult<Tensor> {
        Tensor::generate_bytes(kind, shape, &mut |bytes| {
            fill(bytes);
            if kind == Kind::Bool {
                for byte in bytes {
                    *byte = u8::from(*byte != 0);
                }
            }
            Ok(())
        })
    }

    /// Returns the elements as words of their width, in row-major order.
    pub fn words<W: Pod>(&self) -> RunResult<Cow<'_, [W]>> {
        let wrong = || wrong_width(self.kind());
        dispatch!(self.kind(), T => match self.values::<T>()? {
            Cow::Borrowed(values) => bytemuck::try_cast_slice(values)
                .map(Cow::Borrowed)
                .map_err(|_| wrong()),
            Cow::Owned(values) => bytemuck::allocation::try_cast_vec(values)
                .map(Cow::Owned)
                .map_err(|_| wrong()),
        })
    }

    /// Creates a tensor whose words `fill` writes in row-major order.
    pub fn generate_words<W: Pod>(
        kind: Kind,
        shape: &[usize],
        mut fill: impl FnMut(&mut [W]) -> RunResult<()>,
    ) -> RunResult<Tensor> {
        if size_of::<W>() != kind.bytes() {
            return Err(wrong_width(kind));
        }
        Tensor::generate_bytes(kind, shape, &mut |bytes| {
            fill(bytemuck::try_cast_slice_mut(bytes).map_err(|_| wrong_width(kind))?)
        })
    }

    /// Creates a tensor whose bytes `fill` writes. Bool bytes must become 0 or 1.
    fn generate_bytes(
        kind: Kind,
        shape: &[usize],
        fill: &mut dyn FnMut(&mut [u8]) -> RunResult<()>,
    ) -> RunResult<Tensor> {
        let tensor = dispatch!(kind, T => Tensor::generate::<T>(shape, |out| {
            fill(bytemuck::cast_slice_mut(out))
        })?);
        Ok(tensor.with_kind(kind))
    }
}
