//! Values that each step doubles or multiplies: `n` steps make 2^n parts.

use super::{Family, file, function, prim_func, repeat, steps};

/// Returns top-level lines, and a function that uses their value.
fn used(lines: &str, value: &str) -> String {
    let function = format!(
        "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = {value}\n    return x\n"
    );
    file(&format!("{lines}\n{function}"))
}

/// The same with the lines inside a Python function that is evaluated.
fn template(lines: &str, value: &str) -> String {
    let lines = super::indented(lines);
    let function = format!(
        "    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n        y = {value}\n        return x\n    return f\n"
    );
    file(&format!("def test_it():\n{lines}{function}"))
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "tuples-at-top", text: |n| used(&steps(n, "t0 = (1, 2)", |k, j| format!("t{k} = (t{j}, t{j})")), &format!("t{n}")) },
    Family { name: "tuples-at-top-compared", text: |n| used(&steps(n, "t0 = (1, 2)\nu0 = (1, 2)", |k, j| format!("t{k} = (t{j}, t{j})\nu{k} = (u{j}, u{j})\nb{k} = t{k} == u{k}")), &format!("b{n}")) },
    Family { name: "tuples-at-top-of-one-name", text: |n| used(&steps(n, "t = (1, 2)", |_, _| "t = (t, t)".into()), "t") },
    Family { name: "tuples-in-template", text: |n| template(&steps(n, "t0 = (1, 2)", |k, j| format!("t{k} = (t{j}, t{j})")), &format!("t{n}")) },
    Family { name: "tuples-in-branches", text: |n| template(&steps(n, "t = (1, 2)", |_, _| "if unknown:\n    t = (t, t)".into()), "t") },
    Family { name: "tuples-in-calls", text: |n| {
        let call = steps(n, "t0 = (1, 2)", |k, j| format!("t{k} = twice(t{j})"));
        let helper = "def twice(t):\n    u = (t, t)\n    return u\n\n";
        let text = template(&call, &format!("t{n}"));
        text.replacen("def test_it", &format!("{helper}def test_it"), 1)
    } },
    Family { name: "tuples-in-function", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = (t{j}, t{j})"))) },
    Family { name: "tuples-in-dataflow", text: |n| function(&format!("with R.dataflow():\n{}    R.output(t{n})\n", super::indented(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = (t{j}, t{j})"))))) },
    Family { name: "tuples-joined", text: |n| file(&format!("@R.function\ndef f(x: R.Tuple({}), c: R.Tensor((), \"bool\")):\n{}    return x\n", "R.Object, ".repeat(n), repeat(n, |k| format!("    if c:\n        y{k} = x\n    else:\n        y{k} = x\n")))) },
    Family { name: "tuples-cast", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = (t{j}, t{j})\nu{k} = R.match_cast(t{k}, R.Tuple)"))) },
    Family { name: "tuples-of-fields", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = (t{j}, t{j})\nu{k} = t{k}[0]\nv{k} = u{k}[1]"))) },
    Family { name: "tuples-in-if", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("if R.const(True):\n    t{k} = (t{j}, t{j})\nelse:\n    t{k} = (t{j}, t{j})"))) },
    Family { name: "tuples-returned", text: |n| file(&steps(n, "@R.function\ndef g0(x: R.Tensor((4,), \"float32\")):\n    return (x, x)", |k, j| format!("@R.function\ndef g{k}(x: R.Tensor((4,), \"float32\")):\n    y = g{j}(x)\n    return (y, y)"))) },
    Family { name: "tuples-returned-in-module", text: |n| file(&format!("@I.ir_module\nclass Module:\n{}", super::indented(&steps(n, "@R.function\ndef g0(x: R.Tensor((4,), \"float32\")):\n    return (x, x)", |k, j| format!("@R.function\ndef g{k}(x: R.Tensor((4,), \"float32\")):\n    y = Module.g{j}(x)\n    return (y, y)"))))) },
    Family { name: "tuples-of-concat", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = (t{j}, t{j})\ny{k} = R.concat(t{k})"))) },
    Family { name: "lists-in-function", text: |n| function(&steps(n, "t0 = [1, 2]", |k, j| format!("t{k} = [t{j}, t{j}]"))) },
    Family { name: "dicts-at-top", text: |n| used(&steps(n, "t0 = {0: 1}", |k, j| format!("t{k} = {{0: t{j}, 1: t{j}}}")), &format!("t{n}")) },
    Family { name: "sums-of-lists", text: |n| used(&steps(n, "t0 = [1, 2]", |k, j| format!("t{k} = t{j} + t{j}")), &format!("t{n}")) },
    Family { name: "products-of-lists", text: |n| used(&steps(n, "t0 = [1, 2]", |k, j| format!("t{k} = t{j} * 2")), &format!("t{n}")) },
    Family { name: "starred-lists", text: |n| used(&steps(n, "t0 = [1, 2]", |k, j| format!("t{k} = [*t{j}, *t{j}]")), &format!("t{n}")) },
    Family { name: "starred-lists-in-function", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = (*t{j}, *t{j})"))) },
    Family { name: "zipped-lists", text: |n| used(&steps(n, "t0 = [1, 2]", |k, j| format!("t{k} = zip(t{j}, t{j})")), &format!("t{n}")) },
    Family { name: "enumerated-lists", text: |n| used(&steps(n, "t0 = range(4000)", |k, j| format!("t{k} = enumerate(t{j})")), &format!("t{n}")) },
    Family { name: "ranges", text: |n| used(&repeat(n, |k| format!("t{k} = range(4000)\n")), "t0") },
    Family { name: "sums-of-strings", text: |n| used(&steps(n, "t0 = \"ab\"", |k, j| format!("t{k} = t{j} + t{j}")), &format!("t{n}")) },
    Family { name: "formatted-strings", text: |n| used(&steps(n, "t0 = \"ab\"", |k, j| format!("t{k} = f\"{{t{j}}}{{t{j}}}\"")), &format!("t{n}")) },
    Family { name: "sums-of-strings-in-function", text: |n| function(&steps(n, "t0 = R.str(\"ab\" + \"cd\")", |k, _| format!("t{k} = R.str(\"ab\" * {k} + f\"{{'a' * 1000000000}}\")"))) },
    Family { name: "long-strings-summed", text: |n| used(&steps(n, "t0 = \"ab\"", |k, j| format!("t{k} = t{j} + \"ab\"")), &format!("t{n}")) },
    Family { name: "long-lists-summed", text: |n| used(&steps(n, "t0 = [1]", |k, j| format!("t{k} = t{j} + [1]")), &format!("t{n}")) },
    Family { name: "long-lists-starred", text: |n| used(&steps(n, "t0 = [1]", |k, j| format!("t{k} = [*t{j}, 1]")), &format!("t{n}")) },
    Family { name: "long-paths", text: |n| used(&steps(n, "import a\nt0 = a", |k, j| format!("t{k} = t{j}.a")), &format!("t{n}")) },
    Family { name: "numbers-squared", text: |n| used(&steps(n, "t0 = 3", |k, j| format!("t{k} = t{j} * t{j}")), &format!("t{n}")) },
    Family { name: "powers-and-shifts", text: |n| used(&repeat(n, |k| format!("a{k} = 9 ** 9 ** 9 ** 9\nb{k} = 1 << 999999999999\nc{k} = 'ab' * 10 ** 18\nd{k} = [0] * 10 ** 18\ne{k} = 10 ** -400\n")), "a0") },
    Family { name: "macros", text: |n| {
        let macros = steps(n, "@R.macro\ndef m0(x):\n    return R.add(x, x)", |k, j| format!("@R.macro\ndef m{k}(x):\n    y = m{j}(x)\n    z = m{j}(y)\n    return z"));
        used(&macros, &format!("m{n}(x)"))
    } },
    Family { name: "macros-without-hygiene", text: |n| {
        let macros = steps(n, "@R.macro(hygienic=False)\ndef m0(x):\n    return R.add(x, x)", |k, j| format!("@R.macro(hygienic=False)\ndef m{k}(x):\n    y = m{j}(x)\n    z = m{j}(y)\n    return z"));
        used(&macros, &format!("m{n}(x)"))
    } },
    Family { name: "macros-in-a-chain", text: |n| {
        let macros = steps(n, "@R.macro\ndef m0(x):\n    return R.add(x, x)", |k, j| format!("@R.macro\ndef m{k}(x):\n    y = m{j}(x)\n    return y"));
        used(&macros, &format!("m{n}(x)"))
    } },
    Family { name: "macros-called", text: |n| used(&format!("@R.macro\ndef m(x):\n{}    return x\n", super::indented(&repeat(n, |_| "x = R.add(x, x)\n".into()))), &format!("({})", repeat(n, |_| "m(x), ".into()))) },
    Family { name: "macros-of-tirx", text: |n| {
        let macros = steps(n, "@T.macro\ndef m0(x):\n    T.evaluate(x)", |k, j| format!("@T.macro\ndef m{k}(x):\n    m{j}(x)\n    m{j}(x)"));
        file(&format!("{macros}\n@T.prim_func\ndef f(n: T.int64):\n    m{n}(n)\n"))
    } },
    Family { name: "helpers", text: |n| used(&steps(n, "def h0(x):\n    return x", |k, j| format!("def h{k}(x):\n    return (h{j}(x), h{j}(x))")), &format!("h{n}(x)")) },
    Family { name: "helpers-of-sums", text: |n| used(&steps(n, "def h0(x):\n    return R.add(x, x)", |k, j| format!("def h{k}(x):\n    return R.add(h{j}(x), h{j}(x))")), &format!("h{n}(x)")) },
    Family { name: "helpers-of-numbers", text: |n| used(&format!("{}\nn = h{n}(1)", steps(n, "def h0(x):\n    return x", |k, j| format!("def h{k}(x):\n    return h{j}(x) + h{j}(x)"))), "n") },
    Family { name: "helpers-in-template", text: |n| {
        let helpers = steps(n, "def h0(x):\n    return x", |k, j| format!("def h{k}(x):\n    return h{j}(x) + h{j}(x)"));
        template(&format!("{helpers}\nm = h{n}(1)"), "m")
    } },
    Family { name: "lambdas", text: |n| used(&steps(n, "h0 = lambda x: x", |k, j| format!("h{k} = lambda x: h{j}(x) + h{j}(x)")), &format!("h{n}(x)")) },
    Family { name: "lambdas-in-one", text: |n| used(&format!("h = {}x", repeat(n, |k| format!("lambda x{k}: "))), "h(x)") },
    Family { name: "index-maps", text: |n| function(&repeat(n, |_| "y = R.layout_transform(x, index_map=lambda i: (i // 2, i % 2, i // 3, i % 3))\n".into())) },
    Family { name: "meta-vars", text: |n| prim_func(&steps(n, "a0 = T.meta_var((n, n))", |k, j| format!("a{k} = T.meta_var((a{j}, a{j}))"))) },
    Family { name: "meta-vars-of-ir", text: |n| prim_func(&steps(n, "a0 = I.meta_var(n)", |k, j| format!("a{k} = I.meta_var(a{j} + a{j})"))) },
    Family { name: "meta-vars-stored", text: |n| prim_func(&format!("{}A[0] = T.cast(a{n}, \"float32\")", steps(n, "a0 = T.meta_var(n)", |k, j| format!("a{k} = T.meta_var(a{j} + a{j})")))) },
    Family { name: "meta-vars-in-function", text: |n| function(&steps(n, "a0 = R.meta_var((x, x))", |k, j| format!("a{k} = I.meta_var((a{j}, a{j}))"))) },
    Family { name: "lets", text: |n| prim_func(&format!("{}A[0] = T.cast(a{n}, \"float32\")", steps(n, "a0: T.let[T.int64] = n", |k, j| format!("a{k}: T.let[T.int64] = a{j} * a{j}")))) },
    Family { name: "comprehensions", text: |n| used(&format!("t = {}0{}", "[".repeat(n), repeat(n, |k| format!(" for i{k} in range(64)]"))), "t") },
    Family { name: "comprehensions-in-function", text: |n| function(&format!("t = {}x{}", "[".repeat(n), repeat(n, |k| format!(" for i{k} in range(64)]")))) },
    Family { name: "clauses", text: |n| used(&format!("t = [0{}]", repeat(n, |k| format!(" for i{k} in range(64)"))), "t") },
    Family { name: "clauses-that-fail", text: |n| used(&format!("t = [0{} if False]", repeat(n, |k| format!(" for i{k} in range(64)"))), "t") },
    Family { name: "clauses-in-function", text: |n| function(&format!("t = [x{} if False]", repeat(n, |k| format!(" for i{k} in range(64)")))) },
    Family { name: "comprehensions-in-a-row", text: |n| used(&repeat(n, |k| format!("t{k} = [[i for i in range(200)] for j in range(200)]\n")), "t0") },
    Family { name: "loops-in-template", text: |n| template(&format!("t = (1, 2)\n{}", repeat(n, |_| "for i in range(60):\n    for j in range(60):\n        t = (t, t)\n".into())), "t") },
    Family { name: "parametrized", text: |n| file(&format!("import pytest\n\n{}def test_it(a):\n    @R.function\n    def f(x: R.Tensor((a,), \"float32\")):\n        return x\n", repeat(n, |k| format!("@pytest.mark.parametrize(\"a{k}\", [1, 2])\n")))) },
    Family { name: "parameter-sets", text: |n| file(&format!("import pytest\n\n@pytest.mark.parametrize(\"a\", [{}])\ndef test_it(a):\n    @R.function\n    def f(x: R.Tensor((a,), \"float32\")):\n        return x\n", repeat(n, |k| format!("{k}, ")))) },
    Family { name: "calls-in-template", text: |n| file(&steps(n, "def m0(a):\n    @R.function\n    def f(x: R.Tensor((a,), \"float32\")):\n        return x\n    return f", |k, j| format!("def m{k}(a):\n    m{j}(a)\n    m{j}(a + 1)\n    return a"))) },
    Family { name: "callables", text: |n| file(&format!("@R.function\ndef f(x: {}R.Tensor((4,), \"float32\"){}):\n    return x\n", "R.Callable((".repeat(n), ",), R.Object)".repeat(n))) },
    Family { name: "closures-returned", text: |n| function(&steps(n, "@R.function\ndef g0(y: R.Tensor((4,), \"float32\")):\n    return (y, y)", |k, j| format!("@R.function\ndef g{k}(y: R.Tensor((4,), \"float32\")):\n    z = (g{j}, g{j})\n    return z"))) },
    Family { name: "annotations-doubled", text: |n| used(&steps(n, "A0 = R.Tensor((4,), \"float32\")", |k, j| format!("A{k} = R.Tuple(A{j}, A{j})")), &format!("R.match_cast(x, A{n})")) },
    Family { name: "tensors-concatenated", text: |n| function(&steps(n, "y0 = x", |k, j| format!("y{k} = R.concat([y{j}, y{j}])"))) },
    Family { name: "dimensions-added", text: |n| function(&steps(n, "y0 = x", |k, j| format!("y{k} = R.expand_dims(y{j}, [0, 1])"))) },
    Family { name: "tensors-split", text: |n| function(&steps(n, "y0 = R.split(x, 100000000000)", |k, _| format!("y{k} = R.split(x, 1000000000)"))) },
];
