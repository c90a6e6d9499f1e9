# Things that are not annotations, decorators or arguments of statements in modules and PrimFuncs.

# --- list_for_the_dtype_of_a_tensor
@R.function
def main(x: R.Tensor((4,), (4,))):
    return x

# --- prim_of_two_arguments
@R.function
def main(x: R.Prim("int64", "int64")):
    return x

# --- parameter_annotated_by_a_type_of_python
@R.function
def main(x: int):
    return x

# --- binding_annotated_by_a_type_of_python
@R.function
def main(x: R.Tensor((4,), "float32")):
    y: int = R.abs(x)
    return y

# --- prim_func_of_a_word
@T.prim_func
def kernel(A: "word"):
    T.evaluate(0)

# --- prim_func_of_a_type_of_python
@T.prim_func
def kernel(A: int):
    T.evaluate(0)

# --- prim_func_of_a_tensor
@T.prim_func
def kernel(A: R.Tensor((4,), "float32")):
    T.evaluate(0)

# --- buffer_of_two_shapes
@T.prim_func
def kernel(A: T.Buffer((4,), (4,))):
    T.evaluate(0)

# --- evaluate_nothing
@T.prim_func
def kernel(A: T.Buffer((4,), "float32")):
    T.evaluate()

# --- evaluate_twice
@T.prim_func
def kernel(A: T.Buffer((4,), "float32")):
    T.evaluate(0, 0)

# --- operator_as_decorator
@I.ir_module
class Module:
    @R.abs
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- two_global_infos
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]}, {"vdevice": [I.vdevice("llvm")]})

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- dtype_for_the_shape_of_a_buffer
@T.prim_func
def kernel(A: T.Buffer("float16")):
    T.evaluate(0)

# --- float_for_the_shape_of_a_buffer
@T.prim_func
def kernel(a: T.handle):
    A = T.match_buffer(a, 1.5, "float32")
    T.evaluate(0)
