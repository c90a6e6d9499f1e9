from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class MyModule:
    @T.prim_func
    def linear0(x: T.handle, w: T.handle, b: T.handle, z: T.handle):
        m, n, k = T.int64(), T.int64(), T.int64()
        X = T.match_buffer(x, (1, m), "float32")
        W = T.match_buffer(w, (n, m), "float32")
        B = T.match_buffer(b, (n,), "float32")
        Z = T.match_buffer(z, (1, n), "float32")
        for i, j, k in T.grid(1, n, m):
            with T.block("Z"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Z[vi, vj] = B[vj]
                Z[vi, vj] = Z[vi, vj] + X[vi, vk] * W[vj, vk]

    @R.function
    def main(
        x: R.Tensor((1, 784), "float32"),
        w: R.Tensor((128, 784), "float32"),
        b: R.Tensor((128,), "float32"),
    ):
        with R.dataflow():
            lv0 = R.call_tir(linear0, (x, w, b), (1, 128), dtype="float32")
            gv: R.Tensor[(1, 128)] = R.exp(lv0)
            R.outputs(gv)
        return gv
