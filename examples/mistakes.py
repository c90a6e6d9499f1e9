"""What relax-lsp says about mistakes: run `relax-lsp check examples/mistakes.py`."""

from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Mistakes:
    @R.function
    def shapes(x: R.Tensor(("n", 3), "float32"), y: R.Tensor((4, 5), "float32")):
        z = R.matmul(x, y)  # 3 against 4
        return z

    @R.function
    def names(x: R.Tensor(("n", 3), "float32")):
        with R.dataflow():
            doubled = R.add(x, x)
            result = R.multiply(doubled, x)
            R.output(result)
        return doubled  # stays in its dataflow block

    @R.function
    def purity(x: R.Tensor((2, 3), "float32")):
        _ = R.print(x, format="{}")  # a side effect in a function that is pure
        return x
