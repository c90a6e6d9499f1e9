//! Memory between two inaccessible pages, so that an access beyond a buffer ends the process at once.
//!
//! Only for tests. Buffers lie at the end or at the beginning of their pages, so that one of the two bounds is exact.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};

use region::{Allocation, Protection};

use super::harness::Side;

/// Pages of memory that is used again: more is rare, and would add up.
const POOLED: usize = 16;

thread_local! {
    /// The side of the pages at which allocated buffers lie.
    static SIDE: Cell<Option<Side>> = const { Cell::new(None) };
    /// Freed allocations by their number of pages, for reuse, since asking the system each time is slow.
    static POOL: RefCell<Vec<(usize, Allocation)>> = const { RefCell::new(Vec::new()) };
}

/// Returns the side for the function that runs on this thread, if it is guarded.
pub(super) fn side() -> Option<Side> {
    SIDE.get()
}

/// Runs a function with guards around all its memory.
pub(super) fn guarded<T>(side: Option<Side>, run: impl FnOnce() -> T) -> T {
    let before = SIDE.replace(side);
    let result = run();
    SIDE.set(before);
    result
}

/// Zeroed bytes between guard pages.
pub(super) struct Guarded {
    allocation: Option<Allocation>,
    pages: usize,
    start: usize,
    len: usize,
}

impl Guarded {
    /// Returns `None` if the system is out of memory.
    pub fn new(len: usize, side: Side) -> Option<Guarded> {
        let page = region::page::size();
        let pages = len.div_ceil(page).max(1);
        let known = POOL.with_borrow_mut(|pool| {
            let at = pool.iter().position(|(it, _)| *it == pages)?;
            Some(pool.swap_remove(at).1)
        });
        let allocation = match known {
            Some(known) => known,
            None => allocate(pages)?,
        };
        let mut made = Guarded {
            allocation: Some(allocation),
            pages,
            start: match side {
                Side::Begin => page,
                Side::End => page + pages * page - len,
            },
            len,
        };
        made.bytes().fill(0);
        Some(made)
    }

    pub fn address(&mut self) -> *mut u8 {
        self.bytes().as_mut_ptr()
    }

    pub fn as_bytes(&self) -> &[u8] {
        let Some(allocation) = &self.allocation else {
            return &[];
        };
        let base = allocation.as_ptr::<u8>();
        // SAFETY: as in `bytes_mut`; nothing writes to them meanwhile.
        unsafe { std::slice::from_raw_parts(base.add(self.start), self.len) }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        let Some(allocation) = &mut self.allocation else {
            return &mut [];
        };
        let base = allocation.as_mut_ptr::<u8>();
        // SAFETY: the bytes lie in the pages between the guards, which this value owns, and are initialised.
        unsafe { std::slice::from_raw_parts_mut(base.add(self.start), self.len) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if let Some(allocation) = self.allocation.take()
            && self.pages <= POOLED
        {
            POOL.with_borrow_mut(|pool| pool.push((self.pages, allocation)));
        }
    }
}

fn allocate(pages: usize) -> Option<Allocation> {
    let page = region::page::size();
    let bytes = pages.checked_add(2)?.checked_mul(page)?;
    let mut allocation = region::alloc(bytes, Protection::READ_WRITE).ok()?;
    let base = allocation.as_mut_ptr::<u8>();
    for guard in [0, pages + 1] {
        // SAFETY: a page of the allocation, which nothing refers to.
        let guarded = unsafe { region::protect(base.add(guard * page), page, Protection::NONE) };
        guarded.expect("a page of one's own can be protected");
    }
    Some(allocation)
}
