//! Tests of deprecated spellings, and of tokens of a range.

use text_size::{TextRange, TextSize};

use super::{TokenKind, TokenModifier, offered};
use crate::fixture::Fixture;

#[test]
fn a_spelling_of_another_dialect_is_deprecated() {
    let release = relax::Release::NEWEST;
    let deprecated = TokenModifier::Deprecated.bit();
    let gone = |op: &&relax::ops::OpDef| relax::ops::by_script(op.script(), release).is_none();
    for op in relax::ops::all().filter(gone) {
        let (kind, modifiers) = offered(&format!("R.{}", op.script()), release).unwrap();
        assert_eq!(kind, TokenKind::TensorOperator, "{}", op.name);
        assert!(modifiers & deprecated != 0, "{}", op.name);
    }
    let (_, modifiers) = offered("R.add", release).unwrap();
    assert!(modifiers & deprecated == 0);
}

#[test]
fn tokens_of_a_range_equal_those_of_the_whole_file() {
    let fixture = Fixture::new(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    );
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let all = fixture
        .analysis
        .semantic_tokens(fixture.file, whole)
        .unwrap();
    let line = fixture.text.find("    y = ").unwrap() as u32;
    let line = TextRange::at(line.into(), 16.into());
    let some = fixture
        .analysis
        .semantic_tokens(fixture.file, line)
        .unwrap();
    let inside = all.into_iter().filter(|it| line.contains_range(it.range));
    assert_eq!(some, inside.collect::<Vec<_>>());
    assert_eq!(some.len(), 4);
}
