from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def erf(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        compute_1 = T.sblock_alloc_buffer((n,))
        compute_2 = T.sblock_alloc_buffer((n,))
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute_1[v_i0])
                compute_1[v_i0] = T.Cast("float32", x[v_i0])
        for i0 in range(n):
            with T.sblock("compute_1"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(compute_1[v_i0])
                T.writes(compute_2[v_i0])
                compute_2[v_i0] = T.erf(compute_1[v_i0])
        for i0 in range(n):
            with T.sblock("compute_2"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(compute_2[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", compute_2[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def erf1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.erf(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_abs(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.fabs(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_abs1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.fabs(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_abs2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Select(T.int64(0) <= T.Cast("int64", x[v_i0]), x[v_i0], 0 - x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_abs3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Select(T.int8(0) <= x[v_i0], x[v_i0], T.int8(0) - x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_abs4(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def tir_acos(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.acos(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_acosh(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.acosh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_asin(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.asin(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_asinh(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.asinh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_atan(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.atan(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_atanh(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.atanh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_atanh1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.atanh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_bitwise_not(x: T.Buffer((n,), "bool"), T_bitwise_not: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_not"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_bitwise_not[v_ax0])
                T_bitwise_not[v_ax0] = ~x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_bitwise_not1(x: T.Buffer((n,), "int32"), T_bitwise_not: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_not"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_bitwise_not[v_ax0])
                T_bitwise_not[v_ax0] = ~x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_bitwise_not2(x: T.Buffer((n,), "int8"), T_bitwise_not: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_not"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_bitwise_not[v_ax0])
                T_bitwise_not[v_ax0] = ~x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_bitwise_not3(x: T.Buffer((n,), "uint8"), T_bitwise_not: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_not"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_bitwise_not[v_ax0])
                T_bitwise_not[v_ax0] = ~x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_ceil(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.ceil(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_ceil1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.ceil(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_ceil2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def tir_ceil3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def tir_cos(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.cos(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_cos1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.cos(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_cosh(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.cosh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_exp(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_exp1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.exp(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_floor(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.floor(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_floor1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.floor(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_isfinite(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = (T.fabs(x[v_i0]) != T.float16("inf") or T.isnan(T.Cast("float32", x[v_i0]))) and not T.isnan(T.Cast("float32", x[v_i0]))

    @T.prim_func(private=True, s_tir=True)
    def tir_isfinite1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = (T.fabs(x[v_i0]) != T.float32("inf") or T.isnan(x[v_i0])) and not T.isnan(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_isfinite2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = T.bool(True)

    @T.prim_func(private=True, s_tir=True)
    def tir_isfinite3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = T.bool(True)

    @T.prim_func(private=True, s_tir=True)
    def tir_isfinite4(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = T.bool(True)

    @T.prim_func(private=True, s_tir=True)
    def tir_isinf(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.fabs(x[v_i0]) == T.float16("inf") and not T.isnan(T.Cast("float32", x[v_i0]))

    @T.prim_func(private=True, s_tir=True)
    def tir_isinf1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.fabs(x[v_i0]) == T.float32("inf") and not T.isnan(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_isinf2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = T.bool(False)

    @T.prim_func(private=True, s_tir=True)
    def tir_isinf3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = T.bool(False)

    @T.prim_func(private=True, s_tir=True)
    def tir_isinf4(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads()
                T.writes(compute[v_i0])
                compute[v_i0] = T.bool(False)

    @T.prim_func(private=True, s_tir=True)
    def tir_isnan(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.isnan(T.Cast("float32", x[v_i0]))

    @T.prim_func(private=True, s_tir=True)
    def tir_isnan1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.isnan(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_log(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.log(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_log1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.log(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_logical_not(x: T.Buffer((n,), "bool"), T_logical_not: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_logical_not"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_logical_not[v_ax0])
                T_logical_not[v_ax0] = not x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_negative(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0] * T.float16(-1.0)

    @T.prim_func(private=True, s_tir=True)
    def tir_negative1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0] * T.float32(-1.0)

    @T.prim_func(private=True, s_tir=True)
    def tir_negative2(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0] * -1

    @T.prim_func(private=True, s_tir=True)
    def tir_negative3(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = x[v_i0] * T.int8(-1)

    @T.prim_func(private=True, s_tir=True)
    def tir_round(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.nearbyint(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_round1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.nearbyint(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_rsqrt(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.rsqrt(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_rsqrt1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.rsqrt(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sigmoid(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sigmoid(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sigmoid1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sigmoid(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sign(x: T.Buffer((n,), "float16"), T_sign: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_sign"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_sign[v_ax0])
                T_sign[v_ax0] = T.Select(T.float16(0.0) < x[v_ax0], T.float16(1.0), T.Select(x[v_ax0] < T.float16(0.0), T.float16(-1.0), T.float16(0.0)))

    @T.prim_func(private=True, s_tir=True)
    def tir_sign1(x: T.Buffer((n,), "float32"), T_sign: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_sign"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_sign[v_ax0])
                T_sign[v_ax0] = T.Select(T.float32(0.0) < x[v_ax0], T.float32(1.0), T.Select(x[v_ax0] < T.float32(0.0), T.float32(-1.0), T.float32(0.0)))

    @T.prim_func(private=True, s_tir=True)
    def tir_sign2(x: T.Buffer((n,), "int32"), T_sign: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_sign"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_sign[v_ax0])
                T_sign[v_ax0] = T.Select(T.int64(0) < T.Cast("int64", x[v_ax0]), 1, T.Select(T.Cast("int64", x[v_ax0]) < T.int64(0), -1, 0))

    @T.prim_func(private=True, s_tir=True)
    def tir_sign3(x: T.Buffer((n,), "int8"), T_sign: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_sign"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_sign[v_ax0])
                T_sign[v_ax0] = T.Select(T.int8(0) < x[v_ax0], T.int8(1), T.Select(x[v_ax0] < T.int8(0), T.int8(-1), T.int8(0)))

    @T.prim_func(private=True, s_tir=True)
    def tir_sin(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sin(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sin1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sin(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sinh(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sinh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sqrt(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sqrt(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_sqrt1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sqrt(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_square(x: T.Buffer((n,), "float16"), T_multiply: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_square1(x: T.Buffer((n,), "float32"), T_multiply: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_square2(x: T.Buffer((n,), "int32"), T_multiply: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_square3(x: T.Buffer((n,), "int8"), T_multiply: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_square4(x: T.Buffer((n,), "uint8"), T_multiply: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def tir_tan(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.tan(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_tan1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.tan(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.tanh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.tanh(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_trunc(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.trunc(x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def tir_trunc1(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.trunc(x[v_i0])

    @R.function
    def abs_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_abs, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def abs_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_abs1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def abs_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_abs2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def abs_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_abs3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def abs_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_abs4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def acos_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_acos, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def acosh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_acosh, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def asin_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_asin, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def asinh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_asinh, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def atan_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_atan, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def atanh_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_atanh, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def atanh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_atanh1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def bitwise_not_bool(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_bitwise_not, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def bitwise_not_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_bitwise_not1, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def bitwise_not_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_bitwise_not2, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def bitwise_not_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_bitwise_not3, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def ceil_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_ceil, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def ceil_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_ceil1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def ceil_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_ceil2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def ceil_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_ceil3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def ceil_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_abs4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def cos_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_cos, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def cos_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_cos1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def cosh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_cosh, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def erf_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.erf, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def erf_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.erf1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def exp_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def exp_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_exp1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def floor_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_floor, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def floor_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_floor1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def floor_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_ceil2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def floor_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_ceil3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def floor_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_abs4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def isfinite_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isfinite, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isfinite_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isfinite1, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isfinite_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isfinite2, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isfinite_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isfinite3, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isfinite_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isfinite4, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isinf_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isinf_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf1, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isinf_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf2, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isinf_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf3, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isinf_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf4, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isnan_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isnan, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isnan_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isnan1, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isnan_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf2, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isnan_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf3, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def isnan_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_isinf4, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def log_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_log, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def log_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_log1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def logical_not_bool(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.tir_logical_not, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def negative_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_negative, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def negative_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_negative1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def negative_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_negative2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def negative_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_negative3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def round_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_round, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def round_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_round1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def round_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_ceil2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def round_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_ceil3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def round_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_abs4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def rsqrt_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_rsqrt, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def rsqrt_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_rsqrt1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sigmoid_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_sigmoid, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def sigmoid_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_sigmoid1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sign_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_sign, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def sign_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_sign1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sign_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_sign2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def sign_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_sign3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def sin_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_sin, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def sin_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_sin1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sinh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_sinh, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sqrt_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_sqrt, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def sqrt_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_sqrt1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def square_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_square, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def square_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_square1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def square_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_square2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def square_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_square3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def square_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_square4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def tan_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_tan, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def tan_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_tan1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def tanh_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_tanh, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def tanh_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_tanh1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def trunc_float16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.tir_trunc, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def trunc_float32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.tir_trunc1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def trunc_int32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.tir_ceil2, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def trunc_int8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.tir_ceil3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def trunc_uint8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.tir_abs4, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y
