from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

elem_offset = TypeVar("elem_offset")
elem_offset_1 = TypeVar("elem_offset_1")
elem_offset_2 = TypeVar("elem_offset_2")
n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def searchsorted(y: T.Buffer((T.int64(4),), "float32", elem_offset=elem_offset_2), x: T.Buffer((n,), "float32", elem_offset=elem_offset_1), searchsorted: T.Buffer((n,), "int64", elem_offset=elem_offset)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("searchsorted"):
            T.reads()
            T.writes()
            for v in T.parallel(n):
                buffer = T.alloc_local((T.int64(1),), "int64")
                buffer_1 = T.alloc_local((T.int64(1),), "int64")
                buffer[T.int64(0)] = T.int64(0)
                buffer_1[T.int64(0)] = T.int64(4)
                while buffer[T.int64(0)] < buffer_1[T.int64(0)]:
                    if y[buffer[T.int64(0)] + (buffer_1[T.int64(0)] - buffer[T.int64(0)] >> T.int64(1))] < x[v]:
                        buffer[T.int64(0)] = buffer[T.int64(0)] + (buffer_1[T.int64(0)] - buffer[T.int64(0)] >> T.int64(1)) + T.int64(1)
                    else:
                        buffer_1[T.int64(0)] = buffer[T.int64(0)] + (buffer_1[T.int64(0)] - buffer[T.int64(0)] >> T.int64(1))
                searchsorted[v] = buffer[T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def searchsorted1(y: T.Buffer((T.int64(4),), "float32", elem_offset=elem_offset_2), x: T.Buffer((n,), "float32", elem_offset=elem_offset_1), searchsorted: T.Buffer((n,), "int64", elem_offset=elem_offset)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("searchsorted"):
            T.reads()
            T.writes()
            for v in T.parallel(n):
                buffer = T.alloc_local((T.int64(1),), "int64")
                buffer_1 = T.alloc_local((T.int64(1),), "int64")
                buffer[T.int64(0)] = T.int64(0)
                buffer_1[T.int64(0)] = T.int64(4)
                while buffer[T.int64(0)] < buffer_1[T.int64(0)]:
                    if y[buffer[T.int64(0)] + (buffer_1[T.int64(0)] - buffer[T.int64(0)] >> T.int64(1))] <= x[v]:
                        buffer[T.int64(0)] = buffer[T.int64(0)] + (buffer_1[T.int64(0)] - buffer[T.int64(0)] >> T.int64(1)) + T.int64(1)
                    else:
                        buffer_1[T.int64(0)] = buffer[T.int64(0)] + (buffer_1[T.int64(0)] - buffer[T.int64(0)] >> T.int64(1))
                searchsorted[v] = buffer[T.int64(0)]

    @R.function
    def argsort_down_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.argsort(x, axis=1, descending=True, dtype="int32")
        return y

    @R.function
    def argsort_down_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.argsort(x, axis=1, descending=True, dtype="int32")
        return y

    @R.function
    def argsort_down_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.argsort(x, axis=1, descending=True, dtype="int32")
        return y

    @R.function
    def argsort_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.argsort(x, axis=1, descending=False, dtype="int32")
        return y

    @R.function
    def argsort_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.argsort(x, axis=1, descending=False, dtype="int32")
        return y

    @R.function
    def argsort_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.argsort(x, axis=1, descending=False, dtype="int32")
        return y

    @R.function
    def bucketize_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y_1 = R.call_tir(cls.searchsorted, (y, x), out_ty=R.Tensor((n,), dtype="int64"))
        return y_1

    @R.function
    def bucketize_right_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y_1 = R.call_tir(cls.searchsorted1, (y, x), out_ty=R.Tensor((n,), dtype="int64"))
        return y_1

    @R.function
    def cumprod_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="float16"):
        y: R.Tensor((n, 4), dtype="float16") = R.cumprod(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumprod_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        y: R.Tensor((n, 4), dtype="float32") = R.cumprod(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumprod_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.cumprod(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumprod_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n, 4), dtype="int8"):
        y: R.Tensor((n, 4), dtype="int8") = R.cumprod(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumprod_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n, 4), dtype="uint8"):
        y: R.Tensor((n, 4), dtype="uint8") = R.cumprod(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumsum_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="float16"):
        y: R.Tensor((n, 4), dtype="float16") = R.cumsum(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumsum_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        y: R.Tensor((n, 4), dtype="float32") = R.cumsum(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumsum_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.cumsum(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumsum_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n, 4), dtype="int8"):
        y: R.Tensor((n, 4), dtype="int8") = R.cumsum(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def cumsum_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n, 4), dtype="uint8"):
        y: R.Tensor((n, 4), dtype="uint8") = R.cumsum(x, axis=1, dtype=None, exclusive=False)
        return y

    @R.function
    def sort_down_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="float16"):
        y: R.Tensor((n, 4), dtype="float16") = R.sort(x, axis=1, descending=True)
        return y

    @R.function
    def sort_down_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        y: R.Tensor((n, 4), dtype="float32") = R.sort(x, axis=1, descending=True)
        return y

    @R.function
    def sort_down_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.sort(x, axis=1, descending=True)
        return y

    @R.function
    def sort_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="float16"):
        y: R.Tensor((n, 4), dtype="float16") = R.sort(x, axis=1, descending=False)
        return y

    @R.function
    def sort_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        y: R.Tensor((n, 4), dtype="float32") = R.sort(x, axis=1, descending=False)
        return y

    @R.function
    def sort_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 4), dtype="int32"):
        y: R.Tensor((n, 4), dtype="int32") = R.sort(x, axis=1, descending=False)
        return y

    @R.function
    def topk_indices_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=True, dtype="int32")
        return y

    @R.function
    def topk_indices_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=True, dtype="int32")
        return y

    @R.function
    def topk_indices_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=True, dtype="int32")
        return y

    @R.function
    def topk_indices_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=True, dtype="int32")
        return y

    @R.function
    def topk_indices_least_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=False, dtype="int32")
        return y

    @R.function
    def topk_indices_least_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=False, dtype="int32")
        return y

    @R.function
    def topk_indices_least_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=False, dtype="int32")
        return y

    @R.function
    def topk_indices_least_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=False, dtype="int32")
        return y

    @R.function
    def topk_indices_least_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=False, dtype="int32")
        return y

    @R.function
    def topk_indices_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="indices", largest=True, dtype="int32")
        return y

    @R.function
    def topk_values_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 2), dtype="float16"):
        y: R.Tensor((n, 2), dtype="float16") = R.topk(x, k=2, axis=1, ret_type="values", largest=True, dtype="int32")
        return y

    @R.function
    def topk_values_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 2), dtype="float32"):
        y: R.Tensor((n, 2), dtype="float32") = R.topk(x, k=2, axis=1, ret_type="values", largest=True, dtype="int32")
        return y

    @R.function
    def topk_values_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="values", largest=True, dtype="int32")
        return y

    @R.function
    def topk_values_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n, 2), dtype="int8"):
        y: R.Tensor((n, 2), dtype="int8") = R.topk(x, k=2, axis=1, ret_type="values", largest=True, dtype="int32")
        return y

    @R.function
    def topk_values_least_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 2), dtype="float16"):
        y: R.Tensor((n, 2), dtype="float16") = R.topk(x, k=2, axis=1, ret_type="values", largest=False, dtype="int32")
        return y

    @R.function
    def topk_values_least_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 2), dtype="float32"):
        y: R.Tensor((n, 2), dtype="float32") = R.topk(x, k=2, axis=1, ret_type="values", largest=False, dtype="int32")
        return y

    @R.function
    def topk_values_least_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n, 2), dtype="int32"):
        y: R.Tensor((n, 2), dtype="int32") = R.topk(x, k=2, axis=1, ret_type="values", largest=False, dtype="int32")
        return y

    @R.function
    def topk_values_least_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n, 2), dtype="int8"):
        y: R.Tensor((n, 2), dtype="int8") = R.topk(x, k=2, axis=1, ret_type="values", largest=False, dtype="int32")
        return y

    @R.function
    def topk_values_least_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n, 2), dtype="uint8"):
        y: R.Tensor((n, 2), dtype="uint8") = R.topk(x, k=2, axis=1, ret_type="values", largest=False, dtype="int32")
        return y

    @R.function
    def topk_values_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n, 2), dtype="uint8"):
        y: R.Tensor((n, 2), dtype="uint8") = R.topk(x, k=2, axis=1, ret_type="values", largest=True, dtype="int32")
        return y
