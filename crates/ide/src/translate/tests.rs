//! Tests that Relay becomes readable Relax, and that constructs without a translation are listed.

use std::fmt::Write;

use expect_test::expect;

use super::*;

fn relax(text: &str) -> String {
    let translation = translate(text, Release::NEWEST);
    let mut shown = translation.text;
    for it in &translation.left {
        let _ = writeln!(shown, "left: {} {}", &text[it.range], it.message);
    }
    shown
}

#[test]
fn bindings_keep_their_names_and_operators_become_relax_operators() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((1, 4), dtype="float32"), w: R.Tensor((8, 4), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor((1, 8), dtype="float32"):  # line 2
                v0 = R.matmul(x, R.permute_dims(w))  # %0, line 3
                y = R.add(v0, b)  # %y, line 4
                return R.nn.relu(y)
    "#]]
    .assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @main(%x: Tensor[(1, 4), float32], %w: Tensor[(8, 4), float32], %b: Tensor[(8), float32]) {
  %0 = nn.dense(%x, %w, units=8);
  let %y = nn.bias_add(%0, %b, axis=-1);
  nn.relu(%y)
}
",
    ));
}

#[test]
fn closures_branches_and_unknown_extents_are_functions_ifs_and_shape_variables() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", 4), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(dtype="float32", ndim=2):  # line 2
                @R.function
                def f(y: R.Tensor(dtype="float32", ndim=2)) -> R.Tensor(dtype="float32", ndim=2):  # line 3
                    return R.exp(y)
                if c:
                    branch = f(x)
                else:
                    branch = x
                return branch
    "#]]
    .assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @main(%x: Tensor[(?, 4), float32], %c: bool) -> Tensor[(?, 4), float32] {
  let %f = fn (%y: Tensor[(?, 4), float32]) -> Tensor[(?, 4), float32] { exp(%y) };
  if (%c) { %f(%x) } else { %x }
}
",
    ));
}

#[test]
fn untranslatable_operators_are_named_and_the_rest_is_translated() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def good(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):  # line 2
                return R.exp(x)
        left: ref_read(ref(%x)) Relax has no references
        left: @bad `@bad` has no translation
    "#]]
    .assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @good(%x: Tensor[(2), float32]) -> Tensor[(2), float32] { exp(%x) }
def @bad(%x: float32) -> float32 { ref_read(ref(%x)) }
def @caller(%x: float32) -> float32 { @bad(%x) }
",
    ));
}

#[test]
fn a_graph_binding_of_one_branch_that_another_uses_is_written_there_too() {
    let text = relax(
        "#[version = \"0.0.5\"]
def @main(%x: Tensor[(2), float32], %c: bool) {
  if (%c) { %0 = exp(%x); add(%0, %0) } else { negative(%0) }
}
",
    );
    assert_eq!(text.matches("R.exp(x)").count(), 2, "{text}");
}

#[test]
fn operands_that_must_be_variables_are_bound() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def pair(p: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))) -> R.Tensor((2,), dtype="float32"):  # line 2
                return p[0]

            @R.function
            def main(x: R.Tensor((2,), dtype="float32"), n: R.Tensor((3,), dtype="int64"), s: R.Tensor((4, 3), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((4, 3), dtype="float32")):  # line 3
                cls = Module
                lv = (x, x)
                lv_1 = cls.pair(lv)
                lv_2 = R.arange(0, end=4, step=1, dtype="int64")
                lv_3 = R.where(R.less(R.reshape(lv_2, (-1, 1)), R.reshape(n, (1, -1))), s, R.const(0.0, "float32"))
                return (lv_1, lv_3)
    "#]]
    .assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @pair(%p: (Tensor[(2), float32], Tensor[(2), float32])) { %p.0 }
def @main(%x: Tensor[(2), float32], %n: Tensor[(3), int64], %s: Tensor[(4, 3), float32]) {
  (@pair((%x, %x)), sequence_mask(%s, %n))
}
",
    ));
}

#[test]
fn a_function_with_type_parameters_is_translated_for_the_types_of_its_calls() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def twice(f: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32")), x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):  # line 2, A = Tensor[(2), float32]
                lv = f(x)
                return f(lv)

            @R.function
            def swap(p: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((3,), dtype="int32"))) -> R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((2,), dtype="float32")):  # line 3, A = Tensor[(2), float32], B = Tensor[(3), int32]
                return (p[1], p[0])

            @R.function
            def swap_1(p: R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((2,), dtype="float32"))) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((3,), dtype="int32")):  # line 3, A = Tensor[(3), int32], B = Tensor[(2), float32]
                return (p[1], p[0])

            @R.function
            def main(x: R.Tensor((2,), dtype="float32"), y: R.Tensor((3,), dtype="int32")) -> R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((2,), dtype="float32")):  # line 4
                cls = Module
                @R.function
                def f(z: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):  # line 5
                    return R.exp(z)
                lv = cls.twice(f, x)
                lv_1 = (lv, y)
                p = cls.swap(lv_1)  # %p, line 6
                lv_2 = cls.swap_1(p)
                return cls.swap(lv_2)
    "#]].assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @twice[A](%f: fn (A) -> A, %x: A) -> A { %f(%f(%x)) }
def @swap[A, B](%p: (A, B)) { (%p.1, %p.0) }
def @main(%x: Tensor[(2), float32], %y: Tensor[(3), int32]) {
  let %f = fn (%z: Tensor[(2), float32]) -> Tensor[(2), float32] { exp(%z) };
  let %p = @swap((@twice(%f, %x), %y));
  @swap(@swap(%p))
}
",
    ));
}

#[test]
fn type_parameters_that_no_call_determines_are_left() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def id(x: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):  # line 4, A = int32
                return x

            @R.function
            def value(x: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):  # line 5
                cls = Module
                return cls.id(x)
        left: A no translated call gives a type for `A`
        left: @grows this does not give a type for each type parameter of `@grows`
        left: @grows `@grows` has no translation
        left: @grows `@grows` has no translation
    "#]]
    .assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @unused[A](%x: A) -> A { %x }
def @grows[A](%x: A) -> int32 { @grows((%x, %x)) }
def @id[A](%x: A) -> A { %x }
def @value(%x: int32) { let %f = @id; %f(%x) }
def @main(%x: int32) { @grows(%x) }
",
    ));
}

#[test]
fn a_local_function_with_type_parameters_is_written_for_the_types_of_its_uses() {
    expect![[r#"
        from tvm.script import ir as I
        from tvm.script import relax as R


        @I.ir_module
        class Module:
            @R.function
            def apply(f: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32")), x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):  # line 2, A = Tensor[(2), float32], B = Tensor[(2), float32]
                return f(x)

            @R.function
            def main(x: R.Tensor((2,), dtype="float32"), y: R.Tensor((), dtype="int32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((), dtype="int32"), R.Tensor((2,), dtype="float32")):  # line 3
                cls = Module
                @R.function
                def id(v: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):  # line 4
                    return v
                lv = cls.apply(id, x)
                @R.function
                def id_1(v_1: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):  # line 4
                    return v_1
                lv_1 = id_1(y)
                lv_2 = id(x)
                return (lv, lv_1, lv_2)
    "#]].assert_eq(&relax(
        "#[version = \"0.0.5\"]
def @apply[A, B](%f: fn (A) -> B, %x: A) -> B { %f(%x) }
def @main(%x: Tensor[(2), float32], %y: int32) {
  let %id = fn [A](%v: A) -> A { %v };
  %0 = %id;
  (@apply(%id, %x), %0(%y), %0(%x))
}
",
    ));
}
