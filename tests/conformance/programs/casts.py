# --- match_cast_no_binding
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    q = T.int64()
    R.match_cast(x, R.Tensor((q,), "float32"))
    return x

# --- match_cast_nested_in_call
@R.function
def main(x: R.Object):
    y = R.exp(R.match_cast(x, R.Tensor((4,), "float32")))
    return y

# --- mc_return
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    return R.match_cast(x, R.Tensor((4,), "float32"))

# --- mc_annotated
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    y: R.Tensor((4,), "float32") = R.match_cast(x, R.Tensor((4,), "float32"))
    return y

# --- mc_in_tuple
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    y = (R.match_cast(x, R.Tensor((4,), "float32")), x)
    return y

# --- mc_index
@R.function
def main(x: R.Object):
    y = R.match_cast(x, R.Tuple(R.Tensor((4,), "float32")))[0]
    return y

# --- mc_operator
@R.function
def main(x: R.Object):
    y = R.match_cast(x, R.Tensor((4,), "float32")) + x
    return y

# --- mc_attr
@R.function
def main(x: R.Object):
    y = R.match_cast(x, R.Tensor((4,), "float32")).astype("int32")
    return y

# --- mc_unpack
@R.function
def main(x: R.Object):
    a, b = R.match_cast(x, R.Tuple(R.Tensor((4,), "float32"), R.Object))
    return a

# --- mc_call_arg_global
@I.ir_module
class Module:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function
    def main(x: R.Object):
        cls = Module
        y = cls.g(R.match_cast(x, R.Tensor((4,), "float32")))
        return y

# --- mc_call_packed_arg
@R.function(pure=False)
def main(x: R.Object):
    y = R.call_packed("f", R.match_cast(x, R.Tensor((4,), "float32")), ty_args=R.Object)
    return y

# --- mc_value_is_op
@R.function
def main(x: R.Object):
    y = R.match_cast(R.exp(x), R.Tensor((4,), "float32"))
    return y

# --- mc_match_of_match
@R.function
def main(x: R.Object):
    y = R.match_cast(R.match_cast(x, R.Tensor(ndim=1)), R.Tensor((4,), "float32"))
    return y

# --- mc_if_cond
@R.function
def main(x: R.Object):
    if R.match_cast(x, R.Tensor((), "bool")):
        y = x
    else:
        y = x
    return y

# --- mc_of_shape_var
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.match_cast(n, R.Prim("int64"))
    return y

# --- mc_of_number
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = R.match_cast(1, R.Prim("int64"))
    return y

# --- mc_bool_number
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.match_cast(True, R.Prim("bool"))
    return y

# --- mc_int_number
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.match_cast(1, R.Prim("int32"))
    return y

# --- mc_float_number
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.match_cast(1.5, R.Prim("float32"))
    return y

# --- mc_t_number
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.match_cast(T.int64(1), R.Prim("int64"))
    return y

# --- mc_prim_value
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.match_cast(R.prim_value(1), R.Prim("int64"))
    return y

# --- mc_big_number
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.match_cast(3000000000, R.Prim("int64"))
    return y

# --- match_cast_expr_dim
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    q = T.int64()
    y = R.match_cast(x, R.Tensor((q + 1,), "float32"))
    return y

# --- match_cast_shape
@R.function
def main(s: R.Shape(ndim=2)):
    q = T.int64()
    p = T.int64()
    t = R.match_cast(s, R.Shape([q, p]))
    y = R.zeros((q, p), "float32")
    return y
