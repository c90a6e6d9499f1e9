# --- dimensions_follow_through_operators
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m", 8), "float32")):
    n = T.int64()
    m = T.int64()
    y = R.matmul(x, w)
    z = R.reshape(y, R.shape([n * 8]))
    return z

# --- a_product_of_other_extents
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((4, 5), "float32")):
    y = R.matmul(x, w)
    return y

# --- broadcasting_of_constants_that_differ
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 4), "float32")):
    z = R.add(x, y)
    return z

# --- broadcasting_of_variables_that_may_differ
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
    z = R.add(x, y)
    return z

# --- a_cast_brings_a_variable
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    k = T.int64()
    y = R.match_cast(x, R.Tensor((k,), "float32"))
    z = R.concat([y, y], axis=0)
    return z

# --- a_cast_to_another_rank
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.match_cast(x, R.Tensor((6,), "float32"))
    return y

# --- a_variable_that_nothing_binds
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    k = T.int64()
    y = R.reshape(x, R.shape([k]))
    return y

# --- an_expression_binds_nothing
@R.function
def main(x: R.Tensor(("2 * n",), "float32")):
    return x

# --- a_dimension_of_a_scalar
@R.function
def main(n: R.Prim("int64"), x: R.Tensor(ndim=1, dtype="float32")):
    y = R.zeros(R.shape([n, 2]), "float32")
    return y

# --- branches_of_different_shapes
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        y = R.concat([x, x], axis=0)
    else:
        y = R.exp(x)
    return y

# --- branches_that_bind_different_variables
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        y = R.exp(x)
    else:
        z = R.log(x)
    return z

# --- a_branch_without_else
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        y = R.exp(x)
    return x

# --- a_device_that_the_module_lists
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor((4,), "float32", "cuda:0"), y: R.Tensor((4,), "float32")):
        return y

# --- a_device_that_it_does_not_list
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor((4,), "float32", "cuda:2"), y: R.Tensor((4,), "float32")):
        return y

# --- dimensions_and_their_number
@R.function
def main(x: R.Tensor((2, 3), "float32", ndim=2)):
    return x
