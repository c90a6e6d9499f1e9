//! Tests of `relax-lsp doctor`, with a home directory and a project of the test.

use std::path::Path;
use std::process::Command;

fn doctor(arguments: &[&str], home: &Path) -> std::process::Output {
    let mut command = Command::new(tests::relax_lsp());
    command.arg("doctor").args(arguments).current_dir(home);
    for name in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        command.env_remove(name);
    }
    let programs = home.join("bin");
    command
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env("PATH", programs);
    command.output().unwrap()
}

/// Returns a home directory with a configured editor, an unconfigured one, and a project.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for editor in ["nvim", "code", "pycharm"] {
        write(&format!("bin/{editor}{}", std::env::consts::EXE_SUFFIX), "");
    }
    write(
        ".config/nvim/lua/lsp.lua",
        "vim.lsp.config('relax', { cmd = { 'relax-lsp' } })",
    );
    write(
        ".config/JetBrains/PyCharm2026.2/options/UserDefinedLanguageServerSettings.xml",
        r#"<option name="commandLine" value="relax-lsp lsp" />"#,
    );
    write("project/.git/HEAD", "");
    write("project/relax-lsp.toml", "line-length = 80\n");
    write("project/requirements.txt", "apache-tvm==0.25.0\n");
    home
}

#[test]
fn doctor_tells_release_settings_and_editors() {
    let home = home();
    let output = doctor(&["project", "--format", "json"], home.path());
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["TVM"]["release"], "0.25");
    assert!(
        found["TVM"]["said by"]
            .as_str()
            .unwrap()
            .contains("requirements.txt")
    );
    assert_eq!(found["settings"]["line-length"], 80);
    assert_eq!(found["editors"]["Neovim"], "its settings name relax-lsp");
    let jetbrains = &found["editors"]["PyCharm, IntelliJ IDEA"];
    assert_eq!(jetbrains, "its settings name relax-lsp");
    let code = found["editors"]["VS Code"].as_str().unwrap();
    assert!(code.starts_with("without the extension"), "{code}");
    assert!(found["editors"].get("Emacs").is_none());
    assert_eq!(found["problems"], serde_json::json!([]));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn doctor_reports_bad_settings_and_other_binaries() {
    let home = home();
    std::fs::write(
        home.path().join("project/relax-lsp.toml"),
        "lime-length = 80\n",
    )
    .unwrap();
    let other = format!("bin/relax-lsp{}", std::env::consts::EXE_SUFFIX);
    std::fs::write(home.path().join(other), "").unwrap();
    let output = doctor(&["project"], home.path());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("! `relax-lsp` starts "), "{said}");
    assert!(said.contains("did you mean `line-length`?"), "{said}");
    assert!(said.ends_with("2 problems.\n"), "{said}");
}
