//! Many constructs that other releases spell differently.

use super::{Family, file, function, prim_func, repeat};

/// Returns a function in the syntax of 2022 with these lines. Its first parameter is `x`.
fn proposed(name: &str, lines: &str) -> String {
    format!(
        "    @R.function\n    def {name}(x: Tensor((n, m), \"float32\"), w: Tensor((m, n), \"float32\")):\n{lines}        return x\n"
    )
}

fn module(functions: &str) -> String {
    file(&format!(
        "@tvm.script.ir_module\nclass Module:\n{functions}"
    ))
}

const PROPOSED_LINES: &str = "        with relax.dataflow():\n            y = R.call_tir(\"f\", (x, w), (n, n), dtype=\"float32\")\n            relax.output(y)\n        z = relax.match_shape(y, (a, b))\n";

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "functions-of-2022", text: |n| module(&repeat(n, |k| proposed(&format!("f{k}"), PROPOSED_LINES))) },
    Family { name: "functions-of-2022-at-top", text: |n| file(&repeat(n, |k| format!("if a:\n{}", proposed(&format!("f{k}"), PROPOSED_LINES)))) },
    Family { name: "functions-of-2022-in-a-chain", text: |n| module(&format!("{}{}", repeat(n, |k| proposed(&format!("f{k}"), &format!("        y = f{}(x, w)\n", k + 1))), proposed(&format!("f{n}"), "        R.print(x)\n"))) },
    Family { name: "functions-of-2022-in-tests", text: |n| file(&repeat(n, |k| format!("def test_{k}():\n{}", proposed("f", PROPOSED_LINES)))) },
    Family { name: "calls-of-2022", text: |n| module(&proposed("f", &repeat(n, |k| format!("        s{k}: R.Shape = (n, m)\n        y{k} = R.call_tir(\"f\", (x, w), s{k}, dtype=\"float32\")\n")))) },
    Family { name: "results-of-2022", text: |n| module(&proposed("f", &format!("        s: R.Shape = (n, m)\n        y = R.call_tir(\"f\", (x, w), ({}), dtype=\"float32\")\n", "s, ".repeat(n)))) },
    Family { name: "match-shapes-of-2022", text: |n| module(&proposed("f", &repeat(n, |k| format!("        y{k} = R.add(x, w)\n        z{k} = R.match_shape(y{k}, (a{k}, b{k}))\n")))) },
    Family { name: "match-shapes-of-one", text: |n| module(&proposed("f", &repeat(n, |k| format!("        z{k} = R.match_shape(v, (a{k}, b{k}))\n        v = z{k}\n")))) },
    Family { name: "packed-calls-of-2022", text: |n| module(&proposed("f", &repeat(n, |k| format!("        y{k}: Tensor((n{k}, m), \"float32\") = R.call_packed(\"f\", x)\n")))) },
    Family { name: "let-statements", text: |n| prim_func(&repeat(n, |k| format!("with T.LetStmt(T.int64(1)) as y{k}:\n    A[y{k}] = A[0]\n"))) },
    Family { name: "let-statements-of-one-name", text: |n| prim_func(&"with T.LetStmt(T.int64(1)) as y:\n    A[y] = A[0]\n".repeat(n)) },
    Family { name: "allocations", text: |n| prim_func(&repeat(n, |k| format!("with T.allocate([4], \"float32\", \"global\") as p{k}:\n    B{k} = T.Buffer((4,), data=p{k})\n    B{k}[0] = A[0]\n"))) },
    Family { name: "allocations-assigned", text: |n| prim_func(&repeat(n, |k| format!("p{k} = T.allocate([4], \"float32\", \"global\")\nB{k} = T.Buffer((4,), data=p{k})\nB{k}[0] = A[0]\n"))) },
    Family { name: "realized-regions", text: |n| prim_func(&repeat(n, |k| format!("B{k} = T.Buffer((4,), \"float32\")\nT.realize(B{k}[0:4], \"shared\")\nB{k}[0] = A[0]\n"))) },
    Family { name: "scalars", text: |n| prim_func(&repeat(n, |k| format!("y{k}: T.int64 = T.int64(1)\ny{k} = T.int64(2)\n"))) },
    Family { name: "dimensions-as-keyword", text: |n| file(&format!("@I.ir_module\nclass Module:\n{}    @R.function\n    def main(x: R.Tensor((\"n\",), \"float32\")):\n        n = T.int64()\n        cls = Module\n{}        return x\n", repeat(n, |k| format!("    @T.prim_func\n    def f{k}(a: T.handle, b: T.handle, n: T.int64):\n        A = T.match_buffer(a, (n,))\n")), repeat(n, |k| format!("        y{k} = R.call_tir(cls.f{k}, (x,), out_sinfo=R.Tensor((n,), \"float32\"), tir_vars=R.shape([n]))\n")))) },
    Family { name: "shape-variables-of-file", text: |n| format!("from typing import TypeVar\n{}{}", repeat(n, |k| format!("n{k} = TypeVar(\"n{k}\")\n")), file(&repeat(n, |k| format!("@R.function\ndef f{k}(x: R.Tensor((n{k},), \"float32\")):\n    return x\n")))) },
    Family { name: "shape-variables-of-functions", text: |n| file(&repeat(n, |k| format!("@R.function\ndef f{k}[n{k}](x: R.Tensor((n{k},), \"float32\")):\n    y = R.zeros((n{k},), \"float32\")\n    return x\n"))) },
    Family { name: "shape-variables-of-function", text: |n| file(&format!("@R.function\ndef f[{}](x: R.Object):\n{}    return x\n", repeat(n, |k| format!("n{k}, ")), repeat(n, |k| format!("    y{k} = R.zeros((n{k},), \"float32\")\n")))) },
    Family { name: "dimensions-as-parameters", text: |n| file(&format!("@R.function\ndef f({}):\n    return x0\n", repeat(n, |k| format!("x{k}: R.Prim(value=\"n{k}\"), ")))) },
    Family { name: "fields-of-parameters", text: |n| file(&format!("@R.function\ndef f({}):\n{}    return x0\n", repeat(n, |k| format!("x{k}: R.Tensor((4,), \"float32\"), ")), repeat(n, |k| format!("    y{k} = x{k}.dtype\n")))) },
    Family { name: "names-that-are-gone", text: |n| function(&repeat(n, |k| format!("y{k} = R.foo(x, out_sinfo=R.Tensor((4,), \"float32\"), gone=1)\n"))) },
    Family { name: "imports-of-tvm", text: |n| repeat(n, |k| format!("from tvm import tir as t{k}, relax as r{k}\nt{k}.Schedule(r{k}.TensorStructInfo)\n")) },
];
