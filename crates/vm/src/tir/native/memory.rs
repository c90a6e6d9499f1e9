//! The memory of allocated buffers: allocated at the start of a PrimFunc, freed at its end, within the budget.

use std::cell::RefCell;
use std::sync::Arc;

#[cfg(feature = "harness")]
use super::guard::{self, Guarded};
use crate::tensor::alloc::{self, Charge};

/// Memory with its share of the budget, which is only kept to be dropped.
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

/// Memory of this thread that another thread works with. It is returned when this is dropped.
#[derive(Default)]
pub(super) struct Taken(Vec<Charged>);

impl Taken {
    /// Returns the memory that begins at an address.
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

/// Allocates zeroed memory. Returns null if there is none.
pub(super) extern "C" fn allocate(bytes: u64) -> *mut u8 {
    let Ok(charge) = Charge::take(bytes) else {
        return std::ptr::null_mut();
    };
    let Some(mut memory) = Memory::take(bytes) else {
        return std::ptr::null_mut();
    };
    // Moving the value does not move its bytes.
    let pointer = memory.bytes().as_mut_ptr();
    HELD.with_borrow_mut(|held| held.push((memory, charge)));
    pointer
}

/// Calls `use_it` with the memory of this thread that begins at an address.
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

/// Frees what `run` allocates on this thread.
pub(super) fn scoped<T>(run: impl FnOnce() -> T) -> T {
    let before = HELD.with_borrow(Vec::len);
    let result = run();
    HELD.with_borrow_mut(|held| held.truncate(before));
    result
}
