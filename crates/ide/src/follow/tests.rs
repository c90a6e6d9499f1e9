//! Tests that follow values through the passes that change programs the most.

use std::fmt::Write;

use expect_test::{Expect, expect};
use text_size::TextSize;

use super::{Direction, follow};
use crate::difference::Snapshot;
use crate::{Analysis, Config};

const KERNELS: &str = r#"
    @T.prim_func
    def matmul(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
        for i, j, k in T.grid(4, 4, 4):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func
    def relu(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
        for i, j in T.grid(4, 4):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.max(A[vi, vj], T.float32(0))
"#;

/// Returns a function `main` with two parameters and the given lines as its body.
fn main(lines: &str) -> String {
    let mut text = String::from(
        "    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\"), w: R.Tensor((4, 4), \"float32\")):\n        cls = Module\n",
    );
    for line in lines.lines() {
        let _ = writeln!(text, "        {}", line.trim());
    }
    text
}

fn module(functions: &[&str]) -> String {
    format!("@I.ir_module\nclass Module:\n{}", functions.join("\n"))
}

fn snapshot(text: &str) -> Snapshot {
    let (analysis, file) = Analysis::from_single_file(text, Config::default());
    analysis.snapshot(file).expect("nothing changes the file")
}

/// Follows the binding at the first occurrence of `at`, and prints what it becomes.
fn show(from: &str, to: &str, at: &str, direction: Direction) -> String {
    let offset = TextSize::new(from.find(at).expect("it is in the text") as u32);
    let (from, to) = (snapshot(from), snapshot(to));
    let followed = follow(&from, &to, offset, direction).expect("something binds there");
    let mut text = String::new();
    for it in &followed.successors {
        let parts = it.parts.join(", ");
        let _ = writeln!(
            text,
            "{} {}: {} {parts}",
            it.relation, it.function, it.place.line
        );
    }
    text
}

fn check(before: &str, after: &str, at: &str, expect: &Expect) {
    expect.assert_eq(&show(before, after, at, Direction::Forward));
}

fn check_back(before: &str, after: &str, at: &str, expect: &Expect) {
    expect.assert_eq(&show(after, before, at, Direction::Back));
}

fn operators() -> String {
    module(&[&main("y = R.matmul(x, w)\nz = R.nn.relu(y)\nreturn z")])
}

fn legalized() -> String {
    let body = "y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), \"float32\"))\nz = R.call_tir(cls.relu, (y,), out_sinfo=R.Tensor((4, 4), \"float32\"))\nreturn z";
    module(&[KERNELS, &main(body)])
}

fn fused() -> String {
    let fused = r#"
    @R.function(private=True)
    def fused_matmul_relu(a: R.Tensor((4, 4), "float32"), b: R.Tensor((4, 4), "float32")):
        cls = Module
        c = R.call_tir(cls.matmul, (a, b), out_sinfo=R.Tensor((4, 4), "float32"))
        d = R.call_tir(cls.relu, (c,), out_sinfo=R.Tensor((4, 4), "float32"))
        return d
"#;
    let body = main("lv: R.Tensor((4, 4), \"float32\") = cls.fused_matmul_relu(x, w)\nreturn lv");
    module(&[KERNELS, fused, &body])
}

#[test]
fn an_operator_is_lowered_to_a_prim_func() {
    check(
        &operators(),
        &legalized(),
        "y = ",
        &expect![[r#"
            changed main: y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), "float32")) operator
            lowered to matmul: def matmul(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")): 
        "#]],
    );
}

#[test]
fn a_binding_is_followed_into_a_fused_function() {
    check(
        &legalized(),
        &fused(),
        "y = ",
        &expect![[r#"
        part of main: lv: R.Tensor((4, 4), "float32") = cls.fused_matmul_relu(x, w) 
        fused into fused_matmul_relu: c = R.call_tir(cls.matmul, (a, b), out_sinfo=R.Tensor((4, 4), "float32")) 
    "#]],
    );
    check(
        &legalized(),
        &fused(),
        "z = ",
        &expect![[r#"
            changed main: lv: R.Tensor((4, 4), "float32") = cls.fused_matmul_relu(x, w) operator
            fused into fused_matmul_relu: d = R.call_tir(cls.relu, (c,), out_sinfo=R.Tensor((4, 4), "float32")) 
        "#]],
    );
}

#[test]
fn a_fused_call_originates_from_all_its_bindings() {
    check_back(
        &legalized(),
        &fused(),
        "lv: ",
        &expect![[r#"
            changed main: z = R.call_tir(cls.relu, (y,), out_sinfo=R.Tensor((4, 4), "float32")) operator
            from main: y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), "float32")) 
        "#]],
    );
    check_back(
        &legalized(),
        &fused(),
        "c = ",
        &expect![[r#"
        from main: y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), "float32")) 
        part of main: z = R.call_tir(cls.relu, (y,), out_sinfo=R.Tensor((4, 4), "float32")) 
    "#]],
    );
}

#[test]
fn bindings_of_a_function_are_followed_into_its_inlined_call() {
    check(
        &fused(),
        &legalized(),
        "c = ",
        &expect![[r#"
        inlined into main: y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), "float32")) 
        part of main: z = R.call_tir(cls.relu, (y,), out_sinfo=R.Tensor((4, 4), "float32")) 
    "#]],
    );
    check(
        &fused(),
        &legalized(),
        "lv: ",
        &expect![[r#"
            changed main: z = R.call_tir(cls.relu, (y,), out_sinfo=R.Tensor((4, 4), "float32")) operator
            made of main: y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), "float32")) 
        "#]],
    );
}

#[test]
fn a_value_is_followed_into_its_planned_storage() {
    let body =
        "y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), \"float32\"))\nreturn y";
    let before = module(&[KERNELS, &main(body)]);
    let body = "storage: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(0), R.str(\"global\"), R.dtype(\"float32\"))\nalloc: R.Tensor((4, 4), \"float32\") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4, 4]), R.dtype(\"float32\"))\n_: R.Tuple = cls.matmul(x, w, alloc)\ny: R.Tensor((4, 4), \"float32\") = alloc\nreturn y";
    let after = module(&[KERNELS, &main(body)]);
    check(
        &before,
        &after,
        "y = ",
        &expect![[r#"
        changed main: y: R.Tensor((4, 4), "float32") = alloc operator
        written by main: _: R.Tuple = cls.matmul(x, w, alloc) 
        planned in main: storage: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(0), R.str("global"), R.dtype("float32")) 
    "#]],
    );
    check_back(
        &before,
        &after,
        "alloc: ",
        &expect![[r#"
        changed main: y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((4, 4), "float32")) operator
    "#]],
    );
    let without_names = after
        .replace("        y: R.Tensor((4, 4), \"float32\") = alloc\n", "")
        .replace("return y", "return alloc");
    check(
        &after,
        &without_names,
        "y: ",
        &expect![[r#"
            changed main: alloc: R.Tensor((4, 4), "float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4, 4]), R.dtype("float32")) 
            written by main: _: R.Tuple = cls.matmul(x, w, alloc) 
            planned in main: storage: R.Object = R.memory.alloc_storage(R.shape([64]), R.prim_value(0), R.str("global"), R.dtype("float32")) 
        "#]],
    );
}

#[test]
fn a_name_in_an_expression_is_followed_on_its_own() {
    let at = "y)";
    let renamed = operators()
        .replace("y =", "first =")
        .replace("(y)", "(first)");
    check(
        &operators(),
        &renamed,
        at,
        &expect![[r#"
        renamed main: first = R.matmul(x, w) 
    "#]],
    );
}

#[test]
fn a_function_is_followed_by_its_name() {
    check(
        &legalized(),
        &fused(),
        "main(",
        &expect![[r#"
        changed main: def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32")): 
    "#]],
    );
}
