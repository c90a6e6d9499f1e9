//! Stores the values of the last runs in files: the worker of a run writes them, and `relax.tensor` reads them. In a
//! browser, which has no files, they are kept in memory.

#[cfg(not(target_family = "wasm"))]
mod files;
#[cfg(target_family = "wasm")]
pub mod memory;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use tracing::warn;
use vm::tensor::Tensor;
use vm::value::Value;

use crate::path_inside;
use crate::scratch::Scratch;
#[cfg(not(target_family = "wasm"))]
use files as place;
#[cfg(target_family = "wasm")]
use memory as place;

/// The number of runs whose values are kept. The oldest is dropped first.
const RUNS: usize = 16;
/// The maximum number of bytes per run. Larger values are listed but not kept.
const BYTES: usize = 512 << 20;

/// The folder with the values of each kept run, as seen by a request.
pub type Folders = Arc<VecDeque<(u64, PathBuf)>>;

/// The folder of all runs, which is deleted when this is dropped.
#[derive(Default)]
pub struct SavedRuns {
    root: Option<Scratch>,
    folders: Folders,
}

impl SavedRuns {
    /// Creates a folder for the values of `run`. Returns `None` if that is not possible.
    pub fn folder(&mut self, run: u64) -> Option<PathBuf> {
        if self.root.is_none() {
            let problem = |error| warn!(%error, "values of runs cannot be kept");
            self.root = Scratch::new().map_err(problem).ok();
        }
        let folder = self.root.as_ref()?.path().join(run.to_string());
        place::make(&folder).ok()?;
        let folders = Arc::make_mut(&mut self.folders);
        folders.push_back((run, folder.clone()));
        while folders.len() > RUNS {
            if let Some((_, oldest)) = folders.pop_front() {
                place::remove(&oldest);
            }
        }
        Some(folder)
    }

    pub fn folders(&self) -> Folders {
        self.folders.clone()
    }
}

/// Writes values to a run's folder up to its maximum size.
pub struct ValueWriter {
    folder: PathBuf,
    left: usize,
}

impl ValueWriter {
    pub fn new(folder: PathBuf) -> ValueWriter {
        ValueWriter {
            folder,
            left: BYTES,
        }
    }

    /// Returns `true` if the value was kept.
    pub fn keep(&mut self, name: &str, value: &Value) -> bool {
        let Value::Tensor(tensor) = value else {
            return false;
        };
        let Some(left) = self.left.checked_sub(tensor.byte_len()) else {
            return false;
        };
        self.left = left;
        let written = place::write(&self.folder.join(file(name)), tensor);
        if let Err(why) = &written {
            warn!(why, "a value was not kept");
        }
        written.is_ok()
    }
}

/// Returns the value `name` of a run, or an error message.
pub fn read(folders: &Folders, run: u64, name: &str) -> Result<Tensor, String> {
    let folder = folders.iter().find(|(kept, _)| *kept == run);
    let (_, folder) = folder.ok_or_else(|| format!("the values of run {run} were deleted"))?;
    let path = path_inside::join(folder, &file(name)).ok();
    let kept = path.and_then(|path| place::read(&path));
    kept.unwrap_or_else(|| Err(format!("run {run} kept no tensor `{name}`")))
}

fn file(name: &str) -> String {
    format!("{name}.npy")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor() -> Value {
        Value::Tensor(Tensor::from_vec(&[2], vec![1.0_f32, 2.0]).unwrap())
    }

    #[test]
    fn kept_results_are_readable_until_evicted() {
        let mut kept = SavedRuns::default();
        let folder = kept.folder(1).unwrap();
        assert!(ValueWriter::new(folder).keep("out.0", &tensor()));
        assert_eq!(read(&kept.folders(), 1, "out.0").unwrap().shape(), [2]);
        for run in 2..=RUNS as u64 + 1 {
            kept.folder(run).unwrap();
        }
        let gone = read(&kept.folders(), 1, "out.0").unwrap_err();
        assert_eq!(gone, "the values of run 1 were deleted");
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        let mut kept = SavedRuns::default();
        let first = kept.folder(1).unwrap();
        kept.folder(2).unwrap();
        ValueWriter::new(first).keep("out", &tensor());
        let error = read(&kept.folders(), 2, "../1/out").unwrap_err();
        assert_eq!(error, "run 2 kept no tensor `../1/out`");
    }

    #[test]
    fn oversized_values_are_not_kept() {
        let mut kept = SavedRuns::default();
        let mut keeper = ValueWriter::new(kept.folder(1).unwrap());
        keeper.left = 7;
        assert!(!keeper.keep("out", &tensor()));
        assert!(read(&kept.folders(), 1, "out").is_err());
    }

    #[test]
    fn the_files_go_with_the_session() {
        let mut kept = SavedRuns::default();
        let folder = kept.folder(1).unwrap();
        drop(kept);
        assert!(!folder.exists());
    }
}
