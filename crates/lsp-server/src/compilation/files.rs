//! The texts of a compilation's files and the releases that they are written for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use ide::{Analysis, Config, FileId, Text};
use relax::Release;
use rustc_hash::FxHashMap;
use tokio_util::sync::CancellationToken;

use crate::config::project::Projects;
use crate::sources;
use crate::targets::Targets;

/// Where texts come from.
pub struct Files {
    /// Texts that differ from those on disk.
    open: FxHashMap<PathBuf, Text>,
    targets: Arc<Targets>,
    /// The release of all files, if one is given.
    release: Option<Release>,
    cancelled: CancellationToken,
}

impl Files {
    /// The files as they are on disk.
    pub fn on_disk(release: Option<Release>) -> Files {
        Files {
            open: FxHashMap::default(),
            targets: Arc::new(Targets::of_process()),
            release,
            cancelled: CancellationToken::new(),
        }
    }

    /// The files as an editor has them.
    pub fn of_editor(
        open: FxHashMap<PathBuf, Text>,
        targets: Arc<Targets>,
        release: Option<Release>,
        cancelled: CancellationToken,
    ) -> Files {
        Files {
            open,
            targets,
            release,
            cancelled,
        }
    }

    /// A file, analysed by itself.
    pub fn analysis(&self, path: &Path) -> anyhow::Result<(Analysis, FileId, Text)> {
        if self.cancelled.is_cancelled() {
            bail!("cancelled");
        }
        let text = match self.open.get(path) {
            Some(text) => text.clone(),
            None => sources::read(path)?,
        };
        Projects::new().of_file(path)?;
        let of_project = || self.targets.of_file(path).map(|it| it.release);
        let config = Config {
            target: self.release.or_else(of_project),
        };
        let (analysis, file) = Analysis::from_single_file(text.clone(), config);
        Ok((analysis, file, text))
    }
}
