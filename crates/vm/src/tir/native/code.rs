//! The one place where compiled code is called.
//!
//! `unsafe` because the compiler cannot see what the code does. What makes it sound: the code is made by
//! `codegen` alone, for the one signature below; it reads and writes the slots it is given and the buffers whose
//! address and extents are in those slots, after checking each index against these extents or proving it in range;
//! it calls only the functions of `functions` and `memory`, which are safe; and the memory it lies in is kept by
//! the value that calls it.
#![allow(unsafe_code)]

use cranelift_jit::JITModule;

/// Code with the memory it lies in.
pub(super) struct Code {
    module: Option<JITModule>,
    entry: *const u8,
}

// SAFETY: the code is not written after it is finished, and the module is only touched again when it is dropped.
unsafe impl Send for Code {}
// SAFETY: as above: calling the code from several threads only reads it.
unsafe impl Sync for Code {}

impl Code {
    /// `entry` is a function of `module` that takes a pointer to slots and gives back a number.
    pub fn new(module: JITModule, entry: *const u8) -> Code {
        Code {
            module: Some(module),
            entry,
        }
    }

    /// Calls the code on its slots: two that it may write, the address of a flag that it reads, then those of its
    /// parameters.
    pub fn call(&self, slots: &mut [u64]) -> u64 {
        // SAFETY: `entry` was compiled for this signature, by the argument of the module's header.
        let function: extern "C" fn(*mut u64) -> u64 = unsafe { std::mem::transmute(self.entry) };
        function(slots.as_mut_ptr())
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nothing calls the code any more: it is only reachable through this value.
            unsafe { module.free_memory() };
        }
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}
