//! The origins of recorded modules, which hovers show. Those of a late module take a second to follow, so they are kept.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use crate::compilation::files::Files;
use crate::compilation::recording::ABOUT;
use crate::compilation::recording::origins::OriginsByLine;

/// The number of modules whose origins are kept.
const MODULES: usize = 16;

#[derive(Default)]
pub struct OriginCache(Mutex<FxHashMap<PathBuf, OfModule>>);

/// The origins of a module, and the time of its recording.
type OfModule = (SystemTime, Option<Arc<OriginsByLine>>);

impl OriginCache {
    /// Returns the origins of a file, or `None` if it is not a module of a recording.
    pub fn of_file(&self, path: &Path) -> Option<Arc<OriginsByLine>> {
        let about = path.parent()?.join(ABOUT);
        let time = about.metadata().ok()?.modified().ok()?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of_time, origins)) = kept.get(path)
            && *of_time == time
        {
            return origins.clone();
        }
        if kept.len() >= MODULES {
            kept.clear();
        }
        let origins = OriginsByLine::of_file(path, &Files::on_disk(None)).map(Arc::new);
        kept.insert(path.to_owned(), (time, origins.clone()));
        origins
    }
}
