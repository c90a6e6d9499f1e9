//! What files keep when they are replaced, and what is refused.

use std::path::Path;

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_new_and_an_old_file_get_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.py");
    for contents in ["one", "two, longer"] {
        write(&path, contents.as_bytes()).unwrap();
        assert_eq!(
            (text(&path).as_str(), names(folder.path()).len()),
            (contents, 1)
        );
    }
}

#[test]
fn a_failed_write_leaves_the_old_text_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.py");
    fs::write(&path, "old").unwrap();
    let failed = write_with(&path, |file| {
        file.write_all(&vec![b'x'; 100_000])?;
        Err(io::Error::other("the disk is full"))
    });
    let why = failed.unwrap_err().to_string();
    assert!(why.ends_with("a.py`: the disk is full"), "{why}");
    assert_eq!(
        (text(&path).as_str(), names(folder.path())),
        ("old", vec!["a.py".to_owned()])
    );
}

#[test]
fn a_file_that_changed_since_it_was_read_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.py");
    fs::write(&path, "edited").unwrap();
    let why = replace(&path, "read", "formatted").unwrap_err().to_string();
    assert!(why.contains("has changed it"), "{why}");
    assert_eq!(text(&path), "edited");
    fs::remove_file(&path).unwrap();
    replace(&path, "read", "formatted").unwrap_err();
    assert!(names(folder.path()).is_empty());
    fs::write(&path, "read").unwrap();
    replace(&path, "read", "formatted").unwrap();
    assert_eq!(text(&path), "formatted");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let why = write(&folder.path().join("none/a.py"), b"").unwrap_err();
    assert!(
        why.to_string().contains("its folder takes no new file"),
        "{why}"
    );
    write(folder.path(), b"").unwrap_err();
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        fs::write(&path, "old").unwrap();
        for mode in [0o600, 0o755, 0o664] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write(&path, b"new").unwrap();
            assert_eq!(path.metadata().unwrap().mode() & 0o7777, mode);
        }
    }

    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, usual] = ["ours", "usual"].map(|it| folder.path().join(it));
        write(&ours, b"").unwrap();
        fs::write(&usual, "").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().mode();
        assert_eq!(mode(&ours), mode(&usual));
    }

    #[test]
    fn links_lead_to_the_new_text() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).unwrap();
        fs::write(at("real/a.py"), "old").unwrap();
        symlink("real/a.py", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        symlink("real/later.py", at("dangling")).unwrap();
        write(&at("two"), b"new").unwrap();
        write(&at("dangling"), b"made").unwrap();
        assert_eq!(
            (text(&at("real/a.py")), text(&at("real/later.py"))),
            ("new".into(), "made".into())
        );
        assert!(
            ["one", "two", "dangling"]
                .iter()
                .all(|it| at(it).is_symlink())
        );
        symlink("loop", at("loop")).unwrap();
        write(&at("loop"), b"").unwrap_err();
    }

    #[test]
    fn a_file_with_two_names_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["a.py", "b.py"].map(|it| folder.path().join(it));
        fs::write(&one, "old").unwrap();
        fs::hard_link(&one, &other).unwrap();
        let why = write(&one, b"new").unwrap_err().to_string();
        assert!(why.contains("2 names (hard links)"), "{why}");
        assert_eq!((text(&one), text(&other)), ("old".into(), "old".into()));
        assert_eq!(names(folder.path()).len(), 2);
    }

    /// An administrator may write to any file and folder.
    #[test]
    fn what_may_not_be_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        fs::write(&path, "old").unwrap();
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        set(&path, 0o444);
        let is_administrator = OpenOptions::new().write(true).open(&path).is_ok();
        if is_administrator {
            eprintln!("skipped: this user may write to any file");
            return;
        }
        write(&path, b"new").unwrap_err();
        set(&path, 0o644);
        set(folder.path(), 0o555);
        let why = write(&path, b"new").unwrap_err().to_string();
        set(folder.path(), 0o755);
        assert!(why.contains("its folder takes no new file"), "{why}");
        assert_eq!(text(&path), "old");
    }

    #[test]
    fn a_device_is_written_to() {
        write(Path::new("/dev/null"), b"text").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
