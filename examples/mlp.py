"""A perceptron with one hidden layer, written by hand.

Open it in an editor with relax-lsp, or:

    relax-lsp check examples/mlp.py
    relax-lsp run examples/mlp.py::Perceptron.forward --dim batch=2
"""

from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R

batch = TypeVar("batch")


@I.ir_module
class Perceptron:
    @R.function
    def forward(
        x: R.Tensor((batch, 8), "float32"),
        hidden_weight: R.Tensor((8, 16), "float32"),
        hidden_bias: R.Tensor((16,), "float32"),
        out_weight: R.Tensor((16, 4), "float32"),
    ) -> R.Tensor((batch, 4), "float32"):
        with R.dataflow():
            hidden = R.nn.relu(R.add(R.matmul(x, hidden_weight), hidden_bias))
            scores = R.matmul(hidden, out_weight)
            probabilities = R.nn.softmax(scores, axis=-1)
            R.output(probabilities)
        return probabilities
