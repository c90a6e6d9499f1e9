//! Combinations of several constructs: metadata beside constants, views of views, functions of functions.

use super::{Family, file, function, indented, prim_func, repeat, steps};

/// Returns a module with one function and its metadata, as TVM prints them.
fn with_metadata(n: usize) -> String {
    let uses = repeat(n, |k| {
        format!("y{k} = R.add(x, metadata[\"relax.expr.Constant\"][{k}])\n")
    });
    let entries = repeat(n, |k| {
        format!("    {{\\\"type_key\\\": \\\"relax.expr.Constant\\\", \\\"at\\\": {k}}}, \\\n")
    });
    format!(
        "{}\n# Metadata omitted. Use show_meta=True in script() method to show it.\nmetadata = tvm.ir.load_json(\"[ \\\n{entries}]\")\n",
        function(&uses)
    )
}

/// Nests `inner` as deeply as printed programs do.
fn deep(head: impl Fn(usize) -> String, inner: &str) -> String {
    const DEPTH: usize = 20;
    let heads = repeat(DEPTH, |k| format!("{}{}\n", "    ".repeat(k), head(k)));
    let inner = (0..DEPTH).fold(inner.to_owned(), |inner, _| indented(&inner));
    format!("{heads}{inner}")
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "metadata", text: with_metadata },
    Family { name: "scalars-multiplied", text: |n| file(&format!("@R.function\ndef f(n: R.Prim(\"int64\"), m: R.Prim(\"int64\")):\n{}    return p0\n", indented(&steps(n, "p0 = n + m", |k, j| format!("p{k} = p{j} * p{j}"))))) },
    Family { name: "shapes-multiplied", text: |n| file(&format!("@R.function\ndef f(x: R.Tensor((\"n\", \"m\"), \"float32\")):\n    n, m = T.int64(), T.int64()\n{}    return x\n", indented(&steps(n, "s0 = R.shape([n + m, n])", |k, j| format!("y{k} = R.zeros(s{j}, \"float32\")\nz{k} = R.reshape(R.matmul(y{j}, R.permute_dims(y{k})), (-1,))\ns{k} = R.shape_of(z{k})"))))) },
    Family { name: "casts-of-powers", text: |n| file(&format!("@R.function\ndef f(x: R.Tensor(ndim=1, dtype=\"float32\")):\n    n = T.int64()\n    y0 = R.match_cast(x, R.Tensor((n,), \"float32\"))\n{}    return x\n", repeat(n, |k| format!("    y{} = R.match_cast(y{k}, R.Tensor((n ** {k} * (n + {k}),), \"float32\"))\n", k + 1)))) },
    Family { name: "views-of-views", text: |n| prim_func(&format!("with T.sblock(\"b\"):\n{}    A[0] = A[1]\n", indented(&steps(n, "B0 = T.match_buffer(A[0:4], (4,), \"float32\")", |k, j| format!("B{k} = T.match_buffer(B{j}[0:4], (4,), \"float32\")"))))) },
    Family { name: "buffers-declared-in-a-chain", text: |n| prim_func(&steps(n, "B0 = T.decl_buffer((4,), \"float32\", data=A.data)", |k, j| format!("B{k} = T.decl_buffer((4,), \"float32\", data=B{j}.data)"))) },
    Family { name: "buffers-of-many-strides", text: |n| file(&format!("@T.prim_func\ndef f(a: T.handle):\n{}    A = T.match_buffer(a, ({}), \"float32\", strides=[{}])\n    A[{}] = T.float32(0)\n", repeat(n, |k| format!("    n{k} = T.int64()\n    s{k} = T.int64()\n")), repeat(n, |k| format!("n{k}, ")), repeat(n, |k| format!("s{k}, ")), "0, ".repeat(n))) },
    Family { name: "grids-in-grids", text: |n| prim_func(&deep(|k| format!("for i{k}, j{k} in T.grid(4, 4):"), &repeat(n, |k| format!("A[i{0} + j{0}] = A[i{1}]\n", k % 20, (k * 7) % 20)))) },
    Family { name: "blocks-of-regions", text: |n| prim_func(&repeat(n, |k| format!("for i in T.grid(4):\n    with T.sblock(\"b{k}\"):\n        v = T.axis.remap(\"S\", [i])\n        T.reads(A[v:v + {k}])\n        T.writes(A[v])\n        T.sblock_attr({{\"a\": {k}}})\n        A[v] = A[v]\n"))) },
    Family { name: "attributes-nested", text: |n| function(&format!("R.func_attr({{\"a\": {}1{}}})\n", "{\"b\": [".repeat(n), "]}".repeat(n))) },
    Family { name: "attributes-doubled", text: |n| file(&format!("{}\n@R.function\ndef f(x: R.Object):\n    R.func_attr({{\"a\": d{n}}})\n    return x\n", steps(n, "d0 = {\"a\": 1}", |k, j| format!("d{k} = {{\"a\": d{j}, \"b\": [d{j}, d{j}]}}")))) },
    Family { name: "attributes-merged", text: |n| file(&format!("{}\n@R.function\ndef f(x: R.Object):\n    R.func_attr(d{n})\n    return x\n", steps(n, "d0 = {\"a\": 1}", |k, j| format!("d{k} = {{**d{j}, \"a{k}\": {k}}}")))) },
    Family { name: "closures-in-a-chain", text: |n| function(&steps(n, "@R.function\ndef g0(y: R.Tensor((4,), \"float32\")):\n    return (x, y)", |k, j| format!("@R.function\ndef g{k}(y: R.Tensor((4,), \"float32\")):\n    z = g{j}(y)\n    w = z[0]\n    return (w, y)"))) },
    Family { name: "names-of-fields-formatted", text: |n| file(&format!("{}\n@R.function\ndef f(x: R.Tensor((f\"n{{a{n}}}\", 4), \"float32\")):\n    y = R.call_packed(f\"g{{a{n}}}\", x)\n    return y\n", steps(n, "a0 = 1", |k, j| format!("a{k} = f\"{{a{j}!r:>{{a0}}}}\"")))) },
    Family { name: "conditions-of-python", text: |n| file(&format!("def test_it(b):\n{}    @R.function\n    def f(x: R.Tensor((a{n}, 4), \"float32\")):\n        return x\n", indented(&steps(n, "a0 = 1", |k, j| format!("a{k} = a{j} + 1 if b == {k} else a{j}"))))) },
    Family { name: "decorators-of-arguments", text: |n| file(&format!("@R.function({})\ndef f(x: R.Object):\n    return x\n", repeat(n, |k| format!("a{k}={k}, ")))) },
    Family { name: "comments-between", text: |n| function(&format!("y = R.add(\n{}x,\n{}x)\n", "    # why\n".repeat(n), "\n    # why\n".repeat(n))) },
    Family { name: "continuations-between", text: |n| function(&format!("y = {}R.add(x, x)\n", "\\\n".repeat(n))) },
    Family { name: "withs-of-many", text: |n| prim_func(&format!("with {}T.sblock(\"b\"):\n    A[0] = A[1]\n", repeat(n, |k| format!("T.attr(A, \"a{k}\", {k}), ")))) },
    Family { name: "tuples-of-call-tir", text: |n| function(&steps(n, "t0 = (x, x)", |k, j| format!("t{k} = R.call_dps_packed(\"f\", (x, x), out_sinfo=[R.Tensor((4,), \"float32\"), R.Tensor((4,), \"float32\")])\nu{k}: R.Tuple(R.Tensor((4,), \"float32\"), R.Tensor((4,), \"float32\")) = (t{k}[0], t{j}[1])"))) },
    Family { name: "modules-of-modules", text: |n| file(&format!("{}\n@I.ir_module\nclass Module:\n    @R.function\n    def f(x: R.Object):\n        return x\n", repeat(n, |k| format!("@I.ir_module\nclass M{k}:\n    I.module_attrs({{\"a\": {k}}})\n    I.module_global_infos({{\"mesh\": [R.device_mesh((2, 2), I.Range(0, 4))]}})\n    @R.function\n    def f(x: R.DTensor((4,), \"float32\", device_mesh=\"mesh[0]\", placement=\"S[0], R\")):\n        return x\n")))) },
];
