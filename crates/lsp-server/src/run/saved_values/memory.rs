//! Values in the memory of this instance of the module, by the paths that files would have.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use vm::tensor::Tensor;

use crate::run::npy;

static KEPT: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn saved() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<u8>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(clippy::unnecessary_wraps, reason = "a folder may not be made")]
pub fn make(_folder: &Path) -> io::Result<()> {
    Ok(())
}

pub fn remove(folder: &PathBuf) {
    saved().retain(|path, _| !path.starts_with(folder));
}

pub fn write(path: &Path, tensor: &Tensor) -> Result<(), String> {
    put(path.to_owned(), npy::to_bytes(tensor)?);
    Ok(())
}

/// Returns `None` if there is no such value.
pub fn read(path: &Path) -> Option<Result<Tensor, String>> {
    saved().get(path).map(|bytes| npy::of_bytes(bytes))
}

/// Takes the values that this worker kept, for the instance that started it.
pub fn take() -> BTreeMap<PathBuf, Vec<u8>> {
    std::mem::take(&mut saved())
}

/// Stores a value from another instance.
pub fn put(path: PathBuf, bytes: Vec<u8>) {
    saved().insert(path, bytes);
}
