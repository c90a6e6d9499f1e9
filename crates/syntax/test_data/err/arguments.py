f(a b, c)
f(k=1, a)
f(**k, *a)
f(x for x in y, 1)
f(a.b=1)
f(, a)
f(a,, b)
f(k=, b)
def g(a=1, b): pass
def g(*, **k): pass
def g(**k, a): pass
def g(a, /, b, /): pass
def g(a, *, *b): pass
x[]
