//! Tests of the algebra, as tables.

#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod calls;
mod display;
mod recorded;

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::dialect::Dialect;
use crate::sym::tests::script::sym;
use crate::sym::{SymCx, SymVar, Tri};

fn sinfo(text: &str) -> StructInfo {
    crate::notation::read(text).unwrap_or_else(|| panic!("`{text}` is not StructInfo"))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|l| !l.is_empty())
}

fn show(mismatch: &Mismatch) -> String {
    format!("{mismatch} ({:?}, {:?})", mismatch.fit, mismatch.proof)
}

/// Each line is `found <: base`.
fn check_fit(table: &str, expect: Expect) {
    let cx = SymCx::default();
    let mut text = String::new();
    for line in lines(table) {
        let (found, base) = line.split_once(" <: ").unwrap();
        let (found, base) = (sinfo(found), sinfo(base));
        writeln!(text, "{line}: {:?}", found.fit(&base, &cx)).unwrap();
        for mismatch in found.mismatches(&base, &cx) {
            writeln!(text, "    {}", show(&mismatch)).unwrap();
        }
    }
    expect.assert_eq(&text);
}

/// Each line is `a | b`.
fn check_join(table: &str, expect: Expect) {
    let cx = SymCx::default();
    let mut text = String::new();
    for line in lines(table) {
        let (a, b) = line.split_once(" | ").unwrap();
        let joined = sinfo(a).join(&sinfo(b), &cx);
        writeln!(text, "{line} -> {}", joined.brief()).unwrap();
    }
    expect.assert_eq(&text);
}

#[test]
fn kinds_fit_themselves_and_object() {
    check_fit(
        "
        Tensor((n,), float32) <: Object
        Object <: Tensor()
        Shape((n,)) <: Tensor()
        Tensor() <: Tuple()
        Object <: String
        String <: Object
        Prim(int64) <: String
        Unknown <: Tensor((n,), float32)
        Tensor((n,), float32) <: Unknown
        Unknown <: Object
        ",
        expect![[r#"
            Tensor((n,), float32) <: Object: Always
            Object <: Tensor(): Narrower
                kind: expected `Tensor`, found `Object` (Narrower, Maybe)
            Shape((n,)) <: Tensor(): Never
                kind: expected `Tensor`, found `Shape((n,))` (Never, No)
            Tensor() <: Tuple(): Never
                kind: expected `Tuple()`, found `Tensor` (Never, No)
            Object <: String: Narrower
                kind: expected `String`, found `Object` (Narrower, Maybe)
            String <: Object: Always
            Prim(int64) <: String: Never
                kind: expected `String`, found `Prim(int64)` (Never, No)
            Unknown <: Tensor((n,), float32): Unproved
            Tensor((n,), float32) <: Unknown: Unproved
            Unknown <: Object: Always
        "#]],
    );
}

#[test]
fn tensors_fit_by_dtype_rank_device_and_dimensions() {
    check_fit(
        "
        Tensor((n, 4), float32) <: Tensor((n, 4), float32)
        Tensor((n, 4), float32) <: Tensor((n, 5), float32)
        Tensor((n, 4), float32) <: Tensor((n + 1, 4), float32)
        Tensor((n, 4), float32) <: Tensor((m, 4), float32)
        Tensor((n, 4), float32) <: Tensor((4, n), float32)
        Tensor((n, 4), float32) <: Tensor((n, 4))
        Tensor((n, 4)) <: Tensor((n, 4), float32)
        Tensor((n, 4), float16) <: Tensor((n, 4), float32)
        Tensor((n, 4), float32) <: Tensor(ndim=2, dtype=float32)
        Tensor((n, 4), float32) <: Tensor(ndim=3, dtype=float32)
        Tensor(dtype=float32) <: Tensor(ndim=3, dtype=float32)
        Tensor(ndim=2, dtype=float32) <: Tensor((n, 4), float32)
        Tensor((n * 2 + n,)) <: Tensor((n * 3,))
        Tensor((4,), float32, vdevice=llvm:0:global) <: Tensor((4,), float32)
        Tensor((4,), float32) <: Tensor((4,), float32, vdevice=llvm:0:global)
        Tensor((4,), float32, vdevice=cuda:0:global) <: Tensor((4,), float32, vdevice=llvm:0:global)
        Tensor(shape=s, ndim=2) <: Tensor(shape=s, ndim=2)
        Tensor(shape=s, ndim=2) <: Tensor(shape=t, ndim=2)
        Tensor((2, 3)) <: Tensor(shape=s, ndim=2)
        Tensor((2, 3), float16) <: Tensor((3, 2), float32)
        ",
        expect![[r#"
            Tensor((n, 4), float32) <: Tensor((n, 4), float32): Always
            Tensor((n, 4), float32) <: Tensor((n, 5), float32): Never
                dimension 1: expected `5`, found `4` (Never, No)
            Tensor((n, 4), float32) <: Tensor((n + 1, 4), float32): Unproved
                dimension 0: expected `n + 1`, found `n` (Unproved, No)
            Tensor((n, 4), float32) <: Tensor((m, 4), float32): Unproved
                dimension 0: expected `m`, found `n` (Unproved, Maybe)
            Tensor((n, 4), float32) <: Tensor((4, n), float32): Unproved
                dimension 0: expected `4`, found `n` (Unproved, Maybe)
                dimension 1: expected `n`, found `4` (Unproved, Maybe)
            Tensor((n, 4), float32) <: Tensor((n, 4)): Always
            Tensor((n, 4)) <: Tensor((n, 4), float32): Narrower
                dtype: expected `float32`, found `unknown` (Narrower, Maybe)
            Tensor((n, 4), float16) <: Tensor((n, 4), float32): Never
                dtype: expected `float32`, found `float16` (Never, No)
            Tensor((n, 4), float32) <: Tensor(ndim=2, dtype=float32): Always
            Tensor((n, 4), float32) <: Tensor(ndim=3, dtype=float32): Never
                number of dimensions: expected `3`, found `2` (Never, No)
            Tensor(dtype=float32) <: Tensor(ndim=3, dtype=float32): Narrower
                number of dimensions: expected `3`, found `unknown` (Narrower, Maybe)
            Tensor(ndim=2, dtype=float32) <: Tensor((n, 4), float32): Unproved
                shape: expected `(n, 4)`, found `ndim=2` (Unproved, Maybe)
            Tensor((n * 2 + n,)) <: Tensor((n * 3,)): Always
            Tensor((4,), float32, vdevice=llvm:0:global) <: Tensor((4,), float32): Always
            Tensor((4,), float32) <: Tensor((4,), float32, vdevice=llvm:0:global): Narrower
                vdevice: expected `llvm:0:global`, found `none` (Narrower, Maybe)
            Tensor((4,), float32, vdevice=cuda:0:global) <: Tensor((4,), float32, vdevice=llvm:0:global): Never
                vdevice: expected `llvm:0:global`, found `cuda:0:global` (Never, No)
            Tensor(shape=s, ndim=2) <: Tensor(shape=s, ndim=2): Always
            Tensor(shape=s, ndim=2) <: Tensor(shape=t, ndim=2): Unproved
                shape: expected `t`, found `s` (Unproved, Maybe)
            Tensor((2, 3)) <: Tensor(shape=s, ndim=2): Unproved
                shape: expected `s`, found `(2, 3)` (Unproved, Maybe)
            Tensor((2, 3), float16) <: Tensor((3, 2), float32): Never
                dtype: expected `float32`, found `float16` (Never, No)
                dimension 0: expected `3`, found `2` (Never, No)
                dimension 1: expected `2`, found `3` (Never, No)
        "#]],
    );
}

#[test]
fn shapes_and_scalars_fit_by_value() {
    check_fit(
        "
        Shape((n, 4)) <: Shape()
        Shape() <: Shape(ndim=2)
        Shape((n,)) <: Shape(ndim=2)
        Shape(ndim=2) <: Shape((n, 4))
        Shape((n, 3)) <: Shape((n, 4))
        Prim(int64, n) <: Prim(int64)
        Prim(int64) <: Prim(int64, n)
        Prim(int64, 3) <: Prim(int64, 4)
        Prim(int32) <: Prim(int64)
        ",
        expect![[r#"
            Shape((n, 4)) <: Shape(): Always
            Shape() <: Shape(ndim=2): Narrower
                number of dimensions: expected `2`, found `unknown` (Narrower, Maybe)
            Shape((n,)) <: Shape(ndim=2): Never
                number of dimensions: expected `2`, found `1` (Never, No)
            Shape(ndim=2) <: Shape((n, 4)): Unproved
                shape: expected `Shape((n, 4))`, found `Shape(ndim=2)` (Unproved, Maybe)
            Shape((n, 3)) <: Shape((n, 4)): Never
                dimension 1: expected `4`, found `3` (Never, No)
            Prim(int64, n) <: Prim(int64): Always
            Prim(int64) <: Prim(int64, n): Unproved
                value: expected `n`, found `an unknown value` (Unproved, Maybe)
            Prim(int64, 3) <: Prim(int64, 4): Never
                value: expected `4`, found `3` (Never, No)
            Prim(int32) <: Prim(int64): Never
                dtype: expected `int64`, found `int32` (Never, No)
        "#]],
    );
}

#[test]
fn tuples_fit_by_field_and_name_each_failing_one() {
    check_fit(
        "
        Tuple(Object, Tensor((n,), float32)) <: Tuple(Object, Tensor((n,), float32))
        Tuple(Object) <: Tuple(Object, Object)
        Tuple(Tensor((n, 2)), Tuple(Tensor((3,)), Shape((n,)))) <: Tuple(Tensor((n, 3)), Tuple(Tensor((4,)), Shape((n + 1,))))
        Tuple(Object) <: Tuple(Tensor())
        ",
        expect![[r#"
            Tuple(Object, Tensor((n,), float32)) <: Tuple(Object, Tensor((n,), float32)): Always
            Tuple(Object) <: Tuple(Object, Object): Never
                length: expected `2`, found `1` (Never, No)
            Tuple(Tensor((n, 2)), Tuple(Tensor((3,)), Shape((n,)))) <: Tuple(Tensor((n, 3)), Tuple(Tensor((4,)), Shape((n + 1,)))): Never
                dimension 1 of field 0: expected `3`, found `2` (Never, No)
                dimension 0 of field 0 of field 1: expected `4`, found `3` (Never, No)
                dimension 0 of field 1 of field 1: expected `n + 1`, found `n` (Unproved, No)
            Tuple(Object) <: Tuple(Tensor()): Narrower
                kind of field 0: expected `Tensor`, found `Object` (Narrower, Maybe)
        "#]],
    );
}

#[test]
fn callables_fit_by_purity_parameters_and_result() {
    check_fit(
        "
        Callable((Tensor((n,))), Tensor((n + 1,)), pure) <: Callable((Tensor((m,))), Tensor((m + 1,)), pure)
        Callable((Tensor((n,))), Tensor((n,)), pure) <: Callable((Tensor((m,))), Tensor((m + 1,)), pure)
        Callable((Object), Object, impure) <: Callable((Object), Object, pure)
        Callable((Object), Object, pure) <: Callable((Object), Object, impure)
        Callable((Object), Object, pure) <: Callable(opaque, pure)
        Callable(opaque, pure) <: Callable((Object), Object, pure)
        Callable((Object), Object, pure) <: Callable((Tensor()), Object, pure)
        Callable((Tensor()), Object, pure) <: Callable((Object, Object), Object, pure)
        Callable((Object), Tensor(), pure) <: Callable((Object), Shape(), pure)
        ",
        expect![[r#"
            Callable((Tensor((n,))), Tensor((n + 1,)), pure) <: Callable((Tensor((m,))), Tensor((m + 1,)), pure): Always
            Callable((Tensor((n,))), Tensor((n,)), pure) <: Callable((Tensor((m,))), Tensor((m + 1,)), pure): Unproved
                dimension 0 of parameter 0: expected `m`, found `n` (Unproved, Maybe)
                dimension 0 of the result: expected `m + 1`, found `n` (Unproved, Maybe)
            Callable((Object), Object, impure) <: Callable((Object), Object, pure): Never
                purity: expected `pure`, found `impure` (Never, No)
            Callable((Object), Object, pure) <: Callable((Object), Object, impure): Always
            Callable((Object), Object, pure) <: Callable(opaque, pure): Always
            Callable(opaque, pure) <: Callable((Object), Object, pure): Unproved
            Callable((Object), Object, pure) <: Callable((Tensor()), Object, pure): Unproved
                kind of parameter 0: expected `Tensor`, found `Object` (Unproved, Maybe)
            Callable((Tensor()), Object, pure) <: Callable((Object, Object), Object, pure): Never
                length: expected `2`, found `1` (Never, No)
            Callable((Object), Tensor(), pure) <: Callable((Object), Shape(), pure): Never
                kind of the result: expected `Shape`, found `Tensor` (Never, No)
        "#]],
    );
}

#[test]
fn distributed_tensors_fit_by_placement() {
    check_fit(
        "
        DTensor((4, 4), float32, mesh[0], S[0]) <: DTensor((4, 4), float32, mesh[0], S[0])
        DTensor((4, 4), float32, mesh[0], S[0]) <: DTensor((4, 4), float32, mesh[0], R)
        DTensor((4, 4), float32, mesh[0], R) <: Tensor((4, 4), float32)
        ",
        expect![[r#"
            DTensor((4, 4), float32, mesh[0], S[0]) <: DTensor((4, 4), float32, mesh[0], S[0]): Always
            DTensor((4, 4), float32, mesh[0], S[0]) <: DTensor((4, 4), float32, mesh[0], R): Narrower
                placement: expected `R on mesh[0]`, found `S[0] on mesh[0]` (Narrower, Maybe)
            DTensor((4, 4), float32, mesh[0], R) <: Tensor((4, 4), float32): Never
                kind: expected `Tensor((4, 4), float32)`, found `DTensor((4, 4), float32, mesh[0], R)` (Never, No)
        "#]],
    );
}

#[test]
fn the_worst_mismatch_is_reported_first() {
    let cx = SymCx::default();
    let worst = |found: &str, base: &str| {
        sinfo(found)
            .worst_mismatch(&sinfo(base), &cx)
            .map(|m| show(&m))
            .unwrap_or_default()
    };
    expect!["dtype: expected `float32`, found `int8` (Never, No)"].assert_eq(&worst(
        "Tensor((n, m, 4), int8)",
        "Tensor((m, m + 1, 4), float32)",
    ));
    expect!["dimension 1: expected `m + 1`, found `m` (Unproved, No)"]
        .assert_eq(&worst("Tensor((n, m, 4))", "Tensor((m, m + 1, 4))"));
}

#[test]
fn known_equalities_decide_compatibility() {
    let mut cx = SymCx::default();
    cx.assume_equal(&sym("n"), &sym("m * 2"));
    let fit = |found: &str, base: &str| sinfo(found).is_subtype(&sinfo(base), &cx);
    assert_eq!(fit("Tensor((n,))", "Tensor((m + m,))"), Tri::Yes);
    assert_eq!(fit("Tensor((n,))", "Tensor((m,))"), Tri::Maybe);
}

#[test]
fn join_keeps_common_information() {
    check_join(
        "
        Tensor((n, 4), float32) | Tensor((n, 4), float32)
        Tensor((n, 4), float32) | Tensor((m, 4), float32)
        Tensor((n, 4), float32) | Tensor((n, 4), float16)
        Tensor((n, 4), float32) | Tensor((4,), float32)
        Tensor((n + n,), float32) | Tensor((n * 2,), float32)
        Tensor((4,), float32, vdevice=llvm:0:global) | Tensor((4,), float32)
        Tensor(shape=s, ndim=2) | Tensor(shape=s, ndim=2)
        Tensor(shape=s, ndim=2) | Tensor((2, 3))
        Shape((n, 4)) | Shape((n, 4))
        Shape((n, 4)) | Shape((n, 5))
        Shape((n, 4)) | Shape((n,))
        Shape((n, 4)) | Tensor((n, 4))
        Prim(int64, n) | Prim(int64, n)
        Prim(int64, n) | Prim(int64, n + 1)
        Prim(int64) | Prim(int32)
        Tuple(Tensor((n,)), Object) | Tuple(Tensor((m,)), Shape())
        Tuple(Object) | Tuple(Object, Object)
        Unknown | Tensor((4,))
        String | String
        String | Object
        DTensor((4,), float32, mesh[0], R) | DTensor((4,), float32, mesh[0], R)
        DTensor((4,), float32, mesh[0], R) | DTensor((4,), float32, mesh[0], S[0])
        Callable((Tensor((n,))), Tensor((n,)), pure) | Callable((Tensor((m,))), Tensor((m,)), pure)
        Callable((Object), Tensor((2,)), pure) | Callable((Object), Tensor((3,)), impure)
        Callable((Object), Object, pure) | Callable((Object, Object), Object, pure)
        Callable((Object), Tensor(), pure) | Callable(opaque, pure)
        ",
        expect![[r#"
            Tensor((n, 4), float32) | Tensor((n, 4), float32) -> Tensor((n, 4), float32)
            Tensor((n, 4), float32) | Tensor((m, 4), float32) -> Tensor(ndim=2, float32)
            Tensor((n, 4), float32) | Tensor((n, 4), float16) -> Tensor((n, 4))
            Tensor((n, 4), float32) | Tensor((4,), float32) -> Tensor(float32)
            Tensor((n + n,), float32) | Tensor((n * 2,), float32) -> Tensor((n * 2,), float32)
            Tensor((4,), float32, vdevice=llvm:0:global) | Tensor((4,), float32) -> Tensor((4,), float32)
            Tensor(shape=s, ndim=2) | Tensor(shape=s, ndim=2) -> Tensor(s)
            Tensor(shape=s, ndim=2) | Tensor((2, 3)) -> Tensor(ndim=2)
            Shape((n, 4)) | Shape((n, 4)) -> Shape((n, 4))
            Shape((n, 4)) | Shape((n, 5)) -> Shape(ndim=2)
            Shape((n, 4)) | Shape((n,)) -> Shape
            Shape((n, 4)) | Tensor((n, 4)) -> Object
            Prim(int64, n) | Prim(int64, n) -> Prim(int64, n)
            Prim(int64, n) | Prim(int64, n + 1) -> Prim(int64)
            Prim(int64) | Prim(int32) -> Object
            Tuple(Tensor((n,)), Object) | Tuple(Tensor((m,)), Shape()) -> Tuple(Tensor(ndim=1), Object)
            Tuple(Object) | Tuple(Object, Object) -> Object
            Unknown | Tensor((4,)) -> ?
            String | String -> String
            String | Object -> Object
            DTensor((4,), float32, mesh[0], R) | DTensor((4,), float32, mesh[0], R) -> DTensor((4,), float32, mesh[0], R)
            DTensor((4,), float32, mesh[0], R) | DTensor((4,), float32, mesh[0], S[0]) -> Object
            Callable((Tensor((n,))), Tensor((n,)), pure) | Callable((Tensor((m,))), Tensor((m,)), pure) -> Callable((Tensor((n,))) -> Tensor((n,)))
            Callable((Object), Tensor((2,)), pure) | Callable((Object), Tensor((3,)), impure) -> Callable((Object) -> Tensor(ndim=1), impure)
            Callable((Object), Object, pure) | Callable((Object, Object), Object, pure) -> Callable(... -> Object)
            Callable((Object), Tensor(), pure) | Callable(opaque, pure) -> Callable(... -> Object)
        "#]],
    );
}

#[test]
fn erasing_to_a_scope_keeps_its_variables_only() {
    let mut text = String::new();
    for line in lines(
        "
        Tensor((n, 4), float32)
        Tensor((n, m), float32)
        Tensor((n + m,), float32, vdevice=llvm:0:global)
        Tensor(shape=s, ndim=2, dtype=float32)
        Tensor(shape=t, ndim=2, dtype=float32)
        Shape((n, n * 2))
        Shape((m, 3))
        Prim(int64, m + 1)
        Prim(int64, n)
        Tuple(Tensor((n,)), Tensor((m,)))
        Callable((Tensor((m,))), Tensor((m,)), pure)
        ",
    ) {
        let erased = sinfo(line).erase_to_scope(&|v| v.name == "n", &|name, _| name == "s");
        writeln!(text, "{line} -> {}", erased.brief()).unwrap();
    }
    expect![[r#"
        Tensor((n, 4), float32) -> Tensor((n, 4), float32)
        Tensor((n, m), float32) -> Tensor(ndim=2, float32)
        Tensor((n + m,), float32, vdevice=llvm:0:global) -> Tensor(ndim=1, float32, llvm:0:global)
        Tensor(shape=s, ndim=2, dtype=float32) -> Tensor(s, float32)
        Tensor(shape=t, ndim=2, dtype=float32) -> Tensor(ndim=2, float32)
        Shape((n, n * 2)) -> Shape((n, n * 2))
        Shape((m, 3)) -> Shape(ndim=2)
        Prim(int64, m + 1) -> Prim(int64)
        Prim(int64, n) -> Prim(int64, n)
        Tuple(Tensor((n,)), Tensor((m,))) -> Tuple(Tensor((n,)), Tensor(ndim=1))
        Callable((Tensor((m,))), Tensor((m,)), pure) -> Callable((Tensor((m,))) -> Tensor((m,)))
    "#]]
    .assert_eq(&text);
}

#[test]
fn erasing_with_values_substitutes_variables() {
    let erased = sinfo("Tuple(Tensor((n * 2,)), Tensor((n, k)))")
        .erase(&|v| (v.name == "n").then(|| sym("m + 1")), &|_, _| None);
    assert_eq!(erased, sinfo("Tuple(Tensor((m * 2 + 2,)), Tensor(ndim=2))"));
}

#[test]
fn substitution_skips_variables_bound_by_a_callable() {
    let to = |v: &SymVar| (v.name == "n").then(|| sym("7"));
    assert_eq!(
        sinfo("Tuple(Tensor((n, m)), Callable((Tensor((n,))), Tensor((n, m)), pure))")
            .substitute(&to),
        sinfo("Tuple(Tensor((7, m)), Callable((Tensor((n,))), Tensor((n, m)), pure))")
    );
}

#[test]
fn bare_variables_bind_and_expressions_use() {
    let names = |vars: Vec<SymVar>| {
        vars.iter()
            .map(|v| v.name.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let info = sinfo(
        "Tuple(Tensor((n, m + 1)), Shape((k, n)), Prim(int64, p), Callable((Tensor((a,))), Tensor((a, b)), pure))",
    );
    assert_eq!(names(info.defined_vars()), "n k p");
    assert_eq!(names(info.used_vars()), "n m k p b");
}

#[test]
fn a_deeply_nested_tuple_becomes_unknown() {
    let mut tower = sinfo("Object");
    for _ in 0..1000 {
        tower = StructInfo::tuple(vec![tower.clone(), tower]);
    }
    assert!(tower.brief().to_string().len() < 400_000);
}

#[test]
fn a_long_tuple_is_shortened_in_brief_form() {
    let tuple = StructInfo::tuple(vec![StructInfo::Object; 1000]);
    let brief = tuple.brief().to_string();
    assert!(brief.ends_with("Object, and 968 more)"), "{brief}");
    assert!(tuple.display(Dialect::Type).to_string().len() > 5000);
}

#[test]
fn each_variable_of_a_long_list_is_collected_once() {
    let var = |at: usize| {
        SymExpr::Var(SymVar {
            name: format!("n{}", at % 500).into(),
            id: 0,
        })
    };
    let shapes = (0..1000).map(|at| StructInfo::Shape(Shape::Known([var(at)].into())));
    let tuple = StructInfo::tuple(shapes.collect::<Vec<_>>());
    assert_eq!(tuple.defined_vars().len(), 500);
    assert_eq!(tuple.used_vars(), tuple.defined_vars());
}
