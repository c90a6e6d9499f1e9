# --- an_impure_operator_in_a_pure_function
@R.function
def main(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x

# --- the_same_where_impurity_is_said
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x

# --- the_same_where_purity_is_forced
@R.function
def main(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True})
    _ = R.print(x, format="{}")
    return x

# --- purity_that_is_forced_and_denied
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True})
    return x

# --- a_call_of_an_impure_function
@I.ir_module
class Module:
    @R.function(pure=False)
    def say(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        _ = R.print(x, format="{}")
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = cls.say(x)
        return y

# --- a_call_of_a_pure_function
@I.ir_module
class Module:
    @R.function
    def double(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = cls.double(x)
        return y

# --- a_packed_function_in_a_pure_function
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.call_packed("change", x, ty_args=[R.Tensor((4,), "float32")])
    return y
