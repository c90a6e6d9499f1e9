//! Replaces an unknown name with the most similar known one: variables, functions, operators, keywords, dtypes.

use relax::Diagnostic;
use text_size::TextRange;

use super::Fixes;
use crate::respell::respelled;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn rename(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    replace(cx, diagnostic, "nearest-name", fixes);
}

/// Replaces a spelling of another dialect with that of the file's.
pub fn other_dialect(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if diagnostic.instead.is_some() {
        replace(cx, diagnostic, "other-dialect", fixes);
    } else if let Some(respelled) = respelled(cx, diagnostic.range, cx.release) {
        let title = format!("Write `{}`", respelled.shown);
        fixes.certain("other-dialect", title, respelled.edit);
    }
}

fn replace(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, id: &'static str, fixes: &mut Fixes) {
    let Some((range, name)) = &diagnostic.instead else {
        return;
    };
    if range.is_empty() {
        return;
    }
    let old = cx.slice(*range);
    // Don't replace a name in several pieces, such as `"floot" "32"`.
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    if old.chars().all(plain) {
        let title = format!("Change `{old}` to `{name}`");
        fixes.preferred(id, title, everywhere(cx, diagnostic, *range, name));
    }
}

/// Replaces the text at `range` with `new`, and the same text wherever the same mistake is reported.
pub(super) fn everywhere(
    cx: &FunctionContext<'_>,
    diagnostic: &Diagnostic,
    range: TextRange,
    new: &str,
) -> SourceEdit {
    let old = cx.slice(range);
    let repeats = diagnostic.repeats.iter().copied();
    let repeats = repeats.filter(|it| *it != range && cx.slice(*it) == old);
    repeats.fold(SourceEdit::replace(range, new), |edit, it| {
        edit.and_replace(it, new)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::fixes::tests::{check, fixed, offered};

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
                 def f(value: R.Tensor((4,), "float32")):
                -    y = R.exp(valeu)
                +    y = R.exp(value)
                     return y
            "#]],
        );
    }

    #[test]
    fn a_repeated_misspelling_is_fixed_everywhere() {
        check(
            "undefined-name",
            "nearest-name",
            r#"@R.function
def f(value: R.Tensor((4,), "float32")):
    y = R.add(valeu, valeu)
    z = R.add(y, valeu)
    return z
"#,
            expect![[r#"
                 def f(value: R.Tensor((4,), "float32")):
                -    y = R.add(valeu, valeu)
                -    z = R.add(y, valeu)
                +    y = R.add(value, value)
                +    z = R.add(y, value)
                     return z
            "#]],
        );
    }

    #[test]
    fn annotations_of_the_rfc_become_calls() {
        check(
            "other-dialect",
            "other-dialect",
            r#"@R.function
def f(x: R.Tensor((4,), "float32"), y: R.Tensor[(n, 4), "float32"]) -> R.Object:
    z = R.call_dps_packed("f", (x, y), out_sinfo=R.Tensor((4,), "float32"))
    return z
"#,
            expect![[r#"
                 @R.function
                -def f(x: R.Tensor((4,), "float32"), y: R.Tensor[(n, 4), "float32"]) -> R.Object:
                +def f(x: R.Tensor((4,), "float32"), y: R.Tensor(("n", 4), "float32")) -> R.Object:
                     z = R.call_dps_packed("f", (x, y), out_sinfo=R.Tensor((4,), "float32"))
            "#]],
        );
    }

    #[test]
    fn casts_of_the_rfc_become_those_of_today() {
        check(
            "other-dialect",
            "other-dialect",
            r#"@R.function
def f(x: R.Tensor(("n", 4), "float32")) -> R.Object:
    R.match_shape(x, (m, 4))
    z = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
    return z
"#,
            expect![[r#"
                 def f(x: R.Tensor(("n", 4), "float32")) -> R.Object:
                -    R.match_shape(x, (m, 4))
                +    m = T.int64()
                +    _ = R.match_cast(x, R.Tensor((m, 4), "float32"))
                     z = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
            "#]],
        );
    }

    #[test]
    fn casts_of_today_become_those_of_the_rfc() {
        check(
            "other-dialect",
            "other-dialect",
            r#"@R.function
def f(x: R.Tensor[(n, 4), "float32"], w: R.Tensor[(n, 4), "float32"]):
    with R.dataflow():
        z = R.match_cast(x, R.Tensor((m, 4), "float32"))
        R.outputs(z)
    return z
"#,
            expect![[r#"
                     with R.dataflow():
                -        z = R.match_cast(x, R.Tensor((m, 4), "float32"))
                +        z = R.match_shape(x, (m, 4))
                         R.outputs(z)
            "#]],
        );
    }

    #[test]
    fn a_value_under_a_name_gets_the_annotation_for_it() {
        let program = r#"from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4,), "float32")):
    with T.sblock("a"):
        with T.LetStmt(T.float32(1)) as x:
            A[0] = x
            A[1] = x
        A[2] = T.float32(2)
"#;
        let expected = expect![[r#"
                from tvm.script import tirx as T

                @T.prim_func(s_tir=True)
                def f(A: T.Buffer((4,), "float32")):
                    with T.sblock("a"):
                        x: T.let = T.float32(1)
                        A[0] = x
                        A[1] = x
                        A[2] = T.float32(2)
            "#]];
        expected.assert_eq(&fixed("other-dialect", "other-dialect", program));
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
                 def f(x: R.Tensor((4,), "float32")):
                -    y = R.nn.relo(x)
                +    y = R.nn.relu(x)
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
                         cls = Module
                -        y: R.Tensor((4,), "float32") = cls.helpr(x)
                +        y: R.Tensor((4,), "float32") = cls.helper(x)
                         return y
            "#]],
        );
    }

    #[test]
    fn a_misspelled_dtype_of_a_buffer_becomes_the_nearest() {
        check(
            "unknown-dtype",
            "nearest-name",
            r#"@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (4,), "floot32")
    A[0] = T.float32(1)
"#,
            expect![[r#"
                 def f(a: T.handle):
                -    A = T.match_buffer(a, (4,), "floot32")
                +    A = T.match_buffer(a, (4,), "float32")
                     A[0] = T.float32(1)
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
                 def f(x: R.Tensor((4, 4), "float32")):
                -    y = R.sum(x, axes=1)
                +    y = R.sum(x, axis=1)
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
                -def f(x: R.Tensor((4,), "floot32")):
                +def f(x: R.Tensor((4,), "float32")):
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
                 def f(x: R.Tensor((4,), "float32")):
                -    y = R.call_packed("g", x, ty_args=R.Tensor((4,), "float32"))
                +    y = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
                     return y
            "#]],
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
                     for index in range(4):
                -        A[indx] = T.float32(0)
                +        A[index] = T.float32(0)
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
                -def f(x: R.Tensor((4,), "float32")) -> R.Any:
                +def f(x: R.Tensor((4,), "float32")) -> R.Object:
                     y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "float32"))
            "#]],
        );
    }
}
