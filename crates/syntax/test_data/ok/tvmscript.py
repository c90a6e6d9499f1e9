# from tvm.script import ir as I
from tvm.script import relax as R, tirx as T

n = T.int64(4)


@I.ir_module(s_tir=True)
class Module:
    I.module_attrs({"device_num": 2})

    @T.prim_func(private=True)
    def add(A: T.Buffer((T.int64(2), n), "float32"), B: T.Buffer((n,))):
        for i, j in T.grid(T.int64(2), n):
            with T.sblock("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                B[vi, vj] = A[vi, vj] + T.float32(1.0)

    @R.function
    def main[n: int](x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor((n * 4,), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv0: R.Tensor((n, 4)) = R.call_tir(cls.add, (x,), out_sinfo=R.Tensor((n, 4), "float32"))
            lv1 = R.match_cast(lv0, R.Tensor(("m", 4)))
            R.output(lv1)
        if R.const(True, "bool"):
            gv: R.Object = lv1[0]
        else:
            gv = R.call_packed("f", lv1, sinfo_args=(R.Object,))
        return gv
