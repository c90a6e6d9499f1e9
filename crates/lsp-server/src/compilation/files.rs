//! Reads the files of a compilation, and determines the releases that they are written for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use ide::{Analysis, Config, FileId, Text};
use relax::Release;
use rustc_hash::FxHashMap;
use tokio_util::sync::CancellationToken;

use crate::config::project::Projects;
use crate::run::constants::ConstantTypes;
use crate::sources;
use crate::targets::Targets;

/// An analysed file.
pub struct Read {
    pub analysis: Analysis,
    pub file: FileId,
    pub text: Text,
    pub path: PathBuf,
}

/// The source of texts.
pub struct Files {
    /// Texts of open documents, which replace those on disk.
    open: FxHashMap<PathBuf, Text>,
    targets: Arc<Targets>,
    /// The release of all files, if one is given.
    release: Option<Release>,
    cancelled: CancellationToken,
    constants: ConstantTypes,
}

impl Files {
    /// Reads files from disk.
    pub fn on_disk(release: Option<Release>) -> Files {
        Files {
            open: FxHashMap::default(),
            targets: Arc::new(Targets::of_process()),
            release,
            cancelled: CancellationToken::new(),
            constants: ConstantTypes::default(),
        }
    }

    /// Reads files as an editor has them.
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
            constants: ConstantTypes::default(),
        }
    }

    /// Returns an error once the work is cancelled.
    pub fn go_on(&self) -> anyhow::Result<()> {
        if self.cancelled.is_cancelled() {
            bail!("cancelled");
        }
        Ok(())
    }

    /// Analyses a whole file.
    pub fn analysis(&self, path: &Path) -> anyhow::Result<Read> {
        let (text, config) = self.source(path)?;
        let (analysis, file) = match self.constants.of_file(path) {
            Some(it) => Analysis::from_file_with_constants(text.clone(), config, it),
            None => Analysis::from_whole_file_in(sources::language(path), text.clone(), config),
        };
        Ok(Read {
            analysis,
            file,
            text,
            path: path.to_owned(),
        })
    }

    /// Returns the text of a file, and the configuration for its analysis.
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
