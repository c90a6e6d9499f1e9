"""Unusual spaces and quotes; the Python above the function is the user's own."""

from tvm.script import relax as R

table = {'a':1,
         'b' : 2}


@R.function
def main(x:R.Tensor(('n',4),'float32')):
  with R.dataflow( ):
    y = R.add( x,x )
    z=R.nn.relu(y)
    R.output(z)
  return z
