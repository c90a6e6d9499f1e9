"""Three axes, to look at slices."""

from tvm.script import relax as R


@R.function
def double(x: R.Tensor(("n", 2, 3), "float32")) -> R.Tensor(("n", 2, 3), "float32"):
    y = R.add(x, x)
    return y
