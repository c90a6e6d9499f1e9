class Module:
    def f(x):
        y = g(x)
wor
        with flow():
            z = h(y)
    R.
            w = k(z)
z =
        return w

    def g(x):
        if x:
            a = 1
        if y
            b = 1
        with z  # no colon
            c = 1
  v  # a comment

        # another
        return a

    def k(x):
        if x:
            a = g(x)
b = h(a,
            c = k(b)
if c
            d = "in the block"
lv = k(d, "unclosed
            return d
        return a

    def header(x):
        with x:
            a = 1
        for y in x
            b = 1
f(a,
  b)
        c = 1
one
two
        three
def late(
    four

    def h(x):
        return x
