//! Tests of `relax-lsp run --out-of-bounds report`.

use serde_json::Value;

use super::run_cli::{Place, stderr};

/// Writes and reads beyond a buffer, as a PrimFunc and as an operator.
const OUT_OF_BOUNDS: &str = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def shift(x: T.Buffer((4,), "float32"), n: T.int64, y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[T.int64(i) + n] = x[T.int64(i) - n]

    @R.function
    def main(x: R.Tensor((4,), "float32"), i: R.Tensor((2,), "int64")):
        cls = Module
        y = R.call_tir(cls.shift, (x, R.prim_value(1)), out_sinfo=R.Tensor((4,), "float32"))
        z = R.take(y, i, axis=0)
        return (y, z)
"#;

#[test]
fn a_run_that_reports_goes_on_after_an_index_out_of_range() {
    let place = Place::new(OUT_OF_BOUNDS);
    let inputs = ["m.py", "--input", "x=ones", "--input", "i=9"];
    let stopped = place.run(&inputs);
    assert_eq!(stopped.status.code(), Some(3));
    assert!(stderr(&stopped).contains("index -1"), "{stopped:?}");
    let report = [&inputs[..], &["--out-of-bounds", "report"]].concat();
    let output = place.run(&report);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        stderr(&output),
        "line 9, in `shift`: index -1 is out of range for dimension 0 of buffer `x`, which is 4\n\
         line 9, in `shift`: index 4 is out of range for dimension 0 of buffer `y`, which is 4\n\
         line 15, in `main`: relax.take: index 9 is out of range for extent 4\n"
    );
    let output = place.run(&[&report[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = |at: usize| answer["outputs"][at]["first"].to_string();
    assert_eq!((&*first(0), &*first(1)), ("[0.0,0.0,1.0,1.0]", "[0.0,0.0]"));
    assert_eq!(answer["outOfBounds"][2]["line"], 15);
}
