//! Each fix is applied and the text checked again: its diagnostic is gone, and no other has come.

mod repairs;

use expect_test::{Expect, expect};
use text_size::{TextRange, TextSize};

use crate::fixture::Fixture;
use crate::{CodeAction, Diagnostic, Resolve, Severity};

const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

fn fixes_of(fixture: &Fixture, code: &str) -> (Vec<Diagnostic>, Vec<CodeAction>) {
    let before = fixture.analysis.diagnostics(fixture.file).unwrap();
    let wrong = before.iter().find(|it| it.code == code);
    let wrong = wrong.unwrap_or_else(|| panic!("no {code} among {before:#?}"));
    let named = [(code.to_owned(), wrong.range)];
    let nowhere = TextRange::empty(TextSize::new(0));
    let fixes = fixture.analysis.fixes(fixture.file, nowhere, &named);
    (before, fixes.unwrap())
}

/// What a program with one mistake becomes by the fix of this name.
fn check(code: &str, id: &str, program: &str, expect: Expect) {
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let (before, fixes) = fixes_of(&fixture, code);
    let ids: Vec<_> = fixes.iter().map(|fix| fix.id).collect();
    let fix = fixes.iter().find(|fix| fix.id == id);
    let fix = fix.unwrap_or_else(|| panic!("no {id} among {ids:?}"));
    let fixed = fix.edit.as_ref().unwrap().apply(&fixture.text);
    let after = Fixture::new(&fixed);
    let after = after.analysis.diagnostics(after.file).unwrap();
    let count = |all: &[Diagnostic], code: &str| all.iter().filter(|it| it.code == code).count();
    assert!(
        count(&after, code) < count(&before, code),
        "{code} is still there:\n{fixed}\n{after:#?}"
    );
    // A line that was no Python may have hints once it is.
    for it in after.iter().filter(|it| it.severity != Severity::Hint) {
        assert!(
            count(&after, it.code) <= count(&before, it.code),
            "the fix brings {it:#?}\n{fixed}"
        );
    }
    expect.assert_eq(fixed.strip_prefix(IMPORTS).unwrap_or(&fixed));
}

/// The names of the fixes that the first diagnostic of a code has.
fn offered(code: &str, program: &str) -> Vec<&'static str> {
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let (_, fixes) = fixes_of(&fixture, code);
    fixes.iter().map(|fix| fix.id).collect()
}

#[test]
fn a_misspelled_variable_becomes_the_nearest() {
    check(
        "undefined-name",
        "nearest-name",
        r#"@R.function
def f(value: R.Tensor((4,), "float32")):
    y = R.exp(valeu)
    return y
"#,
        expect![[r#"
            @R.function
            def f(value: R.Tensor((4,), "float32")):
                y = R.exp(value)
                return y
        "#]],
    );
}

#[test]
fn a_misspelled_operator_becomes_the_nearest() {
    check(
        "unknown-operator",
        "nearest-name",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.nn.relo(x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.nn.relu(x)
                return y
        "#]],
    );
}

#[test]
fn a_misspelled_function_of_the_module_becomes_the_nearest() {
    check(
        "undefined-function",
        "nearest-name",
        r#"@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = cls.helpr(x)
        return y
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return x

                @R.function
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    cls = Module
                    y: R.Tensor((4,), "float32") = cls.helper(x)
                    return y
        "#]],
    );
}

#[test]
fn misspelled_keywords_and_dtypes_become_the_nearest() {
    check(
        "unknown-argument",
        "nearest-name",
        r#"@R.function
def f(x: R.Tensor((4, 4), "float32")):
    y = R.sum(x, axes=1)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4, 4), "float32")):
                y = R.sum(x, axis=1)
                return y
        "#]],
    );
    check(
        "unknown-dtype",
        "nearest-name",
        r#"@R.function
def f(x: R.Tensor((4,), "floot32")):
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
fn a_dtype_that_python_names_is_not_corrected_where_it_is_used() {
    let program = r#"dtype = "floot32"

@R.function
def f(x: R.Tensor((4,), dtype)):
    return x
"#;
    assert!(offered("unknown-dtype", program).is_empty());
}

#[test]
fn a_keyword_of_another_dialect_becomes_that_of_the_file() {
    check(
        "ignored-argument",
        "other-dialect",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("g", x, ty_args=R.Tensor((4,), "float32"))
    return y
"#,
        expect![[r#"
            @R.function(pure=False)
            def f(x: R.Tensor((4,), "float32")):
                y = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
                return y
        "#]],
    );
}

#[test]
fn a_dataflow_block_gets_the_output_that_nothing_in_it_uses() {
    check(
        "missing-output",
        "add-output",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.abs(y)  # kept
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    z = R.abs(y)  # kept
                    R.output(z)
                return x
        "#]],
    );
}

#[test]
fn a_variable_used_after_its_block_joins_the_outputs() {
    check(
        "dataflow-var-outside-block",
        "give-out",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.add(y, y)
        R.output(z)
    return R.add(y, z)
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    z = R.add(y, y)
                    R.output(z, y)
                return R.add(y, z)
        "#]],
    );
}

#[test]
fn a_block_without_outputs_gives_out_what_is_used_after_it() {
    check(
        "dataflow-var-outside-block",
        "give-out",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                return y
        "#]],
    );
}

#[test]
fn a_function_with_an_impure_call_is_marked() {
    check(
        "impure-call-in-pure-function",
        "mark-impure",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x
"#,
        expect![[r#"
            @R.function(pure=False)
            def f(x: R.Tensor((4,), "float32")):
                _ = R.print(x, format="{}")
                return x
        "#]],
    );
    check(
        "impure-call-in-pure-function",
        "mark-impure",
        r#"@R.function(private=True)
def f(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x
"#,
        expect![[r#"
            @R.function(private=True, pure=False)
            def f(x: R.Tensor((4,), "float32")):
                _ = R.print(x, format="{}")
                return x
        "#]],
    );
}

#[test]
fn an_unused_binding_goes_with_its_line() {
    check(
        "unused-binding",
        "remove-unused",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(
        x
    )  # gone
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
fn an_unused_binding_may_say_that_it_is_meant() {
    check(
        "unused-binding",
        "underscore",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                _y = R.exp(x)
                return x
        "#]],
    );
}

#[test]
fn what_has_an_effect_is_not_removed() {
    let program = r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("log", x, ty_args=R.Any)
    return x
"#;
    assert_eq!(offered("unused-binding", program), ["underscore"]);
}

#[test]
fn a_statement_that_a_dataflow_block_cannot_hold_moves_out_of_it() {
    check(
        "impure-call-in-dataflow",
        "move-out",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        # told
        _ = R.print(y, format="{}")
        z = R.abs(y)
        R.output(z)
    return z
"#,
        expect![[r#"
            @R.function(pure=False)
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                # told
                _ = R.print(y, format="{}")
                with R.dataflow():
                    z = R.abs(y)
                    R.output(z)
                return z
        "#]],
    );
}

#[test]
fn the_last_statement_moves_after_the_block() {
    check(
        "impure-call-in-dataflow",
        "move-out",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.call_packed("g", y, sinfo_args=R.Tensor((4,), "float32"))
        R.output(z)
    return z
"#,
        expect![[r#"
            @R.function(pure=False)
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                z = R.call_packed("g", y, sinfo_args=R.Tensor((4,), "float32"))
                return z
        "#]],
    );
}

#[test]
fn an_if_moves_out_of_the_block_that_then_is_empty() {
    check(
        "control-flow-in-dataflow",
        "move-out",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow():
        if c:
            y = R.exp(x)
        else:
            y = R.abs(x)
        R.output(y)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
                if c:
                    y = R.exp(x)
                else:
                    y = R.abs(x)
                return y
        "#]],
    );
}

#[test]
fn a_packed_call_without_visible_effect_is_a_pure_one() {
    check(
        "impure-call-in-pure-function",
        "call-pure",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.call_pure_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
                return y
        "#]],
    );
}

#[test]
fn a_purity_that_contradicts_an_attribute_goes() {
    check(
        "conflicting-purity",
        "remove-impure",
        r#"@R.function(private=True, pure=False)
def f(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True})
    return x
"#,
        expect![[r#"
            @R.function(private=True)
            def f(x: R.Tensor((4,), "float32")):
                R.func_attr({"relax.force_pure": True})
                return x
        "#]],
    );
}

#[test]
fn an_output_beside_a_block_goes() {
    check(
        "invalid-output",
        "remove-output",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    R.output(y)
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
fn what_a_block_does_not_bind_is_no_output_of_it() {
    check(
        "invalid-output",
        "remove-output",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(x, y)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                return y
        "#]],
    );
}

#[test]
fn the_output_moves_behind_all_bindings() {
    check(
        "binding-after-output",
        "move-output",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
        _z = R.abs(y)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    _z = R.abs(y)
                    R.output(y)
                return y
        "#]],
    );
}

#[test]
fn a_function_returns_what_it_binds_last() {
    check(
        "missing-return",
        "add-return",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
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
fn a_second_return_goes() {
    check(
        "misplaced-return",
        "remove-return",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
    return x
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
fn an_if_gets_an_else_that_keeps_the_value() {
    check(
        "missing-else",
        "add-else",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    y = R.abs(x)
    if c:
        y = R.exp(y)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
                y = R.abs(x)
                if c:
                    y = R.exp(y)
                else:
                    y = y
                return y
        "#]],
    );
}

#[test]
fn both_branches_bind_one_name() {
    check(
        "branch-variable-mismatch",
        "same-name",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        z = R.abs(x)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
                if c:
                    y = R.exp(x)
                else:
                    y = R.abs(x)
                return x
        "#]],
    );
}

#[test]
fn an_augmented_assignment_is_written_out() {
    check(
        "unsupported-statement",
        "expand-assignment",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    y += x
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.exp(x)
                y = y + x
                return y
        "#]],
    );
}

#[test]
fn a_tuple_is_bound_before_its_fields_are() {
    check(
        "unsupported-statement",
        "unpack",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    a, b = R.split(x, 2)
    return R.add(a, b)
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                lv = R.split(x, 2)
                a = lv[0]
                b = lv[1]
                return R.add(a, b)
        "#]],
    );
}

#[test]
fn a_docstring_becomes_a_comment() {
    check(
        "unsupported-statement",
        "docstring-to-comment",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    """Does it.

    Twice."""
    y = R.exp(x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                # Does it.
                #
                # Twice.
                y = R.exp(x)
                return y
        "#]],
    );
}

#[test]
fn a_dropped_value_is_bound() {
    check(
        "unbound-value",
        "bind-value",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    R.exp(x)
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                _ = R.exp(x)
                return x
        "#]],
    );
}

#[test]
fn a_parameter_gets_the_widest_annotation() {
    check(
        "missing-annotation",
        "annotate-parameter",
        r#"@R.function
def f(x, y: R.Tensor((4,), "float32")):
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Object, y: R.Tensor((4,), "float32")):
                return y
        "#]],
    );
}

#[test]
fn an_annotation_that_cannot_be_true_becomes_what_is_inferred() {
    check(
        "annotation-mismatch",
        "correct-annotation",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y: R.Tensor((5,), "float32") = R.exp(x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y: R.Tensor((4,), dtype="float32") = R.exp(x)
                return y
        "#]],
    );
}

#[test]
fn an_annotation_that_cannot_be_true_goes() {
    check(
        "annotation-mismatch",
        "remove-annotation",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y: R.Tensor((5,), "float32") = R.exp(x)
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
fn a_return_annotation_becomes_what_is_returned() {
    check(
        "return-mismatch",
        "correct-return",
        r#"@R.function
def f(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 5), "float32"):
    return x
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), dtype="float32"):
                return x
        "#]],
    );
}

#[test]
fn a_cast_that_always_fails_becomes_the_value_s_own() {
    check(
        "impossible-cast",
        "correct-cast",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.match_cast(x, R.Tensor((5,), "float32"))
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.match_cast(x, R.Tensor((4,), dtype="float32"))
                return y
        "#]],
    );
}

#[test]
fn an_operand_is_converted_to_the_dtype_of_the_other() {
    check(
        "dtype-mismatch",
        "convert-dtype",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "int32")):
    z = R.add(x, y)
    return z
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "int32")):
                z = R.add(x, R.astype(y, "float32"))
                return z
        "#]],
    );
}

#[test]
fn a_tensor_is_read_with_take() {
    check(
        "not-a-tuple",
        "take",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = x[0]
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.take(x, R.const(0, "int64"), axis=0)
                return y
        "#]],
    );
}

#[test]
fn a_call_of_a_prim_func_says_what_it_computes() {
    check(
        "argument-count",
        "add-output-annotation",
        r#"@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i] + A[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.double, (x,))
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
                def main(x: R.Tensor((4,), "float32")):
                    cls = Module
                    y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
                    return y
        "#]],
    );
}

#[test]
fn a_shape_variable_is_bound_by_a_cast() {
    check(
        "unbound-shape-variable",
        "match-cast",
        r#"@R.function
def f(x: R.Tensor(ndim=1, dtype="float32")):
    m = T.int64()
    y: R.Tensor((m,), "float32") = R.exp(x)
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor(ndim=1, dtype="float32")):
                m = T.int64()
                y = R.match_cast(R.exp(x), R.Tensor((m,), "float32"))
                return y
        "#]],
    );
}

#[test]
fn a_shape_variable_is_bound_by_a_parameter() {
    check(
        "unbound-shape-variable",
        "shape-parameter",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    m = T.int64()
    y = R.zeros((m,), "float32")
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32"), m_shape: R.Shape(["m"])):
                m = T.int64()
                y = R.zeros((m,), "float32")
                return y
        "#]],
    );
}

#[test]
fn an_argument_of_which_too_little_is_known_is_cast() {
    check(
        "argument-type",
        "cast-argument",
        r#"@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Object) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = cls.helper(x)
        return y
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    return x

                @R.function
                def main(x: R.Object) -> R.Tensor((4,), "float32"):
                    cls = Module
                    lv = R.match_cast(x, R.Tensor((4,), dtype="float32"))
                    y: R.Tensor((4,), "float32") = cls.helper(lv)
                    return y
        "#]],
    );
}

#[test]
fn a_range_asks_for_the_fixes_of_what_it_touches() {
    let fixture = Fixture::new(&format!(
        "{IMPORTS}@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = R.e$0xq(x)\n    return y\n"
    ));
    let at = TextRange::empty(fixture.position().offset);
    let fixes = fixture.analysis.fixes(fixture.file, at, &[]).unwrap();
    assert_eq!(fixes.len(), 1);
    let elsewhere = TextRange::empty(TextSize::of(&*fixture.text));
    assert!(
        fixture
            .analysis
            .fixes(fixture.file, elsewhere, &[])
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_misspelled_name_of_a_prim_func_becomes_the_nearest() {
    check(
        "undefined-name",
        "nearest-name",
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for index in range(4):
        A[indx] = T.float32(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for index in range(4):
                    A[index] = T.float32(0)
        "#]],
    );
}

#[test]
fn a_spelling_of_another_dialect_becomes_that_of_the_file() {
    check(
        "other-dialect",
        "other-dialect",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Any:
    y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")) -> R.Object:
                y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
                return y
        "#]],
    );
    check(
        "other-dialect",
        "other-dialect",
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    with T.sblock("fill"):
        A[0] = T.float32(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                with T.block("fill"):
                    A[0] = T.float32(0)
        "#]],
    );
}

#[test]
fn all_that_is_plain_is_fixed_at_once() {
    let program = r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    """Text."""
    a, b = R.split(x, 2)
    with R.dataflow():
        y = R.exq(a)
    y += b
    return y
"#;
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let action = fixture.analysis.fix_all(fixture.file).unwrap().unwrap();
    let fixed = action.edit.unwrap().apply(&fixture.text);
    expect![[r#"
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            # Text.
            lv = R.split(x, 2)
            a = lv[0]
            b = lv[1]
            with R.dataflow():
                y = R.exq(a)
                R.output(y)
            y = y + b
            return y
    "#]]
    .assert_eq(fixed.strip_prefix(IMPORTS).unwrap());
    let again = Fixture::new(&fixed);
    assert_eq!(again.analysis.fix_all(again.file).unwrap(), None);
    let clean = Fixture::new("x = 1\n");
    assert_eq!(clean.analysis.fix_all(clean.file).unwrap(), None);
}

#[test]
fn a_fix_that_another_makes_possible_is_in_the_same_edit() {
    let program = r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a, b = R.split(x, 2)
        c = R.print(a, format="{}")
        R.output(a)
    y = R.add(a, b)
    y += a
    return y
"#;
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let action = fixture.analysis.fix_all(fixture.file).unwrap().unwrap();
    let fixed = action.edit.unwrap().apply(&fixture.text);
    expect![[r#"
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            with R.dataflow():
                lv = R.split(x, 2)
                a = lv[0]
                b = lv[1]
                R.output(a, b)
            c = R.print(a, format="{}")
            y = R.add(a, b)
            y = y + a
            return y
    "#]]
    .assert_eq(fixed.strip_prefix(IMPORTS).unwrap());
    let again = Fixture::new(&fixed);
    assert_eq!(again.analysis.fix_all(again.file).unwrap(), None);
}

#[test]
fn a_fix_is_made_wherever_it_is_needed() {
    let program = r#"@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Any:
    a = R.exp(x)
    b = R.exp(x)
    y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
    z: R.Any = y
    return z
"#;
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let everywhere = |code: &str| {
        let all = fixture
            .analysis
            .fix_everywhere(fixture.file, code, &Resolve::All);
        let edit = all.unwrap()?.edit.unwrap();
        let fixed = edit.apply(&fixture.text);
        Some(fixed.strip_prefix(IMPORTS).unwrap().to_owned())
    };
    expect![[r#"
        @R.function
        def f(x: R.Tensor((4,), "float32")) -> R.Any:
            y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
            z: R.Any = y
            return z
    "#]]
    .assert_eq(&everywhere("unused-binding").unwrap());
    expect![[r#"
        @R.function
        def f(x: R.Tensor((4,), "float32")) -> R.Object:
            a = R.exp(x)
            b = R.exp(x)
            y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
            z: R.Object = y
            return z
    "#]]
    .assert_eq(&everywhere("other-dialect").unwrap());
    assert_eq!(everywhere("undefined-name"), None);
    let once = Fixture::new(&fixture.text.replace("b = R", "_ = R"));
    let action = once
        .analysis
        .fix_everywhere(once.file, "unused-binding", &Resolve::All);
    assert_eq!(action.unwrap(), None);
    let branch = r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        a = R.exp(x)
        b = R.exp(x)
    else:
        b = x
    return x
"#;
    let fixture = Fixture::new(&format!("{IMPORTS}{branch}"));
    let all = fixture
        .analysis
        .fix_everywhere(fixture.file, "unused-binding", &Resolve::All);
    let fixed = all.unwrap().unwrap().edit.unwrap().apply(&fixture.text);
    expect![[r#"
        @R.function
        def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
            if c:
                b = R.exp(x)
            else:
                b = x
            return x
    "#]]
    .assert_eq(fixed.strip_prefix(IMPORTS).unwrap());
}
