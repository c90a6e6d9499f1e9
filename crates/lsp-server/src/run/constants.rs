//! The constants of a run: the elements that a text names by index, from files.
//!
//! A file is what `tvm.ir.save_json` writes of a text's metadata, another text that was printed with its metadata, the
//! constants of a recording, or tensors whose names are indices.

mod types;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hir::enclosing::PyValue;
use hir::metadata::{CONSTANT_KEYS, Metadata};
use ide::{Analysis, Config};
use relax::script::METADATA;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use vm::tensor::Tensor;

use super::weights::Weights;
use crate::regular_file;
pub use types::ConstantTypes;

/// The help of the option.
#[cfg(not(target_family = "wasm"))]
pub const HELP: &str = "The elements of constants that the text names by index: a .json file of `tvm.ir.save_json`, a \
                        text that TVM printed with `show_meta=True`, .safetensors or .npz by index, or a folder with \
                        constants.json; constants without elements are generated";

/// The constants of the modules of a recording: for each module, the name of a tensor for each entry of its metadata.
pub const INDEX: &str = "constants.json";
pub const TENSORS: &str = "constants.safetensors";

/// Before the number in the name of a tensor.
const PREFIXES: [&str; 6] = ["", "arr_", "const_", "constant_", "constant", "metadata_"];

/// The files of a text's constants.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConstantFiles {
    /// The files that the user names. A later one takes precedence.
    pub files: Vec<PathBuf>,
    /// The file of the text, beside which a recording has its constants.
    pub beside: Option<PathBuf>,
}

type ByIndex = FxHashMap<u32, Tensor>;

impl ConstantFiles {
    /// Returns the names of the recorded tensors of a function's parameters, and the file with the tensors.
    pub fn recorded_params(&self, function: &str) -> Option<(Names, PathBuf)> {
        let module = self.beside.as_deref()?.file_stem()?.to_string_lossy();
        let folder = self.beside.as_deref()?.parent()?;
        let names = recorded_names(folder)?.remove(&*module)?.into_iter();
        let of_function = names.filter_map(|(entry, name)| {
            let param = entry.strip_prefix(function)?.strip_prefix('.')?;
            Some((param.to_owned(), name))
        });
        Some((of_function.collect(), folder.join(TENSORS)))
    }

    /// Reads the files, whose paths start in `directory`. Constants without elements are generated from `seed`.
    pub fn read(&self, directory: &Path, seed: u64) -> Result<vm::Constants, String> {
        let mut constants = vm::Constants {
            seed: Some(seed),
            ..vm::Constants::default()
        };
        let module = self.beside.as_deref().and_then(Path::file_stem);
        let module = module.map(|it| it.to_string_lossy().into_owned());
        let module = module.unwrap_or_default();
        let recorded = self.beside.as_deref().and_then(Path::parent);
        let recorded = recorded.map(|it| it.join(INDEX)).filter(|it| it.is_file());
        let named = self.files.iter().map(|it| (directory.join(it), true));
        let files = recorded.into_iter().map(|it| (it, false)).chain(named);
        for (path, is_named) in files {
            let read = of_file(&path, &module);
            let read = read
                .map_err(|why| format!("cannot read the constants `{}`: {why}", path.display()))?;
            if read.is_empty() && is_named {
                return Err(format!("`{}` has no constants", path.display()));
            }
            constants.given.extend(read);
        }
        Ok(constants)
    }
}

fn of_file(path: &Path, module: &str) -> Result<ByIndex, String> {
    if path.is_dir() && path.join(INDEX).is_file() {
        return of_file(&path.join(INDEX), module);
    }
    let text = || -> Result<String, String> {
        let bytes = regular_file::read(path).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
    };
    match path.extension().and_then(|it| it.to_str()) {
        Some("json") => {
            let text = text()?;
            let metadata = Metadata::read(&text);
            if metadata.is_read() {
                return of_metadata(&metadata);
            }
            if let Ok(modules) = serde_json::from_str::<FxHashMap<String, Names>>(&text) {
                return of_recording(path, modules.get(module), module);
            }
            of_weights(&Weights::open(&[path.to_owned()])?)
        }
        Some("py") => {
            let (analysis, file) = Analysis::from_whole_file(text()?, Config::default());
            let Some((db, source)) = analysis.hir(file) else {
                return Ok(ByIndex::default());
            };
            match hir::file_env(db, source).get(METADATA) {
                Some(PyValue::Metadata(metadata)) => of_metadata(metadata),
                _ => Err("TVM printed it without its metadata (`show_meta=True`)".to_owned()),
            }
        }
        _ => of_weights(&Weights::open(&[path.to_owned()])?),
    }
}

fn of_metadata(metadata: &Metadata) -> Result<ByIndex, String> {
    let constants = metadata.constants().filter_map(|(reference, constant)| {
        let is_known = CONSTANT_KEYS.contains(&reference.key.as_str());
        let index = reference.index.filter(|_| is_known)?;
        Some((index, constant))
    });
    let tensors = constants.map(|(index, constant)| {
        let tensor = vm::lower::tensor_of(constant);
        let tensor = tensor.map_err(|error| format!("constant {index}: {error}"))?;
        Ok((index, tensor))
    });
    tensors.collect()
}

/// The names of tensors by entries of metadata, as a text writes them, and by parameters: `main.w`.
pub type Names = FxHashMap<String, String>;

/// Returns the names for each module of a recording.
fn recorded_names(folder: &Path) -> Option<FxHashMap<String, Names>> {
    let text = regular_file::read(&folder.join(INDEX)).ok()?;
    serde_json::from_slice(&text).ok()
}

fn of_recording(index: &Path, names: Option<&Names>, module: &str) -> Result<ByIndex, String> {
    let Some(names) = names else {
        return Err(format!("it has no module `{module}`"));
    };
    if names.is_empty() {
        return Ok(ByIndex::default());
    }
    let weights = Weights::open(&[index.with_file_name(TENSORS)])?;
    // The others are parameters.
    let entries = names.iter().filter(|it| it.0.starts_with(METADATA));
    let tensors = entries.map(|(entry, name)| {
        let index =
            index_of(entry).ok_or_else(|| format!("`{entry}` is not an entry of metadata"))?;
        let at = weights.find(name);
        let at = at.ok_or_else(|| format!("{TENSORS} has no tensor `{name}`"))?;
        Ok((index, weights.entries()[at].load()?))
    });
    tensors.collect()
}

/// Returns tensors by the indices in their names, or, if no name has one, in their order.
fn of_weights(weights: &Weights) -> Result<ByIndex, String> {
    let entries = weights.entries();
    let named: Vec<Option<u32>> = entries.iter().map(|it| index_of(&it.name)).collect();
    let in_order = named.iter().all(Option::is_none);
    let mut tensors = ByIndex::default();
    for (at, (entry, index)) in entries.iter().zip(named).enumerate() {
        if let Some(index) = index.or(in_order.then_some(at as u32)) {
            let tensor = entry
                .load()
                .map_err(|why| format!("`{}`: {why}", entry.name))?;
            tensors.insert(index, tensor);
        }
    }
    Ok(tensors)
}

/// Returns the index in `metadata["ir.GenericConst"][3]`, `ir.GenericConst.3`, `arr_3` or `3`.
fn index_of(name: &str) -> Option<u32> {
    let start = name.trim_end_matches(']');
    let digits = start.len() - start.trim_end_matches(|it: char| it.is_ascii_digit()).len();
    let (before, index) = start.split_at(start.len() - digits);
    let of_key = CONSTANT_KEYS.iter().any(|key| before.contains(key));
    let is_index = of_key || PREFIXES.contains(&before);
    index.parse().ok().filter(|_| is_index)
}

/// Writes indices in words, a run of them as its ends.
pub fn list(indices: &[u32]) -> String {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut text = String::from(if sorted.len() == 1 {
        "constant "
    } else {
        "constants "
    });
    for (at, run) in sorted.chunk_by(|a, b| a + 1 == *b).enumerate() {
        text.push_str(if at == 0 { "" } else { ", " });
        let _ = match run {
            [first, .., last] => write!(text, "{first} to {last}"),
            run => write!(text, "{}", run[0]),
        };
    }
    text
}
