//! Shapes with many variables, and expressions that grow when they are expanded.

use super::{Family, file, repeat, steps};

/// Returns a function with these lines, and a tensor parameter of these dimensions.
fn with_dims(dims: &str, lines: &str) -> String {
    file(&format!(
        "@R.function\ndef f(x: R.Tensor(({dims}), \"float32\")):\n{}    return x\n",
        super::indented(lines)
    ))
}

fn vars(n: usize) -> String {
    repeat(n, |k| format!("\"n{k}\", "))
}

fn declared(n: usize) -> String {
    repeat(n, |k| format!("n{k} = T.int64()\n"))
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "sum-of-variables", text: |n| with_dims(&vars(n), &format!("{}y = R.zeros(({}0,), \"float32\")\n", declared(n), repeat(n, |k| format!("n{k} + ")))) },
    Family { name: "product-of-variables", text: |n| with_dims(&vars(n), &format!("{}y = R.zeros(({}1,), \"float32\")\n", declared(n), repeat(n, |k| format!("n{k} * ")))) },
    Family { name: "product-of-sums", text: |n| with_dims(&vars(2 * n), &format!("{}y = R.zeros(({}1,), \"float32\")\n", declared(2 * n), repeat(n, |k| format!("(n{} + n{}) * ", 2 * k, 2 * k + 1)))) },
    Family { name: "powers-of-sum", text: |n| with_dims("\"n\", \"m\", \"k\"", &format!("n = T.int64()\nm = T.int64()\nk = T.int64()\n{}", steps(n, "y0 = R.zeros((n + m + k,), \"float32\")", |k, _| format!("y{k} = R.zeros(({}1,), \"float32\")", "(n + m + k) * ".repeat(k.min(40)))))) },
    Family { name: "squares-of-sum", text: |n| with_dims("\"n\", \"m\"", &format!("n = T.int64()\nm = T.int64()\na0 = n + m\n{}y = R.zeros((a{n},), \"float32\")\n", repeat(n, |k| format!("a{} = a{k} * a{k}\n", k + 1)))) },
    Family { name: "squares-of-sum-declared", text: |n| with_dims("\"n\", \"m\"", &format!("n = T.int64()\nm = T.int64()\na0: R.Shape = R.shape([n + m])\n{}", repeat(n, |k| format!("a{} = R.shape([(n + m) * (n + {k}) * (m + {k})])\n", k + 1)))) },
    Family { name: "text-of-product-of-sums", text: |n| with_dims(&format!("\"n\", \"m\", \"{}1\"", "(n + m) * ".repeat(n)), "y = R.add(x, x)\n") },
    Family { name: "text-of-sum", text: |n| with_dims(&format!("\"n\", \"m\", \"{}1\"", "n + m + ".repeat(n)), "y = R.add(x, x)\n") },
    Family { name: "text-of-division", text: |n| with_dims(&format!("\"n\", \"m\", \"n{}\"", " // 2 + m".repeat(n)), "y = R.add(x, x)\n") },
    Family { name: "text-of-remainder", text: |n| with_dims(&format!("\"n\", \"m\", \"n{}\"", " % 7 * m".repeat(n)), "y = R.add(x, x)\n") },
    Family { name: "text-of-minimum", text: |n| with_dims(&format!("\"n\", \"m\", \"{}n{}\"", "T.min(m, ".repeat(n), ")".repeat(n)), "y = R.add(x, x)\n") },
    Family { name: "divisions", text: |n| with_dims("\"n\"", &format!("n = T.int64()\ny = R.zeros(({}n{},), \"float32\")\n", "((".repeat(n), repeat(n, |k| format!(" + {k}) // {})", k + 2)))) },
    Family { name: "remainders", text: |n| with_dims("\"n\"", &format!("n = T.int64()\ny = R.zeros(({}n{},), \"float32\")\n", "((".repeat(n), repeat(n, |k| format!(" * 3 + {k}) % {})", k + 2)))) },
    Family { name: "minima", text: |n| with_dims("\"n\", \"m\"", &format!("n = T.int64()\nm = T.int64()\ny = R.zeros(({}n{},), \"float32\")\n", "T.min(m, ".repeat(n), " + 1)".repeat(n))) },
    Family { name: "selects", text: |n| with_dims("\"n\", \"m\"", &format!("n = T.int64()\nm = T.int64()\ny = R.zeros(({}n{},), \"float32\")\n", "T.if_then_else(n < m, m, ".repeat(n), " + 1)".repeat(n))) },
    Family { name: "sums-of-concat", text: |n| with_dims("\"n\"", &steps(n, "y0 = x", |k, j| format!("y{k} = R.concat([y{j}, x])"))) },
    Family { name: "sums-of-concat-of-many", text: |n| file(&format!("@R.function\ndef f({}):\n    y = R.concat([{}])\n    z = R.concat([y, y])\n    return z\n", repeat(n, |k| format!("x{k}: R.Tensor((\"n{k}\",), \"float32\"), ")), repeat(n, |k| format!("x{k}, ")))) },
    Family { name: "sums-of-concat-step-by-step", text: |n| file(&format!("@R.function\ndef f({}):\n{}    return y{n}\n", repeat(n + 1, |k| format!("x{k}: R.Tensor((\"n{k}\",), \"float32\"), ")), super::indented(&steps(n, "y0 = x0", |k, j| format!("y{k} = R.concat([y{j}, x{k}])"))))) },
    Family { name: "products-of-reshape", text: |n| with_dims(&vars(n), "y = R.reshape(x, (-1,))\nz = R.reshape(y, (1, -1))\nw = R.add(y, z)\n") },
    Family { name: "products-of-reshape-again", text: |n| with_dims(&vars(n), &format!("{}y = R.reshape(x, ({}))\n", declared(n), repeat(n, |k| format!("n{}, ", n - 1 - k)))) },
    Family { name: "variables-of-brackets", text: |n| file(&format!("@R.function\ndef f[{0}](x: R.Tensor(({0}), \"float32\")):\n    y = R.add(x, x)\n    return y\n", repeat(n, |k| format!("n{k}, ")))) },
    Family { name: "variables-of-prim-func", text: |n| file(&format!("@T.prim_func\ndef f({}A: T.Buffer((4,), \"float32\")):\n    A[0] = A[1]\n", repeat(n, |k| format!("n{k}: T.int64, ")))) },
    Family { name: "products-of-repeat", text: |n| with_dims("\"n\", \"m\"", &steps(n, "y0 = x", |k, j| format!("y{k} = R.reshape(y{j}, (m, n))\nz{k} = R.repeat(y{k}, 3, 0)"))) },
    Family { name: "products-of-outer", text: |n| with_dims("\"n\"", &steps(n, "y0 = x", |k, j| format!("y{k} = R.reshape(R.matmul(R.reshape(y{j}, (-1, 1)), R.reshape(x, (1, -1))), (-1,))"))) },
    Family { name: "sums-of-padding", text: |n| with_dims("\"n\", \"m\", \"h\", \"w\"", &steps(n, "y0 = x", |k, j| format!("y{k} = R.nn.max_pool2d(y{j}, pool_size=[3, 3], strides=[2, 2], padding=[1, 1])"))) },
    Family { name: "shapes-of-variables-broadcast", text: |n| file(&format!("@R.function\ndef f({}):\n{}    return x0\n", repeat(n + 1, |k| format!("x{k}: R.Tensor((\"n{k}\", \"m{k}\"), \"float32\"), ")), super::indented(&steps(n, "y0 = x0", |k, j| format!("y{k} = R.add(y{j}, x{k})"))))) },
    Family { name: "variables-bound", text: |n| file(&format!("@R.function\ndef f({}):\n    return x0\n", repeat(n, |k| format!("x{k}: R.Tensor((\"n{k}\", \"n{}\"), \"float32\"), ", k + 1)))) },
    Family { name: "variables-of-callee", text: |n| file(&format!("@I.ir_module\nclass Module:\n    @R.function\n    def g(x: R.Tensor(({0}), \"float32\")) -> R.Tensor(({0}), \"float32\"):\n        return x\n    @R.function\n    def f(x: R.Tensor(({1}), \"float32\")):\n        y = Module.g(x)\n        z = Module.g(y)\n        return z\n", vars(n), repeat(n, |k| format!("\"m{k}\", ")))) },
    Family { name: "variables-matched", text: |n| file(&format!("@R.function\ndef f(x: R.Tensor(ndim={n}, dtype=\"float32\")):\n{}    y = R.match_cast(x, R.Tensor(({}), \"float32\"))\n    return y\n", super::indented(&declared(n)), repeat(n, |k| format!("n{k}, ")))) },
    Family { name: "values-of-shape", text: |n| with_dims("\"n\"", &format!("n = T.int64()\ns = R.shape([{}])\ny = R.zeros(s, \"float32\")\nz = R.add(y, y)\n", "n, ".repeat(n))) },
    Family { name: "dimensions-mismatched", text: |n| with_dims(&vars(n), &format!("y = R.add(x, R.zeros(({}), \"float32\"))\n", repeat(n, |k| format!("{}, ", k + 2)))) },
    Family { name: "returns-of-sums", text: |n| with_dims("\"n\", \"m\"", &format!("n = T.int64()\nm = T.int64()\n{}", repeat(n, |k| format!("y{k}: R.Tensor(((n + m) * (n + m),), \"float32\") = R.zeros((n * n + 2 * n * m + m * m,), \"float32\")\n")))) },
    Family { name: "sums-in-index", text: |n| file(&format!("@T.prim_func\ndef f(A: T.Buffer((1024,), \"float32\")):\n    for {}i in T.grid({}2):\n        A[{}i] = T.float32(0)\n", repeat(n, |k| format!("i{k}, ")), "2, ".repeat(n), repeat(n, |k| format!("i{k} * {} + ", k + 2)))) },
    Family { name: "products-in-index", text: |n| file(&format!("@T.prim_func\ndef f(A: T.Buffer((1024,), \"float32\")):\n    for {}i in T.grid({}2):\n        A[{}i] = T.float32(0)\n", repeat(n, |k| format!("i{k}, ")), "2, ".repeat(n), repeat(n, |k| format!("(i{k} + i) * ")))) },
];
