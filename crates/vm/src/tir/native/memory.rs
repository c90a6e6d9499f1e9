//! The memory of a PrimFunc's own buffers: taken when it starts, given back when it ends, within the budget.

use std::cell::RefCell;
use std::sync::Arc;

#[cfg(feature = "harness")]
use super::guard::{self, Guarded};
use crate::tensor::alloc::{self, Charge};

/// Memory with its place in the budget, which is kept only to be dropped.
type Held = (Memory, Arc<Charge>);

enum Memory {
    Words(Vec<u64>),
    #[cfg(feature = "harness")]
    Guarded(Guarded),
}

impl Memory {
    fn take(bytes: u64) -> Option<Memory> {
        #[cfg(feature = "harness")]
        if let Some(side) = guard::side() {
            let guarded = Guarded::new(usize::try_from(bytes).ok()?, side)?;
            return Some(Memory::Guarded(guarded));
        }
        let count = usize::try_from(bytes.div_ceil(8)).ok()?;
        alloc::zeroed::<u64>(count.max(1)).ok().map(Memory::Words)
    }

    fn bytes(&mut self) -> &mut [u8] {
        match self {
            Memory::Words(words) => bytemuck::cast_slice_mut(words),
            #[cfg(feature = "harness")]
            Memory::Guarded(guarded) => guarded.bytes(),
        }
    }
}

thread_local! {
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
}

/// Zeroed memory of this many bytes; null where there is none.
pub(super) extern "C" fn allocate(bytes: u64) -> *mut u8 {
    let Ok(charge) = Charge::take(bytes) else {
        return std::ptr::null_mut();
    };
    let Some(mut memory) = Memory::take(bytes) else {
        return std::ptr::null_mut();
    };
    // Moving it leaves its bytes where they are.
    let pointer = memory.bytes().as_mut_ptr();
    HELD.with_borrow_mut(|held| held.push((memory, charge)));
    pointer
}

/// The memory of this thread that begins at an address.
pub(super) fn of<T>(address: u64, use_it: impl FnOnce(&mut [u8]) -> T) -> Option<T> {
    HELD.with_borrow_mut(|held| {
        let mut all = held.iter_mut().map(|(memory, _)| memory.bytes());
        let bytes = all.find(|bytes| bytes.as_ptr() as u64 == address)?;
        Some(use_it(bytes))
    })
}

/// Gives back what `run` allocates on this thread.
pub(super) fn scoped<T>(run: impl FnOnce() -> T) -> T {
    let before = HELD.with_borrow(Vec::len);
    let result = run();
    HELD.with_borrow_mut(|held| held.truncate(before));
    result
}
