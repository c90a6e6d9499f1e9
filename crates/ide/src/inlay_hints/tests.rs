//! Tests of the links of hints, of long ones, and of the work that hints cause.

use text_size::{TextRange, TextSize};

use crate::fixture::{Fixture, IMPORTS};

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
        .find(|it| it.label.contains("(f32[n], "))
        .unwrap();
    assert!(of_tuple.label.ends_with('…') && of_tuple.label.len() < 50);
    assert!(of_tuple.insert.is_none());
    let outline = fixture.analysis.document_symbols(fixture.file).unwrap();
    let detail = outline[0].children[1].detail.as_deref();
    assert!(
        detail.is_some_and(|it| it.ends_with("… 192 more)")),
        "{detail:?}"
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
