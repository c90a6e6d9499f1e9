//! The byte budget of all tensors of the process.
//!
//! Every tensor holds a charge, which returns its bytes when the last copy is dropped. Knows nothing about elements.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use super::Storage;
use crate::error::{Fault, RunError, RunResult};

static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static LIVE: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);
static STORAGES: AtomicU64 = AtomicU64::new(0);
static PLANNED: AtomicU64 = AtomicU64::new(0);

/// Sets the number of bytes that the tensors of this process may hold.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Returns the number of bytes that tensors hold now.
pub fn live() -> u64 {
    LIVE.load(Ordering::Relaxed)
}

/// Returns the maximum number of bytes that tensors held since [`reset_peak`].
pub fn peak() -> u64 {
    PEAK.load(Ordering::Relaxed)
}

pub fn reset_peak() {
    PEAK.store(live(), Ordering::Relaxed);
    PLANNED.store(STORAGES.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Returns the maximum number of bytes that storages held since [`reset_peak`].
pub fn planned() -> u64 {
    PLANNED.load(Ordering::Relaxed)
}

/// The bytes of a storage, shared with the tensors in it. They count as planned until all of these are dropped.
#[derive(Debug)]
pub struct PlannedBytes(u64);

impl PlannedBytes {
    pub(super) fn of_storage(bytes: u64) -> Arc<PlannedBytes> {
        let before = STORAGES.fetch_add(bytes, Ordering::Relaxed);
        PLANNED.fetch_max(before.saturating_add(bytes), Ordering::Relaxed);
        Arc::new(PlannedBytes(bytes))
    }
}

impl Drop for PlannedBytes {
    fn drop(&mut self) {
        STORAGES.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Bytes taken from the budget until this is dropped.
#[derive(Debug)]
pub struct Charge {
    bytes: u64,
    /// The storage that contains the tensor.
    home: Weak<Storage>,
    planned: Option<Arc<PlannedBytes>>,
}

impl Charge {
    pub fn take(bytes: u64) -> RunResult<Arc<Charge>> {
        Charge::held(bytes, Weak::new(), None)
    }

    /// Creates a charge for a tensor in a storage.
    pub(super) fn within(bytes: u64, home: &Arc<Storage>) -> RunResult<Arc<Charge>> {
        let planned = Arc::clone(home.planned());
        Charge::held(bytes, Arc::downgrade(home), Some(planned))
    }

    pub(super) fn home(&self) -> Option<Arc<Storage>> {
        self.home.upgrade()
    }

    pub(super) fn planned(&self) -> Option<&Arc<PlannedBytes>> {
        self.planned.as_ref()
    }

    /// Counts these bytes as planned until this charge is dropped.
    pub(super) fn keep(&mut self, planned: &Arc<PlannedBytes>) {
        self.planned = Some(Arc::clone(planned));
    }

    fn held(
        bytes: u64,
        home: Weak<Storage>,
        planned: Option<Arc<PlannedBytes>>,
    ) -> RunResult<Arc<Charge>> {
        let limit = LIMIT.load(Ordering::Relaxed);
        let before = LIVE.fetch_add(bytes, Ordering::Relaxed);
        let after = before.saturating_add(bytes);
        if after > limit || bytes > isize::MAX as u64 {
            LIVE.fetch_sub(bytes, Ordering::Relaxed);
            return Err(out_of_memory(bytes, Some(limit.saturating_sub(before))));
        }
        PEAK.fetch_max(after, Ordering::Relaxed);
        Ok(Arc::new(Charge {
            bytes,
            home,
            planned,
        }))
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        LIVE.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Returns the number of elements of a shape, if that many elements of `size` bytes can exist.
pub fn element_count(shape: &[usize], size: usize) -> RunResult<usize> {
    let count = if shape.contains(&0) {
        Some(0)
    } else {
        shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))
    };
    match count {
        Some(n)
            if n.checked_mul(size.max(1))
                .is_some_and(|b| isize::try_from(b).is_ok()) =>
        {
            Ok(n)
        }
        _ => Err(out_of_memory(u64::MAX, None)),
    }
}

/// Allocates a zeroed vector within the budget.
pub fn zeroed<T: bytemuck::Zeroable>(len: usize) -> RunResult<Vec<T>> {
    let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
    let charge = Charge::take(bytes)?;
    let vec = bytemuck::allocation::try_zeroed_vec(len).map_err(|()| out_of_memory(bytes, None));
    drop(charge);
    vec
}

fn out_of_memory(wanted: u64, left: Option<u64>) -> RunError {
    Fault::OutOfMemory { wanted, left }.into()
}
