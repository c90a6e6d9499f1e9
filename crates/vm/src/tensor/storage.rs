//! Storages, into which tensors are planned: a tensor reuses the memory of an earlier one that was killed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ndarray::{ArcArray, IxDyn};
use relax::dtype::DType;

use super::alloc::{self, Charge, PlannedBytes};
use super::{Data, Element, Kind, Tensor, dispatch};
use crate::error::{Fault, RunResult};

/// A storage records its size. A tensor owns its elements, so two live tensors in one storage have separate memory.
#[derive(Debug)]
pub struct Storage {
    pub bytes: u64,
    pub dtype: DType,
    /// The memory of the last tensor that was killed.
    left: Mutex<Option<Tensor>>,
    /// `true` while a tensor uses all of the storage's memory.
    taken: AtomicBool,
    planned: Arc<PlannedBytes>,
}

impl Storage {
    pub fn new(bytes: u64, dtype: DType) -> Arc<Storage> {
        Arc::new(Storage {
            bytes,
            dtype,
            left: Mutex::new(None),
            taken: AtomicBool::new(false),
            planned: PlannedBytes::of_storage(bytes),
        })
    }

    pub(super) fn planned(&self) -> &Arc<PlannedBytes> {
        &self.planned
    }

    /// Returns a tensor at a nonzero offset of the storage. Here it has its own memory.
    pub fn tensor_behind(&self, kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        Ok(Tensor::zeros(kind, shape)?.planned_in(&self.planned))
    }

    /// Returns a tensor in the storage, with the previous elements of that memory.
    pub fn tensor(self: &Arc<Storage>, kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        let count = alloc::element_count(shape, kind.bytes())?;
        let left = self
            .left
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(left) = left
            && left.kind() == kind
        {
            let charge = Arc::clone(&left.charge);
            let taken = dispatch!(kind, T => refill::<T>(left.data, shape, count));
            if let Some(data) = taken {
                return Ok(Tensor { data, charge }.with_kind(kind));
            }
            self.taken.store(false, Ordering::Relaxed);
        }
        let room = if self.taken.swap(true, Ordering::Relaxed) {
            count
        } else {
            usize::try_from(self.bytes).map_or(count, |bytes| count.max(bytes / kind.bytes()))
        };
        let bytes = (room as u64).saturating_mul(kind.bytes() as u64);
        let charge = Charge::within(bytes, self)?;
        let data = dispatch!(kind, T => {
            let mut values: Vec<T> = bytemuck::allocation::try_zeroed_vec(room)
                .map_err(|()| Fault::OutOfMemory { wanted: bytes, left: None })?;
            values.truncate(count);
            array(values, shape)
        });
        match data {
            Some(data) => Ok(Tensor { data, charge }.with_kind(kind)),
            None => Tensor::zeros(kind, shape),
        }
    }
}

impl Tensor {
    /// Marks this copy as a view of `of`: the storage of `of` stays planned while the copy lives.
    pub fn as_view_of(self, of: &Tensor) -> Tensor {
        match of.charge.planned() {
            Some(planned) => self.planned_in(planned),
            None => self,
        }
    }

    fn planned_in(mut self, planned: &Arc<PlannedBytes>) -> Tensor {
        if let Some(charge) = Arc::get_mut(&mut self.charge) {
            charge.keep(planned);
        }
        self
    }

    /// Ends a tensor's life: returns its memory to its storage, unless something else refers to it.
    pub fn leave(self) {
        let Some(storage) = self.charge.home() else {
            return;
        };
        if self.is_unique() && Arc::strong_count(&self.charge) == 1 {
            *storage.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
        }
    }
}

fn array<T: Element>(values: Vec<T>, shape: &[usize]) -> Option<Data> {
    ArcArray::from_shape_vec(IxDyn(shape), values)
        .ok()
        .map(|array| T::data(array.into()))
}

/// Reuses the memory of a killed tensor.
fn refill<T: Element>(mut data: Data, shape: &[usize], count: usize) -> Option<Data> {
    let old = std::mem::take(T::array_mut(&mut data)?);
    let mut values = old.into_memory()?;
    if values.capacity() < count {
        return None;
    }
    values.resize(count, T::default());
    array(values, shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_reuses_freed_memory() {
        let storage = Storage::new(64, DType::F32);
        let address = |tensor: &Tensor| tensor.values::<f32>().unwrap().as_ptr();
        let first = storage.tensor(Kind::F32, &[2, 3]).unwrap();
        let at = address(&first);
        first.leave();
        let second = storage.tensor(Kind::F32, &[16]).unwrap();
        assert_eq!((address(&second), second.shape()), (at, &[16][..]));
    }

    #[test]
    fn memory_in_use_is_not_reused() {
        let storage = Storage::new(16, DType::F32);
        let first = storage.tensor(Kind::F32, &[4]).unwrap();
        let name = first.reshaped(&[2, 2]).unwrap();
        first.leave();
        let mut second = storage.tensor(Kind::F32, &[4]).unwrap();
        second.values_mut::<f32>().unwrap().fill(1.0);
        assert_eq!(*name.values::<f32>().unwrap(), [0.0; 4]);
    }
}
