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
