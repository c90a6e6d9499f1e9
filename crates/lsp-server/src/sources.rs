//! Finds the files that a subcommand reads, and reads them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ide::{Language, Text};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::config::project::Projects;
use crate::memory::STACK;
use crate::regular_file;

/// Returns the files that `paths` name: files as given, and for directories the files that their projects include.
/// Skips hidden directories, environments of Python, installed packages, and symbolic links to directories.
pub fn collect(paths: &[PathBuf], projects: &Projects) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in paths {
        let meta =
            std::fs::metadata(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        if meta.is_dir() {
            search(path, projects, &mut sources)?;
        } else {
            sources.push(Source {
                path: path.clone(),
                named: true,
            });
        }
    }
    Ok(sources)
}

/// Returns the files in a list with one path per line; `-` is standard input. Like files found in a directory, they
/// are only read if they contain TVMScript.
pub fn listed(list: &Path) -> anyhow::Result<Vec<Source>> {
    let cannot = || format!("cannot read the list `{}`", list.display());
    let text = if list == Path::new("-") {
        std::io::read_to_string(std::io::stdin()).with_context(cannot)?
    } else {
        std::fs::read_to_string(list).with_context(cannot)?
    };
    let names = text.lines().map(str::trim).filter(|name| !name.is_empty());
    let source = |name| Source {
        path: PathBuf::from(name),
        named: false,
    };
    Ok(names.map(source).collect())
}

pub struct Source {
    pub path: PathBuf,
    /// `true` if it was named on the command line, rather than found in a directory.
    pub named: bool,
}

/// Returns the language of a file by its name.
pub fn language(path: &Path) -> Language {
    let extension = path.extension().and_then(|it| it.to_str());
    match extension {
        Some("relay" | "rly") => Language::Relay,
        _ => Language::Python,
    }
}

/// Returns `true` if a file should be read: a Python file found in a directory must contain TVMScript, or
/// import TVM.
pub fn is_read(source: &Source, text: &str) -> bool {
    source.named || language(&source.path) == Language::Relay || ide::concerns_tvm(text)
}

/// Calls `work` with each file, on all processors, with large stacks for deeply nested programs.
pub fn map<T: Send>(
    sources: &[Source],
    work: impl Fn(&Source) -> anyhow::Result<T> + Send + Sync,
) -> anyhow::Result<Vec<anyhow::Result<T>>> {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build()?;
    Ok(threads.install(|| sources.par_iter().map(work).collect()))
}

fn search(root: &Path, projects: &Projects, found: &mut Vec<Source>) -> anyhow::Result<()> {
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        let cannot = || format!("cannot read the directory `{}`", directory.display());
        let mut entries = std::fs::read_dir(&directory)
            .with_context(cannot)?
            .collect::<Result<Vec<_>, _>>()
            .with_context(cannot)?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        let project = projects.of_folder(&directory)?;
        let mut below = Vec::new();
        for entry in entries {
            let kind = entry.file_type().with_context(cannot)?;
            let path = entry.path();
            if project.excludes(&path) {
                continue;
            }
            if kind.is_dir() {
                let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
                if !is_hidden && !is_installed(&path) {
                    below.push(path);
                }
            } else if project.includes(&path) && path.is_file() {
                let path = below_here(&path).to_owned();
                found.push(Source { path, named: false });
            }
        }
        open.extend(below.into_iter().rev());
    }
    Ok(())
}

/// Folders of installed packages and of their caches.
const INSTALLED: [&str; 3] = ["__pycache__", "node_modules", "site-packages"];

/// Whether a folder has packages of others: it has such a name, or is an environment of Python.
pub fn is_installed(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    INSTALLED.iter().any(|it| name == *it) || folder.join("pyvenv.cfg").is_file()
}

/// Returns a path without `./` at its start.
pub fn below_here(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// Returns the text of a file, which must be UTF-8.
pub fn read(path: &Path) -> anyhow::Result<Text> {
    let cannot = || format!("cannot read `{}`", path.display());
    let bytes = regular_file::read(path).with_context(cannot)?;
    if u32::try_from(bytes.len()).is_err() {
        bail!("`{}` is larger than 4 GB", path.display());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
            let line = before.matches('\n').count();
            bail!(
                "`{}` is not UTF-8 text: byte {valid}, in line {}, cannot be read",
                path.display(),
                line + 1
            )
        }
    }
}
