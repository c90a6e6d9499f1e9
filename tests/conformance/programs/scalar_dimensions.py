# --- prim_param_added_to_shape
@R.function
def main(x: R.Tensor(("n",), "float32"), k: R.Prim("int64")):
    y = R.zeros(R.shape([k]), "float32")
    return y

# --- prim_param_sum_in_shape
@R.function
def main(x: R.Tensor(("n",), "float32"), k: R.Prim("int64")):
    n = T.int64()
    m = n + k
    y = R.zeros((m, 2), "float32")
    return y

# --- match_cast_prim_then_shape
@R.function
def main(x: R.Object):
    k = R.match_cast(x, R.Prim("int64"))
    y = R.zeros((k,), "float32")
    return y

# --- prim_float_as_dim
@R.function
def main(x: R.Prim("float32")):
    y = R.zeros((x,), "float32")
    return y

# --- prim_int32_as_dim
@R.function
def main(x: R.Prim("int32")):
    y = R.zeros((x,), "float32")
    return y

# --- t_cast_in_shape
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    d = R.zeros((T.cast(n, "int32"),), "float32")
    return d

# --- t_min_in_shape
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    d = R.zeros((T.min(n, m), T.max(n, 4)), "float32")
    return d

# --- prim_value_shape_var
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    c = R.prim_value(n * 2)
    d = R.zeros((c,), "float32")
    return d

# --- prim_in_shape_of_list_var
@R.function
def main(k: R.Prim("int64")):
    s = R.shape([k, 4])
    y = R.zeros(s, "float32")
    return y

# --- prim_arith_in_zeros
@R.function
def main(k: R.Prim("int64")):
    y = R.zeros((k + 1, 4), "float32")
    return y

# --- prim_arith_in_reshape
@R.function
def main(x: R.Tensor(("n",), "float32"), k: R.Prim("int64")):
    y = R.reshape(x, (k, 4))
    return y

# --- prim_int32_in_broadcast
@R.function
def main(x: R.Tensor((1,), "float32"), k: R.Prim("int32")):
    y = R.broadcast_to(x, (k,))
    return y

# --- prim_int32_in_shape
@R.function
def main(x: R.Tensor((1,), "float32"), k: R.Prim("int32")):
    y = R.shape([k])
    return y

# --- prim_bool_in_zeros
@R.function
def main(x: R.Tensor((1,), "float32"), k: R.Prim("bool")):
    y = R.zeros((k,), "float32")
    return y

# --- t_int32_const_in_zeros
@R.function
def main(x: R.Tensor((1,), "float32")):
    y = R.zeros((T.int32(4),), "float32")
    return y

# --- compare_in_zeros
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.zeros((n > 2,), "float32")
    return y

# --- prim_in_tuple_in_zeros
@R.function
def main(t: R.Tuple(R.Prim("int64"), R.Object)):
    y = R.zeros((t[0],), "float32")
    return y

# --- prim_int32_in_tuple_in_zeros
@R.function
def main(t: R.Tuple(R.Prim("int32"), R.Object)):
    y = R.zeros((t[0],), "float32")
    return y

# --- prim_value_in_zeros
@R.function
def main(t: R.Tensor((), "int64")):
    y = R.zeros((R.prim_value(4),), "float32")
    return y

# --- compare_in_annotation
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y: R.Tensor((n > 2,), "float32") = R.add(x, x)
    return y

# --- compare_in_string
@R.function
def main(x: R.Tensor(("n", "n > 2"), "float32")):
    return x

# --- bool_in_zeros
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = R.zeros((True,), "float32")
    return y

# --- reshape_prim_tuple
@R.function
def main(x: R.Tensor((4,), "float32"), t: R.Tuple(R.Prim("int64"), R.Prim("int64"))):
    y = R.reshape(x, (t[0], t[1]))
    return y

# --- broadcast_prim_tuple
@R.function
def main(x: R.Tensor((1,), "float32"), t: R.Tuple(R.Prim("int64"), R.Prim("int64"))):
    y = R.broadcast_to(x, (t[0], t[1]))
    return y

# --- full_prim
@R.function
def main(v: R.Tensor((), "float32"), k: R.Prim("int64")):
    y = R.full((k, 2), v, "float32")
    return y

# --- full_prim_int32
@R.function
def main(v: R.Tensor((), "float32"), k: R.Prim("int32")):
    y = R.full((k, 2), v, "float32")
    return y

# --- strided_slice_prim
@R.function
def main(x: R.Tensor((10,), "float32"), k: R.Prim("int64")):
    y = R.strided_slice(x, [0], [0], [k])
    return y

# --- strided_slice_prim_int32
@R.function
def main(x: R.Tensor((10,), "float32"), k: R.Prim("int32")):
    y = R.strided_slice(x, [0], [0], [k])
    return y

# --- arange_prim
@R.function
def main(k: R.Prim("int64")):
    y = R.arange(0, k, 1, "int64")
    return y

# --- resize_prim
@R.function
def main(x: R.Tensor((1, 3, 4, 4), "float32"), k: R.Prim("int64")):
    y = R.image.resize2d(x, (k, 8))
    return y

# --- shape_list_var
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    s = [n, 4]
    y = R.zeros(s, "float32")
    return y

# --- shape_tuple_var
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    s = (n, 4)
    y = R.zeros(s, "float32")
    return y

# --- tuple_param_as_shape
@R.function
def main(t: R.Tuple(R.Prim("int64"), R.Prim("int64"))):
    y = R.zeros(t, "float32")
    return y

# --- body_annotation_prim_dim
@R.function
def main(k: R.Prim("int64"), x: R.Tensor(ndim=1, dtype="float32")):
    y: R.Tensor((k,), "float32") = R.zeros((k,), "float32")
    return y

# --- out_ty_prim_dim
@R.function
def main(k: R.Prim("int64"), x: R.Tensor(ndim=1, dtype="float32")):
    y = R.call_dps_packed("f", (x,), out_ty=R.Tensor((k,), "float32"))
    return y

# --- ty_args_prim_dim
@R.function(pure=False)
def main(k: R.Prim("int64"), x: R.Tensor(ndim=1, dtype="float32")):
    y = R.call_packed("f", x, ty_args=R.Tensor((k,), "float32"))
    return y
