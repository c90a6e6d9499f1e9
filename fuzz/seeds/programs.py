# Programs that run: PrimFuncs with threads, packed functions and views, closures, branches, the shape heap.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def scale(a: T.handle, b: T.Buffer((4,), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(4)), "float32")
        C = T.match_buffer(c, (n, T.int64(4)), "float32")
        own = T.alloc_buffer((1,), "float32", scope="local")
        for i in range(n):
            for t in T.thread_binding(4, thread="threadIdx.x"):
                own[0] = A[i, t] * b[t]
            for t in T.thread_binding(4, thread="threadIdx.x"):
                with T.block("write"):
                    vi, vt = T.axis.remap("SS", [i, t])
                    C[vi, vt] = own[0] // T.float32(2) + T.if_then_else(vt > 1, T.exp(own[0]), T.float32(1))

    @T.prim_func
    def order(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
        at = T.alloc_buffer((4,), "int64")
        with T.block("sort"):
            T.call_packed("tvm.contrib.sort.argsort", a.data, at.data, 0, T.bool(True))
        half = T.Buffer((2, 2), "int32", data=b.data)
        for i, j in T.grid(2, 2):
            half[i, j] = a[at[i * 2 + j]] % 3 << j

    @R.function
    def pick(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        if c:
            y = R.nn.softmax(x, axis=-1)
        else:
            y = R.reshape(R.permute_dims(x, axes=[1, 0]), (n, 4))
        return y

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4,), "float32"), k: R.Tensor((4,), "int32"), c: R.Tensor((), "bool")):
        n = T.int64()
        m = T.int64()
        cls = Module
        y = R.call_tir(cls.scale, (x, w), out_sinfo=R.Tensor((n, 4), "float32"))
        o = R.call_tir(cls.order, (k,), out_sinfo=R.Tensor((4,), "int32"))
        z = cls.pick(y, c)
        two = R.const([2.0, 3.0, 4.0, 5.0], "float32")

        @R.function
        def times(a: R.Tensor(("k", 4), "float32")) -> R.Tensor(("k", 4), "float32"):
            return R.multiply(a, two)

        t = R.concat((times(z), y), axis=0)
        u = R.match_cast(t, R.Tensor((m, 4), "float32"))
        e = R.zeros(R.shape([m * 2 - n]), "int32")
        s = R.split(R.strided_slice(u, axes=[0], begin=[0], end=[2]), 2, axis=1)
        _ = R.print(e, format="e {}")
        return (u, e, R.sum(u, axis=[1]), s[1], o, R.nn.conv1d(R.expand_dims(u, 0), R.expand_dims(y, 0)))
