//! Tests of `relax-lsp passes --record` with a small fake TVM, whose passes only count versions of a module.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The parts of TVM that the recording uses: nested contexts, instruments, modules that print themselves.
const TVM: [(&str, &str); 4] = [
    ("__init__.py", "from . import ir, relax, transform\n"),
    ("relax.py", RELAX),
    (
        "ir/__init__.py",
        "from . import instrument\n\n\nclass Info:\n    def __init__(self, name):\n        self.name = name\n",
    ),
    (
        "ir/instrument.py",
        "def pass_instrument(kind):\n    return kind\n",
    ),
];

/// Functions with constants, which are visited in the order in which they are printed.
const RELAX: &str = r#"
class Tensor:
    shape, dtype = (2,), "float32"

    def numpy(self):
        return self

    def tobytes(self):
        return b"\x00\x00\x80\x3f\x00\x00\x00\x40"


class GenericConst:
    value = Tensor()


class Function:
    constants = [GenericConst(), GenericConst()]


class analysis:
    def post_order_visit(function, visit):
        for it in function.constants:
            visit(it)
            visit(it)
"#;

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
    if name == "Fails":
        raise TypeError("expected a tensor")
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
    def main(x: R.Tensor((2,), "float32")):
        c: R.Tensor((2,), "float32") = metadata["ir.GenericConst"][0]
        d: R.Tensor((2,), "float32") = metadata["ir.GenericConst"][1]
        e = R.add(c, d)
        y = R.%s(R.add(x, e))
        return y
'''


class Var:
    name_hint = "main"


class Module:
    def __init__(self, operator):
        self.operator = operator
        self.functions = {Var(): Function()}

    def script(self):
        return TEXT % self.operator

    def next(self, name):
        return Module("exp" if name == "Lower" else self.operator)


with PassContext(opt_level=3):
    run("Build", Module("abs"), ["Nothing", "Fails" if "--fails" in sys.argv else "Lower"])
if "--late" in sys.argv:
    raise ValueError("after the build")
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
fn an_exception_is_reported_with_its_pass_and_the_dumps_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let Some(output) = record(folder.path(), &["build.py", "--", "--fails"]) else {
        testing::skip("there is no Python");
        return;
    };
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    let named = "the pass `Fails` raised TypeError in `build.py`: expected a tensor";
    assert!(said.contains(named), "{said}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let stages = answer["stages"].as_array().expect("a list");
    let passes: Vec<&str> = stages.iter().filter_map(|it| it["pass"].as_str()).collect();
    assert_eq!(passes, ["input", "Nothing"]);
    let late = record(folder.path(), &["build.py", "--", "--late"]).unwrap();
    assert_eq!(late.status.code(), Some(1));
    let said = String::from_utf8_lossy(&late.stderr);
    let named = "`build.py` raised ValueError outside of passes: after the build";
    assert!(said.contains(named), "{said}");
}

#[test]
fn each_constant_is_stored_once_and_is_found_by_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let Some(output) = record(folder.path(), &["--run", "build.py"]) else {
        eprintln!("skipped: there is no Python");
        return;
    };
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["run"]["generated"], Value::Null, "{answer}");
    let dumps = folder.path().join("dumps");
    let index = std::fs::read(dumps.join("constants.json")).expect("an index");
    let index: Value = serde_json::from_slice(&index).expect("JSON");
    let names = |module: &str| {
        let names = &index[module];
        let name = |at: u32| names[format!("metadata[\"ir.GenericConst\"][{at}]")].clone();
        [name(0), name(1)]
    };
    let [first, second] = names("000_input");
    assert!(first.is_string() && first == second);
    assert_eq!(names("003_Build"), [first.clone(), first.clone()]);
    let tensors = std::fs::read(dumps.join("constants.safetensors")).expect("tensors");
    let length = usize::from(tensors[0]);
    let header: Value = serde_json::from_slice(&tensors[8..8 + length]).expect("a header");
    assert_eq!(header.as_object().map(serde_json::Map::len), Some(1));
    let arguments = [
        "run",
        "dumps/000_input.py",
        "--input",
        "x=zeros",
        "--format",
        "json",
    ];
    let run = Command::new(tests::relax_lsp())
        .args(arguments)
        .current_dir(folder.path())
        .output();
    let answer: Value = serde_json::from_slice(&run.expect("it runs").stdout).expect("JSON");
    assert_eq!(
        answer["outputs"][0]["first"],
        serde_json::json!([2.0, 4.0]),
        "{answer}"
    );
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
