# --- op_matmul_matmul
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = x @ x
    return y

# --- op_and_bits_bool
@R.function
def main(x: R.Tensor((4, 4), "bool")):
    y = x & x
    return y

# --- op_or_bits
@R.function
def main(x: R.Tensor((4, 4), "bool")):
    y = x | x
    return y

# --- op_xor_bits
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x ^ x
    return y

# --- op_invert
@R.function
def main(x: R.Tensor((4, 4), "bool")):
    y = ~x
    return y

# --- op_shift
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x << x
    return y

# --- op_unary_plus
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = +x
    return y

# --- op_equal
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x == x
    return y

# --- op_equal_return
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    return x == x

# --- op_not_equal
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x != x
    return y

# --- op_equal_used_in_where
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x == x
    z = R.where(y, x, x)
    return z

# --- op_equal_unused
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x == x
    return x

# --- op_in_tuple
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x in (x, x)
    return x

# --- op_not
@R.function
def main(x: R.Tensor((), "bool")):
    y = not x
    return y

# --- op_not_unused
@R.function
def main(x: R.Tensor((), "bool")):
    y = not x
    return x

# --- op_and
@R.function
def main(x: R.Tensor((), "bool")):
    y = x and x
    return y

# --- op_and_unused
@R.function
def main(x: R.Tensor((), "bool")):
    y = x and x
    return x

# --- op_or
@R.function
def main(x: R.Tensor((), "bool")):
    y = x or x
    return y

# --- ifexp_tensor
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    y = x if c else x
    return y

# --- ifexp_python
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = x if True else R.nothing(x)
    return y

# --- ifexp_int_test
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = x if 1 else x
    return y

# --- ifexp_prim_test_tensors
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = x if n > 2 else x
    return y

# --- if_equal_stmt
@R.function
def main(x: R.Tensor((), "int32")):
    if x == x:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_equal_scalar_const
@R.function
def main(x: R.Tensor((), "int32")):
    y = x == R.const(1, "int32")
    return y

# --- add_str
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x + "a"
    return y

# --- add_none
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x + None
    return y

# --- add_tuple
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x + (x,)
    return y

# --- lt_number
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x < 1
    return y

# --- eq_number
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x == 1
    return y

# --- eq_none_unused
@R.function
def main(x: R.Tensor((4, 4), "int32")):
    y = x is None
    return x

# --- abs
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = abs(x)
    return y

# --- len
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = len(x)
    return x

# --- len_tuple
@R.function
def main(x: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
    y = len(x)
    return y

# --- t_bitwise
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = x ** x
    z = y // x
    w = z % x
    return -w

# --- number_plus_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = 1 + x
    return y

# --- shape_equal
@R.function
def main(x: R.Shape(["n"]), y: R.Shape(["n"])):
    z = x == y
    return x

# --- tuple_var_concat
@R.function
def main(x: R.Tuple(R.Tensor((4, 4), "float32"))):
    y = x + x
    return y

# --- obj_equal
@R.function
def main(x: R.Object):
    y = x == x
    return y

# --- or_unused_with_string
@R.function
def main(x: R.Tensor((), "bool")):
    y = True and x
    return y

# --- or2
@R.function
def main(x: R.Tensor((), "bool")):
    y = False or x
    return y

# --- or3
@R.function
def main(x: R.Tensor((), "bool")):
    y = True or x
    return x

# --- ifexp_prim_nonbool_test
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.zeros((n if n else 3,), "float32")
    return y

# --- ifexp_none_test
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = x if None else x
    return y

# --- ifexp_str_test
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = x if "a" else x
    return y

# --- 1_and_x
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = 1 and x
    return y

# --- none_or_x
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = None or x
    return y

# --- x_or_none
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = x or None
    return y

# --- prim_and_tensor
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = (n > 1) and x
    return y

# --- sum
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = sum(x)
    return y

# --- max_of_two
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = max(x, x)
    return y

# --- max_of_one
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = max(x)
    return y

# --- int
@R.function
def main(x: R.Tensor((), "float32")):
    y = int(x)
    return y

# --- float
@R.function
def main(x: R.Tensor((), "float32")):
    y = float(x)
    return y

# --- bool
@R.function
def main(x: R.Tensor((), "float32")):
    y = bool(x)
    return y

# --- str
@R.function
def main(x: R.Tensor((), "float32")):
    y = str(x)
    return x

# --- list_of_tuple
@R.function
def main(x: R.Tuple(R.Tensor((3,), "float32"), R.Tensor((3,), "float32"))):
    y = list(x)
    return x

# --- print_py
@R.function
def main(x: R.Tensor((3,), "float32")):
    print(x)
    return x

# --- range
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = range(x)
    return x

# --- round
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = round(x)
    return y

# --- divmod
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = divmod(x, x)
    return y

# --- len_of_list
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = len([x, x])
    return y

# --- len_of_shape
@R.function
def main(x: R.Shape(["n", "m"])):
    y = len(x)
    return y

# --- hash
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = type(x)
    return x

# --- zip
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = zip(x, x)
    return x

# --- all
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = all(x)
    return x

# --- fstring
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.const(1, f"float{32}")
    return y

# --- await
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = {x: 1}
    return x

# --- set
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = {1, 2}
    return x

# --- dict
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = {"a": x}
    return x

# --- bind_dict_return
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = {"a": x}
    return y

# --- return_none
@R.function
def main(x: R.Tensor((3,), "float32")):
    return None

# --- return_nested_list
@R.function
def main(x: R.Tensor((3,), "float32")):
    return (x, [x])

# --- return_tuple_none
@R.function
def main(x: R.Tensor((3,), "float32")):
    return (x, None)

# --- return_annotation
@R.function
def main(x: R.Tensor((3,), "float32")):
    return R.Tensor((3,), "float32")

# --- return_op_name
@R.function
def main(x: R.Tensor((3,), "float32")):
    return R.add

# --- bind_op_name
@R.function
def main(x: R.Tensor((3,), "float32")):
    f = R.add
    y = f(x, x)
    return y

# --- return_module
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        return M

# --- return_global
@I.ir_module
class M:
    @R.function
    def f(x: R.Tensor((3,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        return M.f

# --- op_name_not_called_as_arg
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.add(R.add, x)
    return y

# --- annotation_as_arg
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.add(R.Tensor((3,), "float32"), x)
    return y

# --- module_as_arg
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        y = R.add(M, x)
        return y

# --- comp_equal
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = [a == a for a in (x, x)]
    return x

# --- lambda_equal
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = (lambda a: a == a)(x)
    return x

# --- comp_ifexp_int
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = [a if 1 else a for a in (x, x)]
    return x

# --- helper_equal
def h(a):
    return a == a
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = h(x)
    return x

# --- r_shape_0
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.zeros((R.shape([3, 4])[0],), "float32")
    return y

# --- shape_of_index
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.shape_of(x)[0]
    return y

# --- call_result_index_tuple
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.split(x, 2)[0]
    return y

# --- list_index_out_of_range
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = (x, x)[3]
    return y

# --- list_index_ok
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = (x, x)[1]
    return y

# --- str_index
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.add(x, x)["a"]
    return y

# --- call_result_of_call
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.add(x, x)(x)
    return y

# --- x_is_y
@R.function
def main(x: R.Tensor((4,), "float32")):
    if x is None:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_true
@R.function
def main(x: R.Tensor((4,), "float32")):
    if True:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_1
@R.function
def main(x: R.Tensor((4,), "float32")):
    if 1:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_tensor_float
@R.function
def main(x: R.Tensor((4,), "float32")):
    if x:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_shape
@R.function
def main(s: R.Shape(["n"]), x: R.Tensor((4,), "float32")):
    if s:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_object
@R.function
def main(s: R.Object, x: R.Tensor((4,), "float32")):
    if s:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_prim
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    if n > 3:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_prim_int
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    if n:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y

# --- if_function
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        if M.main:
            y = R.add(x, x)
        else:
            y = R.multiply(x, x)
        return y
