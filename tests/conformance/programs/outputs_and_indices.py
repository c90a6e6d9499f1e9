# --- call_tir_out_no_shape
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Tensor("float32"))
        return y

# --- call_tir_out_ndim
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Tensor(ndim=2, dtype="float32"))
        return y

# --- call_tir_out_no_dtype
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Tensor((4, 8)))
        return y

# --- call_tir_out_tuple
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Tuple(R.Tensor((4, 8), "float32"), R.Tensor((4, 8), "float32")))
        return y

# --- call_tir_out_list
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=[R.Tensor((4, 8), "float32"), R.Tensor((4, 8), "float32")])
        return y

# --- call_tir_out_list_unshaped
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=[R.Tensor((4, 8), "float32"), R.Tensor("float32", ndim=2)])
        return y

# --- call_tir_out_list_prim
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Prim("int64"))
        return y

# --- call_tir_out_shape
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Shape([4, 8]))
        return y

# --- call_tir_out_tuple_empty
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=[])
        return y

# --- call_tir_shape_var_as_shape
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), b: T.handle):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), s: R.Shape(ndim=2)):
        y = R.call_tir(M.f, (x,), out_ty=R.Tensor(s, "float32"))
        return y

# --- call_tir_out_none
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=None)
        return y

# --- call_dps_packed_out_no_shape
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_dps_packed("f", (x,), out_ty=R.Tensor(ndim=2, dtype="float32"))
    return y

# --- call_dps_packed_out_no_dtype
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_dps_packed("f", (x,), out_ty=R.Tensor((4, 8)))
    return y

# --- call_tir_with_grad_no_shape
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir_with_grad(M.f, (x,), out_ty=R.Tensor(ndim=2, dtype="float32"), te_grad_name="g")
        return y

# --- call_tir_inplace_no_shape
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir_inplace(M.f, (x,), [0], out_ty=R.Tensor(ndim=2, dtype="float32"))
        return y

# --- call_py_func_no_shape
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_py_func("f", x, out_ty=R.Tensor(ndim=2, dtype="float32"))
    return y

# --- call_pure_packed_sinfo_unshaped
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_pure_packed("f", x, ty_args=R.Tensor(ndim=2, dtype="float32"))
    return y

# --- call_tir_arg_list
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, [x], out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- call_tir_arg_bare
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, x, out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- call_tir_arg_int
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x, 1), out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- call_tir_arg_str
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, ("x",), out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- call_packed_int_arg
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, 1, ty_args=R.Object)
    return y

# --- call_packed_str_arg
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, "a", ty_args=R.Object)
    return y

# --- call_packed_tuple_arg
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", (x, x), ty_args=R.Object)
    return y

# --- call_packed_list_arg
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", [x, x], ty_args=R.Object)
    return y

# --- call_packed_name_var
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed(f, x, ty_args=R.Object)
    return y

# --- call_packed_ty_args_two
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, ty_args=[R.Object, R.Object])
    return y

# --- call_packed_ty_args_int
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, ty_args=[3])
    return y

# --- call_packed_ty_args_value
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, ty_args=x)
    return y

# --- call_packed_ty_args_str
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, ty_args="float32")
    return y

# --- call_global_with_int
@I.ir_module
class M:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.f(1)
        return y

# --- call_global_with_list
@I.ir_module
class M:
    @R.function
    def f(x: R.Tuple(R.Tensor((4,), "float32"))):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.f([x])
        return y

# --- call_global_with_tuple
@I.ir_module
class M:
    @R.function
    def f(x: R.Tuple(R.Tensor((4,), "float32"))):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.f((x,))
        return y

# --- call_local_with_int
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    y = f(1)
    return y

# --- call_local_with_none
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Object):
        return x
    y = f(None)
    return y

# --- call_local_with_str
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Object):
        return x
    y = f("a")
    return y

# --- call_local_with_list
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Object):
        return x
    y = f([x, x])
    return y

# --- index_shape_param
@R.function
def main(s: R.Shape(["n", "m"])):
    y = s[0]
    return y

# --- index_shape_unknown
@R.function
def main(s: R.Shape(ndim=2)):
    y = s[0]
    return y

# --- index_shape_in_zeros
@R.function
def main(s: R.Shape(["n", "m"])):
    y = R.zeros((s[0], 4), "float32")
    return y

# --- index_shape_out_of_range
@R.function
def main(s: R.Shape(["n", "m"])):
    y = s[3]
    return y

# --- index_shape_of_tensor
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.zeros((x.shape[0], 4), "float32")
    return y

# --- index_r_shape
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    s = R.shape([4, 8])
    y = s[0]
    return y

# --- index_object
@R.function
def main(x: R.Object):
    y = x[0]
    return y

# --- index_object_str
@R.function
def main(x: R.Object):
    y = x["a"]
    return y

# --- index_tensor
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = x[0]
    return y

# --- index_callable
@R.function
def main(x: R.Callable):
    y = x[0]
    return y

# --- index_prim
@R.function
def main(x: R.Prim("int64")):
    y = x[0]
    return y

# --- index_tuple_by_var
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), n: R.Prim("int64")):
    y = t[n]
    return y

# --- index_tuple_by_neg
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t[-1]
    return y

# --- index_tuple_by_slice
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t[0:1]
    return y

# --- index_tuple_by_str
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t["0"]
    return y

# --- index_tuple_by_float
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t[1.0]
    return y

# --- index_tuple_by_two
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t[0, 1]
    return y

# --- index_tuple_by_none
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t[None]
    return y

# --- index_tuple_by_const
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    y = t[R.const(0)]
    return y

# --- call_shape
@R.function
def main(s: R.Shape(["n", "m"])):
    y = s(0)
    return y

# --- call_object
@R.function(pure=False)
def main(o: R.Object):
    y = o()
    return y

# --- call_object_arg
@R.function(pure=False)
def main(o: R.Object, x: R.Tensor((4,), "float32")):
    y = o(x)
    return y

# --- call_prim
@R.function
def main(n: R.Prim("int64")):
    y = n()
    return y

# --- call_tuple_field_callable
@R.function(pure=False)
def main(t: R.Tuple(R.Callable), x: R.Tensor((4,), "float32")):
    y = t[0](x)
    return y

# --- call_string
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    y = "f"(x)
    return y

# --- call_int
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    y = 3(x)
    return y

# --- call_r_str
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    y = R.str("f")(x)
    return y
