//! Each fix is applied and the text checked again: its diagnostic is gone, and no other has come.

use expect_test::{Expect, expect};
use text_size::{TextRange, TextSize};

use crate::fixture::Fixture;
use crate::{CodeAction, Diagnostic};

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
    let fixed = fix.edit.apply(&fixture.text);
    let after = Fixture::new(&fixed);
    let after = after.analysis.diagnostics(after.file).unwrap();
    let count = |all: &[Diagnostic], code: &str| all.iter().filter(|it| it.code == code).count();
    assert_eq!(
        count(&after, code) + 1,
        count(&before, code),
        "{code} is still there:\n{fixed}\n{after:#?}"
    );
    for it in &after {
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
        "nearest-name",
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
        "nearest-name",
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
        "nearest-name",
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
