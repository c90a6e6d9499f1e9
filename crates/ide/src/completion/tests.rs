//! Tests of completions at many places, and in long functions.

mod long;

use crate::fixture::Fixture;

fn labels(fixture: &str) -> Vec<String> {
    let fixture = Fixture::new(fixture);
    let found = fixture.analysis.completions(fixture.position(), None);
    let items = found.unwrap().map_or_else(Vec::new, |found| found.items);
    items.iter().map(|item| item.label.to_string()).collect()
}

fn relax(body: &str) -> String {
    format!(
        r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.evaluate(0)

    @R.function
    def helper(s: R.Shape(["n"]), x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32"), s: R.Shape(["n"])):
        cls = Module
        with R.dataflow():
            inner = R.add(x, x)
            outer = R.nn.relu(inner)
            R.output(outer)
{body}
        return outer
"#
    )
}

#[test]
fn completion_never_panics_at_any_offset() {
    let program =
        relax("        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), \"float32\"))");
    for at in 0..=program.len() {
        // Once with the text up to the cursor, and once with the rest behind it.
        for text in [
            format!("{}$0", &program[..at]),
            format!("{}$0{}", &program[..at], &program[at..]),
        ] {
            labels(&text);
        }
    }
}

#[test]
fn no_name_is_offered_twice() {
    for line in [
        "y = R.call_tir(cls.double, (x,), out_sinfo=$0",
        "y: $0",
        "y = $0",
        "y = R.add($0",
    ] {
        let items = labels(&relax(&format!("        {line}")));
        let mut once = items.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), items.len(), "{line}: {items:?}");
    }
}
