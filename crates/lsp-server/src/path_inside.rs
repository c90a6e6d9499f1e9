//! Paths that come from data, such as a name in a list of weights, stay inside of their folder.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
#[error("`{0}` leads out of its folder")]
pub struct Outside(String);

/// Joins a path from data to a folder: no absolute path, no `..`, no drive, no symbolic link out of the folder. The
/// same paths are refused on every system.
pub fn join(folder: &Path, name: &str) -> Result<PathBuf, Outside> {
    let path = folder.join(name);
    if is_plain(name) && stays(folder, &path) {
        Ok(path)
    } else {
        Err(Outside(name.to_owned()))
    }
}

fn is_plain(name: &str) -> bool {
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    let below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    !is_drive
        && !name.contains(['\\', '\0'])
        && Path::new(name).components().all(below)
        && Path::new(name).file_name().is_some()
}

/// Whether the part of `path` that exists lies in the folder, after symbolic links.
fn stays(folder: &Path, path: &Path) -> bool {
    let here = folder == Path::new("");
    let folder = if here { Path::new(".") } else { folder };
    let Ok(folder) = folder.canonicalize() else {
        return true;
    };
    let existing = path.ancestors().find(|it| it.symlink_metadata().is_ok());
    existing.is_none_or(|it| {
        let real = it.canonicalize();
        real.is_ok_and(|real| real.starts_with(store(&folder)))
    })
}

/// The files of a snapshot in Hugging Face's cache are links to `blobs` beside `snapshots`.
fn store(folder: &Path) -> &Path {
    let snapshots = folder.parent().filter(|it| it.ends_with("snapshots"));
    snapshots.and_then(Path::parent).unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_out_of_the_folder_are_refused_on_every_system() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "",
            ".",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            "/a",
            "//host/a",
            "C:\\a",
            "c:a",
            "a\\..\\b",
            "\\\\host\\a",
            "a\0b",
        ] {
            let why = join(folder.path(), name).unwrap_err().to_string();
            assert_eq!(why, format!("`{name}` leads out of its folder"));
        }
        for name in ["a", "a/b.npy", "./a", "..a", "a..b", "é"] {
            assert_eq!(join(folder.path(), name).unwrap(), folder.path().join(name));
        }
    }

    #[test]
    fn a_folder_may_be_relative_or_missing() {
        assert_eq!(join(Path::new(""), "a").unwrap(), Path::new("a"));
        assert_eq!(
            join(Path::new("no/such"), "a").unwrap(),
            Path::new("no/such/a")
        );
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_out_of_the_folder_are_refused() {
        use std::os::unix::fs::symlink;

        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("weights");
        std::fs::create_dir_all(folder.join("real")).unwrap();
        std::fs::write(root.path().join("secret"), "").unwrap();
        symlink("real", folder.join("inner")).unwrap();
        symlink("../secret", folder.join("outer")).unwrap();
        symlink("../later", folder.join("dangling")).unwrap();
        symlink("..", folder.join("up")).unwrap();
        symlink(&folder, root.path().join("linked")).unwrap();
        for name in ["inner/a", "inner"] {
            join(&folder, name).unwrap();
            join(&root.path().join("linked"), name).unwrap();
        }
        for name in ["outer", "dangling", "up/secret", "up/new"] {
            join(&folder, name).unwrap_err();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_snapshot_of_hugging_face_is_a_folder_of_links() {
        let cache = tempfile::tempdir().unwrap();
        let [snapshot, blobs] =
            ["model/snapshots/1a", "model/blobs"].map(|it| cache.path().join(it));
        for folder in [&snapshot, &blobs] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(blobs.join("77"), "").unwrap();
        std::fs::write(cache.path().join("secret"), "").unwrap();
        let link =
            |to: &str, name: &str| std::os::unix::fs::symlink(to, snapshot.join(name)).unwrap();
        link("../../blobs/77", "shard.bin");
        link("../../../secret", "other.bin");
        join(&snapshot, "shard.bin").unwrap();
        join(&snapshot, "other.bin").unwrap_err();
    }
}
