x = 
y: 
z.
f(a, 
if
for x in
import
from a import
r = x +
w = x[
v = R.
def
class
@
lambda x
a = b = 
not
