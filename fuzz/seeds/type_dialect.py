# The Type dialect: names instead of strings, scalars that are written to, scopes without `with`.
from tvm.script import ir as I, relax as R, tirx as T

m = TypeVar("m")


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f[k](A: T.Buffer((k, "j * 2", 8), "float32"), n: T.int32):
        total = T.float32(0)
        y: T.let[T.int32] = n + 1
        count: T.int32 = 0
        local: T.float32[4]
        while count < 8:
            total = total + A[0, 0, count]
            count += 1
            local[0] = total
        for i, j in T.grid(k, (2, 8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B = T.sblock_alloc_buffer((4,), "uint8")
                B[vi % 4] = T.uint8(vj) << T.uint8(y & 3)
        tx = T.launch_thread("threadIdx.x", 32)
        A[0, 0, tx] = local[0]

    @R.function(pure=False)
    def main(x: R.Tensor((m, 4), "float32"), o: R.Any):
        @R.function
        def inner(a: R.Tensor((m, 4), "float32")) -> R.Tensor((m, 4), "float32"):
            return R.add(a, R.const([1.0, 2.0, 3.0, 4.0], "float32"))

        y = inner(x)
        if R.prim_value(True):
            z = R.call_packed("f", y, ty_args=R.Tensor((m, 4), "float32"))
        else:
            z = R.call_dps_packed("g", (y, R.shape([m, 4])), out_ty=R.Tensor((m, 4), "float32"))
        w, (v, _) = z, (y, x)
        return R.Tuple(w, v)
