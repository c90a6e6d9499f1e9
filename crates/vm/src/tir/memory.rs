//! The memory of a PrimFunc's own buffers: taken when it starts, given back when it ends, within the budget.

use std::cell::RefCell;
use std::sync::Arc;

use crate::tensor::alloc::{self, Charge};

/// Memory with its place in the budget; both are kept only to be dropped.
type Held = (Vec<u64>, Arc<Charge>);

thread_local! {
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
}

/// Zeroed memory of this many bytes; null where there is none.
pub(super) extern "C" fn allocate(bytes: u64) -> *mut u8 {
    let Ok(count) = usize::try_from(bytes.div_ceil(8)) else {
        return std::ptr::null_mut();
    };
    let Ok(mut words) = alloc::zeroed::<u64>(count.max(1)) else {
        return std::ptr::null_mut();
    };
    let Ok(charge) = Charge::take(bytes) else {
        return std::ptr::null_mut();
    };
    // Moving the vector leaves its elements where they are.
    let pointer = words.as_mut_ptr().cast();
    HELD.with_borrow_mut(|held| held.push((words, charge)));
    pointer
}

/// The memory of this thread that begins at an address.
pub(super) fn of<T>(address: u64, use_it: impl FnOnce(&mut [u8]) -> T) -> Option<T> {
    HELD.with_borrow_mut(|held| {
        let begins = |(words, _): &&mut Held| words.as_ptr() as u64 == address;
        let (words, _) = held.iter_mut().find(begins)?;
        Some(use_it(bytemuck::cast_slice_mut(words)))
    })
}

/// Gives back what `run` allocates on this thread.
pub(super) fn scoped<T>(run: impl FnOnce() -> T) -> T {
    let before = HELD.with_borrow(Vec::len);
    let result = run();
    HELD.with_borrow_mut(|held| held.truncate(before));
    result
}
