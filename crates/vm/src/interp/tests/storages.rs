//! Tensors of one storage share its bytes, in PrimFuncs, operators, packed functions and views.

use expect_test::{Expect, expect};

use super::check;

/// Runs a plan with a storage `s` of 32 bytes, and PrimFuncs that copy, add and double.
fn check_plan(plan: &[&str], expect: Expect) {
    let lines: Vec<String> = plan.iter().map(|it| format!("        {it}\n")).collect();
    let source = format!(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def copy(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i]

    @T.prim_func
    def plus(x: T.Buffer((4,), "float32"), a: T.float32, y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i] + a

    @T.prim_func
    def add(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32"), z: T.Buffer((4,), "float32")):
        for i in range(4):
            z[i] = x[i] + y[i]

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        s: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        out: R.Tensor((4,), "float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0))
{}"#,
        lines.concat()
    );
    check(&source, &[], expect);
}

const A: &str = r#"a: R.Tensor((4,), "float32") = R.memory.alloc_tensor(s, R.prim_value(0), R.shape([4]), R.dtype("float32"))"#;
const B: &str = r#"b: R.Tensor((4,), "float32") = R.memory.alloc_tensor(s, R.prim_value(0), R.shape([4]), R.dtype("float32"))"#;
const B_AT_8: &str = r#"b: R.Tensor((4,), "float32") = R.memory.alloc_tensor(s, R.prim_value(8), R.shape([4]), R.dtype("float32"))"#;
const B_BEHIND: &str = r#"b: R.Tensor((4,), "float32") = R.memory.alloc_tensor(s, R.prim_value(16), R.shape([4]), R.dtype("float32"))"#;

#[test]
fn a_write_to_one_tensor_changes_the_others() {
    let first = "cls.plus(x, R.prim_value(T.float32(10)), a)";
    let second = "cls.plus(x, R.prim_value(T.float32(20)), b)";
    let both = ["cls.add(a, b, out)", "return (a, b, out)"];
    check_plan(
        &[A, first, B, second, both[0], both[1]],
        expect![[r#"
        (f32[4] [20.0, 21.0, 22.0, 23.0]; f32[4] [20.0, 21.0, 22.0, 23.0]; f32[4] [40.0, 42.0, 44.0, 46.0])
    "#]],
    );
    check_plan(
        &[A, first, B_AT_8, second, both[0], both[1]],
        expect![[r#"
            (f32[4] [10.0, 11.0, 20.0, 21.0]; f32[4] [20.0, 21.0, 22.0, 23.0]; f32[4] [30.0, 32.0, 42.0, 44.0])
        "#]],
    );
    check_plan(
        &[A, first, B_BEHIND, second, both[0], both[1]],
        expect![[r#"
            (f32[4] [10.0, 11.0, 12.0, 13.0]; f32[4] [20.0, 21.0, 22.0, 23.0]; f32[4] [30.0, 32.0, 34.0, 36.0])
        "#]],
    );
}

#[test]
fn a_later_tensor_sees_what_is_in_its_storage() {
    check_plan(
        &[A, "cls.copy(x, a)", B_AT_8, "y = R.add(b, b)", "return y"],
        expect![[r#"
            f32[4] [4.0, 6.0, 0.0, 0.0]
        "#]],
    );
}

#[test]
fn one_call_reads_and_writes_tensors_of_one_storage() {
    // With an overlap, each element is read after the one before it is written.
    for b in [B, B_AT_8, B_BEHIND] {
        check_plan(
            &[
                A,
                "cls.copy(x, a)",
                b,
                "cls.plus(a, R.prim_value(T.float32(1)), b)",
                "return (a, b)",
            ],
            if b == B {
                expect![[r#"
                    (f32[4] [1.0, 2.0, 3.0, 4.0]; f32[4] [1.0, 2.0, 3.0, 4.0])
                "#]]
            } else if b == B_AT_8 {
                expect![[r#"
                    (f32[4] [0.0, 1.0, 1.0, 2.0]; f32[4] [1.0, 2.0, 2.0, 3.0])
                "#]]
            } else {
                expect![[r#"
                    (f32[4] [0.0, 1.0, 2.0, 3.0]; f32[4] [1.0, 2.0, 3.0, 4.0])
                "#]]
            },
        );
    }
}

#[test]
fn a_view_of_another_dtype_shares_the_bytes() {
    let view = r#"v = R.memory.view(a, R.shape([2]), R.dtype("int32"), R.prim_value(8))"#;
    check_plan(
        &[A, "cls.copy(x, a)", view, "cls.copy(out, a)", "return v"],
        expect![[r#"
            i32[2] [0, 0]
        "#]],
    );
    let of_out = r#"v = R.memory.view(out, R.shape([2, 2]), R.dtype("uint32"), R.prim_value(0))"#;
    check_plan(
        &[of_out, "cls.copy(x, out)", "return v"],
        expect![[r#"
        u32[2, 2] [0, 1065353216, 1073741824, 1077936128]
    "#]],
    );
}

#[test]
fn a_packed_function_writes_to_the_storage() {
    check_plan(
        &[
            A,
            B,
            r#"_ = R.call_packed("test.vm.identity", x, a)"#,
            "cls.copy(b, out)",
            "return out",
        ],
        expect![[r#"
            f32[4] [0.0, 1.0, 2.0, 3.0]
        "#]],
    );
}
