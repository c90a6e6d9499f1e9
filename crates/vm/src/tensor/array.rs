//! The array of a tensor: owned memory, or borrowed bytes such as those of a mapped file or of a storage.
//!
//! Knows shapes and strides, but neither budgets nor files.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use ndarray::{ArcArray, ArrayView, Dimension, IxDyn, ShapeBuilder};

use super::Element;
use super::storage::Memory;
use crate::error::{RunError, RunResult};

/// Read-only bytes that do not change while anything holds them.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Elements with a shape and strides. Clones share the elements; writing copies shared elements first.
#[derive(Clone)]
pub enum Array<T> {
    Owned(ArcArray<T, IxDyn>),
    Borrowed(Borrowed),
}

/// Bytes that several arrays may borrow.
#[derive(Clone)]
pub(super) enum Bytes {
    Shared(SharedBytes),
    /// The memory of a storage. An array that borrows it alone may write to it.
    Planned(Arc<Memory>),
}

impl Bytes {
    fn get(&self, part: Range<usize>) -> Option<&[u8]> {
        match self {
            Bytes::Shared(bytes) => (**bytes).as_ref().get(part),
            Bytes::Planned(memory) => memory.bytes().get(part),
        }
    }
}

/// A part of shared bytes that is aligned for its elements.
#[derive(Clone)]
pub struct Borrowed {
    bytes: Bytes,
    part: Range<usize>,
    shape: IxDyn,
    strides: IxDyn,
}

impl<T: Element> Array<T> {
    /// Returns row-major elements in a part of shared bytes, or `None` if they are not aligned or the size is wrong.
    pub(super) fn within(shape: &[usize], bytes: &Bytes, part: Range<usize>) -> Option<Array<T>> {
        let values: &[T] = bytemuck::try_cast_slice(bytes.get(part.clone())?).ok()?;
        let view = ArrayView::from_shape(IxDyn(shape), values).ok()?;
        let strides: Vec<usize> = view.strides().iter().map(|&it| it as usize).collect();
        Some(Array::Borrowed(Borrowed {
            bytes: bytes.clone(),
            part,
            shape: IxDyn(shape),
            strides: IxDyn(&strides),
        }))
    }

    pub fn view(&self) -> ArrayView<'_, T, IxDyn> {
        match self {
            Array::Owned(array) => array.view(),
            Array::Borrowed(it) => it.view(),
        }
    }

    pub fn shape(&self) -> &[usize] {
        match self {
            Array::Owned(array) => array.shape(),
            Array::Borrowed(it) => it.shape.slice(),
        }
    }

    /// Returns the elements if they are row-major.
    pub fn as_slice(&self) -> Option<&[T]> {
        self.view().to_slice()
    }

    /// Returns the elements for writing if they are row-major. Copies shared elements first.
    pub(super) fn as_slice_mut(&mut self) -> Option<&mut [T]> {
        if let Array::Borrowed(it) = self
            && !(it.is_unique() && self.is_row_major())
        {
            *self = Array::Owned(self.view().to_owned().into_shared());
        }
        match self {
            Array::Owned(array) => array.as_slice_mut(),
            Array::Borrowed(it) => it.as_slice_mut(),
        }
    }

    /// Returns the memory of a storage, and the part of it that row-major elements are in.
    pub(super) fn memory(&self) -> Option<(&Arc<Memory>, &Range<usize>)> {
        match self {
            Array::Borrowed(it) if self.is_row_major() => match &it.bytes {
                Bytes::Planned(memory) => Some((memory, &it.part)),
                Bytes::Shared(_) => None,
            },
            _ => None,
        }
    }

    pub(super) fn memory_mut(&mut self) -> Option<&mut Arc<Memory>> {
        self.memory()?;
        match self {
            Array::Borrowed(Borrowed {
                bytes: Bytes::Planned(memory),
                ..
            }) => Some(memory),
            _ => None,
        }
    }

    /// Returns `true` if the elements can be written in place.
    pub(super) fn is_unique(&self) -> bool {
        match self {
            Array::Owned(array) => array.is_unique(),
            Array::Borrowed(it) => it.is_unique(),
        }
    }

    pub(super) fn is_row_major(&self) -> bool {
        self.view().is_standard_layout()
    }

    /// Returns the elements, which must be row-major, in another shape.
    pub(super) fn reshaped(&self, shape: &[usize]) -> RunResult<Array<T>> {
        let wrong = |error: ndarray::ShapeError| RunError::shape(error.to_string());
        match self {
            Array::Owned(array) => {
                let array = array.clone().into_shape_with_order(IxDyn(shape));
                array.map(Array::Owned).map_err(wrong)
            }
            Array::Borrowed(it) => Array::within(shape, &it.bytes, it.part.clone())
                .ok_or_else(|| RunError::shape("the elements do not fill the shape".to_owned())),
        }
    }

    /// Permutes the axes: axis `i` of the result is axis `axes[i]` of this.
    pub(super) fn permuted(&self, axes: &[usize]) -> Array<T> {
        match self {
            Array::Owned(array) => Array::Owned(array.clone().permuted_axes(IxDyn(axes))),
            Array::Borrowed(it) => {
                let permuted = |of: &IxDyn| {
                    let of: Vec<usize> = axes.iter().map(|&axis| of[axis]).collect();
                    IxDyn(&of)
                };
                Array::Borrowed(Borrowed {
                    shape: permuted(&it.shape),
                    strides: permuted(&it.strides),
                    ..it.clone()
                })
            }
        }
    }
}

impl Borrowed {
    fn is_unique(&self) -> bool {
        matches!(&self.bytes, Bytes::Planned(memory) if Arc::strong_count(memory) == 1)
    }

    fn as_slice_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        let Bytes::Planned(memory) = &mut self.bytes else {
            return None;
        };
        let bytes = Arc::get_mut(memory)?
            .bytes_mut()
            .get_mut(self.part.clone())?;
        bytemuck::try_cast_slice_mut(bytes).ok()
    }

    fn view<T: Element>(&self) -> ArrayView<'_, T, IxDyn> {
        let bytes = self.bytes.get(self.part.clone());
        let values: &[T] = bytes
            .and_then(|it| bytemuck::try_cast_slice(it).ok())
            .unwrap_or_default();
        let shape = self.shape.clone().strides(self.strides.clone());
        // The shape was checked when the array was created.
        ArrayView::from_shape(shape, values)
            .unwrap_or_else(|_| ArrayView::from(&[] as &[T]).into_dyn())
    }
}

impl<T: Element> From<ArcArray<T, IxDyn>> for Array<T> {
    fn from(array: ArcArray<T, IxDyn>) -> Array<T> {
        Array::Owned(array)
    }
}

impl<T: Element> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
