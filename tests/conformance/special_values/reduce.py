from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def argmax10(x: T.Buffer((n, T.int64(4)), "uint8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "uint8")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.uint8(0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.uint8] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax2(x: T.Buffer((T.int64(4), n), "float32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,))
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_k0, v_ax0] or x_red_temp_v1[v_ax0] == x[v_k0, v_ax0] and x_red_temp_v0[v_ax0] < v_k0, x_red_temp_v0[v_ax0], v_k0)
                v_x_red_temp_v1: T.let[T.float32] = T.Select(x_red_temp_v1[v_ax0] > x[v_k0, v_ax0], x_red_temp_v1[v_ax0], x[v_k0, v_ax0])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax3(x: T.Buffer((T.int64(4), n), "int8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.int8(-128)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_k0, v_ax0] or x_red_temp_v1[v_ax0] == x[v_k0, v_ax0] and x_red_temp_v0[v_ax0] < v_k0, x_red_temp_v0[v_ax0], v_k0)
                v_x_red_temp_v1: T.let[T.int8] = T.Select(x_red_temp_v1[v_ax0] > x[v_k0, v_ax0], x_red_temp_v1[v_ax0], x[v_k0, v_ax0])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax4(x: T.Buffer((n, T.int64(4)), "float16"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "float16")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float16(-65504.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.float16] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax5(x: T.Buffer((n, T.int64(4)), "float32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.float32] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax6(x: T.Buffer((n, T.int64(4)), "int32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int32")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = -2147483648
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.int32] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax7(x: T.Buffer((n, T.int64(4)), "int8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.int8(-128)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.int8] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax8(x: T.Buffer((n, T.int64(80)), "float32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.float32] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmax9(x: T.Buffer((n, T.int64(80)), "int8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.int8(-128)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.int8] = T.Select(x_red_temp_v1[v_ax0] > x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin10(x: T.Buffer((n, T.int64(4)), "uint8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "uint8")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.uint8(255)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.uint8] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin2(x: T.Buffer((T.int64(4), n), "float32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,))
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_k0, v_ax0] or x_red_temp_v1[v_ax0] == x[v_k0, v_ax0] and x_red_temp_v0[v_ax0] < v_k0, x_red_temp_v0[v_ax0], v_k0)
                v_x_red_temp_v1: T.let[T.float32] = T.Select(x_red_temp_v1[v_ax0] < x[v_k0, v_ax0], x_red_temp_v1[v_ax0], x[v_k0, v_ax0])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin3(x: T.Buffer((T.int64(4), n), "int8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.int8(127)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_k0, v_ax0] or x_red_temp_v1[v_ax0] == x[v_k0, v_ax0] and x_red_temp_v0[v_ax0] < v_k0, x_red_temp_v0[v_ax0], v_k0)
                v_x_red_temp_v1: T.let[T.int8] = T.Select(x_red_temp_v1[v_ax0] < x[v_k0, v_ax0], x_red_temp_v1[v_ax0], x[v_k0, v_ax0])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin4(x: T.Buffer((n, T.int64(4)), "float16"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "float16")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float16(65504.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.float16] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin5(x: T.Buffer((n, T.int64(4)), "float32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.float32] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin6(x: T.Buffer((n, T.int64(4)), "int32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int32")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = 2147483647
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.int32] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin7(x: T.Buffer((n, T.int64(4)), "int8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.int8(127)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.int8] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin8(x: T.Buffer((n, T.int64(80)), "float32"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.float32] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def argmin9(x: T.Buffer((n, T.int64(80)), "int8"), x_red: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red_temp_v0 = T.sblock_alloc_buffer((n,), "int64")
        x_red_temp_v1 = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.int64(-1)
                    x_red_temp_v1[v_ax0] = T.int8(127)
                v_x_red_temp_v0: T.let[T.int64] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1] or x_red_temp_v1[v_ax0] == x[v_ax0, v_k1] and x_red_temp_v0[v_ax0] < v_k1, x_red_temp_v0[v_ax0], v_k1)
                v_x_red_temp_v1: T.let[T.int8] = T.Select(x_red_temp_v1[v_ax0] < x[v_ax0, v_k1], x_red_temp_v1[v_ax0], x[v_ax0, v_k1])
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0 in range(n):
            with T.sblock("x_red"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red_temp_v0[v_ax0])
                T.writes(x_red[v_ax0])
                x_red[v_ax0] = x_red_temp_v0[v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def full(T_full: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_full"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads()
                T.writes(T_full[v_ax0])
                T_full[v_ax0] = T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def full1(T_full: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_full"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads()
                T.writes(T_full[v_ax0])
                T_full[v_ax0] = T.int8(1)

    @T.prim_func(private=True, s_tir=True)
    def full2(T_full: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_full"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads()
                T.writes(T_full[v_ax0])
                T_full[v_ax0] = T.float32(0.0)

    @T.prim_func(private=True, s_tir=True)
    def full3(T_full: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0 in range(n):
            with T.sblock("T_full"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads()
                T.writes(T_full[v_ax0])
                T_full[v_ax0] = T.int8(0)

    @T.prim_func(private=True, s_tir=True)
    def max10(x: T.Buffer((n, T.int64(4)), "uint8"), x_red: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.uint8(0)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def max2(x: T.Buffer((T.int64(4), n), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_k0, v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def max3(x: T.Buffer((T.int64(4), n), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(-128)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_k0, v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def max4(x: T.Buffer((n, T.int64(4)), "float16"), x_red: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float16(-65504.0)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def max5(x: T.Buffer((n, T.int64(4)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def max6(x: T.Buffer((n, T.int64(4)), "int32"), x_red: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = -2147483648
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def max7(x: T.Buffer((n, T.int64(4)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(-128)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def max8(x: T.Buffer((n, T.int64(80)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def max9(x: T.Buffer((n, T.int64(80)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(-128)
                x_red[v_ax0] = T.max(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def mean(x: T.Buffer((T.int64(4), n), "float32"), T_divide: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,))
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_k0, v_ax0]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = x_red[v_ax0] / T.float32(4.0)

    @T.prim_func(private=True, s_tir=True)
    def mean1(x: T.Buffer((T.int64(4), n), "int8"), T_divide: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_k0, v_ax0]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(T.Cast("int64", x_red[v_ax0]), T.int64(4))

    @T.prim_func(private=True, s_tir=True)
    def mean2(x: T.Buffer((n, T.int64(4)), "float16"), T_divide: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,), "float16")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float16(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = x_red[v_ax0] / T.float16(4.0)

    @T.prim_func(private=True, s_tir=True)
    def mean3(x: T.Buffer((n, T.int64(4)), "float32"), T_divide: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = x_red[v_ax0] / T.float32(4.0)

    @T.prim_func(private=True, s_tir=True)
    def mean4(x: T.Buffer((n, T.int64(4)), "int32"), T_divide: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,), "int32")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = 0
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(T.Cast("int64", x_red[v_ax0]), T.int64(4))

    @T.prim_func(private=True, s_tir=True)
    def mean5(x: T.Buffer((n, T.int64(4)), "int8"), T_divide: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(T.Cast("int64", x_red[v_ax0]), T.int64(4))

    @T.prim_func(private=True, s_tir=True)
    def mean6(x: T.Buffer((n, T.int64(80)), "float32"), T_divide: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,))
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = x_red[v_ax0] / T.float32(80.0)

    @T.prim_func(private=True, s_tir=True)
    def mean7(x: T.Buffer((n, T.int64(80)), "int8"), T_divide: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,), "int8")
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(T.Cast("int64", x_red[v_ax0]), T.int64(80))

    @T.prim_func(private=True, s_tir=True)
    def mean8(x: T.Buffer((n, T.int64(4)), "uint8"), T_divide: T.Buffer((n,), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n,), "uint8")
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.uint8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(x_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T.Div(T.Cast("int64", x_red[v_ax0]), T.int64(4))

    @T.prim_func(private=True, s_tir=True)
    def min10(x: T.Buffer((n, T.int64(4)), "uint8"), x_red: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.uint8(255)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def min2(x: T.Buffer((T.int64(4), n), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_k0, v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def min3(x: T.Buffer((T.int64(4), n), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(127)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_k0, v_ax0])

    @T.prim_func(private=True, s_tir=True)
    def min4(x: T.Buffer((n, T.int64(4)), "float16"), x_red: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float16(65504.0)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def min5(x: T.Buffer((n, T.int64(4)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def min6(x: T.Buffer((n, T.int64(4)), "int32"), x_red: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = 2147483647
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def min7(x: T.Buffer((n, T.int64(4)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(127)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def min8(x: T.Buffer((n, T.int64(80)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(340282346638528859811704183484516925440.0)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def min9(x: T.Buffer((n, T.int64(80)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(127)
                x_red[v_ax0] = T.min(x_red[v_ax0], x[v_ax0, v_k1])

    @T.prim_func(private=True, s_tir=True)
    def prod(x: T.Buffer((T.int64(4), n), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(1.0)
                x_red[v_ax0] = x_red[v_ax0] * x[v_k0, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def prod1(x: T.Buffer((T.int64(4), n), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(1)
                x_red[v_ax0] = x_red[v_ax0] * x[v_k0, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def prod2(x: T.Buffer((n, T.int64(4)), "float16"), x_red: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float16(1.0)
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def prod3(x: T.Buffer((n, T.int64(4)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(1.0)
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def prod4(x: T.Buffer((n, T.int64(4)), "int32"), x_red: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = 1
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def prod5(x: T.Buffer((n, T.int64(4)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(1)
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def prod6(x: T.Buffer((n, T.int64(80)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(1.0)
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def prod7(x: T.Buffer((n, T.int64(80)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(1)
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def prod8(x: T.Buffer((n, T.int64(4)), "uint8"), x_red: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.uint8(1)
                x_red[v_ax0] = x_red[v_ax0] * x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def std(x: T.Buffer((n, T.int64(4)), "float16"), compute: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n, T.int64(1)), "float16")
        T_divide = T.sblock_alloc_buffer((n, T.int64(1)), "float16")
        T_subtract = T.sblock_alloc_buffer((n, T.int64(4)), "float16")
        T_multiply = T.sblock_alloc_buffer((n, T.int64(4)), "float16")
        T_multiply_red = T.sblock_alloc_buffer((n,), "float16")
        T_divide_1 = T.sblock_alloc_buffer((n,), "float16")
        for ax0, ax1, k1 in T.grid(n, T.int64(1), T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_ax1, v_k1 = T.axis.remap("SSR", [ax0, ax1, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0, v_ax1])
                with T.init():
                    x_red[v_ax0, v_ax1] = T.float16(0.0)
                x_red[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] + x[v_ax0, v_k1]
        for ax0, ax1 in T.grid(n, T.int64(1)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_red[v_ax0, v_ax1])
                T.writes(T_divide[v_ax0, v_ax1])
                T_divide[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] / T.float16(4.0)
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_subtract"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], T_divide[v_ax0, T.int64(0)])
                T.writes(T_subtract[v_ax0, v_ax1])
                T_subtract[v_ax0, v_ax1] = x[v_ax0, v_ax1] - T_divide[v_ax0, T.int64(0)]
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_subtract[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_subtract[v_ax0, v_ax1] * T_subtract[v_ax0, v_ax1]
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(T_multiply[v_ax0, v_k1])
                T.writes(T_multiply_red[v_ax0])
                with T.init():
                    T_multiply_red[v_ax0] = T.float16(0.0)
                T_multiply_red[v_ax0] = T_multiply_red[v_ax0] + T_multiply[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_red[v_ax0])
                T.writes(T_divide_1[v_ax0])
                T_divide_1[v_ax0] = T_multiply_red[v_ax0] / T.float16(4.0)
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(T_divide_1[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sqrt(T_divide_1[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def std1(x: T.Buffer((n, T.int64(4)), "float32"), compute: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n, T.int64(1)))
        T_divide = T.sblock_alloc_buffer((n, T.int64(1)))
        T_subtract = T.sblock_alloc_buffer((n, T.int64(4)))
        T_multiply = T.sblock_alloc_buffer((n, T.int64(4)))
        T_multiply_red = T.sblock_alloc_buffer((n,))
        T_divide_1 = T.sblock_alloc_buffer((n,))
        for ax0, ax1, k1 in T.grid(n, T.int64(1), T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_ax1, v_k1 = T.axis.remap("SSR", [ax0, ax1, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0, v_ax1])
                with T.init():
                    x_red[v_ax0, v_ax1] = T.float32(0.0)
                x_red[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] + x[v_ax0, v_k1]
        for ax0, ax1 in T.grid(n, T.int64(1)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_red[v_ax0, v_ax1])
                T.writes(T_divide[v_ax0, v_ax1])
                T_divide[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] / T.float32(4.0)
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_subtract"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], T_divide[v_ax0, T.int64(0)])
                T.writes(T_subtract[v_ax0, v_ax1])
                T_subtract[v_ax0, v_ax1] = x[v_ax0, v_ax1] - T_divide[v_ax0, T.int64(0)]
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_subtract[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_subtract[v_ax0, v_ax1] * T_subtract[v_ax0, v_ax1]
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(T_multiply[v_ax0, v_k1])
                T.writes(T_multiply_red[v_ax0])
                with T.init():
                    T_multiply_red[v_ax0] = T.float32(0.0)
                T_multiply_red[v_ax0] = T_multiply_red[v_ax0] + T_multiply[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_red[v_ax0])
                T.writes(T_divide_1[v_ax0])
                T_divide_1[v_ax0] = T_multiply_red[v_ax0] / T.float32(4.0)
        for i0 in range(n):
            with T.sblock("compute"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(T_divide_1[v_i0])
                T.writes(compute[v_i0])
                compute[v_i0] = T.sqrt(T_divide_1[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def sum(x: T.Buffer((T.int64(4), n), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_k0, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def sum1(x: T.Buffer((T.int64(4), n), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k0 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
                T.reads(x[v_k0, v_ax0])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_k0, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def sum2(x: T.Buffer((n, T.int64(4)), "float16"), x_red: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float16(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def sum3(x: T.Buffer((n, T.int64(4)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def sum4(x: T.Buffer((n, T.int64(4)), "int32"), x_red: T.Buffer((n,), "int32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = 0
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def sum5(x: T.Buffer((n, T.int64(4)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def sum6(x: T.Buffer((n, T.int64(80)), "float32"), x_red: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.float32(0.0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def sum7(x: T.Buffer((n, T.int64(80)), "int8"), x_red: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(80)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.int8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def sum8(x: T.Buffer((n, T.int64(4)), "uint8"), x_red: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0])
                with T.init():
                    x_red[v_ax0] = T.uint8(0)
                x_red[v_ax0] = x_red[v_ax0] + x[v_ax0, v_k1]

    @T.prim_func(private=True, s_tir=True)
    def variance(x: T.Buffer((n, T.int64(4)), "float16"), T_divide: T.Buffer((n,), "float16")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n, T.int64(1)), "float16")
        T_divide_1 = T.sblock_alloc_buffer((n, T.int64(1)), "float16")
        T_subtract = T.sblock_alloc_buffer((n, T.int64(4)), "float16")
        T_multiply = T.sblock_alloc_buffer((n, T.int64(4)), "float16")
        T_multiply_red = T.sblock_alloc_buffer((n,), "float16")
        for ax0, ax1, k1 in T.grid(n, T.int64(1), T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_ax1, v_k1 = T.axis.remap("SSR", [ax0, ax1, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0, v_ax1])
                with T.init():
                    x_red[v_ax0, v_ax1] = T.float16(0.0)
                x_red[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] + x[v_ax0, v_k1]
        for ax0, ax1 in T.grid(n, T.int64(1)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_red[v_ax0, v_ax1])
                T.writes(T_divide_1[v_ax0, v_ax1])
                T_divide_1[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] / T.float16(4.0)
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_subtract"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], T_divide_1[v_ax0, T.int64(0)])
                T.writes(T_subtract[v_ax0, v_ax1])
                T_subtract[v_ax0, v_ax1] = x[v_ax0, v_ax1] - T_divide_1[v_ax0, T.int64(0)]
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_subtract[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_subtract[v_ax0, v_ax1] * T_subtract[v_ax0, v_ax1]
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(T_multiply[v_ax0, v_k1])
                T.writes(T_multiply_red[v_ax0])
                with T.init():
                    T_multiply_red[v_ax0] = T.float16(0.0)
                T_multiply_red[v_ax0] = T_multiply_red[v_ax0] + T_multiply[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T_multiply_red[v_ax0] / T.float16(4.0)

    @T.prim_func(private=True, s_tir=True)
    def variance1(x: T.Buffer((n, T.int64(4)), "float32"), T_divide: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_red = T.sblock_alloc_buffer((n, T.int64(1)))
        T_divide_1 = T.sblock_alloc_buffer((n, T.int64(1)))
        T_subtract = T.sblock_alloc_buffer((n, T.int64(4)))
        T_multiply = T.sblock_alloc_buffer((n, T.int64(4)))
        T_multiply_red = T.sblock_alloc_buffer((n,))
        for ax0, ax1, k1 in T.grid(n, T.int64(1), T.int64(4)):
            with T.sblock("x_red"):
                v_ax0, v_ax1, v_k1 = T.axis.remap("SSR", [ax0, ax1, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red[v_ax0, v_ax1])
                with T.init():
                    x_red[v_ax0, v_ax1] = T.float32(0.0)
                x_red[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] + x[v_ax0, v_k1]
        for ax0, ax1 in T.grid(n, T.int64(1)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_red[v_ax0, v_ax1])
                T.writes(T_divide_1[v_ax0, v_ax1])
                T_divide_1[v_ax0, v_ax1] = x_red[v_ax0, v_ax1] / T.float32(4.0)
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_subtract"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], T_divide_1[v_ax0, T.int64(0)])
                T.writes(T_subtract[v_ax0, v_ax1])
                T_subtract[v_ax0, v_ax1] = x[v_ax0, v_ax1] - T_divide_1[v_ax0, T.int64(0)]
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_subtract[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = T_subtract[v_ax0, v_ax1] * T_subtract[v_ax0, v_ax1]
        for ax0, k1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(T_multiply[v_ax0, v_k1])
                T.writes(T_multiply_red[v_ax0])
                with T.init():
                    T_multiply_red[v_ax0] = T.float32(0.0)
                T_multiply_red[v_ax0] = T_multiply_red[v_ax0] + T_multiply[v_ax0, v_k1]
        for ax0 in range(n):
            with T.sblock("T_divide_1"):
                v_ax0 = T.axis.spatial(n, ax0)
                T.reads(T_multiply_red[v_ax0])
                T.writes(T_divide[v_ax0])
                T_divide[v_ax0] = T_multiply_red[v_ax0] / T.float32(4.0)

    @R.function
    def argmax_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax2, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax3, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax4, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax5, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax6, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax7, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax8, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax9, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmax_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmax10, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin2, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin3, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin4, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin5, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin6, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin7, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin8, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin9, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def argmin_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.argmin10, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def max_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.max2, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def max_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.max3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def max_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.max4, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def max_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.max5, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def max_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.max6, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def max_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.max7, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def max_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.max8, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def max_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.max9, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def max_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.max10, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def mean_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.mean, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def mean_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.mean1, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def mean_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.mean2, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def mean_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.mean3, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def mean_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.mean4, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def mean_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.mean5, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def mean_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.mean6, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def mean_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.mean7, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def mean_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="int64"):
        cls = Module
        y = R.call_tir(cls.mean8, (x,), out_ty=R.Tensor((n,), dtype="int64"))
        return y

    @R.function
    def min_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.min2, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def min_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.min3, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def min_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.min4, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def min_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.min5, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def min_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.min6, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def min_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.min7, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def min_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.min8, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def min_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.min9, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def min_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.min10, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def prod_empty_float32(x: R.Tensor((n, 0), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.full, R.tuple(), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def prod_empty_int8(x: R.Tensor((n, 0), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.full1, R.tuple(), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def prod_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.prod, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def prod_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.prod1, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def prod_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.prod2, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def prod_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.prod3, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def prod_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.prod4, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def prod_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.prod5, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def prod_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.prod6, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def prod_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.prod7, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def prod_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.prod8, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def std_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.std, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def std_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.std1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sum_empty_float32(x: R.Tensor((n, 0), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.full2, R.tuple(), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sum_empty_int8(x: R.Tensor((n, 0), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.full3, R.tuple(), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def sum_first_float32(x: R.Tensor((4, n), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.sum, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sum_first_int8(x: R.Tensor((4, n), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.sum1, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def sum_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.sum2, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def sum_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.sum3, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sum_int32(x: R.Tensor((n, 4), dtype="int32")) -> R.Tensor((n,), dtype="int32"):
        cls = Module
        y = R.call_tir(cls.sum4, (x,), out_ty=R.Tensor((n,), dtype="int32"))
        return y

    @R.function
    def sum_int8(x: R.Tensor((n, 4), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.sum5, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def sum_long_float32(x: R.Tensor((n, 80), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.sum6, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y

    @R.function
    def sum_long_int8(x: R.Tensor((n, 80), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y = R.call_tir(cls.sum7, (x,), out_ty=R.Tensor((n,), dtype="int8"))
        return y

    @R.function
    def sum_uint8(x: R.Tensor((n, 4), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y = R.call_tir(cls.sum8, (x,), out_ty=R.Tensor((n,), dtype="uint8"))
        return y

    @R.function
    def variance_float16(x: R.Tensor((n, 4), dtype="float16")) -> R.Tensor((n,), dtype="float16"):
        cls = Module
        y = R.call_tir(cls.variance, (x,), out_ty=R.Tensor((n,), dtype="float16"))
        return y

    @R.function
    def variance_float32(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.variance1, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y
