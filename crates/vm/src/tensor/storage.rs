//! Storages: memory into which tensors are planned. All tensors of a storage share its bytes.
//!
//! Such a tensor reads the memory as it was when the tensor was made, without a lock. To write, a call takes the memory
//! out of the storage, changes it, returns it, and makes the tensors that live on again with it (`interp::shared`).

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use relax::dtype::DType;

use super::alloc::{self, Charge};
use super::array::{Array, Bytes};
use super::{Data, Element, Kind, Tensor, dispatch};
use crate::error::{RunError, RunResult};

/// Aligned memory.
#[derive(Debug)]
pub struct Memory {
    words: Vec<u64>,
    #[expect(dead_code, reason = "kept to be dropped")]
    charge: Arc<Charge>,
}

impl Memory {
    fn new(bytes: u64) -> RunResult<Memory> {
        let count = usize::try_from(bytes.div_ceil(8)).unwrap_or(usize::MAX);
        let words = alloc::zeroed(count)?;
        let charge = Charge::take(bytes)?;
        Ok(Memory { words, charge })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words)
    }
}

/// The memory of a storage as it is now.
#[derive(Debug)]
pub(super) struct Home {
    bytes: u64,
    /// `None` before the first tensor, and while a call has it.
    memory: Mutex<Option<Arc<Memory>>>,
}

impl Home {
    fn set(&self, memory: Option<Arc<Memory>>) {
        *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = memory;
    }

    fn memory(&self) -> RunResult<Arc<Memory>> {
        let mut held = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(memory) = &*held {
            return Ok(Arc::clone(memory));
        }
        let made = Arc::new(Memory::new(self.bytes)?);
        *held = Some(Arc::clone(&made));
        Ok(made)
    }
}

#[derive(Debug)]
pub struct Storage {
    pub bytes: u64,
    pub dtype: DType,
    /// Shared with the tensors.
    charge: Arc<Charge>,
}

impl Storage {
    pub fn new(bytes: u64, dtype: DType) -> Arc<Storage> {
        Arc::new(Storage {
            bytes,
            dtype,
            charge: Storage::charge(bytes, bytes),
        })
    }

    fn charge(bytes: u64, planned: u64) -> Arc<Charge> {
        let memory = Mutex::new(None);
        Charge::of_home(Home { bytes, memory }, planned)
    }

    /// Returns a tensor from a byte of the storage on, with the elements that are there.
    pub fn tensor(&self, kind: Kind, shape: &[usize], offset: i64) -> RunResult<Tensor> {
        let bytes = alloc::element_count(shape, kind.bytes())? * kind.bytes();
        let start = usize::try_from(offset).ok();
        let part = start.and_then(|start| Some(start..start.checked_add(bytes)?));
        let part = part.filter(|part| part.end as u64 <= self.bytes);
        let part = part.ok_or_else(|| {
            RunError::shape(format!(
                "a tensor of {bytes} bytes at offset {offset} does not fit a storage of {} bytes",
                self.bytes
            ))
        })?;
        if part.start % kind.bytes() != 0 {
            return Err(RunError::argument(format!(
                "a tensor of {} cannot start at byte {offset} of a storage",
                kind.dtype()
            )));
        }
        Tensor::at_home(&self.charge, kind, shape, part)
    }
}

/// What a tensor shows of its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub kind: Kind,
    pub shape: Vec<usize>,
    /// The first byte in the memory of a storage. `None` for all of a tensor without a storage.
    pub start: Option<usize>,
}

impl Tensor {
    /// Creates a tensor of zeros in a storage of its own, so that a view of it shares its bytes.
    pub fn allocated(kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        let bytes = alloc::element_count(shape, kind.bytes())? * kind.bytes();
        Tensor::at_home(&Storage::charge(bytes as u64, 0), kind, shape, 0..bytes)
    }

    fn at_home(
        charge: &Arc<Charge>,
        kind: Kind,
        shape: &[usize],
        part: Range<usize>,
    ) -> RunResult<Tensor> {
        let missing = || RunError::argument("the memory of a storage is missing");
        let memory = charge.home().ok_or_else(missing)?.memory()?;
        Tensor::on(memory, charge, kind, shape, part).ok_or_else(missing)
    }

    fn on(
        memory: Arc<Memory>,
        charge: &Arc<Charge>,
        kind: Kind,
        shape: &[usize],
        part: Range<usize>,
    ) -> Option<Tensor> {
        let bytes = Bytes::Planned(memory);
        let data = dispatch!(kind, T => Array::within(shape, &bytes, part).map(T::data))?;
        let charge = Arc::clone(charge);
        Some(Tensor { data, charge }.with_kind(kind))
    }

    /// Returns the memory of a tensor of a storage, and the part that is its own.
    fn memory_of_storage(&self) -> Option<(&Arc<Memory>, &Range<usize>)> {
        dispatch!(self.kind(), T => T::array(&self.data)?.memory())
    }

    fn memory_of_storage_mut(&mut self) -> Option<&mut Arc<Memory>> {
        fn of<T: Element>(data: &mut Data) -> Option<&mut Arc<Memory>> {
            T::array_mut(data)?.memory_mut()
        }
        dispatch!(self.kind(), T => of::<T>(&mut self.data))
    }

    /// Returns `true` if a tensor shares the bytes of a storage.
    pub fn is_in_storage(&self) -> bool {
        self.memory_of_storage().is_some()
    }

    pub fn window(&self) -> Window {
        Window {
            kind: self.kind(),
            shape: self.shape().to_vec(),
            start: self.memory_of_storage().map(|(_, part)| part.start),
        }
    }

    /// Returns what a window shows of the memory of this tensor.
    pub fn through(&self, window: &Window) -> RunResult<Tensor> {
        let Some((start, (memory, _))) = window.start.zip(self.memory_of_storage()) else {
            return self.reshaped(&window.shape);
        };
        let (kind, shape) = (window.kind, &window.shape[..]);
        let bytes = alloc::element_count(shape, kind.bytes())? * kind.bytes();
        let part = start..start.saturating_add(bytes);
        let made = Tensor::on(Arc::clone(memory), &self.charge, kind, shape, part);
        made.ok_or_else(|| RunError::shape("a view reaches beyond its memory"))
    }

    /// Returns bytes of this tensor as another one. It shares them if they are in a storage.
    pub fn viewed(&self, kind: Kind, shape: &[usize], offset: i64) -> RunResult<Tensor> {
        let wanted = alloc::element_count(shape, kind.bytes())? * kind.bytes();
        let start = usize::try_from(offset).ok();
        let part = start.and_then(|start| Some(start..start.checked_add(wanted)?));
        let part = part.filter(|part| part.end <= self.byte_len());
        let part = part.ok_or_else(|| {
            RunError::shape(format!(
                "a view of {wanted} bytes at offset {offset} is not within {} bytes",
                self.byte_len()
            ))
        })?;
        if kind == self.kind() && wanted == self.byte_len() {
            return self.reshaped(shape);
        }
        let shared = self.memory_of_storage().and_then(|(memory, own)| {
            let part = own.start + part.start..own.start + part.end;
            Tensor::on(Arc::clone(memory), &self.charge, kind, shape, part)
        });
        match shared {
            Some(view) => Ok(view),
            None => Tensor::from_bytes(kind, shape, &self.bytes()?[part]),
        }
    }

    /// Takes the memory out of its storage, before a call that writes to it. Then [`Tensor::is_unique`] says whether
    /// another tensor lives in it.
    pub fn take_memory(&self) {
        if let (Some(home), Some(_)) = (self.charge.home(), self.memory_of_storage()) {
            home.set(None);
        }
    }

    /// Returns the memory to its storage.
    pub fn return_memory(&self) {
        if let (Some(home), Some((memory, _))) = (self.charge.home(), self.memory_of_storage()) {
            home.set(Some(Arc::clone(memory)));
        }
    }

    /// Copies the memory of a storage if something outside of the program still holds it as it was.
    pub fn unshare(&mut self) -> RunResult<()> {
        let Some(memory) = self.memory_of_storage_mut() else {
            return Ok(());
        };
        if Arc::get_mut(memory).is_none() {
            let mut copy = Memory::new(memory.bytes().len() as u64)?;
            copy.words.copy_from_slice(&memory.words);
            *memory = Arc::new(copy);
        }
        Ok(())
    }

    /// Returns the first byte of the tensor in [`Tensor::memory`].
    pub fn start(&self) -> usize {
        self.memory_of_storage().map_or(0, |(_, part)| part.start)
    }

    /// Returns the whole memory in which the tensor is: that of its storage, or its own bytes.
    pub fn memory(&self) -> RunResult<std::borrow::Cow<'_, [u8]>> {
        match self.memory_of_storage() {
            Some((memory, _)) => Ok(memory.bytes().into()),
            None => self.bytes(),
        }
    }

    /// Like [`Tensor::memory`], for writing. A shared memory is copied first.
    pub fn memory_mut(&mut self) -> RunResult<&mut [u8]> {
        if self.is_unique() && self.is_in_storage() {
            let memory = self.memory_of_storage_mut().and_then(Arc::get_mut);
            let missing = || RunError::argument("the memory of a storage is missing");
            return memory.map(Memory::bytes_mut).ok_or_else(missing);
        }
        self.bytes_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(tensor: &Tensor) -> Vec<f32> {
        tensor.values::<f32>().unwrap().to_vec()
    }

    /// Writes as a call does.
    fn fill(tensor: &mut Tensor, value: f32) {
        tensor.take_memory();
        tensor.unshare().unwrap();
        tensor.values_mut::<f32>().unwrap().fill(value);
        tensor.return_memory();
    }

    #[test]
    fn tensors_of_a_storage_share_its_bytes() {
        let storage = Storage::new(64, DType::F32);
        let mut first = storage.tensor(Kind::F32, &[2, 3], 8).unwrap();
        fill(&mut first, 1.0);
        drop(first);
        let all = storage.tensor(Kind::F32, &[16], 0).unwrap();
        assert_eq!(floats(&all)[..3], [0.0, 0.0, 1.0]);
        let bits = storage.tensor(Kind::I32, &[1], 8).unwrap();
        assert_eq!(*bits.values::<i32>().unwrap(), [1f32.to_bits() as i32]);
        let view = all.viewed(Kind::U16, &[2], 8).unwrap();
        assert_eq!(*view.values::<u16>().unwrap(), [0, 0x3f80]);
        assert_eq!(view.identity(), all.identity());
    }

    #[test]
    fn a_call_writes_in_place_unless_something_keeps_the_memory() {
        let storage = Storage::new(16, DType::F32);
        let address = |tensor: &Tensor| tensor.values::<f32>().unwrap().as_ptr();
        let mut tensor = storage.tensor(Kind::F32, &[4], 0).unwrap();
        let at = address(&tensor);
        fill(&mut tensor, 1.0);
        assert_eq!(address(&tensor), at);
        let kept = tensor.clone();
        fill(&mut tensor, 2.0);
        assert_eq!((floats(&kept)[0], floats(&tensor)[0]), (1.0, 2.0));
        let later = storage.tensor(Kind::F32, &[1], 4).unwrap();
        assert_eq!(floats(&later), [2.0]);
    }

    #[test]
    fn a_kernel_that_writes_to_a_copy_leaves_the_storage() {
        let storage = Storage::new(16, DType::F32);
        let mut copy = storage.tensor(Kind::F32, &[4], 0).unwrap();
        copy.values_mut::<f32>().unwrap().fill(1.0);
        assert!(!copy.is_in_storage());
        let tensor = storage.tensor(Kind::F32, &[4], 0).unwrap();
        assert_eq!(floats(&tensor), [0.0; 4]);
    }

    #[test]
    fn a_tensor_has_to_fit_its_storage() {
        let storage = Storage::new(16, DType::F32);
        for (shape, offset) in [(&[5][..], 0), (&[4], 4), (&[1], 2), (&[1], -4)] {
            assert!(storage.tensor(Kind::F32, shape, offset).is_err());
        }
    }
}
