# --- a_number_bound_in_a_module
@I.ir_module
class M:
    y = 1
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_string_bound_in_a_module
@I.ir_module
class M:
    y = "word"
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_shape_variable_bound_in_a_module
@I.ir_module
class M:
    n = T.int64()
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- two_targets_in_a_module
@I.ir_module
class M:
    y = z = 1
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_tuple_target_in_a_module
@I.ir_module
class M:
    y, z = 1, 2
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- an_import_in_a_module
@I.ir_module
class M:
    import os
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_loop_in_a_module
@I.ir_module
class M:
    for i in range(3):
        pass
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_condition_in_a_module
@I.ir_module
class M:
    if True:
        pass
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_with_in_a_module
@I.ir_module
class M:
    with R.dataflow():
        pass
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- an_assertion_in_a_module
@I.ir_module
class M:
    assert True
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- an_annotation_in_a_module
@I.ir_module
class M:
    y: int = 1
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_class_in_a_module
@I.ir_module
class M:
    class G:
        pass
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- nothing_in_a_module
@I.ir_module
class M:
    pass
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_docstring_in_a_module
@I.ir_module
class M:
    """Words."""
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- an_ellipsis_in_a_module
@I.ir_module
class M:
    ...
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_global_statement_in_a_module
@I.ir_module
class M:
    global y
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- an_extern_function_in_a_module
@I.ir_module
class M:
    y = R.ExternFunc("f")
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_yield
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    yield x
    return x

# --- a_bound_yield
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = yield x
    return x

# --- a_yield_from
@R.function
def main(x: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
    yield from t
    return x

# --- an_evaluation_of_a_prim_func
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    T.evaluate(0)
    return x

# --- reads_of_a_block
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    T.reads()
    return x

# --- a_matched_buffer
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = T.match_buffer(x, (4,))
    return x

# --- an_axis_of_a_block
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = T.axis.spatial(4, 0)
    return x

# --- a_buffer_as_an_operand
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.add(x, T.alloc_buffer((4,), "float32"))
    return x

# --- a_loop_that_python_holds
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = T.serial(3)
    return x

# --- a_block_that_python_holds
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = T.sblock("a")
    return x

# --- a_branch_that_python_holds
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = T.Then()
    return x

# --- a_scalar_as_an_int
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = int(p)
    return x

# --- a_scalar_as_a_float
@R.function
def main(x: R.Tensor((4, 4), "float32"), q: R.Prim("float32")):
    y = float(q)
    return x

# --- a_shape_variable_as_an_int
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = int(n)
    return x

# --- the_length_of_a_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = len(p)
    return x

# --- a_range_of_a_shape_variable
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = range(n)
    return x

# --- the_truth_of_a_shape_variable
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = bool(n)
    return x

# --- pythons_maximum_of_a_shape_variable
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = max(n, 1)
    return x

# --- the_text_of_a_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = str(p)
    return x

# --- pythons_sum_of_shape_variables
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = sum([n, n])
    return x

# --- a_scalar_divided_by_zero
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p // 0
    return x

# --- the_remainder_by_zero
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p % 0
    return x

# --- a_float_divided_by_zero
@R.function
def main(x: R.Tensor((4, 4), "float32"), q: R.Prim("float32")):
    y = q / 0
    return x

# --- a_dimension_divided_by_zero
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = R.zeros((n // 0,), "float32")
    return x

# --- a_number_divided_by_zero
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.zeros((4 // 0,), "float32")
    return x

# --- the_floordiv_by_zero
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = T.floordiv(n, 0)
    return x

# --- zero_divided
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = 0 // n
    return x

# --- scalars_joined
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p and p
    return x

# --- a_scalar_negated
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = not p
    return x

# --- floats_joined
@R.function
def main(x: R.Tensor((4, 4), "float32"), q: R.Prim("float32")):
    y = q or q
    return x

# --- truth_values_joined
@R.function
def main(x: R.Tensor((4, 4), "float32"), b: R.Prim("bool")):
    y = b and b
    return x

# --- a_truth_value_and_a_number
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64"), b: R.Prim("bool")):
    y = b and p
    return x

# --- a_scalar_as_a_condition
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p if p else p
    return x

# --- a_truth_value_as_a_condition
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64"), b: R.Prim("bool")):
    y = p if b else p
    return x

# --- the_shape_of_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), o: R.Any):
    y = x.shape
    return x

# --- an_extent_of_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), o: R.Any):
    y = x.shape[0]
    return x

# --- the_dtype_of_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), o: R.Any):
    y = x.dtype
    return x

# --- the_rank_of_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), o: R.Any):
    y = x.ndim
    return x

# --- the_shape_of_a_type
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.reshape(x, x.ty.shape)
    return x

# --- the_dtype_of_a_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64"), o: R.Any):
    y = p.dtype
    return x

# --- the_dtype_of_the_type_of_a_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p.ty.dtype
    return x

# --- a_tuple_unpacked_into_one_operand
@R.function
def main(x: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
    y = R.abs(*t)
    return x

# --- a_tuple_unpacked_into_two_operands
@R.function
def main(x: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
    y = R.add(*t)
    return x

# --- a_tuple_unpacked_before_an_operand
@R.function
def main(x: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
    y = R.add(*t, x)
    return x

# --- a_tuple_unpacked_into_a_call
@R.function
def main(x: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32")), f: R.Callable((R.Tensor,), R.Tensor)):
    y = f(*t)
    return x

# --- a_tuple_unpacked_into_a_tuple
@R.function
def main(x: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
    y = (*t,)
    return x

# --- a_shape_unpacked
@R.function
def main(x: R.Tensor((4, 4), "float32"), s: R.Shape((4, 2))):
    y = R.add(*s)
    return x

# --- a_cast_of_nothing
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.match_cast(None, R.Tensor((6, 4), "float32"))
    return x

# --- a_cast_of_a_list
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.match_cast([x], R.Tuple(R.Tensor))
    return x

# --- a_cast_of_a_tuple
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.match_cast((x,), R.Tuple(R.Tensor))
    return x

# --- a_cast_of_an_operator
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.match_cast(R.abs, R.Tensor)
    return x

# --- a_cast_of_an_annotation
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.match_cast(R.Tensor, R.Tensor)
    return x

# --- a_closure_of_a_string
@R.function
def main(x: R.Tensor((4, 4), "float32"), f: R.Callable((R.Tensor,), R.Tensor)):
    y = R.make_closure(f, "a")
    return x

# --- a_closure_of_a_number
@R.function
def main(x: R.Tensor((4, 4), "float32"), f: R.Callable((R.Tensor,), R.Tensor)):
    y = R.make_closure(f, 1)
    return x

# --- a_closure_of_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), f: R.Callable((R.Tensor,), R.Tensor)):
    y = R.make_closure(f, x)
    return x

# --- a_view_without_a_dtype
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.memory.view(x, dtype="")
    return x

# --- a_moved_view_of_an_unknown_shape
@R.function
def main(x: R.Tensor((4, 4), "float32"), u: R.Tensor(ndim=2, dtype="float32")):
    y = R.memory.view(u, relative_byte_offset=1)
    return x

# --- a_view_moved_by_a_variable
@R.function
def main(x: R.Tensor((4, 4), "float32"), u: R.Tensor(ndim=2, dtype="float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = R.memory.view(u, relative_byte_offset=n + 1)
    return x

# --- a_retyped_view_of_an_unknown_shape
@R.function
def main(x: R.Tensor((4, 4), "float32"), u: R.Tensor(ndim=2, dtype="float32")):
    y = R.memory.view(u, dtype="int8", relative_byte_offset=1)
    return x

# --- an_identity_of_half_a_row
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.eye(0.5)
    return x

# --- an_identity_of_half_a_column
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = R.eye(n, m=0.5)
    return x

# --- an_identity_of_a_float_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), q: R.Prim("float32")):
    y = R.eye(q)
    return x

# --- an_identity_of_a_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = R.eye(p)
    return x

# --- half_a_diagonal
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = R.eye(n, k=0.5)
    return x

# --- a_layout_of_a_call
@R.function
def main(x: R.Tensor((4, 4), "float32"), b: R.Prim("bool")):
    y = R.layout_transform(R.abs(x), lambda a, b: (b, a))
    return x

# --- a_layout_of_a_variable
@R.function
def main(x: R.Tensor((4, 4), "float32"), b: R.Prim("bool")):
    y = R.layout_transform(x, lambda a, b: (b, a))
    return x

# --- scales_of_an_unknown_shape
@R.function
def main(x: R.Tensor((4, 4), "float32"), h: R.Tensor(ndim=2, dtype="float16")):
    y = R.dequantize(h, h, h)
    return x

# --- an_operator_as_a_dtype
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y: R.Tensor((4, 4), R.abs) = x
    return x

# --- a_constructor_as_a_dtype
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y: R.Tensor((4, 4), T.float32) = x
    return x

# --- a_truth_value_as_a_dtype
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y: R.Tensor((4, 4), True) = x
    return x

# --- a_cast_to_no_dtype
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.astype(x, "")
    return x

# --- a_cast_to_void
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.astype(x, "void")
    return x

# --- a_device_numbered_by_a_string
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = I.vdevice("llvm", "a")
    return x

# --- a_device_of_a_number
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = I.vdevice(3)
    return x

# --- a_device_in_a_numbered_memory
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = I.vdevice("llvm", 0, 3)
    return x

# --- a_device
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = I.vdevice("llvm", 0)
    return x

# --- a_local_function_returns_on_a_named_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm:0")):
        @R.function
        def g(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32", vdevice="llvm:0"):
            return x
        return x

# --- a_local_function_moves_to_a_named_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm:0")):
        @R.function
        def g(a: R.Tensor((4,), "float32")):
            b = R.to_vdevice(a, "llvm:0")
            return b
        return x

# --- a_local_function_returns_on_a_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm:0")):
        @R.function
        def g(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32", vdevice=I.vdevice("llvm")):
            return x
        return x

# --- a_type_var_computed_with_in_a_parameter
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n + 1,), "float32"), s: R.Shape([n])):
    return x

# --- a_type_var_computed_with_in_a_string
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape([n])):
    return x

# --- a_type_var_computed_with_in_a_body
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n,), "float32")):
    y = R.zeros((n + 1,), "float32")
    return y

# --- a_type_var_computed_with_in_a_local_function
from typing import TypeVar
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n,), "float32")):
    @R.function
    def g(a: R.Tensor((n + 1,), "float32")):
        return a
    return x

# --- a_name_in_quotes_used_without_them
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((n + 1,), "float32")):
    return x

# --- a_name_in_quotes_used_in_the_result
@R.function
def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
    n = T.int64()
    y = R.zeros((n,), "float32")
    return y

# --- an_unused_type_var_without_a_name
from typing import TypeVar
k = TypeVar()
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- an_unused_type_var_with_one_constraint
from typing import TypeVar
k = TypeVar("k", int)
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_type_var_named_twice
from typing import TypeVar
k = TypeVar("k", name="k")
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_type_var_with_an_unknown_keyword
from typing import TypeVar
k = TypeVar("k", foo=1)
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- an_unused_type_var_with_two_constraints
from typing import TypeVar
k = TypeVar("k", int, float)
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- an_unused_type_var_with_a_bound
from typing import TypeVar
k = TypeVar("k", bound=int)
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- an_undefined_name_as_a_type_var
from typing import TypeVar
k = TypeVar(p)
@R.function
def main(x: R.Tensor((4,), "float32")):
    return x

# --- an_undefined_name_decorates
@R.function(p)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_builtin_that_imports
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.add(x, x) if callable(__import__) else x
    return x

# --- a_list_matched_to_a_buffer
@T.prim_func
def main(a: T.handle, A: T.Buffer((4,), "float32")):
    B = T.match_buffer([1, 2], (4,), "float32")
    B[0] = T.float32(0)

# --- a_buffer_defined_twice
@T.prim_func
def main(a: T.handle, A: T.Buffer((4,), "float32")):
    B = T.match_buffer(a, (4,), "float32")
    B = T.match_buffer(a, (4,), "float32")
    B[0] = T.float32(0)

# --- a_buffer_under_the_name_of_a_parameter
@T.prim_func
def main(a: T.handle, A: T.Buffer((4,), "float32")):
    A = T.alloc_buffer((4,), "float32")
    A[0] = T.float32(0)

# --- a_buffer_defined_again_in_a_loop
@T.prim_func
def main(a: T.handle, A: T.Buffer((4,), "float32")):
    B = T.alloc_buffer((4,), "float32")
    for i in range(4):
        B = T.alloc_buffer((4,), "float32")
        B[0] = T.float32(0)

# --- a_string_as_the_memory_of_a_buffer
@T.prim_func
def main(A: T.Buffer((4,), "float32", "float32")):
    A[0] = T.float32(0)

# --- one_stride_of_a_buffer
@T.prim_func
def main(A: T.Buffer((4,), "float32", strides=3)):
    A[0] = T.float32(0)

# --- a_number_as_the_scope_of_a_buffer
@T.prim_func
def main(A: T.Buffer((4,), "float32", scope=3)):
    A[0] = T.float32(0)

# --- a_list_decorates
@R.function([1, 2])
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_dict_decorates
@R.function({})
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_shape_decorates
@R.function(R.shape([2]))
def main(x: R.Tensor((4,), "float32")):
    return x

# --- nothing_decorates
@R.function(None)
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_shape_as_infos
@I.ir_module
class M:
    I.module_global_infos(R.shape([2]))
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_shape_among_infos
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [R.shape([2])]})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- nothing_as_infos
@I.ir_module
class M:
    I.module_global_infos({"vdevice": None})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_device_of_a_number_among_infos
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice(3)]})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- other_infos
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.dummy_global_info()]})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_scalar_and_an_operator
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p & R.add
    return x

# --- a_scalar_and_a_string
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p + "a"
    return x

# --- a_scalar_and_nothing
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p == None
    return x

# --- a_scalar_and_a_list
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p < [x, x]
    return x

# --- a_scalar_before_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = p < x
    return x

# --- a_scalar_behind_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), q: R.Prim("float32")):
    y = x + q
    return x

# --- a_float_scalar_before_a_tensor
@R.function
def main(x: R.Tensor((4, 4), "float32"), q: R.Prim("float32")):
    y = q * x
    return x

# --- a_shape_variable_and_an_annotation
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    n = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    y = n // R.Tensor
    return x

# --- a_format_of_a_scalar
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = "a" % p
    return x

# --- a_scalar_divided_by_a_truth_value
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64"), b: R.Prim("bool")):
    y = p / b
    return x

# --- a_scalar_floored_by_a_truth_value
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64"), b: R.Prim("bool")):
    y = p // b
    return x

# --- a_truth_value_shifted
@R.function
def main(x: R.Tensor((4, 4), "float32"), b: R.Prim("bool")):
    y = b << 1
    return x

# --- a_float_among_bits
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = 1.5 & p
    return x

# --- a_truth_value_among_bits
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64"), b: R.Prim("bool")):
    y = b & p
    return x

# --- a_scalar_that_is_nothing
@R.function
def main(x: R.Tensor((4, 4), "float32"), p: R.Prim("int64")):
    y = R.abs(x) if (p is None) else x
    return x
