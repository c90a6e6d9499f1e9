from typing import TypeVar
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.tirx.layout import Axis
from tvm.script import relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def dequantize(x: T.Buffer((n,), "int8"), y: T.Buffer((), "float32"), z: T.Buffer((), "int8"), dequantized: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("dequantized"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0], z[()], y[()])
                T.writes(dequantized[v_i0])
                dequantized[v_i0] = T.Cast("float32", T.Cast("int32", x[v_i0]) - T.Cast("int32", z[()])) * y[()]

    @T.prim_func(private=True, s_tir=True)
    def dequantize1(x: T.Buffer((n,), "uint8"), y: T.Buffer((), "float32"), z: T.Buffer((), "uint8"), dequantized: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("dequantized"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0], z[()], y[()])
                T.writes(dequantized[v_i0])
                dequantized[v_i0] = T.Cast("float32", T.Cast("int32", x[v_i0]) - T.Cast("int32", z[()])) * y[()]

    @T.prim_func(private=True, s_tir=True)
    def quantize(x: T.Buffer((n,), "float32"), y: T.Buffer((), "float32"), z: T.Buffer((), "int8"), quantized: T.Buffer((n,), "int8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("quantized"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0], y[()], z[()])
                T.writes(quantized[v_i0])
                quantized[v_i0] = T.Cast("int8", T.max(T.min(T.round(x[v_i0] / y[()]) + T.Cast("float32", z[()]), T.float32(127.0)), T.float32(-128.0)))

    @T.prim_func(private=True, s_tir=True)
    def quantize1(x: T.Buffer((n,), "float32"), y: T.Buffer((), "float32"), z: T.Buffer((), "uint8"), quantized: T.Buffer((n,), "uint8")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("quantized"):
                v_i0 = T.axis.spatial(n, i0)
                T.reads(x[v_i0], y[()], z[()])
                T.writes(quantized[v_i0])
                quantized[v_i0] = T.Cast("uint8", T.max(T.min(T.round(x[v_i0] / y[()]) + T.Cast("float32", z[()]), T.float32(255.0)), T.float32(0.0)))

    @R.function
    def dequantize_int8(x: R.Tensor((n,), dtype="int8"), y: R.Tensor((), dtype="float32"), z: R.Tensor((), dtype="int8")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.dequantize, (x, y, z), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def dequantize_uint8(x: R.Tensor((n,), dtype="uint8"), y: R.Tensor((), dtype="float32"), z: R.Tensor((), dtype="uint8")) -> R.Tensor((n,), dtype="float32"):
        cls = Module
        y_1 = R.call_tir(cls.dequantize1, (x, y, z), out_ty=R.Tensor((n,), dtype="float32"))
        return y_1

    @R.function
    def quantize_int8(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((), dtype="float32"), z: R.Tensor((), dtype="int8")) -> R.Tensor((n,), dtype="int8"):
        cls = Module
        y_1 = R.call_tir(cls.quantize, (x, y, z), out_ty=R.Tensor((n,), dtype="int8"))
        return y_1

    @R.function
    def quantize_uint8(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((), dtype="float32"), z: R.Tensor((), dtype="uint8")) -> R.Tensor((n,), dtype="uint8"):
        cls = Module
        y_1 = R.call_tir(cls.quantize1, (x, y, z), out_ty=R.Tensor((n,), dtype="uint8"))
        return y_1
