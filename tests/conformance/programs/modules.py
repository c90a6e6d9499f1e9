# --- module_attrs_twice
@I.ir_module
class M:
    I.module_attrs({"a": 1})
    I.module_attrs({"b": 1})
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- module_attrs_same_twice
@I.ir_module
class M:
    I.module_attrs({"a": 1})
    I.module_attrs({"a": 1})
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- module_global_infos_twice
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- func_attr_twice
@R.function
def main(x: R.Tensor((2,), "float32")):
    R.func_attr({"a": 1})
    R.func_attr({"b": 1})
    return x

# --- func_attr_same_twice
@R.function
def main(x: R.Tensor((2,), "float32")):
    R.func_attr({"a": 1})
    R.func_attr({"a": 2})
    return x

# --- local_named_as_outside
@I.ir_module
class M:
    @R.function
    def f(x: R.Tensor((2,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = M
        @R.function
        def f(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            return y
        z = f(x)
        return z

# --- local_recursion_without_ret
@R.function
def main(x: R.Tensor((2,), "float32")):
    @R.function
    def f(y: R.Tensor((2,), "float32")):
        z = f(y)
        return z
    w = f(x)
    return w

# --- local_recursion_with_ret
@R.function
def main(x: R.Tensor((2,), "float32")):
    @R.function
    def f(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        z = f(y)
        return z
    w = f(x)
    return w

# --- recursion_without_ret_in_module
@I.ir_module
class M:
    @R.function
    def f(y: R.Tensor((2,), "float32")):
        z = M.f(y)
        return z

# --- attrs_overwrite
@I.ir_module
class M:
    I.module_attrs({"a": 1})
    I.module_attrs({"b": 1}, allow_overwrite=True)
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- infos_empty_twice
@I.ir_module
class M:
    I.module_attrs({})
    I.module_attrs({"b": 1})
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- undecorated_in_module
@I.ir_module
class M:
    def helper(v):
        return v
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- undecorated_in_module_annotated
@I.ir_module
class M:
    def helper(v: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return v
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- pass_stmt
@R.function
def main(x: R.Tensor((2,), "float32")):
    pass
    return x

# --- ellipsis
@R.function
def main(x: R.Tensor((2,), "float32")):
    ...
    return x

# --- global_stmt
@R.function
def main(x: R.Tensor((2,), "float32")):
    global y
    return x

# --- func_name
@R.function
def main(x: R.Tensor((2,), "float32")):
    R.func_name("again")
    return x

# --- func_name_local
@R.function
def main(x: R.Tensor((2,), "float32")):
    @R.function
    def f(y: R.Tensor((2,), "float32")):
        R.func_name("again")
        return y
    return x

# --- self1
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        @R.function
        def main(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            return y
        return x

# --- misspelt_decorator
@I.ir_module
class M:
    @R.fuction
    def main(x: R.Tensor((2,), "float32")):
        return x

# --- misspelt_decorator_of_a_prim_func
@I.ir_module
class M:
    @T.primfunc(private=True)
    def main(x: T.Buffer((2,), "float32")):
        T.evaluate(0)
