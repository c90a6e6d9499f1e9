//! Tests of the order in which values fit.

use expect_test::expect;

use super::{check, labels, relax};

#[test]
fn variables_that_fit_the_operator_come_first() {
    check(
        &relax("        y = R.matmul(x, $0"),
        expect![[r#"
            w  R.Tensor((4, 8), dtype="float32")
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            out_dtype=  The dtype of the result; that of the operands if absent. By default None.
            x2=  The right operand.
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
    check(
        &relax("        y = R.broadcast_to(x, $0)"),
        expect![[r#"
            shape=  The target shape.
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            w  R.Tensor((4, 8), dtype="float32")
        "#]],
    );
}

#[test]
fn variables_that_fit_the_parameter_of_a_function_come_first() {
    check(
        &relax("        y = cls.helper($0)"),
        expect![[r#"
            s  R.Shape([n])
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            w  R.Tensor((4, 8), dtype="float32")
        "#]],
    );
    check(
        &relax("        y = cls.helper(s, $0)"),
        expect![[r#"
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            n  shape variable
            w  R.Tensor((4, 8), dtype="float32")
            s  R.Shape([n])
        "#]],
    );
}

#[test]
fn proven_matches_sort_before_possible_ones() {
    check(
        &relax("        y = R.add(x, $0)"),
        expect![[r#"
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            n  shape variable
            x2=  The right operand: a tensor or a scalar.
            s  R.Shape([n])
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
    check(
        &relax("        y = R.matmul(x, $0)"),
        expect![[r#"
            w  R.Tensor((4, 8), dtype="float32")
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            out_dtype=  The dtype of the result; that of the operands if absent. By default None.
            x2=  The right operand.
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn booleans_and_strings_are_offered_where_accepted() {
    check(
        &relax("        y = R.sum(x, axis=[0], keepdims=$0)"),
        expect![[r#"
            True
            False
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
    check(
        &relax("        y = R.nn.conv2d(x, w, data_layout=$0)"),
        expect![[r#"
            "NCHW"
            "NHWC"
            "NCW"
            "NWC"
            "NCDHW"
            "NDHWC"
            "NCHW16c"
            cls  the functions of the module
        "#]],
    );
}

#[test]
fn struct_info_sorts_last_where_a_value_is_expected() {
    let items = labels(&relax("        y = R.$0"));
    let at = |name: &str| items.iter().position(|it| it == name).unwrap();
    assert!(at("abs") < at("Tensor") && at("zeros") < at("Callable"));
    let items = labels(&relax("        y = R.match_cast(x, R.$0"));
    let at = |name: &str| items.iter().position(|it| it == name).unwrap();
    assert!(at("Tensor") < at("abs"));
}

#[test]
fn conditions_offer_boolean_values() {
    let program =
        relax("        if $0").replace("s: R.Shape", "c: R.Tensor((), \"bool\"), s: R.Shape");
    assert_eq!(labels(&program)[0], "c");
}

#[test]
fn axes_within_the_rank_of_the_operand_are_offered() {
    check(
        &relax("        y = R.sum(x, axis=$0)"),
        expect![[r#"
            0  the dimension `n`
            1  the dimension `4`
            -1  the dimension `4`
            n  shape variable
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            outer  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
    check(
        &relax("        y = R.permute_dims(w, axes=[$0"),
        expect![[r#"
            0  the dimension `4`
            1  the dimension `8`
            -1  the dimension `8`
            n  shape variable
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            outer  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
}

#[test]
fn a_cast_offers_the_struct_info_of_its_value_first() {
    assert_eq!(
        labels(&relax("        y = R.match_cast(outer, $0"))[0],
        "R.Tensor((n, 4), dtype=\"float32\")"
    );
}

#[test]
fn return_values_follow_the_annotation() {
    let program = |ret: &str| {
        format!(
            r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "int32")){ret}:
    n = T.int64()
    return $0
"#
        )
    };
    check(
        &program(" -> R.Tensor((\"n\",), \"int32\")"),
        expect![[r#"
            y  R.Tensor((n,), dtype="int32")
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            n  shape variable
            x  R.Tensor((n,), dtype="float32")
        "#]],
    );
    check(
        &program(""),
        expect![[r#"
            x  R.Tensor((n,), dtype="float32")
            y  R.Tensor((n,), dtype="int32")
            n  shape variable
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
}
