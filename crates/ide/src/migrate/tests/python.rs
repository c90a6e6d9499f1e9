//! TVM's Python: imports, names, keywords and attributes.

use expect_test::expect;
use relax::release::Release;

use super::check;

#[test]
fn options_of_a_target_become_a_dictionary() {
    check(
        r#"from tvm.script import ir as I

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda -arch=sm_80", 0), I.vdevice("llvm"), I.vdevice("llvm -keys=a,b")]})
"#,
        Release::V0_23,
        Release::V0_24,
        expect![[r#"
            from tvm.script import ir as I

            @I.ir_module
            class Module:
                I.module_global_infos({"vdevice": [I.vdevice({"kind": "cuda", "arch": "sm_80"}, 0), I.vdevice("llvm"), I.vdevice("llvm -keys=a,b")]})
            left: "llvm -keys=a,b": since TVM 0.24 target options are a dictionary (#18785)
        "#]],
    );
}

#[test]
fn a_name_that_is_taken_keeps_an_alias() {
    check(
        r#"from tvm import tir
tirx = 1
f = tir.IntImm("int64", tirx)
"#,
        Release::V0_23,
        Release::V0_24,
        expect![[r#"
            from tvm import tirx as tir
            tirx = 1
            f = tir.IntImm("int64", tirx)
        "#]],
    );
}

#[test]
fn one_import_of_two_modules_becomes_two() {
    check(
        r#"def f():
    from tvm.tir import IntImm, Schedule as S
    return S(IntImm("int64", 1))
"#,
        Release::V0_23,
        Release::V0_24,
        expect![[r#"
            def f():
                from tvm.tirx import IntImm
                from tvm.s_tir import Schedule as S
                return S(IntImm("int64", 1))
        "#]],
    );
}

#[test]
fn attributes_of_tensors_are_listed() {
    check(
        r#"from tvm.script import relax as R

@R.function
def f(x: R.Tensor, y: R.Tensor(("n",), "float32")):
    a = x.dtype.bits
    return y.shape[0]
"#,
        Release::V0_25,
        Release::V0_26,
        expect![[r#"
            from tvm.script import relax as R

            @R.function
            def f(x: R.Tensor, y: R.Tensor(("n",), "float32")):
                a = x.dtype.bits
                return y.shape[0]
            left: x.dtype: since TVM 0.26 tensors are inspected with calls of `relax.inspect.*`
            left: y.shape: since TVM 0.26 tensors are inspected with calls of `relax.inspect.*`
        "#]],
    );
}

#[test]
fn an_option_that_was_renamed_twice_gets_its_last_name() {
    check(
        r#"import tvm
with tvm.transform.PassContext(config={"tir.Simplify": {}}):
    tvm.tir.transform.Simplify()
"#,
        Release::V0_23,
        Release::V0_27,
        expect![[r#"
            import tvm
            with tvm.transform.PassContext(config={"tirx.StmtSimplify": {}}):
                tvm.tirx.transform.StmtSimplify()
        "#]],
    );
}

#[test]
fn classes_and_keywords_of_a_compiler_pass_are_renamed() {
    check(
        r#"from tvm import relax, te, tir
from tvm.relax import TensorStructInfo

def f(shape: list[tir.PrimExpr], mod):
    n = tir.SizeVar("n", "int64")
    x = relax.Var("x", struct_info=TensorStructInfo([n], "int32"))
    if isinstance(n, tir.PrimExpr):
        return tir.Schedule(mod), tir.ScheduleError
"#,
        Release::V0_23,
        Release::V0_27,
        expect![[r#"
            from tvm import relax, te, tirx, s_tir
            from tvm.relax import TensorType

            def f(shape: list[tirx.Expr], mod):
                n = tirx.Var("n", "int64")
                x = relax.Var("x", ty=TensorType([n], "int32"))
                if isinstance(n, tir.PrimExpr):
                    return s_tir.Schedule(mod), s_tir.ScheduleError
            left: tir.PrimExpr: `tvm.tirx.Expr` covers more types: `isinstance` would accept those too
        "#]],
    );
}

#[test]
fn names_that_are_gone_are_listed() {
    check(
        r#"from tvm import TVMError, relax, tir
from tvm.relax.analysis import well_formed

def f(sch, x):
    sch.get_block("root")
    well_formed(x, check_struct_info=False)
    try:
        return tir.generic.cast(x, "int64")
    except TVMError:
        return None
"#,
        Release::V0_23,
        Release::V0_27,
        expect![[r#"
            from tvm import relax, tirx
            from tvm.relax.analysis import check_well_formed

            def f(sch, x):
                sch.get_sblock("root")
                check_well_formed(x, check_ty=False)
                try:
                    return tir.generic.cast(x, "int64")
                except RuntimeError:
                    return None
            left: tir.generic.cast: `tvm.tirx.generic` was removed (#19943): use `tvm.tirx`
        "#]],
    );
}

#[test]
fn names_that_only_tvm_has_go_back() {
    check(
        r#"import tvm

def f(sch, builder, call):
    return sch.get_sblock("root"), builder.emit_with_type, call.ty
"#,
        Release::V0_27,
        Release::V0_23,
        expect![[r#"
            import tvm

            def f(sch, builder, call):
                return sch.get_block("root"), builder.emit_with_struct_info, call.ty
            left: ty: `.ty` is now `.struct_info` on TVM's objects: rename it if this is one
        "#]],
    );
}

#[test]
fn imports_of_a_function_count_in_that_function() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    with T.block("f"):
        A[0] = T.float32(0)

def builder():
    from tvm.script.ir_builder import tir as T
    return T.Buffer((4,), "float32")

def test():
    from tvm.script import relax as T
    return T.block("not of a PrimFunc")
"#,
        Release::V0_23,
        Release::V0_25,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func(s_tir=True)
            def f(A: T.Buffer((4,), "float32")):
                with T.sblock("f"):
                    A[0] = T.float32(0)

            def builder():
                from tvm.script.ir_builder import tirx as T
                return T.Buffer((4,), "float32")

            def test():
                from tvm.script import relax as T
                return T.block("not of a PrimFunc")
        "#]],
    );
}

#[test]
fn a_decorator_that_asks_for_hardware_becomes_a_skip() {
    check(
        r#""""Tests."""
from __future__ import annotations
import tvm
import tvm.testing

@tvm.testing.requires_cuda  # a GPU
def test_f():
    pass

@tvm.testing.requires_rocm
@tvm.testing.requires_tensorcore
def test_g():
    pass

pytestmark = tvm.testing.requires_gpu
"#,
        Release::V0_24,
        Release::V0_25,
        expect![[r#"
            """Tests."""
            from __future__ import annotations
            import pytest
            import tvm
            import tvm.testing

            @pytest.mark.skipif(not tvm.testing.env.has_cuda(), reason="need cuda")  # a GPU
            def test_f():
                pass

            @pytest.mark.skipif(not tvm.testing.env.has_rocm(), reason="need rocm")
            @tvm.testing.requires_tensorcore
            def test_g():
                pass

            pytestmark = tvm.testing.requires_gpu
            left: tvm.testing.requires_tensorcore: `tvm.testing.requires_tensorcore` was removed (#19777): use `pytest.mark.skipif`
            left: tvm.testing.requires_gpu: `tvm.testing.requires_gpu` was removed (#19777): use `pytest.mark.skipif(not tvm.testing.env.has_gpu(), ...)`
        "#]],
    );
}

#[test]
fn an_error_of_tvm_that_python_has_loses_its_import() {
    check(
        r#"import pytest
import tvm
from tvm import TVMError, relax
from tvm.error import TVMError as E

def test_f():
    with pytest.raises(TVMError):
        relax.build(tvm.TVMError, E)
"#,
        Release::V0_24,
        Release::V0_25,
        expect![[r#"
            import pytest
            import tvm
            from tvm import relax

            def test_f():
                with pytest.raises(RuntimeError):
                    relax.build(RuntimeError, RuntimeError)
        "#]],
    );
}

#[test]
fn constants_in_metadata_have_another_key_since_0_27() {
    check(
        r#"from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.add(x, metadata["relax.expr.Constant"][0])
    return y
"#,
        Release::V0_26,
        Release::V0_27,
        expect![[r#"
            from tvm.script import relax as R

            @R.function
            def main(x: R.Tensor((2,), "float32")):
                y = R.add(x, metadata["ir.GenericConst"][0])
                return y
        "#]],
    );
}

#[test]
fn a_constant_that_tvm_prints_and_rejects_becomes_a_float() {
    let source = r#"from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.maximum(x, R.const("-inf", "float32"))
    z = R.minimum(y, R.const('inf', "float32"))
    return R.str("inf"), z
"#;
    for from in [Release::V0_25, Release::V0_27] {
        check(
            source,
            from,
            Release::V0_27,
            expect![[r#"
                from tvm.script import relax as R

                @R.function
                def main(x: R.Tensor((2,), "float32")):
                    y = R.maximum(x, R.const(float("-inf"), "float32"))
                    z = R.minimum(y, R.const(float('inf'), "float32"))
                    return R.str("inf"), z
            "#]],
        );
    }
}
