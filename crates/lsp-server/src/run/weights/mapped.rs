//! Maps a file of weights into memory, so that only the parts that a run uses are read.
#![allow(unsafe_code, reason = "a file may change while it is mapped")]

use std::path::Path;
use std::sync::Arc;

use vm::tensor::SharedBytes;

use crate::regular_file;

/// All bytes of a file. They do not count towards the memory limit: when memory runs short, the system drops them, and
/// reads them again when they are used. A file that cannot be mapped is read.
#[cfg(not(target_family = "wasm"))]
pub(super) fn open(path: &Path) -> Result<SharedBytes, String> {
    use crate::run::limits::exempt_from_memory_limit;

    let file = regular_file::open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    exempt_from_memory_limit(metadata.len());
    // SAFETY: the map is never written to, and all bytes are numbers, whatever they are. Another program that changes
    // the file meanwhile changes the numbers. One that truncates it makes the system end this process where the missing
    // bytes are read; no bytes outside the file are ever seen. Every program that maps files accepts that, and a run
    // from an editor is a process of its own.
    match unsafe { memmap2::Mmap::map(&file) } {
        Ok(map) => Ok(Arc::new(map)),
        Err(_) => read(path),
    }
}

#[cfg(target_family = "wasm")]
pub(super) fn open(path: &Path) -> Result<SharedBytes, String> {
    read(path)
}

fn read(path: &Path) -> Result<SharedBytes, String> {
    let bytes = regular_file::read(path).map_err(|error| error.to_string())?;
    Ok(Arc::new(bytes))
}
