# --- a_model_in_a_dataflow_block
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 784), "float32"), w: R.Tensor((784, 10), "float32"), b: R.Tensor((10,), "float32")):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((n, 10), "float32") = R.matmul(x, w, out_dtype="void")
            z = R.nn.softmax(R.add(y, b), axis=-1)
            R.output(z)
        return z

# --- a_kernel_with_blocks_and_a_reduction
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def rows(x: T.handle, y: T.handle):
        T.func_attr({"tir.noalias": T.bool(True), "op_pattern": 3})
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(8)))
        Y = T.match_buffer(y, (n,))
        acc = T.alloc_buffer((n,))
        for i, j in T.grid(n, T.int64(8)):
            with T.block("sum"):
                v_i, v_j = T.axis.remap("SR", [i, j])
                T.reads(X[v_i, v_j])
                T.writes(acc[v_i])
                with T.init():
                    acc[v_i] = T.float32(0)
                acc[v_i] = acc[v_i] + X[v_i, v_j]
        for i in range(n):
            with T.block("copy"):
                v_i = T.axis.spatial(n, i)
                Y[v_i] = acc[v_i]

    @R.function
    def main(x: R.Tensor(("n", 8), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.rows, (x,), out_sinfo=R.Tensor((n,), "float32"))
        return y

# --- dimensions_beside_the_arguments
@I.ir_module
class Module:
    @T.prim_func
    def ramp(out: T.Buffer((T.int64(4),), "int64"), start: T.int64):
        for i in range(T.int64(4)):
            with T.block("ramp"):
                v_i = T.axis.spatial(T.int64(4), i)
                out[v_i] = start + v_i

    @R.function
    def main(s: R.Shape(["m"])) -> R.Tensor((4,), "int64"):
        m = T.int64()
        y = R.call_tir(Module.ramp, R.tuple(), out_sinfo=R.Tensor((4,), "int64"), tir_vars=R.shape([m]))
        return y

# --- memory_and_values_of_a_kernel
@T.prim_func
def kernel(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"global_symbol": "kernel"})
    shared = T.allocate([16], "float32", "shared")
    tile = T.Buffer((16,), data=shared, scope="shared")
    for i in range(16):
        with T.LetStmt(A[i] * T.float32(2)) as doubled:
            tile[i] = doubled
        with T.LetStmt(tile[i]) as doubled:
            B[i] = doubled + T.float32(1)

# --- a_region_that_is_realized
@T.prim_func
def kernel(A: T.Buffer((4, 4), "float32")):
    local = T.Buffer((4,))
    for i in range(4):
        T.realize(local[0:4], "")
        for j in range(4):
            local[j] = A[i, j]
        for j in range(4):
            A[i, j] = local[3 - j]

# --- padding_with_its_value_third
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.pad(x, (1, 1, 0, 0), 0.5, "constant")
    return y

# --- functions_of_the_host
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32"), state: R.Object):
        n = T.int64()
        y = R.call_packed("demo.step", x, state, sinfo_args=[R.Tensor((n,), "float32")])
        z = R.call_pure_packed("demo.norm", y, sinfo_args=(R.Tensor((n,), "float32"),))
        w = R.call_dps_packed("demo.scale", (z,), out_sinfo=[R.Tensor((n,), "float32"), R.Tensor((), "float32")])
        return w[0]

# --- a_cast_that_binds_a_shape
@R.function
def main(x: R.Tensor(ndim=2)) -> R.Tensor(dtype="float32"):
    n = T.int64()
    m = T.int64()
    y = R.match_cast(x, R.Tensor((n, m), "float32"))
    s: R.Shape([n * m]) = R.shape([n * m])
    z = R.reshape(y, s)
    return z

# --- a_branch_and_a_local_function
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    @R.function
    def twice(v: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        w = R.multiply(v, R.const(2.0, "float32"))
        return w

    if c:
        y = twice(x)
    else:
        y = R.nn.relu(x)
    return y

# --- a_slice_by_tuples
@R.function
def main(x: R.Tensor((8,), "float32")):
    y = R.strided_slice(x, (0,), (0,), (4,), (2,))
    return y

# --- a_macro_of_a_kernel
@T.macro
def store(buffer, at, value):
    buffer[at] = value

@T.prim_func
def kernel(A: T.Buffer((4,), "int32")):
    for i in T.serial(4):
        store(A, i, i + 1)

# --- devices_of_a_module
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})

    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm:0")) -> R.Object:
        y = R.exp(x)
        return y
