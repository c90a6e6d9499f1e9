//! Tests of long texts, and of the graph of a function. What each feature says, `tests/cases/relay` says.

use expect_test::expect;
use text_size::TextSize;

use crate::graph::GraphLimit;
use crate::host::Config;
use crate::types::FilePosition;
use crate::{Analysis, FileId, FormatOptions, Language};

const PROGRAM: &str = "#[version = \"0.0.5\"]
type List[A] {
  Cons(A, List[A]),
  Nil,
}

def @sum(%l: List[float32]) -> float32 {
  match (%l) {
    Cons(%h, %t) => %h + @sum(%t),
    Nil => 0f,
  }
}

def @main(%x: Tensor[(1, 4), float32], %w: Tensor[(2, 4), float32]) {
  %0 = nn.dense(%x, %w, units=2);
  let %y = nn.relu(%0);
  %1 = add(%y, %0) /* ty=Tensor[(1, 2), float32] */;
  (%1, %y)
}
";

fn analysis(text: &str) -> (Analysis, FileId) {
    Analysis::from_file_in(Language::Relay, text, Config::default())
}

#[test]
fn statements_of_a_long_function_get_their_own_lines() {
    let options = FormatOptions { line_length: None };
    for count in [3, 300] {
        let statements: Vec<String> = (0..count).map(|it| format!("%{it} = exp(%x);")).collect();
        let function = |separator: &str| {
            let body = statements.join(separator);
            format!("def @f(%x: float32) {{{separator}{body}{separator}%0\n}}\n")
        };
        let text = function(" ");
        let (analysis, file) = analysis(&text);
        let edit = analysis.format(file, None, options).unwrap();
        assert!(edit.apply(&text) == function("\n  "), "{count} statements");
    }
}

#[test]
fn a_function_is_drawn_as_a_graph() {
    let text = PROGRAM.replace("(%1, %y)", "(if (True) { @sum(Nil) } else { 1f }, %1, %y)");
    let (analysis, file) = analysis(&text);
    let offset = TextSize::new(text.find("def @main").unwrap() as u32 + 8);
    let position = FilePosition { file, offset };
    let graph = analysis.graph(position, offset, GraphLimit::NONE).unwrap();
    expect![[r#"
        digraph "main" {
          node [shape=box, style=rounded];
          n0 [label="%x\nTensor[(1, 4), float32]", shape=ellipse, style=solid];
          n1 [label="%w\nTensor[(2, 4), float32]", shape=ellipse, style=solid];
          n2 [label="%0 = nn.dense\nTensor[(1, 2), float32]"];
          n3 [label="%y = nn.relu\nTensor[(1, 2), float32]"];
          n4 [label="%1 = add\nTensor[(1, 2), float32]"];
          n5 [label="True\nbool", style=dashed];
          n9 [label="if\nfloat32", shape=diamond, style=solid];
          n10 [label="return\n(float32, Tensor[(1, 2), float32], Tensor[(1, 2), float32])", shape=ellipse, style=solid];
          subgraph cluster0 {
            label="then";
            n6 [label="Nil\nList[float32]"];
            n7 [label="sum\nfloat32"];
          }
          subgraph cluster1 {
            label="else";
            n8 [label="1f\nfloat32", style=dashed];
          }
          n0 -> n2 [label="data (1, 4)"];
          n1 -> n2 [label="weight (2, 4)"];
          n2 -> n3 [label="(1, 2)"];
          n3 -> n4 [label="lhs (1, 2)"];
          n2 -> n4 [label="rhs (1, 2)"];
          n6 -> n7 [label="l"];
          n5 -> n9 [label="condition ()"];
          n7 -> n9 [label="then ()"];
          n8 -> n9 [label="else ()"];
          n9 -> n10 [label="0 ()"];
          n4 -> n10 [label="1 (1, 2)"];
          n3 -> n10 [label="2 (1, 2)"];
        }
    "#]].assert_eq(graph.unwrap().to_dot().as_str());
}
