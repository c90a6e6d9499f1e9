//! The files with TVMScript in the client's folders: found on the first request, cached, and checked again when the
//! client or the modification time says that they changed. Knows no open documents.

mod walk;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use ide::{Analysis, Config, Text};
use lsp_types::{Range, Uri};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::line_index::{Encoding, Lines};
use crate::sources;
use crate::uri;

/// A file with TVMScript, which need not be open.
pub struct File {
    pub uri: Uri,
    pub path: PathBuf,
    pub symbols: Vec<Symbol>,
    stamp: Stamp,
}

pub struct Symbol {
    pub symbol: ide::WorkspaceSymbol,
    pub range: Range,
}

/// Properties that change with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl File {
    /// Returns an identifier of this version of the file.
    pub fn id(&self) -> String {
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        let modified = self.stamp.modified.and_then(since).unwrap_or_default();
        format!("{:x}.{:x}", self.stamp.length, modified.as_nanos())
    }

    pub fn text(&self) -> Option<Text> {
        sources::read(&self.path).ok()
    }
}

#[derive(Default)]
pub struct Workspace {
    state: Mutex<State>,
    /// Locked while files are checked, so that two requests do not check them twice.
    looking: Mutex<()>,
}

#[derive(Default)]
struct State {
    folders: Vec<PathBuf>,
    /// `true` if the client reports changes. Otherwise the folders are walked each time.
    watched: bool,
    walked: bool,
    changed: FxHashSet<PathBuf>,
    /// `None` for a file without TVMScript.
    files: FxHashMap<PathBuf, (Stamp, Option<Arc<File>>)>,
}

impl Workspace {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn add_folders(&self, folders: impl IntoIterator<Item = PathBuf>) {
        let mut state = self.state();
        state.folders.extend(folders);
        state.walked = false;
    }

    pub fn remove_folders(&self, folders: &[PathBuf]) {
        let mut state = self.state();
        state.folders.retain(|folder| !folders.contains(folder));
        let State { folders, files, .. } = &mut *state;
        files.retain(|path, _| folders.iter().any(|folder| path.starts_with(folder)));
        state.walked = false;
    }

    pub fn has_folders(&self) -> bool {
        !self.state().folders.is_empty()
    }

    pub fn is_watched(&self) {
        self.state().watched = true;
    }

    pub fn changed(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.state().changed.extend(paths);
    }

    /// Returns the files, sorted by path.
    pub fn files(&self) -> Vec<Arc<File>> {
        let state = self.state();
        let mut files: Vec<_> = state
            .files
            .values()
            .filter_map(|(_, it)| it.clone())
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// Checks the files that may have changed. Calls `go_on` before each file.
    pub fn refresh(&self, encoding: Encoding, go_on: &mut dyn FnMut() -> bool) {
        let _looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let (folders, whole, changed) = {
            let mut state = self.state();
            let whole = !(state.watched && state.walked);
            let changed = std::mem::take(&mut state.changed);
            (state.folders.clone(), whole, changed)
        };
        let candidates = if whole {
            walk::python_files(&folders, go_on)
        } else {
            changed.into_iter().collect()
        };
        let mut seen = FxHashSet::default();
        for path in candidates {
            if !go_on() {
                return;
            }
            self.look_at(&path, encoding);
            seen.insert(path);
        }
        if whole {
            let mut state = self.state();
            state.files.retain(|path, _| seen.contains(path));
            state.walked = true;
        }
    }

    fn look_at(&self, path: &Path, encoding: Encoding) {
        let stamp = std::fs::metadata(path).ok().map(|meta| Stamp {
            length: meta.len(),
            modified: meta.modified().ok(),
        });
        let Some(stamp) = stamp.filter(|stamp| stamp.length <= walk::LARGEST) else {
            self.state().files.remove(path);
            return;
        };
        let known = self.state().files.get(path).map(|(stamp, _)| *stamp);
        if known == Some(stamp) {
            return;
        }
        let file = outline(path, stamp, encoding).map(Arc::new);
        self.state().files.insert(path.to_owned(), (stamp, file));
    }
}

/// Returns the symbols of a file, without keeping its text or tree.
fn outline(path: &Path, stamp: Stamp, encoding: Encoding) -> Option<File> {
    let text = sources::read(path).ok()?;
    if !ide::contains_tvmscript(&text) {
        return None;
    }
    let (analysis, file) = Analysis::from_single_file(text.clone(), Config::default());
    let lines = Lines::new(text, encoding);
    let symbols = analysis.workspace_symbols(file).ok()?;
    let symbol = |symbol: ide::WorkspaceSymbol| Symbol {
        range: lines.to_range(symbol.name_range),
        symbol,
    };
    Some(File {
        uri: uri::of_path(path)?,
        path: path.to_owned(),
        symbols: symbols.into_iter().map(symbol).collect(),
        stamp,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str =
        "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Object):\n    return x\n";

    fn names(workspace: &Workspace) -> Vec<String> {
        workspace.refresh(Encoding::Utf16, &mut || true);
        let files = workspace.files();
        let symbols = files.iter().flat_map(|file| &file.symbols);
        symbols.map(|it| it.symbol.name.clone()).collect()
    }

    #[test]
    fn changed_files_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        std::fs::write(&path, PROGRAM).unwrap();
        std::fs::write(folder.path().join("b.py"), "print()").unwrap();
        let hidden = folder.path().join(".venv");
        std::fs::create_dir(&hidden).unwrap();
        std::fs::write(hidden.join("c.py"), PROGRAM).unwrap();

        let workspace = Workspace::default();
        workspace.add_folders([folder.path().to_owned()]);
        assert_eq!(names(&workspace), ["f"]);
        let before = workspace.files()[0].id();

        std::fs::write(&path, PROGRAM.replace("def f", "def longer")).unwrap();
        assert_eq!(names(&workspace), ["longer"]);
        assert_ne!(workspace.files()[0].id(), before);

        std::fs::remove_file(&path).unwrap();
        assert_eq!(names(&workspace), Vec::<String>::new());
    }

    #[test]
    fn a_watched_folder_is_walked_once() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::default();
        workspace.add_folders([folder.path().to_owned()]);
        workspace.is_watched();
        assert_eq!(names(&workspace), Vec::<String>::new());
        let path = folder.path().join("a.py");
        std::fs::write(&path, PROGRAM).unwrap();
        assert_eq!(names(&workspace), Vec::<String>::new());
        workspace.changed([path]);
        assert_eq!(names(&workspace), ["f"]);
    }

    #[test]
    fn a_folder_that_is_removed_takes_its_files_along() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.py"), PROGRAM).unwrap();
        let workspace = Workspace::default();
        workspace.add_folders([folder.path().to_owned()]);
        assert_eq!(names(&workspace), ["f"]);
        workspace.remove_folders(&[folder.path().to_owned()]);
        assert_eq!(names(&workspace), Vec::<String>::new());
    }
}
