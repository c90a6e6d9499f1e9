//! Runs the hooks of `.pre-commit-hooks.yaml` with pre-commit itself, if it is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{file, is_here, path_with_program, text, yaml};

fn git(arguments: &[&str], folder: &Path) {
    let identity = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
    ];
    let output = Command::new("git")
        .args(identity)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("git starts");
    assert!(output.status.success(), "{output:?}");
}

/// Creates a repository with one committed file, and tags it as `v1`.
fn repository(folder: &Path, name: &str, content: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), content).unwrap();
    git(&["init", "-q"], folder);
    git(&["add", "-A"], folder);
    git(&["commit", "-qm", "first"], folder);
    git(&["tag", "v1"], folder);
}

/// The pre-commit that `PRE_COMMIT` names, or the one in `PATH`.
fn program() -> String {
    std::env::var("PRE_COMMIT").unwrap_or_else(|_| "pre-commit".to_owned())
}

fn pre_commit(project: &Path, home: &Path) -> Output {
    Command::new(program())
        .args(["run", "--all-files", "--color=never"])
        .current_dir(project)
        .env("PATH", path_with_program())
        .env("PRE_COMMIT_HOME", home)
        .output()
        .expect("pre-commit starts")
}

/// The program under test is in `PATH`, so nothing is built or downloaded: `language: system`, as in `docs/ci.md`.
#[test]
fn pre_commit_runs_the_hooks_of_this_repository() {
    if !is_here(&program()) || !is_here("git") {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let (hooks, project, home) = ("hooks", "project", "home");
    let at = |name: &str| root.path().join(name);
    repository(
        &at(hooks),
        ".pre-commit-hooks.yaml",
        &text(".pre-commit-hooks.yaml"),
    );
    let address = at(hooks).to_string_lossy().replace('\\', "/");
    let config = format!(
        "repos:\n- repo: '{address}'\n  rev: v1\n  hooks:\n  \
         - {{id: relax-lsp-check, language: system}}\n  \
         - {{id: relax-lsp-fmt, language: system}}\n"
    );
    repository(&at(project), ".pre-commit-config.yaml", &config);
    fs::copy(file("examples/mlp.py"), at(project).join("mlp.py")).unwrap();
    git(&["add", "-A"], &at(project));
    let clean = pre_commit(&at(project), &at(home));
    assert!(clean.status.success(), "{clean:?}");

    fs::copy(file("examples/mistakes.py"), at(project).join("wrong.py")).unwrap();
    git(&["add", "-A"], &at(project));
    let wrong = pre_commit(&at(project), &at(home));
    let said = String::from_utf8_lossy(&wrong.stdout);
    assert!(!wrong.status.success(), "{said}");
    assert!(said.contains("shape-mismatch"), "{said}");
}

#[test]
fn each_hook_is_a_command_of_the_program() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hooks = hooks.as_array().expect("a list of hooks");
    assert!(!hooks.is_empty());
    for hook in hooks {
        for key in ["id", "name", "description", "entry", "language"] {
            assert!(hook[key].is_string(), "{key} of {hook}");
        }
        let entry = hook["entry"].as_str().unwrap();
        let mut words = entry.split(' ');
        assert_eq!(words.next(), Some("relax-lsp"));
        let help = Command::new(tests::relax_lsp())
            .args(words)
            .arg("--help")
            .output()
            .expect("relax-lsp starts");
        assert!(help.status.success(), "{entry}");
    }
}
