//! Tests of the programs that remain after reduction.

use expect_test::expect;

use super::reduce;
use crate::{Analysis, Config, Severity};

fn errors(text: &str) -> Vec<&'static str> {
    let (analysis, file) = Analysis::from_single_file(text, Config::default());
    let found = analysis
        .diagnostics(file)
        .expect("nothing changes the file");
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    errors.map(|it| it.code).collect()
}

const PROGRAM: &str = r#"from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def other(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor((16, 784), "float32"), w: R.Tensor((128, 784), "float32"), b: R.Tensor((128,), "float32")) -> R.Tensor((16, 128), "float32"):
        with R.dataflow():
            lv = R.permute_dims(w)
            lv1 = R.nn.relu(x)
            lv2 = R.matmul(lv1, w)
            lv3 = R.add(lv2, b)
            gv = R.nn.relu(lv3)
            R.output(gv)
        return gv
"#;

#[test]
fn reduction_keeps_the_mistake_and_removes_the_rest() {
    let smallest = reduce(PROGRAM, &mut |text| errors(text) == ["shape-mismatch"]);
    expect![[r#"
        from tvm.script import ir as I, relax as R, tir as T

        @I.ir_module
        class Module:
            @R.function
            def main(w: R.Tensor((4, 1), "float32"), lv1: R.Tensor((1, 1), dtype="float32")):
                with R.dataflow():
                    lv2 = R.matmul(lv1, w)
                    R.output(lv2)
                return lv2
    "#]]
    .assert_eq(&smallest);
}

/// A program with shape variables in the StructInfo of its bindings, and numbers in comments.
const SYMBOLIC: &str = r#"from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

# Recorded with 2 passes, 16 functions.
@I.ir_module
class Module:
    @R.function
    def main(s: R.Tensor(("n",), dtype="float32"), y: R.Tensor((7,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        with R.dataflow():
            c: R.Tensor((n,), dtype="float32") = R.multiply(s, R.const(2.0, "float32"))
            d: R.Tensor((n,), dtype="float32") = R.exp(c)
            r: R.Tensor((n * 2,), dtype="float32") = R.concat((d, d))
            e: R.Tensor(dtype="float32", ndim=1) = R.add(r, y)
            R.output(e)
        return e
"#;

#[test]
fn bindings_over_shape_variables_become_parameters() {
    let smallest = reduce(SYMBOLIC, &mut |text| {
        text.contains("R.add(") && errors(text).is_empty()
    });
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R
        from tvm.script import tirx as T

        # Recorded with 2 passes, 16 functions.
        @I.ir_module
        class Module:
            @R.function
            def main(y: R.Tensor((7,), dtype="float32"), r: R.Tensor(dtype="float32", ndim=1)):
                with R.dataflow():
                    e: R.Tensor(dtype="float32", ndim=1) = R.add(r, y)
                    R.output(e)
                return e
    "#]]
    .assert_eq(&smallest);
}

#[test]
fn a_minimal_program_is_not_reduced() {
    assert_eq!(reduce(PROGRAM, &mut |_| false), PROGRAM);
}
