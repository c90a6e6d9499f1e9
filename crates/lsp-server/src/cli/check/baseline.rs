//! `--baseline FILE`: a list of known diagnostics, so that only new ones are reported.
//!
//! A diagnostic is identified by file, code and message, and by how often it occurs, but not by line, since lines move
//! with every edit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::FileReport;
use crate::config::project::plain;
use crate::whole_file;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    /// Counts by path relative to the folder of the baseline, then by code and message.
    files: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>,
    #[serde(skip)]
    folder: PathBuf,
}

const VERSION: u32 = 1;

impl Baseline {
    pub fn read(path: &Path) -> anyhow::Result<Baseline> {
        let cannot = || format!("cannot read the baseline `{}`", path.display());
        let text = std::fs::read_to_string(path).with_context(cannot)?;
        let mut baseline: Baseline = serde_json::from_str(&text).with_context(cannot)?;
        anyhow::ensure!(
            baseline.version == VERSION,
            "the baseline `{}` has the unknown format {}: write it again",
            path.display(),
            baseline.version
        );
        baseline.folder = folder(path);
        Ok(baseline)
    }

    /// Returns the baseline of the current reports, for a file at `path`.
    pub fn of(reports: &[FileReport], path: &Path) -> Baseline {
        let mut baseline = Baseline {
            version: VERSION,
            files: BTreeMap::new(),
            folder: folder(path),
        };
        for report in reports.iter().filter(|it| !it.diagnostics.is_empty()) {
            let file = baseline.key(&report.path);
            let codes = baseline.files.entry(file).or_default();
            for diagnostic in &report.diagnostics {
                let messages = codes.entry(diagnostic.code.to_owned()).or_default();
                *messages.entry(diagnostic.message.clone()).or_default() += 1;
            }
        }
        baseline
    }

    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = format!("{}\n", serde_json::to_string_pretty(self)?);
        Ok(whole_file::write(path, text.as_bytes())?)
    }

    /// Removes the diagnostics that the baseline lists from `reports`.
    pub fn leave_new(mut self, reports: &mut [FileReport]) {
        for report in reports {
            let key = self.key(&report.path);
            let Some(codes) = self.files.get_mut(&key) else {
                continue;
            };
            report.diagnostics.retain(|diagnostic| {
                let messages = codes.get_mut(diagnostic.code);
                let left = messages.and_then(|it| it.get_mut(&diagnostic.message));
                match left {
                    Some(left) if *left > 0 => {
                        *left -= 1;
                        false
                    }
                    _ => true,
                }
            });
        }
    }

    fn key(&self, path: &Path) -> String {
        let path = plain(path);
        let path = path.strip_prefix(&self.folder).unwrap_or(&path);
        path.to_string_lossy().replace('\\', "/")
    }
}

fn folder(baseline: &Path) -> PathBuf {
    let path = plain(baseline);
    path.parent().map_or_else(|| path.clone(), Path::to_owned)
}
