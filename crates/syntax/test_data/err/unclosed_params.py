@R.function
def first(x: R.Tensor((3,), "float32"):
    y = x
    return y


def second(y
    z = y
    return z


class C:
    def third(self) -> R.Tensor((3,):
        with R.dataflow():
            pass
