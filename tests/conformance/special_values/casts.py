from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def cast(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast1(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast10(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast100(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast101(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast102(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast103(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast104(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast105(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast106(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast107(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast108(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast109(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast11(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast110(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast111(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast112(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast113(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast114(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast115(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast116(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast117(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast118(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast119(x: T.Buffer((n,), "uint8"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast12(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast13(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast14(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast15(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast16(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast17(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast18(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast19(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast2(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast20(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast21(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast22(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast23(x: T.Buffer((n,), "bool"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast24(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast25(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast26(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast27(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast28(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast29(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast3(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast30(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast31(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast32(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast33(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast34(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast35(x: T.Buffer((n,), "float16"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast36(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast37(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast38(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast39(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast4(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast40(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast41(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast42(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast43(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast44(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast45(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast46(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast47(x: T.Buffer((n,), "float32"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast48(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast49(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast5(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast50(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast51(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast52(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast53(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast54(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast55(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast56(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast57(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast58(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast59(x: T.Buffer((n,), "float64"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast6(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast60(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast61(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast62(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast63(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast64(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast65(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast66(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast67(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast68(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast69(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast7(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast70(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast71(x: T.Buffer((n,), "int32"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast72(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast73(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast74(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast75(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast76(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast77(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast78(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast79(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast8(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast80(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast81(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast82(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast83(x: T.Buffer((n,), "int64"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast84(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast85(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast86(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast87(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast88(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "float64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast89(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast9(x: T.Buffer((n,), "bfloat16"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast90(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast91(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("int64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast92(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "uint16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast93(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint32", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast94(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "uint64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint64", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast95(x: T.Buffer((n,), "int8"), compute: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("uint8", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast96(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bfloat16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast97(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("bool", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast98(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float16", x[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def cast99(x: T.Buffer((n,), "uint64"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.Cast("float32", x[v_i0])

    @R.function
    def bfloat16_to_bool(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def bfloat16_to_float16(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast1, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def bfloat16_to_float32(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast2, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def bfloat16_to_float64(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast3, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def bfloat16_to_int16(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast4, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def bfloat16_to_int32(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast5, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def bfloat16_to_int64(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast6, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def bfloat16_to_int8(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast7, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def bfloat16_to_uint16(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast8, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def bfloat16_to_uint32(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast9, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def bfloat16_to_uint64(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast10, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def bfloat16_to_uint8(x: R.Tensor((n,), dtype="bfloat16")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast11, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def bool_to_bfloat16(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast12, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def bool_to_float16(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast13, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def bool_to_float32(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast14, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def bool_to_float64(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast15, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def bool_to_int16(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast16, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def bool_to_int32(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast17, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def bool_to_int64(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast18, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def bool_to_int8(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast19, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def bool_to_uint16(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast20, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def bool_to_uint32(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast21, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def bool_to_uint64(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast22, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def bool_to_uint8(x: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast23, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def float16_to_bfloat16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast24, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def float16_to_bool(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast25, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def float16_to_float32(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast26, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def float16_to_float64(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast27, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def float16_to_int16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast28, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def float16_to_int32(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast29, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def float16_to_int64(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast30, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def float16_to_int8(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast31, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def float16_to_uint16(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast32, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def float16_to_uint32(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast33, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def float16_to_uint64(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast34, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def float16_to_uint8(x: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast35, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def float32_to_bfloat16(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast36, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def float32_to_bool(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast37, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def float32_to_float16(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast38, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def float32_to_float64(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast39, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def float32_to_int16(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast40, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def float32_to_int32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast41, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def float32_to_int64(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast42, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def float32_to_int8(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast43, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def float32_to_uint16(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast44, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def float32_to_uint32(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast45, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def float32_to_uint64(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast46, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def float32_to_uint8(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast47, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def float64_to_bfloat16(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast48, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def float64_to_bool(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast49, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def float64_to_float16(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast50, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def float64_to_float32(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast51, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def float64_to_int16(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast52, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def float64_to_int32(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast53, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def float64_to_int64(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast54, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def float64_to_int8(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast55, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def float64_to_uint16(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast56, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def float64_to_uint32(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast57, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def float64_to_uint64(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast58, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def float64_to_uint8(x: R.Tensor((n,), dtype="float64")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast59, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def int32_to_bfloat16(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast60, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def int32_to_bool(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast61, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def int32_to_float16(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast62, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def int32_to_float32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast63, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def int32_to_float64(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast64, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def int32_to_int16(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast65, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def int32_to_int64(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast66, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def int32_to_int8(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast67, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def int32_to_uint16(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast68, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def int32_to_uint32(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast69, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def int32_to_uint64(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast70, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def int32_to_uint8(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast71, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def int64_to_bfloat16(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast72, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def int64_to_bool(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast73, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def int64_to_float16(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast74, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def int64_to_float32(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast75, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def int64_to_float64(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast76, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def int64_to_int16(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast77, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def int64_to_int32(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast78, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def int64_to_int8(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast79, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def int64_to_uint16(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast80, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def int64_to_uint32(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast81, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def int64_to_uint64(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast82, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def int64_to_uint8(x: R.Tensor((n,), dtype="int64")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast83, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def int8_to_bfloat16(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast84, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def int8_to_bool(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast85, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def int8_to_float16(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast86, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def int8_to_float32(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast87, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def int8_to_float64(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast88, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def int8_to_int16(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast89, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def int8_to_int32(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast90, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def int8_to_int64(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast91, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def int8_to_uint16(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast92, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def int8_to_uint32(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast93, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def int8_to_uint64(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast94, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y

    @R.function
    def int8_to_uint8(x: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast95, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def uint64_to_bfloat16(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast96, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def uint64_to_bool(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast97, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def uint64_to_float16(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast98, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def uint64_to_float32(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast99, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def uint64_to_float64(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast100, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def uint64_to_int16(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast101, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def uint64_to_int32(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast102, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def uint64_to_int64(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast103, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def uint64_to_int8(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast104, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def uint64_to_uint16(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast105, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def uint64_to_uint32(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast106, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def uint64_to_uint8(x: R.Tensor((n,), dtype="uint64")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.cast107, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def uint8_to_bfloat16(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bfloat16"):
        cls = Module
        y = R.call_tir(cls.cast108, (x,), out_ty=R.Tensor((n,), dtype="bfloat16"))
        return y

    @R.function
    def uint8_to_bool(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y = R.call_tir(cls.cast109, (x,), out_ty=R.Tensor((n,), dtype="bool"))
        return y

    @R.function
    def uint8_to_float16(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.cast110, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def uint8_to_float32(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.cast111, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def uint8_to_float64(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="float64"):
        cls = Module
        y = R.call_tir(cls.cast112, (x,), out_ty=R.Tensor((n,), dtype="float64"))
        return y

    @R.function
    def uint8_to_int16(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="int16"):
        cls = Module
        y = R.call_tir(cls.cast113, (x,), out_ty=R.Tensor((n,), dtype="int16"))
        return y

    @R.function
    def uint8_to_int32(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.cast114, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def uint8_to_int64(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.cast115, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def uint8_to_int8(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.cast116, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def uint8_to_uint16(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint16"):
        cls = Module
        y = R.call_tir(cls.cast117, (x,), out_ty=R.Tensor((n,), dtype="uint16"))
        return y

    @R.function
    def uint8_to_uint32(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint32"):
        cls = Module
        y = R.call_tir(cls.cast118, (x,), out_ty=R.Tensor((n,), dtype="uint32"))
        return y

    @R.function
    def uint8_to_uint64(x: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint64"):
        cls = Module
        y = R.call_tir(cls.cast119, (x,), out_ty=R.Tensor((n,), dtype="uint64"))
        return y
