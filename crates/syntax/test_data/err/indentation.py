x = 1
    y = 2
    z = 3
w = 4
if a:
b = 1
if c:
        d
    e
    f
g
