//! Small programs that several tests use, and positions in them.

use serde_json::{Value, json};

/// A function without a mistake.
pub const DOUBLE: &str = r#"from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        with R.dataflow():
            y = R.add(x, x)
            R.output(y)
        return y
"#;

/// [`DOUBLE`] with 150,000 more bindings, which need more than 150 MB to compile.
pub fn double_of_sums() -> String {
    let line = "            y = R.add(x, x)\n";
    let sum = format!("            y = {}x\n", "x + ".repeat(99));
    DOUBLE.replace(line, &(sum.repeat(1500) + line))
}

/// Returns the position of the first `needle` in an ASCII text.
pub fn position(text: &str, needle: &str) -> Value {
    let at = text.find(needle).expect("the program holds it");
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    json!({"line": line, "character": at - start})
}

/// Replaces the first `old` by `new`, and returns the change event.
pub fn replace(text: &mut String, old: &str, new: &str) -> Value {
    let start = position(text, old);
    let end = json!({
        "line": start["line"],
        "character": start["character"].as_u64().expect("a column") + old.len() as u64,
    });
    *text = text.replacen(old, new, 1);
    json!({"range": {"start": start, "end": end}, "text": new})
}
