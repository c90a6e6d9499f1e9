x = 
y: 
z.
f(a, 
if
for x in
import
from a import
return x +
w = x[
v = R.
def
class
@
lambda x
a = b = 
not
