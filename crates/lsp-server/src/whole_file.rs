//! Writes users' files as a whole: the new text is written beside the old one, and takes its place once it is complete
//! and on the disk. A process that is killed or a full disk leaves the old text.
//!
//! A file keeps its permissions and its owner; a symbolic link still leads to it. What cannot be kept is refused: a
//! file with several names (hard links) would have the new text under one of them only. Pipes and devices have no text
//! to lose, and are written to directly.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use crate::regular_file;

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

/// The file has the text that it had.
#[derive(Debug, Error)]
#[error("cannot write `{}`: {why}", path.display())]
pub struct NotWritten {
    path: PathBuf,
    why: Why,
}

#[derive(Debug, Error)]
enum Why {
    #[error("another program has changed it since it was read")]
    Changed,
    #[cfg_attr(not(unix), expect(dead_code, reason = "only read on Unix"))]
    #[error("it has {0} names (hard links), and the other ones would keep the old text")]
    Linked(u64),
    #[error("its folder takes no new file: {0}")]
    Folder(io::Error),
    #[cfg_attr(not(unix), expect(dead_code, reason = "only set on Unix"))]
    #[error("a new file cannot have its owner and its group: {0}")]
    Owner(io::Error),
    #[error(transparent)]
    Other(#[from] io::Error),
}

/// Whether a file must survive a failure of the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Durability {
    Durable,
    /// The system may lose it, which its reader notices.
    Cached,
}

/// Writes a file, replacing an existing one.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), NotWritten> {
    write_with(path, |file| file.write_all(contents))
}

/// Writes what `encode` writes.
pub fn write_with(
    path: &Path,
    encode: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), NotWritten> {
    named(path, put(path, None, Durability::Durable, encode))
}

/// Writes an entry of a cache, which the system may lose.
pub fn write_cached(path: &Path, contents: &[u8]) -> Result<(), NotWritten> {
    let encode = |file: &mut dyn Write| file.write_all(contents);
    named(path, put(path, None, Durability::Cached, encode))
}

/// Writes the text that was made from `before`, unless the file contains another text by now.
pub fn replace(path: &Path, before: &str, after: &str) -> Result<(), NotWritten> {
    let encode = |file: &mut dyn Write| file.write_all(after.as_bytes());
    named(path, put(path, Some(before), Durability::Durable, encode))
}

fn named(path: &Path, written: Result<(), Why>) -> Result<(), NotWritten> {
    let path = path.to_owned();
    written.map_err(|why| NotWritten { path, why })
}

fn put(
    path: &Path,
    before: Option<&str>,
    durability: Durability,
    encode: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Why> {
    // A file that may not be written to is not replaced either.
    let old = match OpenOptions::new().write(true).open(path) {
        Ok(mut open) => {
            let old = open.metadata()?;
            if !old.is_file() {
                encode(&mut open)?;
                return Ok(open.flush()?);
            }
            Some(old)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let target = followed(path)?;
    let folder = folder(&target);
    let mut new = beside(folder, old.as_ref())?;
    let mut file = BufWriter::new(new.as_file_mut());
    encode(&mut file)?;
    file.flush()?;
    drop(file);
    if durability == Durability::Durable {
        new.as_file().sync_all()?;
    }
    if before.is_some_and(|it| !regular_file::read(&target).is_ok_and(|now| now == it.as_bytes())) {
        return Err(Why::Changed);
    }
    new.persist(&target).map_err(|it| it.error)?;
    if durability == Durability::Durable {
        sync(folder);
    }
    Ok(())
}

/// Follows symbolic links, also to a file that does not exist yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder(&path).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("it is a symbolic link to itself"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Creates the new file, which is deleted unless it takes the place of the old one.
fn beside(folder: &Path, old: Option<&Metadata>) -> Result<NamedTempFile, Why> {
    let mut builder = Builder::new();
    builder.prefix(".relax-lsp-").suffix(".new");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask applies, as to every new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let new = builder.tempfile_in(folder).map_err(Why::Folder)?;
    if let Some(old) = old {
        resemble(new.as_file(), old)?;
    }
    Ok(new)
}

#[cfg(unix)]
fn resemble(new: &File, old: &Metadata) -> Result<(), Why> {
    use std::os::unix::fs::{MetadataExt, fchown};
    if old.nlink() > 1 {
        return Err(Why::Linked(old.nlink()));
    }
    let own = new.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        let owner = (own.uid() != old.uid()).then_some(old.uid());
        fchown(new, owner, Some(old.gid())).map_err(Why::Owner)?;
    }
    Ok(new.set_permissions(old.permissions())?)
}

#[cfg(not(unix))]
fn resemble(new: &File, old: &Metadata) -> Result<(), Why> {
    Ok(new.set_permissions(old.permissions())?)
}

/// Writes the change of a folder to the disk, where the system can. The file is complete in any case.
fn sync(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|it| it.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(test)]
mod tests;
