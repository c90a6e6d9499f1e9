//! Tests of what `relax-lsp run --against tvm` runs of a file, with a fake TVM that only notes what it is given.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

use super::programs::DOUBLE;
use crate::conformance::tvm;

/// The parts of TVM that reading a file uses.
const TVM: [(&str, &str); 7] = [
    (
        "__init__.py",
        "__version__ = 'fake'\nfrom . import ir, relax, script\n\n\nclass IRModule:\n    pass\n",
    ),
    ("ir/__init__.py", "class BaseFunc:\n    pass\n"),
    ("relax.py", ""),
    (
        "script/__init__.py",
        "import os\n\nfrom . import ir, relax, tir\n\n\ndef from_source(text, names):\n    \
         open('parsed', 'w').close()\n    raise ValueError('a fake')\n",
    ),
    ("script/ir.py", ""),
    ("script/relax.py", "import os\n"),
    ("script/tir.py", ""),
];

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        for (name, text) in TVM {
            place.write(&format!("fake/tvm/{name}"), text);
        }
        let entry = "import tvm\n\n\ndef _default_globals():\n    return {'tvm': tvm}\n";
        place.write("fake/tvm/script/parser/core/entry.py", entry);
        place
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Compares a program. Returns the output, and whether its text was parsed by TVM and executed by Python.
    fn compare(&self, python: &Path, program: &str, more: &[&str]) -> (Output, bool, bool) {
        self.write("m.py", program);
        let did = |what: &str| std::fs::remove_file(self.0.path().join(what)).is_ok();
        let output = Command::new(tests::relax_lsp())
            .args([
                "run",
                "m.py",
                "--dim",
                "n=1",
                "--against",
                "tvm",
                "--python",
            ])
            .arg(python)
            .args(more)
            .current_dir(self.0.path())
            .env("PYTHONPATH", self.0.path().join("fake"))
            .output()
            .expect("relax-lsp starts");
        (output, did("parsed"), did("executed"))
    }
}

fn stderr(output: &Output) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_file_is_only_executed_if_that_is_asked_for() {
    let Some(python) = tvm::python() else {
        return;
    };
    let place = Place::new();
    let program = DOUBLE.replace("\n\n@I", "\nopen('executed', 'w').close()\n\n@I");
    let (output, parsed, executed) = place.compare(&python, &program, &[]);
    assert_eq!((parsed, executed), (true, false), "{output:?}");
    assert!(stderr(&output).contains("`--execute` runs the file as Python"));
    let (output, parsed, executed) = place.compare(&python, &program, &["--execute"]);
    assert_eq!((parsed, executed), (true, true), "{output:?}");
}

#[test]
fn tvm_is_not_given_what_its_parser_would_execute() {
    let Some(python) = tvm::python() else {
        return;
    };
    let place = Place::new();
    for hostile in [
        "\"open('executed', 'w')\"",
        "\"(lambda: exec('x'))()\"",
        "\"R.os.getcwd()\"",
        "\"R.__loader__\"",
        "\"().__class__\"",
        "\"__import__('os')\"",
    ] {
        let attribute = format!("R.func_attr({{\"note\": {hostile}}})");
        let program = DOUBLE.replace(
            "        with",
            &format!("        {attribute}\n        with"),
        );
        let (output, parsed, _) = place.compare(&python, &program, &[]);
        assert!(
            stderr(&output).contains("is not TVMScript"),
            "{hostile}: {output:?}"
        );
        assert!(!parsed, "{hostile}");
    }
}
