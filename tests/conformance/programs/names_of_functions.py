# --- self_call_at_toplevel
@R.function
def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    y = main(x)
    return y

# --- self_call_toplevel_annotated_unchecked
@R.function(check_well_formed=False)
def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    y = main(x)
    return y

# --- self_name_toplevel_value
@R.function
def main(x: R.Tensor((4,), "float32")) -> R.Object:
    return main

# --- self_name_local
@R.function
def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    @R.function
    def inner(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = main(x)
        return y
    z = inner(x)
    return z

# --- own_name_unannotated
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = main(x)
    return y

# --- own_name_private
@R.function(private=True)
def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    y = main(x)
    return y

# --- param_tensor_shape_var
@R.function
def main(s: R.Shape(ndim=2), x: R.Tensor(s, "float32")):
    return x

# --- tensor_of_later_param_shape
@R.function
def main(x: R.Tensor(s, "float32"), s: R.Shape(ndim=2)):
    return x

# --- tensor_of_shape_var_in_body
@R.function
def main(s: R.Shape(ndim=2)):
    y: R.Tensor(s, "float32") = R.zeros(s, "float32")
    return y

# --- unpack_same_name_three
@R.function
def main(t: R.Tuple(R.Object, R.Object, R.Object)):
    a, b, a = t
    return a

# --- unpack_same_underscore
@R.function
def main(t: R.Tuple(R.Object, R.Object, R.Object)):
    _, b, _ = t
    return b

# --- unpack_same_name_split
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    a, a = R.split(x, 2)
    return a

# --- unpack_same_name_literal
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    a, a = x, x
    return a

# --- unpack_same_name_declared
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n, n = T.int64(), T.int64()
    return x

# --- tuple_unpack_same_name
@R.function
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((5,), "float32"))):
    a, a = t
    return a

# --- attribute_target
@R.function
def main(x: R.Tensor((4,), "float32")):
    x.y = R.exp(x)
    return x

# --- subscript_target
@R.function
def main(x: R.Tensor((4,), "float32")):
    x[0] = R.exp(x)
    return x

# --- dataflow_no_call
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow:
        a = R.exp(x)
        R.output(a)
    return a

# --- output_in_branch
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.exp(x)
        if c:
            R.output(a)
        else:
            R.output(a)
    return a

# --- if_in_dataflow_without_else
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    with R.dataflow():
        if c:
            y = R.exp(x)
        R.output(y)
    return y

# --- tuple_unpack_x_shape
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n, m = x.shape
    return x

# --- x_shape_binding
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    s = x.shape
    y = R.zeros(s, "float32")
    return y

# --- x_shape_index
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    y = R.zeros((x.shape[0],), "float32")
    return y

# --- prim_value_of_none
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    y = R.prim_value(None)
    return y

# --- prim_value_of_list
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    y = R.prim_value([1])
    return y
