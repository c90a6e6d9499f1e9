from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_add: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def add1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_add: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def add2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_add: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def add3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_add: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def add4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_add: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_add"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_add[v_ax0])
                T_add[v_ax0] = x[v_ax0] + y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def atan2(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_atan2: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_atan2"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_atan2[v_ax0])
                T_atan2[v_ax0] = T.atan2(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def bitwise_and(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "bool"), T_bitwise_and: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_and"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_and[v_ax0])
                T_bitwise_and[v_ax0] = x[v_ax0] & y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_and1(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_bitwise_and: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_and"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_and[v_ax0])
                T_bitwise_and[v_ax0] = x[v_ax0] & y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_and2(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_bitwise_and: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_and"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_and[v_ax0])
                T_bitwise_and[v_ax0] = x[v_ax0] & y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_and3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_bitwise_and: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_and"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_and[v_ax0])
                T_bitwise_and[v_ax0] = x[v_ax0] & y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_or(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "bool"), T_bitwise_or: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_or"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_or[v_ax0])
                T_bitwise_or[v_ax0] = x[v_ax0] | y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_or1(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_bitwise_or: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_or"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_or[v_ax0])
                T_bitwise_or[v_ax0] = x[v_ax0] | y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_or2(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_bitwise_or: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_or"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_or[v_ax0])
                T_bitwise_or[v_ax0] = x[v_ax0] | y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_or3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_bitwise_or: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_or"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_or[v_ax0])
                T_bitwise_or[v_ax0] = x[v_ax0] | y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_xor(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "bool"), T_bitwise_xor: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_xor"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_xor[v_ax0])
                T_bitwise_xor[v_ax0] = x[v_ax0] ^ y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_xor1(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_bitwise_xor: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_xor"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_xor[v_ax0])
                T_bitwise_xor[v_ax0] = x[v_ax0] ^ y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_xor2(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_bitwise_xor: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_xor"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_xor[v_ax0])
                T_bitwise_xor[v_ax0] = x[v_ax0] ^ y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def bitwise_xor3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_bitwise_xor: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_bitwise_xor"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_bitwise_xor[v_ax0])
                T_bitwise_xor[v_ax0] = x[v_ax0] ^ y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def divide(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_divide: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = x[v_ax0] / y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def divide1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_divide: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = x[v_ax0] / y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def divide2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_divide: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def divide3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_divide: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def divide4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_divide: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def equal(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_equal[v_ax0])
                T_equal[v_ax0] = x[v_ax0] == y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def equal1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_equal[v_ax0])
                T_equal[v_ax0] = x[v_ax0] == y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def equal2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_equal[v_ax0])
                T_equal[v_ax0] = x[v_ax0] == y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def equal3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_equal[v_ax0])
                T_equal[v_ax0] = x[v_ax0] == y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_divide(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_floor_divide: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_divide[v_ax0])
                T_floor_divide[v_ax0] = T.floor(x[v_ax0] / y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def floor_divide1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_floor_divide: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_divide[v_ax0])
                T_floor_divide[v_ax0] = T.floor(x[v_ax0] / y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def floor_divide2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_floor_divide: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_divide[v_ax0])
                T_floor_divide[v_ax0] = x[v_ax0] // y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_divide3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_floor_divide: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_divide[v_ax0])
                T_floor_divide[v_ax0] = x[v_ax0] // y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_divide4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_floor_divide: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_divide[v_ax0])
                T_floor_divide[v_ax0] = x[v_ax0] // y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_mod(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_floor_mod: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_mod[v_ax0])
                T_floor_mod[v_ax0] = x[v_ax0] - T.floor(x[v_ax0] / y[v_ax0]) * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_mod1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_floor_mod: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_mod[v_ax0])
                T_floor_mod[v_ax0] = x[v_ax0] - T.floor(x[v_ax0] / y[v_ax0]) * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_mod2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_floor_mod: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_mod[v_ax0])
                T_floor_mod[v_ax0] = x[v_ax0] % y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_mod3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_floor_mod: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_mod[v_ax0])
                T_floor_mod[v_ax0] = x[v_ax0] % y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def floor_mod4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_floor_mod: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_floor_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_floor_mod[v_ax0])
                T_floor_mod[v_ax0] = x[v_ax0] % y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_greater: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater[v_ax0])
                T_greater[v_ax0] = y[v_ax0] < x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_greater: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater[v_ax0])
                T_greater[v_ax0] = y[v_ax0] < x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_greater: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater[v_ax0])
                T_greater[v_ax0] = y[v_ax0] < x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_greater: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater[v_ax0])
                T_greater[v_ax0] = y[v_ax0] < x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater_equal(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_greater_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater_equal[v_ax0])
                T_greater_equal[v_ax0] = y[v_ax0] <= x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater_equal1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_greater_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater_equal[v_ax0])
                T_greater_equal[v_ax0] = y[v_ax0] <= x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater_equal2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_greater_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater_equal[v_ax0])
                T_greater_equal[v_ax0] = y[v_ax0] <= x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def greater_equal3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_greater_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_greater_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(y[v_ax0], x[v_ax0])
                T.writes(T_greater_equal[v_ax0])
                T_greater_equal[v_ax0] = y[v_ax0] <= x[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def left_shift(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_left_shift: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_left_shift"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_left_shift[v_ax0])
                T_left_shift[v_ax0] = x[v_ax0] << y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def left_shift1(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_left_shift: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_left_shift"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_left_shift[v_ax0])
                T_left_shift[v_ax0] = x[v_ax0] << y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def left_shift2(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_left_shift: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_left_shift"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_left_shift[v_ax0])
                T_left_shift[v_ax0] = x[v_ax0] << y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_less: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less[v_ax0])
                T_less[v_ax0] = x[v_ax0] < y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_less: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less[v_ax0])
                T_less[v_ax0] = x[v_ax0] < y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_less: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less[v_ax0])
                T_less[v_ax0] = x[v_ax0] < y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_less: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less[v_ax0])
                T_less[v_ax0] = x[v_ax0] < y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less_equal(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_less_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less_equal[v_ax0])
                T_less_equal[v_ax0] = x[v_ax0] <= y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less_equal1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_less_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less_equal[v_ax0])
                T_less_equal[v_ax0] = x[v_ax0] <= y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less_equal2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_less_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less_equal[v_ax0])
                T_less_equal[v_ax0] = x[v_ax0] <= y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def less_equal3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_less_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_less_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_less_equal[v_ax0])
                T_less_equal[v_ax0] = x[v_ax0] <= y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def log_add_exp(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_log_add_exp: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_log_add_exp"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_log_add_exp[v_ax0])
                T_log_add_exp[v_ax0] = T.log(T.exp(x[v_ax0]) + T.exp(y[v_ax0]))

    @T.prim_func(private=True, s_tir=True)
    def log_add_exp1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_log_add_exp: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_log_add_exp"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_log_add_exp[v_ax0])
                T_log_add_exp[v_ax0] = T.log(T.exp(x[v_ax0]) + T.exp(y[v_ax0]))

    @T.prim_func(private=True, s_tir=True)
    def logical_and(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "bool"), T_logical_and: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_logical_and"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_logical_and[v_ax0])
                T_logical_and[v_ax0] = x[v_ax0] and y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def logical_or(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "bool"), T_logical_or: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_logical_or"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_logical_or[v_ax0])
                T_logical_or[v_ax0] = x[v_ax0] or y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def maximum(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_maximum: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def maximum1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_maximum: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def maximum2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_maximum: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def maximum3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_maximum: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def maximum4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_maximum: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_maximum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def minimum(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_minimum: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def minimum1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_minimum: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def minimum2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_minimum: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def minimum3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_minimum: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def minimum4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_minimum: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_minimum"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def mod(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_mod: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_mod[v_ax0])
                T_mod[v_ax0] = T.truncmod(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def mod1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_mod: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_mod[v_ax0])
                T_mod[v_ax0] = T.truncmod(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def mod2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_mod: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_mod[v_ax0])
                T_mod[v_ax0] = T.truncmod(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def mod3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_mod: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_mod[v_ax0])
                T_mod[v_ax0] = T.truncmod(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def mod4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_mod: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_mod"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_mod[v_ax0])
                T_mod[v_ax0] = T.truncmod(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def multiply(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_multiply: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def multiply1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_multiply: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def multiply2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_multiply: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def multiply3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_multiply: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def multiply4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_multiply: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_multiply"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_multiply[v_ax0])
                T_multiply[v_ax0] = x[v_ax0] * y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def not_equal(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_not_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_not_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_not_equal[v_ax0])
                T_not_equal[v_ax0] = x[v_ax0] != y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def not_equal1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_not_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_not_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_not_equal[v_ax0])
                T_not_equal[v_ax0] = x[v_ax0] != y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def not_equal2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_not_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_not_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_not_equal[v_ax0])
                T_not_equal[v_ax0] = x[v_ax0] != y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def not_equal3(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_not_equal: T.Buffer((n,), "bool")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_not_equal"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_not_equal[v_ax0])
                T_not_equal[v_ax0] = x[v_ax0] != y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def power(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_power: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_power"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_power[v_ax0])
                T_power[v_ax0] = T.pow(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def power1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_power: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_power"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_power[v_ax0])
                T_power[v_ax0] = T.pow(x[v_ax0], y[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def right_shift(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_right_shift: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_right_shift"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_right_shift[v_ax0])
                T_right_shift[v_ax0] = x[v_ax0] >> y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def right_shift1(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_right_shift: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_right_shift"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_right_shift[v_ax0])
                T_right_shift[v_ax0] = x[v_ax0] >> y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def right_shift2(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_right_shift: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_right_shift"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_right_shift[v_ax0])
                T_right_shift[v_ax0] = x[v_ax0] >> y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def subtract(x: T.Buffer((n,), "float16"), y: T.Buffer((n,), "float16"), T_subtract: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = x[v_ax0] - y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def subtract1(x: T.Buffer((n,), "float32"), y: T.Buffer((n,), "float32"), T_subtract: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = x[v_ax0] - y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def subtract2(x: T.Buffer((n,), "int32"), y: T.Buffer((n,), "int32"), T_subtract: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = x[v_ax0] - y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def subtract3(x: T.Buffer((n,), "int8"), y: T.Buffer((n,), "int8"), T_subtract: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = x[v_ax0] - y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def subtract4(x: T.Buffer((n,), "uint8"), y: T.Buffer((n,), "uint8"), T_subtract: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_subtract"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0])
                T.writes(T_subtract[v_ax0])
                T_subtract[v_ax0] = x[v_ax0] - y[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def where(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "float16"), z: T.Buffer((n,), "float16"), T_where: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_where"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0], z[v_ax0])
                T.writes(T_where[v_ax0])
                T_where[v_ax0] = T.Select(T.int64(0) < T.Cast("int64", x[v_ax0]), y[v_ax0], z[v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def where1(x: T.Buffer((n,), "bool"), y: T.Buffer((n,), "float32"), z: T.Buffer((n,), "float32"), T_where: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_where"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x[v_ax0], y[v_ax0], z[v_ax0])
                T.writes(T_where[v_ax0])
                T_where[v_ax0] = T.Select(T.int64(0) < T.Cast("int64", x[v_ax0]), y[v_ax0], z[v_ax0])

    @R.function
    def add_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.add, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def add_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.add1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def add_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.add2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def add_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.add3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def add_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.add4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def atan2_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.atan2, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def bitwise_and_bool(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_and, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def bitwise_and_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_and1, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def bitwise_and_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_and2, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def bitwise_and_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_and3, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def bitwise_or_bool(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_or, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def bitwise_or_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_or1, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def bitwise_or_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_or2, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def bitwise_or_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_or3, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def bitwise_xor_bool(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_xor, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def bitwise_xor_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_xor1, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def bitwise_xor_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_xor2, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def bitwise_xor_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_xor3, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def divide_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.divide, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def divide_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.divide1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def divide_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.divide2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def divide_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.divide3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def divide_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.divide4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def equal_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.equal, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def equal_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.equal1, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def equal_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.equal2, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def equal_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.equal3, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def floor_divide_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.floor_divide, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def floor_divide_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.floor_divide1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def floor_divide_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.floor_divide2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def floor_divide_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.floor_divide3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def floor_divide_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.floor_divide4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def floor_mod_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.floor_mod, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def floor_mod_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.floor_mod1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def floor_mod_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.floor_mod2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def floor_mod_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.floor_mod3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def floor_mod_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.floor_mod4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def greater_equal_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater_equal, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_equal_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater_equal1, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_equal_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater_equal2, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_equal_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater_equal3, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater1, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater2, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def greater_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.greater3, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def left_shift_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.left_shift, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def left_shift_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.left_shift1, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def left_shift_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.left_shift2, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def less_equal_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less_equal, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_equal_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less_equal1, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_equal_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less_equal2, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_equal_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less_equal3, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less1, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less2, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def less_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.less3, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def log_add_exp_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.log_add_exp, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def log_add_exp_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.log_add_exp1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def logical_and_bool(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.logical_and, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def logical_or_bool(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.logical_or, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def logical_xor_bool(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="bool")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.bitwise_xor, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def maximum_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.maximum, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def maximum_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.maximum1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def maximum_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.maximum2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def maximum_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.maximum3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def maximum_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.maximum4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def minimum_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.minimum, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def minimum_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.minimum1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def minimum_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.minimum2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def minimum_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.minimum3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def minimum_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.minimum4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def mod_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.mod, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def mod_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.mod1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def mod_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.mod2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def mod_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.mod3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def mod_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.mod4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def multiply_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.multiply, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def multiply_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.multiply1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def multiply_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.multiply2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def multiply_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.multiply3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def multiply_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.multiply4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def not_equal_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.not_equal, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def not_equal_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.not_equal1, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def not_equal_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.not_equal2, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def not_equal_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="bool"):
        cls = Module
        y_1 = R.call_tir(cls.not_equal3, (x, y), out_ty=R.Tensor((n,), dtype="bool"))
        return y_1

    @R.function
    def power_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.power, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def power_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.power1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def right_shift_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.right_shift, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def right_shift_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.right_shift1, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def right_shift_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.right_shift2, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def subtract_float16(x: R.Tensor((n,), dtype="float16"), y: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.subtract, (x, y), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def subtract_float32(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.subtract1, (x, y), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def subtract_int32(x: R.Tensor((n,), dtype="int32"), y: R.Tensor((n,), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y_1 = R.call_tir(cls.subtract2, (x, y), out_ty=R.Tensor((n,), dtype="int32"))
        return y_1

    @R.function
    def subtract_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((n,), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.subtract3, (x, y), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def subtract_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((n,), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.subtract4, (x, y), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1

    @R.function
    def where_float16(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="float16"), z: R.Tensor((n,), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y_1 = R.call_tir(cls.where, (x, y, z), out_ty=R.Tensor((n,), dtype="float16"))
        return y_1

    @R.function
    def where_float32(x: R.Tensor((n,), dtype="bool"), y: R.Tensor((n,), dtype="float32"), z: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.where1, (x, y, z), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1
