//! Helpers for the tests of the whole product.

pub mod cases;
pub mod client;
pub mod fuzz;
pub mod hostile;
pub mod random;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the `relax-lsp` under test: the one that `RELAX_LSP` names, or a new build with the profile of these tests.
pub fn relax_lsp() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(path) = std::env::var_os("RELAX_LSP") {
            return path.into();
        }
        // target/debug/deps/suite-0123 → target/debug
        let test = std::env::current_exe().expect("a test knows its own path");
        let profile = test
            .ancestors()
            .nth(2)
            .expect("a test lies in the target directory");
        let target = profile
            .parent()
            .expect("a profile's directory has a parent");
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--package", "relax-lsp"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("--target-dir")
            .arg(target);
        match profile.file_name().and_then(|it| it.to_str()) {
            Some("debug") | None => {}
            Some(name) => drop(build.args(["--profile", name])),
        }
        let status = build.status().expect("cargo starts");
        assert!(status.success(), "relax-lsp does not build");
        profile.join(format!("relax-lsp{}", std::env::consts::EXE_SUFFIX))
    })
}
