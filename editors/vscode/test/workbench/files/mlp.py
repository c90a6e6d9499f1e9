"""A perceptron with two layers, a slow function, and one that fails while it runs."""

from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def forward(
        x: R.Tensor(("batch", 16), "float32"),
        w1: R.Tensor((16, 32), "float32"),
        w2: R.Tensor((32, 10), "float32"),
    ) -> R.Tensor(("batch", 10), "float32"):
        with R.dataflow():
            hidden = R.matmul(x, w1)
            active = R.nn.relu(hidden)
            logits = R.matmul(active, w2)
            probs = R.nn.softmax(logits, axis=-1)
            R.output(probs)
        return probs

    @R.function
    def busy(a: R.Tensor(("n", "n"), "float32")) -> R.Tensor(("n", "n"), "float32"):
        with R.dataflow():
            b = R.matmul(a, a)
            c = R.matmul(b, b)
            d = R.matmul(c, c)
            e = R.matmul(d, d)
            R.output(e)
        return e

    @R.function
    def narrow(x: R.Tensor(("n", 4), "float32")) -> R.Tensor((3, 4), "float32"):
        y = R.match_cast(x, R.Tensor((3, 4), "float32"))
        return y
