//! Tests of the positions, labels and links of hints, and that inserting hints keeps the facts.

use expect_test::{Expect, expect};
use text_size::{TextRange, TextSize};

use crate::fixture::{Fixture, IMPORTS, changed_lines, dialects};

fn check(fixture: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let hints = fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
    let mut text = fixture.text.to_string();
    for hint in hints.iter().rev() {
        text.insert_str(hint.offset.into(), &format!("«{}»", hint.label));
    }
    let hinted = text.lines().filter(|line| line.contains('«'));
    let hinted: Vec<&str> = hinted.map(str::trim_start).collect();
    expect.assert_eq(&hinted.join("\n"));
}

#[test]
fn only_bindings_without_annotation_get_a_hint() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        z: R.Tensor(("n", 4), "float32") = R.nn.relu(y)
        R.output(z)
    return z
"#,
        expect![[r#"
                with R.dataflow()« → z»:
                y«: R.Tensor((n, 4), dtype="float32")» = R.add(x, x)"#]],
    );
}

#[test]
fn a_type_that_is_too_long_for_a_line_is_cut_and_not_inserted() {
    let fields = "x, ".repeat(200);
    let text = format!(
        "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((\"n\",), \"float32\")):\n    t = ({fields})\n    return x\n"
    );
    let fixture = Fixture::new(&text);
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let hints = fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
    let of_tuple = hints
        .iter()
        .find(|it| it.label.contains("R.Tuple"))
        .unwrap();
    assert!(of_tuple.label.ends_with('…') && of_tuple.label.len() < 2100);
    assert_eq!(
        (of_tuple.insert.is_some(), of_tuple.links.len()),
        (false, 0)
    );
    let outline = fixture.analysis.document_symbols(fixture.file).unwrap();
    let detail = outline[0].children[1].detail.as_deref();
    assert!(detail.is_some_and(|it| it.ends_with('…')), "{detail:?}");
}

#[test]
fn ignored_results_get_no_hint() {
    check(
        r#"
from tvm.script import relax as R

@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    _y = R.exp(x)
    return x
"#,
        expect![[r#"def «impure »f(x: R.Tensor((4,), "float32")):"#]],
    );
}

#[test]
fn values_of_python_get_no_hint() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), dtype)):
    y = helper(x)
    return y
"#,
        expect![[""]],
    );
}

#[test]
fn prim_func_variables_show_dtypes_and_domains() {
    check(
        r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 8), "float16")):
    for i, j in T.grid(4, 8):
        with T.block("b"):
            vi, vj = T.axis.remap("SR", [i, j])
            vk = T.axis.spatial(4, i)
            x = T.exp(A[vi, vj])
            y = T.float32(1)
            z: T.float32 = T.cast(x, "float32") + y
            A[vi, vk] = T.cast(z, "float16")
"#,
        expect![[r#"
                            vi« in [0, 4)», vj« in [0, 8)» = T.axis.remap("SR", [i, j])
                            x«: T.float16» = T.exp(A[vi, vj])"#]],
    );
}

#[test]
fn shape_variables_in_a_hint_lead_to_where_they_are_bound() {
    let fixture = Fixture::new(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
#                   ^
    y = R.concat((x, x), axis=0)
    return y
"#,
    );
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let hints = fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
    let links = &hints[0].links;
    assert_eq!(&hints[0].label[links[0].range], "n");
    assert_eq!(links[0].target, fixture.expected()[0].0);
    assert_eq!(links.len(), 1);
}

#[test]
fn bare_literals_get_the_name_of_their_parameter() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((2, 4), "float32")) -> R.Tensor((4,), "float32"):
    a: R.Tensor((4,), "float32") = R.sum(x, 0, False)
    b: R.Tensor((4,), "float32") = R.sum(x, axis=0)
    c: R.Tensor((8,), "float32") = R.reshape(x, (8,))
    d: R.Tensor((2, 4), "float16") = R.astype(x, "float16")
    e: R.Tensor((4, 2), "float32") = R.permute_dims(x, [1, 0])
    return a
"#,
        expect![[r#"
                a: R.Tensor((4,), "float32") = R.sum(x, «axis=»0, «keepdims=»False)
                e: R.Tensor((4, 2), "float32") = R.permute_dims(x, «axes=»[1, 0])"#]],
    );
}

#[test]
fn dimensions_that_are_left_open_get_their_value() {
    check(
        r#"
from tvm.script import relax as R

hidden = 8

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y: R.Tensor(("n", 4), "float32") = R.reshape(x, (-1, hidden))
    return y
"#,
        expect![[
            r#"y: R.Tensor(("n", 4), "float32") = R.reshape(x, (-1« = n // 2», hidden« = 8»))"#
        ]],
    );
}

#[test]
fn unusual_purity_is_shown() {
    check(
        r#"
from tvm.script import relax as R

@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    with R.dataflow():
        a: R.Tensor((4,), "float32") = R.exp(x)
        R.output(a)
    _: R.Tuple = R.print(a)
    return a
"#,
        expect![[r#"
                def «impure »f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                with R.dataflow()« → a»:"#]],
    );
}

/// Inserts all hints into a program, and checks that the hints stay the same.
fn inserted(program: &str) -> String {
    let labels = |fixture: &Fixture| -> Vec<String> {
        let whole = TextRange::up_to(TextSize::of(&*fixture.text));
        let hover = |offset| {
            let position = crate::FilePosition {
                file: fixture.file,
                offset,
            };
            fixture.analysis.hover(position, &fixture.lines).unwrap()
        };
        let tokens = fixture.analysis.semantic_tokens(fixture.file, whole);
        let names = tokens.unwrap().into_iter().map(|it| it.range.start());
        let shown = names.filter_map(|at| Some(hover(at)?.markdown.to_string()));
        shown.collect()
    };
    let fixture = Fixture::new(program);
    let before = labels(&fixture);
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let hints = fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
    let edits = hints.into_iter().filter_map(|hint| hint.insert);
    let mut all = crate::SourceEdit::default();
    for it in edits.flat_map(|edit| edit.replacements().to_vec()) {
        if !all.replacements().contains(&it) {
            all = all.and_replace(it.range, it.text);
        }
    }
    let text = all.apply(&fixture.text);
    let after = Fixture::new(&text);
    assert_eq!(
        after.analysis.diagnostics(after.file).unwrap(),
        [],
        "{text}"
    );
    let after = labels(&after);
    for shown in &before {
        assert!(
            after.contains(shown),
            "{shown} is gone:\n{text}\n{after:#?}"
        );
    }
    text
}

fn check_inserted(program: &str, expect: Expect) {
    let program = format!("{IMPORTS}{program}");
    let text = inserted(&program);
    expect.assert_eq(&changed_lines(&program, &text));
    for (_, program) in dialects::others(&program) {
        inserted(&program);
    }
}

#[test]
fn shapes_with_functions_are_inserted_as_tir_writes_them() {
    check_inserted(
        r#"@R.function
def f(x: R.Tensor(("m", 4), "float32")) -> R.Tensor(ndim=2, dtype="float32"):
    m = T.int64()
    y = R.zeros((T.max(m, 20) + 1, 4), "float32")
    z = R.concat((x, y), axis=0)
    return z
"#,
        expect![[r#"
                 m = T.int64()
            -    y = R.zeros((T.max(m, 20) + 1, 4), "float32")
            -    z = R.concat((x, y), axis=0)
            +    y: R.Tensor((T.max(m, 20) + 1, 4), dtype="float32") = R.zeros((T.max(m, 20) + 1, 4), "float32")
            +    z: R.Tensor((m + T.max(m, 20) + 1, 4), dtype="float32") = R.concat((x, y), axis=0)
                 return z
        "#]],
    );
}

#[test]
fn devices_are_inserted_by_index() {
    check_inserted(
        r#"@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("opencl", 0, "global"), I.vdevice("opencl", 0, "global.texture")]})

    @R.function
    def f(x: R.Tensor((4,), "float32", "opencl:1:global.texture")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        z = R.to_vdevice(y, "opencl:0")
        return z
"#,
        expect![[r#"
                 def f(x: R.Tensor((4,), "float32", "opencl:1:global.texture")) -> R.Tensor((4,), "float32"):
            -        y = R.exp(x)
            -        z = R.to_vdevice(y, "opencl:0")
            +        y: R.Tensor((4,), dtype="float32", vdevice="opencl:1:global.texture") = R.exp(x)
            +        z: R.Tensor((4,), dtype="float32", vdevice="opencl:0:global") = R.to_vdevice(y, "opencl:0")
                     return z
        "#]],
    );
}

#[test]
fn names_that_are_bound_together_are_not_annotated() {
    check_inserted(
        r#"@T.prim_func
def f(A: T.Buffer((16,), "int32")):
    for i in range(16):
        j, k = i // 4, i % 4
        l = i + 1
        A[i] = j + k + l
"#,
        expect![[r#"
                     j, k = i // 4, i % 4
            -        l = i + 1
            +        l: T.int32 = i + 1
                     A[i] = j + k + l
        "#]],
    );
}

#[test]
fn hints_of_calls_without_literals_infer_no_expression() {
    let looked_at = |call: &str| {
        let text = format!(
            "{IMPORTS}\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = {call}\n    return y\n"
        );
        let fixture = Fixture::new(&text);
        let whole = TextRange::up_to(TextSize::of(&*fixture.text));
        fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
        let (db, file) = fixture.analysis.hir(fixture.file).unwrap();
        let function = hir::file_items(db, file).functions[0];
        hir::lazy_facts(db, function).pieces_looked_at()
    };
    assert_eq!(looked_at("R.concat([nope0, nope1, nope2])"), 0);
    assert_eq!(looked_at("R.reshape(x, (2, -1))"), 1);
}
