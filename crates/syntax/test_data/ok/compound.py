# A comment before everything

@decorator
@other.decorator(arg)  # why
# between

async def f[T: int = str, *Ts = *x, **P = z](
    a, b: int = 1, /, c=2, *args: *Ts, d, e: str = "e", **kwargs: P.kwargs
) -> R.Tensor((n, 16), "float32"):
    """Doc."""
    return a  # trailing

    # after the last statement


class C[T](Base, metaclass=M, **kw):
    x: int = 1

    def g(self): return self.x; pass


class D: ...


if a:
    pass
elif b: pass
elif c:
    # comment

    pass
else:
    pass

for x, *y in z, w: pass
else:
    pass

async for a.b in c:
    while True:
        break
    else:
        continue

with a: pass
with a as b, c as (d, e): pass
with (a as b, c,): pass
with (a, b): pass
with (a, b) as c: pass
with (a): pass
with (yield): pass
async with a as b.c: pass

try:
    pass
except A:
    pass
except (A, B) as e:
    pass
except C, D:
    pass
except:
    pass
else:
    pass
finally:
    pass

try: pass
except* A as e: pass
