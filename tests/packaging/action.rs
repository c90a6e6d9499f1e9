//! Runs the steps of `action.yml` as a GitHub runner does.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::{file, is_here, path_with_program, toml, yaml};

/// Runs the steps whose condition holds. `inputs` replace the defaults. Returns the output of the last step.
fn run(folder: &Path, inputs: &[(&str, &str)]) -> Output {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let input = |name: &str| {
        let given = inputs.iter().find(|(it, _)| *it == name);
        let default = &action["inputs"][name]["default"];
        given.map_or_else(
            || default.as_str().expect("a text").to_owned(),
            |it| it.1.to_owned(),
        )
    };
    // A step extends `PATH` for later steps by appending lines to a file.
    let (runner, added) = (folder.join("runner"), folder.join("added"));
    std::fs::create_dir_all(&runner).unwrap();
    std::fs::write(&added, "").unwrap();
    let mut last = None;
    for step in action["runs"]["steps"].as_array().expect("there are steps") {
        assert_eq!(step["shell"], "bash", "a composite step names its shell");
        if step["if"] == "inputs.install != ''" && input("install").is_empty() {
            continue;
        }
        let mut bash = Command::new("bash");
        // The runner's definition of `shell: bash`.
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c"])
            .arg(step["run"].as_str().expect("a step runs a script"))
            .current_dir(folder)
            .env("RUNNER_TEMP", &runner)
            .env("RUNNER_OS", "Linux")
            .env("GITHUB_PATH", &added)
            .env("PATH", path_after(&added));
        for (name, value) in step["env"]
            .as_object()
            .expect("inputs come by the environment")
        {
            let value = value.as_str().expect("a text");
            let of = value
                .strip_prefix("${{ ")
                .and_then(|it| it.strip_suffix(" }}"));
            let of = of.expect("it is an expression");
            let value = match of.strip_prefix("inputs.") {
                Some(name) => input(name),
                None => context(of),
            };
            bash.env(name, value);
        }
        let output = bash.output().expect("bash starts");
        let failed = !output.status.success();
        last = Some(output);
        if failed {
            break;
        }
    }
    last.expect("a step ran")
}

/// Returns what the runner knows.
fn context(name: &str) -> String {
    match name {
        "github.action_path" => file("").to_string_lossy().into_owned(),
        "github.action_repository" => "OWNER/relax-lsp".to_owned(),
        "github.token" => "secret".to_owned(),
        other => panic!("the runner knows no `{other}` in an action"),
    }
}

/// Returns `PATH` with the folders that the steps have added so far.
fn path_after(added: &Path) -> OsString {
    let own = added.with_file_name("own");
    let added = std::fs::read_to_string(added).unwrap();
    let first = added.lines().map(PathBuf::from).collect::<Vec<_>>();
    let path = path_with_program();
    let all = first
        .into_iter()
        .chain([own])
        .chain(std::env::split_paths(&path));
    std::env::join_paths(all).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [("mistakes", "a file.py"), ("mlp", "mlp.py")] {
        let from = file(&format!("examples/{from}.py"));
        std::fs::copy(from, folder.path().join(to)).unwrap();
    }
    folder
}

#[test]
fn the_action_shows_mistakes_beside_the_code_and_fails() {
    if !is_here("bash") {
        return;
    }
    let folder = folder();
    let output = run(folder.path(), &[("install", "")]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("::error "), "{said}");
    let clean = run(folder.path(), &[("install", ""), ("paths", "mlp.py")]);
    assert_eq!(clean.status.code(), Some(0), "{clean:?}");
}

#[test]
fn a_failing_action_still_writes_its_report() {
    if !is_here("bash") {
        return;
    }
    let folder = folder();
    let output = run(folder.path(), &[("install", ""), ("format", "sarif")]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = std::fs::read(folder.path().join("relax-lsp.sarif")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert!(!report["runs"][0]["results"].as_array().unwrap().is_empty());
}

#[test]
fn the_action_fails_only_for_new_mistakes() {
    if !is_here("bash") {
        return;
    }
    let folder = folder();
    let written = [("install", ""), ("args", "--write-baseline known.json")];
    assert_eq!(run(folder.path(), &written).status.code(), Some(0));
    let known = [("install", ""), ("args", "--baseline known.json")];
    assert_eq!(run(folder.path(), &known).status.code(), Some(0));
}

/// Writes a wheel whose `relax-lsp` prints its arguments. Takes the version and the tag of the system.
const WHEEL: &str = r##"
import sys, zipfile
version, tag = sys.argv[1:]
info = f"relax_lsp-{version}.dist-info"
with zipfile.ZipFile(f"relax_lsp-{version}-py3-none-{tag}.whl", "w") as wheel:
    program = zipfile.ZipInfo(f"relax_lsp-{version}.data/scripts/relax-lsp")
    program.external_attr = 0o100755 << 16
    wheel.writestr(program, '#!/bin/sh\necho installed: "$@"\n')
    wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: relax-lsp\nVersion: {version}\n")
    wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-{tag}\n")
    wheel.writestr(f"{info}/RECORD", "")
"##;

#[test]
fn the_action_installs_into_an_environment_of_its_own() {
    if !is_here("bash") || !has_venv() {
        return;
    }
    let folder = folder();
    wheel(folder.path(), "1", "any");
    let wheel = folder.path().join("relax_lsp-1-py3-none-any.whl");
    let output = run(folder.path(), &[("install", wheel.to_str().unwrap())]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.trim_end(), "installed: check --format github -- .");
}

fn wheel(folder: &Path, version: &str, tag: &str) {
    let made = Command::new("python3")
        .args(["-c", WHEEL, version, tag])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(made.success());
}

/// Stands for GitHub's program: copies the files of a release into the folder after `--dir`.
const GH: &str = r#"#!/bin/sh
echo "$@" >>"$(dirname "$0")/asked"
while [ "$1" != --dir ]; do shift; done
mkdir -p "$2" && cp "$(dirname "$0")/release"/* "$2"
"#;

#[cfg(target_os = "linux")]
#[test]
fn the_action_installs_the_wheel_of_its_version_if_its_checksum_is_right() {
    use std::os::unix::fs::PermissionsExt;
    if !is_here("bash") || !has_venv() {
        return;
    }
    let version = toml("Cargo.toml")["workspace"]["package"]["version"].clone();
    let version = version.as_str().unwrap();
    let action = yaml("action.yml");
    assert_eq!(action["inputs"]["version"]["default"], version);
    let folder = folder();
    let own = folder.path().join("own");
    let release = own.join("release");
    std::fs::create_dir_all(&release).unwrap();
    std::fs::write(own.join("gh"), GH).unwrap();
    std::fs::set_permissions(own.join("gh"), PermissionsExt::from_mode(0o755)).unwrap();
    let tag = format!("linux_{}", std::env::consts::ARCH);
    wheel(&release, version, &tag);
    let sums = Command::new("sh")
        .args(["-c", "sha256sum -- * >../sums && mv ../sums SHA256SUMS"])
        .current_dir(&release)
        .status()
        .unwrap();
    assert!(sums.success());
    let output = run(folder.path(), &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said.trim_end(),
        "installed: check --format github -- .",
        "{output:?}"
    );
    let asked = std::fs::read_to_string(own.join("asked")).unwrap();
    assert!(asked.starts_with(&format!(
        "release download v{version} --repo OWNER/relax-lsp "
    )));

    // A wheel that differs from what the list names is not installed.
    std::fs::remove_dir_all(folder.path().join("runner")).unwrap();
    let name = format!("relax_lsp-{version}-py3-none-{tag}.whl");
    let mut bytes = std::fs::read(release.join(&name)).unwrap();
    bytes.push(0);
    std::fs::write(release.join(&name), bytes).unwrap();
    let output = run(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not what SHA256SUMS names"));
}

/// On Debian, `venv` is in a separate package.
fn has_venv() -> bool {
    let probe = Command::new("python3")
        .args(["-c", "import ensurepip, venv"])
        .output();
    let is_here = probe.is_ok_and(|it| it.status.success());
    if !is_here {
        testing::skip("python3 with venv is not here");
    }
    is_here
}
