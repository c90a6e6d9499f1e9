"""Attention over a sequence of any length: the graph shows where the heads are split and joined.

    relax-lsp run examples/attention.py::Attention.main --dim seq=6 --trace
"""

from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R

seq = TypeVar("seq")


@I.ir_module
class Attention:
    @R.function
    def heads(x: R.Tensor((1, seq, 32), "float32")) -> R.Tensor((1, 4, seq, 8), "float32"):
        with R.dataflow():
            split = R.reshape(x, R.shape([1, seq, 4, 8]))
            moved = R.permute_dims(split, axes=[0, 2, 1, 3])
            R.output(moved)
        return moved

    @R.function
    def main(
        x: R.Tensor((1, seq, 32), "float32"),
        query: R.Tensor((32, 32), "float32"),
        key: R.Tensor((32, 32), "float32"),
        value: R.Tensor((32, 32), "float32"),
    ) -> R.Tensor((1, seq, 32), "float32"):
        cls = Attention
        q = cls.heads(R.matmul(x, query))
        k = cls.heads(R.matmul(x, key))
        v = cls.heads(R.matmul(x, value))
        with R.dataflow():
            scores = R.matmul(q, R.permute_dims(k, axes=[0, 1, 3, 2]))
            scaled = R.divide(scores, R.const(2.828427, "float32"))
            weights = R.nn.softmax(scaled, axis=-1)
            mixed = R.permute_dims(R.matmul(weights, v), axes=[0, 2, 1, 3])
            joined = R.reshape(mixed, R.shape([1, seq, 32]))
            R.output(joined)
        return joined
