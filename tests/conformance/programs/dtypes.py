# --- dtype_int7
@R.function
def main(x: R.Tensor((2,), "int7")):
    return x

# --- dtype_int0
@R.function
def main(x: R.Tensor((2,), "int0")):
    return x

# --- dtype_bool8
@R.function
def main(x: R.Tensor((2,), "bool8")):
    return x

# --- dtype_uint3
@R.function
def main(x: R.Tensor((2,), "uint3")):
    return x

# --- dtype_float17
@R.function
def main(x: R.Tensor((2,), "float17")):
    return x

# --- dtype_int256
@R.function
def main(x: R.Tensor((2,), "int256")):
    return x

# --- dtype_float32x0
@R.function
def main(x: R.Tensor((2,), "float32x0")):
    return x

# --- dtype_empty
@R.function
def main(x: R.Tensor((2,), "")):
    return x

# --- dtype_void
@R.function
def main(x: R.Tensor((2,), "void")):
    return x

# --- astype_int7
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.astype(x, "int7")
    return y

# --- prim_int7
@R.function
def main(x: R.Prim("int7")):
    return x

# --- zeros_bool8
@R.function
def main():
    y = R.zeros((2,), "bool8")
    return y
