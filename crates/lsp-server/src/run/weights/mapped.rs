//! The bytes of a file of weights: mapped, so that only what a run looks at is read.
#![allow(unsafe_code, reason = "a file may change while it is mapped")]

use std::path::Path;
use std::sync::Arc;

use vm::tensor::SharedBytes;

/// All bytes of a file. They count for no limit of memory: the system drops what it needs the place for, and reads it
/// again. A file that cannot be mapped, such as a pipe, is read.
#[cfg(not(target_family = "wasm"))]
pub(super) fn open(path: &Path) -> Result<SharedBytes, String> {
    use crate::run::limits::exempt_from_memory_limit;

    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if metadata.is_file() {
        exempt_from_memory_limit(metadata.len());
        // SAFETY: the map is never written to, and all bytes are numbers, whatever they are. Another program that
        // changes the file meanwhile changes the numbers. One that cuts it short has the system end this process where
        // the missing bytes are read; no bytes that are not the file's are ever seen. Every program that maps files
        // takes that on, and a run of an editor is a process of its own.
        if let Ok(map) = unsafe { memmap2::Mmap::map(&file) } {
            return Ok(Arc::new(map));
        }
    }
    read(path)
}

#[cfg(target_family = "wasm")]
pub(super) fn open(path: &Path) -> Result<SharedBytes, String> {
    read(path)
}

fn read(path: &Path) -> Result<SharedBytes, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(Arc::new(bytes))
}
