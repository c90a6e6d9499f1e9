# --- zeros_of_a_choice
@R.function
def f(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.zeros((T.if_then_else(n > 3, n, T.int64(3)),), "float32")
    return y

# --- zeros_of_a_choice_of_a_number
@R.function
def f(p: R.Prim("int64")):
    y = R.zeros((T.if_then_else(p > 3, p, T.int64(3)),), "float32")
    return y

# --- a_shape_of_a_truth_value
@R.function
def f(x: R.Tensor((True, 3), "float32")):
    y = R.shape([True, 3])
    return y

# --- ones_of_void
@R.function
def f():
    x = R.ones((3,), "void")
    return x

# --- zeros_of_an_empty_dtype
@R.function
def f():
    x = R.zeros((3,), "")
    return x

# --- zeros_of_a_float_dimension
@R.function
def f(x: R.Tensor(("n", 3), "float32")):
    y = R.zeros((1.0, 3), "float32")
    return y

# --- a_closure_called_with_one_value
@R.function
def f(x: R.Tensor((3,), "float32")):
    @R.function
    def g(y: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        return y
    z = R.invoke_pure_closure(g, x, ty_args=R.Tensor((3,), "float32"))
    return z

# --- a_closure_called_with_a_variable_of_a_tuple
@R.function
def f(x: R.Tuple(R.Tensor((3,), "float32")), c: R.Object):
    z = R.invoke_pure_closure(c, x, ty_args=R.Tensor((3,), "float32"))
    return z

# --- a_closure_called_with_a_number
@R.function
def f(x: R.Tensor((3,), "float32"), c: R.Object):
    z = R.invoke_pure_closure(c, 1, ty_args=R.Tensor((3,), "float32"))
    return z

# --- a_closure_called_with_a_list
@R.function
def f(x: R.Tensor((3,), "float32"), c: R.Object):
    z = R.invoke_pure_closure(c, [x], ty_args=R.Tensor((3,), "float32"))
    return z

# --- alloc_tensor_of_a_shape
@R.function(pure=False)
def f(x: R.Tensor((3,), "float32")):
    t = R.builtin.alloc_tensor(R.shape([3]), "float32", 0)
    return t

# --- alloc_tensor_of_a_tuple
@R.function(pure=False)
def f(x: R.Tensor((3,), "float32")):
    t = R.builtin.alloc_tensor((3,), "float32", 0)
    return t

# --- alloc_tensor_of_a_shape_that_is_held
@R.function(pure=False)
def f(s: R.Object, sh: R.Shape(ndim=1)):
    t = R.builtin.alloc_tensor(sh, "float32", 0)
    return t

# --- to_vdevice_after_a_local_function
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})
    @R.function
    def f(x: R.Tensor((3,), "float32")):
        @R.function
        def g(y: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
            return y
        z = R.to_vdevice(x, "cuda")
        return z

# --- to_vdevice_in_the_next_function
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})
    @R.function
    def f(x: R.Tensor((3,), "float32")):
        @R.function
        def g(y: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
            return y
        return x
    @R.function
    def h(x: R.Tensor((3,), "float32")):
        z = R.to_vdevice(x, "cuda")
        return z

# --- a_grid_of_more_dimensions
@R.function
def main(x: R.Tensor((1, 3, 4, 4), "float32"), grid: R.Tensor((1, 2, 2, 2, 2), "float32")):
    y = R.image.grid_sample(x, grid, method="bilinear", layout="NCHW")
    return y

# --- a_true_dimension
@R.function
def main(x: R.Tensor((True, 4), "float32"), y: R.Tensor((1, 4), "float32")):
    z = R.add(x, y)
    return z
