//! The types of the constants of recorded modules, which their texts name by index.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hir::metadata::{Constant, MetaRef, Metadata};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{Names, TENSORS, index_of, recorded_names};
use crate::run::weights::Weights;

/// Reads the types of constants. Each folder is read once.
#[derive(Default)]
pub struct ConstantTypes(Mutex<FxHashMap<PathBuf, OfFolder>>);

/// The constants of modules, by the names of their files without the extension.
type OfFolder = FxHashMap<String, Arc<Metadata>>;

impl ConstantTypes {
    /// Returns the types of a file's constants, or `None` if it is not a module of a recording.
    pub fn of_file(&self, file: &Path) -> Option<Arc<Metadata>> {
        let folder = file.parent()?;
        let mut folders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !folders.contains_key(folder) {
            // Nothing is known of a damaged recording: a run says what is wrong with it.
            let read = of_folder(folder).unwrap_or_default();
            folders.insert(folder.to_owned(), read);
        }
        let module = file.file_stem()?.to_string_lossy();
        folders[folder].get(&*module).cloned()
    }
}

fn of_folder(folder: &Path) -> Option<OfFolder> {
    let modules = recorded_names(folder)?;
    let tensors = Weights::open(&[folder.join(TENSORS)]).ok()?;
    let mut types = OfFolder::default();
    for (module, names) in modules {
        types.insert(module, Arc::new(metadata(names, &tensors)));
    }
    Some(types)
}

fn metadata(names: Names, tensors: &Weights) -> Metadata {
    let constants = names.into_iter().filter_map(|(entry, name)| {
        // The others are parameters.
        let key = entry.split('"').nth(1)?;
        let reference = MetaRef {
            key: SmolStr::new(key),
            index: Some(index_of(&entry)?),
        };
        let tensor = &tensors.entries()[tensors.find(&name)?];
        let shape = tensor.shape.iter().map(|&it| i64::try_from(it).ok());
        let constant = Constant::of_type(shape.collect::<Option<_>>()?, tensor.dtype);
        Some((reference, constant))
    });
    Metadata::of_constants(constants.collect())
}
