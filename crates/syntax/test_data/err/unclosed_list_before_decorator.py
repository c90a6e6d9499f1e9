shape = [1,
    2,

@R.function
def f(x):
    return x
