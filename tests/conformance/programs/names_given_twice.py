# --- a_let_twice
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    x: T.let = T.int32(1)
    x: T.let = T.int32(2)
    a[0] = x

# --- a_let_and_then_a_scalar
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    x: T.let = T.int32(1)
    x = T.int32(2)
    a[0] = x

# --- a_let_twice_in_a_loop
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        x: T.let = T.int32(1)
        x: T.let = T.int32(2)
        a[0] = x

# --- a_let_again_in_branches
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    x: T.let = T.int32(1)
    if a[0] > 1:
        x: T.let = T.int32(2)
        a[0] = x
    else:
        x: T.let = T.int32(2)
        a[0] = x

# --- a_loop_variable_assigned
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        i = T.int32(2)
        a[0] = i

# --- a_buffer_named_as_the_loop_variable
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        i = T.alloc_buffer((3,), "int32")
        a[0] = i[0]

# --- a_buffer_named_twice_alike
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    b = a
    b = a
    b[0] = 1

# --- a_name_of_two_buffers
@T.prim_func
def f(a: T.Buffer((3,), "int32"), c: T.Buffer((3,), "int32")):
    b = a
    b = c
    b[0] = 1

# --- a_meta_var_twice_alike
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    b = I.meta_var(3)
    b = I.meta_var(3)
    a[0] = b

# --- a_buffer_twice_in_a_block
@T.prim_func(s_tir=True)
def f(a: T.Buffer((3,), "int32")):
    with T.sblock("r"):
        b = T.sblock_alloc_buffer((3,), "int32")
        b = T.sblock_alloc_buffer((3,), "int32")
        a[0] = b[0]

# --- a_buffer_twice_in_a_loop
@T.prim_func(s_tir=True)
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        b = T.sblock_alloc_buffer((3,), "int32")
        b = T.sblock_alloc_buffer((3,), "int32")
        a[0] = b[0]

# --- an_axis_named_as_the_loop_variable
@T.prim_func(s_tir=True)
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        with T.sblock("b"):
            i = T.axis.spatial(3, i)
            a[i] = 1

# --- an_axis_twice
@T.prim_func(s_tir=True)
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        with T.sblock("b"):
            v = T.axis.spatial(3, i)
            v = T.axis.spatial(3, i)
            a[v] = 1

# --- an_axis_again_in_another_block
@T.prim_func(s_tir=True)
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        with T.sblock("b"):
            v = T.axis.spatial(3, i)
            a[v] = 1
    for i in range(3):
        with T.sblock("b"):
            v = T.axis.spatial(3, i)
            a[v] = 1

# --- a_shape_variable_assigned
@T.prim_func
def f(h: T.handle):
    n = T.int32()
    a = T.match_buffer(h, (n,), "int32")
    n = T.int32(1)
    a[0] = n

# --- a_buffer_named_as_a_shape_variable
@T.prim_func
def f(h: T.handle):
    n = T.int32()
    a = T.match_buffer(h, (n,), "int32")
    n = T.alloc_buffer((3,), "int32")
    a[0] = n[0]

# --- a_buffer_named_as_its_handle
@T.prim_func
def f(h: T.handle):
    h = T.match_buffer(h, (3,), "int32")
    h[0] = 1

# --- a_buffer_of_one_element_assigned
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    a = T.int32(2)

# --- a_buffer_named_as_a_parameter
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    a = T.alloc_buffer((1,), "int32")

# --- a_scalar_assigned_again
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    x: T.int32 = 1
    x = 2
    a[0] = x

# --- a_scalar_declared_again
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    x = 2
    x: T.int32 = 1
    a[0] = x

# --- a_let_named_as_a_scalar
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    x = 2
    x: T.let = 1
    a[0] = x

# --- a_scalar_assigned_in_another_dtype
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    x = T.int32(2)
    x = T.int64(1)
    a[0] = x

# --- a_buffer_named_as_a_scalar
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    x = T.int32(2)
    x = T.alloc_buffer((3,), "int32")
    a[0] = x[0]

# --- a_scalar_twice_in_a_while
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    while a[0] < 3:
        x: T.int32 = 1
        x: T.int32 = 2
        a[0] = x

# --- a_let_again_in_a_with
@T.prim_func
def f(a: T.Buffer((1,), "int32")):
    x: T.let = 1
    with T.attr(0, "k", 1):
        x: T.let = 2
        a[0] = x

# --- a_shape_variable_declared_twice
@T.prim_func
def f(h: T.handle):
    n, m = T.int32(), T.int32()
    n = T.int32()
    a = T.match_buffer(h, (n, m), "int32")
    a[0, 0] = 1

# --- an_axis_assigned
@T.prim_func(s_tir=True)
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        with T.sblock("b"):
            v = T.axis.spatial(3, i)
            v = T.int32(1)
            a[v] = 1

# --- a_thread_axis_twice
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    t = T.env_thread("threadIdx.x")
    t = T.env_thread("threadIdx.y")
    with T.launch_thread(t, 3):
        a[t] = 1

# --- a_buffer_again_in_a_loop
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    b = T.alloc_buffer((3,), "int32")
    for i in range(3):
        b = T.alloc_buffer((3,), "int32")
        a[0] = b[0]

# --- a_pointer_twice
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    p = a.data
    p = a.data
    b = T.decl_buffer((3,), "int32", data=p)
    a[0] = b[0]

# --- a_loop_variable_in_another_loop_of_its_name
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        for i in range(3):
            a[i] = i

# --- a_scalar_named_as_a_buffer
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    a = T.int32(1)
    T.evaluate(a)

# --- a_shape_variable_named_as_a_parameter
@T.prim_func
def f(a: T.Buffer((3,), "int32"), n: T.int32):
    n = T.int64()
    a[0] = 1

# --- a_scalar_assigned_in_a_loop
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    x = T.int32(1)
    for i in range(3):
        x = T.int32(2)
        a[i] = x

# --- a_scalar_after_one_in_a_loop
@T.prim_func
def f(a: T.Buffer((3,), "int32")):
    for i in range(3):
        x = T.int32(2)
        a[i] = x
    x = T.int32(1)
    a[0] = x

# --- a_parameter_assigned
@T.prim_func
def f(a: T.Buffer((3,), "int32"), n: T.int32):
    n = T.int32(2)
    a[0] = n

# --- a_loop_variable_named_as_a_parameter
@T.prim_func
def f(a: T.Buffer((3,), "int32"), n: T.int32):
    for n in range(3):
        a[0] = n
