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

/// A file, analysed by itself.
pub struct Read {
    pub analysis: Analysis,
    pub file: FileId,
    pub text: Text,
    /// The release that it is written for, where the command or the project names one.
    pub release: Option<Release>,
}

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

    /// Fails once nothing is to be done any more.
    pub fn go_on(&self) -> anyhow::Result<()> {
        if self.cancelled.is_cancelled() {
            bail!("cancelled");
        }
        Ok(())
    }

    /// A file, analysed as a whole.
    pub fn analysis(&self, path: &Path) -> anyhow::Result<Read> {
        let (text, config) = self.source(path)?;
        let (analysis, file) =
            Analysis::from_whole_file_in(sources::language(path), text.clone(), config);
        Ok(Read {
            analysis,
            file,
            text,
            release: config.target,
        })
    }

    /// The text of a file, and what it is read as.
    pub fn source(&self, path: &Path) -> anyhow::Result<(Text, Config)> {
        self.go_on()?;
        let text = match self.open.get(path) {
            Some(text) => text.clone(),
            None => sources::read(path)?,
        };
        Projects::new().of_file(path)?;
        let of_project = || self.targets.of_file(path).map(|it| it.release);
        let config = Config {
            target: self.release.or_else(of_project),
        };
        Ok((text, config))
    }
}
