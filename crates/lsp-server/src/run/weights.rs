//! Weights from files: tensors by name, read from memory-mapped files.
//!
//! Supports `.safetensors`, `.npz`, TVM's `.params`, and folders with `tensor-cache.json` or `ndarray-cache.json`.

mod fit;
mod mapped;
#[cfg(not(target_family = "wasm"))]
mod numpy;
mod params;
mod safetensors;
mod tensor_cache;

use std::path::{Path, PathBuf};

use relax::dtype::DType;
use rustc_hash::{FxHashMap, FxHashSet};
use vm::tensor::{Kind, SharedBytes, Tensor, alloc};

pub use fit::fit;

/// The tensors of some files, in the order of the files.
#[derive(Default)]
pub struct Weights {
    entries: Vec<Entry>,
    by_name: FxHashMap<String, usize>,
}

pub struct Entry {
    pub name: String,
    pub shape: Vec<usize>,
    pub dtype: DType,
    contents: Contents,
}

enum Contents {
    /// A range of bytes of a file, row-major.
    Bytes {
        file: SharedBytes,
        offset: usize,
        encoding: Encoding,
    },
    /// A member of an archive.
    Read(Tensor),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Plain,
    /// bfloat16, stored as the upper half of a float32.
    Bfloat16,
}

impl Weights {
    /// Opens the tensors of each file or folder. A later tensor replaces an earlier one of the same name.
    pub fn open(paths: &[PathBuf]) -> Result<Weights, String> {
        let mut weights = Weights::default();
        for path in paths {
            let entries = entries(path).and_then(once_each);
            let entries = entries
                .map_err(|why| format!("cannot read the weights `{}`: {why}", path.display()))?;
            for entry in entries {
                weights.add(entry);
            }
        }
        Ok(weights)
    }

    fn add(&mut self, entry: Entry) {
        match self.by_name.get(&entry.name) {
            Some(&at) => self.entries[at] = entry,
            None => {
                self.by_name.insert(entry.name.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// Refuses a file that has two tensors of one name.
fn once_each(entries: Vec<Entry>) -> Result<Vec<Entry>, String> {
    let mut names = FxHashSet::default();
    match entries.iter().find(|entry| !names.insert(&entry.name)) {
        Some(entry) => Err(format!("it has two tensors named `{}`", entry.name)),
        None => Ok(entries),
    }
}

impl Entry {
    /// Returns a tensor at an offset of a file, whose index says how many bytes it takes. An index without lengths
    /// says nothing.
    fn within(
        file: &SharedBytes,
        offset: u64,
        declared: Option<u64>,
        encoding: Encoding,
        name: String,
        shape: Vec<usize>,
        dtype: DType,
    ) -> Result<Entry, String> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        if let Some(length) = encoding.length(&shape, dtype) {
            if let Some(declared) = declared
                && declared != length as u64
            {
                let shape = vm::tensor::show_shape(&shape);
                return Err(format!(
                    "`{name}` has {declared} bytes, but {shape} of {dtype} takes {length}"
                ));
            }
            if offset.saturating_add(length) > (**file).as_ref().len() {
                return Err(format!("the file ends before the end of `{name}`"));
            }
        }
        Ok(Entry {
            name,
            shape,
            dtype,
            contents: Contents::Bytes {
                file: SharedBytes::clone(file),
                offset,
                encoding,
            },
        })
    }

    /// Returns the tensor. Its elements stay in the mapped file if possible.
    pub fn load(&self) -> Result<Tensor, String> {
        let (file, offset, encoding) = match &self.contents {
            Contents::Read(tensor) => return Ok(tensor.clone()),
            Contents::Bytes {
                file,
                offset,
                encoding,
            } => (file, *offset, *encoding),
        };
        let kind = Kind::of(self.dtype).map_err(|error| error.to_string())?;
        let tensor = match encoding {
            Encoding::Plain => Tensor::borrowing(kind, &self.shape, file, offset),
            Encoding::Bfloat16 => {
                let halves = Tensor::borrowing(Kind::BF16, &self.shape, file, offset);
                halves.and_then(|it| it.cast(kind))
            }
        };
        tensor.map_err(|error| error.to_string())
    }
}

impl Encoding {
    /// Returns the number of bytes of a tensor in a file, if it can be loaded.
    fn length(self, shape: &[usize], dtype: DType) -> Option<usize> {
        let stored = match self {
            Encoding::Plain => Kind::of(dtype).ok()?,
            Encoding::Bfloat16 => Kind::BF16,
        };
        let count = alloc::element_count(shape, stored.bytes());
        Some(count.map_or(usize::MAX, |it| it * stored.bytes()))
    }
}

fn entries(path: &Path) -> Result<Vec<Entry>, String> {
    if path.is_dir() {
        return tensor_cache::entries(path);
    }
    match path.extension().and_then(|it| it.to_str()) {
        Some("safetensors") => safetensors::entries(path),
        #[cfg(not(target_family = "wasm"))]
        Some("npz") => numpy::entries(path),
        Some("params") => params::entries(path),
        Some("json") => tensor_cache::of_json(path),
        _ => Err(
            "weights are .safetensors, .npz, .params, or a folder with tensor-cache.json"
                .to_owned(),
        ),
    }
}
