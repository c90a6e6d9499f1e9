//! Whole files, up and down between releases.

use std::fmt::Write;

use expect_test::{Expect, expect};
use relax::release::{Release, Releases};

use super::migrate;
use crate::fixture::with_crlf;

mod prim_funcs;
mod python;
mod rfc;

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

/// Prints the migrated text, followed by what was left unchanged, each with its text.
fn check(text: &str, from: Release, to: Release, expect: Expect) {
    let migration = migrate(text, Releases::only(from), to);
    let again = migrate(&migration.text, Releases::only(to), to);
    assert_eq!(again.text, migration.text);
    let twice = migrate(&migration.text, Releases::only(from), to);
    assert_eq!(twice.text, migration.text, "a second time changes nothing");
    let on_windows = migrate(&with_crlf(text), Releases::only(from), to);
    assert_eq!(on_windows.text, with_crlf(&migration.text));
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
            left: ty: `.ty` is now `.struct_info` on TVM's objects: rename it if this is one
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
            left: value="n": since TVM 0.26 a scalar cannot define a shape variable: pass an `R.Shape`
        "#]],
    );
}

#[test]
fn a_number_keeps_its_dtype_and_a_written_number_is_any_number() {
    check(
        r#"from tvm.script import relax as R, tirx as T

@R.function
def f(_x: R.Prim(value="half")):
    half = T.float32()
    return R.prim_value(2 * half)

@R.function
def g(x: R.Prim(value=256), y: R.Prim("int64", value=16)):
    return x
"#,
        Release::V0_25,
        Release::V0_26,
        expect![[r#"
            from tvm.script import relax as R, tirx as T

            @R.function
            def f(half: R.Prim("float32")):
                return R.prim_value(2 * half)

            @R.function
            def g(x: R.Prim("int64"), y: R.Prim("int64")):
                return x
        "#]],
    );
}

#[test]
fn the_device_of_a_tensor_is_a_value_before_0_26_and_none_before_0_23() {
    let text = "from tvm.script import relax as R\ny = R.vm.alloc_tensor(s, 0, shape, \"int8\", 0)\nz = R.memory.alloc_tensor(s, 0, shape, \"int8\", runtime_device_ind=1)\n";
    for (to, expect) in [
        (
            Release::V0_25,
            expect![[r#"
            from tvm.script import relax as R
            y = R.vm.alloc_tensor(s, 0, shape, "int8", R.prim_value(0))
            z = R.memory.alloc_tensor(s, 0, shape, "int8", runtime_device_ind=R.prim_value(1))
        "#]],
        ),
        (
            Release::V0_22,
            expect![[r#"
                from tvm.script import relax as R
                y = R.vm.alloc_tensor(s, 0, shape, "int8")
                z = R.memory.alloc_tensor(s, 0, shape, "int8", runtime_device_ind=1)
                left: runtime_device_ind=1: before TVM 0.23 `alloc_tensor` takes no device
            "#]],
        ),
    ] {
        check(text, Release::V0_27, to, expect);
    }
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
            left: relax.PrimValue: the class was removed: create its values with `tvm.relax.prim_value`
            left: name_hint: `.name_hint` is now `.name` on Relax variables: rename it if this is one
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

#[test]
fn shape_variables_of_python_become_strings() {
    check(
        r#"from typing import TypeVar
from tvm.script import ir as I, relax as R, tirx as Tx

n = TypeVar("n")
m = TypeVar("m")
generic = TypeVar("generic")

@I.ir_module
class Module:
    @R.function
    def first(x: R.Tensor((n, 4), "float32")) -> R.Tensor((n + 1, 4), "float32"):
        """Text."""
        return R.zeros((n + 1, 4), "float32")

    @R.function
    def second[k](x: R.Tensor((n, k, "m"), "float32"), s: R.Shape([n, k * m])):
        k = Tx.int64()
        return x
"#,
        Release::V0_27,
        Release::V0_26,
        expect![[r#"
            from typing import TypeVar
            from tvm.script import ir as I, relax as R, tirx as Tx

            generic = TypeVar("generic")

            @I.ir_module
            class Module:
                @R.function
                def first(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n + 1", 4), "float32"):
                    """Text."""
                    n = Tx.int64()
                    return R.zeros((n + 1, 4), "float32")

                @R.function
                def second(x: R.Tensor(("n", "k", "m"), "float32"), s: R.Shape(["n", "k * m"])):
                    k = Tx.int64()
                    return x
        "#]],
    );
}

#[test]
fn a_number_that_only_it_defines_stays() {
    check(
        r#"from tvm.script import relax as R, tir as T

@R.function
def f(a: R.Prim(value="n"), s: R.Shape(["n * 2"])):
    n = T.int64()
    return R.shape([n])

@R.function
def g(a: R.Prim(value="n")):
    n, m = T.int64(), T.int64()
    return R.shape([n])

@R.function
def h(a: R.Prim("int64")):
    n = T.int64()
    _ = R.match_cast(a, R.Prim(value=n))
    return R.shape([n + 1])
"#,
        Release::V0_25,
        Release::V0_26,
        expect![[r#"
            from tvm.script import relax as R, tir as T

            @R.function
            def f(a: R.Prim(value="n"), s: R.Shape(["n * 2"])):
                n = T.int64()
                return R.shape([n])

            @R.function
            def g(a: R.Prim(value="n")):
                n, m = T.int64(), T.int64()
                return R.shape([n])

            @R.function
            def h(a: R.Prim("int64")):
                n = R.match_cast(a, R.Prim("int64"))
                return R.shape([n + 1])
            left: value="n": since TVM 0.26 a scalar cannot define a shape variable: pass an `R.Shape`
            left: value="n": since TVM 0.26 a scalar cannot define a shape variable: pass an `R.Shape`
        "#]],
    );
}

#[test]
fn what_the_tables_say_the_release_lacks_is_listed() {
    check(
        r#"from tvm.script import relax as R

@R.function
def f(x: R.Tensor((1, 1, 4, 4), "float32"), n: R.Prim("int64"), y: R.Tensor(("n",), "float32")):
    a = R.reverse_sequence(x, y)
    b = R.image.affine_grid(x, (4, 4), align_corners=True)
    c = R.image.grid_sample(x, b)
    d = R.call_py_func("f", (x,), out_ty=R.Tensor((3,), "float32"))
    return R.emit_with_ty("relax.add", (x, x), R.Any)
"#,
        Release::V0_27,
        Release::V0_25,
        expect![[r#"
            from tvm.script import relax as R

            @R.function
            def f(x: R.Tensor((1, 1, 4, 4), "float32"), n: R.Prim("int64"), y: R.Tensor(("n",), "float32")):
                a = R.reverse_sequence(x, y)
                b = R.image.affine_grid(x, (4, 4), align_corners=True)
                c = R.image.grid_sample(x, b)
                d = R.call_py_func("f", (x,), out_sinfo=R.Tensor((3,), "float32"))
                return R.emit_with_sinfo("relax.add", (x, x), R.Object)
            left: n: before TVM 0.26 a parameter is not a shape variable: declare one by `R.Prim(value=...)`
            left: R.reverse_sequence(x, y): TVM 0.25 does not have `R.reverse_sequence`
            left: align_corners=True: `R.image.affine_grid` has no `align_corners` in TVM 0.25
            left: R.image.grid_sample(x, b): Changed in TVM 0.26: the grid is `(n, 2, h, w)`; of volumes `(n, 3, d, h, w)`. Before: the grid is `(n, h, w, 2)`.
        "#]],
    );
}

#[test]
fn what_an_even_older_release_lacks_is_listed_and_not_renamed() {
    check(
        r#"from tvm.script import relax as R

@R.function
def f(x: R.Tensor((1, 4), "float32")):
    y = R.hint_on_device(x, R.device(4, 2), "global.texture")
    z = R.call_dps_packed("f", (x,), R.Tensor((3,), "float32"))
    return R.emit_with_ty("relax.add", (x, y), R.Tensor)
"#,
        Release::V0_27,
        Release::V0_22,
        expect![[r#"
            from tvm.script import relax as R

            @R.function
            def f(x: R.Tensor((1, 4), "float32")):
                y = R.hint_on_device(x, R.device(4, 2), "global.texture")
                z = R.call_dps_packed("f", (x,), R.Tensor((3,), "float32"))
                return R.emit_with_ty("relax.add", (x, y), R.Tensor)
            left: "global.texture": `R.hint_on_device` has no `memory_scope` in TVM 0.22
            left: R.emit_with_ty("relax.add", (x, y), R.Tensor): TVM 0.22 does not have `R.emit_with_ty` (#19853)
        "#]],
    );
}

#[test]
fn sizes_that_the_body_gives_are_written_in_the_signature() {
    check(
        r#"from tvm.script import relax as R, tirx as T

@R.function
def f(x: R.Tensor(["n", 16]), y: R.Tensor([16, "m"]), z: R.Tensor(["k"])) -> R.Tensor(["n", "m"]):
    n = T.int64(4)
    m = T.int64(8)  # noqa: F841
    k = T.int64()
    out: R.Tensor([n, m]) = R.matmul(x, y)
    return out

@R.function
def g(x: R.Tensor(["n * 2", "n"])):
    n = T.int64(4)
    return x

@R.function
def h(x: R.Tensor(["n"])):
    n = T.float32(4)
    return x

@R.function
def documented(x: R.Tensor(["n"])):
    "One row."
    R.func_attr({"rows": 1})
    n = T.int64(0x10)
    return x

@R.function
def accessed(x: R.Tensor(["n"])):
    n = T.int64(4)
    print(n.dtype)
    return x

@R.function
def unfinished(x: R.Tensor(["n"])):
    n = T.int64(4)  # only
"#,
        Release::V0_25,
        Release::V0_26,
        expect![[r#"
            from tvm.script import relax as R, tirx as T

            @R.function
            def f(x: R.Tensor([4, 16]), y: R.Tensor([16, 8]), z: R.Tensor(["k"])) -> R.Tensor([4, 8]):
                k = T.int64()
                out: R.Tensor([4, 8]) = R.matmul(x, y)
                return out

            @R.function
            def g(x: R.Tensor(["n * 2", "n"])):
                n = T.int64(4)
                return x

            @R.function
            def h(x: R.Tensor(["n"])):
                n = T.float32(4)
                return x

            @R.function
            def documented(x: R.Tensor([16])):
                "One row."
                R.func_attr({"rows": 1})
                return x

            @R.function
            def accessed(x: R.Tensor(["n"])):
                n = T.int64(4)
                print(n.dtype)
                return x

            @R.function
            def unfinished(x: R.Tensor([4])):
                pass  # only
        "#]],
    );
}
