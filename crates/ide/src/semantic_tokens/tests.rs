//! Tests of token kinds, modifiers and ranges.

use std::fmt::Write;

use expect_test::{Expect, expect};
use text_size::{TextRange, TextSize};

use super::{TokenKind, TokenModifier, offered};
use crate::fixture::Fixture;

fn check(fixture: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let tokens = fixture
        .analysis
        .semantic_tokens(fixture.file, whole)
        .unwrap();
    let mut actual = String::new();
    for token in tokens {
        let _ = write!(
            actual,
            "{} {} {}",
            fixture.show(token.range),
            &fixture.text[token.range],
            token.kind.name()
        );
        for modifier in TokenModifier::ALL {
            if token.modifiers & modifier.bit() != 0 {
                let _ = write!(actual, " {}", modifier.name());
            }
        }
        actual.push('\n');
    }
    expect.assert_eq(&actual);
}

#[test]
fn relax_variables_have_different_token_types() {
    check(
        r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32")):
        cls = Module
        with R.dataflow():
            y = R.nn.relu(x)
            z = R.concat([y, y], axis=0)
            R.output(z)
        p = R.call_packed("host.show", z, sinfo_args=R.Object)
        return cls.main(z)
"#,
        expect![[r#"
                4:4 ir_module decorator defaultLibrary
                5:7 Module class declaration
                6:6 R namespace
                6:8 function decorator defaultLibrary
                6:17 pure parameter
                7:9 main function declaration impure
                7:14 x parameter declaration
                7:17 R namespace
                7:19 Tensor type defaultLibrary
                7:28 n shapeVariable declaration
                8:9 cls variable declaration
                8:15 Module class
                9:14 R namespace
                9:16 dataflow intrinsic defaultLibrary
                10:13 y dataflowVariable declaration
                10:17 R namespace
                10:19 nn namespace defaultLibrary
                10:22 relu tensorOperator defaultLibrary
                10:27 x parameter
                11:13 z variable declaration
                11:17 R namespace
                11:19 concat tensorOperator defaultLibrary
                11:27 y dataflowVariable
                11:30 y dataflowVariable
                11:34 axis parameter
                12:13 R namespace
                12:15 output intrinsic defaultLibrary
                12:22 z variable
                13:9 p variable declaration
                13:13 R namespace
                13:15 call_packed tensorOperator defaultLibrary impure
                13:28 host.show packedFunction
                13:40 z variable
                13:43 sinfo_args parameter
                13:54 R namespace
                13:56 Object type defaultLibrary
                14:16 cls variable
                14:20 main function impure
                14:25 z variable
            "#]],
    );
}

#[test]
fn prim_func_names_have_different_token_types() {
    check(
        r#"
from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, B: T.Buffer((4,), "float32")):
    n = T.int64()
    A = T.match_buffer(a, (n,), "float32")
    for i in T.serial(n):
        with T.block("copy"):
            vi = T.axis.spatial(n, i)
            B[vi] = T.exp(A[vi])
"#,
        expect![[r#"
                4:2 T namespace
                4:4 prim_func decorator defaultLibrary
                5:5 f primFunction declaration
                5:7 a parameter declaration
                5:10 T namespace
                5:12 handle type defaultLibrary
                5:20 B buffer declaration
                5:23 T namespace
                5:25 Buffer type defaultLibrary
                6:5 n shapeVariable declaration
                6:9 T namespace
                6:11 int64 type defaultLibrary
                7:5 A buffer declaration
                7:9 T namespace
                7:11 match_buffer intrinsic defaultLibrary
                7:24 a parameter
                7:28 n shapeVariable
                8:9 i loopVariable declaration
                8:14 T namespace
                8:16 serial intrinsic defaultLibrary
                8:23 n shapeVariable
                9:14 T namespace
                9:16 block intrinsic defaultLibrary
                9:23 copy block declaration
                10:13 vi axis declaration
                10:18 T namespace
                10:20 axis namespace defaultLibrary
                10:25 spatial intrinsic defaultLibrary
                10:33 n shapeVariable
                10:36 i loopVariable
                11:13 B buffer modification
                11:15 vi axis
                11:21 T namespace
                11:23 exp intrinsic defaultLibrary
                11:27 A buffer
                11:29 vi axis
            "#]],
    );
}

#[test]
fn library_names_have_the_token_type_of_their_use() {
    check(
        r#"
from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    T.cuda.cta_sync()
    T.ptx.ld.global_.f32(A[0], A.data)
    A[0] = T.Select(True, T.f32(1), T.float32(2))
"#,
        expect![[r#"
                4:2 T namespace
                4:4 prim_func decorator defaultLibrary
                5:5 f primFunction declaration
                5:7 A buffer declaration
                5:10 T namespace
                5:12 Buffer type defaultLibrary
                6:5 T namespace
                6:7 cuda namespace defaultLibrary
                6:12 cta_sync intrinsic defaultLibrary
                7:5 T namespace
                7:7 ptx namespace defaultLibrary
                7:22 f32 intrinsic defaultLibrary
                7:26 A buffer
                7:32 A buffer
                8:5 A buffer modification
                8:12 T namespace
                8:14 Select intrinsic defaultLibrary
                8:27 T namespace
                8:29 f32 type defaultLibrary
                8:37 T namespace
                8:39 float32 type defaultLibrary
            "#]],
    );
}

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
