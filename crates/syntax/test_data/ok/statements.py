import os, sys as system, a.b.c as d
from . import x
from ...pkg.mod import (a as b, c,)
from .... import *
global g1, g2
nonlocal n1
x = y = z = 0
x: int
x: Tuple[int, ...] = 1, 2
(x): int = 1
x.y[0]: "str" = 3
x += 1; y **= 2; z >>= yield
del a, b[0], (c, d)
assert x, "message"
raise
raise A from b
pass; pass;
def f():
    return
    return *a, b
    while a:
        pass; break; continue;
a[0], *b, (c.d, [e]) = value
type Alias[T] = list[T]
type = 1
match = type
match.case(x)
match(x)
match[x] = 1
print(match, case, type, _)
