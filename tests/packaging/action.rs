//! Runs the steps of `action.yml` as a GitHub runner does.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::{file, is_here, path_with_program, yaml};

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
            .env("GITHUB_PATH", &added)
            .env("PATH", path_after(&added));
        for (name, value) in step["env"]
            .as_object()
            .expect("inputs come by the environment")
        {
            let value = value.as_str().expect("a text");
            let of = value
                .strip_prefix("${{ inputs.")
                .and_then(|it| it.strip_suffix(" }}"));
            bash.env(name, input(of.expect("it is an input")));
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

/// Returns `PATH` with the folders that the steps have added so far.
fn path_after(added: &Path) -> OsString {
    let added = std::fs::read_to_string(added).unwrap();
    let first = added.lines().map(PathBuf::from).collect::<Vec<_>>();
    let path = path_with_program();
    let all = first.into_iter().chain(std::env::split_paths(&path));
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

/// Writes a wheel whose `relax-lsp` prints its arguments.
const WHEEL: &str = r##"
import zipfile
info = "probe-1.dist-info"
with zipfile.ZipFile("probe-1-py3-none-any.whl", "w") as wheel:
    program = zipfile.ZipInfo("probe-1.data/scripts/relax-lsp")
    program.external_attr = 0o100755 << 16
    wheel.writestr(program, '#!/bin/sh\necho installed: "$@"\n')
    wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: probe\nVersion: 1\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: probe\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(f"{info}/RECORD", "")
"##;

#[test]
fn the_action_installs_into_an_environment_of_its_own() {
    if !is_here("bash") || !has_venv() {
        return;
    }
    let folder = folder();
    let made = Command::new("python3")
        .args(["-c", WHEEL])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(made.success());
    let wheel = folder.path().join("probe-1-py3-none-any.whl");
    let output = run(folder.path(), &[("install", wheel.to_str().unwrap())]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.trim_end(), "installed: check --format github -- .");
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
