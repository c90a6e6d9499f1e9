else: pass
elif x: pass
except: pass
finally: pass
x y
print "hello"
a = 5 $ 3
a ? b
import a.
from x import a,
from x import (a b)
try:
    pass
x = not
1if x else 2abc
012
1__0
0xg
if a: if b: pass
raise x from
async x
@a
x = 1
match x:
    pass
    case 1: pass
match y
    case 1 pass
type X
