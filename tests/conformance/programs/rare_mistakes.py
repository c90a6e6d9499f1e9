# --- an_operator_as_a_decorator
@R.add
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_call_of_an_operator_as_a_decorator
@R.add()
def main(x: R.Tensor((4,), "float32")):
    return x

# --- an_annotation_as_a_decorator
@R.Tensor
def main(x: R.Tensor((4,), "float32")):
    return x

# --- a_statement_as_a_decorator
@R.output
def main(x):
    return x

# --- a_type_var_without_a_name
from typing import TypeVar
n = TypeVar()
@R.function
def main(x: R.Tensor((n,), "float32")):
    return x

# --- a_type_var_with_one_constraint
from typing import TypeVar
n = TypeVar("n", int)
@R.function
def main(x: R.Tensor((n,), "float32")):
    return x

# --- a_type_var_with_two_constraints
from typing import TypeVar
n = TypeVar("n", int, float)
@R.function
def main(x: R.Tensor((n,), "float32")):
    return x

# --- a_type_var_with_a_bound
from typing import TypeVar
n = TypeVar("n", bound=int)
@R.function
def main(x: R.Tensor((n,), "float32")):
    return x

# --- a_type_var_that_is_covariant
from typing import TypeVar
n = TypeVar("n", covariant=True)
@R.function
def main(x: R.Tensor((n,), "float32")):
    return x

# --- a_type_var_named_by_keyword
from typing import TypeVar
n = TypeVar(name="n")
@R.function
def main(x: R.Tensor((n,), "float32")):
    return x

# --- a_tensor_unpacked_as_a_mapping
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.add(**x)
    return y

# --- a_dict_unpacked_as_a_mapping
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.sum(x, **{"axis": 0})
    return y

# --- a_name_of_a_dict_unpacked
kw = {"axis": 0}
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.sum(x, **kw)
    return y

# --- a_list_unpacked_as_a_mapping
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.sum(x, **[1])
    return y

# --- a_number_unpacked_as_a_mapping
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.sum(x, **3)
    return y

# --- a_number_unpacked
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.sum(x, *3)
    return y

# --- a_python_function_in_a_plain_class
@I.ir_module
class M:
    @I.pyfunc
    def f(x):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_python_function_in_a_python_module
from tvm.relax import BasePyModule
@I.ir_module
class M(BasePyModule):
    @I.pyfunc
    def f(x):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_device_without_a_module
@R.function
def main(x: R.Tensor((4,), "float32", "llvm")):
    return x

# --- a_device_without_a_module_in_a_body
@R.function
def main(x: R.Tensor((4,), "float32")):
    y: R.Tensor((4,), "float32", vdevice="llvm") = x
    return y

# --- a_device_as_an_object_without_a_module
@R.function
def main(x: R.Tensor((4,), "float32", vdevice=I.vdevice("llvm"))):
    return x

# --- a_list_as_a_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice":[I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice=[0])):
        return x

# --- a_tuple_as_a_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice":[I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice=(0,))):
        return x

# --- none_as_a_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice":[I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice=None)):
        return x

# --- a_truth_value_as_a_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice":[I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice=True)):
        return x

# --- a_dict_as_a_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice":[I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice={})):
        return x

# --- an_empty_device
@I.ir_module
class M:
    I.module_global_infos({"vdevice":[I.vdevice("llvm")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="")):
        return x

# --- a_number_for_devices
@I.ir_module
class M:
    I.module_global_infos({"vdevice": 3})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm")):
        return x

# --- a_string_for_devices
@I.ir_module
class M:
    I.module_global_infos({"vdevice": "llvm"})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm")):
        return x

# --- strings_for_devices
@I.ir_module
class M:
    I.module_global_infos({"vdevice": ["llvm"]})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm")):
        return x

# --- a_tuple_of_devices
@I.ir_module
class M:
    I.module_global_infos({"vdevice": (I.vdevice("llvm"),)})
    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm")):
        return x

# --- a_number_for_meshes
@I.ir_module
class M:
    I.module_global_infos({"mesh": 3})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- a_number_for_a_name_of_infos
@I.ir_module
class M:
    I.module_global_infos({3: []})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

# --- no_inplace_indices
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices=None, out_ty=R.Tensor((4,), "float32"))
        return y

# --- a_string_for_inplace_indices
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices="0", out_ty=R.Tensor((4,), "float32"))
        return y

# --- a_float_for_an_inplace_index
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices=[0.5], out_ty=R.Tensor((4,), "float32"))
        return y

# --- one_inplace_index
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices=0, out_ty=R.Tensor((4,), "float32"))
        return y

# --- a_list_of_inplace_indices
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        return y

# --- a_tuple_of_inplace_indices
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices=(0,), out_ty=R.Tensor((4,), "float32"))
        return y

# --- none_for_an_inplace_index
@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(0)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.k, (x,), inplace_indices=[None], out_ty=R.Tensor((4,), "float32"))
        return y

# --- a_local_function_named_as_the_one_around_it
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def main(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return y
    return main(x)

# --- a_local_function_named_so_and_not_used
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def main(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return y
    return x

# --- a_local_function_named_as_a_local_one_around_it
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def g(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        @R.function
        def g(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return z
        return g(y)
    return g(x)

# --- a_local_function_named_as_the_outermost_one
@R.function
def main(x: R.Tensor((4,), "float32")):
    @R.function
    def g(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        @R.function
        def main(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return z
        return main(y)
    return g(x)

# --- a_local_function_named_as_the_one_around_it_in_a_module
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        @R.function
        def main(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return y
        return main(x)

# --- a_local_function_named_as_another_of_the_module
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        @R.function
        def g(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return y
        return g(x)

# --- a_variable_named_as_the_function_around_it
@R.function
def main(x: R.Tensor((4,), "float32")):
    main = R.exp(x)
    return main
