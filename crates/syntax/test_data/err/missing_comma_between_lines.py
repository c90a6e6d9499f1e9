x = f(
    a,
    b
    c,
    d,
)
y = [
    {"a": 1, "b": 2}
    {"a": 3},
]
if g(a
     b):
    pass
def h(
    a: int
    b: int,
):
    return a
z = k(a
lv = 1
w = 2
