//! The byte budget of all tensors of the process.
//!
//! Every tensor holds a charge, which returns its bytes when the last copy is dropped. Knows nothing about elements.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::storage::Home;
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

/// Bytes taken from the budget until this is dropped. Tensors that share their elements share it.
#[derive(Debug)]
pub struct Charge {
    bytes: u64,
    /// The storage that the tensors are in, and the bytes of it that count as planned.
    home: Option<Box<(Home, u64)>>,
}

impl Charge {
    /// Creates the charge that a storage shares with its tensors. The memory has a charge of its own.
    pub(super) fn of_home(home: Home, planned: u64) -> Arc<Charge> {
        let before = STORAGES.fetch_add(planned, Ordering::Relaxed);
        PLANNED.fetch_max(before.saturating_add(planned), Ordering::Relaxed);
        Arc::new(Charge {
            bytes: 0,
            home: Some(Box::new((home, planned))),
        })
    }

    pub(super) fn home(&self) -> Option<&Home> {
        self.home.as_deref().map(|(home, _)| home)
    }

    pub fn take(bytes: u64) -> RunResult<Arc<Charge>> {
        let limit = LIMIT.load(Ordering::Relaxed);
        let before = LIVE.fetch_add(bytes, Ordering::Relaxed);
        let after = before.saturating_add(bytes);
        if after > limit || bytes > isize::MAX as u64 {
            LIVE.fetch_sub(bytes, Ordering::Relaxed);
            return Err(out_of_memory(bytes, Some(limit.saturating_sub(before))));
        }
        PEAK.fetch_max(after, Ordering::Relaxed);
        Ok(Arc::new(Charge { bytes, home: None }))
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        LIVE.fetch_sub(self.bytes, Ordering::Relaxed);
        if let Some(home) = &self.home {
            STORAGES.fetch_sub(home.1, Ordering::Relaxed);
        }
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
