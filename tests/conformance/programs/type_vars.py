# --- typevar_typing
from typing import TypeVar
n = TypeVar("m")
@R.function
def main(x: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
    return x

# --- typevar_typing_same
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
    return x

# --- typevar_typing_clash
from typing import TypeVar
n = TypeVar("m")
m = TypeVar("n")
@R.function
def main(x: R.Tensor((n, m), "float32")) -> R.Tensor((n, m), "float32"):
    return x

# --- tirx_var
from tvm import tirx
n = tirx.Var("m", "int64")
@R.function
def main(x: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
    return x

# --- typevar_in_class
from typing import TypeVar
n = TypeVar("m")
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor(("m",), "float32")) -> R.Tensor((n,), "float32"):
        return x

# --- typevar_unused
from typing import TypeVar
n = TypeVar("m")
@R.function
def main(x: R.Tensor(("m",), "float32")):
    return x

# --- symvar_in_dataflow_used_after
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    with R.dataflow():
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n,), "float32"))
        R.output(y)
    z = R.zeros((n,), "float32")
    return z

# --- symvar_in_dataflow_used_after2
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32")):
    with R.dataflow():
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n,), "float32"))
        R.output(y)
    z: R.Tensor((n,), "float32") = R.abs(y)
    return z

# --- symvar_of_header_in_dataflow_used_after
@R.function
def main(x: R.Tensor(("n",), "float32")):
    with R.dataflow():
        n = T.int64()
        y = R.zeros((n,), "float32")
        R.output(y)
    z = R.zeros((n,), "float32")
    return z

# --- symvar_in_if
@R.function
def main(x: R.Tensor(ndim=1, dtype="float32"), c: R.Tensor((), "bool")):
    if c:
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n,), "float32"))
    else:
        y = x
    z = R.zeros((n,), "float32")
    return z
