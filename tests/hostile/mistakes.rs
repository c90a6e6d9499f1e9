//! Many mistakes: the wrong example of each diagnostic code, repeated, and input that is hard to parse.

use ide::Language;
use ide::diagnostics::{Page, page};

use super::{Family, file, function, prim_func, repeat};

/// Returns the codes of all diagnostics.
pub fn codes() -> impl Iterator<Item = &'static str> {
    let pages = Page::all().filter(|page| page.language() == Language::Python);
    pages.map(|page| page.code.name())
}

/// Returns the wrong example of a code's page, `n` times.
pub fn of_code(code: &str, n: usize) -> Option<String> {
    let page = page(code)?;
    Some(file(&format!("{}\n", page.wrong()).repeat(n)))
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "syntax-errors", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x,, x)\n"))) },
    Family { name: "syntax-errors-at-top", text: |n| file(&repeat(n, |k| format!("y{k} = = 1\n"))) },
    Family { name: "syntax-errors-of-keywords", text: |n| file(&"pass fail\n".repeat(n)) },
    Family { name: "syntax-errors-of-defs", text: |n| file(&"def f(\n".repeat(n)) },
    Family { name: "syntax-errors-of-colons", text: |n| function(&"if x\n    y = x\n".repeat(n)) },
    Family { name: "syntax-errors-of-classes", text: |n| file(&"class\n".repeat(n)) },
    Family { name: "syntax-errors-of-dots", text: |n| function(&repeat(n, |k| format!("y{k} = R.\n"))) },
    Family { name: "syntax-errors-of-arguments", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x x)\n"))) },
    Family { name: "syntax-errors-in-prim-func", text: |n| prim_func(&"A[0] = A[\n".repeat(n)) },
    Family { name: "half-typed-lines", text: |n| function(&repeat(n, |k| format!("y{k} = R.a\n"))) },
    Family { name: "half-typed-decorators", text: |n| file(&"@R.\n".repeat(n)) },
    Family { name: "mismatched-shapes", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, R.zeros(({},), \"float32\"))\n", k + 5))) },
    Family { name: "mismatched-dtypes", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, R.zeros((4,), \"int32\"))\n"))) },
    Family { name: "mismatched-annotations", text: |n| function(&repeat(n, |k| format!("y{k}: R.Tensor(({},), \"int32\") = x\n", k + 5))) },
    Family { name: "arguments-missing", text: |n| function(&"R.matmul(x)\n".repeat(n)) },
    Family { name: "impure-calls", text: |n| function(&"y = R.print(x, format=\"\")\n".repeat(n)) },
    Family { name: "impure-calls-in-dataflow", text: |n| function(&format!("with R.dataflow():\n{}    R.output(y)\n", "    y = R.print(x, format=\"\")\n".repeat(n))) },
    Family { name: "unsupported-statements", text: |n| function(&"while x:\n    pass\n".repeat(n)) },
    Family { name: "unused-results", text: |n| function(&"R.add(x, x)\n".repeat(n)) },
    Family { name: "fields-missing", text: |n| function(&format!("t = (x, x)\n{}", repeat(n, |k| format!("y{k} = t[{}]\n", k + 2)))) },
    Family { name: "tensors-indexed", text: |n| function(&repeat(n, |k| format!("y{k} = x[0]\n"))) },
    Family { name: "returns-missing", text: |n| file(&repeat(n, |k| format!("@R.function\ndef f{k}(x: R.Object):\n    y = x\n"))) },
    Family { name: "spellings-of-other-releases", text: |n| function(&repeat(n, |k| format!("y{k} = R.call_tir(\"f\", (x,), (4,), dtype=\"float32\")\ny{k} = R.call_packed(\"f\", x, ty_args=R.Any)\n"))) },
    Family { name: "tensors-called", text: |n| function(&repeat(n, |k| format!("y{k} = x(x)\n"))) },
];
