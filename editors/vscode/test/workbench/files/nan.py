"""The square root of a negative number is not a number."""

from tvm.script import relax as R


@R.function
def main() -> R.Tensor((4,), "float32"):
    with R.dataflow():
        steps = R.arange(0, 4, 1, dtype="float32")
        two = R.const(2.0, "float32")
        shifted = R.subtract(steps, two)
        roots = R.sqrt(shifted)
        scaled = R.multiply(roots, two)
        R.output(scaled)
    return scaled
