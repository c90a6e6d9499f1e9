//! Tests that uses resolve to their binding.

use super::super::body::{Expr, Local, LocalId};
use super::super::facts::ModuleFacts;
use super::super::lower;

/// Returns the line of the binding of each use of a text without definitions, in order.
fn lines_of_bindings(text: &str) -> Vec<usize> {
    let module = lower::module(&syntax::relay::parse(text));
    let facts = ModuleFacts::of(&module);
    let (body, facts) = (&module.definitions[0].body, &facts.definitions[0]);
    let line = |local: LocalId| {
        let start = usize::from(body.name_range(local).start());
        text[..start].matches('\n').count()
    };
    let mut uses: Vec<_> = body
        .exprs()
        .filter(|it| matches!(it.1, Expr::Local(_)))
        .map(|(id, _)| (body.range(id).start(), facts.use_of(id).map_or(99, line)))
        .collect();
    uses.sort_unstable();
    uses.into_iter().map(|it| it.1).collect()
}

#[test]
fn an_inner_binding_ends_with_its_block() {
    let text = "let %x = 1;\n{ let %x = 2;\n%x };\n%x";
    assert_eq!(lines_of_bindings(text), [1, 0]);
}

#[test]
fn a_graph_binding_outlives_its_block_and_the_first_of_a_name_wins() {
    assert!(Local::is_graph_name("0"));
    let text = "let %x = { %0 = 1;\n%0 };\n%0 = 2;\n(%0, %1)";
    assert_eq!(lines_of_bindings(text), [0, 0, 99]);
}
