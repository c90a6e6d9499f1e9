//! Folders for what a session writes: other users cannot look into them, and a folder whose session was killed is
//! swept away by a later one.

use std::fs::{DirEntry, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;
use tracing::debug;

const PREFIX: &str = "relax-lsp-";
/// Locked as long as the session lives, whose end the system cannot miss.
const LOCK: &str = "lock";

/// A folder that goes with this.
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
            // The values of runs may be many: no request waits until they are gone.
            std::thread::spawn(move || sweep(&place, &own));
        });
        Ok(scratch)
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A folder and its lock.
fn make(place: &Path) -> io::Result<(TempDir, File)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    let folder = builder.tempdir_in(place)?;
    // It has its name only once it is locked: before, the folder would look like one that was left behind.
    let unnamed = folder.path().join("lock.new");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    std::fs::rename(unnamed, folder.path().join(LOCK))?;
    Ok((folder, lock))
}

/// The folders of sessions, those that are over too.
pub fn leftovers(place: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let is_ours = |it: &DirEntry| {
        it.file_name()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes())
    };
    // The metadata of a link are its own: it leads nowhere.
    let is_folder = |it: &DirEntry| it.metadata().is_ok_and(|it| it.is_dir());
    let folders = entries.filter(move |it| is_ours(it) && is_folder(it));
    folders.map(|it| it.path())
}

/// Removes the folders of sessions that are over, if they belong to the user that `own` belongs to.
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

/// Elsewhere each user has a place of their own for such files.
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
    fn what_a_killed_session_left_is_swept_away_and_what_is_in_use_stays() {
        let place = tempfile::tempdir().unwrap();
        let (used, _lock) = make(place.path()).unwrap();
        let (killed, lock) = make(place.path()).unwrap();
        let left = killed.keep();
        // As the system does with the locks of a process that ends.
        drop(lock);
        std::fs::write(left.join("out.npy"), "a value").unwrap();
        let other = place.path().join("relax-lsp-of-somebody-else");
        std::fs::create_dir(&other).unwrap();
        sweep(place.path(), &used.path().metadata().unwrap());
        assert!(used.path().exists() && other.exists() && !left.exists());
    }
}
