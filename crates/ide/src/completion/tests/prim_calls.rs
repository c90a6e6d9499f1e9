//! Tests of whole calls of PrimFuncs.

use expect_test::expect;

use super::{check, check_taken, relax};

#[test]
fn the_output_of_a_call_tir_is_computed_from_its_inputs() {
    check(
        &relax("        y = R.call_tir(cls.double, (w,), $0"),
        expect![[r#"
            R.Tensor((4, 8), dtype="float32")  the output of the PrimFunc
            R.Callable  (params=None, ret=None, purity=None, derive_func=None)
            R.dist.DTensor  (shape=None, dtype="", device_mesh=None, placement="", ndim=-1)
            R.Object
            R.Prim  (dtype=None, value=None)
            R.Shape  (values=None, ndim=-1)
            R.Tensor  (shape=None, dtype=None, vdevice=None, ndim=-1)
            R.Tuple  (*fields)
        "#]],
    );
    check_taken(
        &relax("        y = R.call_tir(cls.double, (w,), out_sinfo=$0)"),
        "R.Tensor((4, 8), dtype=\"float32\")",
        expect![[
            r#"        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), dtype="float32"))"#
        ]],
    );
}

#[test]
fn a_whole_call_tir_is_offered_for_a_prim_func() {
    check_taken(
        &relax("        y = do$0"),
        "call_tir double",
        expect![[
            r#"        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), dtype="float32"))"#
        ]],
    );
}

#[test]
fn inputs_of_a_prim_func_rank_by_its_buffers() {
    check(
        &relax("        y = R.call_tir(cls.double, ($0"),
        expect![[r#"
            w  R.Tensor((4, 8), dtype="float32")
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            s  R.Shape([n])
        "#]],
    );
}

fn symbolic(dialect: &str, keyword: &str) -> String {
    format!(
        r#"
from tvm.script import ir as I, relax as R, {dialect} as T

@I.ir_module
class Module:
    @T.prim_func
    def twice(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(4)), "float32")
        B = T.match_buffer(b, (n * T.int64(2), T.int64(4)), "float16")
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor(("m", 4), "float32"), y: R.Tensor((8,), "int32")):
        cls = Module
        z = R.call_tir(cls.twice, (x,), {keyword}=$0)
        return z
"#
    )
}

#[test]
fn a_computed_output_is_in_the_variables_of_the_caller() {
    let label = "R.Tensor((m * 2, 4), dtype=\"float16\")";
    check_taken(
        &symbolic("tir", "out_sinfo"),
        label,
        expect![[
            r#"        z = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((m * 2, 4), dtype="float16"))"#
        ]],
    );
    check_taken(
        &symbolic("tirx", "out_ty"),
        label,
        expect![[
            r#"        z = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((m * 2, 4), dtype="float16"))"#
        ]],
    );
}

#[test]
fn call_tir_of_the_rfc_is_offered_with_a_shape() {
    let program = r#"
from tvm.script import relax as R, tir as T
import tvm

@tvm.script.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor[(4,), "float32"], w: R.Tensor[(n, 8), "float32"]):
        with R.dataflow():
            a = R.match_shape(x, (n,))
            y = LINE
            R.outputs(y)
        return y
"#;
    check_taken(
        &program.replace("LINE", "dou$0"),
        "call_tir double",
        expect![[r#"            y = R.call_tir(double, (x,), (4,), dtype="float32")"#]],
    );
    check_taken(
        &program.replace("LINE", "R.call_tir(dou$0"),
        "double",
        expect!["            y = R.call_tir(double"],
    );
}

#[test]
fn prim_funcs_are_offered_as_complete_calls() {
    check(
        &relax("        y = R.call_tir($0"),
        expect![[r#"
            cls.double  (Tensor((4, 8), float32), Tensor((4, 8), float32))
            cls  the functions of the module
            args=  The inputs, as a tuple or a list.
            out_sinfo=  The Tensor of the result, or a list of them.
            tir_vars=  The integer arguments of the PrimFunc after the outputs. By default None.
            gvar=  A PrimFunc of the module.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
    check(
        &relax("        y = R.call_tir(dou$0"),
        expect![[r#"
            cls.double  (Tensor((4, 8), float32), Tensor((4, 8), float32))
            cls  the functions of the module
            args=  The inputs, as a tuple or a list.
            out_sinfo=  The Tensor of the result, or a list of them.
            tir_vars=  The integer arguments of the PrimFunc after the outputs. By default None.
            gvar=  A PrimFunc of the module.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
}
