//! Many names, repeated names, and undefined names.

use super::{Family, file, function, indented, prim_func, repeat};

fn module(functions: &str) -> String {
    file(&format!(
        "@I.ir_module\nclass Module:\n{}",
        indented(functions)
    ))
}

fn relax(name: &str, body: &str) -> String {
    format!("@R.function\ndef {name}(x: R.Tensor((4,), \"float32\")):\n    {body}\n    return x\n")
}

/// Returns a printed function with `n` bindings.
fn dump(n: usize, cls: &str, equals: &str) -> String {
    let bindings = repeat(n, |k| {
        let last = if k == 0 {
            "x".into()
        } else {
            format!("lv{}", k - 1)
        };
        format!(
            "        lv{k}{equals}R.call_tir(cls.fused_add{}, ({last}, x), out_sinfo=R.Tensor((4,), dtype=\"float32\"))\n",
            k % 10
        )
    });
    let prims = repeat(10, |k| {
        format!(
            "@T.prim_func\ndef fused_add{k}(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\"), C: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        C[i] = A[i] + B[i]\n"
        )
    });
    let main = format!(
        "@R.function\ndef main(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n{cls}    with R.dataflow():\n{bindings}        gv = lv{}\n        R.output(gv)\n    return gv\n",
        n.saturating_sub(1)
    );
    module(&format!("{prims}{main}"))
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "dump", text: |n| dump(n, "    cls = Module\n", " = ") },
    Family { name: "dump-without-cls", text: |n| dump(n, "", " = ") },
    Family { name: "dump-of-comparisons", text: |n| dump(n, "    cls = Module\n", " == ") },
    Family { name: "dump-without-its-class", text: |n| dump(n, "    cls = Module\n", " = ").replacen("@I.ir_module\nclass Module:\n", "", 1) },
    Family { name: "unknown-names", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, nope{k})\n"))) },
    Family { name: "unknown-names-far-apart", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, {})\n", letters(k)))) },
    Family { name: "one-unknown-name", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, nope)\n"))) },
    Family { name: "unknown-names-alone", text: |n| function(&repeat(n, |k| format!("R.add(x, nope{k})\n"))) },
    Family { name: "unknown-names-in-one-call", text: |n| function(&format!("y = R.concat([{}])\n", repeat(n, |k| format!("nope{k}, ")))) },
    Family { name: "unknown-names-with-locals", text: |n| function(&format!("@R.function\ndef g(z: R.Tensor((4,), \"float32\")):\n{}    return z\n", indented(&repeat(n, |k| format!("lv{k} = R.add(z, lw{k})\n"))))) },
    Family { name: "unknown-names-in-f-strings", text: |n| function(&repeat(n, |k| format!("y{k} = R.call_packed(f\"{{nope{k}}}.{{other{k}}}\", x)\n"))) },
    Family { name: "unknown-names-in-prim-func", text: |n| prim_func(&repeat(n, |k| format!("A[nope{k}] = A[other{k}]\n"))) },
    Family { name: "unknown-names-long", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, {}{k})\n", "long_name_".repeat(20)))) },
    Family { name: "unknown-functions", text: |n| module(&[repeat(n, |k| relax(&format!("known{k}"), "y = x")), format!("@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    cls = Module\n{}    return x\n", indented(&repeat(n, |k| format!("y{k} = cls.knwon{k}(x)\n"))))].concat()) },
    Family { name: "unknown-functions-one-each", text: |n| module(&repeat(n, |k| relax(&format!("known{k}"), &format!("y = Module.knwon{k}(x)")))) },
    Family { name: "unknown-functions-in-call-tir", text: |n| module(&[repeat(n, |k| format!("@T.prim_func\ndef known{k}(A: T.Buffer((4,), \"float32\")):\n    A[0] = T.float32(0)\n")), format!("@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    cls = Module\n{}    return x\n", indented(&repeat(n, |k| format!("y{k} = R.call_tir(cls.knwon{k}, (x,), out_sinfo=R.Tensor((4,), \"float32\"))\n"))))].concat()) },
    Family { name: "unknown-operators", text: |n| function(&repeat(n, |k| format!("y{k} = R.nope{k}(x)\n"))) },
    Family { name: "unknown-arguments", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, x, nope{k}=1)\n"))) },
    Family { name: "unknown-arguments-of-one-call", text: |n| function(&format!("y = R.add(x, x, {})\n", repeat(n, |k| format!("nope{k}=1, ")))) },
    Family { name: "unknown-attributes", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, x.nope{k})\n"))) },
    Family { name: "unknown-outputs", text: |n| function(&format!("with R.dataflow():\n{}    R.output({})\n", repeat(n, |k| format!("    lv{k} = R.add(x, x)\n")), repeat(n, |k| format!("lw{k}, ")))) },
    Family { name: "unknown-shape-variables", text: |n| function(&repeat(n, |k| format!("y{k} = R.zeros((nope{k},), \"float32\")\n"))) },
    Family { name: "unknown-shape-variables-in-strings", text: |n| function(&repeat(n, |k| format!("y{k}: R.Tensor((\"nope{k}\",), \"float32\") = x\n"))) },
    Family { name: "unknown-annotations", text: |n| function(&repeat(n, |k| format!("y{k}: R.Nope{k} = x\n"))) },
    Family { name: "unknown-dtypes", text: |n| function(&repeat(n, |k| format!("y{k} = R.astype(x, \"flaot{k}\")\n"))) },
    Family { name: "unknown-names-of-tirx", text: |n| prim_func(&repeat(n, |k| format!("T.nope{k}(n)\n"))) },
    Family { name: "unknown-devices", text: |n| file(&format!("@I.ir_module\nclass Module:\n    I.module_global_infos({{\"vdevice\": [{}]}})\n    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n{}        return x\n", repeat(n, |_| "I.vdevice(\"cuda\", 0), ".into()), repeat(n, |k| format!("        y{k} = R.to_vdevice(x, \"cdua:{k}\")\n")))) },
    Family { name: "letters-swapped", text: |n| function(&repeat(n, |k| format!("value{k} = R.add(x, vlaue{})\n", k.saturating_sub(1)))) },
    Family { name: "one-name", text: |n| function(&repeat(n, |_| "x = R.add(x, x)\n".into())) },
    Family { name: "one-name-in-dataflow", text: |n| function(&repeat(n, |_| "with R.dataflow():\n    lv = R.add(x, x)\n    R.output(lv)\n".into())) },
    Family { name: "one-name-gone", text: |n| function(&repeat(n, |_| "with R.dataflow():\n    lv = R.add(x, x)\ny = R.add(lv, x)\n".into())) },
    Family { name: "names-gone", text: |n| function(&format!("with R.dataflow():\n{}    gv = R.add(x, x)\n    R.output(gv)\n{}", repeat(n, |k| format!("    lv{k} = R.add(x, x)\n")), repeat(n, |k| format!("y{k} = R.add(lv{k}, x)\n")))) },
    Family { name: "names-output", text: |n| function(&format!("with R.dataflow():\n{}    R.output({})\n", repeat(n, |k| format!("    lv{k} = R.add(x, x)\n")), repeat(n, |k| format!("lv{k}, ")))) },
    Family { name: "one-function-name", text: |n| file(&repeat(n, |_| relax("f", "y = R.add(x, x)"))) },
    Family { name: "one-function-name-in-module", text: |n| module(&repeat(n, |_| relax("f", "y = R.add(x, x)"))) },
    Family { name: "one-function-name-in-function", text: |n| function(&repeat(n, |_| relax("g", "y = R.add(x, x)"))) },
    Family { name: "one-module-name", text: |n| file(&repeat(n, |_| format!("@I.ir_module\nclass Module:\n{}", indented(&relax("f", "y = R.add(x, x)"))))) },
    Family { name: "one-symbol", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), "R.func_attr({\"global_symbol\": \"same\"})"))) },
    Family { name: "one-shape-variable", text: |n| function(&repeat(n, |k| format!("n = T.int64()\ny{k} = R.match_cast(x, R.Tensor((n,), \"float32\"))\n"))) },
    Family { name: "functions", text: |n| file(&repeat(n, |k| relax(&format!("f{k}"), "y = R.add(x, x)"))) },
    Family { name: "functions-that-call", text: |n| file(&repeat(n, |k| relax(&format!("f{k}"), &format!("y = f{}(x)", k.saturating_sub(1))))) },
    Family { name: "functions-in-module", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), "y = R.add(x, x)"))) },
    Family { name: "functions-in-module-that-call", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), &format!("y = Module.f{}(x)", (k + 1) % n.max(1))))) },
    Family { name: "functions-that-call-one", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), "y = Module.f0(x)"))) },
    Family { name: "functions-that-one-calls", text: |n| module(&format!("{}{}", repeat(n, |k| relax(&format!("f{k}"), "y = R.add(x, x)")), relax("main", &repeat(n, |k| format!("y = Module.f{k}(x); "))))) },
    Family { name: "private-functions", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), "y = R.add(x, x)").replace("@R.function", "@R.function(private=True)"))) },
    Family { name: "impure-functions", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), &if k == 0 { "y = R.print(x, format=\"\")".into() } else { format!("y = Module.f{}(x)", k - 1) }))) },
    Family { name: "recursive-functions", text: |n| module(&repeat(n, |k| relax(&format!("f{k}"), &format!("y = Module.f{}(x)\n    z = Module.f{}(x)", (k + 1) % n.max(1), (k * 7 + 3) % n.max(1))))) },
    Family { name: "functions-that-call-all", text: |n| { let n = n.isqrt(); module(&repeat(n, |k| relax(&format!("f{k}"), &repeat(n, |j| format!("y = Module.f{j}(x); "))))) } },
    Family { name: "functions-in-function", text: |n| function(&repeat(n, |k| relax(&format!("g{k}"), "y = R.add(x, x)"))) },
    Family { name: "prim-funcs", text: |n| file(&repeat(n, |k| format!("@T.prim_func\ndef f{k}(A: T.Buffer((4,), \"float32\")):\n    A[0] = A[1]\n"))) },
    Family { name: "prim-funcs-in-module", text: |n| module(&repeat(n, |k| format!("@T.prim_func\ndef f{k}(A: T.Buffer((4,), \"float32\")):\n    A[0] = A[1]\n"))) },
    Family { name: "modules", text: |n| file(&repeat(n, |k| format!("@I.ir_module\nclass M{k}:\n{}", indented(&relax("f", "y = R.add(x, x)"))))) },
    Family { name: "macros-defined", text: |n| file(&repeat(n, |k| format!("@R.macro\ndef m{k}(x):\n    return R.add(x, x)\n"))) },
    Family { name: "helpers-defined", text: |n| file(&repeat(n, |k| format!("def h{k}(x):\n    return R.add(x, x)\n"))) },
    Family { name: "python-functions", text: |n| file(&repeat(n, |k| format!("def h{k}(x):\n    y = x\n    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n        return x\n"))) },
    Family { name: "constants", text: |n| file(&format!("{}{}", repeat(n, |k| format!("n{k} = {k}\n")), relax("f", &format!("y = R.zeros((n{},), \"float32\")", n.saturating_sub(1))))) },
    Family { name: "constants-between-functions", text: |n| file(&repeat(n, |k| format!("n{k} = {k}\n{}", relax(&format!("f{k}"), &format!("y = R.zeros((n{k},), \"float32\")"))))) },
    Family { name: "constants-between-modules", text: |n| file(&repeat(n, |k| format!("n{k} = {k}\n@I.ir_module\nclass M{k}:\n{}", indented(&relax("f", &format!("y = R.zeros((n{k},), \"float32\")")))))) },
    Family { name: "constants-in-classes", text: |n| module(&repeat(n, |k| format!("n{k} = {k}\n{}", relax(&format!("f{k}"), &format!("y = R.zeros((n{k},), \"float32\")"))))) },
    Family { name: "constants-changed", text: |n| file(&repeat(n, |k| format!("n = {k}\n{}", relax(&format!("f{k}"), "y = R.zeros((n,), \"float32\")")))) },
    Family { name: "constants-in-branches", text: |n| file(&format!("{}{}", repeat(n, |k| format!("if unknown{k}:\n    n{k} = {k}\nelse:\n    n{k} = 0\n")), relax("f", "y = x"))) },
    Family { name: "constants-in-template", text: |n| file(&format!("def test_it():\n{}{}", repeat(n, |k| format!("    n{k} = {k}\n    if unknown:\n        n{k} = 1\n")), indented(&relax("f", "y = x")))) },
    Family { name: "templates-in-template", text: |n| file(&format!("def test_it():\n{}", repeat(n, |k| format!("    n{k} = {k}\n{}", indented(&relax(&format!("f{k}"), "y = x")))))) },
    Family { name: "type-vars", text: |n| file(&format!("{}{}", repeat(n, |k| format!("n{k} = TypeVar(\"n{k}\")\n")), relax("f", &format!("y = R.zeros((n{},), \"float32\")", n.saturating_sub(1))))) },
    Family { name: "imports", text: |n| file(&format!("{}{}", repeat(n, |k| format!("import a.b.c{k} as d{k}\nfrom e{k} import *\n")), relax("f", "y = nope"))) },
    Family { name: "imports-of-one-line", text: |n| file(&format!("from a import {}b\n{}", repeat(n, |k| format!("c{k}, ")), relax("f", "y = c0"))) },
    Family { name: "unknown-names-in-decorators", text: |n| file(&repeat(n, |k| format!("@T.prim_func(s_tir=nope{k})\ndef f{k}(A: T.Buffer((4,), \"float32\")):\n    A[0] = A[1]\n"))) },
    Family { name: "unknown-names-alone-in-module", text: |n| module(&repeat(n, |k| format!("nope{k}\n{}", relax(&format!("f{k}"), "y = x")))) },
    Family { name: "outputs-again", text: |n| function(&format!("with R.dataflow():\n    lv = R.exp(x)\n{}", "    R.output(lv)\n".repeat(n))) },
    Family { name: "deleted-names", text: |n| function(&repeat(n, |k| format!("y{k} = R.add(x, x)\ndel y{k}\n"))) },
    Family { name: "unused-names", text: |n| function(&format!("with R.dataflow():\n{}    gv = x\n    R.output(gv)\n", repeat(n, |k| format!("    lv{k} = R.add(x, x)\n")))) },
];

/// Returns `k` in letters, so that all names differ.
fn letters(mut k: usize) -> String {
    let mut text = String::new();
    for _ in 0..8 {
        text.push(char::from(b'a' + (k * 7 % 26) as u8));
        k = k / 3 + k % 5;
    }
    format!("{text}_{k}")
}
