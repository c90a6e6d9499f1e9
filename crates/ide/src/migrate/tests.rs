//! Whole files, up and down between releases.

use std::fmt::Write;

use expect_test::{Expect, expect};
use relax::release::{Release, Releases};

use super::migrate;

const OLD: &str = r#"import tvm
from tvm import relax, tir  # both
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def slice(
        A: T.Buffer((16, 16), "float32"),
        Out: T.Buffer((16,), "float32"),
        row: T.int64,
    ):
        T.func_attr({"tir.noalias": True})
        B = T.alloc_buffer((16,), "float32")
        for i in range(16):  # each column
            with T.block("slice"):
                vi = T.axis.remap("S", [i])
                Out[vi] = A[row, vi]

    @R.function
    def main(x: R.Tensor((16, 16), "float32"), s: R.Shape(["m"])) -> R.Object:
        m = T.int64()
        cls = Module
        y = R.call_tir(
            cls.slice,
            (x,),
            out_sinfo=R.Tensor((16,), "float32"),
            tir_vars=R.shape([m]),
        )
        z = R.nn.pad(x, [1, 1, 0, 0], 0.5, "constant")
        w = R.matmul(x, x, out_dtype="void")
        return (y, z, w)

def build(target):
    info = relax.TensorStructInfo((4,), "float32")
    print(expr.struct_info)
    return tir.Schedule(Module), tir.IntImm("int64", 1), tvm.nd.array([1])
"#;

/// The text on its way, then what is left, by the text at its place.
fn check(text: &str, from: Release, to: Release, expect: Expect) {
    let migration = migrate(text, Releases::only(from), to);
    let again = migrate(&migration.text, Releases::only(to), to);
    assert_eq!(again.text, migration.text);
    let twice = migrate(&migration.text, Releases::only(from), to);
    assert_eq!(twice.text, migration.text, "a second time changes nothing");
    let mut shown = migration.text.clone();
    for left in migration.left {
        let place = &migration.text[left.range];
        writeln!(shown, "left: {place}: {}", left.message).unwrap();
    }
    expect.assert_eq(&shown);
}

#[test]
fn a_file_is_written_for_the_newest_release() {
    check(
        OLD,
        Release::V0_19,
        Release::V0_27,
        expect![[r#"
            import tvm
            from tvm import relax, tirx  # both
            from tvm.script import ir as I, relax as R, tirx as T

            @I.ir_module
            class Module:
                @T.prim_func(private=True, s_tir=True)
                def slice(
                    A: T.Buffer((16, 16), "float32"),
                    row: T.int64,
                    Out: T.Buffer((16,), "float32"),
                ):
                    T.func_attr({"tirx.noalias": True})
                    B = T.sblock_alloc_buffer((16,), "float32")
                    for i in range(16):  # each column
                        with T.sblock("slice"):
                            vi = T.axis.remap("S", [i])
                            Out[vi] = A[row, vi]

                @R.function
                def main(x: R.Tensor((16, 16), "float32"), s: R.Shape(["m"])) -> R.Any:
                    m = T.int64()
                    cls = Module
                    y = R.call_tir(
                        cls.slice,
                        (x, m),
                        out_ty=R.Tensor((16,), "float32"),
                    )
                    z = R.nn.pad(x, [1, 1, 0, 0], pad_value=0.5, pad_mode="constant")
                    w = R.matmul(x, x, out_dtype=None)
                    return (y, z, w)

            def build(target):
                info = relax.TensorType((4,), "float32")
                print(expr.ty)
                return tvm.s_tir.Schedule(Module), tirx.IntImm("int64", 1), tvm.runtime.tensor([1])
        "#]],
    );
}

#[test]
fn the_way_back_spells_the_older_release() {
    let new = migrate(OLD, Releases::only(Release::V0_19), Release::V0_27).text;
    check(
        &new,
        Release::V0_27,
        Release::V0_25,
        expect![[r#"
            import tvm
            from tvm import relax, tirx  # both
            from tvm.script import ir as I, relax as R, tirx as T

            @I.ir_module
            class Module:
                @T.prim_func(private=True, s_tir=True)
                def slice(
                    A: T.Buffer((16, 16), "float32"),
                    row: T.int64,
                    Out: T.Buffer((16,), "float32"),
                ):
                    T.func_attr({"tirx.noalias": True})
                    B = T.sblock_alloc_buffer((16,), "float32")
                    for i in range(16):  # each column
                        with T.sblock("slice"):
                            vi = T.axis.remap("S", [i])
                            Out[vi] = A[row, vi]

                @R.function
                def main(x: R.Tensor((16, 16), "float32"), s: R.Shape(["m"])) -> R.Object:
                    m = T.int64()
                    cls = Module
                    y = R.call_tir(
                        cls.slice,
                        (x, m),
                        out_sinfo=R.Tensor((16,), "float32"),
                    )
                    z = R.nn.pad(x, [1, 1, 0, 0], pad_value=0.5, pad_mode="constant")
                    w = R.matmul(x, x, out_dtype=None)
                    return (y, z, w)

            def build(target):
                info = relax.TensorStructInfo((4,), "float32")
                print(expr.ty)
                return tvm.s_tir.Schedule(Module), tirx.IntImm("int64", 1), tvm.runtime.tensor([1])
            left: ty: `.ty` is `.struct_info` of Relax expressions
        "#]],
    );
}

#[test]
fn between_releases_without_a_border_nothing_changes() {
    let migration = migrate(OLD, Releases::only(Release::V0_17), Release::V0_19);
    assert_eq!(migration.text, OLD);
    assert_eq!(migration.left, []);
}

#[test]
fn a_number_that_was_a_shape_variable_becomes_it() {
    check(
        r#"from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor((16,), "float32"), count: R.Prim(value="n")):
    n = T.int64()
    y = R.strided_slice(x, [0], [0], [count])
    return R.shape([n])

@R.function
def g(x: R.Tensor(("n",), "float32"), count: R.Prim(value="n")):
    return count

@R.function
def h(count: R.Prim(value="n")) -> R.Tensor(("n",), "float32"):
    return R.zeros((count,), "float32")
"#,
        Release::V0_25,
        Release::V0_27,
        expect![[r#"
            from tvm.script import relax as R, tir as T

            @R.function
            def f(x: R.Tensor((16,), "float32"), n: R.Prim("int64")):
                y = R.strided_slice(x, [0], [0], [n])
                return R.shape([n])

            @R.function
            def g(x: R.Tensor(("n",), "float32"), count: R.Prim("int64")):
                return count

            @R.function
            def h(count: R.Prim(value="n")) -> R.Tensor(("n",), "float32"):
                return R.zeros((count,), "float32")
            left: value="n": a number defines no shape variable for the result since TVM 0.26: pass an `R.Shape`
        "#]],
    );
}

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
            left: "llvm -keys=a,b": the options of a target are a dictionary now (#18785)
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
fn a_call_that_reads_both_ways_is_listed() {
    let text =
        "from tvm.script import relax as R, tir as T\ny = R.nn.pad(x, [1], 0.5, \"constant\")\n";
    let from = Releases::until(Release::V0_23);
    let migration = migrate(text, from, Release::V0_24);
    let places: Vec<&str> = migration
        .left
        .iter()
        .map(|it| &migration.text[it.range])
        .collect();
    assert_eq!(places, ["R.nn.pad(x, [1], 0.5, \"constant\")"]);
}

#[test]
fn what_is_not_certain_is_listed() {
    check(
        r#"from tvm import relax
isinstance(x, relax.PrimValue)
y = relax.PrimValue(1)
func.with_attr("tir.is_scheduled", 1)
print(var.name_hint, expr.struct_info.shape, "tir")
"#,
        Release::V0_23,
        Release::V0_26,
        expect![[r#"
            from tvm import relax
            isinstance(x, relax.PrimValue)
            y = relax.prim_value(1)
            func.with_attr("tirx.is_scheduled", 1)
            print(var.name_hint, expr.ty.shape, "tir")
            left: relax.PrimValue: the class is gone, `tvm.relax.prim_value` makes its values
            left: name_hint: `.name_hint` is `.name` of Relax variables
        "#]],
    );
}

#[test]
fn any_text_is_migrated_without_a_fault() {
    for text in [
        "",
        "(",
        "from tvm import",
        "@T.prim_func(\ndef f(",
        "R.call_tir(f, tir_vars=",
        "import tvm.",
        "🎉 = R.Prim(value=",
    ] {
        for (from, to) in [
            (Release::Rfc, Release::V0_27),
            (Release::V0_27, Release::Rfc),
        ] {
            migrate(text, Releases::only(from), to);
        }
    }
}
