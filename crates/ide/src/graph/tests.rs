//! A test of the focus of a graph.

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
