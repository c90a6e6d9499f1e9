f() = 1
1 = x
a + b = c
(a, f()) = 1
x, y += 1
(x, y): int = 1
del f()
for f() in x: pass
with a as f(): pass
None = 1
*a
x = *a
(a.b := 1)
a := 1
"s" += 1
[x for f() in y]
