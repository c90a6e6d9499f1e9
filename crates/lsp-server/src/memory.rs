//! How the process's memory is kept: the heap, and the stacks of threads. Says why the process ends where the system
//! refuses it more.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;

use crate::exit::PROGRAM_ERROR;

/// Stack of each thread that reads programs, which nest as deeply as they were written.
pub const STACK: usize = 64 << 20;

/// Gives the system what is free, as after a file is closed: it would stay with the server until other files need it.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` takes an integer, and may be called whatever other threads do.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Makes all threads share one heap.
///
/// glibc gives each thread a heap of its own, and what the analysis of one version leaves free in one is of no use to
/// the next version, which another thread analyses: of a file of 10 MB the server held a fifth more than it used after
/// opening it, and half as much again after a few edits. Its threads rarely allocate at the same time.
pub fn share_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two integers, and is called before there are other threads.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Lets heaps grow in large steps: reading two long files asks the system tens of thousands of times otherwise. Each
/// file is read on a thread of its own, and one heap for both would make them wait for each other.
pub fn grow_in_large_steps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two integers, and is called before there are other threads.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, 64 << 20);
    }
}

/// The message printed when the system refuses more memory.
#[derive(Debug)]
pub struct Refusal {
    pub text: String,
    /// On standard output, which holds an answer that programs read; otherwise on standard error.
    pub is_answer: bool,
}

static REFUSAL: OnceLock<Refusal> = OnceLock::new();

/// From now on, a refusal of memory ends the process with this text and the code of a failed program. Without, it aborts.
pub fn say_if_refused(refusal: Refusal) {
    // There is one command to a process.
    let _ = REFUSAL.set(refusal);
}

/// The system's allocator.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: all is the system's, but for what it refuses, where the process may end instead.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        or_refused(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        or_refused(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        or_refused(unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(old, layout) }
    }
}

fn or_refused(memory: *mut u8) -> *mut u8 {
    if memory.is_null()
        && let Some(refusal) = REFUSAL.get()
    {
        refused(refusal);
    }
    memory
}

#[cold]
fn refused(refusal: &Refusal) {
    #[cfg(unix)]
    {
        let to = if refusal.is_answer {
            libc::STDOUT_FILENO
        } else {
            libc::STDERR_FILENO
        };
        // SAFETY: the text is there and so long. Nothing is allocated, and nothing that needs memory runs at the end.
        unsafe {
            libc::write(to, refusal.text.as_ptr().cast(), refusal.text.len());
            libc::_exit(PROGRAM_ERROR.into());
        }
    }
    #[cfg(not(unix))]
    let _ = (refusal, PROGRAM_ERROR);
}
