# Values that are only known at run time, where an operator needs a constant, and where it accepts them.

# --- variable_for_a_truth_value
@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y = R.sum(x, keepdims=n)
    return y

# --- scalar_for_a_truth_value
@R.function
def main(x: R.Tensor((2, 4), "float32"), truth: R.Prim("bool")):
    y = R.sort(x, descending=truth)
    return y

# --- variable_for_an_integer
@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y = R.topk(x, k=n)
    return y

# --- variable_among_axes
@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y = R.sum(x, axis=[n])
    return y

# --- variable_for_a_float
@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y = R.nn.leakyrelu(x, n)
    return y

# --- variable_for_a_string
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), g: R.Tensor((1, 2, 8, 8), "float32"), s: R.Shape(["n"])):
    n = T.int64()
    y = R.image.grid_sample(x, g, padding_mode=n)
    return y

# --- shape_for_an_axis
@R.function
def main(x: R.Tensor((2, 4), "float32"), s: R.Shape(["n"])):
    y = R.sort(x, axis=s)
    return y

# --- prim_value_for_an_integer
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.repeat(x, R.prim_value(2))
    return y

# --- prim_value_for_sections
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.split(x, R.prim_value(2))
    return y

# --- truth_value_for_an_axis
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.sum(x, axis=True)
    return y

# --- variables_where_they_are_taken
@R.function
def main(x: R.Tensor(("n", 4), "float32"), integer: R.Prim("int64")):
    n = T.int64()
    a = R.eye(n, n + 1, integer)
    b = R.arange(0, n, 1)
    c = R.tril(x, n)
    d = R.strided_slice(x, [0], [0], [n])
    e = R.hamming_window(n, True, 0.5, 0.5)
    f = R.clip(x, n, integer)
    return a

# --- none_for_a_string
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.take(x, R.const([0, 1], "int64"), axis=0, mode=None)
    return y

# --- none_for_a_dtype
@R.function
def main(n: R.Prim("int64")):
    y = R.eye(3, dtype=None)
    return y

# --- tensor_for_the_dtype_of_a_view
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.memory.view(x, dtype=x)
    return y

# --- word_for_the_dtype_of_a_storage
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.vm.alloc_storage(R.shape([4]), 0, "word")
    return y

# --- list_for_the_shape_in_a_storage
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.memory.alloc_tensor(x, 0, (2, 4), "float32")
    return y

# --- list_for_the_shape_in_a_storage_of_the_vm
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.vm.alloc_tensor(x, 0, (2, 4), "float32")
    return y

# --- number_for_the_shape_in_a_storage
@R.function
def main(x: R.Tensor((2, 4), "float32"), s: R.Shape(["n"])):
    n = T.int64()
    y = R.memory.alloc_tensor(x, 0, n, "float32")
    return y

# --- storage_beside_devices
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor((2, 4), "float32")):
        a = R.memory.alloc_tensor(x, 0, R.shape([2, 3]), "float32")
        b = R.memory.alloc_tensor(x, 0, R.shape([2, 3]), "float32", 1)
        c = R.builtin.alloc_tensor(R.shape([2, 3]), "float32", 1)
        return a

# --- annotations_of_whole_values
@R.function
def main(x: R.Tensor(("n", 4), "float32"), e: R.Shape([])):
    n = T.int64()
    a: R.Tensor = R.const([1, 2])
    b: R.Shape(ndim=2) = R.shape([n, 4])
    c: R.Tuple(R.Tensor, R.Tensor) = R.tuple(x, x)
    d: R.Tensor = R.abs(x)
    f: R.Shape([]) = R.shape_of(x)
    return a

# --- functions_inside_that_cast
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()

    @R.function
    def as_it_is() -> R.Tensor((n, m)):
        return x

    @R.function
    def cast() -> R.Tensor((n, m)):
        y = R.match_cast(x, R.Tensor((n, m), "float32"))
        return y

    @R.function
    def cast_beside() -> R.Tensor((n, m)):
        q = T.int64()
        y = R.match_cast(x, R.Tensor((n, q), "float32"))
        return x

    return x

# --- tuple_of_a_variable_for_a_closure
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor)):
    f = R.make_closure("packed", t)
    return f

# --- tensor_for_a_closure
@R.function
def main(x: R.Tensor((4,), "float32")):
    f = R.make_closure("packed", x)
    return f

# --- integer_for_a_device
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.hint_on_device(x, 1)
    return y

# --- variable_for_a_prim_func
@R.function
def main(x: R.Tensor((4,), "float32"), f: R.Callable((R.Tensor,), R.Tensor, True)):
    y = R.call_tir(f, (x,), R.Tensor((4,), "float32"))
    return y
