//! Tests of silenced diagnostics, reports of unused comments, and the actions that write comments.

use expect_test::{Expect, expect};
use text_size::TextRange;

use crate::fixes::tests::check as check_fix;
use crate::fixture::{Fixture, IMPORTS};

fn check(program: &str, expect: Expect) {
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let found = fixture.analysis.diagnostics(fixture.file).unwrap();
    let actual: Vec<String> = found
        .iter()
        .map(|it| {
            let line = fixture.lines.line_col(it.range.start()).line - 1;
            let text = &fixture.text[it.range];
            format!("{line} {}: {} `{text}`\n", it.code, it.message)
        })
        .collect();
    expect.assert_eq(&actual.concat());
}

const HEADER: &str = "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n";

#[test]
fn a_comment_silences_a_code_on_its_line() {
    check(
        &format!("{HEADER}    return y  # relax: ignore[undefined-name]\n"),
        expect![""],
    );
}

#[test]
fn a_comment_without_codes_silences_its_line() {
    check(
        &format!("{HEADER}    return R.exp(y, z)  # relax: ignore\n"),
        expect![""],
    );
}

#[test]
fn a_comment_that_stands_alone_silences_the_next_line_of_code() {
    check(
        &format!(
            "{HEADER}    # relax: ignore[undefined-name]\n    # relax: ignore[argument-count]\n\n    return R.exp(y, x, x)\n"
        ),
        expect![""],
    );
}

#[test]
fn a_comment_silences_diagnostics_that_end_on_its_line() {
    check(
        &format!(
            "{HEADER}    return R.matmul(\n        x,\n        R.zeros((5,), \"float32\"),\n    )  # relax: ignore[shape-mismatch]\n"
        ),
        expect![[r#"
            4 shape-mismatch: `R.matmul`: dimension 0 of `x1` is `4`, dimension 0 of `x2` is `5`: they must be equal `x`
            6 unused-ignore: this comment ignores `shape-mismatch`, which is not reported here `# relax: ignore[shape-mismatch]`
        "#]],
    );
}

#[test]
fn other_codes_are_still_reported() {
    check(
        &format!("{HEADER}    return y  # relax: ignore[shape-mismatch]\n"),
        expect![[r#"
            3 undefined-name: `y` is not defined `y`
            3 unused-ignore: this comment ignores `shape-mismatch`, which is not reported here `# relax: ignore[shape-mismatch]`
        "#]],
    );
}

#[test]
fn unused_codes_of_an_ignore_comment_are_reported() {
    check(
        &format!(
            "{HEADER}    return y  # relax: ignore[undefined-name, undefinde-name, shape-mismatch]\n"
        ),
        expect![[r#"
            3 unused-ignore: no diagnostic has the code `undefinde-name`; did you mean `undefined-name`? `undefinde-name`
            3 unused-ignore: this comment ignores `shape-mismatch`, which is not reported here `shape-mismatch`
        "#]],
    );
}

#[test]
fn syntax_errors_are_never_silenced() {
    check(
        &format!("{HEADER}    return (x  # relax: ignore\n"),
        expect![[r#"
            3 syntax-error: expected `)` to close this parenthesis ``
            3 unused-ignore: this comment ignores nothing: no diagnostic is reported here `# relax: ignore`
        "#]],
    );
}

#[test]
fn strings_and_other_words_do_not_silence() {
    check(
        &format!("{HEADER}    return y  # relax: ignored\n\ns = '# relax: ignore'\n"),
        expect![[r#"
            3 undefined-name: `y` is not defined `y`
        "#]],
    );
}

#[test]
fn an_explanation_may_follow() {
    check(
        &format!("{HEADER}    return y  # relax: ignore[undefined-name]: made by the macro\n"),
        expect![""],
    );
}

#[test]
fn consecutive_comments_take_linear_time() {
    let comments = "    # relax: ignore[undefined-name]\n".repeat(20_000);
    let fixture = Fixture::new(&format!("{IMPORTS}{HEADER}{comments}    return y\n"));
    let found = fixture.analysis.diagnostics(fixture.file).unwrap();
    assert_eq!(found.len(), 19_999);
}

#[test]
fn an_unused_ignore_comment_is_removed() {
    check_fix(
        "unused-ignore",
        "remove-ignore",
        &format!("{HEADER}    y = R.exp(x)  # relax: ignore[shape-mismatch]\n    return y\n"),
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y = R.exp(x)  # relax: ignore[shape-mismatch]
            +    y = R.exp(x)
                 return y
        "#]],
    );
    check_fix(
        "unused-ignore",
        "remove-ignore",
        &format!("{HEADER}    # relax: ignore\n    y = R.exp(x)\n    return y\n"),
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    # relax: ignore
                 y = R.exp(x)
        "#]],
    );
    check_fix(
        "unused-ignore",
        "remove-ignore",
        &format!("{HEADER}    return y  # relax: ignore[undefined-name, shape-mismatch]\n"),
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    return y  # relax: ignore[undefined-name, shape-mismatch]
            +    return y  # relax: ignore[undefined-name]
        "#]],
    );
    check_fix(
        "unused-ignore",
        "remove-ignore",
        &format!("{HEADER}    return y  # relax: ignore[shape-mismatch, undefined-name]\n"),
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    return y  # relax: ignore[shape-mismatch, undefined-name]
            +    return y  # relax: ignore[undefined-name]
        "#]],
    );
}

#[test]
fn removal_drops_the_explanation_and_keeps_other_comments() {
    check_fix(
        "unused-ignore",
        "remove-ignore",
        &format!(
            "{HEADER}    y = R.exp(x)  # relax: ignore[rank-mismatch] of a pass\n    return y\n"
        ),
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y = R.exp(x)  # relax: ignore[rank-mismatch] of a pass
            +    y = R.exp(x)
                 return y
        "#]],
    );
    check_fix(
        "unused-ignore",
        "remove-ignore",
        &format!("{HEADER}    y = R.exp(x)  # relax: ignore  # noqa\n    return y\n"),
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y = R.exp(x)  # relax: ignore  # noqa
            +    y = R.exp(x)  # noqa
                 return y
        "#]],
    );
}

/// Silences each diagnostic in turn, and returns the resulting text.
fn silenced(program: &str) -> String {
    let mut text = format!("{IMPORTS}{program}");
    loop {
        let fixture = Fixture::new(&text);
        let found = fixture.analysis.diagnostics(fixture.file).unwrap();
        let named: Vec<(String, TextRange)> = found
            .iter()
            .map(|it| (it.code.to_owned(), it.range))
            .collect();
        let actions = fixture.analysis.ignore_actions(fixture.file, &named);
        let Some(first) = actions.unwrap().into_iter().next() else {
            return text[IMPORTS.len()..].to_owned();
        };
        let edit = first.edit.unwrap();
        text = edit.apply(&text);
    }
}

#[test]
fn an_action_writes_the_comment() {
    expect![[r#"
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            return R.exp(y, x, x)  # relax: ignore[undefined-name, argument-count]
    "#]]
    .assert_eq(&silenced(&format!("{HEADER}    return R.exp(y, x, x)\n")));
    // No comment is possible here.
    let joined = format!("{HEADER}    return R.exp(y) \\\n        + x\n");
    assert_eq!(silenced(&joined), joined);
}
