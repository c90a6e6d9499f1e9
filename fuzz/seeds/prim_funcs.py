# PrimFuncs of both dialects, with every kind of loop, block and buffer.
from tvm.script import ir as I, relax as R, tir as T

N = 64


@I.ir_module
class Module:
    @T.prim_func
    def matmul(a: T.handle, B: T.Buffer((128, N), "float32"), c: T.handle, scale: T.float32):
        T.func_attr({"tir.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n, 128), "float16", strides=[256, 1], elem_offset=0)
        C = T.match_buffer(c, (n, 64))
        D = T.alloc_buffer((64,), "int8", scope="shared")
        for i, j, k in T.grid(n, 64, 128):
            with T.block("update"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.where(i * 2 < n)
                T.reads(A[vi, vk], B[vk, 0:64])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                product: T.float32 = T.Cast("float32", A[vi, vk]) * B[vk, vj]
                C[vi, vj] = C[vi, vj] + product * scale
        for t in T.thread_binding(32, thread="threadIdx.x"):
            for s in T.serial(T.int64(2), n):
                with T.block():
                    v = T.axis.spatial((0, 4), s)
                    T.block_attr({"x": [1, 2.0, "three"]})
                    if v < 2 and t >= 0 or not C[0, v] > 1.0:
                        D[v] = T.cast(T.if_then_else(v == 0, T.exp(C[0, v]), T.max(C[v, 0], 1.0)), "int8")
                    else:
                        D[v] = D[v] // T.int8(2) + T.int8(1)
        while C[0, 0] < T.float32(10):
            C[0, 0] = C[0, 0] + T.float32(1)
        with T.LetStmt(T.exp(scale)) as x:
            T.evaluate(x)

    @R.function
    def main(x: R.Tensor(("n", 128), "float16"), w: R.Tensor((128, 64), "float32")) -> R.Tensor(("n", 64), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((n, 64), "float32"))
            z = R.nn.softmax(R.reshape(y, (n * 2, 32)), axis=-1)
            R.output(z)
        return R.match_cast(z, R.Tensor((n, 64), "float32"))
