def rank(
    x: R.Tensor((2, 1
    y: R.Tensor((4,), "float32"),
    z: R.Tensor([4,
    w: R.Tensor((4,), "float
    v: R.Tensor(
    u: R.Tensor((4,), dtype=
    t: int = (1, 2
    s=f(a
) -> R.Tensor((2,
    return f(
        a, g((b, c
        axes=[0, 1,
        keepdims=True,
    )

def one_line(w: R.Tensor((4, x: R.Tensor((4,), "float32"), y=f(z: int, a=(1)) -> g(b, (c, d=1)):
    pass

def no_annotation(
    x:
    y: R.Object,
):
    pass

def legal(
    x: T[
        a:
        b
    ],
    y={
        a: (b),
        c: 1,
    },
    z=lambda
        a: f(
            b=1
        ),
):
    pass
