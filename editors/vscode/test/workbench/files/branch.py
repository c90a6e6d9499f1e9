"""One function with two branches and a function inside, for its graph."""

from tvm.script import relax as R


@R.function
def choose(flag: R.Tensor((), "bool"), x: R.Tensor(("n", 4), "float32")):
    @R.function
    def twice(a: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        return R.add(a, a)

    if flag:
        big = R.exp(x)
        y = R.multiply(big, R.const(2.0, "float32"))
    else:
        y = twice(x)
    return R.nn.relu(y)
