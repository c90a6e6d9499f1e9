"""A perceptron with one hidden layer. Click ▶ Run over `forward`."""

from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Perceptron:
    @R.function
    def forward(
        x: R.Tensor(("batch", 8), "float32"),
        hidden_weight: R.Tensor((8, 16), "float32"),
        out_weight: R.Tensor((16, 4), "float32"),
    ):
        with R.dataflow():
            hidden = R.matmul(x, hidden_weight)
            active = R.nn.relu(hidden)
            scores = R.matmul(active, out_weight)
            probabilities = R.nn.softmax(scores, axis=-1)
            R.output(probabilities)
        return probabilities
