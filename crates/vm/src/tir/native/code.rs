//! The only place that calls compiled code.
//!
//! This is `unsafe` because the Rust compiler cannot check the code. It is sound because: only `codegen` generates
//! code, and only with the signature below; the code accesses only the slots that it is given and the buffers whose
//! addresses and extents are in those slots, and checks each index against these extents or proves it in range; it
//! calls only the functions of `functions` and `memory`, which are safe; and the memory of the code lives as long as
//! the value that calls it.
#![allow(unsafe_code)]

use cranelift_jit::JITModule;

/// Compiled code with the memory that contains it.
pub(super) struct Code {
    module: Option<JITModule>,
    entry: *const u8,
}

// SAFETY: the code is not modified after it is finished, and the module is not used again until it is dropped.
unsafe impl Send for Code {}
// SAFETY: as above: calling the code from several threads only reads it.
unsafe impl Sync for Code {}

impl Code {
    /// `entry` is a function of `module` that takes a pointer to slots and returns a number.
    pub fn new(module: JITModule, entry: *const u8) -> Code {
        Code {
            module: Some(module),
            entry,
        }
    }

    /// Calls the code with its slots: two that it may write, the address of a flag that it reads, then those of its
    /// parameters.
    pub fn call(&self, slots: &mut [u64]) -> u64 {
        // SAFETY: `entry` was compiled for this signature; see the module documentation.
        let function: extern "C" fn(*mut u64) -> u64 = unsafe { std::mem::transmute(self.entry) };
        function(slots.as_mut_ptr())
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nothing can call the code any more, since it is only reachable through this value.
            unsafe { module.free_memory() };
        }
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}
