//! Tests of the focus of a graph.

use super::GraphLimit;
use crate::fixture::Fixture;

#[test]
fn the_focus_is_the_innermost_node_on_the_line() {
    let program = |line: &str| {
        let text = r#"
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.abs(R.exp(x))
    return y
"#;
        Fixture::new(&text.replacen(line, &format!("$0{line}"), 1))
    };
    let focus = |line: &str| {
        let fixture = program(line);
        let position = fixture.position();
        let found = fixture
            .analysis
            .graph(position, position.offset, GraphLimit::NONE);
        let graph = found.unwrap().expect("a Relax function");
        graph.focus.map(|at| graph.nodes[at].operation.clone())
    };
    assert_eq!(focus("    y =").as_deref(), Some("abs"));
    assert_eq!(focus("exp").as_deref(), Some("exp"));
    assert_eq!(focus("return").as_deref(), Some("return"));
    assert_eq!(focus("@R"), None);
}

#[test]
fn the_focus_in_a_weight_is_the_operator_that_it_is_drawn_in() {
    let text = r#"
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((8, 4), "float32")):
    R.func_attr({"num_input": 1})
    t = R.permute_dims(w)
    y = R.matmul(x, t)
    return y
"#;
    let focus = |at: &str| {
        let fixture = Fixture::new(&text.replacen(at, &format!("$0{at}"), 1));
        let position = fixture.position();
        let found = fixture
            .analysis
            .graph(position, position.offset, GraphLimit::NONE);
        let graph = found.unwrap().expect("a Relax function");
        assert_eq!((graph.nodes.len(), graph.total), (3, 3));
        graph.focus.map(|at| graph.nodes[at].name.clone())
    };
    assert_eq!(focus("w: R.Tensor").as_deref(), Some("y"));
    assert_eq!(focus("    t =").as_deref(), Some("y"));
    assert_eq!(focus("x: R.Tensor").as_deref(), Some("x"));
    assert_eq!(focus("def main"), None);
}
