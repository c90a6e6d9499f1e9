//! Tests the result of each assist, and that the program is well-formed before and after.

use expect_test::{Expect, expect};
use text_size::TextRange;

use crate::fixture::dialects::{self, Spelling};
use crate::fixture::{Fixture, IMPORTS, by_other_names, changed_lines, with_crlf};
use crate::{Resolve, Severity};

fn wrong(fixture: &Fixture) -> Vec<crate::Diagnostic> {
    let mut found = fixture.analysis.diagnostics(fixture.file).unwrap();
    found.retain(|it| it.severity != Severity::Hint);
    found
}

/// Applies the assist `id` at the cursor, or from the cursor to the end of `selected`, and compares the result.
/// Repeats this with other names for `R`, `T` and `I`, with the line ends of Windows, and in every dialect.
fn check_selected(id: &str, program: &str, selected: &str, expect: Expect) {
    let program = format!("{IMPORTS}{program}");
    let text = assisted(id, &program, selected);
    let other = assisted(id, &by_other_names(&program), &by_other_names(selected));
    assert_eq!(other, by_other_names(&text));
    let on_windows = assisted(id, &with_crlf(&program), &with_crlf(selected));
    assert_eq!(on_windows, with_crlf(&text));
    expect.assert_eq(&changed_lines(&program.replacen("$0", "", 1), &text));
    // The RFC has no frames.
    let unknown = |written: &Spelling| *written == Spelling::Rfc && id == "if-to-frames";
    let others = dialects::others(&program).into_iter();
    for (written, program) in others.filter(|(written, _)| !unknown(written)) {
        let there = assisted(id, &program, selected);
        if written == Spelling::Type {
            assert_eq!(there, dialects::in_type(&text));
        }
    }
}

fn assisted(id: &str, program: &str, selected: &str) -> String {
    let fixture = Fixture::new(program);
    assert_eq!(wrong(&fixture), []);
    let at = fixture.position().offset;
    let length = fixture.text[at.into()..].find(selected).unwrap() + selected.len();
    let range = TextRange::at(at, (length as u32).into());
    let range = if selected.is_empty() {
        TextRange::empty(at)
    } else {
        range
    };
    let resolve = Resolve::Only(id.to_owned());
    let found = fixture
        .analysis
        .assists(fixture.file, range, &resolve)
        .unwrap();
    let ids: Vec<_> = found.iter().map(|it| it.id).collect();
    let assist = found.iter().find(|it| it.id == id);
    let assist = assist.unwrap_or_else(|| panic!("no {id} among {ids:?}"));
    let text = assist
        .edit
        .as_ref()
        .expect("it was asked for")
        .apply(&fixture.text);
    let after = Fixture::new(&text);
    assert_eq!(wrong(&after), [], "{text}");
    text
}

fn check(id: &str, program: &str, expect: Expect) {
    check_selected(id, program, "", expect);
}

fn offered(program: &str) -> Vec<&'static str> {
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let at = TextRange::empty(fixture.position().offset);
    let found = fixture
        .analysis
        .assists(fixture.file, at, &Resolve::None)
        .unwrap();
    assert!(found.iter().all(|it| it.edit.is_none()));
    found.iter().map(|it| it.id).collect()
}

#[test]
fn a_binding_gets_the_annotation_that_is_inferred() {
    check(
        "annotate",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    $0y = R.exp(x)
    return y
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y = R.exp(x)
            +    y: R.Tensor((4,), dtype="float32") = R.exp(x)
                 return y
        "#]],
    );
}

#[test]
fn all_bindings_are_annotated() {
    check(
        "annotate-all",
        r#"@R.function
def $0f(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y = R.exp(x)
    with R.dataflow():
        z = R.reshape(y, (n * 4,))
        R.output(z)
    return z
"#,
        expect![[r#"
                 n = T.int64()
            -    y = R.exp(x)
            +    y: R.Tensor((n, 4), dtype="float32") = R.exp(x)
                 with R.dataflow():
            -        z = R.reshape(y, (n * 4,))
            +        z: R.Tensor((n * 4,), dtype="float32") = R.reshape(y, (n * 4,))
                     R.output(z)
        "#]],
    );
}

#[test]
fn annotations_are_removed() {
    check(
        "remove-annotations",
        r#"@R.function
def $0f(x: R.Tensor((4,), "float32")):
    y: R.Tensor((4,), "float32") = R.exp(x)
    z: R.Tensor((4,), "float32") = R.abs(y)
    return z
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y: R.Tensor((4,), "float32") = R.exp(x)
            -    z: R.Tensor((4,), "float32") = R.abs(y)
            +    y = R.exp(x)
            +    z = R.abs(y)
                 return z
        "#]],
    );
}

#[test]
fn a_more_specific_annotation_becomes_a_match_cast() {
    check(
        "match-cast",
        r#"@R.function
def f(x: R.Tensor(ndim=1, dtype="float32")):
    $0y: R.Tensor((4,), "float32") = R.exp(x)
    return y
"#,
        expect![[r#"
             def f(x: R.Tensor(ndim=1, dtype="float32")):
            -    y: R.Tensor((4,), "float32") = R.exp(x)
            +    y = R.match_cast(R.exp(x), R.Tensor((4,), "float32"))
                 return y
        "#]],
    );
}

#[test]
fn a_binding_is_inlined() {
    check(
        "inline-binding",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    $0y = x + x
    z = y * y
    return z
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y = x + x
            -    z = y * y
            +    z = (x + x) * (x + x)
                 return z
        "#]],
    );
}

#[test]
fn a_nested_call_gets_a_name() {
    check(
        "extract-binding",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    lv = R.exp(x)
    y = R.add(R.ab$0s(lv), R.exp(x))
    return y
"#,
        expect![[r#"
                 lv = R.exp(x)
            -    y = R.add(R.abs(lv), R.exp(x))
            +    lv1 = R.abs(lv)
            +    y = R.add(lv1, R.exp(x))
                 return y
        "#]],
    );
}

#[test]
fn all_nested_calls_of_a_statement_get_names() {
    check(
        "name-nested",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    $0y = R.add(R.abs(R.exp(x)), R.exp(R.const(1.0)))
    return y
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32")):
            -    y = R.add(R.abs(R.exp(x)), R.exp(R.const(1.0)))
            +    lv = R.exp(x)
            +    lv1 = R.abs(lv)
            +    lv2 = R.exp(R.const(1.0))
            +    y = R.add(lv1, lv2)
                 return y
        "#]],
    );
}

#[test]
fn a_dataflow_block_is_split_at_the_cursor() {
    check(
        "split-dataflow",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.exp(x)
        $0b = R.abs(a)
        c = R.add(a, b)
        R.output(c)
    return c
"#,
        expect![[r#"
                     a = R.exp(x)
            +        R.output(a)
            +    with R.dataflow():
                     b = R.abs(a)
        "#]],
    );
}

#[test]
fn two_dataflow_blocks_become_one() {
    check(
        "merge-dataflow",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        $0a = R.exp(x)
        d = R.abs(x)
        R.output(a, d)
    with R.dataflow():
        b = R.abs(a)
        R.output(b)
    return R.add(b, d)
"#,
        expect![[r#"
                     d = R.abs(x)
            -        R.output(a, d)
            -    with R.dataflow():
                     b = R.abs(a)
            -        R.output(b)
            +        R.output(d, b)
                 return R.add(b, d)
        "#]],
    );
}

#[test]
fn branches_are_swapped() {
    check(
        "flip-if",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    $0if c:
        y = R.exp(x)
    else:
        y = R.abs(x)
    return y
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
            -    if c:
            +    if R.logical_not(c):
            +        y = R.abs(x)
            +    else:
                     y = R.exp(x)
            -    else:
            -        y = R.abs(x)
                 return y
        "#]],
    );
}

#[test]
fn statements_become_a_local_function() {
    check_selected(
        "extract-function",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
    a = R.exp(x)
    $0b = R.add(a, w)
    c = R.abs(b)
    return R.add(b, c)
"#,
        "R.abs(b)",
        expect![[r#"
                 a = R.exp(x)
            -    b = R.add(a, w)
            -    c = R.abs(b)
            +    @R.function
            +    def extracted(w: R.Tensor((4,), dtype="float32"), a: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
            +        b = R.add(a, w)
            +        c = R.abs(b)
            +        return (b, c)
            +    lv = extracted(w, a)
            +    b = lv[0]
            +    c = lv[1]
                 return R.add(b, c)
        "#]],
    );
}

#[test]
fn a_spelling_becomes_that_of_another_dialect() {
    let fixture = Fixture::new(&format!(
        "{IMPORTS}@R.function\ndef f(x: R.Obj$0ect):\n    return x\n"
    ));
    let at = TextRange::empty(fixture.position().offset);
    let found = fixture
        .analysis
        .assists(fixture.file, at, &Resolve::All)
        .unwrap();
    let change = found.iter().find(|it| it.id == "change-spelling").unwrap();
    assert_eq!(change.title, "Write `Any` (TVM 0.26)");
    let text = change.edit.as_ref().unwrap().apply(&fixture.text);
    assert!(text.contains("x: R.Any)"));
}

#[test]
fn code_is_converted_to_the_idioms_of_another_dialect() {
    let program = r#"@R.function
def f(x: R.Tensor[(n, 4), "float32"], w: R.$0Tensor[_, "float32"]):
    R.match_shape(x, (n, 4))
    return x
"#;
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let at = TextRange::empty(fixture.position().offset);
    let found = fixture.analysis.assists(fixture.file, at, &Resolve::All);
    let found = found.unwrap();
    let change = found.iter().find(|it| it.id == "change-spelling").unwrap();
    let title = "Write `R.Tensor(dtype=\"float32\")` (TVM 0.27)";
    assert_eq!(change.title, title);
}

#[test]
fn outputs_and_effects_are_not_inlined() {
    let output = r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        $0y = R.exp(x)
        R.output(y)
    return y
"#;
    assert!(!offered(output).contains(&"inline-binding"));
    let effect = r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    $0y = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
    return R.add(y, y)
"#;
    assert!(!offered(effect).contains(&"inline-binding"));
}

#[test]
fn an_annotation_brings_the_declaration_of_its_shape_variables() {
    let program = r#"@R.function
def f(x: R.Tensor(("n", "m"), "float32")):
    @R.function
    def inner(y: R.Tensor(("k",), "float32")):
        z = R.exp(y)
        return z
    $0a = R.exp(x)
    b = inner(R.flatten(a))
    return b
"#;
    check(
        "annotate",
        program,
        expect![[r#"
             def f(x: R.Tensor(("n", "m"), "float32")):
            +    n = T.int64()
            +    m = T.int64()
                 @R.function
            ...
                     return z
            -    a = R.exp(x)
            +    a: R.Tensor((n, m), dtype="float32") = R.exp(x)
                 b = inner(R.flatten(a))
        "#]],
    );
    let inner = program.replace("$0a", "a").replace("z = R", "$0z = R");
    check(
        "annotate",
        &inner,
        expect![[r#"
                 def inner(y: R.Tensor(("k",), "float32")):
            -        z = R.exp(y)
            +        k = T.int64()
            +        z: R.Tensor((k,), dtype="float32") = R.exp(y)
                     return z
        "#]],
    );
    let all = program.replace("$0a", "a").replace("def f", "def $0f");
    check(
        "annotate-all",
        &all,
        expect![[r#"
             def f(x: R.Tensor(("n", "m"), "float32")):
            +    n = T.int64()
            +    m = T.int64()
                 @R.function
                 def inner(y: R.Tensor(("k",), "float32")):
            -        z = R.exp(y)
            +        k = T.int64()
            +        z: R.Tensor((k,), dtype="float32") = R.exp(y)
                     return z
            -    a = R.exp(x)
            -    b = inner(R.flatten(a))
            +    a: R.Tensor((n, m), dtype="float32") = R.exp(x)
            +    b: R.Tensor((n * m,), dtype="float32") = inner(R.flatten(a))
                 return b
        "#]],
    );
}

#[test]
fn branches_without_later_uses_become_frames() {
    check(
        "if-to-frames",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    i$0f c:  # told
        # so
        _ = R.print(x, format="a")

    else:
        _ = R.print(x, format="b")
    return x
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
            -    if c:  # told
            -        # so
            -        _ = R.print(x, format="a")
            +    with R.If(c):  # told
            +        with R.Then():
            +            # so
            +            _ = R.print(x, format="a")
 
            -    else:
            -        _ = R.print(x, format="b")
            +        with R.Else():
            +            _ = R.print(x, format="b")
                 return x
        "#]],
    );
}

#[test]
fn frames_become_branches() {
    check(
        "frames-to-if",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    wi$0th R.If(c):  # told
        with R.Then():
            # so
            _ = R.print(x, format="a")

        with R.Else():
            _ = R.print(x, format="b")
    return x
"#,
        expect![[r#"
             def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
            -    with R.If(c):  # told
            -        with R.Then():
            -            # so
            -            _ = R.print(x, format="a")
            +    if c:  # told
            +        # so
            +        _ = R.print(x, format="a")
 
            -        with R.Else():
            -            _ = R.print(x, format="b")
            +    else:
            +        _ = R.print(x, format="b")
                 return x
        "#]],
    );
}

#[test]
fn branches_of_a_prim_func_become_frames() {
    check(
        "if-to-frames",
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        if i <$0 2:
            A[i] = T.float32(0)
        else:
            A[i] = T.float32(1)
"#,
        expect![[r#"
                 for i in range(4):
            -        if i < 2:
            -            A[i] = T.float32(0)
            -        else:
            -            A[i] = T.float32(1)
            +        with T.If(i < 2):
            +            with T.Then():
            +                A[i] = T.float32(0)
            +            with T.Else():
            +                A[i] = T.float32(1)
        "#]],
    );
}

#[test]
fn frames_of_a_prim_func_become_branches() {
    check(
        "frames-to-if",
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.If(i < 2):$0
            with T.Then():
                A[i] = T.float32(0)
"#,
        expect![[r#"
                 for i in range(4):
            -        with T.If(i < 2):
            -            with T.Then():
            -                A[i] = T.float32(0)
            +        if i < 2:
            +            A[i] = T.float32(0)
        "#]],
    );
}

#[test]
fn branches_with_later_uses_are_not_converted() {
    let program = r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    i$0f c:
        y = R.exp(x)
    else:
        y = R.abs(x)
    return y
"#;
    assert!(!offered(program).contains(&"if-to-frames"));
}
