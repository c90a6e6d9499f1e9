//! The memory of the process: the heap, the stacks of threads, and the message if the system refuses memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;

/// The stack size of threads that read programs, which may be deeply nested.
pub const STACK: usize = 64 << 20;

/// Returns free memory to the system, for example after a file is closed.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` takes an integer, and is thread-safe.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Makes all threads share one heap.
///
/// glibc gives each thread its own heap. Memory that the analysis of one version frees in one heap cannot be reused
/// for the next version, which another thread analyses: for a file of 10 MB, the server used a fifth more memory after
/// opening it, and half as much again after a few edits. Its threads rarely allocate at the same time.
pub fn share_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two integers, and is called before other threads exist.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Makes heaps grow in large steps: otherwise, reading two long files asks the system tens of thousands of times. Each
/// file is read on its own thread, which would compete for a shared heap.
pub fn grow_in_large_steps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two integers, and is called before other threads exist.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, 64 << 20);
    }
}

/// The message printed when the system refuses more memory.
#[derive(Debug)]
pub struct Refusal {
    pub text: String,
    /// `true` to print to standard output, which contains an answer for programs; otherwise to standard error.
    pub is_answer: bool,
    /// The exit code.
    pub code: u8,
}

static REFUSAL: OnceLock<Refusal> = OnceLock::new();

/// From now on, a refused allocation ends the process with this text and code, instead of aborting.
pub fn say_if_refused(refusal: Refusal) {
    // A process runs one command, so this is set only once.
    let _ = REFUSAL.set(refusal);
}

/// The system's allocator.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: forwards everything to the system's allocator. If that refuses, the process may end.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        or_refused(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        or_refused(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        or_refused(unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
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

/// Ends the process as if the system had refused it an allocation of `bytes`.
#[cfg(not(target_os = "linux"))]
pub fn end_as_refused(bytes: u64) -> ! {
    if let Some(refusal) = REFUSAL.get() {
        refused(refusal);
    }
    let bytes = usize::try_from(bytes).unwrap_or_default();
    std::alloc::handle_alloc_error(Layout::array::<u8>(bytes).unwrap_or(Layout::new::<u8>()))
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
        // SAFETY: the pointer and the length are those of a string. Nothing here allocates.
        unsafe {
            libc::write(to, refusal.text.as_ptr().cast(), refusal.text.len());
            libc::_exit(refusal.code.into());
        }
    }
    #[cfg(windows)]
    {
        use std::io::Write;
        let text = refusal.text.as_bytes();
        // The process ends in any case.
        let _ = if refusal.is_answer {
            std::io::stdout().write_all(text)
        } else {
            std::io::stderr().write_all(text)
        };
        std::process::exit(refusal.code.into());
    }
    #[cfg(not(any(unix, windows)))]
    let _ = (&refusal.text, refusal.is_answer, refusal.code);
}
