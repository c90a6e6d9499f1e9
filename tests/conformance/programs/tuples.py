# --- a_parameter_is_unpacked
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"))):
    a, b = t
    return b

# --- what_a_call_gave_is_unpacked
@R.function
def main(x: R.Tensor((4, 2), "float32")):
    t = R.split(x, 2, axis=0)
    a, b = t
    c = R.add(a, b)
    return c

# --- a_call_itself_is_not
@R.function
def main(x: R.Tensor((4, 2), "float32")):
    a, b = R.split(x, 2, axis=0)
    c = R.add(a, b)
    return c

# --- a_call_of_a_function_is_not
@I.ir_module
class M:
    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return (x, x)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        a, b = cls.f(x)
        return a

# --- a_cast_is_not
@R.function
def main(x: R.Object):
    a, b = R.match_cast(x, R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")))
    return a

# --- a_tuple_in_a_tuple_is_unpacked
@R.function
def main(t: R.Tuple(R.Tuple(R.Tensor((2,), "float32"), R.Tensor((5,), "float32")), R.Tensor((3,), "int32"))):
    (a, c), b = t
    return c

# --- a_field_is_unpacked
@R.function
def main(t: R.Tuple(R.Tuple(R.Tensor((2,), "float32"), R.Tensor((5,), "float32")), R.Tensor((3,), "int32"))):
    a, b = t[0]
    return b

# --- a_star_takes_the_rest
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"), R.Tensor((4,), "int32"))):
    a, *b = t
    c = b[1]
    d = R.concat([c, c], axis=0)
    return d

# --- a_star_in_the_middle
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"), R.Tensor((4,), "int32"))):
    a, *b, c = t
    return c

# --- names_in_a_list
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"))):
    [a, b] = t
    return b

# --- too_many_names
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"))):
    a, b, c = t
    return b

# --- too_few_names
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"), R.Tensor((3,), "int32"))):
    a, b = t
    return b

# --- a_tensor_has_no_fields
@R.function
def main(x: R.Tensor((2, 2), "float32")):
    a, b = x
    return a

# --- a_shape_has_no_fields
@R.function
def main(x: R.Tensor((2, 2), "float32")):
    s = R.shape([2, 3])
    a, b = s
    return a

# --- what_is_exchanged
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    x, y = y, x
    return x

# --- scalars_become_dimensions
@R.function
def main(t: R.Tuple(R.Prim("int64"), R.Tensor(("n",), "float32"))):
    a, b = t
    c = R.zeros(R.shape([a]), "float32")
    return c

# --- a_literal_is_indexed
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = (x, y)[1]
    b = [x, y][0]
    return a

# --- a_literal_is_indexed_from_its_end
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = (x, y)[-1]
    return a

# --- a_literal_in_a_literal_is_indexed
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = ((x, y), y)[0][1]
    return a

# --- a_literal_has_no_such_field
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = (x, y)[2]
    return a

# --- literals_have_slices
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = (x, y, x)[1:]
    b = (x, y, x)[::2]
    c = (x, y, x)[-1]
    d = [x, y, x][:2]
    return d

# --- a_tuple_of_relax_has_none
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"))):
    a = t[0:1]
    return a

# --- a_list_is_returned
@R.function
def main(x: R.Tensor((2,), "float32")):
    d = [x, x]
    return d

# --- a_branch_ends_by_unpacking
@R.function
def main(c: R.Tensor((), "bool"), t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"))):
    if c:
        a, b = t
    else:
        b = t[0]
    return b
