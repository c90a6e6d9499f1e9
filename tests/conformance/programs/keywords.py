# --- kw_out_ty_on_add
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.add(x, x, output_shape=(3,))
    return y

# --- kw_type_args
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.add(x, x, type_args=[])
    return y

# --- call_tir_dtype
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), out_ty=R.Tensor((4, 8), "float32"), dtype="float32")
        return y

# --- call_tir_output_shape
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), output_shape=(4, 8), dtype="float32")
        return y

# --- call_dps_packed_dtype
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_dps_packed("f", (x,), out_ty=R.Tensor((4, 8), "float32"), dtype="float32")
    return y

# --- call_packed_tir_vars
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, tir_vars=3, ty_args=R.Tensor((4, 8), "float32"))
    return y

# --- call_pure_packed_kw
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_pure_packed("f", x, foo=3, ty_args=R.Tensor((4, 8), "float32"))
    return y

# --- call_pure_packed_out
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_pure_packed("f", x, out_ty=R.Tensor((4, 8), "float32"))
    return y

# --- call_packed_dtype
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_packed("f", x, dtype="float32", ty_args=R.Tensor((4, 8), "float32"))
    return y

# --- call_tir_inplace_dtype
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir_inplace(M.f, (x,), [0], out_ty=R.Tensor((4, 8), "float32"), dtype="float32")
        return y

# --- call_tir_with_grad_kw
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir_with_grad(M.f, (x,), out_ty=R.Tensor((4, 8), "float32"), te_grad_name="g", te_grad_kwargs={"k": 1})
        return y

# --- invoke_closure_ty_args
@R.function(pure=False)
def main(f: R.Object, x: R.Tensor((4, 8), "float32")):
    y = R.invoke_closure(f, (x,), ty_args=R.Tensor((4, 8), "float32"))
    return y

# --- invoke_closure_dtype
@R.function(pure=False)
def main(f: R.Object, x: R.Tensor((4, 8), "float32")):
    y = R.invoke_closure(f, (x,), ty_args=R.Tensor((4, 8), "float32"), dtype="float32")
    return y

# --- call_builtin_with_ctx_kw
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_builtin_with_ctx("f", (x,), ty_args=R.Tensor((4, 8), "float32"), dtype="float32")
    return y

# --- call_inplace_packed_kw
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_inplace_packed("f", x, inplace_indices=[0], ty_args=R.Tensor((4, 8), "float32"), dtype="float32")
    return y

# --- call_inplace_packed_ok
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_inplace_packed("f", x, inplace_indices=[0], ty_args=R.Tensor((4, 8), "float32"))
    return y

# --- print_kw
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    R.print(x, format="{}")
    return x

# --- print_kw_dtype
@R.function(pure=False)
def main(x: R.Tensor((4, 8), "float32")):
    R.print(x, format="{}", dtype="float32")
    return x

# --- call_tir_positional_4
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), n: T.int64, B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), R.Tensor((4, 8), "float32"), R.shape([3]))
        return y

# --- call_tir_dup_out_kw
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(M.f, (x,), R.Tensor((4, 8), "float32"), out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- kwarg_call_global
@I.ir_module
class M:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.f(x=x)
        return y

# --- kwarg_call_local
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    y = f(x=x)
    return y

# --- kwarg_call_param_callable
@R.function
def main(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
    y = f(x=x)
    return y

# --- kwarg_call_extra
@I.ir_module
class M:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = M.f(x, attrs=None)
        return y

# --- kwarg_local_attrs
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    y = f(x, attrs=None)
    return y

# --- kwarg_primfunc_direct
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function(pure=False)
    def main(x: R.Tensor((4, 8), "float32")):
        M.f(A=x, B=x)
        return x

# --- decorator_unknown_kw
@R.function(inline=True)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- decorator_pure_typo
@R.function(pur=True)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- decorator_pure_int
@R.function(pure=0)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- decorator_pure_name
P = True
@R.function(pure=P)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- decorator_unknown_kw_in_module
@I.ir_module
class M:
    @R.function(inline=True)
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- decorator_positional_in_module
@I.ir_module
class M:
    @R.function(False)
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- decorator_positional
@R.function(None, False)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- decorator_check_well_formed_module_fn
@I.ir_module
class M:
    @R.function(check_well_formed=False)
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- ir_module_unknown_kw
@I.ir_module(foo=True)
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- ir_module_s_tir
@I.ir_module(s_tir=True)
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- inner_decorator_unknown_kw
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function(foo=True)
    def f(x: R.Tensor((4,), "float32")):
        return x
    return f(x)

# --- inner_decorator_private
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32")):
        return x
    return f(x)

# --- prim_func_unknown_kw
@I.ir_module
class M:
    @T.prim_func(foo=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- prim_func_unknown_kw_alone
@T.prim_func(foo=True)
def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    T.evaluate(0)

# --- star_param
@R.function
def main(*x: R.Tensor((4,), "float32")):
    return x

# --- star_param_after
@R.function
def main(y: R.Tensor((4,), "float32"), *x: R.Tensor((4,), "float32")):
    return y

# --- star_param_no_annot
@R.function
def main(y: R.Tensor((4,), "float32"), *x):
    return y

# --- kwargs_param
@R.function
def main(y: R.Tensor((4,), "float32"), **x):
    return y

# --- kwonly
@R.function
def main(y: R.Tensor((4,), "float32"), *, x: R.Tensor((4,), "float32")):
    return y

# --- kwonly_used
@R.function
def main(y: R.Tensor((4,), "float32"), *, x: R.Tensor((4,), "float32")):
    return x

# --- posonly
@R.function
def main(y: R.Tensor((4,), "float32"), /, x: R.Tensor((4,), "float32")):
    return x

# --- posonly_used
@R.function
def main(y: R.Tensor((4,), "float32"), /, x: R.Tensor((4,), "float32")):
    return y

# --- default
@R.function
def main(y: R.Tensor((4,), "float32") = None):
    return y

# --- inner_undecorated
@R.function
def main(x: R.Tensor((4,), "float32")):
    def f(x: R.Tensor((4,), "float32")):
        return x
    return x

# --- inner_undecorated_in_dataflow
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        def f(x: R.Tensor((4,), "float32")):
            return x
        y = R.add(x, x)
        R.output(y)
    return y

# --- inner_class
@R.function
def main(x: R.Tensor((4,), "float32")):
    class A:
        pass
    return x

# --- inner_two_same
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        return y
    return f(x)

# --- inner_same_as_var
@R.function
def main(x: R.Tensor((4,), "float32")):
    f = R.add(x, x)
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    return f(x)

# --- inner_same_as_param
@R.function
def main(f: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    return f

# --- var_same_as_inner_before
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
    f = R.add(x, x)
    return f

# --- inner_in_branches
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            return x
        y = f(x)
    else:
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            return x
        y = f(x)
    return y

# --- inner_same_nested
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            return x
        return f(x)
    return f(x)

# --- inner_prim_func
@R.function
def main(x: R.Tensor((4,), "float32")):
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)
    return x

# --- nested_dataflow
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        with R.dataflow():
            y = R.add(a, x)
            R.output(y)
        z = R.add(a, a)
        R.output(z)
    return z

# --- nested_dataflow_only
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        with R.dataflow():
            y = R.add(x, x)
            R.output(y)
    return y

# --- nested_dataflow_only_out
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        with R.dataflow():
            y = R.add(x, x)
            R.output(y)
        R.output(y)
    return y

# --- dataflow_in_function_in_dataflow
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            with R.dataflow():
                y = R.add(x, x)
                R.output(y)
            return y
        z = f(x)
        R.output(z)
    return z

# --- with_seq
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        R.output(y)
    with R.dataflow():
        z = R.add(y, x)
        R.output(z)
    return z

# --- dataflow_empty
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        R.output()
    return x

# --- dataflow_pass
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        pass
    return x

# --- dataflow_no_output
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.add(x, x)
    return x
