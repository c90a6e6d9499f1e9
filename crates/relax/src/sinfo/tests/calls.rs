//! Tests of the result of a call, given the callee's signature.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{lines, show, sinfo};
use crate::sinfo::StructInfo;
use crate::sinfo::call::derive;
use crate::sym::SymCx;

/// Prints the results of calls of `callee`; each line of `args` is one call.
fn check_call(callee: &str, args: &str, expect: Expect) {
    let StructInfo::Callable(callee) = sinfo(callee) else {
        panic!("no callable: {callee}")
    };
    let args: Vec<StructInfo> = lines(args).map(sinfo).collect();
    let derived = derive(&callee, &args, &SymCx::default());
    let mut text = format!("returns {}\n", derived.ret.brief());
    if let Some(count) = derived.wrong_count {
        writeln!(text, "takes {count}").unwrap();
    }
    for bound in &derived.bound {
        writeln!(
            text,
            "{} is {}, from parameter {} {:?} {:?}",
            bound.var.name, bound.value, bound.param, bound.path, bound.aspect
        )
        .unwrap();
    }
    for (i, arg) in derived.args.iter().enumerate() {
        writeln!(text, "{i}: {:?}", arg.fit).unwrap();
        for mismatch in &arg.mismatches {
            writeln!(text, "    {}", show(mismatch)).unwrap();
        }
    }
    expect.assert_eq(&text);
}

#[test]
fn a_call_binds_variables_and_derives_the_result() {
    check_call(
        "Callable((Tensor((n, k), float32), Tensor((k, m), float32)), Tensor((n, m * 2), float32), pure)",
        "
        Tensor((a, 16), float32)
        Tensor((16, b + 1), float32)
        ",
        expect![[r#"
            returns Tensor((a, b * 2 + 2), float32)
            n is a, from parameter 0 [] Dim(0)
            k is 16, from parameter 0 [] Dim(1)
            m is b + 1, from parameter 1 [] Dim(1)
            0: Always
            1: Always
        "#]],
    );
}

#[test]
fn contradicting_dimensions_of_a_call_are_both_named() {
    check_call(
        "Callable((Tensor((n, k), float32), Tensor((k, m), float32)), Tensor((n, m), float32), pure)",
        "
        Tensor((a, 16), float32)
        Tensor((32, b), float16)
        ",
        expect![[r#"
            returns Tensor((a, b), float32)
            n is a, from parameter 0 [] Dim(0)
            k is 16, from parameter 0 [] Dim(1)
            m is b, from parameter 1 [] Dim(1)
            0: Always
            1: Never
                dtype: expected `float32`, found `float16` (Never, No)
                dimension 0: expected `16` for `k`, found `32` (Unproved, No)
        "#]],
    );
}

#[test]
fn an_expression_is_compared_after_later_parameters_bind() {
    check_call(
        "Callable((Tensor((n + 1,)), Tensor((n * 2,)), Shape((n))), Tensor((n,)), pure)",
        "
        Tensor((5,))
        Tensor((9,))
        Shape((4,))
        ",
        expect![[r#"
            returns Tensor((4,))
            n is 4, from parameter 2 [] Dim(0)
            0: Always
            1: Unproved
                dimension 0: expected `n * 2 = 8`, found `9` (Unproved, No)
            2: Always
        "#]],
    );
}

#[test]
fn an_unbound_variable_is_erased() {
    check_call(
        "Callable((Tensor((n, m)), Object), Tensor((n, m)), pure)",
        "
        Tensor(ndim=2)
        Object
        ",
        expect![[r#"
            returns Tensor(ndim=2)
            0: Unproved
                shape: expected `(n, m)`, found `ndim=2` (Unproved, Maybe)
            1: Always
        "#]],
    );
}

#[test]
fn a_recursive_call_replaces_all_variables_at_once() {
    check_call(
        "Callable((Tensor((n, m))), Tensor((n, m)), pure)",
        "
        Tensor((m, n))
        ",
        expect![[r#"
            returns Tensor((m, n))
            n is m, from parameter 0 [] Dim(0)
            m is n, from parameter 0 [] Dim(1)
            0: Always
        "#]],
    );
}

#[test]
fn a_callable_argument_binds_nothing() {
    check_call(
        "Callable((Callable((Tensor((n,))), Tensor((n + 1,)), pure), Tensor((m,))), Tensor((m, n)), pure)",
        "
        Callable((Tensor((k,))), Tensor((k + 1,)), pure)
        Tensor((3,))
        ",
        expect![[r#"
            returns Tensor(ndim=2)
            m is 3, from parameter 1 [] Dim(0)
            0: Always
            1: Always
        "#]],
    );
}

#[test]
fn too_few_arguments_and_unknown_ones() {
    check_call(
        "Callable((Tensor((n,)), Tensor((n,))), Tensor((n,)), pure)",
        "
        Unknown
        ",
        expect![[r#"
            returns Tensor(ndim=1)
            takes 2
            0: Unproved
        "#]],
    );
    check_call(
        "Callable(opaque, Tensor((2,)), pure)",
        "Object",
        expect![[r#"
            returns Tensor((2,))
        "#]],
    );
}

#[test]
fn a_shape_variable_stands_for_the_arguments_shape() {
    check_call(
        "Callable((Tensor(shape=s, ndim=2), Tensor(shape=s, ndim=2)), Tensor(shape=s, ndim=2), pure)",
        "
        Tensor((a, 2))
        Tensor((a, 3))
        ",
        expect![[r#"
            returns Tensor((a, 2))
            0: Always
            1: Unproved
                dimension 1: expected `2`, found `3` (Unproved, No)
        "#]],
    );
}
