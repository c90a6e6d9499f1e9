//! `.npz`: an archive with one `.npy` file per tensor.

use std::io::Read;
use std::path::Path;

use super::{Contents, Entry};
use crate::regular_file;
use crate::run::npy;

pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, String> {
    let file = regular_file::open(path).map_err(|error| error.to_string())?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| error.to_string())?;
    let mut entries = Vec::with_capacity(archive.len());
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).map_err(|error| error.to_string())?;
        let name = member.name().trim_end_matches(".npy").to_owned();
        let mut bytes = Vec::new();
        let read = member.read_to_end(&mut bytes);
        let tensor = read
            .map_err(|error| error.to_string())
            .and_then(|_| npy::of_bytes(&bytes))
            .map_err(|why| format!("`{name}`: {why}"))?;
        entries.push(Entry {
            name,
            shape: tensor.shape().to_vec(),
            dtype: tensor.dtype(),
            contents: Contents::Read(tensor),
        });
    }
    Ok(entries)
}
