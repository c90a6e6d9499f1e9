# --- outputs_are_visible_after_the_block
@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    with R.dataflow():
        y = R.nn.relu(x)
        z = R.sum(y, axis=1)
        R.output(z)
    return z

# --- other_variables_are_not
@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    with R.dataflow():
        y = R.nn.relu(x)
        z = R.sum(y, axis=1)
        R.output(z)
    return y

# --- a_block_without_output_keeps_its_variables
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
    return y

# --- a_branch_in_a_block
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    with R.dataflow():
        if c:
            y = R.exp(x)
        else:
            y = R.log(x)
        R.output(y)
    return y

# --- an_impure_operator_in_a_block
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        _ = R.print(y, format="{}")
        R.output(y)
    return y

# --- a_packed_function_in_a_block
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.call_packed("change", x, ty_args=[R.Tensor((4,), "float32")])
        R.output(y)
    return y

# --- a_pure_packed_function_in_a_block
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.call_pure_packed("square", x, ty_args=[R.Tensor((4,), "float32")])
        R.output(y)
    return y

# --- a_local_function_that_takes_what_the_block_binds
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        @R.function
        def inner(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return R.add(z, y)
        w = inner(x)
        R.output(w)
    return w

# --- a_binding_after_the_output
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
        z = R.exp(y)
    return y
