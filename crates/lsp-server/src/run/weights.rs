//! Weights from files: tensors by name, read when a parameter takes them.
//!
//! `.safetensors`, `.npz`, TVM's `.params`, and folders with `tensor-cache.json` or `ndarray-cache.json`.

mod fit;
#[cfg(not(target_family = "wasm"))]
mod numpy;
mod params;
mod safetensors;
mod tensor_cache;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use half::bf16;
use relax::dtype::DType;
use rustc_hash::FxHashMap;
use vm::tensor::{Kind, Tensor};

pub use fit::fit;

/// The tensors of some files, in the order of the files.
#[derive(Debug, Default)]
pub struct Weights {
    entries: Vec<Entry>,
    by_name: FxHashMap<String, usize>,
}

#[derive(Debug)]
pub struct Entry {
    pub name: String,
    pub shape: Vec<usize>,
    pub dtype: DType,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    /// So many bytes of a file, row-major.
    Bytes {
        file: PathBuf,
        offset: u64,
        encoding: Encoding,
    },
    /// A member of an archive.
    Read(Tensor),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Plain,
    /// Each float32 as the upper half of its bits.
    Bfloat16,
}

impl Weights {
    /// The tensors of each file or folder; one of a later file takes the place of an earlier one of its name.
    pub fn open(paths: &[PathBuf]) -> Result<Weights, String> {
        let mut weights = Weights::default();
        for path in paths {
            let entries = entries(path)
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

impl Entry {
    /// Reads the elements.
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
        let read = |bytes: &mut [u8]| {
            let mut file = File::open(file)?;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(bytes)
        };
        let mut problem = None;
        let tensor = match encoding {
            // Straight into the tensor: a model's weights are the most of what a run holds.
            Encoding::Plain => Tensor::from_fill(kind, &self.shape, |bytes| {
                problem = read(bytes).err();
            }),
            Encoding::Bfloat16 => {
                let count = vm::tensor::alloc::element_count(&self.shape, kind.bytes());
                let mut bytes = vec![0; count.map_err(|error| error.to_string())? * 2];
                problem = read(&mut bytes).err();
                let halves = bytes.chunks_exact(2);
                let values = halves.map(|it| bf16::from_le_bytes([it[0], it[1]]).to_f32());
                Tensor::from_vec(&self.shape, values.collect())
            }
        };
        match problem {
            Some(error) => Err(format!("cannot read `{}`: {error}", file.display())),
            None => tensor.map_err(|error| error.to_string()),
        }
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

/// The first so many bytes of a file, where it has them.
fn head(file: &mut File, count: usize) -> Result<Vec<u8>, String> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    if count as u64 > length {
        return Err("the file ends too soon".to_owned());
    }
    let mut bytes = vec![0; count];
    file.read_exact(&mut bytes)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}
