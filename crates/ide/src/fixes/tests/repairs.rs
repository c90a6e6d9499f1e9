//! Repairs of syntax, calls, shapes and names: each applied, and the text checked again.

use expect_test::expect;

use super::{check, offered};

#[test]
fn a_bracket_is_closed() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.add(R.exp(x), R.exp(x
    z = R.exp(y)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.add(R.exp(x), R.exp(x))
                z = R.exp(y)
                return x
        "#]],
    );
}

#[test]
fn two_brackets_are_closed_at_once() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.add(R.exp(x), R.exp((x
    z = R.exp(y)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.add(R.exp(x), R.exp((x)))
                z = R.exp(y)
                return x
        "#]],
    );
}

#[test]
fn a_bracket_of_another_shape_is_corrected() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.exp(x]
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.exp(x)
                return x
        "#]],
    );
}

#[test]
fn a_bracket_too_much_goes() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.exp(x))
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.exp(x)
                return x
        "#]],
    );
}

#[test]
fn a_comma_between_arguments_is_put_in() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.add(x x)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.add(x, x)
                return x
        "#]],
    );
}

#[test]
fn a_block_gets_its_colon() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow()
        y = R.exp(x)
        R.output(y)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                return x
        "#]],
    );
}

#[test]
fn a_function_gets_bracket_and_colon() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                return x
        "#]],
    );
}

#[test]
fn a_misspelled_keyword_is_corrected() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    wiht R.dataflow():
        y = R.exp(x)
        R.output(y)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                return x
        "#]],
    );
}

#[test]
fn a_misspelled_def_is_corrected() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
dfe f(x: R.Tensor((4,), "float32")):
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                return x
        "#]],
    );
}

#[test]
fn else_if_is_elif() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = x
    else if c:
        y = x
    else:
        y = x
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                if c:
                    y = x
                elif c:
                    y = x
                else:
                    y = x
                return x
        "#]],
    );
}

#[test]
fn a_misspelled_else_is_corrected() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = x
    esle:
        y = x
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                if c:
                    y = x
                else:
                    y = x
                return x
        "#]],
    );
}

#[test]
fn a_string_gets_its_quote() {
    check(
        "syntax-error",
        "repair-syntax",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.astype(x, "float16)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.astype(x, "float16")
                return x
        "#]],
    );
}

#[test]
fn a_function_is_named_through_its_module() {
    check(
        "undefined-name",
        "through-module",
        r#"@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i] + A[i]

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(double, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return y
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @T.prim_func
                def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
                    for i in range(4):
                        B[i] = A[i] + A[i]

                @R.function
                def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return x

                @R.function
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    cls = Module
                    y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), "float32"))
                    return y
        "#]],
    );
}

#[test]
fn a_prim_func_is_called_with_its_output() {
    check(
        "argument-count",
        "call-tir",
        r#"@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i] + A[i]

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = cls.double(x)
        return y
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @T.prim_func
                def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
                    for i in range(4):
                        B[i] = A[i] + A[i]

                @R.function
                def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return x

                @R.function
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    cls = Module
                    y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
                    return y
        "#]],
    );
}

#[test]
fn a_relax_function_is_called_directly() {
    check(
        "argument-type",
        "call-directly",
        r#"@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i] + A[i]

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.helper, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return y
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @T.prim_func
                def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
                    for i in range(4):
                        B[i] = A[i] + A[i]

                @R.function
                def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return x

                @R.function
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    cls = Module
                    y = cls.helper(x)
                    return y
        "#]],
    );
}

#[test]
fn an_output_becomes_what_the_prim_func_writes() {
    check(
        "shape-mismatch",
        "correct-output",
        r#"@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i] + A[i]

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((5,), "float16"))
        return y
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @T.prim_func
                def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
                    for i in range(4):
                        B[i] = A[i] + A[i]

                @R.function
                def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return x

                @R.function
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    cls = Module
                    y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
                    return y
        "#]],
    );
}

#[test]
fn a_comparison_that_was_meant_to_bind_binds() {
    check(
        "undefined-name",
        "assign",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y == R.exp(x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.exp(x)
                return y
        "#]],
    );
}

#[test]
fn a_new_shape_has_as_many_elements() {
    check(
        "shape-mismatch",
        "fit-shape",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.reshape(x, (4, 9))
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.reshape(x, (4, 8))
                return x
        "#]],
    );
}

#[test]
fn an_operand_of_a_product_is_transposed() {
    check(
        "shape-mismatch",
        "transpose",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.matmul(x, w)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.matmul(x, R.permute_dims(w))
                return x
        "#]],
    );
}

#[test]
fn operands_of_a_product_change_places() {
    check(
        "shape-mismatch",
        "swap-operands",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((3, 4), "float32")):
    y = R.matmul(x, w)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((3, 4), "float32")):
                y = R.matmul(w, x)
                return y
        "#]],
    );
}

#[test]
fn an_axis_is_one_that_there_is() {
    check(
        "argument-value",
        "last-axis",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.sum(x, axis=2)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.sum(x, axis=1)
                return x
        "#]],
    );
}

#[test]
fn a_field_is_one_that_there_is() {
    check(
        "tuple-index-out-of-range",
        "last-field",
        r#"@R.function
def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
    y = R.split(x, 2)[2]
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 8), "float32"), w: R.Tensor((5, 8), "float32"), c: R.Tensor((), "bool")):
                y = R.split(x, 2)[1]
                return x
        "#]],
    );
}

#[test]
fn a_symbol_is_the_name_of_its_function() {
    check(
        "global-symbol-mismatch",
        "correct-symbol",
        r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "mian"})
        return x
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    R.func_attr({"global_symbol": "main"})
                    return x
        "#]],
    );
}

#[test]
fn a_loop_gets_a_variable_for_each_extent() {
    check(
        "iteration-count",
        "add-loop-variables",
        r#"@T.prim_func
def f(A: T.Buffer((4, 8), "float32")):
    for i, j in T.grid(4, 8, 2):
        A[i, j] = T.float32(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4, 8), "float32")):
                for i, j, k in T.grid(4, 8, 2):
                    A[i, j] = T.float32(0)
        "#]],
    );
}

#[test]
fn a_loop_variable_without_extent_goes() {
    check(
        "iteration-count",
        "remove-loop-variables",
        r#"@T.prim_func
def f(A: T.Buffer((4, 8), "float32")):
    for i, j, k in T.grid(4, 8):
        A[i, j] = T.float32(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4, 8), "float32")):
                for i, j in T.grid(4, 8):
                    A[i, j] = T.float32(0)
        "#]],
    );
}

#[test]
fn a_loop_variable_gets_a_name_of_its_own() {
    check(
        "redefinition",
        "rename-second",
        r#"@T.prim_func
def f(A: T.Buffer((4, 8), "float32")):
    for i, i in T.grid(4, 8):
        A[i, 0] = T.float32(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4, 8), "float32")):
                for i, i_1 in T.grid(4, 8):
                    A[i, 0] = T.float32(0)
        "#]],
    );
}

#[test]
fn a_second_function_gets_a_name_of_its_own() {
    check(
        "redefinition",
        "rename-second",
        r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((5,), "float32")):
        return x
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    return x

                @R.function
                def main_1(x: R.Tensor((5,), "float32")):
                    return x
        "#]],
    );
}

#[test]
fn an_unused_function_goes() {
    check(
        "unused-function",
        "remove-function",
        r#"@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    return x
        "#]],
    );
}

#[test]
fn the_last_function_goes_with_the_line_before_it() {
    check(
        "unused-function",
        "remove-function",
        r#"@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((4,), "float32")):
        return x

    @R.function(private=True)
    def main(x: R.Tensor((4,), "float32")):
        return x
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def helper(x: R.Tensor((4,), "float32")):
                    return x
        "#]],
    );
}

#[test]
fn a_module_offers_its_main_function() {
    check(
        "no-entry-point",
        "make-public",
        r#"@I.ir_module
class Module:
    @R.function(private=True, pure=True)
    def main(x: R.Tensor((4,), "float32")):
        return x
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function(pure=True)
                def main(x: R.Tensor((4,), "float32")):
                    return x
        "#]],
    );
}

#[test]
fn what_two_repairs_would_need_is_left_to_the_person() {
    let none: &[&str] = &[];
    for statement in ["y = ", "y = R.add(x, ) ) (", "y = )("] {
        let program = format!(
            "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    {statement}\n    return x\n"
        );
        assert_eq!(offered("syntax-error", &program), none, "{statement}");
    }
}

#[test]
fn shapes_that_no_transposition_makes_fit_are_left_alone() {
    let program = "@R.function\ndef f(x: R.Tensor((2, 3), \"float32\"), w: R.Tensor((5, 7), \"float32\")):\n    y = R.matmul(x, w)\n    return y\n";
    assert_eq!(offered("shape-mismatch", program), [] as [&str; 0]);
}

#[test]
fn an_argument_without_a_parameter_goes() {
    check(
        "argument-count",
        "remove-argument",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x, x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.exp(x)
                return y
        "#]],
    );
}

#[test]
fn a_recursive_call_moves_out_of_its_block() {
    check(
        "recursion-in-dataflow",
        "move-out",
        r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        with R.dataflow():
            y = R.exp(x)
            z: R.Tensor((4,), "float32") = cls.main(y)
            R.output(z)
        return z
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    cls = Module
                    with R.dataflow():
                        y = R.exp(x)
                        R.output(y)
                    z: R.Tensor((4,), "float32") = cls.main(y)
                    return z
        "#]],
    );
}

#[test]
fn what_a_local_function_uses_is_given_out() {
    check(
        "dataflow-var-captured",
        "give-out",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    with R.dataflow():
        y = R.exp(x)
        z = R.exp(y)
        R.output(z)

    @R.function
    def inner(w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(w, y)

    return inner(z)
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                with R.dataflow():
                    y = R.exp(x)
                    z = R.exp(y)
                    R.output(z, y)

                @R.function
                def inner(w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return R.add(w, y)

                return inner(z)
        "#]],
    );
}
