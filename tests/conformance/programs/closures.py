# --- a_function_inside_uses_dimensions_of_the_one_around
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    @R.function
    def inner(y: R.Tensor(("k",), "float32")):
        k = T.int64()
        z = R.zeros(R.shape([n, m, k]), "float32")
        return z
    v = R.zeros(R.shape([5]), "float32")
    w = inner(v)
    return w

# --- a_name_in_the_inner_signature_is_the_outer_variable
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    @R.function
    def inner(y: R.Tensor((n, m), "float32")) -> R.Tensor((n, m), "float32"):
        z = R.add(y, x)
        return z
    w = inner(x)
    return w

# --- a_string_in_the_inner_signature_is_a_variable_of_its_own
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    @R.function
    def inner(y: R.Tensor(("n", "m"), "float32")):
        z = R.add(y, x)
        return z
    w = inner(x)
    return w

# --- a_string_of_an_expression_may_name_the_outer_variable
@R.function
def main(x: R.Tensor(("n",), "float32")):
    @R.function
    def inner(y: R.Tensor(("n + 1",), "float32")):
        z = R.add(y, y)
        return z
    y = R.zeros(R.shape([n + 1]), "float32")
    w = inner(y)
    return w

# --- a_variable_declared_again_inside_is_its_own
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    @R.function
    def inner(y: R.Tensor(("n",), "float32")):
        n = T.int64()
        z = R.add(x, y)
        return z
    w = inner(x)
    return w

# --- a_variable_that_only_the_body_declares_again_is_the_outer_one
@R.function
def main(x: R.Tensor(("n",), "float32")):
    @R.function
    def inner(y: R.Tensor((2,), "float32")):
        n = T.int64()
        z = R.zeros(R.shape([n]), "float32")
        return z
    y = R.zeros(R.shape([2]), "float32")
    w = inner(y)
    return w

# --- a_scalar_parameter_is_seen_inside
@R.function
def main(x: R.Tensor(("n",), "float32"), k: R.Prim("int64")):
    @R.function
    def inner(y: R.Tensor((3,), "float32")):
        z = R.zeros(R.shape([k]), "float32")
        return z
    y = R.zeros(R.shape([3]), "float32")
    w = inner(y)
    return w

# --- a_scalar_that_is_bound_is_seen_inside
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    k = n + 1
    @R.function
    def inner(y: R.Tensor((3,), "float32")):
        z = R.zeros(R.shape([k]), "float32")
        return z
    y = R.zeros(R.shape([3]), "float32")
    w = inner(y)
    return w

# --- a_scalar_parameter_of_the_same_name_is_another
@R.function
def main(n: R.Prim("int64")):
    @R.function
    def inner(n: R.Prim("int64"), y: R.Tensor(("n",), "float32")):
        z = R.zeros(R.shape([n]), "float32")
        return z
    y = R.zeros(R.shape([n]), "float32")
    w = inner(n, y)
    return w

# --- a_type_variable_is_one_in_both_functions
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n,), "float32")):
    @R.function
    def inner(y: R.Tensor((n,), "float32")):
        z = R.add(y, x)
        return z
    w = inner(x)
    return w

# --- a_type_variable_is_one_of_each_function_that_names_it
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((2,), "float32")):
    @R.function
    def inner(y: R.Tensor((n,), "float32")):
        z = R.add(y, y)
        return z
    @R.function
    def inner2(y: R.Tensor((n,), "float32")):
        z = R.add(y, y)
        w = inner(z)
        return w
    w = inner2(x)
    return w

# --- a_type_variable_is_seen_in_the_body_inside
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n,), "float32")):
    @R.function
    def inner(y: R.Tensor((2,), "float32")):
        z = R.zeros(R.shape([n]), "float32")
        return z
    y = R.zeros(R.shape([2]), "float32")
    w = inner(y)
    return w

# --- two_functions_around
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    @R.function
    def outer(y: R.Tensor((n,), "float32")):
        @R.function
        def inner(z: R.Tensor((n,), "float32")):
            w = R.add(z, x)
            return w
        r = inner(y)
        return r
    w = outer(x)
    return w

# --- a_cast_inside_binds_nothing_outside
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    k = T.int64()
    @R.function
    def inner(y: R.Tensor(ndim=1, dtype="float32")):
        z = R.match_cast(y, R.Tensor((k,), "float32"))
        return z
    w = inner(x)
    v = R.zeros(R.shape([k]), "float32")
    return v

# --- a_parameter_inside_binds_nothing_outside
@R.function
def main(x: R.Tensor((3,), dtype="float32")):
    k = T.int64()
    @R.function
    def inner(y: R.Tensor((k,), dtype="float32")):
        z = R.add(y, y)
        return z
    w = inner(x)
    v = R.zeros(R.shape([k]), "float32")
    return v

# --- a_variable_that_is_bound_behind_is_not_seen
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    k = T.int64()
    @R.function
    def inner(y: R.Tensor((2,), "float32")):
        z = R.zeros(R.shape([k]), "float32")
        return z
    y = R.match_cast(x, R.Tensor((k,), "float32"))
    v = R.zeros(R.shape([2]), "float32")
    w = inner(v)
    return w

# --- a_captured_tensor_brings_its_dimensions
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = R.add(x, x)
    @R.function
    def inner(z: R.Tensor((2,), "float32")):
        w = R.add(y, y)
        return w
    v = R.zeros(R.shape([2]), "float32")
    u = inner(v)
    return u

# --- a_captured_shape_brings_its_values
@R.function
def main(s: R.Shape(["n", "m"])):
    n = T.int64()
    @R.function
    def inner(z: R.Tensor((2,), "float32")):
        w = R.zeros(s, "float32")
        v = R.zeros(R.shape([n]), "float32")
        return w
    v = R.zeros(R.shape([2]), "float32")
    u = inner(v)
    return u

# --- a_branch_binds_for_a_function_in_it
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32"), c: R.Tensor((), "bool")):
    k = T.int64()
    if c:
        y = R.match_cast(x, R.Tensor((k,), "float32"))
        @R.function
        def inner(z: R.Tensor((2,), "float32")):
            w = R.zeros(R.shape([k]), "float32")
            return w
        a = R.zeros(R.shape([2]), "float32")
        b = inner(a)
    else:
        b = x
    return b

# --- an_annotated_result_may_name_the_outer_variable
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    @R.function
    def inner(y: R.Tensor((2,), "float32")) -> R.Tensor((n,), "float32"):
        z = R.zeros(R.shape([n]), "float32")
        return z
    y = R.zeros(R.shape([2]), "float32")
    w = inner(y)
    return w

# --- a_string_in_the_result_is_the_outer_variable
@R.function
def main(x: R.Tensor(("n",), "float32")):
    @R.function
    def inner(y: R.Tensor((2,), "float32")) -> R.Tensor(("n",), "float32"):
        z = R.zeros(R.shape([n]), "float32")
        return z
    y = R.zeros(R.shape([2]), "float32")
    w = inner(y)
    return w

# --- a_function_takes_a_function_over_the_outer_variable
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    @R.function
    def inner(y: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
        z = R.add(y, x)
        return z
    @R.function
    def app(f: R.Callable((R.Tensor((n,), "float32"),), R.Tensor((n,), "float32")), y: R.Tensor((n,), "float32")):
        z = f(y)
        return z
    w = app(inner, x)
    return w

# --- a_call_with_another_extent
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((3,), "float32")):
    n = T.int64()
    @R.function
    def inner(y: R.Tensor((n,), "float32")):
        z = R.add(y, y)
        return z
    w = inner(y)
    return w

# --- a_local_function_of_a_block_is_gone_behind_it
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    with R.dataflow():
        @R.function
        def inner(y: R.Tensor((n,), "float32")):
            z = R.add(y, y)
            return z
        w = inner(x)
        R.output(w)
    v = inner(w)
    return v

# --- a_local_function_may_be_an_output
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    with R.dataflow():
        @R.function
        def inner(y: R.Tensor((n,), "float32")):
            z = R.add(y, y)
            return z
        w = inner(x)
        R.output(w, inner)
    v = inner(w)
    return v

# --- a_local_function_that_calls_itself_is_no_dataflow_var
@R.function
def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow():
        @R.function
        def inner(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            if c:
                z = inner(y)
            else:
                z = R.add(y, y)
            return z
        w = inner(x)
        R.output(w)
    return w

# --- a_local_function_uses_another_of_its_block
@R.function
def main(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        @R.function
        def a(y: R.Tensor((2,), "float32")):
            z = R.add(y, y)
            return z
        @R.function
        def b(y: R.Tensor((2,), "float32")):
            z = a(y)
            return z
        w = b(x)
        R.output(w)
    return w

# --- a_local_function_uses_an_output_of_its_block
@R.function
def main(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        @R.function
        def a(y: R.Tensor((2,), "float32")):
            z = R.add(y, y)
            return z
        @R.function
        def b(y: R.Tensor((2,), "float32")):
            z = a(y)
            return z
        w = b(x)
        R.output(w, a)
    return w

# --- a_name_in_the_result_of_a_callable
@R.function
def main(p9: R.Shape(["n"]), p2: R.Tensor(dtype="int64")):
    @R.function
    def local5(a7: R.Callable((R.Tensor(("n + 1",), dtype="float16"),), R.Tensor(("n", "n", 2), dtype="float32"), True)):
        return a7
    return p2

# --- a_name_only_in_the_result_of_a_callable
@R.function
def main(p9: R.Shape(["k"])):
    @R.function
    def local3(a4: R.Callable((R.Tensor((8, "m"), dtype="float32"),), R.Tensor((3, "k"), dtype="uint8"), True)):
        return a4
    return p9

# --- a_name_in_a_callable
@R.function
def main(p9: R.Shape(["k"])):
    @R.function
    def local3(a4: R.Callable((R.Tensor((8, "k"), dtype="float32"),), R.Tensor((3, "k"), dtype="uint8"), True)):
        return a4
    return p9

# --- an_unknown_name_in_the_result_of_a_callable
@R.function
def main(p9: R.Shape(["m"])):
    @R.function
    def local3(a4: R.Callable((R.Tensor((8, "m"), dtype="float32"),), R.Tensor((3, "k"), dtype="uint8"), True)):
        return a4
    return p9
