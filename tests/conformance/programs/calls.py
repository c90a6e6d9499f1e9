# --- a_prim_func_that_fits
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- a_prim_func_of_another_dtype
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4, 8), "float16")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- a_prim_func_with_an_argument_too_many
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x, x, x), out_ty=R.Tensor((4, 8), "float32"))
        return y

# --- a_packed_function_where_a_prim_func_belongs
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    y = R.call_tir("copy", (x,), out_ty=R.Tensor((4, 8), "float32"))
    return y

# --- an_index_in_place_that_names_no_argument
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def bump(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir_inplace(cls.bump, (x,), [1], R.Tensor((4,), "float32"))
        return y

# --- an_argument_that_becomes_the_output
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def bump(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir_inplace(cls.bump, (x,), [0], R.Tensor((4,), "float32"))
        return y

# --- the_result_of_a_call_takes_the_arguments_dimensions
@I.ir_module
class Module:
    @R.function
    def double(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n * 2", "m"), "float32"):
        y = R.concat([x, x], axis=0)
        return y

    @R.function
    def main(x: R.Tensor((3, "k"), "float32")):
        cls = Module
        y = cls.double(x)
        return y

# --- an_argument_of_another_rank
@I.ir_module
class Module:
    @R.function
    def same(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = Module
        y = cls.same(x)
        return y

# --- arguments_that_bind_a_variable_twice
@I.ir_module
class Module:
    @R.function
    def both(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((3,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        z = cls.both(x, y)
        return z

# --- recursion_without_annotation
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = Module
        y = cls.main(x)
        return y

# --- a_global_symbol_that_is_no_name
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        R.func_attr({"global_symbol": "other"})
        return x

# --- a_private_function_with_a_global_symbol
@R.function(private=True)
def main(x: R.Tensor((3,), "float32")):
    R.func_attr({"global_symbol": "main"})
    return x

# --- a_tuple_and_its_fields
@R.function
def main(x: R.Tensor((3,), "float32"), y: R.Tensor((4,), "int64")):
    t = (x, (y, x))
    z = t[1][0]
    return z

# --- a_field_that_is_not_there
@R.function
def main(x: R.Tensor((3,), "float32")):
    t = (x, x)
    z = t[2]
    return z

# --- a_function_as_a_value
@R.function
def main(x: R.Tensor((3,), "float32")):
    @R.function
    def inner(y: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        z = R.exp(y)
        return z
    w = inner(x)
    return w

# --- a_helper_of_the_enclosing_code
def make(n, dtype):
    @R.function
    def main(x: R.Tensor((n, 2), dtype)):
        y = R.zeros((n, 3), dtype)
        return y
    return main

main = make(5, "float32")

# --- a_macro
@R.macro
def doubled(x):
    y = R.add(x, x)
    return y

@R.function
def main(x: R.Tensor((3,), "float32")):
    y = doubled(x)
    return y
