"""A kernel written as loops over buffers, called from a graph: it is compiled to machine code when it runs.

    relax-lsp run examples/kernel.py::Module.main --dim n=5
"""

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def scale_rows(x: T.handle, scales: T.handle, out: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)), "float32")
        S = T.match_buffer(scales, (n,), "float32")
        O = T.match_buffer(out, (n, T.int64(8)), "float32")
        for i, j in T.grid(n, T.int64(8)):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                O[vi, vj] = T.max(X[vi, vj], T.float32(0)) * S[vi]

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), scales: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            scaled = R.call_tir(cls.scale_rows, (x, scales), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            total = R.sum(scaled, axis=[1])
            R.output(scaled, total)
        return scaled, total
