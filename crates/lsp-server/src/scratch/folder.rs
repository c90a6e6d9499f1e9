//! Folders for a session's files. Other users cannot read them, and a later session deletes the folder of one that was
//! killed.

use std::fs::{DirEntry, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;
use tracing::debug;

const PREFIX: &str = "relax-lsp-";
/// A lock file, which the system unlocks when the session ends.
const LOCK: &str = "lock";

/// A folder that is deleted when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    _lock: File,
    folder: TempDir,
}

impl Scratch {
    pub fn new() -> io::Result<Scratch> {
        static SWEEP: Once = Once::new();
        let place = std::env::temp_dir();
        let (folder, lock) = make(&place)?;
        let scratch = Scratch {
            _lock: lock,
            folder,
        };
        let own = scratch.path().metadata()?;
        SWEEP.call_once(|| {
            // There may be many leftover files, so don't let a request wait until they are deleted.
            std::thread::spawn(move || sweep(&place, &own));
        });
        Ok(scratch)
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Creates a file in the folder of a session, of this process or of its parent. It does not outlive the session, so it
/// is written in place.
pub fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

pub fn write(path: &Path, text: &str) -> io::Result<()> {
    create(path)?.write_all(text.as_bytes())
}

/// Creates a folder and its lock.
fn make(place: &Path) -> io::Result<(TempDir, File)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    let folder = builder.tempdir_in(place)?;
    // Rename the lock file once it is locked: before that, the folder would look abandoned.
    let unnamed = folder.path().join("lock.new");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    std::fs::rename(unnamed, folder.path().join(LOCK))?;
    Ok((folder, lock))
}

/// Returns the folders of sessions, including those that have ended.
pub fn leftovers(place: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let is_ours = |it: &DirEntry| {
        it.file_name()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes())
    };
    // The metadata of a symbolic link is its own, so links are not followed.
    let is_folder = |it: &DirEntry| it.metadata().is_ok_and(|it| it.is_dir());
    let folders = entries.filter(move |it| is_ours(it) && is_folder(it));
    folders.map(|it| it.path())
}

/// Deletes the folders of ended sessions that belong to the owner of `own`.
fn sweep(place: &Path, own: &Metadata) {
    for folder in leftovers(place) {
        let is_ours = folder
            .symlink_metadata()
            .is_ok_and(|it| same_owner(&it, own));
        let lock = File::open(folder.join(LOCK));
        let Some(lock) = lock.ok().filter(|_| is_ours) else {
            continue;
        };
        if lock.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(&folder)
        {
            debug!(%error, ?folder, "an unused folder could not be removed");
        }
    }
}

#[cfg(unix)]
fn same_owner(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

/// On other systems, each user has a separate place for such files.
#[cfg(not(unix))]
fn same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_folder_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let (folder, _lock) = make(place.path()).unwrap();
        let mode = folder.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn abandoned_folders_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let (used, _lock) = make(place.path()).unwrap();
        let (killed, lock) = make(place.path()).unwrap();
        let left = killed.keep();
        // The system does the same when a process ends.
        drop(lock);
        std::fs::write(left.join("out.npy"), "a value").unwrap();
        let other = place.path().join("relax-lsp-of-somebody-else");
        std::fs::create_dir(&other).unwrap();
        sweep(place.path(), &used.path().metadata().unwrap());
        assert!(used.path().exists() && other.exists() && !left.exists());
    }
}
