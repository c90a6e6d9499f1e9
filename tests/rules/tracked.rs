//! Rules about the files that git tracks.

use std::process::Command;

use super::{assert_none, root};

/// Folders that tools generate.
const BUILT: &[&str] = &["target", "node_modules", "__pycache__", "dist", "out"];

#[test]
fn git_tracks_nothing_that_a_build_made() {
    let mut git = Command::new("git");
    git.arg("ls-files").current_dir(root());
    let Some(listed) = git.output().ok().filter(|it| it.status.success()) else {
        testing::skip("this is not a git checkout");
        return;
    };
    let listed = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.contains("Cargo.toml"), "git lists the workspace");
    let built = |path: &&str| path.split('/').any(|folder| BUILT.contains(&folder));
    let found: Vec<String> = listed.lines().filter(built).map(str::to_owned).collect();
    assert_none("add the folder to .gitignore", &found);
}
