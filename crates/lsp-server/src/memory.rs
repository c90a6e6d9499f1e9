//! How the process's memory is kept: the heap, and the stacks of threads.
#![allow(unsafe_code)]

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
