//! Tensors: `ndarray` arrays of every dtype, cheap to clone.
//!
//! Clones share their elements; writing copies shared elements first. A tensor is row-major unless it is a view made
//! by [`Tensor::permuted`]. Kernels use [`Tensor::values`]. Knows no operators.

pub mod alloc;
mod array;
mod cast;
mod element;
pub mod parallel;
pub mod stop;
mod storage;
mod summary;
mod tiny;
mod truncate;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use half::{bf16, f16};
use ndarray::{ArcArray, IxDyn};
use relax::dtype::DType;

pub use array::{Array, SharedBytes};
pub use element::{Element, Kind};
pub(crate) use element::{dispatch, dispatch_float, dispatch_int, dispatch_word};
pub use storage::{Storage, Window};
pub use summary::{Scalar, Summary};
pub use tiny::Tiny;
pub(crate) use truncate::Truncate;

use crate::error::{RunError, RunResult};
use alloc::Charge;

/// The elements, by dtype.
#[derive(Clone, Debug)]
pub enum Data {
    Bool(Array<u8>),
    I8(Array<i8>),
    I16(Array<i16>),
    I32(Array<i32>),
    I64(Array<i64>),
    U8(Array<u8>),
    U16(Array<u16>),
    U32(Array<u32>),
    U64(Array<u64>),
    F16(Array<f16>),
    BF16(Array<bf16>),
    F32(Array<f32>),
    F64(Array<f64>),
    Tiny(Tiny, Array<u8>),
}

#[derive(Clone, Debug)]
pub struct Tensor {
    data: Data,
    charge: Arc<Charge>,
}

impl Tensor {
    /// Creates a tensor from row-major elements. For bool, call [`Tensor::as_bool`] on the bytes.
    pub fn from_vec<T: Element>(shape: &[usize], values: Vec<T>) -> RunResult<Tensor> {
        let count = alloc::element_count(shape, size_of::<T>())?;
        if count != values.len() {
            return Err(RunError::shape(format!(
                "{} values do not fill the shape {}",
                values.len(),
                show_shape(shape)
            )));
        }
        let charge = Charge::take((count * size_of::<T>()) as u64)?;
        Tensor::with_charge(shape, values, charge)
    }

    fn with_charge<T: Element>(
        shape: &[usize],
        values: Vec<T>,
        charge: Arc<Charge>,
    ) -> RunResult<Tensor> {
        let array = ArcArray::from_shape_vec(IxDyn(shape), values)
            .map_err(|error| RunError::shape(format!("{}: {error}", show_shape(shape))))?;
        Ok(Tensor {
            data: T::data(array.into()),
            charge,
        })
    }

    /// Creates a tensor of zeros, which `fill` then writes in row-major order.
    pub fn generate<T: Element>(
        shape: &[usize],
        mut fill: impl FnMut(&mut [T]) -> RunResult<()>,
    ) -> RunResult<Tensor> {
        Tensor::filled_by(shape, &mut fill)
    }

    /// Takes a trait object, so that this code is compiled once per element type and not once per kernel.
    fn filled_by<T: Element>(
        shape: &[usize],
        fill: &mut dyn FnMut(&mut [T]) -> RunResult<()>,
    ) -> RunResult<Tensor> {
        let count = alloc::element_count(shape, size_of::<T>())?;
        let charge = Charge::take((count * size_of::<T>()) as u64)?;
        let mut values = bytemuck::allocation::try_zeroed_vec(count).map_err(|()| {
            RunError::from(crate::error::Fault::OutOfMemory {
                wanted: (count * size_of::<T>()) as u64,
                left: None,
            })
        })?;
        fill(&mut values)?;
        Tensor::with_charge(shape, values, charge)
    }

    /// Creates a tensor whose row-major element `i` is `f(i)`.
    pub fn from_fn<T: Element>(shape: &[usize], f: impl Fn(usize) -> T) -> RunResult<Tensor> {
        Tensor::generate(shape, |out| {
            for (i, slot) in out.iter_mut().enumerate() {
                *slot = f(i);
            }
            Ok(())
        })
    }

    pub fn zeros(kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        Ok(dispatch!(kind, T => Tensor::generate::<T>(shape, |_| Ok(()))?).with_kind(kind))
    }

    pub fn full(kind: Kind, shape: &[usize], value: Scalar) -> RunResult<Tensor> {
        let filled = dispatch!(kind, T => {
            let value: T = value.to(kind);
            Tensor::generate::<T>(shape, |out| {
                out.fill(value);
                Ok(())
            })?
        });
        Ok(filled.with_kind(kind))
    }

    pub fn scalar<T: Element>(value: T) -> RunResult<Tensor> {
        Tensor::from_vec(&[], vec![value])
    }

    /// Reinterprets `uint8` elements, which must be 0 or 1, as truth values.
    pub fn as_bool(self) -> Tensor {
        self.with_kind(Kind::Bool)
    }

    /// Converts bytes that were computed for a tensor of truth values or of tiny numbers back to these.
    pub(crate) fn with_kind(self, kind: Kind) -> Tensor {
        let data = match (kind, self.data) {
            (Kind::Bool, Data::U8(array)) => Data::Bool(array),
            (Kind::Tiny(tiny), Data::U8(array)) => Data::Tiny(tiny, array),
            (_, data) => data,
        };
        Tensor { data, ..self }
    }

    pub fn kind(&self) -> Kind {
        match &self.data {
            Data::Bool(_) => Kind::Bool,
            Data::I8(_) => Kind::I8,
            Data::I16(_) => Kind::I16,
            Data::I32(_) => Kind::I32,
            Data::I64(_) => Kind::I64,
            Data::U8(_) => Kind::U8,
            Data::U16(_) => Kind::U16,
            Data::U32(_) => Kind::U32,
            Data::U64(_) => Kind::U64,
            Data::F16(_) => Kind::F16,
            Data::BF16(_) => Kind::BF16,
            Data::F32(_) => Kind::F32,
            Data::F64(_) => Kind::F64,
            Data::Tiny(tiny, _) => Kind::Tiny(*tiny),
        }
    }

    pub fn dtype(&self) -> DType {
        self.kind().dtype()
    }

    pub fn shape(&self) -> &[usize] {
        dispatch!(self.kind(), T => T::array(&self.data).map_or(&[], |a| a.shape()))
    }

    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn byte_len(&self) -> usize {
        self.len() * self.kind().bytes()
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the array if the elements have this type. Bool is `u8`.
    pub fn array<T: Element>(&self) -> RunResult<&Array<T>> {
        T::array(&self.data).ok_or_else(|| {
            RunError::dtype(format!(
                "a {} tensor where {} is needed",
                self.dtype(),
                T::KIND.dtype()
            ))
        })
    }

    /// Returns the row-major elements. Copies only if the layout is different.
    pub fn values<T: Element>(&self) -> RunResult<Cow<'_, [T]>> {
        let array = self.array::<T>()?;
        if let Some(slice) = array.as_slice() {
            return Ok(Cow::Borrowed(slice));
        }
        let mut values = alloc::zeroed::<T>(self.len())?;
        words::copy_row_major(array, &mut values);
        Ok(Cow::Owned(values))
    }

    /// Returns the row-major elements for writing. Copies shared elements first.
    pub fn values_mut<T: Element>(&mut self) -> RunResult<&mut [T]> {
        self.make_contiguous()?;
        if !self.is_unique() {
            self.charge = Charge::take(self.byte_len() as u64)?;
        }
        let dtype = self.dtype();
        T::array_mut(&mut self.data)
            .and_then(|array| array.as_slice_mut())
            .ok_or_else(|| {
                RunError::dtype(format!(
                    "a {dtype} tensor where {} is needed",
                    T::KIND.dtype()
                ))
            })
    }

    /// Returns a number that is equal for tensors that share their elements, and different for others.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.charge) as usize
    }

    /// Returns `true` if no other tensor shares the elements.
    pub fn is_unique(&self) -> bool {
        dispatch!(self.kind(), T => T::array(&self.data).is_some_and(Array::is_unique))
    }

    pub fn is_contiguous(&self) -> bool {
        dispatch!(self.kind(), T => T::array(&self.data).is_some_and(Array::is_row_major))
    }

    /// Returns the tensor itself if it is row-major, or a row-major copy.
    pub fn contiguous(&self) -> RunResult<Tensor> {
        if self.is_contiguous() {
            return Ok(self.clone());
        }
        let copy = dispatch!(self.kind(), T => {
            let array = self.array::<T>()?;
            Tensor::generate::<T>(self.shape(), |out| {
                words::copy_row_major(array, out);
                Ok(())
            })?
        });
        Ok(copy.with_kind(self.kind()))
    }

    fn make_contiguous(&mut self) -> RunResult<()> {
        if !self.is_contiguous() {
            *self = self.contiguous()?;
        }
        Ok(())
    }

    /// Returns the same elements in another shape.
    pub fn reshaped(&self, shape: &[usize]) -> RunResult<Tensor> {
        let count = alloc::element_count(shape, self.kind().bytes())?;
        if count != self.len() {
            return Err(RunError::shape(format!(
                "{} elements of shape {} do not fill the shape {}",
                self.len(),
                show_shape(self.shape()),
                show_shape(shape)
            )));
        }
        let source = self.contiguous()?;
        let Tensor { data, charge } = source;
        let kind = self.kind();
        let data = dispatch!(kind, T => {
            match T::array(&data) {
                Some(array) => T::data(array.reshaped(shape)?),
                None => data,
            }
        });
        Ok(Tensor { data, charge }.with_kind(kind))
    }

    /// Returns a tensor of another shape, as TVM's machine reshapes: surplus elements are dropped.
    pub fn fitted(&self, shape: &[usize]) -> RunResult<Tensor> {
        let count = alloc::element_count(shape, self.kind().bytes())?;
        if count >= self.len() {
            return self.reshaped(shape);
        }
        let kind = self.kind();
        let tensor = dispatch!(kind, T => {
            let values = self.values::<T>()?;
            Tensor::from_vec(shape, values.get(..count).unwrap_or_default().to_vec())?
        });
        Ok(tensor.with_kind(kind))
    }

    /// Returns a view with permuted axes: axis `i` of the result is axis `axes[i]` of this.
    pub fn permuted(&self, axes: &[usize]) -> RunResult<Tensor> {
        let mut seen = vec![false; self.ndim()];
        for &axis in axes {
            match seen.get_mut(axis) {
                Some(slot) if !*slot => *slot = true,
                _ => {
                    return Err(RunError::argument(format!(
                        "{axes:?} is not a permutation of {} axes",
                        self.ndim()
                    )));
                }
            }
        }
        if axes.len() != self.ndim() {
            return Err(RunError::argument(format!(
                "{axes:?} is not a permutation of {} axes",
                self.ndim()
            )));
        }
        let kind = self.kind();
        let data = dispatch!(kind, T => T::data(self.array::<T>()?.permuted(axes)));
        Ok(Tensor {
            data,
            charge: self.charge.clone(),
        }
        .with_kind(kind))
    }

    /// Returns the element at a row-major position.
    pub fn get(&self, index: usize) -> Option<Scalar> {
        let kind = self.kind();
        dispatch!(kind, T => {
            let array = T::array(&self.data)?;
            let value = match array.as_slice() {
                Some(slice) => slice.get(index).copied(),
                None => array.view().iter().nth(index).copied(),
            };
            value.map(|v| Scalar::of(kind, v))
        })
    }
}

/// Formats a shape for messages: `(2, 3)`.
pub fn show_shape(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!(
            "({})",
            shape
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

#[cfg(test)]
mod tests;
