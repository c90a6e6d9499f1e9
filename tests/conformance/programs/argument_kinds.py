# --- pool_backward_strides_int
@R.function
def main(g: R.Tensor((1, 1, 2, 2), "float32"), x: R.Tensor((1, 1, 4, 4), "float32")):
    y = R.grad.max_pool2d_backward(g, x, (2, 2), 1)
    return y

# --- pool_backward_strides_list
@R.function
def main(g: R.Tensor((1, 1, 2, 2), "float32"), x: R.Tensor((1, 1, 4, 4), "float32")):
    y = R.grad.max_pool2d_backward(g, x, (2, 2), (1, 1))
    return y

# --- hint_on_device_none
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.hint_on_device(x, None)
    return y

# --- hint_on_device_cpu
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.hint_on_device(x, R.cpu(0))
    return y

# --- sort_descending_float
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.sort(x, 0, 1.5)
    return y

# --- sort_descending_int
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.sort(x, 0, 1)
    return y

# --- softplus_beta_none
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.nn.softplus(x, None)
    return y

# --- keyword_twice
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.sum(x, axis=0, axis=0)
    return y

# --- dtype_by_position_and_name
@R.function
def main(x: R.Tensor((2,), "float32", dtype="float32")):
    return x

# --- inplace_packed_of_another_rank
@R.function(pure=False)
def main(x: R.Tensor((2,), "float32")):
    y = R.call_inplace_packed("f", x, inplace_indices=0, ty_args=R.Tensor(ndim=2))
    return y

# --- inplace_packed_of_wider
@R.function(pure=False)
def main(x: R.Tensor((2,), "float32")):
    y = R.call_inplace_packed("f", x, inplace_indices=0, ty_args=R.Tensor(ndim=1))
    return y

# --- inplace_packed_of_narrower
@R.function(pure=False)
def main(x: R.Tensor):
    y = R.call_inplace_packed("f", x, inplace_indices=0, ty_args=R.Tensor(ndim=1))
    return y

# --- inplace_packed_of_several
@R.function(pure=False)
def main(x: R.Tensor((2,), "float32"), z: R.Tensor((2,), "float32")):
    y = R.call_inplace_packed("f", x, z, inplace_indices=[0, -1], ty_args=[R.Tensor((3,), "float32"), R.Tensor((2,), "float32")])
    return y

# --- in_tuple
@R.function
def main(x: R.Tensor((2,), "float32"), t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor)):
    y = x in t
    return x

# --- not_in_tuple
@R.function
def main(x: R.Tensor((2,), "float32"), t: R.Tuple(R.Tensor, R.Tensor((2,), "float32"))):
    y = x not in t
    return x

# --- in_literal_tuple
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = x in (x, x)
    return x

# --- str_of_str
@R.function
def main():
    y = R.str(R.str("a"))
    return y

# --- prim_value_none
@R.function
def main():
    y = R.prim_value(None)
    return y

# --- tgi_none
@R.function
def main(t: R.Tuple(R.Tensor, R.Tensor)):
    y = R.TupleGetItem(t, None)
    return y

# --- index_none
@R.function
def main(t: R.Tuple(R.Tensor, R.Tensor)):
    y = t[None]
    return y
