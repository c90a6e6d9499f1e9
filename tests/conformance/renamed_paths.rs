//! Compares the table of renamed Python names with an installed TVM.

use relax::release::{MERGED, REMOVED, RENAMES, Release, Rename, renamed};

use super::tvm;

fn before(release: Release) -> Release {
    let older = Release::ALL.into_iter().filter(|it| *it < release);
    older.max().expect("a row changes something")
}

/// A row and its name in a release.
fn name_in(row: &Rename, release: Release) -> String {
    if release < row.since {
        renamed(row.old, before(row.since), release)
    } else {
        renamed(row.new, row.since, release)
    }
}

#[test]
fn tvm_has_each_renamed_path_under_the_name_of_its_release() {
    let Some(release) = tvm::release() else {
        return;
    };
    // A row about an older release can only be tested with that release.
    let rows = RENAMES.iter().chain(MERGED);
    let rows: Vec<&Rename> = rows.filter(|it| it.since >= before(release)).collect();
    let paths: Vec<String> = rows.iter().map(|row| name_in(row, release)).collect();
    let there = tvm::there(&paths).expect("TVM has answered before");
    let missing = paths.iter().zip(there).filter(|it| !it.1);
    let missing: Vec<&String> = missing.map(|it| it.0).collect();
    assert!(missing.is_empty(), "{}: {missing:#?}", release.name());
}

#[test]
fn tvm_has_no_path_that_its_release_removed() {
    let Some(release) = tvm::release() else {
        return;
    };
    let gone = REMOVED.iter().filter(|it| it.since <= release);
    let paths: Vec<String> = gone.map(|it| it.old.to_owned()).collect();
    let there = tvm::there(&paths).expect("TVM has answered before");
    let kept = paths.iter().zip(there).filter(|it| it.1);
    let kept: Vec<&String> = kept.map(|it| it.0).collect();
    assert!(kept.is_empty(), "{}: {kept:#?}", release.name());
}
