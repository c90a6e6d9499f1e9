# --- integers_keep_their_dtype
@R.function
def main(k: R.Prim("int32")):
    y = k + 1
    z = 1 + k
    w = k + 10000000000
    return y

# --- integers_of_two_widths
@R.function
def main(k: R.Prim("int32"), j: R.Prim("int64"), f: R.Prim("float32"), b: R.Prim("bool")):
    a1 = k + j
    return a1

# --- signed_and_unsigned
@R.function
def main(k: R.Prim("uint8"), j: R.Prim("int8"), l: R.Prim("uint32"), m: R.Prim("int32")):
    y = k + j
    z = l + m
    w = k + l
    v = k + m
    u = j * l
    return y

# --- a_number_beside_a_narrow_one
@R.function
def main(k: R.Prim("int8"), u: R.Prim("uint64"), s: R.Prim("int16")):
    y = k + 1
    z = u + 1
    w = s * 100000
    v = k // 2
    t = k % 2
    p = k << 1
    q = 1 << k
    r = k & 1
    return y

# --- an_integer_and_a_float
@R.function
def main(k: R.Prim("int64")):
    y = k * 1.5
    z = 2.5 - k
    w = k < 1.5
    return y

# --- floats_of_two_widths
@R.function
def main(k: R.Prim("float16"), j: R.Prim("float32")):
    y = k + j
    z = k + 1.5
    w = k * 2
    return y

# --- the_two_floats_of_sixteen_bits
@R.function
def main(k: R.Prim("float64"), u: R.Prim("bfloat16"), s: R.Prim("float16")):
    y = k + 1.5
    z = u + s
    w = u + 1
    return y

# --- truth_values_are_added
@R.function
def main(k: R.Prim("bool"), j: R.Prim("int64")):
    y = k + j
    return y

# --- negation_keeps_the_dtype
@R.function
def main(k: R.Prim("int8"), f: R.Prim("float16"), h: R.Prim("int32")):
    y = -k
    z = -f
    w = -h
    return y

# --- an_unsigned_one_is_not_negated
@R.function
def main(k: R.Prim("uint8")):
    y = -k
    return y

# --- bits
@R.function
def main(f: R.Prim("int64"), g: R.Prim("int64")):
    a3 = f << 1
    a4 = f >> g
    a5 = f & 1
    a6 = f | 1
    a7 = f ^ 1
    a8 = ~f
    return a3

# --- bits_of_truth_values
@R.function
def main(k: R.Prim("bool"), j: R.Prim("bool")):
    y = k & j
    return y

# --- a_float_has_no_bits
@R.function
def main(k: R.Prim("float32")):
    y = k & 1
    return y

# --- integers_are_not_divided_so
@R.function
def main(f: R.Prim("int64"), g: R.Prim("int64")):
    a3 = f / g
    return a3

# --- floats_are_not_divided_so
@R.function
def main(f: R.Prim("float32"), g: R.Prim("float32")):
    a3 = f // g
    return a3

# --- powers
@R.function
def main(f: R.Prim("int64"), g: R.Prim("int64")):
    a3 = f ** g
    return a3

# --- comparisons
@R.function
def main(f: R.Prim("int64"), g: R.Prim("int64")):
    a1 = f < g
    a2 = f <= g
    a3 = f > g
    a4 = f >= g
    a5 = f == g
    a6 = f != g
    return a1

# --- a_comparison_of_two_dtypes
@R.function
def main(j: R.Prim("int64"), i: R.Prim("int32")):
    v = j == i
    return v

# --- comparisons_in_a_row
@R.function
def main(j: R.Prim("int64")):
    y = 1 < j < 3
    return y

# --- not
@R.function
def main(j: R.Prim("bool")):
    y = not j
    return y

# --- and
@R.function
def main(j: R.Prim("bool")):
    y = j and j
    return y

# --- a_choice
@R.function
def main(j: R.Prim("bool"), k: R.Prim("int64")):
    y = k if j else k + 1
    return y

# --- casts
@R.function
def main(f: R.Prim("int64")):
    a3 = T.cast(f, "float32")
    a4 = T.float32(f)
    a5 = T.int32(f)
    a6 = f.astype("int32")
    return a3

# --- casts_of_all_kinds
@R.function
def main(k: R.Prim("int64"), f: R.Prim("float32")):
    a = T.Cast("int32", k)
    b = T.cast(k, "float16")
    c = T.int64(f)
    d = T.bool(k)
    e = T.uint8(k)
    g = T.float16(f)
    h = T.reinterpret("int32", f)
    return a

# --- functions_of_integers
@R.function
def main(k: R.Prim("int64"), f: R.Prim("float32")):
    a = T.min(k, 3)
    b = T.max(k, k)
    c = T.exp(f)
    d = T.floordiv(k, 2)
    e = T.if_then_else(k < 3, k, 1)
    g = T.Select(k < 3, f, T.float32(1))
    h = T.abs(k)
    i = T.sqrt(f)
    return a

# --- functions_of_floats
@R.function
def main(k: R.Prim("int64"), f: R.Prim("float32")):
    c = T.floor(f)
    d = T.truncdiv(k, 2)
    d2 = T.truncmod(k, 2)
    e = T.floormod(k, 2)
    g = T.ceildiv(k, 2)
    h = T.min(f, T.float32(1))
    i = T.pow(f, f)
    return c

# --- a_literal_has_the_dtype_it_says
@R.function
def main(x: R.Tensor((2,), "float32")):
    a = T.float16(1.5)
    b = T.int32(3)
    c = T.bool(True)
    d = T.int64(16)
    e = T.float32(3)
    return a

# --- a_number_of_python_is_a_tensor
@R.function
def main(x: R.Tensor((2,), "float32")):
    a = 1
    b = 1.5
    c = True
    return a

# --- a_float_as_a_scalar
@R.function
def main(x: R.Tensor((2,), "float32")):
    a = R.prim_value(1.5)
    b = R.prim_value(2)
    c = R.prim_value(True)
    return a

# --- scalars_of_all_kinds
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.prim_value(n + 1)
    b = R.prim_value(T.float16(1.5))
    c = R.prim_value(T.int32(3))
    d = R.prim_value(n < 3)
    return a

# --- a_literal_as_a_dimension
@R.function
def main(x: R.Tensor((2,), "float32")):
    C = T.int64(2)
    y = R.zeros(R.shape([C * 2, C + 1]), "float32")
    return y

# --- a_dimension_is_an_int64
@R.function
def main(x: R.Tensor((2,), "float32"), k: R.Prim("int32")):
    y = R.zeros(R.shape([k, k * 2]), "float32")
    return y

# --- a_cast_gives_a_number
@R.function
def main(x: R.Object):
    k = R.match_cast(x, R.Prim("int64"))
    j = k + 1
    z = R.zeros(R.shape([j, k * 2]), "float32")
    return z

# --- a_cast_gives_a_float
@R.function
def main(x: R.Object):
    k = R.match_cast(x, R.Prim("float32"))
    j = k + 1.0
    return j

# --- a_cast_of_a_tuple_gives_a_number
@R.function
def main(x: R.Object):
    n = T.int64()
    t = R.match_cast(x, R.Tuple(R.Prim("int64"), R.Tensor((n,), "float32")))
    a = t[0]
    z = R.zeros(R.shape([a, n]), "float32")
    return z

# --- what_both_branches_bind_is_a_number
@R.function
def main(c: R.Prim("bool"), k: R.Prim("int64")):
    if c:
        a = k + 1
    else:
        a = k * 2
    z = R.zeros(R.shape([a]), "float32")
    return z

# --- a_field_is_a_dimension
@R.function
def main(t: R.Tuple(R.Prim("int64"), R.Prim("float32"))):
    a = t[0] + 1
    b = t[1] * 2.0
    z = R.zeros(R.shape([t[0]]), "float32")
    return a

# --- a_result_is_a_dimension
@I.ir_module
class M:
    @R.function
    def f(k: R.Prim("int64")) -> R.Prim("int64"):
        return k
    @R.function
    def main(j: R.Prim("int64")):
        cls = M
        a = cls.f(j)
        b = a + 1
        z = R.zeros(R.shape([a, b]), "float32")
        return z

# --- a_scalar_may_be_negative
@R.function
def main(k: R.Prim("int64"), x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.arange(0, k, 2)
    b = R.arange(0, n, 2)
    c = R.arange(k, n, 1)
    return a

# --- shifts_in_a_string
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n << 1",), "float32")):
    return y

# --- a_number_of_python_in_a_string
k = 4
@R.function
def main(x: R.Tensor(("n", "n * k"), "float32")):
    return x

# --- a_string_hides_a_number_of_python
k = 4
@R.function
def main(x: R.Tensor(("k", "k * 2"), "float32")):
    y = R.zeros(R.shape([k]), "float32")
    return y

# --- the_result_is_told
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    R.func_ret_value(y)

# --- the_result_is_told_twice
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    R.func_ret_value(y)
    return y

# --- something_follows_the_result
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    R.func_ret_value(y)
    z = R.add(y, y)

# --- an_impure_function_is_cast_to_a_pure_one
@R.function
def main(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), False), x: R.Tensor((2,), "float32")):
    g = R.match_cast(f, R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), True))
    y = g(x)
    return y

# --- a_pure_function_is_not_cast_to_an_impure_one
@R.function(pure=False)
def main(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), True), x: R.Tensor((2,), "float32")):
    g = R.match_cast(f, R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), False))
    y = g(x)
    return y

# --- a_packed_function_is_cast_to_a_pure_one
@R.function
def main(f: R.Callable, x: R.Tensor((2,), "float32")):
    g = R.match_cast(f, R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32")))
    y = g(x)
    return y
