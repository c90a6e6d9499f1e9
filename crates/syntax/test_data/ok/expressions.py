a, b = 1, 2
x = (a + b) * -c ** 2 @ d // e % f
y = a if b else c if d else e
z = not a and b or c and not d
w = a < b <= c != d is not e not in f in g is h
v = a | b ^ c & d << 1 >> 2
u = f(a, *b, k=1, **d)(x for x in y)[1:2, ::3, ..., *t].attr
t = lambda: 0
s = lambda a, b=1, /, c=2, *args, d, e=3, **kw: (a, b)
r = [x async for x in y if a if b for z in x]
q = {k: v for k, v in d.items()}
p = {1, 2, *s}
o = {**a, "b": 1, **c}
n = {x for x in y}
m = ()
l = (1,)
k = (x := 1, y)
j = await f(x) ** 2
i = 0x_ff + 0o17 + 0b11 + 1_000 + 1e-5 + .5 + 5. + 3j + 1_0.0_1e1_0J
h = True, False, None, ...
g = a[b][c,], a[b:=1]
if (n := len(a)) > 10: pass
print(*a, sep="")
(yield)
x = yield from y
