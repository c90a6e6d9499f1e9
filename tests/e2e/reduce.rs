//! Tests of `relax-lsp reduce`: the result still has the problem.

use std::process::{Command, Output};

const PROGRAM: &str = r#"from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 16), "float32"), y: R.Tensor((8, 16), "float32")) -> R.Tensor((8, 16), "float32"):
        with R.dataflow():
            a = R.nn.relu(y)
            b = R.log(x)
            c = R.add(a, b)
            R.output(c)
        return c
"#;

fn reduce(arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("program.py"), PROGRAM).unwrap();
    Command::new(tests::relax_lsp())
        .args(["reduce", "program.py"])
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .expect("relax-lsp starts")
}

#[test]
fn a_run_that_gives_nan_keeps_the_operator_that_makes_it() {
    let output = reduce(&["--keep", "run:nan"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("R.log(") && !text.contains("R.nn.relu"),
        "{text}"
    );
}

#[test]
fn a_program_without_the_failure_exits_2() {
    let output = reduce(&["--keep", "check:shape-mismatch"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.contains("does not show the problem"),
        "{complaint}"
    );
}

/// The weights decide whether there is a NaN; the first call cannot be lowered.
const MODULE: &str = r#"from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def unknown(x: R.Tensor(("n", 16), "float32"), y: R.Tensor(("n", 16), "float32")) -> R.Object:
        n = T.int64()
        a: R.Tensor((n, 16), "float32") = R.add(x, y)
        b: R.Tensor((n, 16), "float32") = R.multiply(a, y)
        c = R.call_packed("no.such.function", b, sinfo_args=R.Object)
        return c

    @R.function
    def roots(x: R.Tensor(("n", 2), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor(("n", 2), "float32"):
        a = R.nn.relu(x)
        b = R.sqrt(w)
        c = R.add(a, b)
        return c
"#;

fn reduced(arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let text = MODULE.replace("relax as R\n", "relax as R, tir as T\n");
    std::fs::write(directory.path().join("program.py"), text).unwrap();
    let output = Command::new(tests::relax_lsp())
        .arg("reduce")
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .expect("relax-lsp starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_program_that_cannot_be_lowered_fails_for_the_same_reason() {
    let text = reduced(&["program.py::Module.unknown", "--keep", "run:exit"]);
    assert!(
        text.contains("R.call_packed(\"no.such.function\", b"),
        "{text}"
    );
    assert!(
        !text.contains("R.add(") && !text.contains("R.multiply("),
        "{text}"
    );
}

#[test]
fn the_inputs_of_a_run_are_given() {
    let given = ["--input", "w=-1", "--input", "x=ones", "--dim", "n=3"];
    let run = ["program.py::Module.roots", "--keep", "run:nan"];
    let text = reduced(&[&run[..], &given].concat());
    assert!(
        text.contains("R.sqrt(w)") && !text.contains("R.nn.relu"),
        "{text}"
    );
}
