if x
    y = 1
def f()
    return 1
for a in b
    pass
class C
    pass
while x > 1: pass
else
    pass
