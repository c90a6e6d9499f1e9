//! Deeply nested constructs.

use super::{Family, file, function, prim_func, repeat};

/// Puts `open` and `close` around `inner`, `n` times.
fn nested(n: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(n), close.repeat(n))
}

/// Returns nested statements with about `n` bytes. Because of the indentation, the length is the square of the depth.
fn suites(n: usize, head: impl Fn(usize) -> String, innermost: &str) -> String {
    let depth = (2.0 * n as f64).sqrt() as usize;
    let mut text = String::new();
    for level in 0..depth {
        for line in head(level).lines() {
            text.push_str(&" ".repeat(level));
            text.push_str(line);
            text.push('\n');
        }
    }
    format!("{text}{}{innermost}\n", " ".repeat(depth))
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "parentheses", text: |n| function(&format!("y = {}\n", nested(n, "(", "x", ")"))) },
    Family { name: "tuples-nested", text: |n| function(&format!("y = {}\n", nested(n, "(", "x", ",)"))) },
    Family { name: "lists-nested", text: |n| function(&format!("y = {}\n", nested(n, "[", "x", "]"))) },
    Family { name: "dicts-nested", text: |n| function(&format!("y = {}\n", nested(n, "{0: ", "x", "}"))) },
    Family { name: "calls-nested", text: |n| function(&format!("y = {}\n", nested(n, "R.exp(", "x", ")"))) },
    Family { name: "calls-nested-wide", text: |n| function(&format!("y = {}\n", nested(n, "R.add(x, ", "x", ")"))) },
    Family { name: "calls-nested-unknown", text: |n| function(&format!("y = {}\n", nested(n, "g(", "x", ")"))) },
    Family { name: "subscripts-nested", text: |n| function(&format!("y = {}\n", nested(n, "x[", "0", "]"))) },
    Family { name: "negations", text: |n| function(&format!("y = {}x\n", "-".repeat(n))) },
    Family { name: "nots", text: |n| function(&format!("y = {}x\n", "not ".repeat(n))) },
    Family { name: "lambdas-nested", text: |n| function(&format!("y = {}x\n", "lambda: ".repeat(n))) },
    Family { name: "conditionals-nested", text: |n| function(&format!("y = {}x\n", "x if x else ".repeat(n))) },
    Family { name: "conditionals-in-tests", text: |n| function(&format!("y = {}\n", nested(n, "(x if ", "x", " else x)"))) },
    Family { name: "powers-nested", text: |n| function(&format!("y = {}2\n", "2 ** ".repeat(n))) },
    Family { name: "f-strings-nested", text: |n| function(&format!("y = {}\n", nested(n, "f\"{", "x", "}\""))) },
    Family { name: "format-specs-nested", text: |n| function(&format!("y = f\"{}\"\n", nested(n, "{x:", "x", "}"))) },
    Family { name: "walruses", text: |n| function(&format!("y = {}\n", nested(n, "(a := ", "x", ")"))) },
    Family { name: "stars", text: |n| function(&format!("y = [{}x]\n", "*".repeat(n))) },
    Family { name: "awaits", text: |n| function(&format!("y = {}x\n", "await ".repeat(n))) },
    Family { name: "annotations-nested", text: |n| function(&format!("y: {} = x\n", nested(n, "R.Tuple(", "R.Object", ")"))) },
    Family { name: "shapes-nested", text: |n| function(&format!("y = R.zeros({}, \"float32\")\n", nested(n, "(", "4", ",)"))) },
    Family { name: "strings-of-shapes-nested", text: |n| file(&format!("@R.function\ndef f(x: R.Tensor((\"n\", \"{}\"), \"float32\")):\n    return x\n", nested(n, "(", "n", ")"))) },
    Family { name: "strings-of-shapes-negated", text: |n| file(&format!("@R.function\ndef f(x: R.Tensor((\"n\", \"{}n\"), \"float32\")):\n    return x\n", "-".repeat(n))) },
    Family { name: "brackets-open", text: |n| function(&format!("y = {}\n", "(".repeat(n))) },
    Family { name: "brackets-open-square", text: |n| function(&format!("y = {}\n", "[".repeat(n))) },
    Family { name: "brackets-open-mixed", text: |n| function(&format!("y = {}\n", "([{".repeat(n))) },
    Family { name: "brackets-closed", text: |n| function(&format!("y = {}\n", ")".repeat(n))) },
    Family { name: "brackets-wrong", text: |n| function(&format!("y = {}\n", nested(n, "(", "x", "]"))) },
    Family { name: "brackets-open-in-lines", text: |n| function(&repeat(n, |k| format!("y{k} = R.add((x, x\n"))) },
    Family { name: "brackets-open-in-calls", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, (\n"))) },
    Family { name: "calls-nested-in-prim-func", text: |n| prim_func(&format!("A[0] = {}\n", nested(n, "T.exp(", "A[1]", ")"))) },
    Family { name: "parentheses-in-prim-func", text: |n| prim_func(&format!("A[0] = {}\n", nested(n, "(", "A[1]", ")"))) },
    Family { name: "loads-nested", text: |n| prim_func(&format!("A[0] = {}\n", nested(n, "A[", "0", "]"))) },
    Family { name: "selects-nested", text: |n| prim_func(&format!("A[0] = {}\n", nested(n, "T.if_then_else(n > 0, A[0], ", "A[1]", ")"))) },
    Family { name: "ifs-nested", text: |n| function(&suites(n, |_| "if R.const(True):".into(), "y = x")) },
    Family { name: "ifs-nested-with-else", text: |n| function(&format!("{}{}", suites(n, |_| "if R.const(True):".into(), "y = x"), "else:\n    y = x\n")) },
    Family { name: "withs-nested", text: |n| function(&suites(n, |_| "with R.dataflow():".into(), "y = x")) },
    Family { name: "functions-nested", text: |n| function(&suites(n, |k| format!("@R.function\ndef g{k}(x: R.Tensor((4,), \"float32\")):"), "return x")) },
    Family { name: "python-functions-nested", text: |n| file(&suites(n, |k| format!("def g{k}(a):"), "@R.function\ndef f(x: R.Object): return x")) },
    Family { name: "python-ifs-nested", text: |n| file(&suites(n, |k| format!("n{k} = {k}\nif a:"), "b = 1")) },
    Family { name: "python-fors-nested", text: |n| file(&format!("def test_it():\n{}    @R.function\n    def f(x: R.Object):\n        return x\n", super::indented(&suites(n, |k| format!("for a{k} in range(10):"), "b = 1")))) },
    Family { name: "python-tries-nested", text: |n| file(&suites(n, |_| "try:".into(), "b = 1")) },
    Family { name: "classes-nested", text: |n| file(&suites(n, |k| format!("class C{k}:"), "b = 1")) },
    Family { name: "modules-nested", text: |n| file(&suites(n, |k| format!("@I.ir_module\nclass C{k}:"), "b = 1")) },
    Family { name: "loops-nested", text: |n| prim_func(&suites(n, |k| format!("for i{k} in range(4):"), "A[0] = A[1]")) },
    Family { name: "blocks-nested", text: |n| prim_func(&suites(n, |k| format!("with T.sblock(\"b{k}\"):"), "A[0] = A[1]")) },
    Family { name: "prim-ifs-nested", text: |n| prim_func(&suites(n, |_| "if n > 0:".into(), "A[0] = A[1]")) },
    Family { name: "indentation", text: |n| file(&suites(n, |_| "x = 1".into(), "y = x")) },
    Family { name: "dedentation", text: |n| { let depth = (2.0 * n as f64).sqrt() as usize; function(&repeat(depth, |k| format!("{}y = x\n", " ".repeat(depth - k)))) } },
    Family { name: "patterns-nested", text: |n| file(&format!("match a:\n    case {}:\n        b = 1\n", nested(n, "[", "c", "]"))) },
];
