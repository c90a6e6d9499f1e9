# --- callable_ok
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_arity
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_result_dtype
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float16"):
        y = R.astype(x, "float16")
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_result_shape
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((8,), "float32"):
        y = R.concat([x, x], axis=0)
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_result_wider
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor(ndim=1, dtype="float32"):
        y = R.concat([x, x], axis=0)
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_result_object
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Object:
        y = R.concat([x, x], axis=0)
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_param_narrower_asked
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor(ndim=1, dtype="float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_param_dtype
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float16")) -> R.Tensor((4,), "float16"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float16"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_impure_where_pure
@I.ir_module
class M:
    @R.function(pure=False)
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.print(x, format="{}")
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_pure_where_impure
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function(pure=False)
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), False), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_opaque_accepts
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function(pure=False)
    def ap(f: R.Callable, x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- opaque_given_where_typed
@I.ir_module
class M:
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(g: R.Callable, x: R.Tensor((4,), "float32")):
        y = M.ap(g, x)
        return y

# --- opaque_purity_given_where_typed
@I.ir_module
class M:
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(g: R.Callable(purity=True, ret=R.Tensor((4,), "float32")), x: R.Tensor((4,), "float32")):
        y = M.ap(g, x)
        return y

# --- tensor_where_callable
@I.ir_module
class M:
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(x, x)
        return y

# --- object_where_callable
@I.ir_module
class M:
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(o: R.Object, x: R.Tensor((4,), "float32")):
        y = M.ap(o, x)
        return y

# --- object_where_tensor
@I.ir_module
class M:
    @R.function
    def ap(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def main(o: R.Object):
        y = M.ap(o)
        return y

# --- function_where_tensor
@I.ir_module
class M:
    @R.function
    def ap(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.ap)
        return y

# --- callable_arity_local
@R.function
def main(f: R.Callable((R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), R.Tensor((4,), "float32")), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
    @R.function
    def g(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    z = f(g, x)
    return z

# --- annotated_callable_other_arity
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        h: R.Callable((R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), R.Tensor((4,), "float32"), True) = M.g
        return x

# --- primfunc_direct_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        M.f(x, x)
        return x

# --- primfunc_direct_in_impure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function(pure=False)
    def main(x: R.Tensor((4, 8), "float32")):
        M.f(x, x)
        return x

# --- primfunc_direct_bound_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        _ = M.f(x, x)
        return x

# --- primfunc_direct_in_dataflow
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function(pure=False)
    def main(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            _ = M.f(x, x)
            y = R.add(x, x)
            R.output(y)
        return y

# --- primfunc_direct_force_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        R.func_attr({"relax.force_pure": True})
        _ = M.f(x, x)
        return x

# --- primfunc_handle
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(a: T.handle, b: T.handle):
        A = T.match_buffer(a, (4, 8), "float32")
        B = T.match_buffer(b, (4, 8), "float32")
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        M.f(x, x)
        return x

# --- primfunc_as_callable
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        T.evaluate(0)
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tuple([]), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.f, x)
        return y

# --- param_named_as_shape_var
@R.function
def main(n: R.Tensor(("n",), "float32")):
    return n

# --- param_named_as_shape_var_other_param
@R.function
def main(x: R.Tensor(("n",), "float32"), n: R.Tensor((4,), "float32")):
    return x

# --- param_named_as_shape_var_other_param_first
@R.function
def main(n: R.Tensor((4,), "float32"), x: R.Tensor(("n",), "float32")):
    return x

# --- prim_param_named_as_shape_var
@R.function
def main(n: R.Prim("int64"), x: R.Tensor(("n",), "float32")):
    return x

# --- prim_param_named_as_shape_var_after
@R.function
def main(x: R.Tensor(("n",), "float32"), n: R.Prim("int64")):
    return x

# --- prim_param_int32_named_as_shape_var
@R.function
def main(n: R.Prim("int32"), x: R.Tensor(("n",), "float32")):
    return x

# --- shape_param_named_n
@R.function
def main(n: R.Shape(["n"])):
    return n

# --- shape_param_named_n_other
@R.function
def main(n: R.Shape(["m"]), x: R.Tensor(("n",), "float32")):
    return x

# --- param_in_expr_dim
@R.function
def main(n: R.Tensor((4,), "float32"), x: R.Tensor(("m", "m * n"), "float32")):
    return x

# --- param_named_m_where_n_m
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n * m",), "float32"), m: R.Tensor((4,), "float32")):
    return x

# --- two_params_with_same_name
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Shape(["n"]), n: R.Object):
    return x

# --- local_named_as_shape_var
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = R.add(x, x)
    return n

# --- local_named_as_shape_var_used
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = R.add(x, x)
    y = R.zeros((n,), "float32")
    return y

# --- inner_param_as_outer_shape_var
@R.function
def main(x: R.Tensor(("n",), "float32")):
    @R.function
    def f(n: R.Tensor((4,), "float32")):
        return n
    return x

# --- primfunc_store_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_store_in_impure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_store_after_in_pure
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

# --- primfunc_store_in_dataflow
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            _ = M.f(x)
            y = R.add(x, x)
            R.output(y)
        return y

# --- primfunc_store_match_buffer_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(a: T.handle):
        A = T.match_buffer(a, (4,), "float32")
        A[0] = T.float32(1)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_block_store_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_alloc_only_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        B = T.alloc_buffer((4,), "float32")
        B[0] = T.float32(1)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_call_extern_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        T.evaluate(T.call_extern("int32", "foo"))
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_call_packed_in_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        T.evaluate(T.call_packed("foo", A.data))
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        _ = M.f(x)
        return x

# --- primfunc_store_as_callable_pure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tuple([]), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.f, x)
        return y

# --- primfunc_store_as_callable_impure
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function(pure=False)
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tuple([]), False), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.f, x)
        return y

# --- primfunc_as_callable_arity
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function(pure=False)
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tuple([]), False), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.f, x)
        return y

# --- primfunc_as_callable_ret
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function(pure=False)
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), False), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.f, x)
        return y

# --- primfunc_as_callable_ret_object
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @R.function(pure=False)
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Object, False), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.f, x)
        return y

# --- g_after_main_result_wider
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor(ndim=1, dtype="float32"):
        y = R.add(x, x)
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y

# --- g_before_main_result_wider_but_body_fits
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor(ndim=1, dtype="float32"):
        y = R.add(x, x)
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- g_without_annotation_before
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        return y
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- g_without_annotation_after
@I.ir_module
class M:
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y
    @R.function
    def g(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        return y

# --- z_g_without_annotation_main_before_alphabetical
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.a_ap(M.a_g, x)
        return y
    @R.function
    def a_ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def a_g(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        return y

# --- callable_symbolic_ok
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_symbolic_both
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor(("m",), "float32"),), R.Tensor(("m",), "float32"), True), x: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_object_result
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor,), R.Object, True), x: R.Tensor(("m",), "float32")) -> R.Object:
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_ndim_param
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor(ndim=1, dtype="float32"),), R.Tensor(ndim=1, dtype="float32"), True), x: R.Tensor(("m",), "float32")) -> R.Tensor:
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_tensor_param
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor,), R.Tensor, True), x: R.Tensor(("m",), "float32")) -> R.Tensor:
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y

# --- callable_rank_param
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        return x
    @R.function
    def ap(f: R.Callable((R.Tensor(ndim=1),), R.Tensor, True), x: R.Tensor(("m",), "float32")) -> R.Tensor:
        y = f(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.ap(M.g, x)
        return y
