//! The array of a tensor: owned memory, or borrowed bytes such as those of a mapped file.
//!
//! Knows shapes and strides, but neither budgets nor files.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use ndarray::{ArcArray, ArrayView, Dimension, IxDyn, ShapeBuilder};

use super::Element;
use crate::error::{RunError, RunResult};

/// Read-only bytes that do not change while anything holds them.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Elements with a shape and strides. Clones share the elements; writing copies shared elements first.
#[derive(Clone)]
pub enum Array<T> {
    Owned(ArcArray<T, IxDyn>),
    Borrowed(Borrowed),
}

/// A part of shared bytes that is aligned for its elements.
#[derive(Clone)]
pub struct Borrowed {
    bytes: SharedBytes,
    part: Range<usize>,
    shape: IxDyn,
    strides: IxDyn,
}

impl<T: Element> Array<T> {
    /// Returns row-major elements in a part of shared bytes, or `None` if they are not aligned or the size is wrong.
    pub(super) fn borrowed(
        shape: &[usize],
        bytes: &SharedBytes,
        part: Range<usize>,
    ) -> Option<Array<T>> {
        let values: &[T] = bytemuck::try_cast_slice((**bytes).as_ref().get(part.clone())?).ok()?;
        let view = ArrayView::from_shape(IxDyn(shape), values).ok()?;
        let strides: Vec<usize> = view.strides().iter().map(|&it| it as usize).collect();
        Some(Array::Borrowed(Borrowed {
            bytes: Arc::clone(bytes),
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
        if let Array::Borrowed(it) = self {
            *self = Array::Owned(it.view().to_owned().into_shared());
        }
        match self {
            Array::Owned(array) => array.as_slice_mut(),
            Array::Borrowed(_) => None,
        }
    }

    /// Returns `true` if the elements can be written in place.
    pub(super) fn is_unique(&self) -> bool {
        match self {
            Array::Owned(array) => array.is_unique(),
            Array::Borrowed(_) => false,
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
            Array::Borrowed(it) => Array::borrowed(shape, &it.bytes, it.part.clone())
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

    /// Returns the memory if nothing else shares it.
    pub(super) fn into_memory(self) -> Option<Vec<T>> {
        let Array::Owned(array) = self else {
            return None;
        };
        let array = array.try_into_owned_nocopy().ok()?;
        Some(array.into_raw_vec_and_offset().0)
    }
}

impl Borrowed {
    fn view<T: Element>(&self) -> ArrayView<'_, T, IxDyn> {
        let bytes = (*self.bytes).as_ref().get(self.part.clone());
        let values: &[T] = bytes
            .and_then(|it| bytemuck::try_cast_slice(it).ok())
            .unwrap_or_default();
        let shape = self.shape.clone().strides(self.strides.clone());
        // The shape was checked when the array was created.
        ArrayView::from_shape(shape, values)
            .unwrap_or_else(|_| ArrayView::from(&[] as &[T]).into_dyn())
    }
}

impl<T: Element> Default for Array<T> {
    fn default() -> Array<T> {
        Array::Owned(ArcArray::default(IxDyn(&[0])))
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
