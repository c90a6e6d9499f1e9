# --- shapes_are_introduced_where_they_stand
@tvm.script.ir_module
class Module:
    @T.prim_func
    def exp(x: T.handle, y: T.handle):
        n = T.var("int64")
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        for i in T.serial(n):
            with T.block("exp"):
                vi = T.axis.spatial(n, i)
                Y[vi] = T.exp(X[vi])

    @R.function
    def main(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]):
        with R.dataflow():
            lv0 = R.match_shape(w, (k, m))
            lv1: R.Tensor[(n, m), "float32"] = R.dot(x, lv0)
            lv2: R.Tensor[(n * m,), "float32"] = R.flatten(lv1)
            lv3: R.Shape = (n * m,)
            gv0 = R.call_tir(exp, [lv2], lv3, dtype="float32")
            R.outputs(gv0)
        R.call_packed("log_tensor", gv0)
        return gv0

# --- packed_functions_in_a_dataflow_block_have_no_effects
@R.function
def main(x: R.Tensor[(n, 2, 2), "float32"]):
    with R.dataflow():
        lv0: R.Tensor[(n, 4), "float32"] = R.reshape(x, (n, 4))
        lv1: R.Shape = R.call_packed("shape_of_parts", lv0)
        lv2 = R.call_tir("halves", (lv0,), (n * 2, 2), dtype="float32")
        lv3 = R.call_dps_packed("both", (lv0, lv2), [(n, 4), (n, 2)], dtype=["float32", "int32"])
        gv0: R.Tensor[(n, 4), "float32"] = lv3[0]
        R.outputs(gv0)
    return gv0

# --- names_have_no_namespace
@tvm.script.ir_module
class Module:
    @R.function
    def main(x: Tensor((n, 4), "float32"), w: Tensor((4, 8), "float32"), b: Tensor((8,), _)) -> Tensor((n, 8), "float32"):
        with relax.dataflow():
            lv: Tensor((n, 8), "float32") = nn.relu(nn.matmul(x, w))
            gv: Tensor(_, "float32", ndim=2) = multiply(lv, lv)
            relax.output(gv)
        return inner(gv)

    @R.function
    def inner(x: Tensor(_, "float32", ndim=2)) -> Tensor(_, "float32", ndim=2):
        y = relax.match_shape(x, (p, q))
        z = add(y, y)
        t: Tuple(Tensor((p, q), "float32"), Tensor((p, q), "float32")) = relax.Tuple((y, z))
        return t[1]

# --- what_a_packed_function_gives_back_binds_dimensions
@R.function
def main(x: Tensor((4, 4), "float32"), f: Callable((Tensor((4, 4), "float32"),), Object)) -> Object:
    y: Tensor((r, 4), "float32") = relax.call_packed("load", x, type_args=(Tensor(ndim=2, dtype="float32")))
    z: Tensor((r, 4), "float32") = relax.exp(y)
    o: Object = relax.call_packed("store", z, type_args=(Object))
    return o

# --- branches_bind_one_variable
@R.function
def main(c: Tensor((), "bool"), x: Tensor((n, 4), "float32")) -> Tensor:
    if c:
        w = add(x, x)
        y = multiply(w, x)
    else:
        w = multiply(x, x)
        y = add(w, x)
    return y

# --- kernels_over_buffers_in_brackets
@tvm.script.ir_module
class Module:
    @T.prim_func
    def scale(A: T.Buffer[(16, 16), "float32"], B: T.Buffer[(16, 16), "float32"]):
        T.func_attr({"global_symbol": "scale", "tir.noalias": True})
        for i, j in T.grid(16, 16):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: Tensor((16, 16), "float32")) -> Tensor((16, 16), "float32"):
        with R.dataflow():
            lv0 = R.call_tir(scale, (x,), (16, 16), dtype="float32")
            gv = R.call_tir(scale, (lv0,), (16, 16), dtype="float32")
            R.output(gv)
        return gv
