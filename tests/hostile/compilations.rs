//! Modules as they look during a compilation: many functions, many tensors in memory.

use super::{Family, file, repeat};

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "module-of-functions-called", text: |n| module(&format!("{}{}", repeat(n, |k| relax(k, &format!("y = R.add(x, R.const({k}, \"float32\"))"))), relax(n, &repeat(n, |k| format!("y = cls.f{k}(x)\n        "))))) },
    Family { name: "module-of-equal-functions", text: |n| module(&repeat(n, |k| relax(k, "y = R.exp(x)"))) },
    Family { name: "module-of-functions-in-a-chain", text: |n| module(&repeat(n, |k| relax(k, &format!("y = cls.f{}(x)", (k + 1) % n)))) },
    Family { name: "module-of-functions-fused", text: |n| module(&repeat(n, |k| relax(k, &format!("lv = R.add(x, R.const({}, \"float32\"))\n        y = R.multiply(lv, R.const({k}, \"float32\"))", k / 2)))) },
    Family { name: "module-of-planned-tensors", text: |n| module(&relax(0, &repeat(n, planned))) },
    Family { name: "module-of-loops", text: |n| module(&repeat(n, |k| format!("    @T.prim_func\n    def f{k}(A: T.Buffer((4,), \"float32\")):\n        for i in range(4):\n            with T.sblock(\"b\"):\n                v = T.axis.spatial(4, i)\n                T.reads(A[v])\n                T.writes(A[v])\n                A[v] = A[v] + T.float32({k})\n"))) },
];

fn module(functions: &str) -> String {
    file(&format!("@I.ir_module\nclass Module:\n{functions}"))
}

fn relax(k: usize, lines: &str) -> String {
    format!(
        "    @R.function\n    def f{k}(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n        cls = Module\n        y = x\n        {lines}\n        return y\n"
    )
}

fn planned(k: usize) -> String {
    format!(
        "s{k} = R.memory.alloc_storage(R.shape([16]), 0, R.str(\"global\"), R.dtype(\"float32\"))\n        t{k} = R.memory.alloc_tensor(s{k}, 0, R.shape([4]), R.dtype(\"float32\"))\n        _{k} = R.call_packed(\"f\", x, t{k}, sinfo_args=R.Tuple)\n        R.memory.kill_tensor(t{k})\n        R.memory.kill_storage(s{k})\n        "
    )
}
