//! The memory of a PrimFunc's own buffers: taken when it starts, given back when it ends, within the budget.

use std::cell::RefCell;
use std::sync::Arc;

#[cfg(feature = "harness")]
use super::guard::{self, Guarded};
use crate::tensor::alloc::{self, Charge};

/// Memory with its place in the budget, which is kept only to be dropped.
type Charged = (Memory, Arc<Charge>);

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

    fn as_bytes(&self) -> &[u8] {
        match self {
            Memory::Words(words) => bytemuck::cast_slice(words),
            #[cfg(feature = "harness")]
            Memory::Guarded(guarded) => guarded.as_bytes(),
        }
    }

    fn is_at(&self, address: u64) -> bool {
        self.as_bytes().as_ptr() as u64 == address
    }
}

/// Memory of this thread that somebody works with: it is given back in the end.
#[derive(Default)]
pub(super) struct Taken(Vec<Charged>);

impl Taken {
    /// The memory that begins at an address.
    pub fn as_bytes(&self, address: u64) -> Option<&[u8]> {
        let found = self.0.iter().find(|(memory, _)| memory.is_at(address));
        found.map(|(memory, _)| memory.as_bytes())
    }

    pub fn bytes(&mut self, address: u64) -> Option<&mut [u8]> {
        let mut all = self.0.iter_mut();
        let found = all.find(|(memory, _)| memory.is_at(address));
        found.map(|(memory, _)| memory.bytes())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|held| held.append(&mut self.0));
    }
}

thread_local! {
    static HELD: RefCell<Vec<Charged>> = const { RefCell::new(Vec::new()) };
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
        let found = held.iter_mut().find(|(memory, _)| memory.is_at(address));
        found.map(|(memory, _)| use_it(memory.bytes()))
    })
}

/// Takes the memory of this thread that begins at one of these addresses.
pub(super) fn take(addresses: &[u64]) -> Taken {
    let is_taken = |(memory, _): &mut Charged| addresses.iter().any(|&it| memory.is_at(it));
    HELD.with_borrow_mut(|held| Taken(held.extract_if(.., is_taken).collect()))
}

/// Gives back what `run` allocates on this thread.
pub(super) fn scoped<T>(run: impl FnOnce() -> T) -> T {
    let before = HELD.with_borrow(Vec::len);
    let result = run();
    HELD.with_borrow_mut(|held| held.truncate(before));
    result
}
