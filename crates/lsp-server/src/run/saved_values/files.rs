//! Values in `.npy` files, in folders that are deleted with the session.

use std::io;
use std::path::{Path, PathBuf};

use vm::tensor::Tensor;

use crate::run::npy;

pub fn make(folder: &Path) -> io::Result<()> {
    std::fs::create_dir(folder)
}

pub fn remove(folder: &PathBuf) {
    let _ = std::fs::remove_dir_all(folder);
}

pub fn write(path: &Path, tensor: &Tensor) -> Result<(), String> {
    npy::write_in_scratch(path, tensor)
}

/// Returns `None` if there is no such file.
pub fn read(path: &Path) -> Option<Result<Tensor, String>> {
    path.is_file().then(|| npy::read(path))
}
