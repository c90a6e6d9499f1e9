def first(x):
    lv = R.add(x,
    lv1 = R.multiply(lv, x)
    return lv1


def second(y):
    return y
