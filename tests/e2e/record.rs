//! Tests of `relax-lsp passes --record` with a small fake TVM, whose passes only count versions of a module.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The parts of TVM that the recording uses: nested contexts, instruments, modules that print themselves.
const TVM: [(&str, &str); 4] = [
    ("__init__.py", "from . import ir, relax, transform\n"),
    ("relax.py", "class Function:\n    pass\n"),
    (
        "ir/__init__.py",
        "from . import instrument\n\n\nclass Info:\n    def __init__(self, name):\n        self.name = name\n",
    ),
    (
        "ir/instrument.py",
        "def pass_instrument(kind):\n    return kind\n",
    ),
];

const TRANSFORM: &str = r#"
from .ir import Info

STACK = []


class PassContext:
    def __init__(self, opt_level=2, instruments=None):
        self.instruments = instruments or []

    def __enter__(self):
        STACK.append(self)

    def __exit__(self, *_):
        STACK.pop()


def run(name, module, inner=()):
    for it in STACK[-1].instruments:
        it.run_before_pass(module, Info(name))
    for step in inner:
        module = run(step, module)
    if not inner:
        module = module.next(name)
    for it in STACK[-1].instruments:
        it.run_after_pass(module, Info(name))
    return module
"#;

const BUILD: &str = r#"
import sys

import tvm
from tvm.relax import Function
from tvm.transform import PassContext, run

TEXT = '''
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.%s(x)
        return y
'''


class Module:
    def __init__(self, operator):
        self.operator = operator
        self.functions = {"main": Function()}

    def script(self):
        return TEXT % self.operator

    def next(self, name):
        return Module("exp" if name == "Lower" else self.operator)


with PassContext(opt_level=3):
    run("Build", Module("abs"), ["Nothing", "Lower"])
print("built", sys.argv[1:])
"#;

fn record(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let python = ["python3", "python"].into_iter().find(|it| {
        let version = Command::new(it).arg("--version").output();
        version.is_ok_and(|it| it.status.success())
    })?;
    let package = folder.join("tvm");
    std::fs::create_dir_all(package.join("ir")).unwrap();
    for (name, text) in TVM {
        std::fs::write(package.join(name), text).unwrap();
    }
    std::fs::write(package.join("transform.py"), TRANSFORM).unwrap();
    std::fs::write(folder.join("build.py"), BUILD).unwrap();
    let output = Command::new(tests::relax_lsp())
        .args(["passes", "--record", "--python", python, "--format", "json"])
        .args(arguments)
        .env("PYTHONPATH", folder)
        .current_dir(folder)
        .output();
    Some(output.expect("relax-lsp starts"))
}

#[test]
fn a_build_is_recorded_with_its_input_nesting_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let Some(output) = record(folder.path(), &["build.py", "--", "--fast"]) else {
        testing::skip("there is no Python");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("built ['--fast']"), "{said}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let stages = answer["stages"].as_array().expect("a list");
    let passes: Vec<&str> = stages.iter().filter_map(|it| it["pass"].as_str()).collect();
    assert_eq!(passes, ["input", "Nothing", "Lower", "Build"]);
    let parents: Vec<_> = stages.iter().map(|it| it["parent"].as_u64()).collect();
    assert_eq!(parents, [None, Some(3), Some(3), None]);
    let unchanged: Vec<_> = stages.iter().map(|it| it["unchanged"] == true).collect();
    assert_eq!(unchanged, [false, true, false, false]);
    assert!(stages.iter().all(|it| it["seconds"].is_number()));
}

#[test]
fn a_folder_with_other_files_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/notes.txt"), "mine").unwrap();
    let Some(output) = record(folder.path(), &["--output", "mine", "build.py"]) else {
        testing::skip("there is no Python");
        return;
    };
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`notes.txt`"), "{said}");
}
