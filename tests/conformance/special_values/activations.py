from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def gelu(x: T.Buffer((n,), "float16"), T_multiply: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((n,), "float16")
        compute = T.sblock_alloc_buffer((n,))
        compute_1 = T.sblock_alloc_buffer((n,))
        compute_2 = T.sblock_alloc_buffer((n,), "float16")
        T_multiply_2 = T.sblock_alloc_buffer((n,), "float16")
        T_add = T.sblock_alloc_buffer((n,), "float16")
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_1[v_ax0])
                T_multiply_1[v_ax0] = x[v_ax0] * T.float16(0.70710678118654757)
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(T_multiply_1[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", T_multiply_1[v_i0])
        for i0 in range(n):
            with T.sblock("compute_1"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(compute[v_i0])
                T.writes(compute_1[v_i0])
                compute_1[v_i0] = T.erf(compute[v_i0])
        for i0 in range(n):
            with T.sblock("compute_2"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(compute_1[v_i0])
                T.writes(compute_2[v_i0])
                compute_2[v_i0] = T.Cast("float16", compute_1[v_i0])
        for ax0 in range(n):
            with T.sblock("T_multiply_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(compute_2[v_ax0])
                T.writes(T_multiply_2[v_ax0])
                T_multiply_2[v_ax0] = compute_2[v_ax0] * T.float16(0.5)
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_2[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T.float16(0.5) + T_multiply_2[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_2"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], T_add[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * T_add[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def gelu1(x: T.Buffer((n,), "float32"), T_multiply: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((n,))
        compute = T.sblock_alloc_buffer((n,))
        T_multiply_2 = T.sblock_alloc_buffer((n,))
        T_add = T.sblock_alloc_buffer((n,))
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_1[v_ax0])
                T_multiply_1[v_ax0] = x[v_ax0] * T.float32(0.70710678118654757)
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(T_multiply_1[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.erf(T_multiply_1[v_i0])
        for ax0 in range(n):
            with T.sblock("T_multiply_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(compute[v_ax0])
                T.writes(T_multiply_2[v_ax0])
                T_multiply_2[v_ax0] = compute[v_ax0] * T.float32(0.5)
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_2[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T.float32(0.5) + T_multiply_2[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_2"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], T_add[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * T_add[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def gelu_tanh(x: T.Buffer((n,), "float16"), T_multiply: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((n,), "float16")
        T_multiply_2 = T.sblock_alloc_buffer((n,), "float16")
        T_multiply_3 = T.sblock_alloc_buffer((n,), "float16")
        T_multiply_4 = T.sblock_alloc_buffer((n,), "float16")
        T_add = T.sblock_alloc_buffer((n,), "float16")
        T_multiply_5 = T.sblock_alloc_buffer((n,), "float16")
        compute = T.sblock_alloc_buffer((n,), "float16")
        T_add_1 = T.sblock_alloc_buffer((n,), "float16")
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_1[v_ax0])
                T_multiply_1[v_ax0] = T.float16(0.5) * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_2[v_ax0])
                T_multiply_2[v_ax0] = T.float16(0.79788456080286541) * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_2"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_3[v_ax0])
                T_multiply_3[v_ax0] = T.float16(0.044714999999999998) * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_3"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_3[v_ax0], x[v_ax0])
                T.writes(T_multiply_4[v_ax0])
                T_multiply_4[v_ax0] = T_multiply_3[v_ax0] * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_4[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T.float16(1.0) + T_multiply_4[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_4"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_2[v_ax0], T_add[v_ax0])
                T.writes(T_multiply_5[v_ax0])
                T_multiply_5[v_ax0] = T_multiply_2[v_ax0] * T_add[v_ax0]
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(T_multiply_5[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.tanh(T_multiply_5[v_i0])
        for ax0 in range(n):
            with T.sblock("T_add_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(compute[v_ax0])
                T.writes(T_add_1[v_ax0])
                T_add_1[v_ax0] = T.float16(1.0) + compute[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_5"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_1[v_ax0], T_add_1[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = T_multiply_1[v_ax0] * T_add_1[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def gelu_tanh1(x: T.Buffer((n,), "float32"), T_multiply: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((n,))
        T_multiply_2 = T.sblock_alloc_buffer((n,))
        T_multiply_3 = T.sblock_alloc_buffer((n,))
        T_multiply_4 = T.sblock_alloc_buffer((n,))
        T_add = T.sblock_alloc_buffer((n,))
        T_multiply_5 = T.sblock_alloc_buffer((n,))
        compute = T.sblock_alloc_buffer((n,))
        T_add_1 = T.sblock_alloc_buffer((n,))
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_1[v_ax0])
                T_multiply_1[v_ax0] = T.float32(0.5) * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_2[v_ax0])
                T_multiply_2[v_ax0] = T.float32(0.79788456080286541) * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_2"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply_3[v_ax0])
                T_multiply_3[v_ax0] = T.float32(0.044714999999999998) * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_3"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_3[v_ax0], x[v_ax0])
                T.writes(T_multiply_4[v_ax0])
                T_multiply_4[v_ax0] = T_multiply_3[v_ax0] * x[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_4[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T.float32(1.0) + T_multiply_4[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_4"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_2[v_ax0], T_add[v_ax0])
                T.writes(T_multiply_5[v_ax0])
                T_multiply_5[v_ax0] = T_multiply_2[v_ax0] * T_add[v_ax0]
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(T_multiply_5[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.tanh(T_multiply_5[v_i0])
        for ax0 in range(n):
            with T.sblock("T_add_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(compute[v_ax0])
                T.writes(T_add_1[v_ax0])
                T_add_1[v_ax0] = T.float32(1.0) + compute[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_5"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_1[v_ax0], T_add_1[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = T_multiply_1[v_ax0] * T_add_1[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def leaky_relu(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Select(T.float16(0.0) < x[v_i0], x[v_i0], x[v_i0] * T.float16(0.01))

    @T.prim_func(private=True, s_tir=True)
    def leaky_relu1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Select(T.float32(0.0) < x[v_i0], x[v_i0], x[v_i0] * T.float32(0.01))

    @T.prim_func(private=True, s_tir=True)
    def log_softmax(x: T.Buffer((n, T.int64(4)), "float16"), compute: T.Buffer((n, T.int64(4)), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,), "float16")
        compute_1 = T.sblock_alloc_buffer((n,), "float16")
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float16(-65504.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], x[v_i0, v_k])
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k], T_softmax_maxelem[v_i0])
                T.writes(compute_1[v_i0])
                with T.init():
                    compute_1[v_i0] = T.float16(0.0)
                compute_1[v_i0] = compute_1[v_i0] + T.exp(x[v_i0, v_k] - T_softmax_maxelem[v_i0])
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute_1"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1], T_softmax_maxelem[v_i0], compute_1[v_i0])
                T.writes(compute[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                compute[v_i0, v_i1] = x[v_i0, v_i1] - T_softmax_maxelem[v_i0] - T.log(compute_1[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def log_softmax1(x: T.Buffer((n, T.int64(4)), "float32"), compute: T.Buffer((n, T.int64(4)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,))
        compute_1 = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], x[v_i0, v_k])
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k], T_softmax_maxelem[v_i0])
                T.writes(compute_1[v_i0])
                with T.init():
                    compute_1[v_i0] = T.float32(0.0)
                compute_1[v_i0] = compute_1[v_i0] + T.exp(x[v_i0, v_k] - T_softmax_maxelem[v_i0])
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute_1"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1], T_softmax_maxelem[v_i0], compute_1[v_i0])
                T.writes(compute[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                compute[v_i0, v_i1] = x[v_i0, v_i1] - T_softmax_maxelem[v_i0] - T.log(compute_1[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def relu(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(x[v_i0], T.float16(0.0))

    @T.prim_func(private=True, s_tir=True)
    def relu1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(x[v_i0], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def relu2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(x[v_i0], 0)

    @T.prim_func(private=True, s_tir=True)
    def relu3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(x[v_i0], T.int8(0))

    @T.prim_func(private=True, s_tir=True)
    def relu4(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(x[v_i0], T.uint8(0))

    @T.prim_func(private=True, s_tir=True)
    def selu(x: T.Buffer((n,), "float16"), T_multiply: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_maximum = T.sblock_alloc_buffer((n,), "float16")
        compute = T.sblock_alloc_buffer((n,), "float16")
        T_subtract = T.sblock_alloc_buffer((n,), "float16")
        T_multiply_1 = T.sblock_alloc_buffer((n,), "float16")
        T_minimum = T.sblock_alloc_buffer((n,), "float16")
        T_add = T.sblock_alloc_buffer((n,), "float16")
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], T.float16(0.0))
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(x[v_i0])
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(compute[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = compute[v_ax0] - T.float16(1.0)
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_subtract[v_ax0])
                T.writes(T_multiply_1[v_ax0])
                T_multiply_1[v_ax0] = T.float16(1.6732632423543772) * T_subtract[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_1[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(T.float16(0.0), T_multiply_1[v_ax0])
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_maximum[v_ax0], T_minimum[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T_maximum[v_ax0] + T_minimum[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_add[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = T.float16(1.0507009873554805) * T_add[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def selu1(x: T.Buffer((n,), "float32"), T_multiply: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_maximum = T.sblock_alloc_buffer((n,))
        compute = T.sblock_alloc_buffer((n,))
        T_subtract = T.sblock_alloc_buffer((n,))
        T_multiply_1 = T.sblock_alloc_buffer((n,))
        T_minimum = T.sblock_alloc_buffer((n,))
        T_add = T.sblock_alloc_buffer((n,))
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], T.float32(0.0))
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(x[v_i0])
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(compute[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = compute[v_ax0] - T.float32(1.0)
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_subtract[v_ax0])
                T.writes(T_multiply_1[v_ax0])
                T_multiply_1[v_ax0] = T.float32(1.6732632423543772) * T_subtract[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_1[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(T.float32(0.0), T_multiply_1[v_ax0])
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_maximum[v_ax0], T_minimum[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = T_maximum[v_ax0] + T_minimum[v_ax0]
        for ax0 in range(n):
            with T.sblock("T_multiply_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_add[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = T.float32(1.0507009873554805) * T_add[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def silu(x: T.Buffer((n,), "float16"), T_multiply: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        compute = T.sblock_alloc_buffer((n,), "float16")
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sigmoid(x[v_i0])
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], compute[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * compute[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def silu1(x: T.Buffer((n,), "float32"), T_multiply: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        compute = T.sblock_alloc_buffer((n,))
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sigmoid(x[v_i0])
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], compute[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * compute[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def softmax(x: T.Buffer((n, T.int64(4)), "float16"), T_softmax_norm: T.Buffer((n, T.int64(4)), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,), "float16")
        T_softmax_exp = T.sblock_alloc_buffer((n, T.int64(4)), "float16")
        T_softmax_expsum = T.sblock_alloc_buffer((n,), "float16")
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float16(-65504.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], x[v_i0, v_k])
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(x[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float16(0.0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def softmax1(x: T.Buffer((n, T.int64(4)), "float32"), T_softmax_norm: T.Buffer((n, T.int64(4)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,))
        T_softmax_exp = T.sblock_alloc_buffer((n, T.int64(4)))
        T_softmax_expsum = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], x[v_i0, v_k])
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(x[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0.0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def softplus(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Select(T.float16(20.0) < x[v_i0], x[v_i0], T.log(T.float16(1.0) + T.exp(x[v_i0])))

    @T.prim_func(private=True, s_tir=True)
    def softplus1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Select(T.float32(20.0) < x[v_i0], x[v_i0], T.log(T.float32(1.0) + T.exp(x[v_i0])))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float16(0.0)), T.float16(6.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float32(0.0)), T.float32(6.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip10(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.int8(6)), T.int8(0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip11(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float16(1.5)), T.float16("-inf"))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip12(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float32(1.5)), T.float32("-inf"))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip13(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.uint8(6)), T.uint8(0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip14(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float16(100.0)), T.float16(-3.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip15(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float32(100.0)), T.float32(-3.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip16(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], 100), -3)

    @T.prim_func(private=True, s_tir=True)
    def tir_clip17(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.int8(100)), T.int8(-3))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = 6

    @T.prim_func(private=True, s_tir=True)
    def tir_clip3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.int8(0)), T.int8(6))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip4(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.uint8(0)), T.uint8(6))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip5(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float16(6.0)), T.float16(0.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip6(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float32(6.0)), T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip7(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float16("inf")), T.float16(0.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip8(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], T.float32("inf")), T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def tir_clip9(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.max(T.min(x[v_i0], 6), 0)

    @R.function
    def clip_crossed_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_clip, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def clip_crossed_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_clip1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def clip_crossed_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_clip2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def clip_crossed_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_clip3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def clip_crossed_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_clip4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def clip_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_clip5, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def clip_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_clip6, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def clip_inf_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_clip7, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def clip_inf_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_clip8, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def clip_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_clip9, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def clip_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_clip10, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def clip_minus_inf_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_clip11, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def clip_minus_inf_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_clip12, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def clip_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_clip13, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def clip_wide_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_clip14, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def clip_wide_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_clip15, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def clip_wide_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_clip16, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def clip_wide_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_clip17, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def gelu_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.gelu, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def gelu_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.gelu1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def gelu_tanh_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.gelu_tanh, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def gelu_tanh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.gelu_tanh1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def leakyrelu_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.leaky_relu, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def leakyrelu_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.leaky_relu1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def log_softmax_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.log_softmax, (x,), out_ty=R.Tensor((n, 4), dtype="float16"))
        return y

    @R.function
    def log_softmax_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.log_softmax1, (x,), out_ty=R.Tensor((n, 4), dtype="float32"))
        return y

    @R.function
    def relu6_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_clip5, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def relu6_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_clip6, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def relu6_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_clip9, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def relu6_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_clip10, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def relu6_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_clip13, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def relu_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.relu, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def relu_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.relu1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def relu_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.relu2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def relu_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.relu3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def relu_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.relu4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def selu_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.selu, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def selu_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.selu1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def silu_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.silu, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def silu_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.silu1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def softmax_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n, 4), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.softmax, (x,), out_ty=R.Tensor((n, 4), dtype="float16"))
        return y

    @R.function
    def softmax_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.softmax1, (x,), out_ty=R.Tensor((n, 4), dtype="float32"))
        return y

    @R.function
    def softplus_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.softplus, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def softplus_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.softplus1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y
